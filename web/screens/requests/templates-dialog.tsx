// The firm's templates: what requests begin with, each changed in a dialog of its own.
import { Button, Group, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconPencil, IconPlus, IconTemplate, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { USUAL_TEMPLATES } from '#contract/request-words.ts';
import { TemplateInput, type TemplateRow } from '#contract/requests.ts';
import { editedRow } from '#web/data/edited-row.ts';
import { queryClient } from '#web/data/query-client.ts';
import { templatesQuery, useAddTemplates, useDeleteTemplate, useSaveTemplate } from '#web/data/requests.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { ApiFault, fieldFaultsOf, reasonOf } from '#web/lib/api-fault.ts';
import { requestDone, requestEmpty, requestFailed, requestWords } from '#web/lib/request-messages.ts';
import {
  EMPTY_LINE,
  type ItemLine,
  RequestItemFields,
  withoutEmptyEnd,
} from '#web/parts/requests/request-item-fields.tsx';
import { Breakable } from '#web/ui/breakable.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { IconButton, IconRow } from '#web/ui/icon-button.tsx';
import { BELOW_TOASTS, toast } from '#web/ui/toast.tsx';
import { type Dialog, useDialog } from '#web/ui/use-dialog.ts';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';
import { requestQuestions } from './request-questions.ts';
import classes from './templates-dialog.module.css';

interface TemplateListProps {
  templates: readonly TemplateRow[];
  onEdit: (template: TemplateRow) => void;
  onDelete: (template: TemplateRow) => void;
}

function TemplateList({ templates, onEdit, onDelete }: TemplateListProps) {
  return (
    <ul className={classes.templates} aria-label="Templates">
      {templates.map((template) => (
        <li key={template.id} className={classes.template}>
          <span className={classes.words}>
            <Breakable text={template.name} />
            <span className={classes.items}>{template.items.map(({ name }) => name).join(', ')}</span>
          </span>
          <IconRow>
            <IconButton
              label={`Edit ${template.name}`}
              tip="Edit"
              icon={<IconPencil size={17} aria-hidden />}
              onClick={() => onEdit(template)}
            />
            <IconButton
              label={`Delete ${template.name}`}
              tip="Delete"
              icon={<IconTrash size={17} aria-hidden />}
              onClick={() => onDelete(template)}
              danger
            />
          </IconRow>
        </li>
      ))}
    </ul>
  );
}

export function TemplatesDialog({ opened, close }: Dialog<never>) {
  const templates = useQuery({ ...templatesQuery(), enabled: opened });
  const editing = useDialog<TemplateRow>();
  const adding = useAddTemplates();
  const remove = useDeleteTemplate();
  const confirm = useConfirm();
  const known = new Set(templates.data?.map(({ name }) => name.toLowerCase()));
  const missing = USUAL_TEMPLATES.filter(({ name }) => !known.has(name.toLowerCase()));

  const addUsual = () =>
    adding.mutate(
      missing.map(({ name, items }) => ({ name, items: items.map((item) => ({ ...item })) })),
      {
        onSuccess: () => toast.success(requestDone.templatesAdded),
        onError: (error) => toastFault(error, requestFailed.addTemplates),
      },
    );
  const onDelete = (template: TemplateRow) =>
    confirm({
      title: `Delete ${template.name}?`,
      message: requestQuestions.deleteTemplate,
      confirmLabel: 'Delete',
      busyLabel: 'Deleting...',
      onConfirm: async () => {
        try {
          await remove.mutateAsync(template);
          toast.success(requestDone.templateDeleted);
        } catch (error) {
          toastFault(error, requestFailed.deleteTemplate);
        }
      },
    });

  return (
    <>
      <Modal
        opened={opened}
        onClose={close}
        title="Templates"
        size="lg"
        // While one is edited over it, the key is meant for that one.
        closeOnEscape={!editing.opened}
        styles={{ title: { fontWeight: 600 } }}
      >
        <Stack gap="md">
          <Text c="dimmed">{requestWords.templatesLead}</Text>
          {templates.data === undefined ? (
            templates.error ? (
              <ErrorState
                message={templates.error.message}
                onRetry={() => void templates.refetch()}
                busy={templates.isFetching}
              />
            ) : (
              <Skeleton height={88} />
            )
          ) : templates.data.length === 0 ? (
            <EmptyState {...requestEmpty.templates} icon={<IconTemplate size={24} stroke={1.5} />} />
          ) : (
            <TemplateList templates={templates.data} onEdit={editing.open} onDelete={onDelete} />
          )}
          <Group justify="flex-end" gap="xs" {...{ [BELOW_TOASTS]: '' }}>
            {templates.data !== undefined && missing.length > 0 ? (
              <BusyButton variant="default" busy={adding.isPending} onClick={addUsual}>
                {adding.isPending ? 'Adding...' : 'Add Usual Templates'}
              </BusyButton>
            ) : null}
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => editing.open(null)}>
              Add Template
            </Button>
          </Group>
        </Stack>
      </Modal>
      <TemplateDialog {...editing} />
    </>
  );
}

interface Values extends Record<string, unknown> {
  name: string;
  items: ItemLine[];
}

const Template = z.preprocess((values) => {
  const { name, items } = values as Values;
  return { name, items: withoutEmptyEnd(items) };
}, TemplateInput);

const valuesOf = (template: TemplateRow | null): Values => ({
  name: template?.name ?? '',
  items: template === null ? [{ ...EMPTY_LINE }] : template.items.map((item) => ({ ...item })),
});

/** Of one that is gone meanwhile, what was read of it: saving says that it is gone. */
async function loadTemplate(before: TemplateRow): Promise<TemplateRow> {
  const all = await queryClient.fetchQuery({ ...templatesQuery(), staleTime: 0 });
  return all.find(({ id }) => id === before.id) ?? before;
}

function TemplateDialog({ opened, close, subject }: Dialog<TemplateRow>) {
  const saving = useSaveTemplate();
  const { form, dirty, submit, conflict } = useDialogForm<Values>({
    opened,
    values: valuesOf(subject),
    schema: Template,
    edited: editedRow(subject, loadTemplate, valuesOf),
  });
  const save = async (values: Values, ifMatch?: string) => {
    await saving.mutateAsync({ id: subject?.id ?? null, body: Template.parse(values), ifMatch });
    toast.success(requestDone.templateSaved);
    close();
  };
  const refused = (error: unknown) => {
    toastFault(error, requestFailed.saveTemplate);
    const taken = error instanceof ApiFault && error.code === 'request_template_name_taken';
    return taken ? { name: reasonOf(error) } : fieldFaultsOf(error);
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={subject === null ? 'Add Template' : 'Edit Template'}
      dirty={dirty}
      busy={saving.isPending}
      onSubmit={submit(save, refused)}
      conflict={conflict}
      submitLabel="Save"
      busyLabel="Saving..."
      size="lg"
    >
      <TextInput
        label="Template Name"
        placeholder="Quarter-end package"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <RequestItemFields
        items={form.values.items}
        errors={form.errors}
        disabled={saving.isPending}
        onChange={(next) => {
          form.clearErrors();
          form.setFieldValue('items', next);
        }}
      />
    </FormDialog>
  );
}

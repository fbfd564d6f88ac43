// The dialog that sends files: Add Data for reports and documents, Upload Document for documents alone.

import { Select, SimpleGrid, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { DOCUMENT_TYPES, type FileType, fileTypeNames, UploadFields } from '#contract/files.ts';
import { allReportTypesQuery } from '#web/data/report-types.ts';
import { clearUploads, sendUploads, type UploadChoices, useUploads } from '#web/data/uploads.ts';
import { fieldFaultsOf } from '#web/lib/api.ts';
import { done, failed } from '#web/lib/messages.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import { ClientSelect } from './client-select.tsx';
import { UploadDrop } from './upload-drop.tsx';
import { choicesOf, type UploadStart } from './upload-form.ts';
import { UploadList } from './upload-list.tsx';

export interface UploadDialogProps {
  opened: boolean;
  onClose: () => void;
  /** 'Add Data' or 'Upload Document'. */
  title: string;
  /** What may be sent from here; one alone is not asked for. */
  fileTypes: readonly FileType[];
  start: UploadStart;
  /** Whether Add File takes several files at a time. */
  several: boolean;
  /** True while files are dragged over the window. */
  dragged: boolean;
  onDrop: (files: File[]) => void;
}

const stopping = {
  question: 'Files are still being sent. Stop?',
  keepLabel: 'Keep sending',
  stopLabel: 'Stop and close',
};

export function UploadDialog(props: UploadDialogProps) {
  const { opened, onClose, title, fileTypes, start, several, dragged, onDrop } = props;
  const uploads = useUploads();
  const { items, busy, storedCount } = uploads;
  const form = useForm<UploadChoices>({
    mode: 'controlled',
    initialValues: choicesOf(start),
    validate: schemaResolver(UploadFields, { sync: true }),
  });

  const latest = useRef({ form, start });
  latest.current = { form, start };
  useLayoutEffect(() => {
    if (!opened) return;
    latest.current.form.setValues(choicesOf(latest.current.start));
    latest.current.form.clearErrors();
    // Whatever way the dialog goes, what it had in hand goes with it.
    return clearUploads;
  }, [opened]);
  const shown = useRef(false);
  useEffect(() => {
    shown.current = opened;
    return () => {
      shown.current = false;
    };
  }, [opened]);

  const send = async (choices: UploadChoices, ids?: readonly string[]) => {
    const askedFor = items.filter((item) => ids === undefined || ids.includes(item.id)).length;
    const { storedCount: stored, fault } = await sendUploads(choices, ids);
    // Stopped and closed meanwhile: nobody waits for the outcome.
    if (!shown.current) return;
    if (fault !== null) {
      toast.error(failed.uploadFile(fault.message));
      form.setErrors(fieldFaultsOf(fault));
    } else if (stored > 0 && askedFor === items.length) {
      toast.success(done.fileUploaded);
      onClose();
    }
  };

  const { clientId, fileType, reportTypeId, documentType } = form.values;
  const set = (change: Partial<UploadChoices>) => form.setValues(change);
  const nullable = (value: string) => (value === '' ? null : value);

  return (
    <>
      <FormDialog
        opened={opened}
        onClose={onClose}
        title={title}
        dirty={items.length > 0}
        busy={busy}
        stopping={stopping}
        onSubmit={form.onSubmit((choices) => void send(choices))}
        submitLabel="Upload"
        busyLabel="Uploading..."
        canSubmit={clientId !== '' && items.length > 0}
      >
        <ClientSelect
          label="Client Name"
          placeholder="Select Client Name"
          value={clientId === '' ? null : Number(clientId)}
          onChange={(id) => set({ clientId: id === null ? '' : String(id) })}
          autoSelect="only"
          error={form.errors.clientId}
          disabled={busy}
          data-autofocus
        />
        <SimpleGrid cols={{ base: 1, xs: fileTypes.length > 1 ? 2 : 1 }} spacing="md" verticalSpacing="md">
          {fileTypes.length > 1 ? (
            <Select
              label="File Type"
              allowDeselect={false}
              data={fileTypes.map((type) => ({ value: type, label: fileTypeNames[type] }))}
              value={fileType}
              onChange={(next) => set({ fileType: next ?? 'report', reportTypeId: '', documentType: '' })}
              error={form.errors.fileType}
              disabled={busy}
            />
          ) : null}
          {fileType === 'report' ? (
            <ReportTypeSelect
              value={nullable(reportTypeId)}
              onChange={(next) => set({ reportTypeId: next ?? '' })}
              error={form.errors.reportTypeId}
              disabled={busy}
            />
          ) : (
            <Select
              label="Document Type"
              placeholder="Select Document Type"
              clearable
              data={[...DOCUMENT_TYPES]}
              value={nullable(documentType)}
              onChange={(next) => set({ documentType: next ?? '' })}
              error={form.errors.documentType}
              disabled={busy}
            />
          )}
        </SimpleGrid>
        <UploadList
          uploads={uploads}
          several={several}
          canRetry={clientId !== ''}
          onRetry={(id) => {
            if (!form.validate().hasErrors) void send(form.values, [id]);
          }}
        />
        <Text size="sm" c="dimmed" role="status" mt={-10}>
          {busy ? `${storedCount} of ${storedCount + items.length} uploaded` : ''}
        </Text>
      </FormDialog>
      <UploadDrop shown={dragged && !busy} onDrop={onDrop} />
    </>
  );
}

interface ReportTypeSelectProps {
  value: string | null;
  onChange: (value: string | null) => void;
  error: ReactNode;
  disabled: boolean;
}

function ReportTypeSelect({ value, onChange, error, disabled }: ReportTypeSelectProps) {
  const { data, error: unread } = useQuery(allReportTypesQuery());
  const reportTypes = data?.rows ?? [];
  return (
    <Select
      label="Report Type"
      placeholder="Select Report Type"
      // A report without a type is in nobody's access list.
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      description={value === null ? 'Without a type, clients cannot see the report.' : null}
      searchable
      openOnFocus={false}
      clearable
      nothingFoundMessage={unread ? unread.message : 'No report types match your search'}
      data={reportTypes.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value}
      onChange={onChange}
      error={error}
      disabled={disabled}
    />
  );
}

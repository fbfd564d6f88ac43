// The dialog that files a file elsewhere, for another period, or under another name.
import { Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { NamedClient } from '#contract/errors.ts';
import { type FileRow, RefileInput } from '#contract/files.ts';
import { may } from '#contract/policy.ts';
import { allClientsQuery } from '#web/data/clients.ts';
import { useRefileFile } from '#web/data/files.ts';
import { allReportTypesQuery } from '#web/data/report-types.ts';
import { ApiFault, fieldFaultsOf } from '#web/lib/api.ts';
import { done, failed } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { toastFault } from '#web/lib/toast-fault.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';
import { ClientSelect } from '../clients/client-select.tsx';
import { PeriodDoubt } from '../periods/period-doubt.tsx';
import { PeriodField } from '../periods/period-field.tsx';
import type { OwnChoices } from '../uploads/own-choices.ts';
import { AnotherClient } from './another-client.tsx';
import { CorrectsSelect } from './corrects-select.tsx';
import { type FileKind, FileKindFields } from './file-kind-fields.tsx';
import { refilableTypes } from './refile-types.ts';
import { ReplaceChoice, type Replacing } from './replace-choice.tsx';
import { toastReplaced } from './undo-replacing.ts';

interface Values extends FileKind, Record<string, unknown> {
  originalName: string;
  clientId: number | null;
  period: string | null;
  /** The id of the file that it corrects. */
  corrects: number | null;
}

export interface RefileDialogProps {
  opened: boolean;
  file: FileRow;
  onClose: () => void;
}

/** Refused because the file names another client than the one it was to be filed under. */
interface Stopped {
  readonly clientId: number;
  readonly originalName: string;
  readonly reason: string;
  readonly named: NamedClient | null;
}

/** How long a name is without its ending. */
function stemLength(name: string): number {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? dot : name.length;
}

/** What is sent of it, and the id of the file that it takes the place of. */
function changeOf(file: FileRow, place: Values, replacing: Replacing, keepBecause: string | undefined) {
  const { originalName: name, corrects, ...input } = RefileInput.parse(place);
  const replaced = replacing === null ? null : (corrects ?? null);
  const because = replacing?.because.trim() ?? '';
  return {
    replaced,
    input: {
      ...input,
      // An old name may hold what no new one may: it stays where nobody changed it.
      ...(name === file.originalName ? {} : { originalName: name }),
      // What it takes the place of is corrected no more.
      ...(replaced !== null || corrects === (file.corrects?.id ?? null) ? {} : { corrects }),
      ...(replaced === null ? {} : { replaces: replaced, ...(because === '' ? {} : { replacedBecause: because }) }),
      ...(keepBecause === undefined ? {} : { keepBecause }),
    },
  };
}

export function RefileDialog({ opened, file, onClose }: RefileDialogProps) {
  const user = useSessionUser();
  const refiling = useRefileFile();
  const types = useQuery(allReportTypesQuery());
  const { originalName, clientId, fileType, reportTypeId, documentType, period } = file;
  const correctedId = file.corrects?.id ?? null;
  const [corrected, setCorrected] = useState(file.corrects);
  const [replacing, setReplacing] = useState<Replacing>(null);
  const [stopped, setStopped] = useState<Stopped | null>(null);
  const { form, dirty, submit } = useDialogForm<Values>({
    opened,
    values: { originalName, clientId, fileType, reportTypeId, documentType, period, corrects: correctedId },
    schema: RefileInput,
  });
  const { values } = form;
  const mayRefile = (kind: FileKind) =>
    may(user, 'files.refile', {
      from: file,
      to: {
        fileType: kind.fileType,
        clientReached: values.clientId !== null,
        reportTypeReached: kind.reportTypeId === null ? null : true,
      },
    });

  const save = async (place: Values, keepBecause?: string) => {
    const { input, replaced } = changeOf(file, place, replacing, keepBecause);
    setStopped(null);
    await refiling.mutateAsync({ id: file.id, ...input });
    toastReplaced(done.fileRefiled, replaced === null ? [] : [replaced], 'keep');
    onClose();
  };

  const refused = (place: Values) => (error: unknown) => {
    if (error instanceof ApiFault && error.code === 'names_another_client' && place.clientId !== null) {
      const { message: reason, namedClient: named = null } = error;
      setStopped({ clientId: place.clientId, originalName: place.originalName, reason, named });
      return {};
    }
    toastFault(error, failed.refileFile);
    return fieldFaultsOf(error);
  };

  /** Files it as it was asked about: under the client that it names, or as chosen for a reason. */
  const settle = async ({ clientId: there, kept }: OwnChoices) => {
    const place = there ? { ...values, clientId: there, corrects: null } : values;
    form.setValues(place);
    try {
      await save(place, kept?.because);
    } catch (error) {
      form.setErrors(refused(place)(error));
    }
  };

  const mayReplace =
    values.corrects !== null && may(user, 'files.delete', { fileType: values.fileType, uploadedById: null });
  const isChanged = dirty || (mayReplace && replacing !== null);
  // What was said of one place and name is not true of another.
  const isStopped = stopped?.clientId === values.clientId && stopped.originalName === values.originalName;
  const clients = useQuery({ ...allClientsQuery(), enabled: isStopped });
  const chosenName = clients.data?.rows.find(({ id }) => id === values.clientId)?.name;

  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Re-file"
      dirty={isChanged}
      busy={refiling.isPending}
      onSubmit={submit((place) => save(place), refused(values))}
      submitLabel="Re-file"
      busyLabel="Saving..."
      canSubmit={isChanged && mayRefile(values)}
    >
      <TextInput
        label="File Name"
        value={values.originalName}
        onChange={(event) => form.setValues({ originalName: event.currentTarget.value })}
        error={form.errors.originalName}
        disabled={refiling.isPending}
        // Up to its ending: that stays what it was unless somebody means to change it.
        onFocus={({ currentTarget }) => currentTarget.setSelectionRange(0, stemLength(currentTarget.value))}
      />
      <ClientSelect
        label="Client Name"
        placeholder="Select Client Name"
        value={values.clientId}
        // What it corrects is of its client.
        onChange={(id) => {
          setReplacing(null);
          form.setValues({ clientId: id, corrects: id === clientId ? correctedId : null });
        }}
        error={form.errors.clientId}
        disabled={refiling.isPending}
        data-autofocus
      />
      <FileKindFields
        fileTypes={refilableTypes(user, file)}
        value={values}
        onChange={(kind) => form.setValues({ ...kind })}
        untyped={mayRefile({ fileType: 'report', reportTypeId: null, documentType: null })}
        errors={form.errors}
        disabled={refiling.isPending}
      />
      <PeriodField
        value={values.period}
        onChange={(next) => form.setValues({ period: next })}
        error={form.errors.period}
        disabled={refiling.isPending}
      />
      <PeriodDoubt
        of={String(file.id)}
        typeName={types.data?.rows.find(({ id }) => id === values.reportTypeId)?.name ?? null}
        period={values.period}
        onChange={(next) => form.setValues({ period: next })}
        disabled={refiling.isPending}
      />
      {values.clientId === null ? null : (
        <CorrectsSelect
          of={{ clientId: values.clientId, fileType: values.fileType, reportTypeId: values.reportTypeId }}
          ownId={file.id}
          value={values.corrects === null ? null : corrected?.id === values.corrects ? corrected : file.corrects}
          onChange={(chosen) => {
            setCorrected(chosen);
            setReplacing(null);
            form.setValues({ corrects: chosen?.id ?? null });
          }}
          error={form.errors.corrects ?? form.errors.replaces}
          disabled={refiling.isPending}
        />
      )}
      {mayReplace ? <ReplaceChoice value={replacing} onChange={setReplacing} disabled={refiling.isPending} /> : null}
      {isStopped && chosenName !== undefined ? (
        <div role="alert">
          <Text size="sm" c="var(--mantine-color-error)">
            {stopped.reason}
          </Text>
          <AnotherClient
            fileName={values.originalName}
            chosen={{ id: stopped.clientId, name: chosenName }}
            named={stopped.named}
            disabled={refiling.isPending}
            onSettle={(choice) => void settle(choice)}
          />
        </div>
      ) : null}
    </FormDialog>
  );
}

// The dialog that files a file elsewhere, for another period, or under another name.
import { Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { may } from '#contract/policy.ts';
import { allClientsQuery } from '#web/data/clients.ts';
import { allReportTypesQuery } from '#web/data/report-types.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { ClientSelect } from '../clients/client-select.tsx';
import { PeriodDoubt } from '../periods/period-doubt.tsx';
import { PeriodField } from '../periods/period-field.tsx';
import { AnotherClient, type AnotherClientProps } from './another-client.tsx';
import { CorrectsSelect } from './corrects-select.tsx';
import { type FileKind, FileKindFields } from './file-kind-fields.tsx';
import { refilableTypes } from './refile-types.ts';
import { ReplaceChoice } from './replace-choice.tsx';
import { type RefileDialogProps, type Stopped, useRefileForm } from './use-refile-form.ts';

/** How long a name is without its ending. */
function stemLength(name: string): number {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? dot : name.length;
}

export function RefileDialog(props: RefileDialogProps) {
  const { opened, file, onClose } = props;
  const user = useSessionUser();
  const types = useQuery(allReportTypesQuery());
  const refile = useRefileForm(props);
  const { form, busy, isChanged, conflict, stopped, mayReplace } = refile;
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
  const choosePeriod = (period: string | null) => form.setValues({ period });

  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Re-file"
      dirty={isChanged}
      busy={busy}
      conflict={conflict}
      onSubmit={refile.submit}
      submitLabel="Re-file"
      busyLabel="Saving..."
      canSubmit={isChanged && mayRefile(values)}
    >
      <TextInput
        label="File Name"
        value={values.originalName}
        onChange={(event) => form.setValues({ originalName: event.currentTarget.value })}
        error={form.errors.originalName}
        disabled={busy}
        // Up to its ending: that stays what it was unless somebody means to change it.
        onFocus={({ currentTarget }) => currentTarget.setSelectionRange(0, stemLength(currentTarget.value))}
      />
      <ClientSelect
        label="Client Name"
        placeholder="Select Client Name"
        value={values.clientId}
        onChange={refile.chooseClient}
        error={form.errors.clientId}
        disabled={busy}
        data-autofocus
      />
      <FileKindFields
        fileTypes={refilableTypes(user, file)}
        value={values}
        onChange={(kind) => form.setValues({ ...kind })}
        untyped={mayRefile({ fileType: 'report', reportTypeId: null, documentType: null })}
        errors={form.errors}
        disabled={busy}
      />
      <PeriodField value={values.period} onChange={choosePeriod} error={form.errors.period} disabled={busy} />
      <PeriodDoubt
        of={String(file.id)}
        typeName={types.data?.rows.find(({ id }) => id === values.reportTypeId)?.name ?? null}
        period={values.period}
        onChange={choosePeriod}
        disabled={busy}
      />
      {values.clientId === null ? null : (
        <CorrectsSelect
          of={{ clientId: values.clientId, fileType: values.fileType, reportTypeId: values.reportTypeId }}
          ownId={file.id}
          value={refile.corrected}
          onChange={refile.chooseCorrected}
          error={form.errors.corrects ?? form.errors.replaces}
          disabled={busy}
        />
      )}
      {mayReplace ? (
        <ReplaceChoice
          value={refile.replacing}
          held={refile.corrected?.onHold === true}
          onChange={refile.setReplacing}
          disabled={busy}
        />
      ) : null}
      {stopped ? (
        <StoppedNotice stopped={stopped} disabled={busy} onSettle={(choice) => void refile.settle(choice)} />
      ) : null}
    </FormDialog>
  );
}

interface StoppedNoticeProps extends Pick<AnotherClientProps, 'disabled' | 'onSettle'> {
  stopped: Stopped;
}

/** Why it was stopped, and what may become of it; nothing until the name of its client is known. */
function StoppedNotice({ stopped: { clientId, originalName, reason, named }, disabled, onSettle }: StoppedNoticeProps) {
  const clients = useQuery(allClientsQuery());
  const chosenName = clients.data?.rows.find(({ id }) => id === clientId)?.name;
  if (chosenName === undefined) return null;
  return (
    <div role="alert">
      <Text size="sm" c="var(--mantine-color-error)">
        {reason}
      </Text>
      <AnotherClient
        fileName={originalName}
        chosen={{ id: clientId, name: chosenName }}
        named={named}
        disabled={disabled}
        onSettle={onSettle}
      />
    </div>
  );
}

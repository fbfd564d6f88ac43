// What all ticked documents are filed under: what is left as it is stays as it is of each.
import { Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { DocumentRow } from '#contract/batches.ts';
import type { Said } from '#web/data/batches.ts';
import { ClientSelect } from '#web/parts/clients/client-select.tsx';
import { ReportTypeSelect } from '#web/parts/files/file-kind-fields.tsx';
import { PeriodDoubts, periodOfAll } from '#web/parts/periods/period-doubt.tsx';
import { PeriodField } from '#web/parts/periods/period-field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { tickedWords } from './batch-messages.ts';
import type { FormField } from './document-form.tsx';

export interface SetDialogProps {
  /** Those that are ticked. */
  readonly documents: readonly DocumentRow[];
  /** Resolves once all of them are so, or a toast has said why not. */
  readonly onSet: (said: Said) => Promise<boolean>;
}

const NOTHING = { clientId: null, clientName: '', reportTypeId: null, reportTypeName: '', period: null } as const;

interface Chosen {
  readonly clientId: number | null;
  readonly clientName: string;
  readonly reportTypeId: number | null;
  readonly reportTypeName: string;
  readonly period: string | null;
}

function saidBy({ clientId, clientName, reportTypeId, reportTypeName, period }: Chosen): Said {
  return {
    ...(clientId === null ? {} : { clientId, clientName }),
    ...(reportTypeId === null ? {} : { reportTypeId, reportTypeName }),
    ...(period === null ? {} : { period }),
  };
}

/** The subject is the field that the key or button asked for. */
export function SetDialog({ opened, subject, close, documents, onSet }: Dialog<FormField> & SetDialogProps) {
  const [chosen, setChosen] = useState<Chosen>(NOTHING);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (opened) setChosen(NOTHING);
  }, [opened]);
  const choose = (more: Partial<Chosen>) => setChosen((before) => ({ ...before, ...more }));
  const said = saidBy(chosen);
  const isSaid = Object.keys(said).length > 0;

  const send = async () => {
    setBusy(true);
    const worked = await onSet(said);
    setBusy(false);
    if (worked) close();
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={tickedWords.set(documents.length)}
      dirty={isSaid}
      busy={busy}
      onSubmit={(event) => {
        event.preventDefault();
        if (isSaid) void send();
      }}
      submitLabel="Set"
      busyLabel="Setting..."
      canSubmit={isSaid}
      warning={tickedWords.setHint}
    >
      <Stack gap="md">
        <ClientSelect
          label="Client"
          aria-required={false}
          placeholder={tickedWords.leave}
          value={chosen.clientId}
          onChange={(clientId, client) => choose({ clientId, clientName: client?.name ?? '' })}
          disabled={busy}
          data-autofocus={subject === 'client' || subject === null || undefined}
        />
        <ReportTypeSelect
          value={chosen.reportTypeId}
          placeholder={tickedWords.leave}
          onChange={(reportTypeId, name) => choose({ reportTypeId, reportTypeName: name ?? '' })}
          untyped={false}
          required={false}
          disabled={busy}
          autofocus={subject === 'type'}
        />
        <PeriodField
          value={chosen.period}
          noneLabel={tickedWords.leave}
          onChange={(period) => choose({ period })}
          disabled={busy}
          autofocus={subject === 'period'}
        />
        <PeriodDoubts
          // As the review asks about each of them.
          files={documents.map(({ id, reportTypeName }) => ({
            id: `document ${id}`,
            reportTypeName: chosen.reportTypeId === null ? reportTypeName : chosen.reportTypeName,
          }))}
          period={chosen.period ?? (chosen.reportTypeId === null ? null : periodOfAll(documents))}
          onChange={(period) => choose({ period })}
          disabled={busy}
        />
      </Stack>
    </FormDialog>
  );
}

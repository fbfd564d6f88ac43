// Asks where to, where what comes out of the trash does not fit any more: its client or type is gone, or a name was given to others.
import { Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import type { FieldFaults } from '#contract/errors.ts';
import type { TrashRow } from '#contract/trash.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { type RestoreChoice, useRestore } from '#web/data/trash.ts';
import { fieldFaultsOf, reasonOf } from '#web/lib/api-fault.ts';
import { done, failed } from '#web/lib/messages.ts';
import { ClientSelect } from '#web/parts/clients/client-select.tsx';
import { ReportTypeSelect } from '#web/parts/files/file-kind-fields.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { trashDone } from './trash-messages.ts';

export interface ToRestore {
  readonly row: TrashRow;
  /** Why it does not fit, and which fields say where to. */
  readonly reason: string;
  readonly asked: FieldFaults;
  readonly onRestored: () => void;
}

const PERSON = /^people\.(\d+)\.(username|fullName)$/;

/** What was typed, by the fields that are asked for. */
type Texts = Readonly<Record<string, string>>;

interface Place {
  readonly clientId: number | null;
  /** Undefined until it is chosen; null for none. */
  readonly reportTypeId: number | null | undefined;
}

function choiceOf({ kind }: TrashRow, texts: Texts, { clientId, reportTypeId }: Place): RestoreChoice {
  if (kind === 'file') {
    return {
      ...(clientId === null ? {} : { clientId }),
      ...(reportTypeId === undefined ? {} : { reportTypeId }),
    };
  }
  const people = new Map<number, { id: number; username?: string; fullName?: string }>();
  for (const [field, text] of Object.entries(texts)) {
    const [, id, name] = PERSON.exec(field) ?? [];
    if (id === undefined) continue;
    people.set(Number(id), {
      ...people.get(Number(id)),
      id: Number(id),
      [name === 'username' ? name : 'fullName']: text,
    });
  }
  const { name } = texts;
  return { ...(name === undefined ? {} : { name }), people: [...people.values()] };
}

export function RestoreDialog({ opened, subject, close }: Dialog<ToRestore>) {
  const restoring = useRestore();
  const [faults, setFaults] = useState<FieldFaults>({});
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState<readonly string[]>([]);
  const [texts, setTexts] = useState<Texts>({});
  const [place, setPlace] = useState<Place>({ clientId: null, reportTypeId: undefined });
  const [isTouched, setTouched] = useState(false);
  useEffect(() => {
    if (!opened || subject === null) return;
    setReason(subject.reason);
    setFaults(subject.asked);
    setAsked(Object.keys(subject.asked));
    setTexts(subject.row.kind === 'client' && 'name' in subject.asked ? { name: subject.row.name } : {});
    // Without a type, unless one is chosen.
    setPlace({ clientId: null, reportTypeId: 'reportTypeId' in subject.asked ? null : undefined });
    setTouched(false);
  }, [opened, subject]);
  if (subject === null) return null;
  const { row, onRestored } = subject;

  const clearFault = (field: string) => {
    setTouched(true);
    setFaults(Object.fromEntries(Object.entries(faults).filter(([name]) => name !== field)));
  };
  const type = (field: string, text: string) => {
    setTexts({ ...texts, [field]: text });
    clearFault(field);
  };
  const choosePlace = (field: keyof Place, id: number | null) => {
    setPlace({ ...place, [field]: id });
    clearFault(field);
  };
  const restore = (event: FormEvent) => {
    event.preventDefault();
    restoring.mutate(
      { kind: row.kind, id: row.id, choice: choiceOf(row, texts, place) },
      {
        onSuccess: (withoutType) => {
          toast.success(row.kind === 'file' ? done.fileRestored : trashDone.clientRestored(withoutType));
          close();
          onRestored();
        },
        onError: (error) => {
          const more = fieldFaultsOf(error);
          toastFault(error, row.kind === 'file' ? failed.restoreFile : failed.restoreClient);
          setReason(reasonOf(error));
          setFaults(more);
          const known = Object.keys(more).filter(
            (name) => name in { clientId: 1, reportTypeId: 1, name: 1 } || PERSON.test(name),
          );
          setAsked([...new Set([...asked, ...known])]);
          if ('reportTypeId' in more && place.reportTypeId === undefined) setPlace({ ...place, reportTypeId: null });
        },
      },
    );
  };
  const isMissing = asked.some((field) =>
    field === 'clientId' ? place.clientId === null : field !== 'reportTypeId' && (texts[field] ?? '').trim() === '',
  );
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={`Restore ${row.name}`}
      dirty={isTouched}
      busy={restoring.isPending}
      onSubmit={restore}
      submitLabel="Restore"
      busyLabel="Restoring..."
      canSubmit={!isMissing}
    >
      {/* Said at its field, it is not said twice. */}
      {Object.values(faults).includes(reason) ? null : <Text size="sm">{reason}</Text>}
      {asked.map((field) => (
        <AskedField
          key={field}
          field={field}
          place={place}
          onPlace={choosePlace}
          text={texts[field]}
          onText={(text) => type(field, text)}
          fault={faults[field]}
          disabled={restoring.isPending}
        />
      ))}
    </FormDialog>
  );
}

interface AskedFieldProps {
  field: string;
  place: Place;
  onPlace: (field: keyof Place, id: number | null) => void;
  /** Undefined until something is typed. */
  text: string | undefined;
  onText: (text: string) => void;
  fault: string | undefined;
  disabled: boolean;
}

function AskedField({ field, place, onPlace, text, onText, fault, disabled }: AskedFieldProps) {
  if (field === 'clientId') {
    return (
      <ClientSelect
        label="Client"
        value={place.clientId}
        onChange={(clientId) => onPlace('clientId', clientId)}
        // At first the sentence above asks for it.
        error={place.clientId === null ? undefined : fault}
        disabled={disabled}
      />
    );
  }
  if (field === 'reportTypeId') {
    return (
      <ReportTypeSelect
        value={place.reportTypeId ?? null}
        onChange={(reportTypeId) => onPlace('reportTypeId', reportTypeId)}
        untyped
        error={(place.reportTypeId ?? null) === null ? undefined : fault}
        disabled={disabled}
      />
    );
  }
  return (
    <TextInput
      label={labelOf(field)}
      description={text === undefined ? fault : undefined}
      autoComplete="off"
      value={text ?? ''}
      onChange={(event) => onText(event.currentTarget.value)}
      error={text === undefined ? undefined : fault}
      disabled={disabled}
    />
  );
}

const labelOf = (field: string) =>
  field === 'name' ? 'Client Name' : field.endsWith('.username') ? 'Another Username' : 'Another Full Name';

// The dialog that sends files: Add Data for reports and documents, Upload Document for documents alone.

import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { FileType } from '#contract/file-kinds.ts';
import { may } from '#contract/policy.ts';
import {
  clearUploads,
  hasUploads,
  outcomeOfUploads,
  removeUpload,
  sendUploads,
  type UploadChoices,
  type UploadOutcome,
  uploadsBusy,
  useUploads,
} from '#web/data/uploads.ts';
import { fieldFaultsOf } from '#web/lib/api.ts';
import { done, failed } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { toastFault } from '#web/lib/toast-fault.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { type FootQuestion, FormDialog } from '#web/ui/form-dialog.tsx';
import { ReplaceChoice, type Replacing } from '../files/replace-choice.tsx';
import { toastReplaced } from '../files/undo-replacing.ts';
import { type BackgroundUpload, handOver, isStillThere } from './background-upload.ts';
import { type OwnChoices, type SharedField, sharedForOf } from './own-choices.ts';
import { SharedFields } from './shared-fields.tsx';
import { UploadDrop } from './upload-drop.tsx';
import { choicesOf, correctsOf, type UploadStart } from './upload-form.ts';
import { UploadList } from './upload-list.tsx';
import { type UploadRow, useUploadRows } from './upload-rows.ts';

export interface UploadDialogProps {
  opened: boolean;
  onClose: () => void;
  /** 'Add Data' or 'Upload Document'. */
  title: string;
  /** The kinds that may be sent from here; a single one is not offered as a choice. */
  fileTypes: readonly FileType[];
  start: UploadStart;
  /** Whether Add File takes several files at a time. */
  several: boolean;
  /** True while files are dragged over the window. */
  dragged: boolean;
  onDrop: (files: File[]) => void;
  /** An upload that went on in the background, to go on here. */
  resumed?: BackgroundUpload | null;
}

const stopping = {
  question: 'Files are still being sent. Stop?',
  keepLabel: 'Keep sending',
  stopLabel: 'Stop and close',
};

const counted = (count: number, verb: readonly [one: string, many: string]) =>
  count === 1 ? `1 file ${verb[0]}` : `${count} files ${verb[1]}`;
const needAClient = (count: number) => counted(count, ['needs a client', 'need a client']);
const questionOfUntyped = (count: number, onKeep: () => void, onProceed: () => void): FootQuestion => ({
  message: `${counted(count, ['has no report type', 'have no report type'])}. Without a type, clients cannot see ${count === 1 ? 'it' : 'them'}.`,
  keep: { label: 'Choose a type', onClick: onKeep },
  proceed: { label: 'Upload anyway', onClick: onProceed },
});

/** The choices of one file that a field above the list stands for. */
const ofField: Record<SharedField, readonly (keyof OwnChoices)[]> = {
  client: ['clientId'],
  type: ['fileType', 'reportTypeId', 'documentType'],
  period: ['period'],
};

const isSkipped = ({ there }: UploadRow) => there?.choice === 'skip';
const isUntyped = ({ choices }: UploadRow) => choices.fileType === 'report' && choices.reportTypeId === '';

const allSkipped = 'Nothing to upload: every file is there already and is skipped.';

export function UploadDialog(props: UploadDialogProps) {
  const { opened, onClose, title, fileTypes, start, several, dragged, onDrop, resumed = null } = props;
  const user = useSessionUser();
  const { id: userId } = user;
  const uploads = useUploads();
  const { items, busy, storedCount } = uploads;
  const form = useForm<UploadChoices>({
    mode: 'controlled',
    initialValues: resumed?.values ?? choicesOf(start),
  });
  const [replacing, setReplacing] = useState<Replacing>(null);
  const begun = correctsOf(start);
  const [sharedFor, setSharedFor] = useState(resumed?.sharedFor ?? sharedForOf(start));
  const { rows, own, keepingOwn, checking, change, repeatAll, forgetOwn, reset } = useUploadRows(
    uploads,
    { values: form.values, sharedFor, corrects: begun && { ...begun, replacing } },
    fileTypes,
    resumed?.own ?? {},
  );
  // 'of how many' the latest sequence stored its files; null before the first.
  const [sentOf, setSentOf] = useState<number | null>(resumed?.sentOf ?? null);
  const [settled, setSettled] = useState<string | null>(null);
  const chosen = useRef(resumed?.choices ?? new Map<string, UploadChoices>());
  /** Whether it is asked about reports without a type. */
  const [asksType, setAsksType] = useState(false);
  const kindFields = useRef<HTMLDivElement>(null);
  /** Whether what is being sent ends with the dialog. */
  const stops = useRef(false);

  const toBackground = () => {
    const dialog = { title, fileTypes, start, several };
    const upload = {
      userId,
      dialog,
      values: form.values,
      own,
      sharedFor,
      choices: chosen.current,
      sentOf: sentOf ?? items.length,
    };
    handOver(upload, clearUploads);
  };
  const finish = ({ storedCount: stored, replaced, fault }: UploadOutcome, askedFor: number, skipped = 0) => {
    // Stopped, closed or left to the panel meanwhile: nobody waits here for the outcome.
    if (!shown.current) return;
    if (fault !== null) {
      toastFault(fault, (reason) =>
        stored > 0 ? failed.uploadSome(reason, stored, askedFor) : failed.uploadFile(reason),
      );
      form.setErrors(fieldFaultsOf(fault));
    } else if (stored > 0 && !hasUploads()) {
      toastReplaced(skipped > 0 ? done.fileUploadedBut(skipped) : done.fileUploaded, replaced, 'trash');
      onClose();
    }
  };

  const toSend = rows.filter((row) => !isSkipped(row));

  const send = async (ids?: readonly string[]) => {
    chosen.current = new Map(rows.map((row) => [row.item.id, row.choices]));
    // All at once, those that are skipped leave the list; a single one is sent because somebody said so.
    const skipped = ids === undefined ? rows.filter(isSkipped) : [];
    for (const { item } of skipped) removeUpload(item.id);
    const askedFor = ids?.length ?? toSend.length;
    setSentOf(askedFor);
    const choices = chosen.current;
    latest.current.finish(await sendUploads((id) => choices.get(id) ?? form.values, ids), askedFor, skipped.length);
  };

  const latest = useRef({ form, start, reset, toBackground, finish, send });
  latest.current = { form, start, reset, toBackground, finish, send };
  const shown = useRef(false);
  useEffect(() => {
    shown.current = opened;
    return () => {
      shown.current = false;
    };
  }, [opened]);
  useLayoutEffect(() => {
    if (!opened) return;
    stops.current = false;
    latest.current.form.setValues(resumed?.values ?? choicesOf(latest.current.start));
    latest.current.form.clearErrors();
    latest.current.reset(resumed?.own ?? {});
    setSharedFor(resumed?.sharedFor ?? sharedForOf(latest.current.start));
    setAsksType(false);
    setReplacing(null);
    setSentOf(resumed?.sentOf ?? null);
    chosen.current = resumed?.choices ?? new Map();
    if (resumed && uploadsBusy()) {
      void outcomeOfUploads().then((outcome) => latest.current.finish(outcome, resumed.sentOf));
    }
    return () => {
      // What is being sent goes on without the dialog, unless it was stopped or its person has left.
      if (uploadsBusy() && !stops.current && isStillThere(userId)) latest.current.toBackground();
      else clearUploads();
    };
  }, [opened, resumed, userId]);

  const close = () => {
    stops.current = true;
    onClose();
  };

  // Sent with what was just chosen for it, which the rows have from the next rendering on.
  useEffect(() => {
    if (settled === null) return;
    setSettled(null);
    void latest.current.send([settled]);
  }, [settled]);

  const untyped = toSend.filter(isUntyped).length;
  const withoutClient = toSend.filter(({ client }) => client.value === null).length;
  /** What is chosen above the list is for the files without one of their own, or for the only file. */
  const choose = (field: SharedField, shared: Partial<UploadChoices>, forOne: OwnChoices) => {
    form.setValues(shared);
    setSharedFor((before) => ({ ...before, [field]: 'others' }));
    const [only, another] = items;
    if (only && !another) change(only.id, forOne);
  };
  const forAll = (field: SharedField) => ({
    keeping: keepingOwn(field),
    total: rows.length,
    disabled: busy,
    onUse: () => {
      setSharedFor((before) => ({ ...before, [field]: 'all' }));
      forgetOwn(ofField[field]);
    },
  });
  const submit = () => {
    if (untyped > 0) setAsksType(true);
    else void send();
  };
  const statusWords = () => {
    if (busy) return `${storedCount} of ${storedCount + items.length} uploaded`;
    if (rows.length > 0 && toSend.length === 0) return allSkipped;
    if (withoutClient > 0) return needAClient(withoutClient);
    return sentOf === null || items.length === 0 ? '' : `${storedCount} of ${sentOf} stored`;
  };

  return (
    <>
      <FormDialog
        opened={opened}
        onClose={close}
        title={title}
        dirty={items.length > 0}
        busy={busy}
        stopping={stopping}
        aside={{ label: 'Continue in background', onClick: onClose }}
        onSubmit={form.onSubmit(submit)}
        submitLabel="Upload"
        busyLabel="Uploading..."
        canSubmit={!checking && toSend.length > 0 && withoutClient === 0}
        status={statusWords()}
        question={
          asksType && untyped > 0 && !busy
            ? questionOfUntyped(
                untyped,
                () => {
                  setAsksType(false);
                  [...(kindFields.current?.querySelectorAll<HTMLInputElement>('input:not([type="hidden"])') ?? [])]
                    .at(-1)
                    ?.focus();
                },
                () => {
                  setAsksType(false);
                  void send();
                },
              )
            : null
        }
      >
        {start.corrects ? (
          <Corrected
            name={start.corrects.name}
            mayReplace={may(user, 'files.delete', { fileType: start.fileType, uploadedById: null })}
            replacing={replacing}
            onReplacing={setReplacing}
            disabled={busy}
          />
        ) : null}
        <SharedFields
          form={form}
          fileTypes={fileTypes}
          rows={rows}
          disabled={busy}
          onChoose={choose}
          forAll={forAll}
          kindFields={kindFields}
        />
        <UploadList
          uploads={uploads}
          rows={rows}
          fileTypes={fileTypes}
          several={several}
          onChange={change}
          onRepeatAll={repeatAll}
          onRetry={(id) => void send([id])}
          onSettle={(id, choice) => {
            change(id, choice);
            setSettled(id);
          }}
        />
      </FormDialog>
      <UploadDrop shown={dragged && !busy} onDrop={onDrop} />
    </>
  );
}

interface CorrectedProps {
  /** Of the file that is corrected. */
  name: string;
  mayReplace: boolean;
  replacing: Replacing;
  onReplacing: (replacing: Replacing) => void;
  disabled: boolean;
}

function Corrected({ name, mayReplace, replacing, onReplacing, disabled }: CorrectedProps) {
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {replacing === null ? 'Corrects' : 'Replaces'} <Breakable text={name} />
        {replacing === null ? ', which stays and is marked as corrected.' : '.'}
      </Text>
      {mayReplace ? <ReplaceChoice value={replacing} onChange={onReplacing} disabled={disabled} /> : null}
    </>
  );
}

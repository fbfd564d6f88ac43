// How the dialog of an upload sends: what each file goes with, what became of it, and who looks after it once the dialog is closed.
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { toastFault } from '#web/data/toast-fault.ts';
import {
  clearUploads,
  hasUploads,
  letWait,
  outcomeOfUploads,
  removeUpload,
  sendUploads,
  type UploadChoices,
  type UploadOutcome,
  uploadsBusy,
} from '#web/data/uploads.ts';
import { fieldFaultsOf } from '#web/lib/api-fault.ts';
import { done, failed } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { toastReplaced } from '../files/undo-replacing.ts';
import { type BackgroundUpload, handOver, isStillThere } from './background-upload.ts';
import { isSkipped, type useUploadChoices } from './use-upload-choices.ts';

interface UploadSendingOptions {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly dialog: BackgroundUpload['dialog'];
  readonly resumed: BackgroundUpload | null;
  readonly choices: ReturnType<typeof useUploadChoices>;
  /** As the dialog opens: what it was before is forgotten. */
  readonly onBegin: () => void;
  /** How many files are in the list. */
  readonly itemCount: number;
}

interface Settled {
  readonly id: string;
  /** Whether it goes to another client than the one that it was shown at. */
  readonly isMoved: boolean;
}

/** Sends files with what was just chosen for them; where one is there already at another client, it waits in the list and says so. */
function useSettling({ rows, checking }: UploadSendingOptions['choices'], send: (ids: readonly string[]) => void) {
  const [settled, setSettled] = useState<readonly Settled[]>([]);
  const latest = useRef({ rows, send });
  latest.current = { rows, send };
  // The rows have the choice from the next rendering on, and what is there once it was asked.
  useEffect(() => {
    if (settled.length === 0 || checking) return;
    setSettled([]);
    const there = latest.current.rows.filter((row) => row.there !== null).map(({ item }) => item.id);
    const isShownFirst = ({ id, isMoved }: Settled) => isMoved && there.includes(id);
    for (const { id } of settled.filter(isShownFirst)) letWait(id);
    const sent = settled.filter((one) => !isShownFirst(one)).map(({ id }) => id);
    if (sent.length > 0) latest.current.send(sent);
  }, [settled, checking]);
  return (id: string, isMoved: boolean) => setSettled((before) => [...before, { id, isMoved }]);
}

export function useUploadSending(options: UploadSendingOptions) {
  const { opened, onClose, dialog, resumed, choices, onBegin, itemCount } = options;
  const { form, rows, toSend, own, sharedFor } = choices;
  const { id: userId } = useSessionUser();
  // 'of how many' the latest sequence stored its files; null before the first.
  const [sentOf, setSentOf] = useState<number | null>(resumed?.sentOf ?? null);
  const chosen = useRef(resumed?.choices ?? new Map<string, UploadChoices>());
  /** Whether what is being sent ends with the dialog. */
  const stops = useRef(false);

  const toBackground = () => {
    const upload = {
      userId,
      dialog,
      values: form.values,
      own,
      sharedFor,
      choices: chosen.current,
      sentOf: sentOf ?? itemCount,
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
  const send = async (ids?: readonly string[]) => {
    chosen.current = new Map(rows.map((row) => [row.item.id, row.choices]));
    // All at once, those that are skipped leave the list; a single one is sent because somebody said so.
    const skipped = ids === undefined ? rows.filter(isSkipped) : [];
    for (const { item } of skipped) removeUpload(item.id);
    const askedFor = ids?.length ?? toSend.length;
    setSentOf(askedFor);
    const sentWith = chosen.current;
    latest.current.finish(await sendUploads((id) => sentWith.get(id) ?? form.values, ids), askedFor, skipped.length);
  };

  const latest = useRef({ onBegin, toBackground, finish });
  latest.current = { onBegin, toBackground, finish };
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
    latest.current.onBegin();
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

  const sendSettled = useSettling(choices, (ids) => void send(ids));

  return {
    sentOf,
    /** Sends these, or all that are not skipped. */
    send: (ids?: readonly string[]) => void send(ids),
    /** Sends one file with what is being chosen for it. */
    sendSettled,
    /** Closes the dialog; what is being sent ends with it. */
    stop: () => {
      stops.current = true;
      onClose();
    },
  };
}

// The dialog that adds many rows of one noun from a CSV: choose, match, look at the faults, import.

import { Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { counted } from '#contract/plain-words.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { importWords } from '#web/lib/import-messages.ts';
import { done, failed } from '#web/lib/messages.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import { useDraggedFiles } from '#web/ui/use-dragged-files.ts';
import { ChooseSheet } from './choose-sheet.tsx';
import { knowsHeader } from './columns.ts';
import type { ImportKind, ImportTarget } from './import-kind.ts';
import type { ImportRow, Judgement } from './judge.ts';
import { type Keepsake, KeepsakeNote, takeKeepsake } from './keepsake.tsx';
import { Review } from './review.tsx';
import { readSheet, type Sheet, sheetOf } from './sheet.ts';
import { useJudgedSheet } from './use-judged-sheet.ts';

export interface ImportDialogProps<Field extends string>
  extends Pick<Dialog<never>, 'opened' | 'close'>,
    ImportTarget<Field> {
  readonly kind: ImportKind<Field>;
  /** Told of each list that is read, before its rows are judged. */
  readonly onSheet?: (sheet: Sheet) => void;
  /** What the person who imports should know of a row without a fault, such as that somebody will see nothing. */
  readonly warningOf?: (row: ImportRow<Field>) => string | null;
  /** What else the person decides about the rows before they are imported. */
  readonly choice?: ReactNode;
  /** What must still be taken away once the rows are there, such as generated passwords. */
  readonly keepsakeOf?: (rows: readonly ImportRow<Field>[]) => Keepsake | null;
}

/** What is to be known of rows without a fault, by the numbers that the file gives them. */
function warningsOf<Field extends string>(
  rows: readonly ImportRow<Field>[],
  warningOf: ImportDialogProps<Field>['warningOf'],
) {
  return rows.flatMap((each) => {
    const sentence = warningOf?.(each) ?? null;
    return sentence === null ? [] : [{ row: each.row, sentence }];
  });
}

/** Of rows that were judged, those without a fault, and whether they may go: all of them, or these alone where that is wanted. */
function soundOf<Field extends string>(judgement: Judgement<Field> | null, onlySound: boolean) {
  const faulty = new Set(judgement?.faults.map(({ row }) => row));
  const sound = judgement?.rows.filter(({ row }) => !faulty.has(row)) ?? [];
  return { sound, ready: faulty.size === 0 || onlySound ? sound : [] };
}

/** What was chosen to import and what became of it: rows that are read and judged, sent, and a keepsake that is taken away. */
function useImporting<Field extends string>(props: ImportDialogProps<Field>) {
  const { opened, close, kind, onSheet, send, warningOf, keepsakeOf } = props;
  const [text, setText] = useState('');
  const judging = useJudgedSheet(kind, props);
  const { state, match } = judging;
  const [onlySound, setOnlySound] = useState(false);
  const [busy, setBusy] = useState(false);
  const [keepsake, setKeepsake] = useState<{ count: number; taken: boolean; what: Keepsake } | null>(null);

  const restart = () => {
    judging.restart();
    setText('');
    setOnlySound(false);
    setKeepsake(null);
  };
  const leave = () => {
    close();
    restart();
  };

  const knows = knowsHeader(kind.columns);
  const read = (open: () => Sheet | Promise<Sheet>) =>
    judging.read(open, (sheet) => {
      setOnlySound(false);
      onSheet?.(sheet);
    });
  const choose = (file: File | undefined) => {
    if (file) void read(() => readSheet(file, knows));
  };
  const dragged = useDraggedFiles({
    onEnter: () => {},
    onDropElsewhere: ([file]) => choose(file),
    accepts: () => opened && !busy && keepsake === null,
  });
  const { sound, ready } = soundOf(state?.judgement ?? null, onlySound);
  const warnings = warningsOf(ready, warningOf);
  const awaitingText = state === null && text.trim() !== '';

  const take = (kept: NonNullable<typeof keepsake>) => {
    takeKeepsake(kept.what);
    setKeepsake({ ...kept, taken: true });
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (keepsake) {
      if (keepsake.taken) leave();
      else take(keepsake);
      return;
    }
    if (state === null) {
      await read(() => sheetOf(importWords.pasted, text, knows));
      return;
    }
    setBusy(true);
    try {
      const { created } = await send(
        ready.map(({ values }) => values),
        false,
      );
      toast.success(done.imported(counted(created, kind.noun)));
      const what = keepsakeOf?.(ready) ?? null;
      if (what === null) leave();
      else setKeepsake({ count: created, taken: false, what });
    } catch (error) {
      toastFault(error, failed.import);
      // Whoever would not confirm that it is them is not asked at once again: the rows are as they were.
      if (error instanceof ApiFault && error.code === 'reauth_required') return;
      // Somebody changed what is there meanwhile: the rows are judged anew.
      await match(state.sheet, state.matching);
    } finally {
      setBusy(false);
    }
  };

  return {
    state,
    fault: judging.fault,
    text,
    type: (typed: string) => {
      setText(typed);
      judging.forgetFault();
    },
    choose,
    dragged,
    match,
    restart,
    onlySound,
    setOnlySound,
    soundCount: sound.length,
    ready,
    warnings,
    busy,
    keepsake,
    take,
    canSubmit: keepsake !== null || awaitingText || ready.length > 0,
    submit,
    leave,
  };
}

export function ImportDialog<Field extends string>(props: ImportDialogProps<Field>) {
  const { opened, kind, choice } = props;
  const importing = useImporting(props);
  const { state, text, busy, keepsake, ready } = importing;
  const chooseButton = useRef<HTMLButtonElement>(null);
  const importLabel = ready.length === 0 ? 'Import' : `Import ${counted(ready.length, kind.noun)}`;
  const keepsakeLabel = keepsake?.taken ? 'Done' : keepsake?.what.label;
  const submitLabel = keepsakeLabel ?? (state === null ? 'Preview' : importLabel);

  return (
    <FormDialog
      opened={opened}
      onClose={importing.leave}
      title={kind.title}
      size="xl"
      dirty={keepsake ? !keepsake.taken : state !== null || text.trim() !== ''}
      losing={keepsake ? importWords.notTaken : undefined}
      busy={busy}
      showsOnce={busy && (props.keepsakeOf?.(ready) ?? null) !== null}
      onSubmit={(event) => void importing.submit(event)}
      submitLabel={submitLabel}
      busyLabel="Importing..."
      // What is imported is not cancelled any more.
      cancellable={keepsake === null}
      another={keepsake?.taken ? { label: importWords.takeAgain, go: () => importing.take(keepsake) } : undefined}
      canSubmit={importing.canSubmit}
    >
      {keepsake ? (
        <KeepsakeNote
          title={done.imported(counted(keepsake.count, kind.noun))}
          words={keepsake.what.words}
          taken={keepsake.taken}
        />
      ) : state === null ? (
        <ChooseSheet
          kind={kind}
          text={text}
          onText={importing.type}
          onFile={importing.choose}
          isOver={importing.dragged}
          chooseButton={chooseButton}
        />
      ) : (
        <Review
          kind={kind}
          state={state}
          onMatch={(field, at) => void importing.match(state.sheet, { ...state.matching, [field]: at })}
          onRetry={() => void importing.match(state.sheet, state.matching)}
          onRestart={() => {
            flushSync(importing.restart);
            chooseButton.current?.focus();
          }}
          busy={busy}
          onlySound={importing.onlySound}
          onOnlySound={importing.setOnlySound}
          soundCount={importing.soundCount}
          warnings={importing.warnings}
          choice={choice}
        />
      )}
      {importing.fault === null ? null : (
        <Text role="alert" c="var(--mantine-color-error)">
          {importing.fault}
        </Text>
      )}
    </FormDialog>
  );
}

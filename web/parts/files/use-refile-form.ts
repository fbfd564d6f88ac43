// What is chosen in the dialog that re-files a file, what is sent of it, and what stopped it.
import { useLayoutEffect, useRef, useState } from 'react';
import type { NamedClient } from '#contract/errors.ts';
import { type FileRow, RefileInput } from '#contract/files.ts';
import { may } from '#contract/policy.ts';
import { editedRow } from '#web/data/edited-row.ts';
import { loadFile, useRefileFile } from '#web/data/files.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { ApiFault, fieldFaultsOf } from '#web/lib/api-fault.ts';
import { done, failed } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useDialogForm } from '#web/ui/use-dialog-form.ts';
import type { Settled } from './another-client.tsx';
import type { NamedFile } from './corrects-select.tsx';
import type { FileKind } from './file-kind-fields.tsx';
import type { Replacing } from './replace-choice.tsx';
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
  /** Told the file as it was, once it is filed elsewhere. */
  onRefiled?: ((file: FileRow) => void) | undefined;
}

/** Refused because the file names another client than the one it was to be filed under. */
export interface Stopped {
  readonly clientId: number;
  readonly originalName: string;
  readonly reason: string;
  readonly named: NamedClient | null;
}

const valuesOf = (file: FileRow): Values => {
  const { originalName, clientId, fileType, reportTypeId, documentType, period, corrects } = file;
  return { originalName, clientId, fileType, reportTypeId, documentType, period, corrects: corrects?.id ?? null };
};

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

/** The file as the server had it later, where somebody else has changed it. */
function useReloaded(opened: boolean, file: FileRow) {
  const [reloaded, setReloaded] = useState<FileRow | null>(null);
  /** The same, before it is drawn: "Keep mine" sends at once what the dialog shows, and of that what differs from this. */
  const newest = useRef<FileRow | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file begins anew
  useLayoutEffect(() => {
    if (!opened) return;
    newest.current = null;
    setReloaded(null);
  }, [opened, file]);
  // It may come after the dialog was opened for another one.
  const orFile = (later: FileRow | null) => (later?.id === file.id ? later : file);
  return {
    known: orFile(reloaded),
    newest: () => orFile(newest.current),
    load: async (row: FileRow) => {
      const now = await loadFile(row);
      newest.current = now;
      setReloaded(now);
      return now;
    },
  };
}

export function useRefileForm({ opened, file, onClose, onRefiled }: RefileDialogProps) {
  const user = useSessionUser();
  const refiling = useRefileFile();
  const [corrected, setCorrected] = useState<NamedFile | null>(file.corrects);
  const { known, newest, load } = useReloaded(opened, file);
  const [replacing, setReplacing] = useState<Replacing>(null);
  const [stopped, setStopped] = useState<Stopped | null>(null);
  const { form, dirty, submit, conflict } = useDialogForm<Values>({
    opened,
    values: valuesOf(file),
    schema: RefileInput,
    edited: editedRow(file, load, valuesOf),
  });
  /** The version that was sent last: what is asked about since is asked of that one. */
  const sent = useRef<string>(undefined);
  const { values } = form;
  // What was chosen and left at the opening before is not for this one.
  useLayoutEffect(() => {
    if (!opened) return;
    setCorrected(file.corrects);
    setReplacing(null);
    setStopped(null);
  }, [opened, file]);

  const save = async (place: Values, ifMatch: string | undefined, keepBecause?: string) => {
    const { input, replaced } = changeOf(newest(), place, replacing, keepBecause);
    sent.current = ifMatch;
    setStopped(null);
    await refiling.mutateAsync({ id: file.id, ifMatch, ...input });
    toastReplaced(done.fileRefiled, replaced === null ? [] : [replaced], 'keep');
    onRefiled?.(file);
    onClose();
  };
  const refused = (place: Values) => (error: unknown, isLeft: boolean) => {
    if (!isLeft && error instanceof ApiFault && error.code === 'names_another_client' && place.clientId !== null) {
      const { message: reason, namedClient: named = null } = error;
      setStopped({ clientId: place.clientId, originalName: place.originalName, reason, named });
      return {};
    }
    toastFault(error, failed.refileFile);
    return fieldFaultsOf(error);
  };

  const mayReplace =
    values.corrects !== null && may(user, 'files.delete', { fileType: values.fileType, uploadedById: null });
  const choices: readonly (NamedFile | null)[] = [corrected, known.corrects, file.corrects];
  const chosen = choices.find((each) => each?.id === values.corrects) ?? null;
  return {
    form,
    busy: refiling.isPending,
    isChanged: dirty || (mayReplace && replacing !== null),
    submit: submit((place, ifMatch) => save(place, ifMatch), refused(values)),
    conflict: conflict && {
      ...conflict,
      reload: () => {
        // It was said of what the file corrected before.
        setReplacing(null);
        conflict.reload();
      },
    },
    /** What was said of one place and name is not true of another. */
    stopped: stopped?.clientId === values.clientId && stopped.originalName === values.originalName ? stopped : null,
    /** Files it as it was asked about: under the client that it names, or as chosen for a reason. */
    settle: async ({ clientId: there, kept }: Settled) => {
      const place = there ? { ...values, clientId: there, corrects: null } : values;
      form.setValues(place);
      try {
        await save(place, sent.current, kept?.because);
      } catch (error) {
        form.setErrors(refused(place)(error, false));
      }
    },
    /** What it corrects is of its client. */
    chooseClient: (id: number | null) => {
      setReplacing(null);
      form.setValues({ clientId: id, corrects: id === known.clientId ? (known.corrects?.id ?? null) : null });
    },
    corrected: values.corrects === null ? null : chosen,
    chooseCorrected: (chosen: typeof corrected) => {
      setCorrected(chosen);
      setReplacing(null);
      form.setValues({ corrects: chosen?.id ?? null });
    },
    mayReplace,
    replacing,
    setReplacing,
  };
}

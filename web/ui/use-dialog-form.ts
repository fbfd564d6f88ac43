// A form inside a dialog: reset at each opening, checked by a contract's schema, sent once, with the focus on the first fault.
import { type FormErrors, schemaResolver, type UseFormReturnType, useForm } from '@mantine/form';
import { type FormEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** What is edited, as somebody else may have left it meanwhile. */
export interface EditedRow<Values> {
  readonly version: string;
  /** As the server has it now. */
  readonly load: () => Promise<{ readonly version: string; readonly values: Values }>;
  /** Says that it could not be loaded. */
  readonly notLoaded: (error: unknown) => void;
  /** Who changed it and when, where that is what `error` says; else null. */
  readonly conflictIn: (error: unknown) => string | null;
}

/** Somebody else has changed what is edited: nothing was saved, and nothing typed is lost. */
export interface EditConflict {
  /** Who and when, as far as the server says. */
  readonly message: string;
  readonly busy: boolean;
  /** Takes what the server has, for what was typed. */
  readonly reload: () => void;
  /** Saves what was typed over it. */
  readonly keepMine: () => void;
}

export interface DialogFormOptions<Values> {
  opened: boolean;
  /** What the form starts from at each opening. */
  values: Values;
  schema: Parameters<typeof schemaResolver>[0];
  /** Null for something new. */
  edited?: EditedRow<Values> | null;
}

/** `isLeft` is true where the dialog that sent it is gone by then: only a toast is seen. */
type Refused = (error: unknown, isLeft: boolean) => FormErrors;

export interface DialogForm<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>;
  dirty: boolean;
  /**
   * Handles a submit: leads to the first fault, or calls `send` with sound values, once, however often it is pressed.
   * Where `send` rejects, `refused` shows the person why and returns the faults for their fields. `ifMatch` is the version that is edited.
   */
  submit: (
    send: (values: Values, ifMatch?: string) => unknown,
    refused?: Refused,
  ) => (event?: FormEvent<HTMLFormElement>) => void;
  conflict: EditConflict | null;
  /** Begins the next one, with `values`, at the first field. */
  restart: (values: Values) => void;
}

/** So many frames a busy page may take until a field that was off while sending is on again. */
const FRAMES = 60;

/** Puts the focus on the first field, in reading order, that has a fault. */
function focusFirst(faults: FormErrors, frames = FRAMES): void {
  requestAnimationFrame(() => {
    const fields = [...document.querySelectorAll<HTMLElement>('[role="dialog"] [data-path]')];
    // A list that is one field has the faults of its entries: `otherNames.0`.
    const within = Object.keys(faults).map((name) => name.replace(/\.\d+$/, ''));
    const first =
      fields.find(({ dataset: { path = '' } }) => faults[path]) ??
      fields.find(({ dataset: { path = '' } }) => within.includes(path));
    first?.focus();
    if (first?.matches(':disabled') && frames > 0) focusFirst(faults, frames - 1);
  });
}

/** Begins anew with `values`: nothing of them is unsaved, and nothing is wrong yet. */
function fill<Values extends Record<string, unknown>>(form: UseFormReturnType<Values>, values: Values): void {
  form.setValues(values);
  form.resetDirty(values);
  form.clearErrors();
}

interface SendingOptions {
  isOpened: () => boolean;
  /** Counts how often the dialog was left, by closing it or with its page. */
  timesLeft: RefObject<number>;
  onSent: () => void;
  conflictIn: (error: unknown) => string | null;
  onConflict: (message: string) => void;
  onFaults: (faults: FormErrors) => void;
}

/** Sends once, however often it is pressed, and hands on what was refused. */
function useSendOnce(options: SendingOptions) {
  const { isOpened, timesLeft, onSent, conflictIn, onConflict, onFaults } = options;
  const sending = useRef(false);
  return async (send: () => unknown, refused: Refused | undefined) => {
    // The second press of a double click may come before the button is off, or while the dialog fades.
    if (sending.current || !isOpened()) return;
    sending.current = true;
    const leftBefore = timesLeft.current;
    try {
      await send();
      // Until the closing has been drawn, the form still takes presses.
      requestAnimationFrame(() => {
        sending.current = false;
      });
      onSent();
    } catch (error) {
      sending.current = false;
      if (timesLeft.current !== leftBefore) {
        refused?.(error, true);
        return;
      }
      const message = conflictIn(error);
      if (message !== null) {
        onConflict(message);
        return;
      }
      if (refused === undefined) throw error;
      onFaults(refused(error, false));
    }
  };
}

export function useDialogForm<Values extends Record<string, unknown>>(
  options: DialogFormOptions<Values>,
): DialogForm<Values> {
  const { opened, values, schema, edited = null } = options;
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: values,
    validate: schemaResolver(schema, { sync: true }),
  });

  const version = useRef<string | undefined>(undefined);
  /** What was refused over a change of somebody else, and where it is sent again from. */
  const [overtaken, setOvertaken] = useState<{ message: string; busy: boolean } | null>(null);
  const sent = useRef<{ from: HTMLFormElement | undefined; refused: Refused | undefined } | null>(null);

  const latest = useRef({ form, values, opened, edited });
  latest.current = { form, values, opened, edited };
  const timesLeft = useRef(0);
  useLayoutEffect(() => {
    if (!opened) return;
    const { form: now, values: start } = latest.current;
    version.current = latest.current.edited?.version;
    setOvertaken(null);
    fill(now, start);
    return () => {
      timesLeft.current += 1;
    };
  }, [opened]);

  const sendOnce = useSendOnce({
    isOpened: () => latest.current.opened,
    timesLeft,
    onSent: () => setOvertaken(null),
    conflictIn: (error) => edited?.conflictIn(error) ?? null,
    onConflict: (message) => setOvertaken({ message, busy: false }),
    onFaults: (faults) => {
      form.setErrors(faults);
      focusFirst(faults);
    },
  });

  const submit: DialogForm<Values>['submit'] = (send, refused) => {
    const handle = form.onSubmit(
      (sound) => void sendOnce(() => send(sound, version.current), refused),
      (faults) => focusFirst(faults),
    );
    return (event) => {
      sent.current = { from: event?.currentTarget, refused };
      handle(event);
    };
  };

  /** Asks for what the server has now, and goes on with it. */
  const afterLoading = async (
    goOn: (now: { version: string; values: Values }) => void,
    notLoaded: ((error: unknown, isLeft: boolean) => unknown) | undefined,
  ) => {
    if (edited === null || overtaken === null || overtaken.busy) return;
    setOvertaken({ ...overtaken, busy: true });
    const leftBefore = timesLeft.current;
    try {
      const now = await edited.load();
      // Left since: the dialog may be open again, about another one.
      if (timesLeft.current !== leftBefore) return;
      version.current = now.version;
      setOvertaken(null);
      goOn(now);
    } catch (error) {
      if (timesLeft.current !== leftBefore) return;
      setOvertaken({ ...overtaken, busy: false });
      notLoaded?.(error, false);
    }
  };

  return {
    form,
    dirty: form.isDirty(),
    submit,
    restart: (next) => {
      fill(form, next);
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[role="dialog"] [data-autofocus]')?.focus());
    },
    conflict: overtaken && {
      ...overtaken,
      reload: () => void afterLoading((now) => fill(form, now.values), edited?.notLoaded),
      // Sent as the dialog stands now: it may have been changed while this was asked.
      keepMine: () => void afterLoading(() => sent.current?.from?.requestSubmit(), sent.current?.refused),
    },
  };
}

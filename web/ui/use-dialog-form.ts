// A form inside a dialog: reset at each opening, checked by a contract's schema, sent once, with the focus on the first fault.
import { type FormErrors, schemaResolver, type UseFormReturnType, useForm } from '@mantine/form';
import { type FormEvent, useLayoutEffect, useRef } from 'react';

export interface DialogFormOptions<Values> {
  opened: boolean;
  /** What the form starts from at each opening. */
  values: Values;
  schema: Parameters<typeof schemaResolver>[0];
}

export interface DialogForm<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>;
  dirty: boolean;
  /**
   * Handles a submit: leads to the first fault, or calls `send` with sound values, once, however often it is pressed.
   * Where `send` rejects, `refused` shows the person why and returns the faults for their fields.
   */
  submit: (
    send: (values: Values) => unknown,
    refused?: (error: unknown) => FormErrors,
  ) => (event: FormEvent<HTMLFormElement>) => void;
}

/** Puts the focus on the first field, in reading order, that has a fault. */
function focusFirst(faults: FormErrors): void {
  // The next frame: a field that was off while sending can take the focus only when it is on again.
  requestAnimationFrame(() => {
    const fields = document.querySelectorAll<HTMLElement>('[role="dialog"] [data-path]');
    [...fields].find((field) => faults[field.dataset.path ?? ''])?.focus();
  });
}

export function useDialogForm<Values extends Record<string, unknown>>(
  options: DialogFormOptions<Values>,
): DialogForm<Values> {
  const { opened, values, schema } = options;
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: values,
    validate: schemaResolver(schema, { sync: true }),
  });

  const latest = useRef({ form, values, opened });
  latest.current = { form, values, opened };
  useLayoutEffect(() => {
    if (!opened) return;
    const { form: now, values: start } = latest.current;
    now.setValues(start);
    now.resetDirty(start);
    now.clearErrors();
  }, [opened]);

  const sending = useRef(false);
  const sendOnce = async (send: () => unknown, refused: ((error: unknown) => FormErrors) | undefined) => {
    // The second press of a double click may come before the button is off, or while the dialog fades.
    if (sending.current || !latest.current.opened) return;
    sending.current = true;
    try {
      await send();
      // Until the closing has been drawn, the form still takes presses.
      requestAnimationFrame(() => {
        sending.current = false;
      });
    } catch (error) {
      sending.current = false;
      if (refused === undefined) throw error;
      const faults = refused(error);
      form.setErrors(faults);
      focusFirst(faults);
    }
  };

  return {
    form,
    dirty: form.isDirty(),
    submit: (send, refused) => form.onSubmit((sound) => void sendOnce(() => send(sound), refused), focusFirst),
  };
}

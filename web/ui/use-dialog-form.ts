// A form inside a dialog: fresh at each opening, checked by a contract's schema, led to the first fault.
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
  /** Handles a submit: calls `send` with sound values, or leads to the first fault. */
  submit: (send: (values: Values) => void) => (event: FormEvent<HTMLFormElement>) => void;
  /** Shows the server's faults at their fields and leads to the first. */
  showFaults: (faults: FormErrors) => void;
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

  const latest = useRef({ form, values });
  latest.current = { form, values };
  useLayoutEffect(() => {
    if (!opened) return;
    const { form: now, values: start } = latest.current;
    now.setValues(start);
    now.resetDirty(start);
    now.clearErrors();
  }, [opened]);

  return {
    form,
    dirty: form.isDirty(),
    submit: (send) => form.onSubmit(send, focusFirst),
    showFaults: (faults) => {
      form.setErrors(faults);
      focusFirst(faults);
    },
  };
}

// What a document is filed under: each choice is kept at once, so that nothing is lost on the way to the next document.
import { type KeyboardEvent, type Ref, useImperativeHandle, useRef } from 'react';
import type { DocumentRow } from '#contract/batches.ts';
import type { Said } from '#web/data/batches.ts';
import { ClientSelect } from '#web/parts/client-select.tsx';
import { ReportTypeSelect } from '#web/parts/file-kind-fields.tsx';
import { PeriodField } from '#web/parts/period-field.tsx';
import classes from './review.module.css';

export type FormField = 'client' | 'type' | 'period';

export interface DocumentFormHandle {
  /** Puts the focus into a field; once something is chosen there, the list has it again. */
  focus: (field: FormField) => void;
}

export interface DocumentFormProps {
  document: DocumentRow;
  disabled: boolean;
  onSay: (said: Said) => void;
  /** Gives the focus back to the list. */
  onLeave: () => void;
  handle: Ref<DocumentFormHandle>;
}

export function DocumentForm({ document, disabled, onSay, onLeave, handle }: DocumentFormProps) {
  const box = useRef<HTMLDivElement>(null);
  /** The field that a key led to. */
  const entered = useRef<FormField>(null);
  useImperativeHandle(
    handle,
    () => ({
      focus: (field) => {
        entered.current = field;
        box.current?.querySelector<HTMLInputElement>(`[data-field="${field}"] input`)?.focus();
      },
    }),
    [],
  );

  const say = (field: FormField, said: Said) => {
    onSay(said);
    if (entered.current === field) onLeave();
    entered.current = null;
  };
  const leaveOnEscape = (event: KeyboardEvent) => {
    // The first Escape closes an open list of choices.
    if (event.key !== 'Escape' || (event.target as Element).getAttribute('aria-expanded') === 'true') return;
    entered.current = null;
    onLeave();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the fields inside take the keys, this hears Escape in any of them
    <div ref={box} className={classes.form} onKeyDown={leaveOnEscape}>
      <div data-field="client">
        <ClientSelect
          label="Client"
          aria-required
          value={document.clientId}
          onChange={(clientId, client) =>
            say('client', { clientId, ...(client === null ? {} : { clientName: client.name }) })
          }
          disabled={disabled}
        />
      </div>
      <div data-field="type">
        <ReportTypeSelect
          value={document.reportTypeId}
          onChange={(reportTypeId, name) =>
            say('type', { reportTypeId, ...(name === null ? {} : { reportTypeName: name }) })
          }
          untyped={false}
          disabled={disabled}
        />
      </div>
      <div data-field="period">
        {/* A choice of another document begins anew. */}
        <PeriodField
          key={document.id}
          value={document.period}
          onChange={(period) => {
            // Of a quarter or a day more than one field is chosen: the focus stays.
            entered.current = null;
            onSay({ period });
          }}
          disabled={disabled}
        />
      </div>
    </div>
  );
}

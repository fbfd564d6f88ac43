// What a document is filed under: each choice is kept at once, so that nothing is lost on the way to the next document.
import { Button } from '@mantine/core';
import { type KeyboardEvent, type Ref, useImperativeHandle, useRef } from 'react';
import type { DocumentRow } from '#contract/batches.ts';
import type { Said } from '#web/data/batches.ts';
import { ClientSelect } from '#web/parts/clients/client-select.tsx';
import { ReportTypeSelect } from '#web/parts/files/file-kind-fields.tsx';
import { PeriodDoubt } from '#web/parts/periods/period-doubt.tsx';
import { PeriodField } from '#web/parts/periods/period-field.tsx';
import { onItsPages, signalName } from './document-words.ts';
import classes from './review.module.css';

/** Candidates beyond these are found by the select. */
const CANDIDATES_MAX = 5;
/** So many signs of a name the box shows in its narrowest place. */
const ONE_LINE = 22;

export type FormField = 'client' | 'type' | 'period';

export interface DocumentFormHandle {
  /** Puts the focus into a field; once something is chosen there, the list has it again. */
  focus: (field: FormField) => void;
}

export interface DocumentFormProps {
  document: DocumentRow;
  onSay: (said: Said) => void;
  /** Gives the focus back to the list. */
  onLeave: () => void;
  handle: Ref<DocumentFormHandle>;
}

export function DocumentForm({ document, onSay, onLeave, handle }: DocumentFormProps) {
  const box = useRef<HTMLDivElement>(null);
  /** The field that a key led to. */
  const entered = useRef<FormField>(null);
  useImperativeHandle(
    handle,
    () => ({
      focus: (field) => {
        entered.current = field;
        const of = `[data-field="${field}"] input:not([type="hidden"])`;
        const inputs = box.current?.querySelectorAll<HTMLInputElement>(of) ?? [];
        // The kind of a period is right more often than the day, the quarter or the year behind it.
        const input = field === 'period' ? (inputs[1] ?? inputs[0]) : inputs[0];
        input?.focus();
      },
    }),
    [],
  );

  const leave = (field: FormField) => {
    if (entered.current === field) onLeave();
    entered.current = null;
  };
  const say = (field: FormField, said: Said) => {
    onSay(said);
    leave(field);
  };
  const leaveByKey = ({ key, target }: KeyboardEvent) => {
    // The name that stands there, left or typed anew, is chosen by Enter: the field has nothing to tell.
    if (key === 'Enter' && (target as HTMLInputElement).value === document.clientName) leave('client');
    // The first Escape closes an open list of choices.
    if (key !== 'Escape' || (target as Element).getAttribute('aria-expanded') === 'true') return;
    entered.current = null;
    onLeave();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the fields inside take the keys, this hears two of them
    <div ref={box} className={classes.form} onKeyDown={leaveByKey}>
      <div data-field="client">
        {/* What was typed for one document is not for the next. */}
        <ClientSelect
          key={document.id}
          label="Client"
          aria-required
          value={document.clientId}
          onChange={(clientId, client) =>
            say('client', { clientId, ...(client === null ? {} : { clientName: client.name }) })
          }
          onOptionSubmit={(next) => {
            if (Number(next) === document.clientId) leave('client');
          }}
          // The box shows one line of it: twins differ at the end.
          description={(document.clientName?.length ?? 0) > ONE_LINE ? document.clientName : null}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <Candidates document={document} onChoose={(clientId, clientName) => say('client', { clientId, clientName })} />
      </div>
      <div data-field="type">
        <ReportTypeSelect
          value={document.reportTypeId}
          onChange={(reportTypeId, name) =>
            say('type', { reportTypeId, ...(name === null ? {} : { reportTypeName: name }) })
          }
          onSame={() => leave('type')}
          untyped={false}
          disabled={false}
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
        />
        <PeriodDoubt
          of={`document ${document.id}`}
          typeName={document.reportTypeName}
          period={document.period}
          onChange={(period) => onSay({ period })}
        />
      </div>
    </div>
  );
}

/** Who else it could be of, to be chosen by one press. */
function Candidates(props: { document: DocumentRow; onChoose: (clientId: number, clientName: string) => void }) {
  const { document } = props;
  const { clientId, clients } = document;
  const others = clients.filter((each) => each.clientId !== clientId);
  if (others.length === 0) return null;
  return (
    <section aria-label="Other clients it could be of" className={classes.candidates}>
      <p className={classes.whyTitle}>{clientId === null ? 'It could be of' : 'It could also be of'}</p>
      <ul className={classes.others}>
        {others.slice(0, CANDIDATES_MAX).map((other) => (
          <li key={other.clientId}>
            <Button
              variant="default"
              size="xs"
              className={classes.other ?? ''}
              onClick={() => props.onChoose(other.clientId, other.clientName)}
            >
              {other.clientName}
            </Button>
            <span className={classes.where}>
              {[...new Set(onItsPages(document, other.signals).map(signalName))].join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

// Why a document is proposed as it is: what is doubtful, what spoke for it, and who else it could be of.
import { Button, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { DocumentRow, Mark, Signal } from '#contract/batches.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { reasonWords, signalName, signalsOf } from './document-words.ts';
import classes from './review.module.css';

export interface WhyProps {
  document: DocumentRow;
  /** Undefined where nothing may be changed. */
  onChooseClient: ((clientId: number, clientName: string) => void) | undefined;
  /** Shows where a signal stands. */
  onPoint: (marks: readonly Mark[]) => void;
}

/** Candidates beyond these are found by the select. */
const OTHERS_MAX = 5;

const whereWords = ({ marks }: Signal) => {
  const pages = [...new Set(marks.map(({ page }) => page))];
  if (pages.length === 0) return '';
  return pages.length === 1
    ? `on page ${pages[0]}`
    : `on pages ${pages.slice(0, 3).join(', ')}${pages.length > 3 ? '...' : ''}`;
};

function SignalLine({ signal, onPoint }: { signal: Signal; onPoint: WhyProps['onPoint'] }) {
  const where = whereWords(signal);
  const words = (
    <>
      <span className={classes.signalKind}>{signalName(signal)}</span> <Breakable text={signal.text} />
    </>
  );
  return (
    <li>
      {where === '' ? (
        <span className={classes.signal}>{words}</span>
      ) : (
        <button type="button" className={classes.signal} onClick={() => onPoint(signal.marks)}>
          {words} <span className={classes.where}>{where}</span>
        </button>
      )}
    </li>
  );
}

export function Why({ document, onChooseClient, onPoint }: WhyProps) {
  const { reasons, state, clients, clientId } = document;
  const doubts = state === 'toCheck' ? reasons : [];
  const signals = signalsOf(document);
  const others = clients.filter((each) => each.clientId !== clientId);
  return (
    <div className={classes.why}>
      {doubts.length > 0 ? (
        <ul className={classes.doubts} aria-label="To check">
          {doubts.map((kind) => (
            <li key={kind}>
              <IconAlertTriangle size={15} aria-hidden />
              <span>{reasonWords(kind)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {signals.length > 0 ? (
        <section aria-label="What speaks for it">
          <Text className={classes.whyTitle ?? ''}>What speaks for it</Text>
          <ul className={classes.signals}>
            {signals.map((signal, nth) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: signals have nothing but their place
              <SignalLine key={nth} signal={signal} onPoint={onPoint} />
            ))}
          </ul>
        </section>
      ) : null}
      {others.length > 0 && onChooseClient ? (
        <section aria-label="Other clients it could be of">
          <Text className={classes.whyTitle ?? ''}>{clientId === null ? 'It could be of' : 'It could also be of'}</Text>
          <ul className={classes.others}>
            {others.slice(0, OTHERS_MAX).map((other) => (
              <li key={other.clientId}>
                <Button
                  variant="default"
                  size="xs"
                  className={classes.other ?? ''}
                  onClick={() => onChooseClient(other.clientId, other.clientName)}
                >
                  {other.clientName}
                </Button>
                <span className={classes.where}>{[...new Set(other.signals.map(signalName))].join(', ')}</span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  );
}

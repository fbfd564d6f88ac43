// Why a document is proposed as it is: what is doubtful, and what spoke for it.
import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { BatchFileRow, DocumentRow, Mark, Signal } from '#contract/batches.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { doubtsOf, reasonWords, signalName, signalsOf } from './document-words.ts';
import classes from './review.module.css';

export interface WhyProps {
  document: DocumentRow;
  file: BatchFileRow | undefined;
  /** Shows where a signal stands; null where nothing is marked. */
  onPoint: ((marks: readonly Mark[]) => void) | null;
}

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
      <span className={classes.signalKind}>{signalName(signal)}</span> <Breakable text={signal.text} />{' '}
      <span className={classes.where}>{where}</span>
    </>
  );
  return (
    <li>
      {where === '' || onPoint === null ? (
        <span className={classes.signal}>{words}</span>
      ) : (
        <button type="button" className={classes.signal} onClick={() => onPoint(signal.marks)}>
          {words}
        </button>
      )}
    </li>
  );
}

export function Why({ document, file, onPoint }: WhyProps) {
  const doubts = doubtsOf(document, file);
  const signals = signalsOf(document);
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
    </div>
  );
}

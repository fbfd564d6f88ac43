// What is done with all ticked documents together; it floats, so that no row moves when the first is ticked.
import { Button } from '@mantine/core';
import { formatCount } from '#web/lib/format.ts';
import { PhoneMenu } from '#web/ui/selection-bar.tsx';
import { tickedWords } from './batch-messages.ts';
import { isDecided } from './document-groups.ts';
import classes from './review.module.css';
import { acceptableOf } from './ticked-words.ts';
import { useKeyHint } from './use-key-hint.ts';
import type { Release } from './use-release.ts';
import type { Reviewing } from './use-reviewing.ts';
import type { Ticked } from './use-ticked.ts';

export interface TickedBarProps {
  ticked: Ticked;
  reviewing: Reviewing;
  release: Release;
}

export function TickedBar({ ticked, reviewing, release }: TickedBarProps) {
  const hint = useKeyHint();
  const { documents } = ticked;
  const { documents: acceptable, leftOut } = acceptableOf(documents);
  const droppable = documents.filter(({ state }) => state !== 'dropped').length;
  const decided = documents.filter(isDecided).length;
  const releasable = release.releasableOf(documents).length;
  return (
    <section aria-label="Ticked documents" className={classes.tickedBar}>
      <strong aria-live="polite">{tickedWords.ticked(documents.length)}</strong>
      <div className={classes.tickedActs}>
        <Button size="xs" onClick={reviewing.accept} disabled={acceptable.length === 0} {...hint('A', leftOut)}>
          Accept {formatCount(acceptable.length)}
        </Button>
        <PhoneMenu>
          <Button size="xs" variant="default" onClick={() => reviewing.set()} {...hint(['C', 'T', 'P'])}>
            Set Client, Type or Period
          </Button>
          <Button size="xs" variant="default" onClick={reviewing.drop} disabled={droppable === 0} {...hint('D')}>
            Drop {formatCount(droppable)}
          </Button>
          {decided === 0 ? null : (
            <Button size="xs" variant="default" onClick={reviewing.reopenTicked} {...hint('U')}>
              Back to Check {formatCount(decided)}
            </Button>
          )}
          {release.may ? (
            <Button size="xs" variant="default" onClick={reviewing.release} disabled={releasable === 0} {...hint('R')}>
              Release {formatCount(releasable)}
            </Button>
          ) : null}
        </PhoneMenu>
        <Button size="xs" variant="subtle" onClick={() => ticked.clear()} title="Esc">
          Clear
        </Button>
      </div>
      {leftOut === '' ? null : (
        <p className={classes.tickedNote}>
          {acceptable.length === 0 ? tickedWords.nothingToAccept(leftOut) : tickedWords.notAccepted(leftOut)}
        </p>
      )}
    </section>
  );
}

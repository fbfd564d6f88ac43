// The files that were dropped into a batch and did not come into it: named on its page for everybody who sees it.
import { IconAlertTriangle } from '@tabler/icons-react';
import { leftOutSentences } from '#contract/batch-words.ts';
import type { BatchDetails } from '#contract/batches.ts';
import { formatCount } from '#web/lib/format.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import classes from './batch.module.css';
import { leftOutWords } from './batch-messages.ts';

const SHOWN = 20;

export function LeftOutFiles({ batch, leftOut }: Pick<BatchDetails, 'batch' | 'leftOut'>) {
  if (batch.leftOut === 0) return null;
  const named = leftOut.slice(0, SHOWN);
  return (
    <section className={classes.leftOutFiles} aria-label={leftOutWords.list}>
      <p role="status">
        <IconAlertTriangle size={16} aria-hidden />
        <span>{leftOutWords.lead(batch.leftOut)}</span>
      </p>
      <ul>
        {named.map(({ name, reason }) => (
          <li key={`${name} ${reason}`}>
            <Breakable text={name} />: {leftOutSentences[reason]}
          </li>
        ))}
        {batch.leftOut > named.length ? <li>and {formatCount(batch.leftOut - named.length)} more</li> : null}
      </ul>
    </section>
  );
}

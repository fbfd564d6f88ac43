// The files that were dropped into a batch and did not come into it: they stay named on its page.
import { IconAlertTriangle } from '@tabler/icons-react';
import { readLeftOut } from '#web/data/unsent-files.ts';
import { leftOutWords } from '#web/lib/batch-messages.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import classes from './batch.module.css';

const SHOWN = 20;

export function LeftOutFiles({ batchId }: { batchId: number }) {
  const files = readLeftOut(batchId);
  if (files.length === 0) return null;
  return (
    <section className={classes.leftOutFiles} aria-label={leftOutWords.list}>
      <p role="status">
        <IconAlertTriangle size={16} aria-hidden />
        <span>{leftOutWords.lead(files.length)}</span>
      </p>
      <ul>
        {files.slice(0, SHOWN).map(({ name, reason }) => (
          <li key={`${name} ${reason}`}>
            <Breakable text={name} />: {reason}
          </li>
        ))}
        {files.length > SHOWN ? <li>and {files.length - SHOWN} more</li> : null}
      </ul>
    </section>
  );
}

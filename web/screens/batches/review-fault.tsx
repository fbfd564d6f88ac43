// What went wrong with a batch in review, and what to do about it.
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { RELEASING_ENDED } from '#contract/batch-words.ts';
import type { BatchRow } from '#contract/batches.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { startReading } from './fill-batch.ts';
import classes from './review.module.css';

/** A release that ended too early is ordered again with the button of the batch for it. */
export function ReviewFault({ batch }: { batch: BatchRow }) {
  const [starting, setStarting] = useState(false);
  const readAgain = async () => {
    setStarting(true);
    await startReading(batch.id);
    setStarting(false);
  };
  return (
    <div role="alert" className={classes.batchFault}>
      <IconAlertTriangle size={18} aria-hidden />
      <span>{batch.fault}</span>
      {batch.fault === RELEASING_ENDED ? null : (
        <BusyButton busy={starting} variant="default" size="xs" onClick={() => void readAgain()}>
          {starting ? 'Starting...' : 'Read Again'}
        </BusyButton>
      )}
    </div>
  );
}

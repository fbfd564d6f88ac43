// How far a release is, and what stops it.
import { Group, Progress } from '@mantine/core';
import { useState } from 'react';
import type { BatchRow } from '#contract/batches.ts';
import { refreshBatches } from '#web/data/batches.ts';
import { stopRelease } from '#web/data/stop-release.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { batchFailed } from './batch-messages.ts';
import { batchProgress } from './batch-state.tsx';
import { stoppedHere } from './release-end.ts';

/** Nothing where nothing is released. */
export function ReleaseProgress({ batch, mayStop }: { batch: BatchRow; mayStop: boolean }) {
  const [stopping, setStopping] = useState(false);
  const progress = batchProgress(batch);
  if (progress === null) return null;
  const stop = async () => {
    setStopping(true);
    stoppedHere.add(batch.id);
    try {
      await stopRelease(batch.id);
    } catch (error) {
      stoppedHere.delete(batch.id);
      toastFault(error, batchFailed.stopRelease);
      await refreshBatches();
    }
    setStopping(false);
  };
  return (
    <Group mb="md" gap="sm" wrap="nowrap">
      <Progress value={progress} flex={1} aria-label={`Progress of ${batch.name}`} />
      {mayStop ? (
        <BusyButton variant="default" size="xs" busy={stopping} onClick={() => void stop()}>
          {stopping ? 'Stopping...' : 'Stop'}
        </BusyButton>
      ) : null}
    </Group>
  );
}

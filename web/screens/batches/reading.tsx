// A batch that is being read, or whose reading has ended too early.
import { Button, Paper, Progress, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { BatchDetails } from '#contract/batches.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import classes from './batch.module.css';
import { BatchHead } from './batch-head.tsx';
import { filesDone } from './batch-messages.ts';
import { FileList } from './file-list.tsx';
import { startReading } from './fill-batch.ts';
import { useDiscard } from './use-discard.ts';

export function Reading({ batch, files, leftOut }: BatchDetails) {
  const discard = useDiscard(batch);
  const [starting, setStarting] = useState(false);
  const { fault, progress } = batch;
  const readAgain = async () => {
    setStarting(true);
    await startReading(batch.id);
    setStarting(false);
  };
  const readCount = files.filter(({ state }) => state !== 'waiting').length;
  return (
    <>
      <BatchHead batch={batch} leftOut={leftOut}>
        <Button variant="default" onClick={discard}>
          Discard
        </Button>
        {fault === null ? null : (
          <BusyButton busy={starting} onClick={() => void readAgain()}>
            {starting ? 'Starting...' : 'Read Again'}
          </BusyButton>
        )}
      </BatchHead>
      <Paper withBorder radius="md" className={classes.panel ?? ''}>
        {fault === null ? (
          <div className={classes.lead}>
            <Text role="status">{filesDone.read(readCount, files.length)}</Text>
            <Progress
              value={progress ?? 0}
              mt="xs"
              aria-label={`Progress of ${batch.name}`}
              animated={progress === null}
            />
          </div>
        ) : (
          <p role="alert" className={classes.fault}>
            <IconAlertTriangle size={18} aria-hidden />
            <span>{fault}</span>
          </p>
        )}
        <FileList files={files} batchId={batch.id} />
      </Paper>
    </>
  );
}

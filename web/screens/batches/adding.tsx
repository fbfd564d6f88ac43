// A batch that is being filled: what is in it, what is on its way, and more to add.

import { Button, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import type { BatchDetails } from '#contract/batches.ts';
import { missingFiles, useBatchUploads } from '#web/data/batch-uploads.ts';
import { formatCount } from '#web/lib/format.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { addingWords } from './adding-words.ts';
import classes from './batch.module.css';
import { BatchDrop, FilesButton } from './batch-drop.tsx';
import { BatchHead } from './batch-head.tsx';
import { unsentWords } from './batch-messages.ts';
import { FileList } from './file-list.tsx';
import { fillBatch, sendFiles, startReading } from './fill-batch.ts';
import { useDiscard } from './use-discard.ts';

const UNSENT_SHOWN = 20;

export function Adding({ batch, files, leftOut }: BatchDetails) {
  const { items, busy } = useBatchUploads(batch.id);
  const [starting, setStarting] = useState(false);
  const discard = useDiscard(batch);
  const sent = new Set(items.flatMap(({ state, fileId }) => (state === 'stored' && fileId !== null ? [fileId] : [])));
  const missing = missingFiles(batch.id);

  const start = async () => {
    setStarting(true);
    await startReading(batch.id);
    setStarting(false);
  };
  const retry = async () => {
    if (await sendFiles(batch.id)) await start();
  };

  return (
    <>
      <BatchHead batch={batch} leftOut={leftOut}>
        <Button variant="default" onClick={discard}>
          Discard
        </Button>
        <FilesButton variant="default" onFiles={(chosen) => void fillBatch(batch.id, chosen)}>
          Add Files
        </FilesButton>
        <FilesButton folder variant="default" onFiles={(chosen) => void fillBatch(batch.id, chosen)}>
          Add a Folder
        </FilesButton>
        <BusyButton busy={starting} disabled={busy || batch.files === 0} onClick={() => void start()}>
          {starting ? 'Starting...' : 'Read Files'}
        </BusyButton>
      </BatchHead>
      <Paper withBorder radius="md" className={classes.panel ?? ''}>
        <Text role="status" className={classes.lead ?? ''}>
          {addingWords({ items, busy, files: files.length, missing: missing.length })}
        </Text>
        {missing.length === 0 ? null : (
          <ul className={classes.unsent} aria-label={unsentWords.list}>
            {missing.slice(0, UNSENT_SHOWN).map((name, nth) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two files of a folder may have one name, and a row keeps nothing
              <li key={nth}>
                <Breakable text={name} />
              </li>
            ))}
            {missing.length > UNSENT_SHOWN ? <li>and {formatCount(missing.length - UNSENT_SHOWN)} more</li> : null}
          </ul>
        )}
        {files.length === 0 && items.length === 0 ? null : (
          <FileList
            files={files.filter(({ id }) => !sent.has(id))}
            uploads={items}
            batchId={batch.id}
            onRetry={busy ? undefined : () => void retry()}
          />
        )}
      </Paper>
      <BatchDrop onFiles={(dropped) => void fillBatch(batch.id, dropped)} />
    </>
  );
}

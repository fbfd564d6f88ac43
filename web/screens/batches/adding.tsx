// A batch that is being filled: what is in it, what is on its way, and more to add.

import { Button, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import type { BatchDetails } from '#contract/batches.ts';
import { counted } from '#contract/plain-words.ts';
import { useBatchUploads } from '#web/data/batch-uploads.ts';
import { readUnsent } from '#web/data/unsent-files.ts';
import { formatCount } from '#web/lib/format.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import classes from './batch.module.css';
import { BatchDrop, FilesButton } from './batch-drop.tsx';
import { BatchHead } from './batch-head.tsx';
import { batchEmpty, filesDone, unsentWords } from './batch-messages.ts';
import { FileList } from './file-list.tsx';
import { fillBatch, sendFiles, startReading } from './fill-batch.ts';
import { useDiscard } from './use-discard.ts';

const UNSENT_SHOWN = 20;

export function Adding({ batch, files, leftOut }: BatchDetails) {
  const { items, busy } = useBatchUploads(batch.id);
  const [starting, setStarting] = useState(false);
  const discard = useDiscard(batch);
  const toSend = items.filter(({ state }) => state !== 'leftOut');
  const stored = toSend.filter(({ fileId, opened }) => fileId !== null || opened !== null).length;
  const sent = new Set(items.flatMap(({ state, fileId }) => (state === 'stored' && fileId !== null ? [fileId] : [])));
  const failedCount = items.filter(({ state }) => state === 'failed').length;

  // Of before a reload: what was dropped since is in the list.
  const unsent = items.length === 0 ? readUnsent(batch.id) : null;

  const start = async () => {
    setStarting(true);
    await startReading(batch.id);
    setStarting(false);
  };
  const retry = async () => {
    if (await sendFiles(batch.id)) await start();
  };

  let words = 'These files are here and have not been read yet. Add what is missing: the same bytes are stored once.';
  if (busy) words = filesDone.sent(stored, toSend.length);
  else if (failedCount > 0) {
    words = `${counted(failedCount, 'file')} could not be sent. Try again, or read those that are here.`;
  } else if (unsent !== null) words = unsentWords.lead(unsent.total - unsent.names.length, unsent.total);
  const isEmpty = files.length === 0 && items.length === 0;
  if (isEmpty && unsent === null) words = batchEmpty.files;
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
          {words}
        </Text>
        {unsent === null ? null : (
          <ul className={classes.unsent} aria-label={unsentWords.list}>
            {unsent.names.slice(0, UNSENT_SHOWN).map((name, nth) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two files of a folder may have one name, and the list never changes
              <li key={nth}>
                <Breakable text={name} />
              </li>
            ))}
            {unsent.names.length > UNSENT_SHOWN ? (
              <li>and {formatCount(unsent.names.length - UNSENT_SHOWN)} more</li>
            ) : null}
          </ul>
        )}
        {isEmpty ? null : (
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

// The files of a batch: those that are in it, and those on their way.
import { Button, Progress } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { leftOutSentences, unreadableSentences } from '#contract/batch-words.ts';
import type { BatchFileRow } from '#contract/batches.ts';
import { type BatchUpload, removeBatchUpload } from '#web/data/batch-uploads.ts';
import { formatCount, formatMegabytes } from '#web/lib/format.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import classes from './batch.module.css';
import { batchFacts } from './batch-messages.ts';

function fileFacts({ state, unreadable, pages, size }: BatchFileRow): string {
  if (unreadable !== null) return unreadableSentences[unreadable];
  const parts = [formatMegabytes(size)];
  if (pages !== null && pages > 0) parts.push(pages === 1 ? '1 page' : `${formatCount(pages)} pages`);
  if (state === 'read') parts.push('read');
  return parts.join(' · ');
}

function uploadFacts({ state, sizeBytes, sentShare, reason, leftOut, opened }: BatchUpload): string {
  switch (state) {
    case 'failed':
      return reason ?? '';
    case 'alreadyThere':
      return batchFacts.alreadyThere;
    case 'leftOut':
      return leftOutSentences[leftOut ?? 'empty'];
    case 'sending':
      return sentShare < 1 ? `${formatMegabytes(sizeBytes)} · ${Math.floor(sentShare * 100)}%` : 'Storing...';
    case 'opened':
      return opened === null ? '' : batchFacts.opened(opened.taken.length, opened.alreadyThere.length);
    case 'stored':
      return formatMegabytes(sizeBytes);
    case 'waiting':
      return `${formatMegabytes(sizeBytes)} · waiting`;
  }
}

export interface FileListProps {
  files: readonly BatchFileRow[];
  /** What was chosen in this tab and is not among them. */
  uploads?: readonly BatchUpload[];
  batchId: number;
  /** Sends again what has failed; undefined while something is being sent. */
  onRetry?: (() => void) | undefined;
}

export function FileList({ files, uploads = [], batchId, onRetry }: FileListProps) {
  return (
    <ul className={classes.files} aria-label="Files">
      {uploads.map((item) => (
        <li key={`upload-${item.id}`} data-failed={item.state === 'failed' || undefined}>
          <div className={classes.fileWords}>
            <Breakable text={item.name} />
            <p className={classes.fileFacts}>{uploadFacts(item)}</p>
            {item.state === 'sending' ? (
              <Progress value={item.sentShare * 100} size={4} mt={4} aria-label={`Sending ${item.name}`} />
            ) : null}
          </div>
          {item.state === 'failed' && onRetry ? (
            <Button variant="default" size="xs" onClick={onRetry} aria-label={`Retry ${item.name}`}>
              Retry
            </Button>
          ) : null}
          {['failed', 'alreadyThere', 'opened'].includes(item.state) ? (
            <IconButton
              label={`Remove ${item.name}`}
              tip="Remove"
              icon={<IconX size={16} aria-hidden />}
              onClick={() => removeBatchUpload(batchId, item.id)}
            />
          ) : null}
        </li>
      ))}
      {files.map((file) => (
        <li key={file.id} data-failed={file.state === 'unreadable' || undefined}>
          <div className={classes.fileWords}>
            <Breakable text={file.name} />
            <p className={classes.fileFacts}>{fileFacts(file)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

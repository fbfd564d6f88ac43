// What a batch is in the middle of, as a badge with how far it is.
import { Badge, Progress, Stack } from '@mantine/core';
import { batchStateNames } from '#contract/batch-words.ts';
import type { BatchRow } from '#contract/batches.ts';
import { formatCount } from '#web/lib/format.ts';

/** 'Releasing' is no state of its own on the server: a batch is in review meanwhile. */
export function batchStateWords({ state, fault, releasing }: BatchRow): string {
  if (fault !== null) return 'Reading failed';
  return releasing > 0 ? 'Releasing' : batchStateNames[state];
}

/** Per cent; null where none is known, or nothing goes on. */
export function batchProgress({ state, fault, progress, releasing, released }: BatchRow): number | null {
  if (releasing > 0) return Math.round((100 * released) / (released + releasing));
  return state === 'reading' && fault === null ? progress : null;
}

export function BatchState({ batch }: { batch: BatchRow }) {
  const progress = batchProgress(batch);
  return (
    <Stack gap={4} align="flex-start">
      <Badge miw="max-content">{batchStateWords(batch)}</Badge>
      {progress === null ? null : (
        <Progress value={progress} size="sm" w={90} aria-label={`Progress of ${batch.name}`} />
      )}
    </Stack>
  );
}

const parts: readonly (readonly [
  key: 'toCheck' | 'ready' | 'accepted' | 'releasing' | 'released' | 'recalled',
  words: string,
])[] = [
  ['toCheck', 'to check'],
  ['ready', 'ready'],
  ['accepted', 'accepted'],
  ['releasing', 'releasing'],
  ['released', 'released'],
  ['recalled', 'recalled'],
];

/** '3 to check · 12 ready'; empty before there are any. */
export const documentWords = (batch: BatchRow) =>
  parts.flatMap(([key, words]) => (batch[key] > 0 ? [`${formatCount(batch[key])} ${words}`] : [])).join(' · ');

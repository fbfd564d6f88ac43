// What a batch is in the middle of, as a badge with how far it is.
import { Badge, Progress, Stack } from '@mantine/core';
import { batchStateNames, isReleasingEnded } from '#contract/batch-words.ts';
import type { BatchRow } from '#contract/batches.ts';
import { formatCount } from '#web/lib/format.ts';

/** 'Releasing' is no state of its own on the server: a batch is in review meanwhile. */
export function batchStateWords({ state, fault, releasing }: BatchRow): string {
  if (fault !== null) return isReleasingEnded(fault) ? 'Releasing failed' : 'Reading failed';
  return releasing > 0 ? 'Releasing' : batchStateNames[state];
}

/** Per cent; null where none is known, or nothing goes on. */
export function batchProgress({ state, fault, progress, releasing, released }: BatchRow): number | null {
  if (isReleasingEnded(fault)) return null;
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

/** Those that wait for a decision are one number here: on its page they are in groups by what is wrong with them. */
const parts: readonly (readonly [
  key: 'toDecide' | 'accepted' | 'releasing' | 'released' | 'recalled',
  words: string,
])[] = [
  ['toDecide', 'to review'],
  ['accepted', 'accepted'],
  ['releasing', 'releasing'],
  ['released', 'released'],
  ['recalled', 'recalled'],
];

/** '15 to review · 12 accepted'; empty before there are any. */
export function documentWords(batch: BatchRow): string {
  const counts = { ...batch, toDecide: batch.toCheck + batch.ready };
  return parts.flatMap(([key, words]) => (counts[key] > 0 ? [`${formatCount(counts[key])} ${words}`] : [])).join(' · ');
}

/** '14', or '12 of 14' where some of those dropped did not come into the batch. */
export function fileCounts({ files, leftOut }: BatchRow): string {
  return leftOut === 0 ? formatCount(files) : `${formatCount(files)} of ${formatCount(files + leftOut)}`;
}

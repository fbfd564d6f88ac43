// The files in whose pages words stand, below a list: its code loads with the first words, since most visits search for none.
import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { FileMatching } from '#contract/files.ts';
import { failed } from '#web/lib/messages.ts';
import { toast } from '#web/ui/toast.tsx';

/** One letter stands on nearly every page. */
const SHORTEST = 2;

const Found = lazy(() =>
  import('./inside-documents.tsx').then(
    ({ InsideDocuments: loaded }) => ({ default: loaded }),
    () => {
      toast.error(failed.loadPart);
      return { default: () => null };
    },
  ),
);

/** `filters` are those of the list, with its words. */
export function InsideDocuments({ filters }: { filters: FileMatching }) {
  if ((filters.q ?? '').trim().length < SHORTEST) return null;
  return (
    <Suspense fallback={<Skeleton height={44} />}>
      <Found filters={filters} />
    </Suspense>
  );
}

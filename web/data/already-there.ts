// What is stored already under the name and at the place of files that are about to be uploaded.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ALREADY_THERE_MAX } from '#contract/file-kinds.ts';
import type { AlreadyThereRequest, FileRow } from '#contract/files.ts';
import { call } from '#web/lib/api.ts';
import { saidName } from '#web/lib/said-name.ts';
import { hashOfUpload } from './uploads.ts';

export type PlannedUpload = AlreadyThereRequest['files'][number];

export interface FoundThere {
  readonly file: FileRow;
  /** Whether the bytes are the same; unknown where they could not be compared. */
  readonly content: 'same' | 'other' | 'unknown';
}

/** A file of the list at a place: another place is another question. */
export const plannedKey = (id: string, planned: PlannedUpload) => JSON.stringify([id, planned]);

async function compare(id: string, { size }: PlannedUpload, file: FileRow): Promise<FoundThere> {
  if (file.size !== size) return { file, content: 'other' };
  const hash = await hashOfUpload(id);
  return { file, content: hash === null ? 'unknown' : hash === file.sha256 ? 'same' : 'other' };
}

/** What is there, by `plannedKey`; only files of the same size are read to compare their bytes. */
export function alreadyThereQuery(all: readonly { readonly id: string; readonly planned: PlannedUpload }[]) {
  return queryOptions({
    queryKey: ['files', 'already-there', all],
    queryFn: async ({ signal }) => {
      const there: Record<string, FoundThere> = {};
      for (let from = 0; from < all.length; from += ALREADY_THERE_MAX) {
        const asked = all.slice(from, from + ALREADY_THERE_MAX);
        // One name that is refused would leave all of them unasked.
        const files = asked.map(({ planned }) => ({ ...planned, name: saidName(planned.name) || 'file' }));
        const { found } = await call('files.already-there', { body: { files } }, { signal });
        for (const { nth, file } of found) {
          const one = asked[nth];
          if (one) there[plannedKey(one.id, one.planned)] = await compare(one.id, one.planned, file);
        }
      }
      return there;
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    // Nobody waits for an answer that does not come: the files are sent, and none is replaced.
    retry: false,
    enabled: all.length > 0,
  });
}

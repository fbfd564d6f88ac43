// What an archive is ordered of.
import { z } from 'zod';
import { Id, TimeZone } from './fields.ts';
import { ARCHIVE_FILES_MAX, atMost, PREPARED_FILES_MAX } from './file-kinds.ts';
import { FileMatching, NOTHING_SELECTED } from './files.ts';

/** The files of at most `most` ids, or all that a list shows. */
const chosenFiles = (most: number) =>
  z
    .strictObject({
      ids: z.array(Id, { error: NOTHING_SELECTED }).min(1, NOTHING_SELECTED).max(most, atMost(most)).optional(),
      matching: FileMatching.optional(),
      /** Of the moments in the manifest, and of the day in the name. */
      timeZone: TimeZone.optional(),
    })
    .refine(({ ids, matching }) => (ids === undefined) !== (matching === undefined), {
      path: ['ids'],
      error: NOTHING_SELECTED,
    });

/** What one answer holds as a ZIP. */
export const ArchiveRequest = chosenFiles(ARCHIVE_FILES_MAX);
export type ArchiveRequest = z.infer<typeof ArchiveRequest>;

/** What a ZIP is prepared of in the background: what a list shows is read when that begins. */
export const ArchiveOrder = chosenFiles(PREPARED_FILES_MAX);
export type ArchiveOrder = z.infer<typeof ArchiveOrder>;

// Earlier versions of a file: those that another one took the place of.
import { z } from 'zod';
import { Id, Instant } from './fields.ts';

/** More earlier versions than this are counted and not shown. */
export const VERSIONS_SHOWN_MAX = 100;

/** Of those who opened one, as many are named. */
export const OPENERS_NAMED_MAX = 3;

/** A file that another one took the place of. It opens and downloads by its own id. */
export const FileVersion = z.object({
  id: Id,
  /** From 1, the first there was. */
  nth: z.int(),
  originalName: z.string(),
  size: z.int(),
  contentType: z.string(),
  uploadedAt: Instant,
  uploaderName: z.string(),
  replacedAt: Instant,
  replacedByName: z.string(),
  /** Null where nobody said. */
  because: z.string().nullable(),
  /**
   * By how many people of the client that it was filed with then, its uploader aside, the last of them by name, and when that was; null
   * where the viewer does not read that. Those of a client out of reach are counted alone.
   */
  opened: z
    .object({
      people: z.int(),
      latest: z.array(
        z.object({
          name: z.string(),
          /** Their account was deleted. */
          isGone: z.boolean(),
        }),
      ),
      at: Instant.nullable(),
    })
    .nullable(),
  /** Whether the viewer may put it back. */
  mayPutBack: z.boolean(),
});
export type FileVersion = z.infer<typeof FileVersion>;

/** The newest first. */
export const FileVersions = z.object({ rows: z.array(FileVersion), total: z.int() });
export type FileVersions = z.infer<typeof FileVersions>;

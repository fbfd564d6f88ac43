// The trash: deleted files and clients, which can be restored until they are purged.
import { z } from 'zod';
import { DayOrInstant, Id, IdText, Instant, pageQuery, sortQuery, TimeZone } from './fields.ts';
import { FILE_TYPES } from './file-kinds.ts';
import { TRASH_KINDS, TRASH_NOUNS } from './trash-kinds.ts';

export const TrashRow = z.object({
  kind: z.enum(TRASH_KINDS),
  /** The id that the file or client had, and has again once it is restored. */
  id: Id,
  name: z.string(),
  /** Null for a client. */
  fileType: z.enum(FILE_TYPES).nullable(),
  /** A client's own id and name, too. */
  clientId: Id,
  clientName: z.string(),
  /** The client is in the trash too: it is restored first. */
  clientInTrash: z.boolean(),
  /** What went with a client; null for a file, and where that is not for the viewer to know. */
  files: z.int().nullable(),
  users: z.int().nullable(),
  deletedAt: Instant,
  deletedByName: z.string(),
  /** It stays past that day: it, its client or, of a client, one of its files is on hold. */
  onHold: z.boolean(),
  /** Until then it can be restored. */
  goneAt: Instant,
});
export type TrashRow = z.infer<typeof TrashRow>;

export const TrashQuery = z.strictObject({
  ...pageQuery,
  noun: z.enum(TRASH_NOUNS).optional(),
  deletedById: IdText.optional(),
  /** When it was deleted. */
  startDate: DayOrInstant.optional(),
  endDate: DayOrInstant.optional(),
  timeZone: TimeZone.optional(),
  sort: sortQuery(['name', 'client', 'deleted', 'deletedBy', 'gone']),
});
export type TrashQuery = z.infer<typeof TrashQuery>;

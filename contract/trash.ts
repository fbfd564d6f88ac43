// The trash: deleted files and clients, which can be restored until they are purged.
import { z } from 'zod';
import { ClientInput, ClientRow } from './clients.ts';
import { DayOrInstant, Id, IdText, Instant, pageQuery, sortQuery, TimeZone } from './fields.ts';
import { FILE_TYPES } from './file-kinds.ts';
import { TRASH_KINDS, TRASH_NOUNS } from './trash-kinds.ts';
import { personNames } from './users.ts';

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
  /** A hold is on it itself; null for a Client user, who is told no more than `onHold`. */
  ownHold: z.boolean().nullable(),
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

export const NO_VERSION = 'Only where an earlier version is put back';
export const GOES_WHERE_NEWEST_IS = 'An earlier version comes back where the newest file is';

/** What becomes of the file that had taken the place of an earlier version which is put back. */
const NEWER_FILE_FATES = ['keep', 'trash'] as const;
export type NewerFileFate = (typeof NEWER_FILE_FATES)[number];

/** Where a file goes that does not fit any more where it was. What is left out stays. */
export const FileRestore = z.strictObject({
  clientId: Id.optional(),
  /** Of a report; null for none. */
  reportTypeId: Id.nullable().optional(),
  /** Of an earlier version: whether the newest file stays beside it, as it does unless said, or goes to the trash. */
  newer: z.enum(NEWER_FILE_FATES, { error: 'Must be keep or trash' }).optional(),
});
export type FileRestore = z.infer<typeof FileRestore>;

/** More people than a client has. */
const PEOPLE_MAX = 200;

/** What a client and its people are called from now on, whose names were given to others meanwhile. What is left out stays. */
export const ClientRestore = z.strictObject({
  name: ClientInput.shape.name.optional(),
  people: z
    .array(
      z.strictObject({
        id: Id,
        username: personNames.username.optional(),
        fullName: personNames.fullName.optional(),
      }),
      { error: 'Must be a list of people' },
    )
    .max(PEOPLE_MAX, `Please rename at most ${PEOPLE_MAX} people`)
    .optional(),
});
export type ClientRestore = z.infer<typeof ClientRestore>;

/** A client that came out of the trash. */
export const RestoredClient = ClientRow.extend({
  /** How many of its reports came back without a type, since theirs was deleted meanwhile; null where that is not for the viewer to know. */
  withoutType: z.int().nullable(),
});
export type RestoredClient = z.infer<typeof RestoredClient>;

/** How a refusal names the field of a person: `people.17.username`. */
export const personField = (id: number, name: 'username' | 'fullName') => `people.${id}.${name}`;

// The activity log and the overview that opens on it.
import { z } from 'zod';
import { ACCESS_ACTIONS, ACTIVITY_ACTIONS, type AccessAction } from './activity-words.ts';
import { DayOrInstant, Id, IdText, Instant, longPageQuery, sortQuery, storedTextLine, TimeZone } from './fields.ts';
import { FileRow } from './files.ts';

export const ActivityRow = z.object({
  id: Id,
  action: z.enum(ACTIVITY_ACTIONS),
  fileId: Id.nullable(),
  fileName: z.string().nullable(),
  /** Whether the file still exists and the viewer reaches it now: entries outlive files and access. */
  fileOpens: z.boolean(),
  /** A view or download that a browser announced and for which no byte was sent so far. */
  announcedOnly: z.boolean(),
  details: z.string().nullable(),
  userId: Id.nullable(),
  userName: z.string(),
  clientId: Id.nullable(),
  clientName: z.string().nullable(),
  timestamp: Instant,
});
export type ActivityRow = z.infer<typeof ActivityRow>;

export const ActivityQuery = z.strictObject({
  ...longPageQuery,
  action: z.enum(ACTIVITY_ACTIONS).optional(),
  userId: IdText.optional(),
  clientId: IdText.optional(),
  fileId: IdText.optional(),
  startDate: DayOrInstant.optional(),
  endDate: DayOrInstant.optional(),
  timeZone: TimeZone.optional(),
  sort: sortQuery(['timestamp']),
});
export type ActivityQuery = z.infer<typeof ActivityQuery>;

/** The list that an export holds: all its pages. */
export const ActivityExportQuery = ActivityQuery.omit({ limit: true, offset: true });
export type ActivityExportQuery = z.infer<typeof ActivityExportQuery>;

/** What the browser says before it opens a file. The server itself decides who, when and which client. */
export const AccessAnnouncement = z.strictObject({
  action: z.enum(ACCESS_ACTIONS, { error: 'Action must be view or download' }),
  fileId: Id,
  details: storedTextLine({ min: 0, max: 500, message: 'Details must be text' }).optional(),
  clientId: Id.nullish(),
});
export type AccessAnnouncement = z.infer<typeof AccessAnnouncement>;

/** The same for an access that was announced, until bytes are sent. */
export const announcedDetails: Record<AccessAction, (name: string) => string> = {
  view: (name) => `Asked to view, nothing was sent: ${name}`,
  download: (name) => `Asked to download, nothing was sent: ${name}`,
};

/** How the portal is backed up. */
export const BackupFacts = z.object({
  /** The last one that there is; null where none has ended yet. */
  last: z
    .object({ endedAt: z.iso.datetime(), files: z.int(), sizeBytes: z.int(), damaged: z.int(), place: z.string() })
    .nullable(),
  /** Why the one that was tried after it came to none. */
  fault: z.string().nullable(),
  /** What failed once the last one was made, such as the removal of older ones. */
  faultAfter: z.string().nullable(),
  /** Whether the portal makes one each day by itself. */
  isDaily: z.boolean(),
  /** The last one is older than two days where one is made each day, and than a week elsewhere; or none was made in the two days since the firm is there. */
  isOld: z.boolean(),
});
export type BackupFacts = z.infer<typeof BackupFacts>;

export const Overview = z.object({
  /** `users` is null for who does not see all of them: their own account is no number of users. */
  totals: z.object({ clients: z.int(), users: z.int().nullable(), files: z.int(), activity: z.int() }),
  /** The latest acts, each as the entry that says what was done; the log has the others that it wrote. */
  recentActivity: z.array(
    ActivityRow.extend({
      /** How many further entries the same act wrote, such as one for each client granted to a new user: `ACT_ENTRIES_MAX` less one, or more. */
      alsoWrote: z.int(),
      /** How many of them are about other files of the same batch, which was released or recalled. */
      alsoOfBatch: z.int(),
    }),
  ),
  recentUploads: z.array(FileRow),
  /** For those who look after the portal: how it is backed up. Null for all others, and where nothing says that it is to be. */
  backup: BackupFacts.nullable(),
});
export type Overview = z.infer<typeof Overview>;

// The activity log and the overview that opens on it.
import { z } from 'zod';
import { DayOrInstant, Id, IdText, Instant, longPageQuery, sortQuery, storedTextLine, TimeZone } from './fields.ts';
import { FileRow } from './files.ts';

export const ACTIVITY_ACTIONS = ['upload', 'download', 'view', 'delete', 'update'] as const;
export type ActivityAction = (typeof ACTIVITY_ACTIONS)[number];

/** The log's labels for its actions (docs/behaviour.md, Activity: entries). */
export const activityLabels: Record<ActivityAction, string> = {
  upload: 'Uploaded',
  download: 'Downloaded',
  view: 'Viewed',
  delete: 'Deleted',
  update: 'Updated',
};

/** The log's label for an entry. */
export function activityLabel({ action, announcedOnly }: Pick<ActivityRow, 'action' | 'announcedOnly'>): string {
  return announcedOnly ? 'Announced' : activityLabels[action];
}

/** The two actions a browser announces before it opens a file; the server records the rest itself. */
export const ACCESS_ACTIONS = ['view', 'download'] as const satisfies readonly ActivityAction[];
export type AccessAction = (typeof ACCESS_ACTIONS)[number];

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

/** The details of an access in the log; `name` is the file's original name. */
export const accessDetails: Record<AccessAction, (name: string) => string> = {
  view: (name) => `Viewed file: ${name}`,
  download: (name) => `Downloaded file: ${name}`,
};

/** The same for an access that was announced, until bytes are sent. */
export const announcedDetails: Record<AccessAction, (name: string) => string> = {
  view: (name) => `Announced a view, nothing was sent: ${name}`,
  download: (name) => `Announced a download, nothing was sent: ${name}`,
};

export const Overview = z.object({
  totals: z.object({ clients: z.int(), users: z.int(), files: z.int(), activity: z.int() }),
  recentActivity: z.array(ActivityRow),
  recentUploads: z.array(FileRow),
});
export type Overview = z.infer<typeof Overview>;

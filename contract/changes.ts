// What the server tells those who look at lists: which of them changed, and which files came.
import { z } from 'zod';
import { Id } from './fields.ts';
import { FILE_TYPES } from './file-kinds.ts';

/** The lists that hear of changes. */
const CHANGE_TOPICS = ['files', 'activity', 'clients', 'users', 'roles', 'reportTypes', 'batches', 'requests'] as const;
export type ChangeTopic = (typeof CHANGE_TOPICS)[number];

/** The most files that one message names; of more it says how many. */
export const NAMED_FILES_MAX = 50;

const topics = z.array(z.enum(CHANGE_TOPICS));

/** A file that others sent, changed or took away, and where it is or was filed within the viewer's reach. */
export const ChangedFile = z.object({
  id: Id,
  kind: z.enum(['added', 'changed', 'removed']),
  clientId: Id,
  fileType: z.enum(FILE_TYPES),
  reportTypeId: Id.nullable(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

/** What changed within the viewer's reach since the last message. What a release of one's own makes counts as made by others. */
export const ChangeMessage = z.object({
  files: z.array(ChangedFile),
  /** How many more than are named; all of a client's at one place, as where it is put on hold, are one. */
  moreFiles: z.int(),
  /** How many entries came into the log, without one's own. */
  newEntries: z.int(),
  /** The lists that others changed. */
  changed: topics,
  /** The lists that one changed oneself, here or elsewhere. */
  ownChanged: topics,
  /** The clients that others made, changed, deleted or restored, each with whether it is there now. */
  clients: z.array(z.object({ id: Id, isThere: z.boolean() })),
  /** The roles that others made, changed or deleted, each by the name it has now; null where it is gone. */
  roles: z.array(z.object({ id: Id, name: z.string().nullable() })),
});
export type ChangeMessage = z.infer<typeof ChangeMessage>;

/** From which message on a stream goes on, as its `Last-Event-ID` says. */
export const LAST_EVENT_ID_MAX = 60;

/** The kinds of messages. After `reset` everything may have changed, rights too; `used` says that the session was used since, by whatever. */
export type ChangeEventName = 'ready' | 'change' | 'reset' | 'used';

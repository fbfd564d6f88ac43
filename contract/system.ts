// How the portal itself fares, for those who look after it: facts, and what is wrong in plain words.
import { z } from 'zod';
import { BackupFacts } from './activity.ts';
import { Id, Instant } from './fields.ts';
import { MailFacts } from './mail.ts';
import { STORED_KINDS } from './system-words.ts';

/** What is wrong, and what to do about it: a sentence each. */
const SystemWarning = z.object({
  about: z.enum(['database', 'store', 'jobs', 'backup', 'mail']),
  says: z.string(),
  toDo: z.string(),
});
export type SystemWarning = z.infer<typeof SystemWarning>;

export const SystemFacts = z.object({
  version: z.string(),
  database: z.object({
    engine: z.enum(['SQLite', 'PostgreSQL']),
    /** A file, or server and name; without credentials. */
    place: z.string(),
    sizeBytes: z.int(),
    /** Where the file is; null for a server of its own. */
    freeBytes: z.int().nullable(),
  }),
  store: z.object({
    /** A folder, or a bucket. */
    place: z.string(),
    files: z.int(),
    sizeBytes: z.int(),
    /** Null for a bucket. */
    freeBytes: z.int().nullable(),
    /** Files whose bytes are missing or are not those that were stored, as far as is known. */
    damaged: z.int(),
    /** The first of them, those that are files of clients before all others. */
    damagedFiles: z.array(
      z.object({
        kind: z.enum(STORED_KINDS),
        /** Of the file; of a file of a batch its own; of a ZIP that of its order. */
        id: Id,
        name: z.string(),
        /** The name of the client, or of the batch; null for a ZIP. */
        of: z.string().nullable(),
      }),
    ),
    /** In so many days each file is read again (SCRUB_DAYS); null where none is. */
    rereadDays: z.int().nullable(),
    /** Whether it takes bytes now. */
    answers: z.boolean(),
  }),
  jobs: z.object({
    /** Due, and not begun. */
    due: z.int(),
    /** Since when the one that has waited longest is due; null where none is. */
    dueSince: Instant.nullable(),
    /** By a process that lives. */
    running: z.int(),
    /** Within the last three days, and not run again. */
    failed: z.int(),
  }),
  backup: BackupFacts.nullable(),
  mail: MailFacts,
  warnings: z.array(SystemWarning),
});
export type SystemFacts = z.infer<typeof SystemFacts>;

// The tables of what happened: both logs, the changes of the last hours, opened files, backups.
import type { ColumnType, Generated } from 'kysely';
import type { ActivityAction } from '#contract/activity-words.ts';
import type { ChangeTopic } from '#contract/changes.ts';
import type { SecurityEventKind, SecurityTopic } from '#contract/security-events.ts';
import type { Computed, Fixed } from './columns.ts';

/** The log stores ids and names without foreign keys, so that it outlives what it describes. */
interface ActivityTable {
  id: Generated<number>;
  action: Fixed<ActivityAction>;
  file_id: Fixed<number | null>;
  file_name: Fixed<string | null>;
  details: ColumnType<string | null, string | null, string>;
  user_id: Fixed<number | null>;
  user_name: Fixed<string>;
  client_id: Fixed<number | null>;
  client_name: Fixed<string | null>;
  /** Details, file, user and client as they are searched, one a line. */
  search_text: string;
  at: Fixed<number>;
  /** When the browser said it would open the file, and when the server served it: one access, one entry. */
  announced_at: number | null;
  served_at: number | null;
}

/** How many log entries are about a user (0: none) and a client (0: none). */
interface ActivityCountTable {
  user_id: Fixed<number>;
  client_id: Fixed<number>;
  action: Fixed<ActivityAction>;
  n: number;
}

/** Account events. Ids and names have no foreign keys, so that the log outlives what it describes. */
interface SecurityEventTable {
  id: Generated<number>;
  at: Fixed<number>;
  /** How often within an hour, for refusals, and when last; `at` is the first time. */
  times: Generated<number>;
  repeated_at: number | null;
  last_at: Computed<number>;
  /** Of one account, kind, network and endpoint, for the hour in which repeats still join this entry; then null. */
  open_key: string | null;
  kind: Fixed<SecurityEventKind>;
  /** As `topicOf` says. */
  about: Computed<SecurityTopic>;
  /** Whose account; null where the name that was tried belongs to nobody. */
  user_id: Fixed<number | null>;
  username: Fixed<string | null>;
  /** Who did it; null where nobody is known. */
  actor_id: Fixed<number | null>;
  actor_name: Fixed<string | null>;
  /** Of the last time. */
  address: string | null;
  user_agent: string | null;
  detail: string | null;
}

/**
 * What changed in the last hours, one row a change. Triggers write it, whoever changes something: enough of a row to say who
 * reached it, also where it is gone. Of a first period they tell nothing, nor of holds, so whoever says one or puts one does (`tellOfFile`, `tellOfClient`).
 */
interface ChangeTable {
  /** Increasing by commit: on SQLite of the row, on PostgreSQL of its transaction. */
  position: Computed<number>;
  at: Computed<number>;
  topic: Computed<ChangeTopic>;
  kind: Computed<'added' | 'changed' | 'removed'>;
  file_id: Computed<number | null>;
  client_id: Computed<number | null>;
  /** As in `files`. */
  access_key: Computed<number | null>;
  owner_id: Computed<number | null>;
  user_id: Computed<number | null>;
  role_id: Computed<number | null>;
  report_type_id: Computed<number | null>;
}

/** Which files Client users have opened, and which documents of theirs staff have, as long as files are new (`server/audit/file-opens.ts`). */
interface FileOpenTable {
  file_id: Fixed<number>;
  user_id: Fixed<number>;
  at: Fixed<number>;
}

/** How each backup ended that was begun. */
interface BackupRunTable {
  id: Generated<number>;
  /** Where it was written: an address without credentials. */
  place: Fixed<string>;
  /** That of the backup; null where it came to none. */
  name: Fixed<string | null>;
  begun_at: Fixed<number>;
  ended_at: Fixed<number>;
  files: Fixed<number>;
  size_bytes: Fixed<number>;
  /** How many files were missing or damaged at the source already. */
  damaged: Fixed<number>;
  /** Why it came to none, in one line; null where it did. */
  fault: Fixed<string | null>;
}

export interface TablesOfAudit {
  activity: ActivityTable;
  activity_counts: ActivityCountTable;
  security_events: SecurityEventTable;
  changes: ChangeTable;
  file_opens: FileOpenTable;
  backup_runs: BackupRunTable;
}

// The tables of mail: mails on their way, and of what people hear how often.
import type { Generated } from 'kysely';
import type { DigestPace, DigestTopic } from '#contract/digest-words.ts';
import type { MailState } from '#contract/mail-states.ts';
import type { Fixed } from './columns.ts';

/** Mails on their way and those of the last thirty days. The person has no foreign key: the mail of a deleted one is dropped, and the list says so. */
interface MailTable {
  id: Generated<number>;
  kind: Fixed<string>;
  /** Whom it is written to, or who asked for it. */
  user_id: Fixed<number | null>;
  to_name: Fixed<string>;
  to_address: Fixed<string>;
  /** JSON, by the schema of its kind; no secret. */
  facts: Fixed<string>;
  /** What a link in it opens with, encrypted; null once it is sent. */
  sealed: string | null;
  message_id: Fixed<string>;
  state: MailState;
  /** How often it was begun. Also distinguishes the tries. */
  attempts: Generated<number>;
  due_at: number;
  /** Until when the process that sends it is believed to live. */
  claimed_until: number | null;
  /** When a try last said all but the dot that makes the server take it. */
  last_step_at: number | null;
  give_up_at: number;
  error: string | null;
  created_at: Fixed<number>;
  ended_at: number | null;
}

/** What people have chosen to hear of by mail: one row a person and topic. */
interface DigestChoiceTable {
  user_id: Fixed<number>;
  topic: Fixed<DigestTopic>;
  /** Null for somebody who has gone back to what is usual. */
  pace: DigestPace | null;
  chosen_at: number;
  /** What came until then was told before the choice, or was not to be. */
  told_until: number;
}

/** Until when there were digests, one row a pace. */
interface DigestRoundTable {
  pace: Fixed<DigestPace>;
  done_until: number;
}

/** When people were last reminded of a report that nobody of its client had opened. */
interface FileReminderTable {
  file_id: Fixed<number>;
  reminded_at: number;
}

export interface TablesOfMail {
  mails: MailTable;
  digest_choices: DigestChoiceTable;
  digest_rounds: DigestRoundTable;
  file_reminders: FileReminderTable;
}

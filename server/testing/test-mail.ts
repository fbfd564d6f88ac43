// A mail in the list that no process sends, for tests of those who read and manage the list.
import type { MailState } from '#contract/mail-states.ts';
import type { Database } from '../platform/db/database.ts';

export function insertTestMail(
  database: Database,
  { state, error = null }: { readonly state: MailState; readonly error?: string | null },
): Promise<{ id: number }> {
  const isOpen = state === 'waiting' || state === 'sending';
  return database.transaction((tx) =>
    tx
      .insertInto('mails')
      .values({
        kind: 'test',
        to_name: '',
        to_address: 'rosa@example.com',
        facts: '{"orderedBy":"Pat Example"}',
        message_id: '<1@example.com>',
        state,
        attempts: state === 'waiting' ? 0 : 1,
        due_at: 1,
        give_up_at: 1,
        created_at: 1,
        ended_at: isOpen ? null : 2,
        error,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
}

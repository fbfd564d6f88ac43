// What of a backup is not valid after a restore: whoever got hold of it meanwhile would otherwise be let in by it.
import type { Database } from '../platform/db/database.ts';
import { ended } from '../platform/jobs/job-table.ts';

const RESTORED = 'The portal was restored from a backup. This mail may have been sent after the backup was made.';

const NOT_DISPOSED =
  'The portal was restored from a backup. Put on hold again what was put on hold since it was made, before this goes on.';

const ENDED = [
  'view_tickets',
  'passkey_challenges',
  'sign_ins',
  'sessions',
  'password_links',
  // What is new is told from now on: the rest was most likely told since.
  'digest_rounds',
] as const;

/**
 * Ends sessions, sign-ins that are under way, tickets, and links by which a password is chosen. What waited to be mailed is not sent:
 * it was most likely sent since, and its link is worth nothing. Has every file looked at for its encryption again, because it may be
 * stored under an older key, and all waiting jobs handed over again; but a disposal waits until somebody says that it goes on, since
 * holds that were placed after the backup are gone. Done twice with the same `at` (ms since 1970), it is the same.
 */
export async function forgetWhatEnds(database: Database, at: number): Promise<void> {
  await database.transaction(async (tx) => {
    for (const table of ENDED) {
      await tx.deleteFrom(table).execute();
    }
    await tx.updateTable('invitations').set({ token_hash: null }).execute();
    await tx
      .updateTable('mails')
      .set({ state: 'dropped', sealed: null, claimed_until: null, error: RESTORED, ended_at: at })
      .where('state', 'in', ['waiting', 'sending'])
      .execute();
    // Of those that failed, whose secret is kept for another try.
    await tx.updateTable('mails').set({ sealed: null }).where('sealed', 'is not', null).execute();
    await tx.updateTable('blobs').set({ key_version: 0 }).where('key_version', '<>', 0).execute();
    await tx
      .updateTable('jobs')
      .set({ ...ended, state: 'failed', error: NOT_DISPOSED, ended_at: at })
      .where('kind', '=', 'retention.dispose')
      .where('state', 'in', ['waiting', 'running'])
      .execute();
    await tx.updateTable('jobs').set({ delivered_at: null }).where('state', '=', 'waiting').execute();
  });
}

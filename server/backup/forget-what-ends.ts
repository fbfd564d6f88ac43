// What of a backup is not valid after a restore: whoever got hold of it meanwhile would otherwise be let in by it.
import type { Database } from '../db/database.ts';

/**
 * Ends sessions, sign-ins that are under way, tickets and links of invitations. Has every file looked at for its encryption again,
 * because it may be stored under an older key, and all waiting jobs handed over again.
 */
export async function forgetWhatEnds(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    for (const table of ['view_tickets', 'passkey_challenges', 'sign_ins', 'sessions'] as const) {
      await tx.deleteFrom(table).execute();
    }
    await tx.updateTable('invitations').set({ token_hash: null }).execute();
    await tx.updateTable('blobs').set({ key_version: 0 }).where('key_version', '<>', 0).execute();
    await tx.updateTable('jobs').set({ delivered_at: null }).where('state', '=', 'waiting').execute();
  });
}

// The operator's way back in: a new password for a user, set beside a running server.
import { foldKey } from '#contract/fields.ts';
import type { Database } from './database.ts';
import { insertActivity } from './record.ts';

/** Sets a user's password and ends every session of the user, with its entry in the log; false when there is no such user. */
export async function resetPassword(
  database: Database,
  reset: { username: string; passwordHash: string; at: number },
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const user = await tx
      .updateTable('users')
      .set({ password_hash: reset.passwordHash })
      .where('username_key', '=', foldKey(reset.username))
      .returning(['id', 'username'])
      .executeTakeFirst();
    if (user === undefined) return false;
    await tx.deleteFrom('sessions').where('user_id', '=', user.id).execute();
    const entry = { action: 'update', details: `Password reset by the operator: ${user.username}` } as const;
    await insertActivity(tx, { id: 0, name: 'Operator' }, entry, reset.at);
    return true;
  });
}

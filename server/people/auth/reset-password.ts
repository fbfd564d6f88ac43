// What the operator can do next to a running server: set a new password for a user, or have a second factor set up again.

import { foldKey } from '#contract/fields.ts';
import { insertActivity } from '../../audit/record.ts';
import { OPERATOR } from '../../audit/security-events.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { recordAndTell } from '../../mail/tell.ts';
import type { Database } from '../../platform/db/database.ts';
import { endInvitation } from './invitations.ts';
import { removeSecondFactors, signOutEverywhere } from './sign-outs.ts';
import { forgetTriesAt, turnsOf } from './tries.ts';

/** Sets a user's password until the next sign-in, which asks for another one, clears the tries at it and ends every session of the user, with its entry in the log; false when there is no such user. */
export async function resetPassword(
  database: Database,
  outbox: Outbox,
  reset: { username: string; passwordHash: string; at: number },
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const user = await tx
      .updateTable('users')
      // Whoever runs the command has seen it.
      .set({ password_hash: reset.passwordHash, must_change_password: 1 })
      .where('username_key', '=', foldKey(reset.username))
      .returning(['id', 'username'])
      .executeTakeFirst();
    if (user === undefined) return false;
    await endInvitation(tx, user.id);
    await signOutEverywhere(tx, user.id);
    const entry = { action: 'update', details: `Password reset by the operator: ${user.username}` } as const;
    await insertActivity(tx, { id: 0, name: OPERATOR.name }, entry, reset.at);
    await recordAndTell(tx, outbox, { kind: 'password_reset', user, actor: OPERATOR, origin: null }, reset.at);
    await forgetTriesAt(turnsOf(database, tx), tx, user.id);
    return true;
  });
}

/** Removes a user's second factors, clears the tries at them and ends every session of the user; false when there is no such user. */
export async function resetSecondFactor(
  database: Database,
  outbox: Outbox,
  reset: { username: string; at: number },
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['id', 'username'])
      .where('username_key', '=', foldKey(reset.username))
      .executeTakeFirst();
    if (user === undefined) return false;
    await removeSecondFactors(tx, user.id);
    const entry = { action: 'update', details: `Second factor reset by the operator: ${user.username}` } as const;
    await insertActivity(tx, { id: 0, name: OPERATOR.name }, entry, reset.at);
    await recordAndTell(tx, outbox, { kind: 'second_factor_reset', user, actor: OPERATOR, origin: null }, reset.at);
    await forgetTriesAt(turnsOf(database, tx), tx, user.id);
    return true;
  });
}

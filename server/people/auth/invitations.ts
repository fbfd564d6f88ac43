// Links by which a person chooses a password, once: of invitations, for three days, and of forgotten passwords, for half an hour. Only the SHA-256 of their secrets is stored.
import type { Kysely } from 'kysely';
import { joinedDetails } from '#contract/activity-words.ts';
import { refuseFields } from '#contract/errors.ts';
import { INVITATION_MS } from '#contract/invitation.ts';
import { LINK_PURPOSES, type LinkPurpose } from '#contract/session.ts';
import { insertActivity } from '../../audit/record.ts';
import { type Origin, recordSecurityEvent } from '../../audit/security-events.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { recordAndTell } from '../../mail/tell.ts';
import { networkOf } from '../../platform/admission/network.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { isDuplicate } from '../../platform/db/violations.ts';
import { fingerprint } from '../../platform/secrets.ts';
import type { Attempt } from './attempts.ts';
import { lockUser } from './new-session.ts';
import { signOutEverywhere } from './sign-outs.ts';
import { forgetOwnTries, turnsOf } from './tries.ts';

const linkOf = (secret: string, at: number) => ({ token_hash: fingerprint(secret), expires_at: at + INVITATION_MS });

async function unlessGiven<Written>(writing: Promise<Written>): Promise<Written> {
  try {
    return await writing;
  } catch (error) {
    if (isDuplicate(error, 'token_hash')) throw refuseFields({ invitation: 'Please make another one' });
    throw error;
  }
}

/** Gives the user a link with this secret; one that there was is worthless from then on. */
export async function putInvitation(tx: Kysely<Schema>, userId: number, secret: string, at: number): Promise<void> {
  const link = linkOf(secret, at);
  await unlessGiven(
    tx
      .insertInto('invitations')
      .values({ user_id: userId, ...link })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(link))
      .execute(),
  );
}

/** The same for somebody who was invited before; false where nobody waits to join any more. */
export async function replaceInvitation(
  tx: Kysely<Schema>,
  userId: number,
  secret: string,
  at: number,
): Promise<boolean> {
  const { numUpdatedRows } = await unlessGiven(
    tx.updateTable('invitations').set(linkOf(secret, at)).where('user_id', '=', userId).executeTakeFirst(),
  );
  return numUpdatedRows === 1n;
}

/** Makes links worthless: whoever was invited stays without a password, and may be invited again. False where there was no invitation. */
export async function withdrawInvitation(tx: Kysely<Schema>, userId: number): Promise<boolean> {
  await tx.deleteFrom('password_links').where('user_id', '=', userId).execute();
  const { numUpdatedRows } = await tx
    .updateTable('invitations')
    .set({ token_hash: null })
    .where('user_id', '=', userId)
    .where('token_hash', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** For somebody who has a password from now on. */
export async function endInvitation(tx: Kysely<Schema>, userId: number): Promise<void> {
  await tx.deleteFrom('invitations').where('user_id', '=', userId).execute();
}

/** Under which name tries at secrets of links are counted: by network, so that nobody's guesses lock others out. No user name has a line break. */
export const invitationTriesOf = ({ address }: Origin): string => `invitation\n${networkOf(address)}`;

/** Under which name asking for links is counted, likewise. */
export const forgottenTriesOf = ({ address }: Origin): string => `forgotten\n${networkOf(address)}`;

export interface Invitation {
  readonly user: { readonly id: number; readonly username: string; readonly fullName: string };
  readonly expiresAt: number;
  readonly purpose: LinkPurpose;
}

export interface Invitations {
  /** The link with this secret, expired ones too; null where there is none, or none any more. */
  find(secret: string): Promise<Invitation | null>;
  /** Takes a try back that was at a real secret. */
  takeBack(attempt: Attempt): Promise<void>;
  /** Stores the password that was chosen, which uses the link up; false where it is worth nothing any more. Of several at once, one joins. */
  join(secret: string, passwordHash: string, origin: Origin): Promise<boolean>;
}

const TABLES = { joining: 'invitations', 'new-password': 'password_links' } as const;

export function openInvitations(database: Database, now: () => number, outbox: Outbox): Invitations {
  async function find(db: Kysely<Schema>, secret: string): Promise<Invitation | null> {
    const hash = fingerprint(secret);
    for (const purpose of LINK_PURPOSES) {
      const row = await db
        // Both have these columns.
        .selectFrom(`${TABLES[purpose] as 'password_links'} as link`)
        .innerJoin('users', 'users.id', 'link.user_id')
        .select(['users.id as id', 'users.username', 'users.full_name as fullName', 'link.expires_at as expiresAt'])
        .where('link.token_hash', '=', hash)
        .executeTakeFirst();
      if (row === undefined) continue;
      const { expiresAt, ...user } = row;
      return { user, expiresAt, purpose };
    }
    return null;
  }

  return {
    find: (secret) => find(database.reader, secret),

    takeBack: (attempt) => database.transaction((tx) => attempt.takenBack(tx)),

    async join(secret, passwordHash, origin) {
      return database.transaction(async (tx) => {
        const at = now();
        const known = await find(tx, secret);
        if (known === null) return false;
        const { user, purpose } = known;
        await lockUser(tx, user.id);
        const { numDeletedRows } = await tx
          .deleteFrom(TABLES[purpose])
          .where('token_hash', '=', fingerprint(secret))
          .where('expires_at', '>', at)
          .executeTakeFirst();
        if (numDeletedRows !== 1n) return false;
        await tx
          .updateTable('users')
          .set({ password_hash: passwordHash, must_change_password: 0 })
          .where('id', '=', user.id)
          .execute();
        await signOutEverywhere(tx, user.id);
        const actor = { id: user.id, name: user.fullName };
        if (purpose === 'new-password') {
          const detail = 'by a link that was mailed';
          await recordAndTell(tx, outbox, { kind: 'password_changed', user, actor, origin, detail }, at);
        } else {
          await insertActivity(tx, actor, { action: 'update', details: joinedDetails(user.username) }, at);
          await recordSecurityEvent(tx, { kind: 'joined', user, actor, origin }, at);
        }
        await forgetOwnTries(turnsOf(database, tx), tx, user.id);
        return true;
      });
    },
  };
}

// Links by which people who have forgotten their password choose another one: mailed to the address of their user, good once and for half an hour.
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { foldKey } from '#contract/fields.ts';
import { PASSWORD_LINK_MS } from '#contract/invitation.ts';
import { passwordLinkMail } from '../../mail/kinds/password-link.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { jobKind } from '../../platform/jobs/kinds.ts';
import type { Sealer } from '../../platform/sealed.ts';
import { fingerprint, newSecret } from '../../platform/secrets.ts';
import { lockUser } from './new-session.ts';

/** Of one mailbox of a person, whoever asks: none is filled, and no link ends another while its mail is read. */
const AGAIN_AFTER_MS = 5 * MINUTE_MS;
const HOURLY_MAX = 3;

const SEALED_FOR = 'a name that a link was asked for';

/** The payload of the job that sends a link. What was typed is sealed: people type passwords into the wrong field. */
const OrderedLink = z.strictObject({ sealed: z.string() });

export interface PasswordLinks {
  /**
   * Notes that somebody asks for a link, which is the same work whatever the name is: whether anybody has it, and an address, is
   * looked at by the job.
   */
  order(username: string): Promise<void>;
}

interface LinkStores {
  readonly database: Database;
  readonly now: () => number;
  readonly sealer: Sealer;
  readonly outbox: Outbox;
}

export function openPasswordLinks(
  { database, sealer }: Pick<LinkStores, 'database' | 'sealer'>,
  enqueue: (tx: Kysely<Schema>, payload: z.input<typeof OrderedLink>) => Promise<unknown>,
): PasswordLinks {
  return {
    async order(username) {
      const sealed = await sealer.seal(Buffer.from(username), SEALED_FOR);
      await database.transaction((tx) => enqueue(tx, { sealed }));
    },
  };
}

export function passwordLinkJob({ database, now, sealer, outbox }: LinkStores) {
  return jobKind({
    title: 'Mail a link for a new password, if there is an address',
    acts: 'system',
    payload: OrderedLink,
    attempts: 5,
    retryAfterMs: 10_000,
    atOnce: 1,
    async run({ payload, finish }) {
      const username = String(await sealer.open(payload.sealed, SEALED_FOR));
      await database.transaction(async (tx) => {
        await writeLink(tx, outbox, foldKey(username), now());
        await finish(tx);
      });
    },
  });
}

/** Writes the mail with a new link, where somebody has this name, an address and a password, and was not sent too many just now. */
async function writeLink(tx: Kysely<Schema>, outbox: Outbox, usernameKey: string, at: number): Promise<void> {
  const named = await tx.selectFrom('users').select('id').where('username_key', '=', usernameKey).executeTakeFirst();
  if (named === undefined) return;
  const { id: userId } = named;
  // Whoever changes the address at this moment is through first.
  await lockUser(tx, userId);
  const user = await tx
    .selectFrom('users')
    .leftJoin('invitations', 'invitations.user_id', 'users.id')
    .select(['users.username', 'users.full_name as name', 'users.email as address'])
    .where('users.id', '=', userId)
    .where('users.email', '<>', '')
    // Whoever was invited has a link already, or had it taken.
    .where('invitations.user_id', 'is', null)
    .executeTakeFirst();
  if (user === undefined) return;
  const { username, name, address } = user;
  const lately = await tx
    .selectFrom('mails')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('kind', '=', passwordLinkMail.name)
    // What went to a former address keeps nobody waiting whose address was corrected: its link has ended.
    .where('to_address', '=', address)
    .where('created_at', '>', at - HOUR_MS)
    .execute();
  if (lately.length >= HOURLY_MAX || lately.some(({ created_at: sentAt }) => sentAt > at - AGAIN_AFTER_MS)) return;
  const secret = newSecret();
  const until = at + PASSWORD_LINK_MS;
  const link = { token_hash: fingerprint(secret), expires_at: until };
  await tx
    .insertInto('password_links')
    .values({ user_id: userId, ...link })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(link))
    .execute();
  await outbox.write(tx, passwordLinkMail, { to: { name, address }, userId, facts: { username, until }, secret }, at);
}

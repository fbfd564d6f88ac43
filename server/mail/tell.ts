// Tells a person by mail what was done with their account, in the transaction that enters it in the log of account events.
import type { Kysely } from 'kysely';
import { deviceName } from '#contract/device-name.ts';
import type { SecurityEventKind } from '#contract/security-events.ts';
import { recordSecurityEvent, type SecurityEvent } from '../audit/security-events.ts';
import type { Schema } from '../platform/db/schema.ts';
import { type AccountChange, accountChangeMail } from './kinds/account-change.ts';
import type { Outbox } from './outbox.ts';

type Tx = Kysely<Schema>;

const TOLD: Partial<Record<SecurityEventKind, AccountChange>> = {
  password_changed: 'password',
  password_reset: 'password',
  second_factor_added: 'second-factor-added',
  second_factor_removed: 'second-factor-removed',
  second_factor_reset: 'second-factor-reset',
  recovery_codes_made: 'recovery-codes',
};

/** A device that signed in within this time is known. */
const KNOWN_MS = 90 * 24 * 60 * 60_000;

/** Whether the person signs in with a kind of device that they have not used lately. Nobody's first one is new. */
async function isNewDevice(tx: Tx, userId: number, userAgent: string, at: number): Promise<boolean> {
  const signIns = tx
    .selectFrom('security_events')
    .where('user_id', '=', userId)
    .where('about', '=', 'sign-ins')
    .where('kind', '=', 'signed_in');
  const known = await signIns
    .select('user_agent')
    .distinct()
    .where('last_at', '>', at - KNOWN_MS)
    .execute();
  const name = deviceName(userAgent);
  if (known.some(({ user_agent: agent }) => deviceName(agent ?? '') === name)) return false;
  // Whoever comes once a year had a first one too.
  return known.length > 0 || (await signIns.select('id').limit(1).executeTakeFirst()) !== undefined;
}

async function changeOf(tx: Tx, { kind, user, origin }: SecurityEvent, at: number): Promise<AccountChange | null> {
  if (user === null) return null;
  if (kind !== 'signed_in') return TOLD[kind] ?? null;
  return (await isNewDevice(tx, user.id, origin?.userAgent ?? '', at)) ? 'new-device' : null;
}

type Doing = Pick<SecurityEvent, 'user' | 'actor' | 'origin' | 'detail'>;

/** Writes the mail that tells of it; to the address that the person has, unless another one is named. */
async function tell(tx: Tx, outbox: Outbox, what: AccountChange, doing: Doing, at: number, to?: string): Promise<void> {
  const { user, actor, origin, detail = null } = doing;
  if (user === null) return;
  const person = await tx
    .selectFrom('users')
    .select(['full_name as name', 'email'])
    .where('id', '=', user.id)
    .executeTakeFirst();
  if (person === undefined) return;
  const isOwn = actor?.id === user.id;
  await outbox.write(
    tx,
    accountChangeMail,
    {
      to: { name: person.name, address: to ?? person.email },
      userId: user.id,
      facts: {
        what,
        username: user.username,
        at,
        by: isOwn ? null : (actor?.name ?? null),
        device: isOwn && origin !== null ? deviceName(origin.userAgent) : null,
        address: isOwn && origin !== null ? origin.address : null,
        detail: isOwn ? detail : null,
      },
    },
    at,
  );
}

/** Records an account event, and tells its person where it is one that they should know of. */
export async function recordAndTell(tx: Tx, outbox: Outbox, event: SecurityEvent, at: number): Promise<void> {
  const what = outbox.isOn ? await changeOf(tx, event, at) : null;
  await recordSecurityEvent(tx, event, at);
  if (what !== null) await tell(tx, outbox, what, event, at);
}

/** Tells at both addresses that the first was replaced by the second; an empty one is none. */
export async function tellOfNewAddress(
  tx: Tx,
  outbox: Outbox,
  { former, present, ...doing }: Doing & { readonly former: string; readonly present: string },
  at: number,
): Promise<void> {
  if (!outbox.isOn || former === present) return;
  await tell(tx, outbox, 'address-from', doing, at, former);
  await tell(tx, outbox, 'address-to', doing, at, present);
}

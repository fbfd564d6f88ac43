// The rows of mails: every change of a mail's state, each in one statement that only the right one passes.
import { type ExpressionBuilder, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { CLOCKS_DIFFER_MS, DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Schema } from '../platform/db/schema.ts';

type Tx = Kysely<Schema>;

/** Longer than one conversation with a mail server may take: whoever claimed a mail before that is gone. */
export const CLAIM_MS = 5 * MINUTE_MS;
/** A mail that cannot be delivered for so long has failed. */
const GIVE_UP_MS = 3 * DAY_MS;
const WAIT_MAX_MS = 4 * HOUR_MS;
const KEPT_MS = 30 * DAY_MS;

const isWaitingAgain = (eb: ExpressionBuilder<Schema, 'mails'>) =>
  eb.and([eb('mails.state', '=', 'waiting'), eb('mails.error', 'is not', null)]);

/** After which moment a mail must have failed to count as failing at `at`. */
export const failingSince = (at: number) => at - GIVE_UP_MS;

/** Of a mail that failed after `since`, or that waits for another try. */
export const isFailing = (eb: ExpressionBuilder<Schema, 'mails'>, since: number | RawBuilder<number>) =>
  eb.or([eb.and([eb('mails.state', '=', 'failed'), eb('mails.ended_at', '>', since)]), isWaitingAgain(eb)]);

/** How the error of a mail begins whose address the mail server refused for good. */
export const ADDRESS_REFUSED = 'The mail server refused this address: ';

/** In a query over `users`: when the address that the person has now was last refused, null where it was not or a later mail got through. */
export const addressRefusedAt = sql<number | null>`(select max(refused.ended_at) from mails refused
  where refused.user_id = users.id and refused.to_address = users.email and refused.state = 'failed'
    and refused.error like ${sql.lit(`${ADDRESS_REFUSED}%`)} and not exists (select 1 from mails taken
      where taken.user_id = refused.user_id and taken.to_address = refused.to_address and taken.state = 'sent'
        and taken.ended_at > refused.ended_at))`;

export interface NewMailRow {
  readonly kind: string;
  readonly userId: number | null;
  readonly toName: string;
  readonly toAddress: string;
  readonly facts: string;
  readonly sealed: string | null;
  readonly messageId: string;
  readonly at: number;
}

export async function insertMail(tx: Tx, mail: NewMailRow): Promise<number> {
  const { id } = await tx
    .insertInto('mails')
    .values({
      kind: mail.kind,
      user_id: mail.userId,
      to_name: mail.toName,
      to_address: mail.toAddress,
      facts: mail.facts,
      sealed: mail.sealed,
      message_id: mail.messageId,
      state: 'waiting',
      due_at: mail.at,
      give_up_at: mail.at + GIVE_UP_MS,
      created_at: mail.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A mail that one process sends; `attempts` tells its tries apart. */
export interface ClaimedMail {
  readonly id: number;
  readonly attempts: number;
  readonly kind: string;
  readonly user_id: number | null;
  readonly to_name: string;
  readonly to_address: string;
  readonly facts: string;
  readonly sealed: string | null;
  readonly message_id: string;
  readonly give_up_at: number;
  readonly created_at: number;
}

const isWaiting = (at: number) => sql<SqlBool>`(state = 'waiting' and due_at <= ${at})`;
/** Due so late as no wait is long: the clock was put back since. */
const isAhead = (at: number) => sql<SqlBool>`(state = 'waiting' and due_at > ${at + WAIT_MAX_MS + CLOCKS_DIFFER_MS})`;
/** Its process ended in the middle of it. */
const isLeft = (at: number) => sql<SqlBool>`(state = 'sending' and claimed_until <= ${at})`;
/** Claimed for longer than anybody claims one: the clock was put back since, and whoever lives loses it before the last step. */
const isLeftAhead = (at: number) =>
  sql<SqlBool>`(state = 'sending' and claimed_until > ${at + CLAIM_MS + CLOCKS_DIFFER_MS})`;
/** Each along its own index, the first ones first. */
const toSend = (at: number) => [isWaiting(at), isLeft(at), isAhead(at), isLeftAhead(at)];

export async function hasDueMails(database: Database, at: number): Promise<boolean> {
  for (const due of toSend(at)) {
    const row = await database.reader.selectFrom('mails').select('id').where(due).limit(1).executeTakeFirst();
    if (row !== undefined) return true;
  }
  return false;
}

/** Takes the mail that is due longest, for one caller; null where none is due, or another caller took it. */
export async function claimMail(tx: Tx, at: number): Promise<ClaimedMail | null> {
  let next: { id: number; attempts: number } | undefined;
  for (const due of toSend(at)) {
    next ??= await tx
      .selectFrom('mails')
      .select(['id', 'attempts'])
      .where(due)
      .orderBy('due_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
  }
  if (next === undefined) return null;
  const row = await tx
    .updateTable('mails')
    .set({ state: 'sending', attempts: next.attempts + 1, claimed_until: at + CLAIM_MS })
    .where('id', '=', next.id)
    .where('attempts', '=', next.attempts)
    .where((eb) => eb.or(toSend(at).map((one) => eb(one, '=', eb.lit(true)))))
    .returning([
      'id',
      'attempts',
      'kind',
      'user_id',
      'to_name',
      'to_address',
      'facts',
      'sealed',
      'message_id',
      'give_up_at',
      'created_at',
    ])
    .executeTakeFirst();
  return row ?? null;
}

type Try = Pick<ClaimedMail, 'id' | 'attempts'>;

const ofTry = (tx: Tx, { id, attempts }: Try) =>
  tx.updateTable('mails').where('id', '=', id).where('attempts', '=', attempts).where('state', '=', 'sending');

/** Notes that the last step is about to be taken; false where another process has taken the mail over, which then must not be taken. */
export async function noteLastStep(tx: Tx, mail: Try, at: number): Promise<boolean> {
  const { numUpdatedRows } = await ofTry(tx, mail)
    .set({ last_step_at: at, claimed_until: at + CLAIM_MS })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const over = { claimed_until: null } as const;

/** False where another process has taken the mail over. */
export async function endSent(tx: Tx, mail: Try, at: number): Promise<boolean> {
  const { numUpdatedRows } = await ofTry(tx, mail)
    .set({ ...over, state: 'sent', sealed: null, error: null, ended_at: at })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export const givenUp = (error: string) => `Given up after three days. ${error}`;

/** Its secret stays for another try. */
export async function endFailed(tx: Tx, mail: Try, error: string, at: number): Promise<void> {
  await ofTry(tx, mail)
    .set({ ...over, state: 'failed', error, ended_at: at })
    .execute();
}

export async function endDropped(tx: Tx, mail: Try, why: string, at: number): Promise<void> {
  await ofTry(tx, mail)
    .set({ ...over, state: 'dropped', sealed: null, error: why, ended_at: at })
    .execute();
}

/** From a minute on, twice as long each time, up to four hours. */
export const waitBeforeRetry = (attempts: number) => Math.min(MINUTE_MS * 2 ** (attempts - 1), WAIT_MAX_MS);

export async function waitAgain(tx: Tx, mail: Try, error: string, dueAt: number): Promise<void> {
  await ofTry(tx, mail)
    .set({ ...over, state: 'waiting', error, due_at: dueAt })
    .execute();
}

/** What a mail server says behind the code of its answer may differ at each try, such as by an id. */
const upToItsCode = (error: string) => /^.*?: \d{3}\b/.exec(error)?.[0] ?? error;

/** How often the server was asked, counted by the mail that was tried most of those that wait for the same. */
export async function triesOfServer(tx: Tx, { attempts }: Try, error: string): Promise<number> {
  const { most } = await tx
    .selectFrom('mails')
    .select((eb) => eb.fn.max<number | null>('attempts').as('most'))
    .where('state', '=', 'waiting')
    .where('error', 'like', `${upToItsCode(error)}%`)
    .executeTakeFirstOrThrow();
  return Math.max(attempts, most ?? 0);
}

/**
 * The server takes no mail: those that would be tried before `dueAt` wait until then, so that it is asked no more often than by one
 * mail. Those that waited before and would then be too late have failed. In the turn of `mails`, as whatever changes many at once: two that
 * come to the same rows in other orders would deadlock.
 */
export async function waitForServer(tx: Tx, error: string, dueAt: number, at: number): Promise<void> {
  const sooner = tx.updateTable('mails').where('state', '=', 'waiting').where('due_at', '<', dueAt);
  await sooner
    .where('give_up_at', '<', dueAt)
    .where('error', 'is not', null)
    .set({ state: 'failed', error: givenUp(error), ended_at: at })
    .execute();
  await sooner.set({ error, due_at: dueAt }).execute();
}

/** The server takes mails again: what waits for it without a try of its own is due now. In the turn of `mails`. */
export async function serverIsBack(tx: Tx, at: number): Promise<void> {
  await tx
    .updateTable('mails')
    .set({ due_at: at })
    .where('state', '=', 'waiting')
    .where('due_at', '>', at)
    .where('attempts', '=', 0)
    .where('error', 'is not', null)
    .execute();
}

/** Hands back what was not begun, at no cost. */
export async function handBack(tx: Tx, mail: Try, at: number): Promise<void> {
  await ofTry(tx, mail)
    .set({ ...over, state: 'waiting', due_at: at })
    .execute();
}

/** Why it failed before is no longer said. */
const triedAgain = (tx: Tx, at: number) =>
  tx
    .updateTable('mails')
    .set({ state: 'waiting', error: null, due_at: at, give_up_at: at + GIVE_UP_MS, ended_at: null });

/** Has a mail tried again, now, that failed or waits for another try. False where it is in another state. */
export async function retryMail(tx: Tx, id: number, at: number): Promise<boolean> {
  const { numUpdatedRows } = await triedAgain(tx, at)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('state', '=', 'failed'), isWaitingAgain(eb)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Has all mails tried again, now, that fail; returns how many. In the turn of `mails`. */
export async function retryFailing(tx: Tx, at: number): Promise<number> {
  const { numUpdatedRows } = await triedAgain(tx, at)
    .where((eb) => isFailing(eb, failingSince(at)))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** The newest refusal of the address that a user has now: without it nobody would be told any more. */
const tellsOfUser = sql<SqlBool>`(mails.state = 'failed' and exists (select 1 from users
  where users.id = mails.user_id and users.email = mails.to_address and mails.ended_at = ${addressRefusedAt}))`;

/** Deletes mails that ended thirty days ago, and the secrets of those that failed and were left at that. */
export async function forgetOldMails(database: Database, at: number): Promise<void> {
  await database.transaction(async (tx) => {
    await tx
      .deleteFrom('mails')
      .where('ended_at', '<=', at - KEPT_MS)
      .where((eb) => eb.not(tellsOfUser))
      .execute();
    await tx
      .updateTable('mails')
      .set({ sealed: null })
      .where('state', '=', 'failed')
      .where('ended_at', '<=', at - GIVE_UP_MS)
      .where('sealed', 'is not', null)
      .execute();
  });
}

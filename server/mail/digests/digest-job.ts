// The job that writes digests: for each pace whose round is due, one mail for whoever has something to hear, in one transaction with the end of the round.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { DIGEST_TOPICS, type DigestTopic } from '#contract/digest-words.ts';
import type { Config } from '../../config.ts';
import type { Scopes } from '../../people/access/scope.ts';
import type { Viewer } from '../../people/access/viewer.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { jobKind } from '../../platform/jobs/kinds.ts';
import type { Outbox } from '../outbox.ts';
import { audienceOf, choiceThatHolds, readUsual, type Usual } from './choices.ts';
import { digestMail } from './digest-mail.ts';
import { findHearers, type Hearer } from './hearers.ts';
import { beginRounds, endRound, ROUND_PACES, ROUNDS, type RoundPace, readRounds, roundEnd } from './rounds.ts';
import { LOOK_BACK_MS, type Moments, type Span } from './source.ts';
import { clientsOf, happened, hasNews } from './sources.ts';

/** Mails that are written before others have a turn. */
const WRITTEN_AT_ONCE = 25;

export interface DigestStores {
  readonly database: Database;
  readonly now: () => number;
  readonly config: Pick<Config, 'mail'>;
  readonly outbox: Outbox;
  readonly scopes: Pick<Scopes, 'read'>;
  readonly findPerson: (userId: number) => Promise<Viewer | null>;
}

interface DueRound {
  readonly pace: RoundPace;
  /** Until when the one before went; null before the first one. */
  readonly done: number | null;
  readonly until: number;
}

/** The topics of which the firm's usual was changed after `after` and until `until`. */
const usualChangedIn = (usual: Usual, { after, until }: Moments) =>
  DIGEST_TOPICS.filter((topic) =>
    [usual.clients[topic], usual.staff[topic]].some(({ chosenAt }) => chosenAt > after && chosenAt <= until),
  );

/** Somebody who has chosen another pace may wait for what came before that. */
async function hasChosenIn(db: Kysely<Schema>, { after, until }: Moments): Promise<boolean> {
  const row = await db
    .selectFrom('digest_choices')
    .select(sql<number>`1`.as('one'))
    .where('chosen_at', '>', after)
    .where('chosen_at', '<=', until)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const spanOf = (done: number, until: number, { timeZone, changed }: Usual): Span => ({
  after: Math.max(done, until - LOOK_BACK_MS),
  until,
  timeZone,
  changed,
});

async function hasAnythingHappened(db: Kysely<Schema>, span: Span): Promise<boolean> {
  if (span.after >= span.until) return false;
  for (const topic of DIGEST_TOPICS) if (await happened(db, topic, span)) return true;
  return false;
}

async function isThereAnything(db: Kysely<Schema>, usual: Usual, span: Span): Promise<boolean> {
  if (usualChangedIn(usual, span).length > 0) return true;
  return (await hasAnythingHappened(db, span)) || hasChosenIn(db, span);
}

/** Whether more of what belongs together may come: what is told at once waits for it, but not for long. */
async function isMoreComing(db: Kysely<Schema>, usual: Usual, done: number, at: number): Promise<boolean> {
  const isOf = (after: number, until: number) => hasAnythingHappened(db, spanOf(after, until, usual));
  return (await isOf(Math.max(done, at - ROUNDS.quietMs), at)) && !(await isOf(done, at - ROUNDS.waitsMs));
}

/** Whoever comes to a pace that nobody had remembers until when they were told, so its rounds may rest meanwhile. */
async function isInUse(db: Kysely<Schema>, usual: Usual, pace: RoundPace): Promise<boolean> {
  if (DIGEST_TOPICS.some((topic) => [usual.clients, usual.staff].some((of) => of[topic].pace === pace))) return true;
  const row = await db
    .selectFrom('digest_choices')
    .select(sql<number>`1`.as('one'))
    .where('pace', '=', pace)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The rounds that are due and may have something to tell. */
async function dueRounds(db: Kysely<Schema>, at: number): Promise<readonly DueRound[]> {
  const [usual, rounds] = [await readUsual(db), await readRounds(db)];
  const due: DueRound[] = [];
  for (const pace of ROUND_PACES) {
    const until = roundEnd(pace, at, usual.timeZone);
    const done = rounds.get(pace) ?? null;
    if (done !== null && until <= done) continue;
    if (done !== null && !(await isInUse(db, usual, pace))) continue;
    if (pace === 'atOnce' && done !== null && (await isMoreComing(db, usual, done, at))) continue;
    if (done === null || (await isThereAnything(db, usual, spanOf(done, until, usual))))
      due.push({ pace, done, until });
  }
  return due;
}

interface Telling {
  readonly hearer: Hearer;
  readonly topic: DigestTopic;
  readonly span: Span;
}

/** Whom a round tells of what: looked at as each person, with the rights of this moment. */
async function findTellings(
  { pace, done, until }: DueRound & { readonly done: number },
  signal: AbortSignal,
  { database, scopes, findPerson }: DigestStores,
): Promise<readonly Telling[]> {
  const db = database.reader;
  const usual = await readUsual(db);
  const changed = usualChangedIn(usual, { after: done, until });
  const tellings: Telling[] = [];
  for (const topic of DIGEST_TOPICS) {
    const clients = clientsOf(topic, spanOf(done, until, usual));
    const chosenSince = changed.includes(topic) ? null : done;
    for (const hearer of await findHearers(db, { topic, clients, chosenSince })) {
      const held = choiceThatHolds(hearer.own, usual[audienceOf(hearer)][topic]);
      if (held.pace !== pace || held.chosenAt > until) continue;
      signal.throwIfAborted();
      await nextTurn();
      const told = done < held.chosenAt ? held.toldUntil : done;
      // What was there before a person is no news to them. What a client is asked for waits for whoever comes later.
      const after = topic === 'requests' ? told : Math.max(told, hearer.createdAt - 1);
      const span = spanOf(after, until, usual);
      const person = await findPerson(hearer.id);
      if (person !== null && (await hasNews(scopes.read(person), topic, span))) tellings.push({ hearer, topic, span });
    }
  }
  return tellings;
}

async function takeRound({ pace, done, until }: DueRound, signal: AbortSignal, stores: DigestStores): Promise<void> {
  const { database, now, outbox } = stores;
  if (done === null) {
    await database.transaction((tx) => beginRounds(tx, pace, until));
    return;
  }
  const tellings = await findTellings({ pace, done, until }, signal, stores);
  await database.transactionFlushedBeside(async (tx) => {
    if (!(await endRound(tx, { pace, done, until }))) return;
    for (const [index, { hearer, topic, span }] of tellings.entries()) {
      if (index % WRITTEN_AT_ONCE === WRITTEN_AT_ONCE - 1) await nextTurn();
      const { id: userId, name, address } = hearer;
      await outbox.write(
        tx,
        digestMail,
        { to: { name, address }, userId, facts: { topic, after: span.after, until: span.until } },
        now(),
      );
    }
  });
}

export function digestsJob(stores: DigestStores) {
  const { database, now, config } = stores;
  return jobKind({
    title: 'Write mails about what is new',
    acts: 'system',
    payload: z.strictObject({}),
    attempts: 3,
    retryAfterMs: 60_000,
    atOnce: 1,
    isWanted: async () => config.mail !== null && (await dueRounds(database.reader, now())).length > 0,
    async run({ signal }) {
      if (config.mail === null) return;
      for (const round of await dueRounds(database.reader, now())) await takeRound(round, signal, stores);
    },
  });
}

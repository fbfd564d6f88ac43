// How often somebody hears of what: chosen by the person, else what the firm sets as usual. A choice remembers until when its person was told.
import type { Kysely } from 'kysely';
import { z } from 'zod';
import {
  DIGEST_AUDIENCES,
  DIGEST_PACES,
  DIGEST_TOPICS,
  type DigestAudience,
  type DigestPace,
  type DigestTopic,
} from '#contract/digest-words.ts';
import type { UsualDigestsInput } from '#contract/digests.ts';
import type { Viewer } from '../../people/access/viewer.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { zoneChange } from './reminder-days.ts';
import { type Rounds, readRounds } from './rounds.ts';
import type { FirmZone } from './source.ts';

type Tx = Kysely<Schema>;

const Choice = z.object({ pace: z.enum(DIGEST_PACES), chosenAt: z.int(), toldUntil: z.int() });
/** What holds since `chosenAt`; what came after `toldUntil` was not told before that. */
export type Choice = z.infer<typeof Choice>;

/** A choice of one's own; `pace` is null for somebody who has gone back to what is usual. */
export interface OwnChoice {
  readonly topic: DigestTopic;
  readonly pace: DigestPace | null;
  readonly chosenAt: number;
  readonly toldUntil: number;
}

export interface Usual extends Readonly<Record<DigestAudience, Readonly<Record<DigestTopic, Choice>>>>, FirmZone {}

/** By topic: those that only another version knows are kept. */
const Choices = z.record(z.string(), Choice);
const ZoneChange = z.object({ at: z.int(), lastDay: z.string(), lastMorning: z.int() });
const Kept = z.object({
  timeZone: z.string(),
  changed: ZoneChange.nullable().default(null),
  clients: Choices,
  staff: Choices,
});

const fromTheStart = (pace: DigestPace): Choice => ({ pace, chosenAt: 0, toldUntil: 0 });

const AT_FIRST: Usual = {
  timeZone: 'America/New_York',
  changed: null,
  clients: {
    reports: fromTheStart('quarterHour'),
    documents: fromTheStart('quarterHour'),
    deleted: fromTheStart('daily'),
    requests: fromTheStart('quarterHour'),
  },
  staff: {
    reports: fromTheStart('never'),
    documents: fromTheStart('quarterHour'),
    deleted: fromTheStart('never'),
    requests: fromTheStart('never'),
  },
};

/** `kept` is the column `firm_settings.digests`; what it does not name is as at first. */
export function usualOf(kept: string | null | undefined): Usual {
  if (!kept) return AT_FIRST;
  const { timeZone, changed, clients, staff } = Kept.parse(JSON.parse(kept));
  return { timeZone, changed, clients: { ...AT_FIRST.clients, ...clients }, staff: { ...AT_FIRST.staff, ...staff } };
}

export async function readUsual(db: Tx): Promise<Usual> {
  const row = await db.selectFrom('firm_settings').select('digests').executeTakeFirst();
  return usualOf(row?.digests);
}

export const audienceOf = (viewer: Pick<Viewer, 'roleKey'>): DigestAudience =>
  viewer.roleKey === 'client' ? 'clients' : 'staff';

export function choiceThatHolds(own: OwnChoice | undefined, usual: Choice): Choice {
  if (own === undefined) return usual;
  const { pace, chosenAt, toldUntil } = own;
  if (pace !== null) return { pace, chosenAt, toldUntil };
  return chosenAt > usual.chosenAt ? { pace: usual.pace, chosenAt, toldUntil } : usual;
}

/** Until when somebody with this choice has been told at `at`, after the rounds that there were. Who never hears of it waits for nothing. */
function toldUntil({ pace, chosenAt, toldUntil: before }: Choice, rounds: Rounds, at: number): number {
  const done = rounds.get(pace);
  if (done === undefined) return at;
  return done < chosenAt ? before : done;
}

export async function ownChoice(db: Tx, userId: number, topic: DigestTopic): Promise<OwnChoice | undefined> {
  return db
    .selectFrom('digest_choices')
    .select(['topic', 'pace', 'chosen_at as chosenAt', 'told_until as toldUntil'])
    .where('user_id', '=', userId)
    .where('topic', '=', topic)
    .executeTakeFirst();
}

/** What holds for a person at this moment. */
export async function choiceOf(db: Tx, person: Pick<Viewer, 'id' | 'roleKey'>, topic: DigestTopic): Promise<Choice> {
  return choiceThatHolds(await ownChoice(db, person.id, topic), (await readUsual(db))[audienceOf(person)][topic]);
}

/** Keeps a person's choice; what waited for the pace before is told at the new one. */
export async function choose(
  tx: Tx,
  person: Pick<Viewer, 'id' | 'roleKey'>,
  { topic, pace }: { readonly topic: DigestTopic; readonly pace: DigestPace | null },
  at: number,
): Promise<void> {
  const before = await choiceOf(tx, person, topic);
  const held = { pace, chosen_at: at, told_until: toldUntil(before, await readRounds(tx), at) };
  await tx
    .insertInto('digest_choices')
    .values({ user_id: person.id, topic, ...held })
    .onConflict((conflict) => conflict.columns(['user_id', 'topic']).doUpdateSet(held))
    .execute();
}

/** What of `input` differs from what is usual. */
export function changesOfUsual(usual: Usual, input: UsualDigestsInput) {
  return DIGEST_AUDIENCES.flatMap((audience) =>
    DIGEST_TOPICS.flatMap((topic) => {
      const pace = input[audience]?.[topic];
      return pace === undefined || pace === usual[audience][topic].pace ? [] : [{ audience, topic, pace }];
    }),
  );
}

/** Keeps what is usual from now on. Whoever goes by it is told at the new pace of what waited for the one before. */
export async function keepUsual(tx: Tx, usual: Usual, input: UsualDigestsInput, at: number): Promise<void> {
  const rounds = await readRounds(tx);
  const { timeZone = usual.timeZone } = input;
  const changed = timeZone === usual.timeZone ? usual.changed : zoneChange(usual, at);
  const after = { timeZone, changed, clients: { ...usual.clients }, staff: { ...usual.staff } };
  for (const { audience, topic, pace } of changesOfUsual(usual, input)) {
    after[audience][topic] = { pace, chosenAt: at, toldUntil: toldUntil(usual[audience][topic], rounds, at) };
  }
  const digests = JSON.stringify(after);
  await tx
    .insertInto('firm_settings')
    .values({ id: 1, four_eyes: 0, digests })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ digests }))
    .execute();
}

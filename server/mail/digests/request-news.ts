// What mails tell of requests: clients of what is asked anew, reopened, put on another day, due, late or sent back, and staff of what clients answered.
import { type Kysely, type SqlBool, sql } from 'kysely';
import { isClientUser } from '#contract/policy/actor.ts';
import { daysUntil, dueWords, itemStateNames } from '#contract/request-words.ts';
import { everything } from '../../people/access/reach.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import type { Sources } from '../../people/access/sources.ts';
import { isListedId, isListedKey, listText } from '../../platform/db/id-list.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { param } from '../../platform/db/statement.ts';
import { morningsIn, remindedDueDays } from './reminder-days.ts';
import { notByViewer, type Source, type Span, type Told, within, withinParams } from './source.ts';

const dueDays = (span: Span) => listText(remindedDueDays(span));

/** The clients that were asked in the span, anew, again or for another day, or where an item came into its state. */
const moved = (span: Span) => sql`select asked.client_id from requests asked where ${within('asked.created_at', span)}
  union all select again.client_id from requests again where ${within('again.reopened_at', span)}
  union all select redated.client_id from requests redated where ${within('redated.redated_at', span)}
  union all select answered.client_id from request_items item join requests answered on answered.id = item.request_id
    where ${within('item.state_at', span)}`;

const none = sql<string | null>`cast(null as text)`;

const openRequests = (sources: Sources) =>
  sources
    .requests()
    .innerJoin('clients', 'clients.id', 'requests.client_id')
    .where('requests.state', '=', 'open')
    .select(['requests.id as id', 'requests.title as name', 'clients.name as clientName']);

const isNew = sql<SqlBool>`(${withinParams('requests.created_at')} and ${notByViewer('requests.asked_by_id')})`;

const isReopened = sql<SqlBool>`(requests.reopened_at is not null and ${withinParams('requests.reopened_at')})`;

/** Told whole, whatever else there is to tell of it. */
const isToldWhole = sql<SqlBool>`(${isNew} or ${isReopened})`;

/** Has another due day than the viewer may know. Whoever heard of none of its changes knows the one from before them, which may be back. */
const isRedated = sql<SqlBool>`(requests.redated_at is not null and ${withinParams('requests.redated_at')}
  and ${notByViewer('requests.redated_by_id')}
  and (requests.redated_since <= ${param('after')} or requests.redated_from is distinct from requests.due_on))`;

/** The due day that the viewer knows; null where that may be one of those between. */
const dueWas = sql<string | null>`case when requests.redated_since > ${param('after')}
  then requests.redated_from end`;

const isDue = isListedKey('requests.due_on', param('dueDays'));

const kindOwed = sql<string>`case when ${isNew} then 'new' when ${isReopened} then 'reopened'
  when ${isRedated} then 'redated' else 'due' end`;

const owedRequests = (sources: Sources) => openRequests(sources).where('requests.owed', '>', 0);

/** Items that came into one of the states by somebody else; open ones were added to a request that was there. */
const itemsNow = (sources: Sources, states: readonly ('open' | 'sentBack' | 'sent' | 'doesNotApply')[]) =>
  openRequests(sources)
    .innerJoin('request_items', 'request_items.request_id', 'requests.id')
    .where('request_items.state', 'in', states)
    .where((eb) => eb.or([eb('request_items.state', '<>', 'open'), sql<SqlBool>`not ${isToldWhole}`]))
    .where(withinParams('request_items.state_at'))
    .where(notByViewer('request_items.state_by_id'))
    .select([
      sql<string>`request_items.state`.as('kind'),
      'request_items.name as item',
      'requests.due_on as dueOn',
      none.as('dueWas'),
      sql<number>`request_items.state_at`.as('at'),
    ]);

/** Requests of which the client owes something: new, reopened, put on another day, or of which people are reminded by the parameter `dueDays`. */
function owedNow(sources: Sources) {
  return owedRequests(sources)
    .where((eb) => eb.or([isToldWhole, isRedated, isDue]))
    .select([
      kindOwed.as('kind'),
      none.as('item'),
      'requests.due_on as dueOn',
      dueWas.as('dueWas'),
      sql<number>`coalesce(requests.reopened_at, requests.created_at)`.as('at'),
    ]);
}

export const requestNews: Source = {
  clientsOf: (span) =>
    sql`${moved(span)} union all select due.client_id from requests due
      where due.state = 'open' and due.owed > 0 and ${isListedKey('due.due_on', dueDays(span))}`,

  /** A morning ends every round while something has a day: what is given a day later is not judged by a morning that is over. */
  happenedIn: (span) =>
    morningsIn(span).length === 0
      ? moved(span)
      : sql`${moved(span)} union all select dated.client_id from requests dated where dated.state = 'open' and dated.due_on > ''`,

  values: (span) => ({ dueDays: dueDays(span) }),

  seenBy(sources, viewer) {
    const isAsked = isClientUser(viewer);
    const told = isAsked
      ? owedNow(sources).unionAll(itemsNow(sources, ['open', 'sentBack']))
      : itemsNow(sources, ['sent', 'doesNotApply']);
    return {
      from: sql`${told} as told`,
      where: everything,
      columns: sql`told.id as "id", told.name as "name", told."clientName" as "clientName", told.kind as "kind", told.item as "item",
        told."dueOn" as "dueOn", told."dueWas" as "dueWas", told.at as "at"`,
      // What is most overdue is not among those that a mail only counts.
      ...(isAsked ? { order: sql`told."dueOn" nulls last, "at" desc` } : {}),
    };
  },
};

/** The mails of one morning leave within hours, and the next reminder is days away. */
const ONE_MORNING_MS = 12 * 60 * 60_000;

/** The ids of all requests that a mail reminds the viewer of, named in it or among those that it counts. */
export async function readReminded(scope: ReadScope, span: Span): Promise<readonly number[]> {
  if (!isClientUser(scope.viewer)) return [];
  const rows = await scope.prepared<{ id: number }>(
    'digests.reminded of',
    (sources) => owedRequests(sources).where(isDue).where(sql<SqlBool>`not (${isToldWhole} or ${isRedated})`),
    { after: span.after, until: span.until, dueDays: dueDays(span) },
  );
  return rows.map(({ id }) => id);
}

/** Notes with the requests that a mail reminded of, that one more person was reminded. */
export async function noteReminded(tx: Kysely<Schema>, ids: readonly number[], at: number): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('requests')
    .set({
      reminded_at: at,
      reminded_people: sql`case when reminded_at > ${at - ONE_MORNING_MS} then reminded_people + 1 else 1 end`,
    })
    .where(isListedId('requests.id', listText(ids)))
    .execute();
}

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** 'due in 3 days (December 1, 2026)', '4 days late (due November 23, 2026)': nobody knows when a mail is read. */
function dueOnWords(dueOn: string, today: string): string {
  const days = daysUntil(dueOn, today);
  return `${dueWords(days)} (${days < 0 ? 'due ' : ''}${DAY.format(Date.parse(dueOn))})`;
}

/** What a line of a mail says of a request, as of the day `today`, YYYY-MM-DD: 'due today (December 1, 2026)', 'sent back: Bank statements'. */
export function requestWords({ kind, item, dueOn, dueWas }: Told, today: string): string {
  if (kind === 'open') return `added: ${item}`;
  if (kind === 'sentBack' || kind === 'sent' || kind === 'doesNotApply')
    return `${itemStateNames[kind].toLowerCase()}: ${item}`;
  const due = dueOn ? [dueOnWords(dueOn, today)] : [];
  if (kind === 'redated') {
    const was = dueWas ? [`was ${DAY.format(Date.parse(dueWas))}`] : [];
    return [dueOn ? 'new due day' : 'no due day any more', ...due, ...was].join(', ');
  }
  const asked = kind === 'new' ? ['new'] : kind === 'reopened' ? ['open again'] : [];
  return [...asked, ...due].join(', ');
}

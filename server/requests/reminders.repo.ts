// What a person is to be told of requests: what is asked anew, due soon or late, and what was sent back. Whoever tells it, by mail or otherwise, asks here.
import { DUE_SOON_DAYS, dayAfterDays, daysUntil, isReminderDay } from '#contract/request-words.ts';
import type { ReadScope } from '../access/scope.ts';
import { param } from '../db/statement.ts';

export interface AskedFacts {
  readonly requestId: number;
  readonly clientId: number;
  readonly clientName: string;
  readonly title: string;
  /** YYYY-MM-DD. */
  readonly dueOn: string | null;
  /** Items that wait for the client. */
  readonly owed: number;
}

export interface DueFacts extends AskedFacts {
  /** Until the due day; negative where it is over. */
  readonly days: number;
  /** Whether this is one of the days on which people are reminded: 3 days before, on the day, and weekly from then on. */
  readonly remindsToday: boolean;
}

export interface SentBackFacts {
  readonly requestId: number;
  readonly clientId: number;
  readonly clientName: string;
  readonly title: string;
  readonly item: string;
  readonly reason: string;
}

export interface RequestNews {
  readonly asked: readonly AskedFacts[];
  /** Today or within three days. */
  readonly dueSoon: readonly DueFacts[];
  readonly overdue: readonly DueFacts[];
  readonly sentBack: readonly SentBackFacts[];
}

/** As many of each are told. */
const TOLD_MAX = 200;

/**
 * As of now and within the reach of `scope`: nothing where its person sees no requests. `since` is from when on something is news, in ms
 * since the epoch; `today` is the person's day, YYYY-MM-DD.
 */
export async function requestNews(
  scope: ReadScope,
  { since, today }: { readonly since: number; readonly today: string },
): Promise<RequestNews> {
  const open = await scope.prepared<AskedFacts & { readonly createdAt: number }>(
    'requests.news',
    (sources) =>
      sources
        .requests()
        .innerJoin('clients', 'clients.id', 'requests.client_id')
        .where('requests.state', '=', 'open')
        .where('requests.owed', '>', 0)
        .where((eb) =>
          eb.or([
            eb('requests.due_on', '<=', param<string>('soonUntil')),
            eb('requests.created_at', '>=', param<number>('since')),
          ]),
        )
        .select([
          'requests.id as requestId',
          'requests.client_id as clientId',
          'clients.name as clientName',
          'requests.title as title',
          'requests.due_on as dueOn',
          'requests.owed as owed',
          'requests.created_at as createdAt',
        ])
        .orderBy('requests.due_on')
        .orderBy('requests.id')
        .limit(TOLD_MAX),
    { since, soonUntil: dayAfterDays(today, DUE_SOON_DAYS) },
  );
  const sentBack = await scope.prepared<SentBackFacts>(
    'requests.sent-back',
    (sources) =>
      sources
        .requests()
        .innerJoin('clients', 'clients.id', 'requests.client_id')
        .innerJoin('request_items', 'request_items.request_id', 'requests.id')
        .where('requests.state', '=', 'open')
        .where('request_items.state', '=', 'sentBack')
        .where('request_items.changed_at', '>=', param<number>('since'))
        .select([
          'requests.id as requestId',
          'requests.client_id as clientId',
          'clients.name as clientName',
          'requests.title as title',
          'request_items.name as item',
          'request_items.reason as reason',
        ])
        .orderBy('request_items.id')
        .limit(TOLD_MAX),
    { since },
  );
  const due = open.flatMap(({ createdAt: _, ...facts }): DueFacts[] => {
    if (facts.dueOn === null) return [];
    const days = daysUntil(facts.dueOn, today);
    return days > DUE_SOON_DAYS ? [] : [{ ...facts, days, remindsToday: isReminderDay(days) }];
  });
  return {
    asked: open.filter(({ createdAt }) => createdAt >= since).map(({ createdAt: _, ...facts }) => facts),
    dueSoon: due.filter(({ days }) => days >= 0),
    overdue: due.filter(({ days }) => days < 0),
    sentBack,
  };
}

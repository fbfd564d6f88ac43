// A firm whose clients are asked for things: what the tests of requests share.
import { afterAll, beforeAll } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import { activityLabel } from '#contract/activity-words.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { RequestDetails, RequestItem, RequestRow, RequestSummary } from '#contract/requests.ts';
import { DAY_MS } from '../platform/clock.ts';
import type { DatabaseKind } from '../platform/db/database.ts';
import type { Firm } from './firm.ts';
import { refused } from './refusal.ts';
import type { Caller, TestApp } from './test-app.ts';
import { startTestFirm } from './test-firm.ts';

/** What the tests of one file and engine meet. */
export interface RequestFirm {
  readonly app: TestApp;
  readonly firm: Firm;
  /** Who asks. */
  readonly cpa: Caller;
  /** Who is asked, of the first client. */
  readonly client: Caller;
}

/** Within a `describe`: one application for all its tests, whose clock stands, which `onReady` is told of. */
export function requestFirm(kind: DatabaseKind, onReady: (met: RequestFirm) => void) {
  let app: TestApp;
  let firm: Firm;
  let cpa: Caller;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { clock: 'standing' }));
    ({ cpa } = firm.viewers);
    onReady({ app, firm, cpa, client: firm.viewers.clientA });
  });
  afterAll(() => app.close());

  const dayIn = (days: number) => new Date(app.now() + days * DAY_MS).toISOString().slice(0, 10);
  const asked = (more: Record<string, unknown> = {}) => ({
    clientIds: [firm.clients[0]],
    title: 'Year-end package',
    message: 'For the forms W-2',
    dueOn: dayIn(10),
    items: [
      { name: 'Bank statements', note: 'All accounts' },
      { name: 'Forms W-9', note: '' },
    ],
    ...more,
  });
  const ask = (by: Caller, more?: Record<string, unknown>) =>
    by.post<{ ids: number[] } & ErrorBody>('/api/requests', asked(more));
  const of = async (by: Caller, id: number | undefined) =>
    (await by.get<RequestDetails & ErrorBody>(`/api/requests/${id}`)).body;
  async function aRequest(more?: Record<string, unknown>) {
    const { body } = await ask(cpa, more);
    const { items } = await of(cpa, body.ids[0]);
    return { id: body.ids[0] ?? 0, items: items as [RequestItem, RequestItem] };
  }
  const list = async (by: Caller, query = '') => (await by.get<RequestRow[]>(`/api/requests${query}`)).body;
  const summary = async (by: Caller, query = '') =>
    (await by.get<RequestSummary>(`/api/requests/summary${query}`)).body;
  let sent = 0;
  const send = (by: Caller, item: { id: number }, more: { key?: string; bytes?: string; name?: string } = {}) =>
    by.upload<RequestItem & ErrorBody>({
      path: `/api/request-items/${item.id}/files`,
      name: more.name ?? `statement ${++sent}.txt`,
      bytes: more.bytes ?? `statement ${sent}`,
      fields: {},
      headers: more.key === undefined ? {} : { 'idempotency-key': more.key },
    });
  async function act(by: Caller, path: string, body: object, version?: string) {
    const answer = await by.fetch(`/api/request-items/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...(version === undefined ? {} : { 'if-match': `"${version}"` }) },
    });
    return { status: answer.status, body: (await answer.json()) as RequestItem & ErrorBody };
  }
  const sayNot = (by: Caller, item: { id: number }, note = '', version?: string) =>
    act(by, `${item.id}/does-not-apply`, { note }, version);
  const decide = (by: Caller, item: { id: number }, body: object, version?: string) =>
    act(by, `${item.id}/decide`, body, version);
  const accept = (by: Caller, item: { id: number }, version?: string) =>
    decide(by, item, { decision: 'accept' }, version);
  const sendBack = (by: Caller, item: { id: number }, reason = 'The second page is missing') =>
    decide(by, item, { decision: 'sendBack', reason });
  const log = async (entries: number) =>
    (await app.admin.get<ActivityRow[]>(`/api/activity-logs?limit=${entries}`)).body.map((entry) => [
      activityLabel(entry),
      entry.details,
    ]);

  return { dayIn, asked, ask, of, aRequest, list, summary, send, sayNot, decide, accept, sendBack, log, said: refused };
}

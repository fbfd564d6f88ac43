// What staff ask clients for, over HTTP: asked, changed, closed, listed, and gone with its client.
import { describe, expect, it } from 'vitest';
import type { BoardRow } from '#contract/completeness.ts';
import { type ErrorBody, FAULTS_MAX } from '#contract/errors.ts';
import { CLIENTS_ASKED_MAX, ITEMS_MAX, REQUEST_TEXT_MAX } from '#contract/request-words.ts';
import type { RequestDetails, TemplateRow } from '#contract/requests.ts';
import { addUser, clientInput, type Firm } from '../testing/firm.ts';
import { requestFirm } from '../testing/request-firm.ts';
import type { Caller, TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';

describe.each(DATABASE_KINDS)('what clients are asked for, on %s', { timeout: 60_000 }, (kind) => {
  let app: TestApp;
  let firm: Firm;
  let cpa: Caller;
  let client: Caller;
  const { dayIn, asked, ask, of, aRequest, list, summary, send, sayNot, accept, log, said } = requestFirm(
    kind,
    (met) => {
      ({ app, firm, cpa, client } = met);
    },
  );

  it('a closed request takes nothing more, keeps what was sent, and is open again when it is reopened', async () => {
    const { id, items } = await aRequest();
    await send(client, items[0]);
    const { body: closed } = await cpa.post<RequestDetails>(`/api/requests/${id}/close`);
    expect(closed.request.state).toBe('closed');
    expect(await log(1)).toEqual([['Closed', 'Closed request: Year-end package']]);
    for (const answer of [await send(client, items[1]), await sayNot(client, items[1]), await accept(cpa, items[0])]) {
      expect(said(answer)).toEqual([409, 'request_closed']);
    }
    expect(said(await cpa.put(`/api/requests/${id}`, { ...asked(), clientIds: undefined }))).toEqual([
      409,
      'request_closed',
    ]);
    expect((await of(client, id)).items[0]?.files).toHaveLength(1);
    // Twice is once.
    await cpa.post(`/api/requests/${id}/close`);
    await cpa.post(`/api/requests/${id}/reopen`);
    expect(await log(1)).toEqual([['Reopened', 'Reopened request: Year-end package']]);
    expect((await of(cpa, id)).request).toMatchObject({ state: 'open', owed: 1, toReview: 1 });
    expect((await accept(cpa, items[0])).status).toBe(200);
  });

  it('a request changes its day and items, and loses none that was answered', async () => {
    const { id, items } = await aRequest();
    await send(client, items[0]);
    const { version } = await of(cpa, id);
    const change = (list: object[], ifMatch?: string) =>
      cpa
        .fetch(`/api/requests/${id}`, {
          method: 'PUT',
          body: JSON.stringify({ title: 'Year-end papers', message: '', dueOn: dayIn(20), items: list }),
          headers: {
            'content-type': 'application/json',
            ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
          },
        })
        .then(async (answer) => ({ status: answer.status, body: (await answer.json()) as RequestDetails & ErrorBody }));
    const without = await change([{ id: items[1].id, name: 'Forms W-9', note: '' }]);
    expect([without.status, without.body.fields]).toEqual([
      400,
      { items: '"Bank statements" was answered already, so it stays.' },
    ]);
    const stranger = await aRequest();
    expect((await change([{ id: stranger.items[0].id, name: 'Mine', note: '' }])).status).toBe(400);
    const kept = await change(
      [
        { name: 'Notices', note: '' },
        { id: items[0].id, name: 'Bank statements', note: 'Also savings' },
      ],
      version,
    );
    expect(kept.status).toBe(200);
    expect(kept.body.request).toMatchObject({
      title: 'Year-end papers',
      dueOn: dayIn(20),
      items: 2,
      owed: 1,
      toReview: 1,
    });
    expect(kept.body.items.map(({ name, note, state }) => [name, note, state])).toEqual([
      ['Notices', '', 'open'],
      ['Bank statements', 'Also savings', 'sent'],
    ]);
    // Saved as it is, it is no change.
    const entries = await log(2);
    expect(entries[0]?.[1]).toBe('Updated request: Year-end papers');
    const asItIs = kept.body.items.map((item) => ({ id: item.id, name: item.name, note: item.note }));
    expect(await change(asItIs, kept.body.version)).toEqual(kept);
    expect(await log(2)).toEqual(entries);
    expect((await change([{ id: items[0].id, name: 'Bank statements', note: '' }], version)).body.code).toBe(
      'changed_meanwhile',
    );
    // What a colleague has removed is asked for anew by whoever has seen that and keeps it, and by nobody else.
    const both = kept.body.items.map(({ id: item, name, note }) => ({ id: item, name, note }));
    const { body: left } = await change(both.slice(1), kept.body.version);
    expect((await change(both)).body.fields).toEqual({
      items: 'An item is not there any more. Reload and try again.',
    });
    expect((await change(both, kept.body.version)).body.code).toBe('changed_meanwhile');
    const anew = await change(both, left.version);
    expect(anew.body.items.map(({ name, state }) => [name, state])).toEqual([
      ['Notices', 'open'],
      ['Bank statements', 'sent'],
    ]);
    expect((await change([...both, ...both], anew.body.version)).status).toBe(400);
    // What is another request's is asked for by nobody, whatever they have seen.
    const foreign = anew.body.items.map(({ id: item, name, note }) => ({ id: item, name, note }));
    const refused = await change([...foreign, { id: stranger.items[0].id, name: 'Mine', note: '' }], anew.body.version);
    expect([refused.status, refused.body.fields]).toEqual([
      400,
      { items: 'An item is not there any more. Reload and try again.' },
    ]);
  });

  it('the same request sent again under its key is made once, also twice at once, and other content under it is another', async () => {
    const send = async (more: Record<string, unknown>, by: Caller = cpa, key = 'asked-once') => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': key };
      const answer = await by.fetch('/api/requests', { method: 'POST', body: JSON.stringify(asked(more)), headers });
      const body = (await answer.json()) as { ids: number[] } & ErrorBody;
      return { status: answer.status, body };
    };
    const title = 'Voided check';
    const clientIds = [firm.clients[2], firm.clients[0]];
    const once = await send({ title, clientIds });
    expect([once.status, once.body.ids.length]).toEqual([201, 2]);
    expect(await send({ title, clientIds })).toEqual(once);
    const [first, second] = await Promise.all([send({ title }, cpa, 'both'), send({ title }, cpa, 'both')]);
    expect([first.status, second]).toEqual([201, first]);
    const others = [await send({ title, clientIds, message: 'Again' }), await send({ title, clientIds }, app.admin)];
    const ids = [once, first, ...others].flatMap(({ body }) => body.ids);
    expect(new Set(ids).size).toBe(7);
    expect((await list(cpa, '?limit=1000')).filter((row) => row.title === title)).toHaveLength(7);
    expect((await log(7)).filter(([, details]) => details?.includes(title))).toHaveLength(7);
    expect((await send({ title }, cpa, 'ä')).status).toBe(400);
  });

  it('goes to the trash with its client and comes back with it', async () => {
    const { body: added } = await app.admin.get<{ id: number; name: string }>(`/api/clients/${firm.clients[2]}`);
    const person = await addUser(app, `owner of ${added.id}`, firm.roles.client, {
      clientIds: [added.id, firm.clients[0]],
    });
    const { id, items } = await aRequest({ clientIds: [added.id] });
    await send(person.caller, items[0], { name: 'kept.txt' });
    await app.database.transaction((tx) =>
      tx.updateTable('requests').set({ reminded_at: app.now(), reminded_people: 2 }).where('id', '=', id).execute(),
    );
    const before = await of(cpa, id);
    expect(before.request.reminded?.people).toBe(2);
    await app.admin.delete(`/api/clients/${added.id}`);
    expect((await app.admin.get(`/api/requests/${id}`)).status).toBe(404);
    expect((await app.admin.post(`/api/clients/${added.id}/restore`)).status).toBe(200);
    expect(await of(app.admin, id)).toEqual(before);
  });

  it('is listed by due day and narrowed by client, state, what is late or near, and what is to review', async () => {
    const { body: made } = await app.admin.post<{ id: number }>('/api/clients', clientInput('Fernhill Orchards'));
    const clientIds = [made.id];
    const titles = async (query: string) =>
      (await list(app.admin, `?clientId=${made.id}&${query}`)).map(({ title }) => title);
    const aPerson = await addUser(app, 'orchard', firm.roles.client, { clientIds });
    for (const [title, dueOn] of [
      ['Some day', null],
      ['Far', dayIn(30)],
      ['Late', dayIn(-2)],
      ['Today', dayIn(0)],
      ['Soon', dayIn(3)],
    ] as const) {
      await ask(app.admin, { clientIds, title, dueOn });
    }
    expect(await titles('')).toEqual(['Late', 'Today', 'Soon', 'Far', 'Some day']);
    expect(await titles('sort=-dueOn')).toEqual(['Some day', 'Far', 'Soon', 'Today', 'Late']);
    expect(await titles('due=overdue')).toEqual(['Late']);
    expect(await titles('due=soon')).toEqual(['Today', 'Soon']);
    // The day of whoever looks.
    expect(await titles(`due=overdue&today=${dayIn(1)}`)).toEqual(['Late', 'Today']);
    expect(await titles('limit=2&offset=1')).toEqual(['Today', 'Soon']);
    expect(await summary(aPerson.caller)).toEqual({ open: 5, overdue: 1, dueSoon: 2, toReview: 0, owedItems: 10 });

    const [late] = await list(app.admin, `?clientId=${made.id}`);
    for (const item of (await of(app.admin, late?.id)).items) await send(aPerson.caller, item);
    // What is all sent waits for staff: the client is not late.
    expect(await titles('due=overdue')).toEqual([]);
    expect(await titles('review=true')).toEqual(['Late']);
    expect(await titles('')).toEqual(['Late', 'Today', 'Soon', 'Far', 'Some day']);
    expect(await titles('sort=owed')).toEqual(['Today', 'Soon', 'Far', 'Some day', 'Late']);
    expect(await summary(app.admin, `?clientId=${made.id}`)).toMatchObject({ overdue: 0, toReview: 1, owedItems: 8 });
    await app.admin.post(`/api/requests/${late?.id}/close`);
    expect(await titles('state=closed')).toEqual(['Late']);
    expect(await titles('state=open')).toHaveLength(4);
    expect(await titles('review=true')).toEqual([]);
    await ask(app.admin, { clientIds, title: 'payroll forms', dueOn: null });
    const byTitle = ['Far', 'Late', 'payroll forms', 'Some day', 'Soon', 'Today'];
    expect(await titles('sort=title')).toEqual(byTitle);
    expect(await titles('sort=-title')).toEqual(byTitle.toReversed());
  });

  it('the completeness board says what each client owes the firm, to who sees requests', async () => {
    const [clientId] = firm.clients;
    const expectation = { reportTypeId: firm.reportTypes[0], frequency: 'quarterly', dueDays: 31, starts: null };
    await app.admin.put(`/api/clients/${clientId}/expectations`, { expectations: [expectation] });
    const owed = async (by: Caller) =>
      (await by.get<BoardRow[]>(`/api/completeness?clientId=${clientId}`)).body.map((row) => row.owed);
    const { owedItems } = await summary(cpa, `?clientId=${clientId}`);
    expect(owedItems).toBeGreaterThan(0);
    expect(await owed(cpa)).toEqual([owedItems]);
    await aRequest();
    expect(await owed(cpa)).toEqual([owedItems + 2]);
    expect(await owed(firm.viewers.bookkeeper)).toEqual([null]);
  });

  it('several clients get a request each, and what is too much or no day is refused', async () => {
    const { body } = await ask(cpa, { clientIds: [firm.clients[2], firm.clients[0], firm.clients[2]] });
    expect(body.ids).toHaveLength(2);
    const fields = async (more: Record<string, unknown>) => (await ask(cpa, more)).body.fields;
    const item = { name: 'One', note: '' };
    expect(await fields({ items: [] })).toEqual({ items: 'Please add at least one item' });
    expect(await fields({ items: Array.from({ length: ITEMS_MAX + 1 }, () => item) })).toEqual({
      items: `A request has at most ${ITEMS_MAX} items`,
    });
    expect(await fields({ dueOn: '2026-02-30' })).toEqual({ dueOn: 'Must be a date like 2026-01-31' });
    expect(await fields({ title: ' ' })).toEqual({ title: 'Please enter a title' });
    expect(await fields({ items: [{ name: '', note: '' }] })).toEqual({
      'items.0.name': 'Please say what is asked for',
    });
    expect((await ask(cpa, { items: Array.from({ length: ITEMS_MAX }, () => item) })).status).toBe(201);
    expect(await fields({ message: 'x'.repeat(REQUEST_TEXT_MAX + 1) })).toEqual({
      message: `Must be at most ${REQUEST_TEXT_MAX} characters`,
    });
  });

  it('of many clients those that are gone are told by their places, and the others are asked without them', async () => {
    const { body: closed } = await app.admin.post<{ id: number }>('/api/clients', clientInput('Closing Lane Florist'));
    const clientIds = [firm.clients[2], closed.id, firm.clients[0]];
    await app.admin.delete(`/api/clients/${closed.id}`);
    const before = await list(app.admin, '?limit=1000');
    const { status, body } = await ask(app.admin, { clientIds });
    expect([status, body.code, body.fields]).toEqual([
      404,
      'not_found',
      { 'clientIds.1': 'This client is not there any more' },
    ]);
    expect(await list(app.admin, '?limit=1000')).toEqual(before);
    expect((await ask(app.admin, { clientIds: clientIds.filter((id) => id !== closed.id) })).body.ids).toHaveLength(2);
    const many = Array.from({ length: CLIENTS_ASKED_MAX }, (_, nth) => 900_000 + nth);
    const faults = (await ask(app.admin, { clientIds: many })).body.fields ?? {};
    expect(Object.keys(faults)).toHaveLength(FAULTS_MAX);
  });

  it('what may be left out is left out where it is blank, by staff and by the client', async () => {
    const { id, items } = await aRequest({ message: ' ', items: [{ name: 'Forms W-9', note: ' ' }] });
    expect((await of(cpa, id)).request.message).toBe('');
    expect(items.map(({ note }) => note)).toEqual(['']);
    const { status, body } = await sayNot(client, items[0], ' ');
    expect([status, body.answer]).toEqual([200, '']);
  });

  it('Admin keeps templates, and whoever asks reads them', async () => {
    const items = [{ name: 'Bank statements', note: 'All accounts' }];
    const save = (by: Caller, name: string) =>
      by.post<TemplateRow & ErrorBody>('/api/request-templates', { name, items });
    expect((await save(cpa, 'Mine')).status).toBe(403);
    const { body: made } = await save(app.admin, 'Year-end');
    expect((await save(app.admin, 'YEAR-END')).body.code).toBe('request_template_name_taken');
    const { body: other } = await save(app.admin, 'New client');
    const { body: accented } = await save(app.admin, 'Élan papers');
    expect((await cpa.get<TemplateRow[]>('/api/request-templates')).body).toEqual([accented, other, made]);
    expect((await app.admin.delete(`/api/request-templates/${accented.id}`)).status).toBe(204);
    expect((await client.get('/api/request-templates')).status).toBe(403);
    const path = `/api/request-templates/${made.id}`;
    expect((await app.admin.put<ErrorBody>(path, { name: 'New Client', items })).body.code).toBe(
      'request_template_name_taken',
    );
    const { body: renamed } = await app.admin.put<TemplateRow>(path, { name: 'Year-end papers', items });
    expect([renamed.name, renamed.version === made.version]).toEqual(['Year-end papers', false]);
    // Saved as it is, it is no change.
    expect((await app.admin.put<TemplateRow>(path, { name: 'Year-end papers', items })).body).toEqual(renamed);
    expect((await app.admin.delete(path)).status).toBe(204);
    expect((await app.admin.delete(path)).status).toBe(404);
    expect((await log(3)).map(([, details]) => details)).toEqual([
      'Deleted request template: Year-end papers',
      'Updated request template: Year-end papers',
      'Deleted request template: Élan papers',
    ]);
  });
});

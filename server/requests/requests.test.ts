// What staff ask clients for, over HTTP: asked, answered item by item, accepted or sent back, and nothing of it beyond reach.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import { activityLabel } from '#contract/activity-words.ts';
import type { BoardRow } from '#contract/completeness.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import { ITEMS_MAX } from '#contract/request-words.ts';
import type { RequestDetails, RequestItem, RequestRow, RequestSummary, TemplateRow } from '#contract/requests.ts';
import { addUser, CANARY, clientInput, type Firm } from '../testing/firm.ts';
import type { Answer, Caller, TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';
import { insertTestRequest } from '../testing/test-request.ts';

const DAY_MS = 86_400_000;

describe.each(DATABASE_KINDS)('what clients are asked for, on %s', { timeout: 60_000 }, (kind) => {
  let app: TestApp;
  let firm: Firm;
  let cpa: Caller;
  let client: Caller;

  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { clock: 'standing' }));
    ({ cpa, clientA: client } = firm.viewers);
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
  const sayNot = (by: Caller, item: { id: number }, note = '') =>
    by.post<RequestItem & ErrorBody>(`/api/request-items/${item.id}/does-not-apply`, { note });
  async function decide(by: Caller, item: { id: number }, body: object, version?: string) {
    const answer = await by.fetch(`/api/request-items/${item.id}/decide`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...(version === undefined ? {} : { 'if-match': `"${version}"` }) },
    });
    return { status: answer.status, body: (await answer.json()) as RequestItem & ErrorBody };
  }
  const accept = (by: Caller, item: { id: number }, version?: string) =>
    decide(by, item, { decision: 'accept' }, version);
  const sendBack = (by: Caller, item: { id: number }, reason = 'The second page is missing') =>
    decide(by, item, { decision: 'sendBack', reason });
  const log = async (entries: number) =>
    (await app.admin.get<ActivityRow[]>(`/api/activity-logs?limit=${entries}`)).body.map((entry) => [
      activityLabel(entry),
      entry.details,
    ]);
  const said = ({ status, body }: Pick<Answer<ErrorBody>, 'status' | 'body'>) => [status, body.code];

  it('staff ask, the client answers each item, staff accept or send back, and then it is done', async () => {
    const { id, items } = await aRequest();
    const [statements, forms] = items;
    expect(await log(1)).toEqual([['Requested', 'Requested Year-end package (2 items)']]);
    expect((await list(client)).find((row) => row.id === id)).toMatchObject({
      clientName: 'Harbor & Pine Bakery LLC',
      dueOn: dayIn(10),
      state: 'open',
      items: 2,
      owed: 2,
      toReview: 0,
      askedByName: 'Full cpa',
    });

    const first = await send(client, statements, { name: 'january.txt' });
    expect([first.status, first.body.state, first.body.files.map(({ name, place }) => [name, place])]).toEqual([
      201,
      'sent',
      [['january.txt', 'here']],
    ]);
    // It is a document of that client like any other: found by staff, new to them, and in the log.
    const { body: files } = await cpa.get<FileRow[]>(
      `/api/files?clientId=${firm.clients[0]}&fileType=company_document`,
    );
    expect(files.find((file) => file.originalName === 'january.txt')).toMatchObject({
      clientId: firm.clients[0],
      documentType: 'Supporting Document',
      isNew: true,
    });
    // Staff are told where it names another client, as of any upload.
    const judged = await app.database.reader.selectFrom('files_to_judge').select('file_id').execute();
    expect(judged.map((row) => row.file_id)).toContain(first.body.files[0]?.fileId);
    expect(await log(2)).toEqual([
      ['Sent', 'Sent for Year-end package, Bank statements: january.txt'],
      ['Uploaded', 'Uploaded file: january.txt'],
    ]);
    await send(client, statements, { name: 'february.txt' });
    const not = await sayNot(client, forms, 'We paid no contractors');
    expect([not.status, not.body.state, not.body.saidNot, not.body.answer]).toEqual([
      200,
      'doesNotApply',
      true,
      'We paid no contractors',
    ]);
    expect((await of(cpa, id)).request).toMatchObject({ owed: 0, toReview: 2 });

    const back = await sendBack(cpa, statements);
    expect([back.body.state, back.body.reason]).toEqual(['sentBack', 'The second page is missing']);
    expect((await of(client, id)).request).toMatchObject({ owed: 1, toReview: 1, state: 'open' });
    const again = await send(client, statements, { name: 'whole.txt' });
    expect([again.body.state, again.body.reason]).toEqual(['sent', '']);
    // What was sent before stays.
    expect(again.body.files.map(({ name }) => name)).toEqual(['january.txt', 'february.txt', 'whole.txt']);

    expect((await accept(cpa, statements)).body.state).toBe('accepted');
    expect((await of(cpa, id)).request.state).toBe('open');
    expect((await accept(cpa, forms)).body).toMatchObject({ state: 'accepted', saidNot: true });
    expect((await of(client, id)).request).toMatchObject({ state: 'done', owed: 0, toReview: 0 });
    expect((await log(6)).map(([label]) => label)).toEqual([
      'Accepted',
      'Accepted',
      'Sent',
      'Uploaded',
      'Sent back',
      'Does not apply',
    ]);
    expect(said(await send(client, statements))).toEqual([409, 'request_item_accepted']);
    expect(said(await sayNot(client, statements))).toEqual([409, 'request_item_accepted']);
    // What was accepted by mistake is sent back, and the request is open again.
    expect((await sendBack(cpa, forms, 'You did, in May')).status).toBe(200);
    expect((await of(client, id)).request).toMatchObject({ state: 'open', owed: 1 });
  });

  it('only what was answered is accepted or sent back, and only with a reason', async () => {
    const { items } = await aRequest();
    expect(said(await accept(cpa, items[0]))).toEqual([409, 'request_item_unanswered']);
    expect(said(await sendBack(cpa, items[0]))).toEqual([409, 'request_item_unanswered']);
    await send(client, items[0]);
    const silent = await decide(cpa, items[0], { decision: 'sendBack', reason: ' ' });
    expect([silent.status, silent.body.fields]).toEqual([400, { reason: 'Please say what is wrong' }]);
  });

  it('of two at once the later one is told: accepting what was sent anew since it was read, and sending what is accepted', async () => {
    const { items } = await aRequest();
    const { body: read } = await send(client, items[0]);
    app.advance(1000);
    await send(client, items[0], { name: 'newer.txt' });
    const late = await accept(cpa, items[0], read.version);
    expect(said(late)).toEqual([412, 'changed_meanwhile']);
    const { items: now } = await of(cpa, (await list(cpa, '?sort=-createdAt&limit=1'))[0]?.id);
    expect((await accept(cpa, items[0], now[0]?.version)).status).toBe(200);

    const both = await aRequest();
    await send(client, both.items[0]);
    const answers = await Promise.all([
      accept(cpa, both.items[0]),
      send(client, both.items[0]),
      accept(app.admin, both.items[0]),
    ]);
    const after = (await of(cpa, both.id)).items[0];
    const sentLate = answers[1];
    expect(after?.files).toHaveLength(sentLate.status === 201 ? 2 : 1);
    expect([201, 409]).toContain(sentLate.status);
    expect(answers[0].status === 200 || answers[2].status === 200).toBe(true);
  });

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
  });

  it('G103: out of reach is like missing, for requests, their items and what is sent for them', async () => {
    const far = await insertTestRequest(app, { clientId: firm.clients[1], states: ['open', 'sent'] });
    const stranger = firm.viewers.clientB;
    expect((await list(stranger)).map(({ id }) => id)).toContain(far.id);
    for (const by of [client, cpa]) {
      expect((await list(by, '?limit=1000')).map(({ id }) => id)).not.toContain(far.id);
      expect(await list(by, `?clientId=${firm.clients[1]}`)).toEqual([]);
      expect((await summary(by, `?clientId=${firm.clients[1]}`)).open).toBe(0);
      expect((await by.get(`/api/requests/${far.id}`)).status).toBe(404);
    }
    expect((await send(client, { id: far.itemIds[0] })).status).toBe(404);
    expect((await sayNot(client, { id: far.itemIds[0] })).status).toBe(404);
    const farSent = { id: far.itemIds[1] ?? 0 };
    expect((await accept(cpa, farSent)).status).toBe(404);
    expect((await sendBack(cpa, farSent)).status).toBe(404);
    expect((await cpa.post(`/api/requests/${far.id}/close`)).status).toBe(404);
    expect((await ask(cpa, { clientIds: [firm.clients[0], firm.clients[1]] })).status).toBe(404);
    // Of several clients none is asked where one is out of reach.
    expect((await list(app.admin, `?clientId=${firm.clients[1]}`)).map(({ id }) => id)).toEqual([far.id]);
    expect(JSON.stringify(await list(client, '?limit=1000'))).not.toContain(CANARY);
  });

  it('G104: nobody answers or decides who may not: staff without the permission, a client who may not upload, in a look', async () => {
    const { id, items } = await aRequest();
    const { bookkeeper } = firm.viewers;
    expect((await bookkeeper.get('/api/requests')).status).toBe(403);
    expect((await bookkeeper.get(`/api/requests/${id}`)).status).toBe(403);
    expect((await ask(client)).status).toBe(403);
    expect((await send(cpa, items[0])).status).toBe(403);
    expect((await send(app.admin, items[0])).status).toBe(403);
    await send(client, items[0]);
    expect((await accept(client, items[0])).status).toBe(403);

    const { body: look } = await app.admin.post<{ token: string }>(`/api/users/${firm.users.clientA}/look`);
    const looking = new (client.constructor as new (origin: string, token: string) => Caller)(app.origin, look.token);
    expect((await of(looking, id)).items).toHaveLength(2);
    for (const answer of [await send(looking, items[1]), await sayNot(looking, items[1])]) {
      expect(said(answer)).toEqual([403, 'look_reads_only']);
    }

    const rights = (capabilities: string[]) =>
      app.admin.put('/api/permissions', { roleId: firm.roles.client, capabilities });
    await rights([]);
    expect((await client.get('/api/requests')).status).toBe(403);
    expect((await send(client, items[1])).status).toBe(403);
    expect((await summaryStatus(client)).status).toBe(403);
    // Managing is for staff alone, whatever the Client role is given.
    await rights(['documents.upload', 'requests.manage']);
    expect((await accept(client, items[0])).status).toBe(403);
    await rights(['documents.upload']);
    expect((await of(client, id)).items[1]?.state).toBe('open');
  });
  const summaryStatus = (by: Caller) => by.get('/api/requests/summary');

  it('G105: the same upload sent twice is one file for one item, and a key used for another item is refused', async () => {
    const { id, items } = await aRequest();
    const once = await send(client, items[0], { key: 'one', bytes: 'same', name: 'same.txt' });
    const twice = await send(client, items[0], { key: 'one', bytes: 'same', name: 'same.txt' });
    expect([once.status, twice.status, twice.body.files.length]).toEqual([201, 201, 1]);
    const other = await send(client, items[1], { key: 'one', bytes: 'same', name: 'same.txt' });
    expect(said(other)).toEqual([422, 'idempotency_mismatch']);
    expect(other.body.files).toBeUndefined();
    const { body: plain } = await client.upload<FileRow>({
      fields: { clientId: firm.clients[0], fileType: 'company_document', documentType: 'Supporting Document' },
      bytes: 'plain',
      headers: { 'idempotency-key': 'two' },
    });
    expect(said(await send(client, items[1], { key: 'two', bytes: 'plain' }))).toEqual([422, 'idempotency_mismatch']);
    expect(plain.id).toBeGreaterThan(0);
    // No field says where it goes: the item does.
    const fields = { clientId: firm.clients[1] };
    const told = await client.upload({ path: `/api/request-items/${items[1].id}/files`, fields });
    expect(told.status).toBe(400);
    // An answer that was lost is given again, whatever became of the item since. Nothing else is taken.
    const late = (more: { key?: string; bytes?: string } = {}) =>
      send(client, items[0], { key: 'one', bytes: 'same', name: 'same.txt', ...more });
    expect((await accept(cpa, items[0])).status).toBe(200);
    const accepted = await late();
    expect([accepted.status, accepted.body.state, accepted.body.files]).toEqual([201, 'accepted', once.body.files]);
    expect(said(await late({ key: 'three' }))).toEqual([409, 'request_item_accepted']);
    await cpa.post(`/api/requests/${id}/close`);
    const closed = await late();
    expect([closed.status, closed.body.files]).toEqual([201, once.body.files]);
    expect(said(await late({ key: 'three' }))).toEqual([409, 'request_closed']);
    expect(said(await late({ bytes: 'other' }))).toEqual([422, 'idempotency_mismatch']);
  });

  it('that an item does not apply is said once, also where it is sent again, until it is sent back', async () => {
    const { id, items } = await aRequest();
    const once = await sayNot(client, items[0], 'We had none');
    expect(once.status).toBe(200);
    const entries = await log(2);
    expect(entries[0]?.[0]).toBe('Does not apply');
    const [twice, together] = await Promise.all([
      sayNot(client, items[0], 'We had none'),
      sayNot(client, items[0], 'We had none'),
    ]);
    expect([twice, together].map(({ status, body }) => [status, body])).toEqual([
      [200, once.body],
      [200, once.body],
    ]);
    expect(await log(2)).toEqual(entries);
    // In other words it is another answer.
    const reworded = await sayNot(client, items[0], 'We had none this year');
    expect([reworded.status, reworded.body.answer]).toEqual([200, 'We had none this year']);
    expect((await accept(cpa, items[0])).status).toBe(200);
    const late = await sayNot(client, items[0], 'We had none this year');
    expect([late.status, late.body.state]).toEqual([200, 'accepted']);
    expect(said(await sayNot(client, items[0], 'We had one'))).toEqual([409, 'request_item_accepted']);
    expect((await sendBack(cpa, items[0], 'You had one')).status).toBe(200);
    expect((await sayNot(client, items[0], 'We had none this year')).body.state).toBe('doesNotApply');
    expect((await of(cpa, id)).request).toMatchObject({ owed: 1, toReview: 1 });
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

  it('G106: what is deleted or filed out of sight shows so on the item, and names nothing of where it is', async () => {
    const { id, items } = await aRequest();
    const { body: first } = await send(client, items[0], { name: 'kept.txt' });
    const { body: second } = await send(client, items[0], { name: 'moved.txt' });
    const [kept, moved] = [first.files[0]?.fileId, second.files[1]?.fileId];
    expect((await client.delete(`/api/files/${kept}`)).status).toBe(204);
    const places = async (by: Caller) => (await of(by, id)).items[0]?.files.map(({ name, place }) => [name, place]);
    expect(await places(client)).toEqual([
      ['kept.txt', 'gone'],
      ['moved.txt', 'here'],
    ]);
    await app.admin.put(`/api/files/${moved}`, { clientId: firm.clients[1], originalName: `${CANARY} moved.txt` });
    expect(await places(client)).toEqual([
      ['kept.txt', 'gone'],
      ['moved.txt', 'gone'],
    ]);
    expect(await places(app.admin)).toEqual([
      ['kept.txt', 'gone'],
      [`${CANARY} moved.txt`, 'elsewhere'],
    ]);
    expect((await client.post(`/api/files/${kept}/restore`)).status).toBe(200);
    expect((await places(client))?.[0]).toEqual(['kept.txt', 'here']);
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

// Which files are new to a Client user, over HTTP: marked in lists, counted by report type, and no longer new once opened.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileDetails, FileRow, NewFiles } from '#contract/files.ts';
import { addUser, type Firm, makeFirm } from '../../testing/firm.ts';
import { type Caller, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';

const DAY_MS = 24 * 60 * 60_000;

describe.each(DATABASE_KINDS)('files new to a Client on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let client: Caller;
  let clientId: number;
  let types: Firm['reportTypes'];
  beforeAll(async () => {
    app = await startTestApp(kind);
    firm = await makeFirm(app);
    [clientId] = firm.clients;
    types = firm.reportTypes;
    client = firm.viewers.clientA;
  });
  afterAll(() => app.close());

  const upload = async (by: Caller, place: Record<string, string | number>) => {
    const { status, body } = await by.upload<FileRow>({ name: 'a file.txt', fields: { clientId, ...place } });
    expect([status, body.isNew]).toEqual([201, false]);
    return body.id;
  };
  const report = (type = types[0], by = app.admin) => upload(by, { fileType: 'report', reportTypeId: type });
  const document = (by = app.admin) => upload(by, { fileType: 'company_document' });
  const newIn = async (by: Caller, path = '/api/files') =>
    (await by.get<FileRow[]>(path)).body.flatMap(({ id, isNew }) => (isNew ? [id] : [])).sort((a, b) => a - b);
  const counts = async (by: Caller) => (await by.get<NewFiles>('/api/files/news')).body;
  const none: NewFiles = { reports: [], documents: 0 };
  const openAll = async () => {
    const ids = await newIn(client);
    if (ids.length === 0) return;
    const response = await client.fetch('/api/files/archive', {
      method: 'POST',
      body: JSON.stringify({ ids }),
      headers: { 'content-type': 'application/json' },
    });
    expect([response.status, (await response.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
  };

  it('are marked and counted until they are viewed, downloaded, or leave in a ZIP', async () => {
    await openAll();
    expect(await counts(client)).toEqual(none);
    const ids = [await report(), await report(), await report(), await document(), await document()];
    expect(await newIn(client)).toEqual(ids);
    expect(await newIn(client, `/api/files?fileType=report&sort=clientName`)).toEqual(ids.slice(0, 3));
    expect((await client.get<FileDetails>(`/api/files/${ids[0]}/facts`)).body.file.isNew).toBe(true);
    expect(await counts(client)).toEqual({ reports: [{ reportTypeId: types[0], count: 3 }], documents: 2 });
    expect((await client.get(`/api/files/${ids[0]}/view`)).status).toBe(200);
    expect((await client.get(`/api/files/${ids[3]}/download`)).status).toBe(200);
    // Twice is once.
    expect((await client.get(`/api/files/${ids[3]}/download`)).status).toBe(200);
    expect(await newIn(client)).toEqual([ids[1], ids[2], ids[4]]);
    expect(await counts(client)).toEqual({ reports: [{ reportTypeId: types[0], count: 2 }], documents: 1 });
    await openAll();
    expect([await newIn(client), await counts(client)]).toEqual([[], none]);
  });

  it('are one’s own to open: another Client’s opening changes nothing, and staff have none', async () => {
    const lists = { clientIds: [clientId], reportTypeIds: [types[0]] };
    const other = (await addUser(app, 'other.client', firm.roles.client, lists)).caller;
    await openAll();
    const id = await report();
    expect((await other.get(`/api/files/${id}/view`)).status).toBe(200);
    expect([await newIn(other), await newIn(client)]).toEqual([[], [id]]);
    for (const staff of [app.admin, firm.viewers.cpa, firm.viewers.bookkeeper]) {
      expect([await newIn(staff), await counts(staff)]).toEqual([[], none]);
    }
  });

  it('are counted of one client where it is named, and of nobody else’s', async () => {
    await openAll();
    const id = await report();
    const ofClient = async (of: number | undefined) =>
      (await client.get<NewFiles>(`/api/files/news?clientId=${of}`)).body;
    expect(await ofClient(clientId)).toEqual({ reports: [{ reportTypeId: types[0], count: 1 }], documents: 0 });
    await app.admin.upload({ fields: { clientId: firm.clients[1], fileType: 'company_document' } });
    expect(await ofClient(firm.clients[1])).toEqual(none);
    expect((await client.get('/api/files/news?clientId=none')).status).toBe(400);
    expect((await client.get(`/api/files/${id}/view`)).status).toBe(200);
    expect(await ofClient(clientId)).toEqual(none);
  });

  it('G25: are those in reach alone', async () => {
    await openAll();
    await report(types[1]);
    await app.admin.upload({ fields: { clientId: firm.clients[1], fileType: 'company_document' } });
    expect([await newIn(client), await counts(client)]).toEqual([[], none]);
    const opened = await app.database.reader.selectFrom('file_opens').select('user_id').distinct().execute();
    // Nobody else's openings are kept.
    expect(opened.every(({ user_id }) => user_id !== firm.users.cpa)).toBe(true);
  });

  it('are neither one’s own, nor older than the account or than sixty days', async () => {
    await openAll();
    await document(client);
    expect(await newIn(client)).toEqual([]);
    const early = await report();
    const lists = { clientIds: [clientId], reportTypeIds: [types[0]] };
    const { caller: late } = await addUser(app, 'late.client', firm.roles.client, lists);
    expect([await newIn(late), await newIn(client)]).toEqual([[], [early]]);
    app.advance(59 * DAY_MS);
    const [again] = await Promise.all([app.login('clientA', 'viewer password')]);
    expect(await newIn(again)).toEqual([early]);
    expect((await counts(again)).reports).toEqual([{ reportTypeId: types[0], count: 1 }]);
    app.advance(DAY_MS + 60_000);
    expect([await newIn(again), await counts(again)]).toEqual([[], none]);
    await app.context.runMaintenance();
    const kept = await app.database.reader.selectFrom('file_opens').selectAll().execute();
    expect(kept).toEqual([]);
  });
});

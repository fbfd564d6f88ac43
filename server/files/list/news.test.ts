// Which files are new to a person, over HTTP: marked in lists, counted by report type, and no longer new once opened.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileDetails, FileRow } from '#contract/files.ts';
import type { NewFiles } from '#contract/new-files.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { addUser, type Firm } from '../../testing/firm.ts';
import type { Caller, TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';

describe.each(DATABASE_KINDS)('files new to a Client on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let client: Caller;
  let clientId: number;
  let types: Firm['reportTypes'];
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
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
  const none: NewFiles = { reports: [], documents: 0, unopenedByStaff: 0 };
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
    expect(await counts(client)).toEqual({
      reports: [{ reportTypeId: types[0], count: 3 }],
      documents: 2,
      unopenedByStaff: 0,
    });
    expect((await client.get(`/api/files/${ids[0]}/view`)).status).toBe(200);
    expect((await client.get(`/api/files/${ids[3]}/download`)).status).toBe(200);
    // Twice is once.
    expect((await client.get(`/api/files/${ids[3]}/download`)).status).toBe(200);
    expect(await newIn(client)).toEqual([ids[1], ids[2], ids[4]]);
    expect(await counts(client)).toEqual({
      reports: [{ reportTypeId: types[0], count: 2 }],
      documents: 1,
      unopenedByStaff: 0,
    });
    await openAll();
    expect([await newIn(client), await counts(client)]).toEqual([[], none]);
  });

  it('are one’s own to open: another Client’s opening changes nothing, and a report is new to nobody of staff', async () => {
    const lists = { clientIds: [clientId], reportTypeIds: [types[0]] };
    const other = (await addUser(app, 'other.client', firm.roles.client, lists)).caller;
    await openAll();
    const id = await report();
    expect((await other.get(`/api/files/${id}/view`)).status).toBe(200);
    expect([await newIn(other), await newIn(client)]).toEqual([[], [id]]);
    for (const staff of [app.admin, firm.viewers.cpa, firm.viewers.bookkeeper]) {
      expect([(await newIn(staff)).includes(id), (await counts(staff)).reports]).toEqual([false, []]);
    }
  });

  it('are counted of one client where it is named, and of nobody else’s', async () => {
    await openAll();
    const id = await report();
    const ofClient = async (of: number | undefined) =>
      (await client.get<NewFiles>(`/api/files/news?clientId=${of}`)).body;
    expect(await ofClient(clientId)).toEqual({
      reports: [{ reportTypeId: types[0], count: 1 }],
      documents: 0,
      unopenedByStaff: 0,
    });
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
    // Of staff, only what they opened of Client users is kept.
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

describe.each(DATABASE_KINDS)('documents of Client users new to staff on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let clientId: number;
  let place: { readonly clientId: number; readonly fileType: string };
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
    [clientId] = firm.clients;
    place = { clientId, fileType: 'company_document' };
  });
  afterAll(() => app.close());

  const send = async (by: Caller, fields: Record<string, string | number> = place, name = 'W-9.txt') =>
    (await by.upload<FileRow>({ name, fields })).body.id;
  const counts = async (by: Caller, query = '') => {
    const { reports, ...others } = (await by.get<NewFiles>(`/api/files/news${query}`)).body;
    expect(reports).toEqual([]);
    return others;
  };
  const ids = (rows: readonly FileRow[]) => rows.map(({ id }) => id);
  const newIn = async (by: Caller, path = '/api/files') =>
    (await by.get<FileRow[]>(path)).body.flatMap(({ id, isNew }) => (isNew ? [id] : []));
  const filtered = async (by: Caller, more = '') => ids((await by.get<FileRow[]>(`/api/files?isNew=true${more}`)).body);
  const open = async (by: Caller, id: number) => expect((await by.get(`/api/files/${id}/view`)).status).toBe(200);
  /** Whatever the tests before have left. */
  const openAll = async () => {
    for (const by of [app.admin, firm.viewers.cpa, firm.viewers.bookkeeper]) {
      for (const id of await filtered(by)) await open(by, id);
    }
  };

  it('are marked, counted and listed until that person opens them, and told to whoever waits until one of staff does', async () => {
    const { clientA, cpa, bookkeeper } = firm.viewers;
    await openAll();
    const [older, newer] = [await send(clientA), await send(clientA)];
    for (const staff of [app.admin, cpa, bookkeeper]) {
      expect([await newIn(staff), await filtered(staff)]).toEqual([
        [newer, older],
        [newer, older],
      ]);
      expect(await counts(staff)).toEqual({ documents: 2, unopenedByStaff: 2 });
    }
    await open(cpa, older);
    expect([await filtered(cpa), await counts(cpa)]).toEqual([[newer], { documents: 1, unopenedByStaff: 1 }]);
    // Others of staff have not opened it, and it waits for nobody.
    expect([await filtered(bookkeeper), await counts(bookkeeper)]).toEqual([
      [newer, older],
      { documents: 2, unopenedByStaff: 1 },
    ]);
    const response = await bookkeeper.fetch('/api/files/archive', {
      method: 'POST',
      body: JSON.stringify({ matching: { isNew: 'true' } }),
      headers: { 'content-type': 'application/json' },
    });
    expect([response.status, (await response.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
    expect([await filtered(bookkeeper), await counts(bookkeeper)]).toEqual([[], { documents: 0, unopenedByStaff: 0 }]);
    expect((await cpa.get<FileDetails>(`/api/files/${newer}/facts`)).body.file.isNew).toBe(true);
  });

  it('follow the client, the other filters and the export', async () => {
    const { clientA, cpa } = firm.viewers;
    await openAll();
    const id = await send(clientA, { ...place, documentType: 'Tax Return' }, 'Return 2025.txt');
    await send(clientA, place, 'Letter.txt');
    expect(await filtered(app.admin, `&documentType=Tax Return&clientId=${clientId}&sort=clientName&q=return`)).toEqual(
      [id],
    );
    expect(await filtered(app.admin, '&fileType=report')).toEqual([]);
    expect(await filtered(app.admin, `&clientId=${firm.clients[1]}`)).toEqual([]);
    expect(await counts(app.admin, `?clientId=${firm.clients[1]}`)).toEqual({ documents: 0, unopenedByStaff: 0 });
    expect(await counts(app.admin, `?clientId=${clientId}`)).toEqual({ documents: 2, unopenedByStaff: 2 });
    const table = await (await cpa.fetch('/api/files/export?isNew=true&documentType=Tax%20Return')).text();
    expect(table.trim().split('\n')).toEqual([expect.any(String), expect.stringContaining('Return 2025.txt')]);
    for (const value of ['1', 'false']) expect((await cpa.get(`/api/files?isNew=${value}`)).status).toBe(400);
    // A Client user has one's own.
    const own = await send(app.admin);
    expect(await filtered(clientA)).toContain(own);
    expect(await filtered(clientA)).not.toContain(id);
  });

  it('are those in reach, and neither what staff sent nor what became a report', async () => {
    const { clientA, clientB, cpa, listless } = firm.viewers;
    await openAll();
    const far = await send(clientB, { ...place, clientId: firm.clients[1] });
    await send(app.admin);
    expect([await filtered(cpa), await counts(cpa)]).toEqual([[], { documents: 0, unopenedByStaff: 0 }]);
    expect([await filtered(app.admin), await counts(app.admin)]).toEqual([[far], { documents: 1, unopenedByStaff: 1 }]);
    expect([await filtered(listless), await counts(listless)]).toEqual([[], { documents: 0, unopenedByStaff: 0 }]);
    const moved = await send(clientA);
    expect(await filtered(cpa)).toEqual([moved]);
    const change = { fileType: 'report', reportTypeId: firm.reportTypes[0] };
    expect((await app.admin.put(`/api/files/${moved}`, change)).status).toBe(200);
    expect([await filtered(cpa), await counts(cpa)]).toEqual([[], { documents: 0, unopenedByStaff: 0 }]);
  });

  it('stay with the trash: what comes back is as it was', async () => {
    const { clientA, cpa, bookkeeper } = firm.viewers;
    await openAll();
    const id = await send(clientA);
    await open(cpa, id);
    expect((await app.admin.delete(`/api/files/${id}`)).status).toBe(204);
    expect([await filtered(bookkeeper), await counts(bookkeeper)]).toEqual([[], { documents: 0, unopenedByStaff: 0 }]);
    expect((await app.admin.post(`/api/files/${id}/restore`)).status).toBe(200);
    expect([await filtered(bookkeeper), await filtered(cpa)]).toEqual([[id], []]);
    expect(await counts(bookkeeper)).toEqual({ documents: 1, unopenedByStaff: 0 });
  });

  it('are those of the last sixty days, and of the time of the account', async () => {
    const { clientA } = firm.viewers;
    await openAll();
    const id = await send(clientA);
    const lists = { clientIds: [clientId], reportTypeIds: [] };
    const { caller: late } = await addUser(app, 'late.staff', firm.roles.bookkeeper, lists);
    // Who waits is no matter of the account.
    expect([await filtered(late), await counts(late)]).toEqual([[], { documents: 0, unopenedByStaff: 1 }]);
    app.advance(59 * DAY_MS);
    const [cpa] = await Promise.all([app.login('cpa', 'viewer password')]);
    expect([await filtered(cpa), await counts(cpa)]).toEqual([[id], { documents: 1, unopenedByStaff: 1 }]);
    app.advance(DAY_MS + 60_000);
    expect([await filtered(cpa), await counts(cpa)]).toEqual([[], { documents: 0, unopenedByStaff: 0 }]);
  });
});

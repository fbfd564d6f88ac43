// Who of its client's people sees a file and whether one of them opened it, over HTTP: the facts of rows, the filter, and who is told.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileReaders, FileRow } from '#contract/files.ts';
import { MINUTE_MS } from '../platform/clock.ts';
import { addRole, addUser, type Firm } from '../testing/firm.ts';
import type { Caller, TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';

describe.each(DATABASE_KINDS)('who sees and who opened reports on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let clientId: number;
  let types: Firm['reportTypes'];
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { clock: 'standing' }));
    [clientId] = firm.clients;
    types = firm.reportTypes;
  });
  afterAll(() => app.close());

  const send = async (place: Record<string, string | number> = {}, by: Caller = app.admin, name = 'Journal.txt') => {
    const fields = { clientId, fileType: 'report', reportTypeId: types[0], ...place };
    const { status, body } = await by.upload<FileRow>({ name, fields });
    expect(status).toBe(201);
    return body.id;
  };
  const readersOf = async (by: Caller, ...ids: number[]) => {
    const { status, body } = await by.get<{ readers: FileReaders[] }>(`/api/files/readers?ids=${ids.join()}`);
    return status === 200 ? body.readers : status;
  };
  const of = async (id: number) => {
    const [found] = (await readersOf(app.admin, id)) as FileReaders[];
    return found;
  };
  const open = async (by: Caller, id: number, how = 'view') =>
    expect((await by.get(`/api/files/${id}/${how}`)).status).toBe(200);
  const unopened = async (by: Caller, more = '') =>
    (await by.get<FileRow[]>(`/api/files?opened=false${more}`)).body.map(({ id }) => id);
  const at = (ms: number) => new Date(ms).toISOString();

  it('counts the Client users whose two lists have it, and nobody else', async () => {
    const [reached, otherType, untyped] = [
      await send(),
      await send({ reportTypeId: types[1] }),
      await send({ reportTypeId: '' }),
    ];
    expect(await readersOf(app.admin, reached, otherType, untyped)).toEqual([
      { fileId: reached, people: 1, openedAt: null },
      { fileId: otherType, people: 0, openedAt: null },
      { fileId: untyped, people: 0, openedAt: null },
    ]);
    const lists = { clientIds: [clientId, firm.clients[2]], reportTypeIds: [types[0], types[1]] };
    const { id } = await addUser(app, 'second.owner', firm.roles.client, lists);
    expect([(await of(reached))?.people, (await of(otherType))?.people, (await of(untyped))?.people]).toEqual([
      2, 1, 0,
    ]);
    expect((await app.admin.delete(`/api/users/${id}`)).status).toBe(204);
    expect([(await of(reached))?.people, (await of(otherType))?.people]).toEqual([1, 0]);
  });

  it('counts all Client users of the client of a company document that the firm sent', async () => {
    const fields = { clientId, fileType: 'company_document' };
    const upload = async (by: Caller) => (await by.upload<FileRow>({ name: 'Lease.txt', fields })).body.id;
    const [ofFirm, ofClient] = [await upload(app.admin), await upload(firm.viewers.clientA)];
    const { id } = await addUser(app, 'untyped.owner', firm.roles.client, { clientIds: [clientId] });
    const report = await send();
    expect(await readersOf(app.admin, ofFirm, ofClient, report)).toEqual([
      { fileId: ofFirm, people: 2, openedAt: null },
      { fileId: report, people: 1, openedAt: null },
    ]);
    const first = app.now();
    await open(firm.viewers.clientA, ofFirm);
    expect(await of(ofFirm)).toEqual({ fileId: ofFirm, people: 2, openedAt: at(first) });
    expect((await app.admin.delete(`/api/users/${id}`)).status).toBe(204);
  });

  it('was opened when one of the client’s people views or downloads it: not by staff, by a range of the same view, or by a look at its head', async () => {
    const id = await send();
    for (const staff of [app.admin, firm.viewers.cpa, firm.viewers.bookkeeper]) await open(staff, id);
    expect(await of(id)).toEqual({ fileId: id, people: 1, openedAt: null });
    expect((await firm.viewers.clientA.fetch(`/api/files/${id}/view`, { method: 'HEAD' })).status).toBe(200);
    expect((await of(id))?.openedAt).toBeNull();
    const first = app.now();
    await open(firm.viewers.clientA, id);
    expect((await of(id))?.openedAt).toBe(at(first));
    app.advance(5 * MINUTE_MS);
    const range = await firm.viewers.clientA.fetch(`/api/files/${id}/view`, { headers: { range: 'bytes=3-4' } });
    expect([range.status, (await of(id))?.openedAt]).toEqual([206, at(first)]);
    app.advance(30 * MINUTE_MS);
    await open(firm.viewers.clientA, id, 'download');
    expect((await of(id))?.openedAt).toBe(at(first + 35 * MINUTE_MS));
    // Also alone in a ZIP of the list.
    app.advance(MINUTE_MS);
    const zip = await firm.viewers.clientA.fetch('/api/files/archive', {
      method: 'POST',
      body: JSON.stringify({ ids: [id] }),
      headers: { 'content-type': 'application/json' },
    });
    expect([zip.status, (await zip.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
    expect((await of(id))?.openedAt).toBe(at(first + 36 * MINUTE_MS));
  });

  it('is not opened by its uploader, though that is one of the client’s people', async () => {
    expect(
      (await app.admin.put('/api/permissions', { roleId: firm.roles.client, capabilities: ['reports.upload'] })).status,
    ).toBe(200);
    const id = await send({}, firm.viewers.clientA);
    await open(firm.viewers.clientA, id);
    expect(await of(id)).toEqual({ fileId: id, people: 1, openedAt: null });
    expect(
      (await app.admin.put('/api/permissions', { roleId: firm.roles.client, capabilities: ['documents.upload'] }))
        .status,
    ).toBe(200);
  });

  it('are told to staff who read the log of the client or may ask who sees what, as far as they reach the report', async () => {
    const { cpa, clientA, bookkeeper } = firm.viewers;
    const [near, far, document] = [
      await send(),
      await send({ clientId: firm.clients[1] }),
      (await app.admin.upload<FileRow>({ fields: { clientId, fileType: 'company_document' } })).body.id,
    ];
    expect(await readersOf(app.admin, near, far, document, 999_999)).toHaveLength(3);
    expect(await readersOf(cpa, near, far, document)).toEqual([
      { fileId: near, people: 1, openedAt: null },
      { fileId: document, people: 1, openedAt: null },
    ]);
    for (const by of [clientA, bookkeeper]) expect(await readersOf(by, near)).toBe(403);
    // Whatever a role of Client users may.
    await app.admin.put('/api/permissions', {
      roleId: firm.roles.client,
      capabilities: ['activity.read-clients', 'users.manage'],
    });
    expect([await readersOf(clientA, near), await unopened(clientA)]).toEqual([403, []]);
    await app.admin.put('/api/permissions', { roleId: firm.roles.client, capabilities: ['documents.upload'] });
    const keeper = await addRole(app, 'Keeper of people', ['users.manage']);
    const { caller } = await addUser(app, 'keeper', keeper, { clientIds: [clientId], reportTypeIds: [types[0]] });
    expect(await readersOf(caller, near, far)).toEqual([{ fileId: near, people: 1, openedAt: null }]);
    for (const wrong of ['', '?ids=', '?ids=a', '?ids=1&more=1']) {
      expect((await cpa.get(`/api/files/readers${wrong}`)).status).toBe(400);
    }
  });

  it('narrow lists, exports and ZIPs to what is not opened, for whoever may know it', async () => {
    const { cpa, clientA, bookkeeper } = firm.viewers;
    const place = { reportTypeId: types[1] };
    const [other] = [await send(place)];
    const [opened, waiting] = [await send({}, app.admin, 'Opened.txt'), await send({}, app.admin, 'Waiting.txt')];
    await open(clientA, opened);
    const all = await unopened(app.admin);
    expect([all.includes(waiting), all.includes(other), all.includes(opened)]).toEqual([true, true, false]);
    for (const more of [
      '',
      '&fileType=report',
      '&sort=originalName',
      '&sort=-size',
      '&sort=clientName',
      '&sort=reportTypeName',
      '&sort=period',
    ]) {
      const found = await unopened(cpa, `&limit=100&clientId=${clientId}${more}`);
      expect([more, found.includes(waiting), found.includes(opened)]).toEqual([more, true, false]);
    }
    expect(await unopened(app.admin, '&q=waiting')).toEqual([waiting]);
    expect(await unopened(cpa, `&reportTypeId=${types[0]}&q=opened.txt`)).toEqual([]);
    expect(await unopened(cpa, `&reportTypeId=${types[1]}`)).toContain(other);
    expect(await unopened(app.admin, '&fileType=company_document')).toEqual([]);
    const { headers } = await app.admin.get('/api/files?opened=false&limit=1');
    expect(headers.get('x-total-count')).toBe(String(all.length));
    const table = await (await cpa.fetch('/api/files/export?opened=false&q=.txt')).text();
    expect([table.includes('Waiting.txt'), table.includes('Opened.txt')]).toEqual([true, false]);
    const facts = await cpa.get<{ older: { id: number } | null }>(`/api/files/${waiting}/facts?opened=false`);
    expect(facts.body.older?.id).not.toBe(opened);
    for (const by of [clientA, bookkeeper]) {
      expect(await unopened(by)).toEqual([]);
      const empty = await by.fetch('/api/files/export?opened=false');
      expect([empty.status, (await empty.text()).trim().split('\n')]).toEqual([200, [expect.any(String)]]);
    }
    for (const value of ['true', '1']) expect((await cpa.get(`/api/files?opened=${value}`)).status).toBe(400);
  });

  it('go with a report into the trash and to another type, and not to another client', async () => {
    const id = await send();
    const first = app.now();
    await open(firm.viewers.clientA, id);
    expect((await app.admin.delete(`/api/files/${id}`)).status).toBe(204);
    expect((await app.admin.post(`/api/files/${id}/restore`)).status).toBe(200);
    expect((await of(id))?.openedAt).toBe(at(first));
    const refile = async (change: object) => expect((await app.admin.put(`/api/files/${id}`, change)).status).toBe(200);
    await refile({ reportTypeId: types[1] });
    expect(await of(id)).toEqual({ fileId: id, people: 0, openedAt: at(first) });
    await refile({ clientId: firm.clients[1], reportTypeId: types[0] });
    expect(await of(id)).toEqual({ fileId: id, people: 1, openedAt: null });
    expect(await unopened(app.admin)).toContain(id);
    app.advance(MINUTE_MS);
    await open(firm.viewers.clientB, id);
    expect((await of(id))?.openedAt).toBe(at(first + MINUTE_MS));
    // Back, it is as opened as it was.
    await refile({ clientId });
    expect(await of(id)).toEqual({ fileId: id, people: 1, openedAt: at(first) });
  });
});

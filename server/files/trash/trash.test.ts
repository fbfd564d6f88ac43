// The trash over HTTP: what is deleted comes back as it was, for those who may, until it is purged.
import { describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import type { TrashRow } from '#contract/trash.ts';
import type { UserRow } from '#contract/users.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { tablesOf } from '../../platform/db/tables.ts';
import { addUser, clientInput, type Firm } from '../../testing/firm.ts';
import { refused } from '../../testing/refusal.ts';
import type { Caller, TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { trashFirm } from '../../testing/trash-firm.ts';
import { BELONGINGS, ENDS_WITH_THEM } from './client-rows.ts';

describe.each(DATABASE_KINDS)('the trash on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  const { removeFile, restoreFile, restoreClient, trashOf, namesIn, bytesOf, stateOfFirm } = trashFirm(kind, (met) => {
    ({ app, firm } = met);
  });

  it('G29: a file that was deleted is gone for everybody, and comes back under its id with all that it had', async () => {
    const { f1 } = firm.files;
    // Opened, so that it is not new to this person any more.
    expect(await bytesOf(firm.viewers.clientA, f1)).toBe('bytes of f1.txt');
    const before = await stateOfFirm();
    const facts = (await app.admin.get(`/api/files/${f1.id}/facts`)).body;
    await removeFile(firm.viewers.cpa, f1);

    for (const path of ['facts', 'download', 'view']) {
      expect((await app.admin.get(`/api/files/${f1.id}/${path}`)).status).toBe(404);
    }
    expect((await app.admin.get(`/api/files/${f1.id}`)).status).toBe(404);
    expect((await app.admin.post(`/api/files/${f1.id}/view-ticket`)).status).toBe(404);
    expect((await app.admin.put(`/api/files/${f1.id}`, { originalName: 'x.txt' })).status).toBe(404);
    expect((await app.admin.delete(`/api/files/${f1.id}`)).status).toBe(404);
    const listed = await app.admin.get<FileRow[]>('/api/files?q=f1');
    expect([listed.body, listed.headers.get('x-total-count')]).toEqual([[], '0']);
    expect((await app.admin.get<string>('/api/files/export')).body).not.toContain('f1.txt');
    const there = {
      clientId: f1.clientId,
      fileType: 'report',
      reportTypeId: f1.reportTypeId,
      name: 'f1.txt',
      size: f1.size,
    };
    expect((await app.admin.post('/api/files/already-there', { files: [there] })).body).toEqual({ found: [] });

    const [entry] = await trashOf(firm.viewers.cpa);
    expect(entry).toMatchObject({
      kind: 'file',
      id: f1.id,
      name: 'f1.txt',
      clientName: f1.clientName,
      deletedByName: 'Full cpa',
    });
    expect(Date.parse(entry?.goneAt ?? '') - Date.parse(entry?.deletedAt ?? '')).toBe(30 * DAY_MS);

    const restored = await restoreFile(firm.viewers.cpa, f1);
    expect([restored.status, restored.body]).toEqual([200, f1]);
    expect((await app.admin.get(`/api/files/${f1.id}/facts`)).body).toEqual(facts);
    expect(await bytesOf(firm.viewers.cpa, f1)).toBe('bytes of f1.txt');
    expect(await stateOfFirm()).toEqual(before);
    expect(await trashOf(app.admin)).toEqual([]);
    // What nobody ever had before gets another id.
    const { id: next } = (await app.admin.upload<FileRow>({ fields: { clientId: f1.clientId, fileType: 'report' } }))
      .body;
    expect(next).toBeGreaterThan(firm.files.f5.id);
  });

  it('G29: the log says who restored what, in the log of the client too', async () => {
    const { f1 } = firm.files;
    await removeFile(firm.viewers.cpa, f1);
    await restoreFile(app.admin, f1);
    const log = await firm.viewers.cpa.get<ActivityRow[]>(`/api/activity-logs?clientId=${f1.clientId}&fileId=${f1.id}`);
    expect(log.body.slice(0, 2).map(({ action, details, clientId }) => [action, details, clientId])).toEqual([
      ['update', 'Restored file: f1.txt', f1.clientId],
      ['delete', 'Deleted file: f1.txt', f1.clientId],
    ]);
  });

  it('G29: a file is restored by an Admin, by who deleted it and by who may delete it, as far as they could today', async () => {
    const { f1, f3, f4 } = firm.files;
    const other = await addUser(app, 'cpa2', firm.roles.cpa, {
      clientIds: [firm.clients[0]],
      reportTypeIds: [firm.reportTypes[0]],
    });
    await removeFile(firm.viewers.cpa, f1);
    await removeFile(firm.viewers.clientA, f4);
    expect(await namesIn(other.caller)).toEqual(['f1.txt']);
    // A document is its sender's, and the Admin's.
    expect(refused(await restoreFile(other.caller, f4))).toEqual([404, 'not_found']);
    for (const viewer of [firm.viewers.clientA, firm.viewers.clientB, firm.viewers.bookkeeper]) {
      expect(refused(await restoreFile(viewer, f1))).toEqual([404, 'not_found']);
      expect(await namesIn(viewer)).toEqual(viewer === firm.viewers.clientA ? ['f4.txt'] : []);
    }
    expect(await namesIn(app.admin)).toEqual(['f4.txt', 'f1.txt']);
    expect((await restoreFile(firm.viewers.clientA, f4)).status).toBe(200);
    expect((await restoreFile(other.caller, f1)).status).toBe(200);
    await removeFile(firm.viewers.cpa, f1);

    // Who lost the client since does not get at it by what they deleted.
    await removeFile(firm.viewers.cpa, f3);
    const { body: cpa } = await app.admin.get<UserRow>(`/api/users/${firm.users.cpa}`);
    const lists = async (more: object) =>
      expect(
        (
          await app.admin.put(`/api/users/${cpa.id}`, {
            username: cpa.username,
            fullName: cpa.fullName,
            roleId: cpa.roleId,
            clientIds: cpa.clientIds,
            reportTypeIds: cpa.reportTypeIds,
            password: '',
            ...more,
          })
        ).status,
      ).toBe(200);
    await lists({ clientIds: [firm.clients[2]] });
    expect(await namesIn(firm.viewers.cpa)).toEqual([]);
    expect(refused(await restoreFile(firm.viewers.cpa, f1))).toEqual([404, 'not_found']);
    await lists({ reportTypeIds: [firm.reportTypes[0]] });
    expect(await namesIn(firm.viewers.cpa)).toEqual(['f1.txt']);
    // And without the right to delete it stays where it is.
    await app.admin.put('/api/permissions', { roleId: firm.roles.cpa, capabilities: ['reports.upload'] });
    expect(refused(await restoreFile(firm.viewers.cpa, f1))).toEqual([403, 'forbidden']);
    expect(await namesIn(app.admin)).toEqual(['f3.txt', 'f1.txt']);
    expect((await app.anonymous.get('/api/trash')).status).toBe(401);
  });

  it('G29: narrows to a noun, to who deleted and to days', async () => {
    const { f1, f4 } = firm.files;
    await removeFile(firm.viewers.cpa, f1);
    await removeFile(firm.viewers.clientA, f4);
    await app.admin.delete(`/api/clients/${firm.clients[1]}`);
    const [client] = await trashOf(app.admin, '?noun=client');
    expect(client).toMatchObject({ kind: 'client', id: firm.clients[1] });
    expect(await namesIn(app.admin, '?noun=report')).toEqual(['f1.txt']);
    expect(await namesIn(app.admin, '?noun=company_document')).toEqual(['f4.txt']);
    expect(await namesIn(app.admin, `?deletedById=${firm.users.cpa}`)).toEqual(['f1.txt']);
    expect(await namesIn(app.admin, `?deletedById=${firm.users.cpa}&noun=client`)).toEqual([]);
    const [day] = client?.deletedAt.split('T') ?? [];
    expect(await namesIn(app.admin, `?startDate=${day}&endDate=${day}&q=f1`)).toEqual(['f1.txt']);
    expect(await namesIn(app.admin, '?endDate=2020-01-01')).toEqual([]);
    // A filter shows nobody more.
    expect(await namesIn(firm.viewers.bookkeeper, `?deletedById=${firm.users.cpa}`)).toEqual([]);
    expect((await app.admin.get('/api/trash?noun=user')).status).toBe(400);
  });

  it('G29: names the client of a file as it is called now, and finds it by that name and the one before', async () => {
    const { f1 } = firm.files;
    await removeFile(firm.viewers.cpa, f1);
    const renamed = await app.admin.put(`/api/clients/${f1.clientId}`, clientInput('Zephyr & Sons (Ohio)'));
    expect(renamed.status).toBe(200);
    for (const q of ['', 'zephyr', 'f1 sons', f1.clientName, '(']) {
      const found = await trashOf(app.admin, `?sort=client&q=${encodeURIComponent(q)}`);
      expect([q, found.map(({ clientName }) => clientName)]).toEqual([q, ['Zephyr & Sons (Ohio)']]);
    }
    expect(await namesIn(app.admin, '?q=zephyra')).toEqual([]);
  });

  it('G29: of two who restore at once one does it, and the other is told', async () => {
    const { f1 } = firm.files;
    await removeFile(firm.viewers.cpa, f1);
    const answers = await Promise.all([restoreFile(app.admin, f1), restoreFile(firm.viewers.cpa, f1)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(refused(await restoreFile(app.admin, f1))).toEqual([409, 'already_restored']);
    const { body } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?fileId=${f1.id}&action=update`);
    expect(body).toHaveLength(1);

    const deleted = await Promise.all([app.admin, firm.viewers.cpa].map((by) => by.delete(`/api/files/${f1.id}`)));
    expect(deleted.map(({ status }) => status).sort()).toEqual([204, 404]);
    const clientId = firm.clients[0];
    await app.admin.delete(`/api/clients/${clientId}`);
    const clients = await Promise.all([
      restoreClient(app.admin, clientId),
      restoreClient(firm.viewers.admin2, clientId),
    ]);
    expect(clients.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(refused(await restoreClient(app.admin, 999_999))).toEqual([404, 'not_found']);
  });

  it('G29: a report type that was deleted meanwhile leaves the file without one, for who still sees it then', async () => {
    const { f1 } = firm.files;
    await removeFile(firm.viewers.cpa, f1);
    expect((await app.admin.delete(`/api/report-types/${firm.reportTypes[1]}`)).status).toBe(409);
    await removeFile(app.admin, firm.files.f2);
    expect((await app.admin.delete(`/api/report-types/${firm.reportTypes[0]}`)).status).toBe(204);
    // The type is in no list any more, so that the CPA does not find the file either.
    expect(refused(await restoreFile(firm.viewers.cpa, f1))).toEqual([404, 'not_found']);
    const asks = await restoreFile(app.admin, f1);
    expect(refused(asks)).toEqual([409, 'report_type_gone']);
    expect(Object.keys(asks.body.fields ?? {})).toEqual(['reportTypeId']);
    const restoreAs = (id: number, choice: object) =>
      app.admin.post<FileRow & ErrorBody>(`/api/files/${id}/restore`, choice);
    expect(refused(await restoreAs(f1.id, { reportTypeId: 999_999 }))).toEqual([404, 'not_found']);
    const { status, body } = await restoreAs(f1.id, { reportTypeId: null });
    expect([status, body]).toEqual([200, { ...f1, reportTypeId: null, reportTypeName: null, version: body.version }]);
    const other = await restoreAs(firm.files.f2.id, { reportTypeId: firm.reportTypes[2] });
    expect([other.status, other.body.reportTypeName]).toEqual([200, 'Tax Notice']);
    const counted = await app.admin.get<FileRow[]>(`/api/files?clientId=${f1.clientId}&fileType=report`);
    expect(Number(counted.headers.get('x-total-count'))).toBe(counted.body.length);
  });

  it('G29: who sent a file and when stays, and an upload under its key since then is another file', async () => {
    const { id, caller } = await addUser(app, 'leaver', firm.roles.cpa, {
      clientIds: [firm.clients[0]],
      reportTypeIds: [firm.reportTypes[0]],
    });
    const upload = () =>
      caller.upload<FileRow>({
        fields: { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] },
        headers: { 'idempotency-key': 'once' },
      });
    const { body: first } = await upload();
    await removeFile(caller, first);
    const { body: second } = await upload();
    expect(second.id).not.toBe(first.id);
    expect((await restoreFile(caller, first)).body).toEqual(first);
    expect((await upload()).body).toEqual(second);
    await removeFile(caller, first);
    await app.admin.delete(`/api/users/${id}`);
    const { body } = await restoreFile(app.admin, first);
    expect(body).toEqual({ ...first, uploadedById: null });
  });

  it('G94: a file whose client is in the trash goes to another one that is named, judged like an upload there', async () => {
    const [c1, c2, c3] = firm.clients;
    const { f1, f3, f4 } = firm.files;
    await removeFile(firm.viewers.cpa, f1);
    await removeFile(firm.viewers.cpa, f3);
    await removeFile(app.admin, f4);
    await app.admin.delete(`/api/clients/${c1}`);
    const restoreAs = (by: Caller, { id }: { id: number }, choice: object) =>
      by.post<FileRow & ErrorBody>(`/api/files/${id}/restore`, choice);
    const before = await stateOfFirm();
    const asks = await restoreFile(app.admin, f1);
    expect([...refused(asks), Object.keys(asks.body.fields ?? {})]).toEqual([409, 'client_in_trash', ['clientId']]);
    expect(refused(await restoreAs(app.admin, f1, { clientId: 999_999 }))).toEqual([404, 'not_found']);
    expect(refused(await restoreAs(app.admin, f4, { clientId: c3, reportTypeId: firm.reportTypes[0] }))).toEqual([
      400,
      'invalid',
    ]);
    // What went with the client comes back with it.
    expect(refused(await restoreAs(app.admin, firm.files.f5, { clientId: c3 }))).toEqual([409, 'client_in_trash']);
    expect((await restoreAs(app.admin, f1, { clientId: 'x' })).status).toBe(400);
    const hold = await app.admin.post<{ id: number }>('/api/holds', { kind: 'file', id: f1.id, reason: 'Audit' });
    expect(refused(await restoreAs(app.admin, f1, { clientId: c3 }))).toEqual([409, 'on_hold']);
    await app.admin.post(`/api/holds/${hold.body.id}/lift`);
    const { holds: _holds, ...after } = await stateOfFirm();
    expect({ ...after, holds: before['holds'] }).toEqual(before);

    const there = await restoreAs(app.admin, f1, { clientId: c3 });
    expect([there.status, there.body.clientId, there.body.reportTypeId]).toEqual([200, c3, f1.reportTypeId]);
    expect(await bytesOf(firm.viewers.cpa, f1)).toBe('bytes of f1.txt');
    expect((await firm.viewers.clientA.get(`/api/files/${f1.id}/facts`)).status).toBe(401);
    // Out of one's own reach nobody puts anything.
    await removeFile(firm.viewers.cpa, f1);
    expect(refused(await restoreAs(firm.viewers.cpa, f1, { clientId: c2 }))).toEqual([403, 'forbidden']);
    expect(refused(await restoreAs(firm.viewers.cpa, f1, { reportTypeId: firm.reportTypes[2] }))).toEqual([
      403,
      'forbidden',
    ]);
    expect((await restoreAs(firm.viewers.cpa, f1, { reportTypeId: firm.reportTypes[1] })).status).toBe(200);
    const counted = await app.admin.get<FileRow[]>(`/api/files?clientId=${c3}`);
    expect(Number(counted.headers.get('x-total-count'))).toBe(counted.body.length);
  });

  it('G29: the list is searched, sorted and paged', async () => {
    const { f1, f2, f3 } = firm.files;
    for (const file of [f1, f2, f3]) await removeFile(app.admin, file);
    await app.admin.delete(`/api/clients/${firm.clients[2]}`);
    expect(await namesIn(app.admin)).toEqual(['Acme Plumbing of Ohio Inc.', 'f3.txt', 'CANARY2 f2.txt', 'f1.txt']);
    expect(await namesIn(app.admin, '?sort=name')).toEqual([
      'Acme Plumbing of Ohio Inc.',
      'CANARY2 f2.txt',
      'f1.txt',
      'f3.txt',
    ]);
    expect(await namesIn(app.admin, '?q=acme')).toEqual(['Acme Plumbing of Ohio Inc.', 'CANARY2 f2.txt']);
    expect(await namesIn(app.admin, '?q=bakery%20f3')).toEqual(['f3.txt']);
    const page = await app.admin.get<TrashRow[]>('/api/trash?limit=1&offset=1');
    expect([page.body.map(({ name }) => name), page.headers.get('x-total-count')]).toEqual([['f3.txt'], '4']);
    // Small letters among capital ones.
    const small = await app.admin.post<{ id: number }>('/api/clients', clientInput('acorn Bakers'));
    await app.admin.delete(`/api/clients/${small.body.id}`);
    expect(await namesIn(app.admin, '?sort=client')).toEqual([
      'Acme Plumbing of Ohio Inc.',
      'acorn Bakers',
      'CANARY2 f2.txt',
      'f1.txt',
      'f3.txt',
    ]);
  });

  it('G29: every table that belongs to a client or a person is kept with them, or ends with them by name', async () => {
    const tables = await tablesOf(app.database.reader, kind);
    const belonging = tables
      .filter(({ references }) => references.some((name) => name === 'clients' || name === 'users'))
      .map(({ name }) => name)
      .filter((name) => name !== 'files');
    const known = [...BELONGINGS.map(({ table }) => table), ...ENDS_WITH_THEM];
    expect(belonging.filter((name) => !known.includes(name))).toEqual([]);
  });
});

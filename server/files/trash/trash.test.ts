// The trash over HTTP: what is deleted comes back as it was, for those who may, until it is purged.
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import type { TrashRow } from '#contract/trash.ts';
import type { UserDetails, UserRow } from '#contract/users.ts';
import { sweepBlobs } from '../../platform/blobs/sweep.ts';
import { tablesOf } from '../../platform/db/tables.ts';
import { addRole, addUser, clientInput, type Firm, PASSWORD } from '../../testing/firm.ts';
import { firmRows } from '../../testing/full-firm.ts';
import { ADMIN_PASSWORD, type Answer, type Caller, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { BELONGINGS, ENDS_WITH_THEM } from './client-rows.ts';
import { purgeTrash } from './purge.ts';

const DAY_MS = 24 * 60 * 60_000;

describe.each(DATABASE_KINDS)('the trash on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeEach(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterEach(() => app.close());

  const removeFile = async (by: Caller, { id }: { id: number }) =>
    expect((await by.delete(`/api/files/${id}`)).status).toBe(204);
  const restoreFile = (by: Caller, { id }: { id: number }) => by.post<FileRow & ErrorBody>(`/api/files/${id}/restore`);
  const restoreClient = (by: Caller, id: number) => by.post<ErrorBody>(`/api/clients/${id}/restore`);
  const trashOf = async (by: Caller, query = '') => (await by.get<TrashRow[]>(`/api/trash${query}`)).body;
  const namesIn = async (by: Caller, query = '') => (await trashOf(by, query)).map(({ name }) => name);
  const refused = ({ status, body }: Answer<ErrorBody>) => [status, body.code];
  const storedKeys = async () =>
    (await Readable.from(app.context.services.blobs.list()).toArray()).map(({ storageKey }) => storageKey).sort();
  const bytesOf = async (by: Caller, { id }: { id: number }) => (await by.fetch(`/api/files/${id}/download`)).text();
  /** Everything but the log, what was looked at, and sign-ins. */
  async function stateOfFirm() {
    const { activity, activity_counts, security_events, sessions, known_networks, attempts, jobs, ...rows } =
      await firmRows(app.database);
    return rows;
  }

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

  it('G70: is ended before its time by who restores everything, for good, and the log names who', async () => {
    const { f1, f2, f3, f4 } = firm.files;
    await removeFile(firm.viewers.cpa, f1);
    await removeFile(firm.viewers.cpa, f3);
    const endFile = (by: Caller, { id }: { id: number }) => by.post<ErrorBody>(`/api/files/${id}/purge`);
    const endClient = (by: Caller, id: number) => by.post<ErrorBody>(`/api/clients/${id}/purge`);
    for (const viewer of [firm.viewers.cpa, firm.viewers.clientA, firm.viewers.bookkeeper]) {
      expect(refused(await endFile(viewer, f1))).toEqual([403, 'forbidden']);
    }
    // What is not in the trash is not ended.
    expect(refused(await endFile(app.admin, f2))).toEqual([409, 'already_restored']);
    expect(refused(await endFile(app.admin, { id: 999_999 }))).toEqual([404, 'not_found']);
    expect(await bytesOf(app.admin, f2)).toBe('bytes of CANARY2 f2.txt');

    const kept = await storedKeys();
    const answers = await Promise.all([endFile(app.admin, f1), endFile(firm.viewers.admin2, f1)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect(await namesIn(app.admin)).toEqual(['f3.txt']);
    for (const by of [app.admin, firm.viewers.cpa]) {
      expect(refused(await restoreFile(by, f1))).toEqual([404, 'not_found']);
    }
    await purgeTrash(app.database, app.context.services.blobs, app.now());
    expect((await storedKeys()).length).toBe(kept.length - 1);

    const [clientId] = firm.clients;
    expect(refused(await endClient(app.admin, clientId))).toEqual([409, 'already_restored']);
    await app.admin.delete(`/api/clients/${clientId}`);
    expect(refused(await endFile(app.admin, f4))).toEqual([409, 'client_in_trash']);
    expect(refused(await endClient(firm.viewers.cpa, clientId))).toEqual([403, 'forbidden']);
    expect((await endClient(app.admin, clientId)).status).toBe(204);
    expect(refused(await restoreClient(app.admin, clientId))).toEqual([404, 'not_found']);
    // With what was deleted before it, which nobody could restore without it.
    expect(await namesIn(app.admin)).toEqual([]);
    await purgeTrash(app.database, app.context.services.blobs, app.now());
    const { trash, trashed_rows } = await firmRows(app.database);
    expect([trash, trashed_rows]).toEqual([[], []]);
    const log = (await app.admin.get<ActivityRow[]>('/api/activity-logs?action=delete&q=ever')).body;
    expect(log.map(({ details, userName }) => [details, userName])).toEqual([
      ['Deleted for ever: client Harbor & Pine Bakery LLC, with 3 files and 1 user', expect.any(String)],
      ['Deleted for ever: file f1.txt', expect.any(String)],
    ]);
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
    expect([status, body]).toEqual([200, { ...f1, reportTypeId: null, reportTypeName: null }]);
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

  it('G29: a client comes back with files, people, passwords and everybody’s access', async () => {
    const [c1] = firm.clients;
    const all = await addUser(app, 'everywhere', firm.roles.bookkeeper, {});
    await app.admin.put(`/api/users/${all.id}`, {
      username: 'everywhere',
      fullName: 'Full everywhere',
      roleId: firm.roles.bookkeeper,
      allClients: true,
      password: '',
    });
    // Sent to another client, by somebody who goes with this one.
    const { body: elsewhere } = await app.admin.upload<FileRow>({
      name: 'elsewhere.txt',
      fields: { clientId: firm.clients[2], fileType: 'company_document' },
    });
    await app.database.transaction((tx) =>
      tx.updateTable('files').set({ uploaded_by_id: firm.users.clientA }).where('id', '=', elsewhere.id).execute(),
    );
    await bytesOf(firm.viewers.clientA, firm.files.f1);
    await removeFile(firm.viewers.cpa, firm.files.f3);
    const before = await stateOfFirm();
    const people = (await app.admin.get(`/api/permissions/clients/${c1}`)).body;

    expect((await app.admin.delete(`/api/clients/${c1}`)).status).toBe(204);
    expect((await app.admin.get(`/api/clients/${c1}`)).status).toBe(404);
    expect((await firm.viewers.clientA.get('/api/auth/me')).status).toBe(401);
    await expect(app.login('clientA', PASSWORD)).rejects.toThrow('cannot sign in');
    expect(await trashOf(app.admin)).toMatchObject([
      { kind: 'client', id: c1, files: 3, users: 1, clientInTrash: false },
      { kind: 'file', name: 'f3.txt', clientInTrash: true },
    ]);
    for (const file of [firm.files.f1, firm.files.f3]) {
      expect(refused(await restoreFile(app.admin, file))).toEqual([409, 'client_in_trash']);
    }
    expect(refused(await restoreClient(firm.viewers.cpa, c1))).toEqual([403, 'forbidden']);

    expect((await restoreClient(app.admin, c1)).status).toBe(200);
    expect(await stateOfFirm()).toEqual(before);
    expect((await app.admin.get(`/api/permissions/clients/${c1}`)).body).toEqual(people);
    const back = await app.login('clientA', PASSWORD);
    expect(await bytesOf(back, firm.files.f1)).toBe('bytes of f1.txt');
    expect((await restoreFile(firm.viewers.cpa, firm.files.f3)).status).toBe(200);
    const { body: log } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?clientId=${c1}&action=update`);
    expect(log.map(({ details }) => details)).toContain(
      'Restored client: Harbor & Pine Bakery LLC, with 3 files and 1 user',
    );
    expect((await back.get<{ detail: string }[]>('/api/auth/events')).body.map(({ detail }) => detail)).toContain(
      'restoration of client Harbor & Pine Bakery LLC',
    );
  });

  it('G29: who lost all clients or their account meanwhile does not reach a restored client', async () => {
    const [c1] = firm.clients;
    const user = {
      username: 'everywhere',
      fullName: 'Full everywhere',
      roleId: firm.roles.bookkeeper,
      password: PASSWORD,
    };
    const { body: all } = await app.admin.post<UserRow>('/api/users', { ...user, allClients: true });
    const everywhere = await app.login('everywhere', PASSWORD);
    expect((await everywhere.get(`/api/clients/${c1}`)).status).toBe(200);
    await app.admin.delete(`/api/clients/${c1}`);
    await app.admin.put(`/api/users/${all.id}`, {
      ...user,
      password: '',
      allClients: false,
      clientIds: [firm.clients[1]],
    });
    await app.admin.delete(`/api/users/${firm.users.bookkeeper}`);
    const { body: later } = await app.admin.post<UserRow>('/api/users', {
      ...user,
      username: 'later',
      fullName: 'Later',
      allClients: true,
    });
    expect((await restoreClient(app.admin, c1)).status).toBe(200);
    expect((await everywhere.get(`/api/clients/${c1}`)).status).toBe(404);
    expect(later.allClients).toBe(true);
    expect((await (await app.login('later', PASSWORD)).get(`/api/clients/${c1}`)).status).toBe(200);
  });

  it('G49: a list that was saved since the deletion stands as it was saved, and names what it lacks until then', async () => {
    const [c1, , c3] = firm.clients;
    const cpa = await app.admin.get<UserDetails>(`/api/users/${firm.users.cpa}`);
    expect(cpa.body).toMatchObject({ clientIds: [c1, c3], clientsInTrash: [] });
    const { id: other } = await addUser(app, 'cpa2', firm.roles.cpa, { clientIds: [c1, c3] });
    await app.admin.delete(`/api/clients/${c1}`);
    // For who may see the trash, and of nobody else's list.
    const inTrash = async (by: Caller, id: number) =>
      (await by.get<UserDetails>(`/api/users/${id}`)).body.clientsInTrash;
    const harbor = { id: c1, name: 'Harbor & Pine Bakery LLC' };
    expect(await inTrash(app.admin, firm.users.cpa)).toEqual([harbor]);
    expect(await inTrash(firm.viewers.cpa, firm.users.cpa)).toEqual([]);
    expect(await inTrash(app.admin, firm.users.clientB)).toEqual([]);
    const { caller: manager } = await addUser(app, 'manager', await addRole(app, 'People', ['users.manage']));
    expect(await inTrash(manager, firm.users.cpa)).toEqual([]);

    app.advance(1);
    const { username, fullName, roleId, reportTypeIds } = cpa.body;
    const saved = { username, fullName, roleId, reportTypeIds, clientIds: [c3], password: '' };
    expect((await app.admin.put(`/api/users/${firm.users.cpa}`, saved)).status).toBe(200);
    expect(await inTrash(app.admin, firm.users.cpa)).toEqual([]);
    expect(await inTrash(app.admin, other)).toEqual([harbor]);
    app.advance(1);
    expect((await restoreClient(app.admin, c1)).status).toBe(200);
    const listOf = async (id: number) => (await app.admin.get<number[]>(`/api/users/${id}/client-access`)).body;
    expect([await listOf(firm.users.cpa), await listOf(other)]).toEqual([[c3], [c1, c3]]);
    expect((await firm.viewers.cpa.get(`/api/clients/${c1}`)).status).toBe(404);
    expect(await inTrash(app.admin, other)).toEqual([]);
    // Deleted once more, what was saved before is as it was.
    app.advance(1);
    await app.admin.delete(`/api/clients/${c3}`);
    expect((await restoreClient(app.admin, c3)).status).toBe(200);
    expect(await listOf(firm.users.cpa)).toEqual([c3]);
  });

  it('G29: a client whose name, or whose user’s name, is given away stays in the trash and says what to do', async () => {
    const [c1, c2] = firm.clients;
    await app.admin.delete(`/api/clients/${c1}`);
    const twin = await app.admin.post<{ id: number }>('/api/clients', clientInput('harbor & Pine bakery LLC'));
    expect(twin.status).toBe(201);
    const before = await stateOfFirm();
    const taken = await restoreClient(app.admin, c1);
    expect(refused(taken)).toEqual([409, 'client_name_taken']);
    expect(taken.body.message).toContain('under another name');
    expect(Object.keys(taken.body.fields ?? {})).toEqual(['name']);
    await app.admin.put(`/api/clients/${twin.body.id}`, clientInput('Harbor & Pine Bak\u0435ry LLC'));
    expect((await restoreClient(app.admin, c1)).body.code).toBe('name_looks_like');
    await app.admin.put(`/api/clients/${twin.body.id}`, clientInput('Something Else LLC'));

    const squatter = await addUser(app, 'ClientA', firm.roles.client, { clientIds: [c2] });
    const user = await restoreClient(app.admin, c1);
    expect(refused(user)).toEqual([409, 'restored_user_taken']);
    expect(user.body.message).toContain('"clientA"');
    expect((await stateOfFirm())['clients']).toHaveLength(before['clients']?.length ?? 0);
    await app.admin.delete(`/api/users/${squatter.id}`);
    expect((await restoreClient(app.admin, c1)).status).toBe(200);
  });

  it('G94: a client and its people come back under other names, which are judged like any', async () => {
    const [c1, c2] = firm.clients;
    const { clientA: personId } = firm.users;
    await app.admin.delete(`/api/clients/${c1}`);
    await app.admin.post('/api/clients', clientInput('Harbor & Pine Bakery LLC'));
    await addUser(app, 'ClientA', firm.roles.client, { clientIds: [c2] });
    const restoreAs = (names: object) => app.admin.post<ErrorBody>(`/api/clients/${c1}/restore`, names);
    const before = await stateOfFirm();
    const refusals: [object, string, string[]][] = [
      [{ name: 'Acme Plumbing of Ohio Inc.' }, 'client_name_taken', ['name']],
      [{ name: 'Acme Plumb\u0456ng of Ohio Inc.' }, 'name_looks_like', ['name']],
      [{ name: 'x' }, 'invalid', ['name']],
      [{ name: 'Harbor Two LLC' }, 'restored_user_taken', [`people.${personId}.username`]],
      [
        { name: 'Harbor Two LLC', people: [{ id: personId, username: 'cpa' }] },
        'restored_user_taken',
        [`people.${personId}.username`],
      ],
      [{ name: 'Harbor Two LLC', people: [{ id: firm.users.cpa, username: 'somebody' }] }, 'invalid', ['people.0.id']],
    ];
    for (const [names, code, fields] of refusals) {
      const answer = await restoreAs(names);
      expect([answer.body.code, Object.keys(answer.body.fields ?? {})], JSON.stringify(names)).toEqual([code, fields]);
    }
    expect(await stateOfFirm()).toEqual(before);
    const people = [{ id: personId, username: 'clientA.two', fullName: 'Client A the Second' }];
    expect((await restoreAs({ name: 'Harbor Two LLC', people })).status).toBe(200);
    const { body: client } = await app.admin.get<{ name: string }>(`/api/clients/${c1}`);
    expect(client.name).toBe('Harbor Two LLC');
    for (const [path, name] of [
      ['/api/clients?q=harbor%20two', 'Harbor Two LLC'],
      ['/api/users?q=clientA.two', 'Client A the Second'],
    ] as const) {
      expect(JSON.stringify((await app.admin.get(path)).body)).toContain(name);
    }
    const back = await app.login('clientA.two', PASSWORD);
    expect(await bytesOf(back, firm.files.f1)).toBe('bytes of f1.txt');
    const { body: log } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?clientId=${c1}&action=update`);
    expect(log[0]?.details).toBe(
      'Restored client: Harbor & Pine Bakery LLC, with 4 files and 1 user, renamed to Harbor Two LLC, user clientA renamed to clientA.two',
    );
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

  it('G29: who manages clients by a list restores those that they deleted, and sees nobody else’s', async () => {
    const role = await addRole(app, 'Onboarding', ['clients.manage']);
    const [c1, , c3] = firm.clients;
    const { caller } = await addUser(app, 'onboarding', role, { clientIds: [c1, c3] });
    await app.admin.delete(`/api/clients/${c3}`);
    expect((await caller.delete(`/api/clients/${c1}`)).status).toBe(204);
    expect(await trashOf(caller)).toMatchObject([{ kind: 'client', id: c1, files: null, users: null }]);
    expect(refused(await restoreClient(caller, c3))).toEqual([404, 'not_found']);
    expect((await restoreClient(caller, c1)).status).toBe(200);
    expect((await caller.get(`/api/clients/${c1}`)).status).toBe(200);
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
  });

  it('G30: bytes stay until the purge, whatever sweeps, and go with it; the log names what went', async () => {
    const { f1, f3 } = firm.files;
    const keys = await storedKeys();
    await removeFile(firm.viewers.cpa, f1);
    await app.admin.delete(`/api/clients/${firm.clients[1]}`);
    app.advance(29 * DAY_MS);
    await removeFile(await app.login('admin', ADMIN_PASSWORD), f3);
    await app.context.runMaintenance();
    await sweepBlobs(app.database, app.context.services.blobs, { nowMs: app.now(), olderThanMs: -1 });
    expect(await storedKeys()).toEqual(keys);

    app.advance(DAY_MS + 60_000);
    const admin = await app.login('admin', ADMIN_PASSWORD);
    // Its time is over, also before anything was purged.
    expect(refused(await restoreFile(admin, f1))).toEqual([404, 'not_found']);
    expect(await namesIn(admin)).toEqual(['f3.txt']);
    await app.context.runMaintenance();
    expect(await storedKeys()).toHaveLength(keys.length - 2);
    const { body: log } = await admin.get<ActivityRow[]>('/api/activity-logs?action=delete&q=purged');
    expect(log.map(({ details, userName, fileId, clientName }) => [details, userName, fileId, clientName])).toEqual([
      ['Purged client: CANARY2 Acme Plumbing LLC', 'System', null, 'CANARY2 Acme Plumbing LLC'],
      [
        `Purged file: CANARY2 f2.txt (SHA-256 ${firm.files.f2.sha256})`,
        'System',
        firm.files.f2.id,
        'CANARY2 Acme Plumbing LLC',
      ],
      [`Purged file: f1.txt (SHA-256 ${f1.sha256})`, 'System', f1.id, f1.clientName],
    ]);
    expect((await restoreFile(admin, f3)).status).toBe(200);
    expect(await app.database.reader.selectFrom('trashed_rows').selectAll().execute()).toEqual([]);
  });

  it('G30: a purge that ends between the row and the bytes leaves the bytes to the sweep', async () => {
    const { blobs } = app.context.services;
    const keys = await storedKeys();
    await removeFile(app.admin, firm.files.f1);
    app.advance(31 * DAY_MS);
    const failing = vi.spyOn(blobs, 'remove').mockRejectedValue(new Error('the disk is away'));
    await expect(app.context.maintenance['maintenance.trash'].now()).rejects.toThrow('the disk is away');
    failing.mockRestore();
    expect(await storedKeys()).toEqual(keys);
    await app.context.maintenance['maintenance.trash'].now();
    await app.context.maintenance['maintenance.blobs'].now();
    expect(await storedKeys()).toHaveLength(keys.length - 1);
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

describe.each(DATABASE_KINDS)('the trash with SAFEGUARDS on %s', (kind) => {
  it('G29: asks for the second factor again, and gives people back theirs', async () => {
    const app = await startTestApp(kind, { SAFEGUARDS: 'on', TRASH_DAYS: '2' }, { clock: 'standing' });
    const { body: client } = await app.admin.post<{ id: number }>('/api/clients', clientInput('Larch Street Dental'));
    const { body: roles } = await app.admin.get<{ id: number; systemKey: string | null }[]>('/api/roles');
    const roleId = roles.find(({ systemKey }) => systemKey === 'client')?.id ?? 0;
    await addUser(app, 'larch', roleId, { clientIds: [client.id], reportTypeIds: [] });
    const restore = () => app.admin.post<ErrorBody>(`/api/clients/${client.id}/restore`);
    const confirm = () => {
      app.advance(60_000);
      const code = app.codeApps.get('admin')?.freshCode();
      return app.admin.post('/api/auth/reauth', { factor: { method: 'totp', code } });
    };
    expect((await confirm()).status).toBe(204);
    expect((await app.admin.delete(`/api/clients/${client.id}`)).status).toBe(204);
    const [entry] = (await app.admin.get<TrashRow[]>('/api/trash')).body;
    expect(Date.parse(entry?.goneAt ?? '') - app.now()).toBe(2 * DAY_MS);
    app.advance(6 * 60_000);
    const asked = await restore();
    expect([asked.status, asked.body.code]).toEqual([403, 'reauth_required']);
    expect((await confirm()).status).toBe(204);
    expect((await restore()).status).toBe(200);
    app.advance(60_000);
    // With the password and the authenticator app from before.
    expect((await (await app.login('larch', PASSWORD)).get('/api/auth/me')).status).toBe(200);
    await app.close();
  });
});

// Holds over HTTP: what is on hold stays where it is for everybody, an Admin too, until the hold is lifted.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { DocumentRow } from '#contract/batches.ts';
import type { ClientRemoval, ClientRow } from '#contract/clients.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileDetails, FileRow } from '#contract/files.ts';
import type { HoldRow } from '#contract/holds.ts';
import type { TrashRow } from '#contract/trash.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { batchFirm } from '../../testing/batch-firm.ts';
import { addRole, addUser, type Firm, PASSWORD } from '../../testing/firm.ts';
import { firmRows } from '../../testing/full-firm.ts';
import { refused } from '../../testing/refusal.ts';
import { ADMIN_PASSWORD, type Answer, type Caller, type TestApp } from '../../testing/test-app.ts';
import { insertTestBatch } from '../../testing/test-batch.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { purgeTrash } from '../trash/purge.ts';

const REASON = 'Audit of 2025, file no. 7';

it('G89: rows of files, clients and the trash are deleted in the trash alone, where holds are asked for', () => {
  const deletes = /deleteFrom\('(files|clients|trash)'\)|delete from (files|clients|trash)\b/;
  const sources = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !/\.test\.ts$|^testing\/|^platform\/(db\/migrations|move)\//.test(path),
  );
  const found = sources.filter((path) => deletes.test(readFileSync(join('server', path), 'utf8')));
  expect(found.sort()).toEqual([
    'files/trash/purge.ts',
    'files/trash/trashed-clients.ts',
    'files/trash/trashed-files.ts',
    'files/trash/trashed-versions.ts',
  ]);
});

describe.each(DATABASE_KINDS)('holds on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeEach(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterEach(() => app.close());

  const place = (on: 'file' | 'client', id: number, by: Caller = app.admin, reason = REASON) =>
    by.post<HoldRow & ErrorBody>('/api/holds', { kind: on, id, reason });
  async function held(on: 'file' | 'client', id: number): Promise<HoldRow> {
    const { status, body } = await place(on, id);
    expect(status).toBe(201);
    return body;
  }
  const lift = (id: number, by: Caller = app.admin) => by.post<ErrorBody>(`/api/holds/${id}/lift`);
  const listed = async (query = '', by: Caller = app.admin) => (await by.get<HoldRow[]>(`/api/holds${query}`)).body;
  const purge = (at = app.now()) => purgeTrash(app.database, app.context.services.blobs, at);
  const trashOf = async (by: Caller = app.admin) => (await by.get<TrashRow[]>('/api/trash')).body;
  const factsOf = async ({ id }: { id: number }, by: Caller = app.admin) =>
    (await by.get<FileDetails>(`/api/files/${id}/facts`)).body.file;
  async function aMonthLater(): Promise<Caller> {
    app.advance(31 * DAY_MS);
    return app.login('admin', ADMIN_PASSWORD);
  }
  const removalOf = async (clientId: number) =>
    (await app.admin.get<ClientRemoval>(`/api/clients/${clientId}/removal`)).body;
  async function stateOfFirm() {
    const { security_events, sessions, known_networks, attempts, jobs, released_blobs, ...rows } = await firmRows(
      app.database,
    );
    return rows;
  }

  /** What would end, move or replace the file, by whoever may. */
  const acts: Record<string, (file: FileRow, by: Caller) => Promise<Answer<ErrorBody>>> = {
    'a deletion': ({ id }, by) => by.delete(`/api/files/${id}`),
    'a re-filing to another client': ({ id }, by) => by.put(`/api/files/${id}`, { clientId: firm.clients[2] }),
    'an upload that replaces it': ({ id, clientId, reportTypeId }, by) =>
      by.upload({
        name: 'instead.txt',
        bytes: 'other bytes',
        fields: { clientId, fileType: 'report', reportTypeId: reportTypeId ?? 0, replaces: id },
      }),
  };

  it.each(Object.keys(acts))(
    'G89: a file on hold is kept from %s, by an Admin too, and nothing changes',
    async (name) => {
      const { f1 } = firm.files;
      const act = acts[name];
      if (act === undefined) throw new Error(`There is no ${name}`);
      const hold = await held('file', f1.id);
      const before = await stateOfFirm();
      for (const by of [app.admin, firm.viewers.admin2, firm.viewers.cpa]) {
        const answer = await act(f1, by);
        expect(refused(answer)).toEqual([409, 'on_hold']);
        expect(answer.body.message).toMatch(
          /file is on hold and cannot be (deleted|replaced|filed under another client)\.$/,
        );
      }
      expect(await stateOfFirm()).toEqual(before);
      expect((await lift(hold.id)).status).toBe(204);
      expect((await act(f1, app.admin)).status).toBeLessThan(300);
    },
  );

  it('G89: a file on hold may be named, typed and dated anew, opened and corrected', async () => {
    const { f1 } = firm.files;
    await held('file', f1.id);
    const change = { originalName: 'g1.txt', period: '2025-Q4', reportTypeId: firm.reportTypes[1] };
    expect((await app.admin.put(`/api/files/${f1.id}`, change)).status).toBe(200);
    expect((await app.admin.get(`/api/files/${f1.id}/download`)).status).toBe(200);
    const fields = { clientId: f1.clientId, fileType: 'report', corrects: f1.id };
    expect((await app.admin.upload({ name: 'h1.txt', bytes: 'h1', fields })).status).toBe(201);
  });

  it('G89: a hold on a client covers its files, those that come later too, and the client', async () => {
    const [clientId] = firm.clients;
    await held('client', clientId);
    const fields = { clientId, fileType: 'report', reportTypeId: firm.reportTypes[0] };
    const { body: later } = await app.admin.upload<FileRow>({ name: 'later.txt', bytes: 'later', fields });
    expect([later.onHold, (await factsOf(later)).onHold, (await factsOf(firm.files.f1)).onHold]).toEqual([
      true,
      true,
      true,
    ]);
    expect((await factsOf(firm.files.f2)).onHold).toBe(false);
    const before = await stateOfFirm();
    for (const file of [later, firm.files.f1, firm.files.f4]) {
      expect(refused(await app.admin.delete(`/api/files/${file.id}`))).toEqual([409, 'on_hold']);
    }
    expect(refused(await app.admin.delete(`/api/clients/${clientId}`))).toEqual([409, 'on_hold']);
    expect(await stateOfFirm()).toEqual(before);
    expect((await removalOf(clientId)).onHold).toBe('client');
  });

  it('G89: a client is not deleted while one of its files is on hold, nor while it is deleted for ever', async () => {
    const [clientId] = firm.clients;
    const hold = await held('file', firm.files.f1.id);
    const answer = await app.admin.delete<ErrorBody>(`/api/clients/${clientId}`);
    expect([answer.status, answer.body.message]).toEqual([
      409,
      'A file of this client is on hold and cannot be deleted.',
    ]);
    // Whoever is about to delete it is told before.
    expect((await removalOf(clientId)).onHold).toBe('file');
    await lift(hold.id);
    expect((await removalOf(clientId)).onHold).toBeNull();
    expect((await app.admin.delete(`/api/clients/${clientId}`)).status).toBe(204);
    await held('file', firm.files.f1.id);
    expect(refused(await app.admin.post(`/api/clients/${clientId}/purge`))).toEqual([409, 'on_hold']);
    const admin = await aMonthLater();
    await purge();
    expect((await trashOf(admin)).map(({ name, onHold }) => [name, onHold])).toEqual([
      ['Harbor & Pine Bakery LLC', true],
    ]);
    expect((await admin.post(`/api/clients/${clientId}/restore`)).status).toBe(200);
    expect((await factsOf(firm.files.f1, admin)).onHold).toBe(true);
    // The others were purged: they were not on hold.
    expect((await admin.get(`/api/files/${firm.files.f3.id}/facts`)).status).toBe(404);
  });

  it('G90: what is on hold in the trash stays past its days, is said so, and is restored', async () => {
    const { f1, f3 } = firm.files;
    for (const { id } of [f1, f3]) await app.admin.delete(`/api/files/${id}`);
    await held('file', f1.id);
    expect(refused(await app.admin.post(`/api/files/${f1.id}/purge`))).toEqual([409, 'on_hold']);
    const admin = await aMonthLater();
    await purge();
    expect((await trashOf(admin)).map(({ name, onHold }) => [name, onHold])).toEqual([['f1.txt', true]]);
    expect(await trashOf(await app.login('cpa', PASSWORD))).toHaveLength(1);
    expect(refused(await admin.post(`/api/files/${f1.id}/purge`))).toEqual([409, 'on_hold']);
    expect((await admin.post(`/api/files/${f1.id}/restore`)).status).toBe(200);
    expect((await factsOf(f1, admin)).onHold).toBe(true);
    expect(refused(await admin.delete(`/api/files/${f1.id}`))).toEqual([409, 'on_hold']);
    // What is over and was not on hold is not put on hold any more.
    expect(refused(await place('file', f3.id, admin))).toEqual([404, 'not_found']);
  });

  it('G90: once the hold is lifted, what was in the trash too long goes', async () => {
    const { f1 } = firm.files;
    await app.admin.delete(`/api/files/${f1.id}`);
    const { id } = await held('client', f1.clientId);
    const admin = await aMonthLater();
    await purge();
    expect(await trashOf(admin)).toHaveLength(1);
    await lift(id, admin);
    expect(await trashOf(admin)).toEqual([]);
    await purge();
    expect((await firmRows(app.database))['trash']).toEqual([]);
  });

  it('G90: what is on hold with its client alone is put on hold by itself too, and is then when that hold is lifted', async () => {
    const { f1, f4 } = firm.files;
    const { clientA } = firm.viewers;
    await app.admin.delete(`/api/files/${f1.id}`);
    expect((await clientA.delete(`/api/files/${f4.id}`)).status).toBe(204);
    const ofClient = await held('client', f1.clientId);
    const holdsOn = async (file: FileRow, by: Caller = app.admin) => {
      const entry = (await trashOf(by)).find(({ id }) => id === file.id);
      return [entry?.onHold, entry?.ownHold];
    };
    expect(await holdsOn(f1)).toEqual([true, false]);
    await held('file', f1.id);
    expect(await holdsOn(f1)).toEqual([true, true]);
    expect(await holdsOn(f4)).toEqual([true, false]);
    // To the people of the client nothing more is told.
    expect(await holdsOn(f4, clientA)).toEqual([true, null]);
    await lift(ofClient.id);
    expect(await holdsOn(f1)).toEqual([true, true]);
    expect(await holdsOn(f4)).toEqual([false, false]);
  });

  it('G91: the row of a client says to staff whether it is on hold itself, and no more to its people', async () => {
    const [clientId, otherId] = firm.clients;
    const rowOf = async (id: number, by: Caller = app.admin) =>
      (await by.get<ClientRow[]>('/api/clients')).body.find((client) => client.id === id);
    const before = await rowOf(clientId);
    const { id } = await held('client', clientId);
    await held('file', firm.files.f2.id);
    expect((await rowOf(otherId))?.onHold).toBe(false);
    // A hold is no change of the client: whoever edits it meanwhile is told of no conflict.
    const row = { ...before, onHold: true };
    expect(await rowOf(clientId)).toEqual(row);
    expect((await app.admin.get<ClientRow>(`/api/clients/${clientId}`)).body).toEqual(row);
    expect((await rowOf(clientId, firm.viewers.bookkeeper))?.onHold).toBe(true);
    expect((await rowOf(clientId, firm.viewers.clientA))?.onHold).toBeNull();
    await lift(id);
    expect((await rowOf(clientId))?.onHold).toBe(false);
  });

  it('G91: staff read the reason; Client users are told that it is on hold, and nothing more', async () => {
    const { f1 } = firm.files;
    await app.admin.put('/api/permissions', {
      roleId: firm.roles.client,
      capabilities: ['documents.upload', 'files.delete', 'activity.read-clients', 'holds.manage'],
    });
    const hold = await held('file', f1.id);
    const { clientA, cpa, clientB, bookkeeper } = firm.viewers;
    expect((await factsOf(f1, clientA)).onHold).toBe(true);
    const answer = await clientA.delete<ErrorBody>(`/api/files/${f1.id}`);
    expect(refused(answer)).toEqual([409, 'on_hold']);
    expect(answer.body.message).toBe('This file is on hold and cannot be deleted.');
    for (const by of [clientA, clientB]) {
      expect(refused(await by.get<ErrorBody>('/api/holds'))).toEqual([403, 'forbidden']);
      expect(refused(await place('file', firm.files.f4.id, by))).toEqual([403, 'forbidden']);
      expect(refused(await lift(hold.id, by))).toEqual([403, 'forbidden']);
    }
    for (const path of [
      `/api/activity-logs?fileId=${f1.id}`,
      '/api/activity-logs',
      `/api/files/${f1.id}/facts`,
      '/api/files',
    ]) {
      expect(JSON.stringify((await clientA.get(path)).body), path).not.toContain('Audit');
    }
    expect(await listed(`?fileId=${f1.id}&inForce=true`, cpa)).toEqual([hold]);
    expect((await listed('', bookkeeper)).map(({ reason }) => reason)).toEqual([REASON]);
    // Of what they reach alone.
    await held('file', firm.files.f2.id);
    await held('file', firm.files.f3.id);
    await held('client', firm.clients[1]);
    expect((await listed('', bookkeeper)).map(({ name }) => name)).toEqual(['f1.txt']);
    expect((await listed('', cpa)).map(({ name }) => name)).toEqual(['f3.txt', 'f1.txt']);
  });

  it('G91: of a file out of reach nobody is told whose it is by the hold on its client', async () => {
    const { f1, f3 } = firm.files;
    const hold = await held('client', f1.clientId);
    const { bookkeeper } = firm.viewers;
    expect(await listed(`?fileId=${f1.id}`, bookkeeper)).toEqual([hold]);
    const { body, headers } = await bookkeeper.get<HoldRow[]>(`/api/holds?fileId=${f3.id}`);
    const missing = await bookkeeper.get<HoldRow[]>('/api/holds?fileId=999999');
    expect([body, headers.get('x-total-count')]).toEqual([missing.body, missing.headers.get('x-total-count')]);
    expect(body).toEqual([]);
    expect(await listed(`?fileId=${f3.id}`)).toEqual([hold]);
    await lift(hold.id);
    await app.admin.delete(`/api/files/${f3.id}`);
    const again = await held('client', f1.clientId);
    expect(await listed(`?fileId=${f3.id}&inForce=true`, bookkeeper)).toEqual([]);
    expect(await listed(`?fileId=${f3.id}&inForce=true`)).toEqual([again]);
  });

  it('G91: the log says who put it on hold and who lifted it; the reason is for readers of the whole log', async () => {
    const { f1 } = firm.files;
    const { id } = await held('file', f1.id);
    await lift(id, firm.viewers.admin2);
    const words = async (by: Caller) =>
      (await by.get<ActivityRow[]>(`/api/activity-logs?fileId=${f1.id}&action=update`)).body.map(
        ({ details, userName, clientId }) => [details, userName, clientId],
      );
    const { fullName } = (await app.admin.get<{ fullName: string }>('/api/auth/me')).body;
    const ofClient = [
      ['Lifted the hold on file f1.txt', 'Full admin2', f1.clientId],
      ['Put on hold: file f1.txt', fullName, f1.clientId],
    ];
    expect(await words(firm.viewers.cpa)).toEqual(ofClient);
    expect(await words(app.admin)).toEqual([
      ...ofClient,
      [`Put on hold: file f1.txt. Reason: ${REASON}`, fullName, null],
    ]);
    expect((await listed()).map(({ placedByName, liftedByName }) => [placedByName, liftedByName])).toEqual([
      [fullName, 'Full admin2'],
    ]);
  });

  it('G92: who may put on hold does so within reach, once, and lifts once', async () => {
    const { f1, f2 } = firm.files;
    const keeper = await addUser(app, 'keeper', await addRole(app, 'Keeper', ['holds.manage']), {
      clientIds: [firm.clients[0]],
      reportTypeIds: [firm.reportTypes[0]],
    });
    for (const by of [firm.viewers.cpa, firm.viewers.bookkeeper]) {
      expect(refused(await place('file', f1.id, by))).toEqual([403, 'forbidden']);
    }
    expect(refused(await place('file', f2.id, keeper.caller))).toEqual([404, 'not_found']);
    expect(refused(await place('client', firm.clients[1], keeper.caller))).toEqual([404, 'not_found']);
    const { body: hold } = await place('file', f1.id, keeper.caller);
    expect(hold).toMatchObject({
      kind: 'file',
      itemId: f1.id,
      name: 'f1.txt',
      placedByName: 'Full keeper',
      liftedAt: null,
    });
    expect(refused(await place('file', f1.id))).toEqual([409, 'already_on_hold']);
    const answers = await Promise.all([
      place('client', firm.clients[0]),
      place('client', firm.clients[0], firm.viewers.admin2),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const lifts = await Promise.all([lift(hold.id), lift(hold.id, keeper.caller)]);
    expect(lifts.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(refused(await lift(999_999))).toEqual([404, 'not_found']);
    // Lifted, it may be put on hold anew.
    expect((await place('file', f1.id)).status).toBe(201);
  });

  it.each([
    [{ kind: 'user', id: 1, reason: REASON }, 'kind'],
    [{ kind: 'file', id: 0, reason: REASON }, 'id'],
    [{ kind: 'file', id: 1, reason: '  ' }, 'reason'],
    [{ kind: 'file', id: 1, reason: 'x'.repeat(501) }, 'reason'],
    [{ kind: 'file', id: 1, reason: 'two\nlines' }, 'reason'],
    [{ kind: 'file', id: 1 }, 'reason'],
  ])('G92: %j is refused at its field', async (body, field) => {
    const answer = await app.admin.post<ErrorBody>('/api/holds', body);
    expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([400, [field]]);
    expect(await listed()).toEqual([]);
  });

  it('G92: the list of files is narrowed to what is on hold, by everybody within reach', async () => {
    const { f1, f2, f4 } = firm.files;
    await held('file', f1.id);
    await held('client', firm.clients[1]);
    const names = async (by: Caller, more = '') =>
      (await by.get<FileRow[]>(`/api/files?onHold=true${more}`)).body.map(({ originalName }) => originalName).sort();
    expect(await names(app.admin)).toEqual([f2.originalName, f1.originalName].sort());
    expect(await names(app.admin, `&clientId=${firm.clients[0]}`)).toEqual(['f1.txt']);
    expect(await names(app.admin, '&fileType=company_document')).toEqual([]);
    expect(await names(firm.viewers.clientA)).toEqual(['f1.txt']);
    expect(await names(firm.viewers.clientB)).toEqual([f2.originalName]);
    await held('file', f4.id);
    expect(await names(app.admin, '&q=f4')).toEqual(['f4.txt']);
    expect((await app.admin.get('/api/files?onHold=no')).status).toBe(400);
    expect((await app.admin.get<string>('/api/files/export?onHold=true')).body).not.toContain('f3.txt');
  });

  it('G93: of a hold and a deletion at once, one is first: nothing is deleted for ever that is on hold', async () => {
    const files = [firm.files.f1, firm.files.f3, firm.files.f5];
    for (const { id } of files) {
      const [hold, deletion] = await Promise.all([place('file', id), app.admin.delete<ErrorBody>(`/api/files/${id}`)]);
      expect(hold.status).toBe(201);
      // Deleted first, it is on hold in the trash.
      expect([204, 409]).toContain(deletion.status);
      expect(refused(await app.admin.post(`/api/files/${id}/purge`))).toEqual([
        409,
        deletion.status === 204 ? 'on_hold' : 'already_restored',
      ]);
    }
  });

  it('G93: of a hold and a purge at once, one is first: what is on hold is there, and what is purged is not on hold', async () => {
    const ids = [firm.files.f1.id, firm.files.f3.id, firm.files.f5.id];
    for (const id of ids) await app.admin.delete(`/api/files/${id}`);
    for (const id of ids) {
      const [hold] = await Promise.all([place('file', id), purge(app.now() + 31 * DAY_MS)]);
      const entries = (await trashOf()).filter((entry) => entry.id === id);
      expect([hold.status, entries.length]).toEqual(hold.status === 201 ? [201, 1] : [404, 0]);
    }
  });

  it('G93: documents of a batch that are on hold are not recalled', async () => {
    const [clientId] = firm.clients;
    const { f1 } = firm.files;
    const { id: ownerId } = (await app.admin.get<{ id: number }>('/api/auth/me')).body;
    const document = { from: 1, to: 4, state: 'released' as const, clientId, reportTypeId: firm.reportTypes[0] };
    const batch = await insertTestBatch(app, {
      ownerId,
      state: 'released',
      documents: [{ ...document, releasedFileId: f1.id }],
    });
    await held('file', f1.id);
    const before = await stateOfFirm();
    const { body: documents } = await app.admin.get<DocumentRow[]>(`/api/batches/${batch.id}/documents`);
    expect(documents.map(({ onHold }) => onHold)).toContain(true);
    const answer = await app.admin.post<ErrorBody>(`/api/batches/${batch.id}/recall`, { reason: 'Wrong company' });
    expect(refused(answer)).toEqual([409, 'on_hold']);
    expect(await stateOfFirm()).toEqual(before);
  });
});

describe.each(DATABASE_KINDS)('releases over what is on hold on %s', { timeout: 60_000 }, (kind) => {
  const { met, documentsOf, inReview, release, settled } = batchFirm(kind);

  it('G93: a document that would replace a file on hold is not released, and its reviewer is told', async () => {
    const { id, documentIds } = await inReview();
    const [first = 0] = documentIds;
    const place = (await documentsOf(id)).find((one) => one.id === first);
    const { clientId, reportTypeId, period } = place ?? {};
    const fields = {
      clientId: `${clientId}`,
      fileType: 'report',
      reportTypeId: `${reportTypeId}`,
      ...(period ? { period } : {}),
    };
    const { body: file } = await met.app.admin.upload<FileRow>({ name: 'held.txt', bytes: 'held', fields });
    await met.app.admin.post('/api/holds', { kind: 'file', id: file.id, reason: REASON });
    await met.app.database.transaction((tx) =>
      tx.updateTable('batch_documents').set({ replaces_file_id: file.id }).where('id', '=', first).execute(),
    );
    await release(id, {}, met.app.admin);
    await settled(id);
    const document = (await documentsOf(id)).find((one) => one.id === first);
    expect([document?.state, document?.fault]).toEqual([
      'toCheck',
      'The earlier file is on hold and cannot be replaced.',
    ]);
    const { body } = await met.app.admin.get<FileDetails>(`/api/files/${file.id}/facts`);
    expect(body.file).toMatchObject({ id: file.id, onHold: true });
  });
});

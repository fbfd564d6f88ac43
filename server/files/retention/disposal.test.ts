// Disposals over HTTP: what goes for good and what is left, and the certificate of it.
import { describe, expect, inject, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import type { JobRow } from '#contract/jobs.ts';
import type { DisposalCertificate, DisposalRow } from '#contract/retention.ts';
import { actingFor, type Principal } from '../../people/access/principal.ts';
import { type Firm, PASSWORD } from '../../testing/firm.ts';
import { firmRows } from '../../testing/full-firm.ts';
import { oneRun } from '../../testing/one-run.ts';
import { refused } from '../../testing/refusal.ts';
import { retentionFirm } from '../../testing/retention-firm.ts';
import { someoneWaits } from '../../testing/someone-waits.ts';
import type { Caller, TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { textOfPages } from '../../testing/test-pdf.ts';
import { lockRow } from '../trash/kept-rows.ts';
import { disposeJob } from './dispose-job.ts';

describe.each(DATABASE_KINDS)('disposals on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let admin: Caller;
  const { keep, due, namesDue, upload } = retentionFirm(kind, (met) => {
    ({ app, firm, admin } = met);
  });

  const dispose = (body: object, by = admin) => by.post<DisposalRow & ErrorBody>('/api/retention/disposals', body);
  const certificateOf = async (id: number) =>
    (await admin.get<DisposalCertificate>(`/api/retention/disposals/${id}/certificate?format=json`)).body;
  async function ended(id: number): Promise<DisposalCertificate> {
    await app.context.jobs.start();
    const certificate = await vi.waitFor(
      async () => {
        const found = await certificateOf(id);
        expect(found.endedAt).not.toBeNull();
        return found;
      },
      { timeout: 30_000, interval: 30 },
    );
    await app.context.jobs.stop();
    return certificate;
  }
  /** The Administrator, or somebody else, as a job acts for them. */
  async function actingAdmin(by = admin): Promise<Principal> {
    const { scopes, sessions } = app.context;
    const { id } = (await by.get<{ id: number }>('/api/auth/me')).body;
    return actingFor(id, { scopes, findPerson: sessions.byPerson });
  }
  /** One run of the job of a disposal, without its row. */
  const runOf = (disposalId: number, principal: Principal, now = () => app.now()) =>
    disposeJob({ database: app.database, blobs: app.context.services.blobs, now }).run({
      ...oneRun(),
      payload: { disposalId },
      principal,
    });

  it('G109: what is ordered goes for good, and the certificate keeps what it was', async () => {
    await upload('old.txt', '2010');
    await upload('other.txt', '2011');
    await keep(firm.reportTypes[0], 7);
    const rows = await due();
    const [old] = rows;
    expect(rows).toHaveLength(2);
    const ordered = await dispose({ ids: rows.map(({ id }) => id), expected: 2 });
    expect(ordered.status).toBe(201);
    expect(ordered.body).toMatchObject({ waiting: 2, purged: 0, left: 0, endedAt: null });
    const certificate = await ended(ordered.body.id);
    expect(certificate).toMatchObject({ purged: 2, left: 0, waiting: 0 });
    expect(certificate.files[0]).toMatchObject({
      fileId: old?.id,
      name: 'old.txt',
      clientName: 'Harbor & Pine Bakery LLC',
      typeName: 'Payroll Journal',
      period: '2010',
      dueOn: '2017-12-31',
      rule: '7 years after the end of 2010',
      outcome: 'purged',
      reason: null,
    });
    expect(certificate.files[0]?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await due()).toEqual([]);
    for (const path of ['facts', 'download']) {
      expect((await admin.get(`/api/files/${old?.id}/${path}`)).status).toBe(404);
    }
    expect(refused(await admin.post(`/api/files/${old?.id}/restore`))).toEqual([404, 'not_found']);
    const { trash, files } = await firmRows(app.database);
    expect(trash).toEqual([]);
    expect(JSON.stringify(files)).not.toContain('old.txt');
    const log = (await admin.get<ActivityRow[]>('/api/activity-logs?action=delete&q=old.txt')).body;
    expect(log.map(({ details, clientId }) => [details, clientId])).toEqual([
      [`Purged file: old.txt (SHA-256 ${certificate.files[0]?.sha256})`, firm.clients[0]],
      ['Disposed of file: old.txt, 7 years after the end of 2010', firm.clients[0]],
    ]);
    // The order is told once, apart from what became of each file.
    const orders = (await admin.get<ActivityRow[]>('/api/activity-logs?action=update&q=disposal')).body;
    expect(orders.map(({ details, clientId, userName }) => [details, clientId, userName])).toEqual([
      [`Ordered disposal ${ordered.body.id} of 2 files`, null, 'Administrator'],
    ]);

    expect((await admin.put('/api/firm-settings', { name: 'Harbor & Pine Payroll' })).status).toBe(200);
    const pdf = await admin.fetch(`/api/retention/disposals/${ordered.body.id}/certificate`);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    const text = (await textOfPages(new Uint8Array(await pdf.arrayBuffer()))).join(' ');
    const late = 'Where tax was paid after it was due';
    const said = ['Harbor & Pine Payroll', 'old.txt', '7 years after the end of 2010', '2 files disposed of, 0 left'];
    for (const words of [...said, late]) {
      expect(text).toContain(words);
    }
    expect(text.replaceAll(/\s/g, '')).toContain(certificate.files[0]?.sha256);
    const csv = (await admin.get<string>(`/api/retention/disposals/${ordered.body.id}/export`)).body;
    expect(csv.split('\r\n').filter((line) => line.includes('purged'))).toHaveLength(2);
    const [listed] = (await admin.get<DisposalRow[]>('/api/retention/disposals')).body;
    expect(listed).toMatchObject({ id: ordered.body.id, purged: 2 });
    // It is kept whatever becomes of the client.
    await admin.delete(`/api/clients/${firm.clients[0]}`);
    expect((await certificateOf(ordered.body.id)).files).toHaveLength(2);
  });

  it('G110: a disposal names the earlier versions that go with a file', async () => {
    const earlier = await upload('first.txt', '2010');
    const { clientId, fileType, reportTypeId } = earlier;
    const { body: newest } = await admin.upload<FileRow>({
      name: 'second.txt',
      bytes: 'second',
      fields: { clientId, fileType, reportTypeId: reportTypeId ?? 0, period: '2010', replaces: earlier.id },
    });
    await keep(firm.reportTypes[0], 7);
    expect((await due()).map(({ id }) => id)).toEqual([newest.id]);
    const { body } = await dispose({ matching: {}, expected: 1 });
    const { files, purged } = await ended(body.id);
    expect(purged).toBe(2);
    const rule = '7 years after the end of 2010';
    expect(files.map(({ name, rule: by, sha256, outcome }) => [name, by, sha256, outcome])).toEqual([
      ['first.txt', `Earlier version of second.txt: ${rule}`, earlier.sha256, 'purged'],
      ['second.txt', rule, newest.sha256, 'purged'],
    ]);
    const { trash } = await firmRows(app.database);
    expect(trash).toEqual([]);
  });

  it('G110: each file is asked again when its turn comes: held, re-filed, gone and not due are left, with why', async () => {
    const files = [];
    for (const name of ['gone', 'moved', 'dated', 'held', 'client', 'typed', 'goes'])
      files.push(await upload(`${name}.txt`, '2010'));
    const [gone, moved, dated, held, , typed] = files;
    const [type, other] = firm.reportTypes;
    await keep(type, 7);
    await keep(other, 7);
    expect(await due()).toHaveLength(7);
    const { body } = await dispose({ matching: { reportTypeId: type }, expected: 7 });
    await admin.delete(`/api/files/${gone?.id}`);
    await admin.put(`/api/files/${moved?.id}`, { clientId: firm.clients[2] });
    await admin.put(`/api/files/${dated?.id}`, { period: '2025' });
    await admin.post('/api/holds', { kind: 'file', id: held?.id, reason: 'Audit' });
    await admin.put(`/api/files/${typed?.id}`, { reportTypeId: other });
    const { files: decided } = await ended(body.id);
    const elsewhere = 'It was filed elsewhere, or for another period, meanwhile';
    expect(Object.fromEntries(decided.map(({ name, reason }) => [name, reason]))).toEqual({
      'gone.txt': 'It was deleted, replaced or purged meanwhile',
      'moved.txt': elsewhere,
      'dated.txt': elsewhere,
      'held.txt': 'It is on hold',
      'typed.txt': elsewhere,
      'client.txt': null,
      'goes.txt': null,
    });
    for (const file of [moved, dated, held, typed]) {
      expect((await admin.get(`/api/files/${file?.id}/facts`)).status).toBe(200);
    }
    expect((await admin.post(`/api/files/${gone?.id}/restore`)).status).toBe(200);
  });

  it('G110: a report without a type that became a company document of a type is left', async () => {
    const refiled = await upload('untyped.txt', '2010', { reportTypeId: '' });
    const goes = await upload('as it was.txt', '2010', { reportTypeId: '' });
    await keep(null, 7);
    const { body } = await dispose({ ids: [refiled.id, goes.id], expected: 2 });
    const place = { fileType: 'company_document', documentType: 'Tax Return' };
    expect((await admin.put(`/api/files/${refiled.id}`, place)).status).toBe(200);
    expect((await ended(body.id)).files.map(({ name, reason }) => [name, reason])).toEqual([
      ['untyped.txt', 'It was filed elsewhere, or for another period, meanwhile'],
      ['as it was.txt', null],
    ]);
  });

  it('G110: years that are changed, a clock put back and a right that is lost leave everything', async () => {
    await upload('a.txt', '2010');
    await upload('b.txt', '2010');
    await keep(firm.reportTypes[0], 7);
    const order = async (by = admin) => (await dispose({ matching: {}, expected: 2 }, by)).body.id;
    const years = await order();
    await keep(firm.reportTypes[0], 50);
    expect((await ended(years)).files.map(({ reason }) => reason)).toEqual(
      Array(2).fill('It is not due any more: the years of its type were changed'),
    );
    await keep(firm.reportTypes[0], 7);
    const back = await order();
    // 7 years after 2010, less a day.
    await runOf(back, await actingAdmin(), () => Date.parse('2017-12-30T23:59:59Z'));
    expect((await certificateOf(back)).files.map(({ outcome }) => outcome)).toEqual(['left', 'left']);
    const admin2 = await app.login('admin2', PASSWORD);
    const lost = await order(admin2);
    await admin.put(`/api/users/${firm.users.admin2}`, {
      username: 'admin2',
      fullName: 'Full admin2',
      roleId: firm.roles.bookkeeper,
      password: '',
    });
    expect((await ended(lost)).files.map(({ reason }) => reason)).toEqual(
      Array(2).fill('Whoever ordered it may not dispose of files any more'),
    );
    expect(await namesDue('?sort=name')).toEqual(['a.txt', 'b.txt']);
  });

  it('G110: an order is refused that names what is not due, or another number than is', async () => {
    const old = await upload('old.txt', '2010');
    await keep(firm.reportTypes[0], 7);
    const before = await firmRows(app.database);
    expect(refused(await dispose({ ids: [old.id, firm.files.f1.id], expected: 2 }))).toEqual([409, 'gone_meanwhile']);
    expect(refused(await dispose({ matching: {}, expected: 2 }))).toEqual([409, 'gone_meanwhile']);
    for (const body of [
      {},
      { ids: [], expected: 1 },
      { ids: [old.id], matching: {}, expected: 1 },
      { ids: [old.id], expected: 0 },
    ]) {
      expect((await dispose(body)).status).toBe(400);
    }
    for (const by of [firm.viewers.cpa, firm.viewers.clientA, firm.viewers.bookkeeper]) {
      expect(refused(await dispose({ ids: [old.id], expected: 1 }, by))).toEqual([403, 'forbidden']);
      expect(refused(await keep(null, 1, by))).toEqual([403, 'forbidden']);
      expect(refused(await by.get<ErrorBody>('/api/retention'))).toEqual([403, 'forbidden']);
    }
    const { disposals, disposal_files, jobs } = await firmRows(app.database);
    expect([disposals, disposal_files, jobs]).toEqual([before['disposals'], before['disposal_files'], before['jobs']]);
    // What is on hold is disposed of by no order.
    await admin.post('/api/holds', { kind: 'file', id: old.id, reason: 'Audit' });
    expect(refused(await dispose({ matching: {}, expected: 1 }))).toEqual([409, 'gone_meanwhile']);
    const { body } = await dispose({ ids: [old.id], expected: 1 });
    expect((await ended(body.id)).files.map(({ reason }) => reason)).toEqual(['It is on hold']);
    const [hold] = (await admin.get<{ id: number }[]>(`/api/holds?fileId=${old.id}&inForce=true`)).body;
    await admin.post(`/api/holds/${hold?.id}/lift`);
    expect((await ended((await dispose({ matching: {}, expected: 1 })).body.id)).purged).toBe(1);
    const [job] = (await admin.get<JobRow[]>('/api/jobs')).body.filter(({ kind }) => kind === 'retention.dispose');
    expect(job?.summary).toBe('1 file disposed of, 0 left.');
  });

  it('G110: what waits in a disposal says so, and no other takes it', async () => {
    for (const name of ['a', 'b']) await upload(`${name}.txt`, '2010');
    await keep(firm.reportTypes[0], 7);
    const [a, b] = await due('?sort=name');
    const first = await dispose({ ids: [a?.id], expected: 1 });
    expect((await due('?sort=name')).map(({ originalName, ordered }) => [originalName, ordered])).toEqual([
      ['a.txt', true],
      ['b.txt', false],
    ]);
    expect([await namesDue('?ordered=true'), await namesDue('?ordered=false')]).toEqual([['a.txt'], ['b.txt']]);
    expect(refused(await dispose({ ids: [a?.id], expected: 1 }))).toEqual([409, 'gone_meanwhile']);
    expect(refused(await dispose({ ids: [a?.id, b?.id], expected: 2 }))).toEqual([409, 'gone_meanwhile']);
    expect(refused(await dispose({ matching: {}, expected: 2 }))).toEqual([409, 'gone_meanwhile']);
    // Of two orders at once one is first.
    const orders = await Promise.all([dispose({ matching: {}, expected: 1 }), dispose({ matching: {}, expected: 1 })]);
    expect(orders.map(({ status }) => status).sort()).toEqual([201, 409]);
    const second = orders.find(({ status }) => status === 201)?.body.id ?? 0;
    for (const [id, name] of [
      [first.body.id, 'a.txt'],
      [second, 'b.txt'],
    ] as const) {
      const { files } = await ended(id);
      expect(files.map((file) => [file.name, file.outcome])).toEqual([[name, 'purged']]);
    }
  });

  it('G110: what the certificate calls purged is purged by then: a hold that comes after that word finds nothing', async () => {
    const old = await upload('old.txt', '2010');
    await keep(firm.reportTypes[0], 7);
    const { body } = await dispose({ matching: {}, expected: 1 });
    const person = await actingAdmin();
    await runOf(body.id, {
      ...person,
      change: async (action, work) => {
        const result = await person.change(action, work);
        const onClient = { kind: 'client', id: firm.clients[0], reason: 'Audit' };
        expect((await admin.post('/api/holds', onClient)).status).toBe(201);
        expect(refused(await admin.post('/api/holds', { ...onClient, kind: 'file', id: old.id }))).toEqual([
          404,
          'not_found',
        ]);
        return result;
      },
    });
    expect(await certificateOf(body.id)).toMatchObject({ purged: 1, left: 0, waiting: 0 });
    expect(refused(await admin.post(`/api/files/${old.id}/restore`))).toEqual([404, 'not_found']);
    const { trash, files } = await firmRows(app.database);
    expect(trash).toEqual([]);
    expect(JSON.stringify(files)).not.toContain('old.txt');
  });

  describe('a disposal that stopped before its end', () => {
    const files = (n: number) => Array.from({ length: n }, (_, nth) => `rest ${nth}.txt`);
    const theJob = async () =>
      (await admin.get<JobRow[]>('/api/jobs')).body.find((job) => job.kind === 'retention.dispose');
    const rest = (id: number, decision: string, by = admin) =>
      by.post<DisposalRow & ErrorBody>(`/api/retention/disposals/${id}/rest`, { decision });
    const listed = async () => (await admin.get<DisposalRow[]>('/api/retention/disposals')).body[0];
    async function aCancelled(): Promise<number> {
      for (const name of files(3)) await upload(name, '2010');
      await keep(firm.reportTypes[0], 7);
      const { id } = (await dispose({ matching: {}, expected: 3 })).body;
      expect(await listed()).toMatchObject({ id, stopped: null, fault: null });
      expect(refused(await rest(id, 'leave'))).toEqual([409, 'gone_meanwhile']);
      await admin.post(`/api/jobs/${(await theJob())?.id}/cancel`);
      expect(await listed()).toMatchObject({ id, stopped: 'cancelled', fault: null, waiting: 3, endedAt: null });
      return id;
    }
    const logged = async () =>
      (await admin.get<ActivityRow[]>('/api/activity-logs?action=update&q=disposal')).body.map(
        ({ details }) => details,
      );

    it('G109: goes on in the name of whoever says so, and ends with its certificate', async () => {
      const id = await aCancelled();
      const admin2 = await app.login('admin2', PASSWORD);
      expect((await rest(id, 'goOn', admin2)).body).toMatchObject({ id, stopped: null, waiting: 3, endedAt: null });
      expect(await theJob()).toMatchObject({ state: 'waiting', actingUserId: firm.users.admin2 });
      expect(refused(await rest(id, 'goOn'))).toEqual([409, 'gone_meanwhile']);
      expect(await ended(id)).toMatchObject({ purged: 3, left: 0, waiting: 0, stopped: null });
      expect(refused(await rest(id, 'leave'))).toEqual([409, 'gone_meanwhile']);
      expect(await logged()).toEqual([`Went on with disposal ${id}`, `Ordered disposal ${id} of 3 files`]);
    });

    it('G109: or leaves what waits, which is due as before, and the certificate says who', async () => {
      const id = await aCancelled();
      for (const by of [firm.viewers.cpa, firm.viewers.clientA]) {
        expect(refused(await rest(id, 'leave', by))).toEqual([403, 'forbidden']);
      }
      expect(refused(await rest(999_999, 'leave'))).toEqual([404, 'not_found']);
      expect((await rest(id, 'stop')).body.fields).toEqual({ decision: 'Must be goOn or leave' });
      expect((await rest(id, 'leave')).body).toMatchObject({ purged: 0, left: 3, waiting: 0, stopped: null });
      const certificate = await certificateOf(id);
      expect(certificate.endedAt).not.toBeNull();
      expect(certificate.files.map(({ reason }) => reason)).toEqual(
        Array(3).fill('Administrator ended the disposal before its turn came'),
      );
      expect(await namesDue('?sort=name')).toEqual(files(3));
      expect(await logged()).toEqual([`Ended disposal ${id}: the rest stays`, `Ordered disposal ${id} of 3 files`]);
      // Its job, run again after all, finds nothing that waits.
      await admin.post(`/api/jobs/${(await theJob())?.id}/retry`);
      expect(await ended(id)).toMatchObject({ purged: 0, left: 3 });
    });

    it('G109: goes on though the run of whoever may dispose of files no more is begun again beside it', async () => {
      const id = await aCancelled();
      expect((await rest(id, 'goOn')).body).toMatchObject({ stopped: null, waiting: 3 });
      await runOf(id, await actingAdmin(firm.viewers.cpa));
      expect(await listed()).toMatchObject({ id, waiting: 3, left: 0, endedAt: null });
      expect(await ended(id)).toMatchObject({ purged: 3, left: 0, waiting: 0 });
    });

    it('G110: of a run and the word that leaves the rest, one is first', async () => {
      const id = await aCancelled();
      const [waiting] = (await certificateOf(id)).files;
      const person = await actingAdmin();
      const locked = Promise.withResolvers<void>();
      const free = Promise.withResolvers<void>();
      // The run has read what waits, and comes no further than to the first of its files.
      const holding = app.database.transaction(async (tx) => {
        await lockRow({ db: tx, engine: kind }, 'files', waiting?.fileId ?? 0);
        locked.resolve();
        await free.promise;
      });
      await locked.promise;
      const running = runOf(id, person);
      // SQLite, and PostgreSQL within the test's own process, have one writer: nothing can be between the two.
      const isApart = kind === 'postgres' && inject('postgresUrl') !== null;
      if (isApart) await someoneWaits(app);
      const leaving = rest(id, 'leave');
      if (isApart) await someoneWaits(app, 2);
      free.resolve();
      await Promise.all([holding, running, leaving]);
      const certificate = await certificateOf(id);
      expect(certificate.endedAt).not.toBeNull();
      for (const { fileId, outcome } of certificate.files) {
        const isThere = (await admin.get(`/api/files/${fileId}/facts`)).status === 200;
        expect([outcome, isThere]).toEqual(isThere ? ['left', true] : ['purged', false]);
      }
    });

    it('G109: stands before those that have ended, however many are newer', async () => {
      const id = await aCancelled();
      const at = app.now();
      const order = { ordered_by_id: firm.users.admin2, ordered_by_name: 'Later', ordered_at: at, ended_at: at };
      await app.database.transaction((tx) =>
        tx
          .insertInto('disposals')
          .values(Array.from({ length: 51 }, () => order))
          .execute(),
      );
      const pageAt = async (offset: number) =>
        (await admin.get<DisposalRow[]>(`/api/retention/disposals?limit=50&offset=${offset}`)).body;
      const [first, ...others] = await pageAt(0);
      expect(first).toMatchObject({ id, stopped: 'cancelled', waiting: 3 });
      const ids = [...others, ...(await pageAt(50))].map((disposal) => disposal.id);
      expect(ids).toHaveLength(51);
      expect(ids).toEqual(ids.toSorted((a, b) => b - a));
      expect((await rest(id, 'leave')).status).toBe(200);
      expect((await pageAt(50)).map((disposal) => disposal.id)).toEqual([ids.at(-1), id]);
    });

    it('G109: one that failed says with what, and one whose job is forgotten has stopped', async () => {
      const id = await aCancelled();
      const job = (set: { state?: 'failed'; error?: string } | null) =>
        app.database.transaction(async (tx) => {
          if (set === null) await tx.deleteFrom('jobs').where('kind', '=', 'retention.dispose').execute();
          else await tx.updateTable('jobs').set(set).where('kind', '=', 'retention.dispose').execute();
        });
      await job({ state: 'failed', error: 'The disk is full.' });
      expect(await listed()).toMatchObject({ id, stopped: 'failed', fault: 'The disk is full.' });
      await job(null);
      expect(await listed()).toMatchObject({ id, stopped: 'lost', fault: null });
    });
  });

  it('G110: of a hold and a disposal at once, one is first', async () => {
    const files = [];
    for (const name of ['a', 'b', 'c', 'd']) files.push(await upload(`${name}.txt`, '2010'));
    await keep(firm.reportTypes[0], 7);
    const { body } = await dispose({ matching: {}, expected: 4 });
    const [decided, ...holds] = await Promise.all([
      ended(body.id),
      ...files.map(({ id }) => admin.post<{ id: number }>('/api/holds', { kind: 'file', id, reason: 'Audit' })),
    ]);
    for (const [nth, { id }] of files.entries()) {
      const outcome = decided.files.find(({ fileId }) => fileId === id)?.outcome;
      const isThere = (await admin.get(`/api/files/${id}/facts`)).status === 200;
      expect([outcome, isThere]).toEqual(holds[nth]?.status === 201 ? ['left', true] : ['purged', false]);
    }
  });
});

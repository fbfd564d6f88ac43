// What people have ordered in the background, as they read it themselves over HTTP: each only their own, in plain words.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RECOGNISING_TOO_LONG } from '#contract/batch-words.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { OWN_JOBS_MAX, type OwnJobRow } from '#contract/jobs.ts';
import type { LoginResponse } from '#contract/session.ts';
import { addUser, type Firm } from '../../testing/firm.ts';
import { kindsOf } from '../../testing/scripted-jobs.ts';
import { Caller, type TestApp } from '../../testing/test-app.ts';
import { insertTestArchive } from '../../testing/test-archive.ts';
import { insertTestBatch } from '../../testing/test-batch.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { insertTestJob, type TestJob } from '../../testing/test-job.ts';

const NO_ID = 999_999;

describe.each(DATABASE_KINDS)("one's own background work on %s", (kind) => {
  let app: TestApp;
  let firm: Firm;
  let people = 0;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { clock: 'standing' }));
  });
  afterAll(() => app.close());

  async function newCpa() {
    people += 1;
    const lists = { clientIds: [firm.clients[0]], reportTypeIds: [firm.reportTypes[0]] };
    return addUser(app, `orders${people}`, firm.roles.cpa, lists);
  }

  const jobsOf = async (caller: Caller) => (await caller.get<OwnJobRow[]>('/api/session/jobs')).body;
  const jobOf = (actingUserId: number, job: TestJob) => insertTestJob(app.database, { ...job, actingUserId });

  it('is nobody else’s, and not the server’s own', async () => {
    const one = await newCpa();
    const other = await newCpa();
    const { id } = await jobOf(one.id, { kind: 'batches.read', state: 'done', payload: { batchId: NO_ID } });
    await insertTestJob(app.database, { kind: 'blobs.sweep', state: 'done' });
    expect((await jobsOf(one.caller)).map((job) => job.id)).toEqual([id]);
    expect(await jobsOf(other.caller)).toEqual([]);
    expect(await jobsOf(app.admin)).toEqual([]);
    expect((await app.anonymous.get<ErrorBody>('/api/session/jobs')).status).toBe(401);
  });

  it('has words for each kind that acts for a person', async () => {
    const { id, caller } = await newCpa();
    const kinds = Object.entries(kindsOf(app)).flatMap(([name, { acts }]) => (acts === 'person' ? [name] : []));
    const ordered: number[] = [];
    for (const name of kinds) ordered.unshift((await jobOf(id, { kind: name, state: 'done' })).id);
    expect((await jobsOf(caller)).map((job) => job.id)).toEqual(ordered);
  });

  it('is nobody’s in a look', async () => {
    const { id } = await newCpa();
    await jobOf(id, { kind: 'batches.read', state: 'done', payload: { batchId: NO_ID } });
    const { body } = await app.admin.post<LoginResponse>(`/api/users/${id}/look`);
    const look = new Caller(app.origin, body.token);
    const { status, body: refused } = await look.get<ErrorBody>('/api/session/jobs');
    expect([status, refused.code]).toEqual([403, 'look_reads_only']);
  });

  it('comes newest first, with its state, what is done of it and what came of it', async () => {
    const { id, caller } = await newCpa();
    const batch = await insertTestBatch(app, { ownerId: id, state: 'review', name: 'July payroll' });
    const about = { batchId: batch.id };
    await jobOf(id, { kind: 'batches.read', state: 'done', payload: about });
    await jobOf(id, { kind: 'batches.release', state: 'running', payload: { ...about, userId: id }, progress: 40 });
    await jobOf(id, { kind: 'batches.read', state: 'failed', payload: about, error: RECOGNISING_TOO_LONG });
    await jobOf(id, { kind: 'batches.read-file', state: 'cancelled', payload: { ...about, fileId: batch.fileId } });
    const made = { what: 'batch', id: batch.id, name: 'July payroll' };
    expect(await jobsOf(caller)).toMatchObject([
      { title: 'Read a file of a batch', state: 'failed', fault: 'It was canceled.', made },
      { title: 'Read a batch', state: 'failed', fault: RECOGNISING_TOO_LONG, made },
      { title: 'Release a batch', state: 'running', progress: 40, fault: null, endedAt: null, made },
      { title: 'Read a batch', state: 'done', progress: null, fault: null, endedAt: new Date(2).toISOString(), made },
    ]);
  });

  it('says nothing of an error that is for who runs the portal', async () => {
    const { id, caller } = await newCpa();
    const error = 'ENOENT: no such file /var/lib/coffer/blobs/ab/cd';
    await jobOf(id, { kind: 'batches.release', state: 'failed', payload: { batchId: NO_ID, userId: id }, error });
    const [job] = await jobsOf(caller);
    expect(job).toMatchObject({ state: 'failed', made: null });
    expect(JSON.stringify(job)).not.toContain('ENOENT');
  });

  it('names a ZIP while it is kept, and a batch while it is in reach', async () => {
    const { id, caller } = await newCpa();
    const other = await newCpa();
    const zipId = await insertTestArchive(app, { ownerId: id, fileIds: [NO_ID] });
    const batch = await insertTestBatch(app, { ownerId: other.id, state: 'adding' });
    await jobOf(id, { kind: 'batches.read', state: 'done', payload: { batchId: batch.id } });
    await jobOf(id, { kind: 'retention.dispose', state: 'done', payload: { disposalId: NO_ID } });
    const made = async () => (await jobsOf(caller)).map((job) => job.made);
    expect(await made()).toEqual([null, null, { what: 'zip', id: zipId, name: 'files.zip' }]);
    await caller.delete(`/api/archives/${zipId}`);
    expect(await made()).toEqual([null, null, null]);
  });

  it('says why a ZIP was not made', async () => {
    const { id, caller } = await newCpa();
    const zipId = await insertTestArchive(app, { ownerId: id, fileIds: [NO_ID], state: 'failed' });
    const fault = 'None of the files is there any more.';
    await app.database.transaction((tx) => tx.updateTable('archives').set({ fault }).where('id', '=', zipId).execute());
    expect(await jobsOf(caller)).toMatchObject([{ title: 'Prepare a ZIP', state: 'failed', fault, made: null }]);
  });

  it('goes back as far as the newest fifty', async () => {
    const { id, caller } = await newCpa();
    const ids: number[] = [];
    for (let nth = 0; nth <= OWN_JOBS_MAX; nth += 1) {
      ids.push((await jobOf(id, { kind: 'batches.read', state: 'done', payload: { batchId: NO_ID } })).id);
    }
    expect((await jobsOf(caller)).map((job) => job.id)).toEqual(ids.toReversed().slice(0, OWN_JOBS_MAX));
  });
});

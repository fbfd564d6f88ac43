// Report types over HTTP, on both engines: created, listed and deleted, unless a file is filed under them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { ReportTypeRow } from '#contract/report-types.ts';
import { searchForm } from '#contract/search.ts';
import type { UserRow } from '#contract/users.ts';
import { addUser, type Firm } from '../../testing/firm.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';

describe.each(DATABASE_KINDS)('report types on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  const add = (name: string) => app.admin.post<ReportTypeRow>('/api/report-types', { name });
  const rename = (id: number, name: string) => app.admin.put(`/api/report-types/${id}`, { name });
  const remove = (id: number) => app.admin.delete(`/api/report-types/${id}`);
  const log = async () => (await app.admin.get<ActivityRow[]>('/api/activity-logs?limit=1')).body[0]?.details;

  it('are created with a trimmed name and deleted', async () => {
    const created = await add('  Payroll Journals ');
    expect([created.status, created.body]).toEqual([
      201,
      { id: expect.any(Number), name: 'Payroll Journals', phrases: [], version: expect.any(String) },
    ]);
    expect(await log()).toBe('Created report type: Payroll Journals');
    const { id } = created.body;
    expect((await app.admin.get<ReportTypeRow[]>('/api/report-types')).body).toContainEqual(created.body);
    expect(await remove(id)).toMatchObject({ status: 204, body: undefined });
    expect(await log()).toBe('Deleted report type: Payroll Journals');
    expect((await remove(id)).status).toBe(404);
    const again = await add('Payroll Journals');
    expect([again.status, again.body.id > id]).toEqual([201, true]);
    await remove(again.body.id);
  });

  it('have a name that no other has, regardless of case, form and outer space', async () => {
    const { body: own } = await add('Relevé №1');
    for (const name of ['Relevé №1', 'RELEVÉ №1', 'releve\u0301 no1', ' form 941', 'FORM 941 ']) {
      const { status, body } = await app.admin.post<ErrorBody>('/api/report-types', { name });
      expect([name, status, body.code]).toEqual([name, 409, 'report_type_name_taken']);
      expect(body.message).toBe('A report type with this name already exists.');
    }
    await remove(own.id);
  });

  it('are created once from two requests at the same moment', async () => {
    const answers = await Promise.all([add('At Once'), add('at once')]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409]);
    await remove(answers.find((answer) => answer.status === 201)?.body.id ?? 0);
  });

  it('are renamed, also while files are filed under them, and everything names them anew', async () => {
    const [t1] = firm.reportTypes;
    const before = (await app.admin.get<ReportTypeRow[]>('/api/report-types')).body.find(({ id }) => id === t1);
    const { name: former = '', version = '' } = before ?? {};
    const renamed = await app.admin.put<ReportTypeRow>(`/api/report-types/${t1}`, { name: ' Quarterly returns ' });
    expect([renamed.status, renamed.body.name]).toEqual([200, 'Quarterly returns']);
    expect(renamed.body.version).not.toBe(version);
    expect(await log()).toBe(`Renamed report type: ${former} to Quarterly returns`);
    const { body: files } = await firm.viewers.clientA.get<{ reportTypeName: string | null }[]>(
      '/api/files?q=quarterly%20returns',
    );
    expect([...new Set(files.map(({ reportTypeName }) => reportTypeName))]).toEqual(['Quarterly returns']);
    expect((await app.admin.get('/api/report-types?q=quarterly')).headers.get('x-total-count')).toBe('1');

    // Its own name in other letters is no duplicate; the same name is no change.
    expect((await rename(t1, 'Quarterly Returns')).status).toBe(200);
    const entry = await log();
    expect((await rename(t1, 'Quarterly Returns')).status).toBe(200);
    expect(await log()).toBe(entry);

    expect((await rename(t1, former)).status).toBe(200);
    expect((await rename(t1, '   ')).status).toBe(400);
    expect((await rename(9_999, 'Nowhere')).status).toBe(404);
    expect((await firm.viewers.cpa.put(`/api/report-types/${t1}`, { name: 'Mine' })).status).toBe(403);
  });

  it('are not renamed to what another has or looks like, one after another or at once', async () => {
    const { body: own } = await add('Scanned letters');
    const { body: other } = await add('Notices');
    const taken = await app.admin.put<ErrorBody>(`/api/report-types/${own.id}`, { name: 'NOTICES' });
    expect([taken.status, taken.body.code]).toEqual([409, 'report_type_name_taken']);
    const alike = await app.admin.put<ErrorBody>(`/api/report-types/${own.id}`, { name: 'N\u043etices' });
    expect([alike.status, alike.body.code]).toEqual([409, 'name_looks_like']);
    const both = await Promise.all([rename(own.id, 'At one time'), rename(other.id, 'at one TIME')]);
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 409]);
    for (const { id } of [own, other]) await remove(id);
  });

  it('in use cannot be deleted, and the answer says how many files use them', async () => {
    const [t1, t2] = firm.reportTypes;
    const once = await remove(t2);
    expect([once.status, once.body.code]).toEqual([409, 'report_type_in_use']);
    expect(once.body.message).toBe('This report type is used by 1 file. Delete or re-file them first.');
    expect((await remove(t1)).body.message).toBe('This report type is used by 2 files. Delete or re-file them first.');
    expect((await app.admin.get<ReportTypeRow[]>('/api/report-types')).headers.get('x-total-count')).toBe('3');
  });

  it('leave the access lists they was in when they go', async () => {
    const { body: type } = await add('Short-lived');
    const lists = { clientIds: [firm.clients[0]], reportTypeIds: [firm.reportTypes[0], type.id] };
    const { id } = await addUser(app, 'holder', firm.roles.client, lists);
    expect((await remove(type.id)).status).toBe(204);
    const user = (await app.admin.get<UserRow[]>('/api/users')).body.find((row) => row.id === id);
    expect(user?.reportTypeIds).toEqual([firm.reportTypes[0]]);
  });

  it('deleted during an upload under them leave either the type or no file of it', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { body: type } = await add(`Round ${round}`);
      const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: type.id };
      const [upload, removal] = await Promise.all([app.admin.upload({ fields }), remove(type.id)]);
      expect([
        [201, 409],
        [404, 204],
        [409, 204],
      ]).toContainEqual([upload.status, removal.status]);
      const filed = await app.database.reader
        .selectFrom('files')
        .select('id')
        .where('report_type_id', '=', type.id)
        .execute();
      expect(filed).toHaveLength(upload.status === 201 ? 1 : 0);
    }
  });

  it('are listed, found, sorted and paged', async () => {
    const { body: all } = await app.admin.get<ReportTypeRow[]>('/api/report-types');
    const names = all.map((type) => type.name);
    expect(names).toEqual(names.toSorted((a, b) => (searchForm(a) < searchForm(b) ? -1 : 1)));
    expect((await app.admin.get<ReportTypeRow[]>('/api/report-types?sort=-name')).body).toEqual(all.toReversed());
    const page = await app.admin.get<ReportTypeRow[]>('/api/report-types?limit=1&offset=1');
    expect([page.body, page.headers.get('x-total-count')]).toEqual([all.slice(1, 2), String(all.length)]);
    const found = await app.admin.get<ReportTypeRow[]>('/api/report-types?q=FORM%209');
    expect([found.body.map((type) => type.name), found.headers.get('x-total-count')]).toEqual([['Form 941'], '1']);
    const reached = await firm.viewers.clientA.get<ReportTypeRow[]>('/api/report-types');
    expect(reached.body.map((type) => type.name)).toEqual(['Payroll Journal']);
    expect(reached.headers.get('x-total-count')).toBe('1');
  });
});

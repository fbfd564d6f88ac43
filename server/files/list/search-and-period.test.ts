// Files found by words in name, client and report type, and narrowed, ordered, re-filed and exported by their period.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { FileRow } from '#contract/files.ts';
import type { JobRow } from '#contract/jobs.ts';
import { searchForm } from '#contract/search.ts';
import { eventually } from '../../testing/eventually.ts';
import { addUser, type Firm } from '../../testing/firm.ts';
import { oneRun } from '../../testing/one-run.ts';
import type { Caller, TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { periodsJob } from '../periods-job.ts';

describe.each(DATABASE_KINDS)('files on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  /** Reaches the first client and the first report type alone. */
  let narrow: Caller;

  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
    const { caller } = await addUser(app, 'narrow', firm.roles.cpa, {
      clientIds: [firm.clients[0]],
      reportTypeIds: [firm.reportTypes[0]],
    });
    narrow = caller;
    const add = async (name: string, client: number, more: Record<string, string | number> = {}) => {
      const fields = { clientId: client, fileType: 'report', reportTypeId: firm.reportTypes[0], ...more };
      expect((await app.admin.upload({ name, fields })).status).toBe(201);
    };
    const [first, second] = firm.clients;
    await add('2025Q1_941_FILED.pdf', first, { period: '2025-Q1' });
    await add('Café-Journal 3-14-25.pdf', first, { period: '2025-03-14' });
    await add('W2_Batch.pdf', first, { period: '2025', reportTypeId: firm.reportTypes[1] });
    await add('O’Brien & Sons.pdf', second, { period: '2024-12-31' });
    await add('scan0047.pdf', second);
  });
  afterAll(() => app.close());

  const names = async (by: Caller, query: string) => {
    const { body, headers } = await by.get<FileRow[]>(`/api/files?sort=originalName&${query}`);
    expect(headers.get('x-total-count')).toBe(String(body.length));
    return body.map((file) => file.originalName).filter((name) => !/^f\d\.txt$/.test(name));
  };

  describe('are found by', () => {
    it.each([
      ['words in any order', '941 2025q1', ['2025Q1_941_FILED.pdf']],
      ['a word of the client and one of the name', 'harbor 941 filed', ['2025Q1_941_FILED.pdf']],
      ['a word of the report type and one of the client', 'journal pine filed', ['2025Q1_941_FILED.pdf']],
      ['letters without their accents', 'CAFE', ['Café-Journal 3-14-25.pdf']],
      ['punctuation that is written otherwise', 'cafe journal 3/14/25', ['Café-Journal 3-14-25.pdf']],
      ['a name without its apostrophe', 'obrien', ['O’Brien & Sons.pdf']],
      [
        'punctuation alone',
        '&',
        ['2025Q1_941_FILED.pdf', 'Café-Journal 3-14-25.pdf', 'O’Brien & Sons.pdf', 'W2_Batch.pdf'],
      ],
    ])('%s', async (_title, q, found) => {
      const mine = await names(app.admin, `q=${encodeURIComponent(q)}`);
      expect(found.filter((name) => !mine.includes(name))).toEqual([]);
      if (q !== '&') expect(mine).toEqual(found);
    });

    it('all words, and not by some of them', async () => {
      expect(await names(app.admin, 'q=harbor%20940')).toEqual([]);
      expect(await names(app.admin, 'q=scan0047%20harbor')).toEqual([]);
    });

    it('words only within reach', async () => {
      expect(await names(narrow, 'q=harbor')).toEqual(['2025Q1_941_FILED.pdf', 'Café-Journal 3-14-25.pdf']);
      expect(await names(narrow, 'q=obrien')).toEqual([]);
    });

    it('the new name after they were renamed, and no more by the old one', async () => {
      const { body: file } = await app.admin.upload<FileRow>({
        name: 'Mistyped.pdf',
        fields: { clientId: firm.clients[1], fileType: 'company_document' },
      });
      const renamed = await app.admin.put<FileRow>(`/api/files/${file.id}`, { originalName: '../Bank/Letter.pdf' });
      expect([renamed.status, renamed.body]).toEqual([200, { ...file, originalName: 'Letter.pdf' }]);
      expect([await names(app.admin, 'q=letter'), await names(app.admin, 'q=mistyped')]).toEqual([['Letter.pdf'], []]);
      const { body: log } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?fileId=${file.id}&action=update`);
      expect(log.map(({ details, clientId }) => [details, clientId])).toEqual([
        ['Renamed file: Mistyped.pdf to Letter.pdf', firm.clients[1]],
      ]);
      expect((await narrow.put(`/api/files/${file.id}`, { originalName: 'Mine.pdf' })).status).toBe(404);
      expect((await app.admin.delete(`/api/files/${file.id}`)).status).toBe(204);
    });
  });

  it('clients and users are found by every word of their fields', async () => {
    const found = async (path: string) =>
      (await app.admin.get<{ name?: string; username?: string }[]>(path)).body.length;
    const { body: client } = await app.admin.get<{ federalId: string; phone: string }>(
      `/api/clients/${firm.clients[0]}`,
    );
    const digits = searchForm(client.federalId);
    expect(await found(`/api/clients?q=${digits}`)).toBeGreaterThan(0);
    expect(await found(`/api/clients?q=pine%20${digits.slice(2)}%20harbor`)).toBe(1);
    expect(await found(`/api/clients?q=pine%20${digits}1`)).toBe(0);
    expect(await found('/api/users?q=cpa%20narrow')).toBe(1);
    expect(await found('/api/users?q=admin%20narrow')).toBe(0);
  });

  describe('are narrowed by', () => {
    it.each([
      [
        'a year, with its quarters and pay dates',
        'period=2025',
        ['2025Q1_941_FILED.pdf', 'Café-Journal 3-14-25.pdf', 'W2_Batch.pdf'],
      ],
      ['a quarter', 'period=2025-Q1', ['2025Q1_941_FILED.pdf', 'Café-Journal 3-14-25.pdf']],
      ['a pay date', 'period=2025-03-14', ['Café-Journal 3-14-25.pdf']],
      ['another quarter, without the year itself', 'period=2025-Q4', []],
      ['none', 'period=none', ['scan0047.pdf']],
    ])('%s', async (_title, query, expected) => {
      const found = await names(app.admin, query);
      expect(found.filter((name) => expected.includes(name))).toEqual(expected);
      const told = [
        '2025Q1_941_FILED.pdf',
        'Café-Journal 3-14-25.pdf',
        'W2_Batch.pdf',
        'O’Brien & Sons.pdf',
        'scan0047.pdf',
      ];
      expect(found.filter((name) => told.includes(name) && !expected.includes(name))).toEqual([]);
    });

    it('the day of the upload where there is none, which is not the period they are shown with', async () => {
      const year = new Date(app.now()).getUTCFullYear();
      const { body } = await app.admin.get<FileRow[]>(`/api/files?period=${year}&q=scan0047`);
      expect(body.map(({ originalName, period }) => [originalName, period])).toEqual([['scan0047.pdf', null]]);
    });

    it('no other text', async () => {
      for (const period of ['2025-Q5', '25', 'all', '2025-02-30']) {
        const { status } = await app.admin.get(`/api/files?period=${period}`);
        expect([period, status]).toEqual([period, 400]);
      }
    });

    it('Other, with the documents that have no type and are shown as that', async () => {
      const sent: number[] = [];
      for (const [name, type] of [
        ['Bare letter.txt', {}],
        ['Other letter.txt', { documentType: 'Other' }],
        ['Tax letter.txt', { documentType: 'Tax Return' }],
      ] as const) {
        const fields = { clientId: firm.clients[0], fileType: 'company_document', ...type };
        sent.push((await app.admin.upload<FileRow>({ name, fields })).body.id);
      }
      const other = ['Bare letter.txt', 'Other letter.txt'];
      for (const more of ['', `&clientId=${firm.clients[0]}`, '&q=letter']) {
        for (const by of [app.admin, narrow]) {
          const query = `documentType=Other${more}`;
          expect([query, await names(by, query)]).toEqual([query, other]);
        }
      }
      expect(await names(app.admin, 'documentType=Tax%20Return')).toEqual(['Tax letter.txt']);
      expect(await names(app.admin, 'documentType=Other&fileType=report')).toEqual([]);
      const table = await (await app.admin.fetch('/api/files/export?documentType=Other&q=letter')).text();
      expect(table.match(/"Company Document",,"Other"/g)).toHaveLength(other.length);
      for (const id of sent) await app.admin.delete(`/api/files/${id}`);
    });

    it('within reach alone', async () => {
      expect(await names(narrow, 'period=2025')).toEqual(['2025Q1_941_FILED.pdf', 'Café-Journal 3-14-25.pdf']);
    });
  });

  it('stand in the order of their periods', async () => {
    const { body } = await app.admin.get<FileRow[]>(`/api/files?sort=period&clientId=${firm.clients[0]}`);
    const periods = body.flatMap(({ period }) => period ?? []);
    expect(periods).toEqual(['2025-03-14', '2025-Q1', '2025']);
  });

  it('carry the period into the export', async () => {
    const answer = await app.admin.fetch('/api/files/export?period=2025-Q1&sort=originalName');
    const [header, ...rows] = (await answer.text()).trim().split('\r\n');
    expect(header?.split(',')[5]).toMatch(/Period/);
    expect(rows.map((row) => row.split(',')[5]?.replaceAll('"', ''))).toEqual(['2025-Q1', '2025-03-14']);
  });

  it('are given another period, and none, with words in the log', async () => {
    const { body: file } = await app.admin.upload<FileRow>({
      name: 'Period.pdf',
      fields: { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0], period: '2023' },
    });
    expect(file.period).toBe('2023');
    const given = await narrow.put<FileRow>(`/api/files/${file.id}`, { period: '2023-Q2' });
    expect([given.status, given.body.period]).toEqual([200, '2023-Q2']);
    expect(await names(app.admin, 'period=2023-Q2')).toEqual(['Period.pdf']);
    const taken = await app.admin.put<FileRow>(`/api/files/${file.id}`, { period: null });
    expect(taken.body.period).toBeNull();
    expect(await names(app.admin, 'period=2023')).toEqual([]);
    const { body: log } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?fileId=${file.id}&action=update`);
    expect(log.map(({ details }) => details).filter((details) => details?.includes('Q2 2023'))).toHaveLength(2);
    await app.admin.delete(`/api/files/${file.id}`);
  });

  it('get the period that their names speak of from a job, which says of how many it cannot tell', async () => {
    const add = async (name: string, more: Record<string, string> = {}) =>
      (
        await app.admin.upload<FileRow>({
          name,
          fields: { clientId: firm.clients[2], fileType: 'company_document', ...more },
        })
      ).body;
    const files = [
      await add('Register 2022-05-13.pdf'),
      await add('1Q22 return.pdf'),
      await add('Reports (3).pdf'),
      await add('2021 return.pdf', { period: '2020' }),
    ];
    const result = await periodsJob(app.database).run(oneRun());
    const { body } = await app.admin.get<FileRow[]>(`/api/files?clientId=${firm.clients[2]}&sort=period`);
    const periodOf = new Map(body.map((file) => [file.id, file.period]));
    expect(files.map(({ id }) => periodOf.get(id))).toEqual(['2022-05-13', '2022-Q1', null, '2020']);
    expect(await names(app.admin, 'period=2022')).toEqual(['1Q22 return.pdf', 'Register 2022-05-13.pdf']);
    expect(JSON.stringify(result)).toMatch(/Filled in the period of 2 files\. The names of \d+ do not say it/);
  });

  it('and the job runs by itself after the schema has learned of periods', async () => {
    await app.database.transaction((tx) =>
      tx
        .insertInto('jobs')
        .values({ kind: 'files.periods', state: 'waiting', payload: '{}', attempts_max: 20, run_at: 0, created_at: 0 })
        .execute(),
    );
    await app.context.jobs.start();
    await eventually(async () => {
      const { body } = await app.admin.get<JobRow[]>('/api/jobs');
      expect(body.find((job) => job.kind === 'files.periods')).toMatchObject({
        state: 'done',
        summary: expect.stringMatching(/^Filled in the period of \d+ files?\./),
      });
    });
    await app.context.jobs.stop();
  });

  it('are found by having no report type, by staff alone', async () => {
    const [clientId, other] = firm.clients;
    const lists = { clientIds: [clientId], reportTypeIds: firm.reportTypes };
    const { caller: reader } = await addUser(app, 'untyped-reader', firm.roles.client, lists);
    const fields = { clientId, fileType: 'report' };
    expect((await narrow.upload({ name: 'untyped of a CPA.pdf', fields })).status).toBe(201);
    const ofAdmin = { name: 'untyped of an Admin.pdf', fields: { clientId: other, fileType: 'report' } };
    expect((await app.admin.upload(ofAdmin)).status).toBe(201);
    const untyped = 'fileType=report&reportTypeId=none';
    expect(await names(app.admin, untyped)).toEqual(['untyped of a CPA.pdf', 'untyped of an Admin.pdf']);
    expect(await names(app.admin, `${untyped}&clientId=${other}`)).toEqual(['untyped of an Admin.pdf']);
    expect(await names(narrow, untyped), 'one’s own').toEqual(['untyped of a CPA.pdf']);
    expect(await names(reader, untyped)).toEqual([]);
    expect(await names(app.admin, 'fileType=company_document&reportTypeId=none')).toEqual([]);
    const refused = await app.admin.get('/api/files?reportTypeId=no');
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { fields: { reportTypeId: 'Must be a positive whole number, or none' } },
    ]);
  });
});

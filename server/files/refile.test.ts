// Re-filing a file: where it is seen and counted afterwards, what the log says to whom, and what is refused.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { ActivityRow, Overview } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { PeriodsSet } from '#contract/file-periods.ts';
import type { FileRow } from '#contract/files.ts';
import { periodKey } from '#contract/period.ts';
import { addUser, type Firm } from '../testing/firm.ts';
import { someoneWaits } from '../testing/someone-waits.ts';
import type { Answer, Caller, TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';
import { fileNameColumns } from './file-columns.ts';

/** An id that no file has. */
const NONE_THERE = 999_999;

describe.each(DATABASE_KINDS)('re-filing on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  /** A CPA of the first client alone, and one of the third alone. */
  let ofFirst: Caller;
  let ofThird: Caller;
  let names: { first: string; third: string; typeOne: string; typeTwo: string };

  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
    const [first, , third] = firm.clients;
    const [one, two] = firm.reportTypes;
    ofFirst = (await addUser(app, 'of the first', firm.roles.cpa, { clientIds: [first], reportTypeIds: [one] })).caller;
    ofThird = (await addUser(app, 'of the third', firm.roles.cpa, { clientIds: [third], reportTypeIds: [one] })).caller;
    const nameIn = async (path: string, id: number) =>
      (await app.admin.get<{ id: number; name: string }[]>(path)).body.find((row) => row.id === id)?.name ?? '';
    names = {
      first: await nameIn('/api/clients', first),
      third: await nameIn('/api/clients', third),
      typeOne: await nameIn('/api/report-types', one),
      typeTwo: await nameIn('/api/report-types', two),
    };
  });
  afterAll(() => app.close());

  const aReport = async (more: Record<string, string | number> = {}): Promise<FileRow> => {
    const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0], ...more };
    const { status, body } = await app.admin.upload<FileRow>({ name: 'W-2.pdf', fields });
    expect(status).toBe(201);
    return body;
  };
  const refile = (by: Caller, id: number, change: unknown): Promise<Answer<FileRow & ErrorBody>> =>
    by.put(`/api/files/${id}`, change);
  const fileNow = async (id: number) => (await app.admin.get<{ file: FileRow }>(`/api/files/${id}/facts`)).body.file;
  const periodOf = async (id: number) => (await fileNow(id)).period;
  const seenBy = async (by: Caller, id: number, query = '') => {
    const { body, headers } = await by.get<FileRow[]>(`/api/files?limit=200${query}`);
    expect(headers.get('x-total-count')).toBe(String(body.length));
    return body.some((file) => file.id === id);
  };
  const logOf = async (by: Caller, fileId: number) =>
    (await by.get<ActivityRow[]>(`/api/activity-logs?fileId=${fileId}&action=update`)).body.map(
      (entry) => entry.details,
    );

  it('moves a file to where it is asked for: its new client sees it, its old one no more', async () => {
    const file = await aReport();
    const { status, body } = await refile(firm.viewers.cpa, file.id, { clientId: firm.clients[2] });
    const version = `${firm.clients[2]}.${firm.reportTypes[0]}..`;
    expect([status, body]).toEqual([200, { ...file, clientId: firm.clients[2], clientName: names.third, version }]);
    expect([await seenBy(ofFirst, file.id), await seenBy(ofThird, file.id)]).toEqual([false, true]);
    expect(await seenBy(app.admin, file.id, `&clientId=${firm.clients[0]}`)).toBe(false);
    expect(await seenBy(app.admin, file.id, `&clientId=${firm.clients[2]}&reportTypeId=${firm.reportTypes[0]}`)).toBe(
      true,
    );
    expect((await ofFirst.get(`/api/files/${file.id}/download`)).status).toBe(404);
    expect((await ofThird.get(`/api/files/${file.id}/download`)).status).toBe(200);
  });

  it('sets the period of several files at once, all or none, with an entry for each', async () => {
    const [one, two] = [await aReport(), await aReport({ period: '2025' })];
    const far = await aReport({ clientId: firm.clients[1] });
    const set = (by: Caller, ids: readonly number[], period = '2026-Q2') =>
      by.put<PeriodsSet & ErrorBody>('/api/files/period', { ids, period });
    const { viewers } = firm;

    expect([(await set(viewers.cpa, [one.id, far.id])).status, await periodOf(one.id)]).toEqual([404, null]);
    expect((await set(viewers.clientA, [one.id])).status).toBe(403);
    expect((await set(viewers.bookkeeper, [one.id])).status).toBe(403);
    expect((await set(app.anonymous, [one.id])).status).toBe(401);
    expect((await set(viewers.cpa, [one.id, NONE_THERE])).status).toBe(404);
    expect([await periodOf(one.id), await periodOf(two.id)]).toEqual([null, '2025']);

    const { status, body } = await set(viewers.cpa, [two.id, one.id, one.id]);
    expect([status, body]).toEqual([200, { changed: 2, leftOut: [] }]);
    expect([await periodOf(one.id), await periodOf(two.id)]).toEqual(['2026-Q2', '2026-Q2']);
    expect(await logOf(ofFirst, one.id)).toEqual(['Re-filed file: W-2.pdf']);
    // Two entries for each file, of which the overview shows the one that names the client.
    const { recentActivity } = (await app.admin.get<Overview>('/api/overview')).body;
    const latest = recentActivity.slice(0, 2);
    expect(new Set(latest.map(({ fileId }) => fileId))).toEqual(new Set([one.id, two.id]));
    expect(latest.map(({ clientId, alsoWrote }) => [clientId, alsoWrote])).toEqual(Array(2).fill([firm.clients[0], 1]));
    // Once more changes nothing more.
    expect((await set(viewers.cpa, [one.id])).body).toEqual({ changed: 0, leftOut: [] });
    expect(await logOf(ofFirst, one.id)).toHaveLength(1);
    for (const ids of [[], Array.from({ length: 101 }, (_, n) => n + 1)]) {
      expect((await set(viewers.cpa, ids)).body.code).toBe('invalid');
    }
    expect((await set(viewers.cpa, [one.id], '2026-Q5')).body.code).toBe('invalid');
  });

  it('G133: neither re-files nor deletes what somebody has changed since it was looked at', async () => {
    const file = await aReport();
    const send = async (method: 'PUT' | 'DELETE', { version }: FileRow, change?: object) => {
      const answer = await firm.viewers.cpa.fetch(`/api/files/${file.id}`, {
        method,
        headers: {
          'if-match': `"${version}"`,
          ...(change === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(change === undefined ? {} : { body: JSON.stringify(change) }),
      });
      const text = await answer.text();
      return [answer.status, text === '' ? undefined : (JSON.parse(text) as Partial<ErrorBody>).code];
    };
    const refused = [412, 'changed_meanwhile'];
    const { body: moved } = await refile(app.admin, file.id, { clientId: firm.clients[2] });
    expect(await send('PUT', file, { period: '2026-Q1' })).toEqual(refused);
    expect(await send('DELETE', file)).toEqual(refused);
    expect(await fileNow(file.id)).toMatchObject({ version: moved.version, period: null });
    // Sent again, as after a lost answer: it is so already.
    expect(await send('PUT', file, { clientId: firm.clients[2] })).toEqual([200, undefined]);
    expect(await send('PUT', moved, { period: '2026-Q1' })).toEqual([200, undefined]);
    expect(await send('DELETE', moved)).toEqual(refused);
    expect(await send('DELETE', await fileNow(file.id))).toEqual([204, undefined]);
  });

  it('G133: sets no period of what somebody has changed since it was looked at, says which, and lets one win at once', async () => {
    const { cpa } = firm.viewers;
    const set = (by: Caller, files: readonly FileRow[], period: string) => {
      const [ids, versions] = [files.map(({ id }) => id), files.map(({ version }) => version)];
      return by.put<PeriodsSet & ErrorBody>('/api/files/period', { ids, versions, period });
    };
    const [one, two] = [await aReport(), await aReport()];
    await refile(app.admin, two.id, { period: '2025' });
    expect((await set(cpa, [two, one], '2026-Q2')).body).toEqual({ changed: 1, leftOut: [two.id] });
    expect([await periodOf(one.id), await periodOf(two.id)]).toEqual(['2026-Q2', '2025']);
    // Sent again, as after a lost answer: it is so already.
    expect((await set(cpa, [one], '2026-Q2')).body).toEqual({ changed: 0, leftOut: [] });
    // So is what is gone or out of reach since, and the same is told of both.
    const [near, deleted, far] = [await aReport(), await aReport(), await aReport()];
    await app.admin.delete(`/api/files/${deleted.id}`);
    await refile(app.admin, far.id, { clientId: firm.clients[1] });
    expect(await set(cpa, [far, deleted, near], '2026-Q2')).toMatchObject({
      status: 200,
      body: { changed: 1, leftOut: [deleted.id, far.id] },
    });
    expect([await periodOf(near.id), await periodOf(far.id)]).toEqual(['2026-Q2', null]);
    const fewer = { ids: [one.id, two.id], versions: [one.version], period: '2026-Q2' };
    expect((await cpa.put<ErrorBody>('/api/files/period', fewer)).body.code).toBe('invalid');

    const contested = await aReport();
    const periods = ['2026-Q1', '2026-Q2', '2026-Q3', '2026-Q4'];
    const answers = await Promise.all(
      periods.map((period, nth) => set(nth % 2 === 0 ? app.admin : cpa, [contested], period)),
    );
    const winners = periods.filter((_period, nth) => answers[nth]?.body.changed === 1);
    expect(winners).toEqual([await periodOf(contested.id)]);
    // Whoever waited for another in the very moment is refused whole.
    const late = answers.filter(({ body }) => body.changed !== 1);
    for (const { status, body } of late) {
      const told = [
        [200, undefined, [contested.id]],
        [409, 'gone_meanwhile', undefined],
      ];
      expect(told).toContainEqual([status, body.code, body.leftOut]);
    }
  });

  it('counts the files of a client by quarter and year, within reach', async () => {
    const clientId = firm.clients[2];
    const periods = async (by: Caller) =>
      (await by.get<{ period: string; count: number }[]>(`/api/files/periods?clientId=${clientId}&fileType=report`))
        .body;
    const before = await periods(app.admin);
    const [quarter, day, year, other] = ['2019-Q2', '2019-05-31', '2019', '2018-12-31'];
    for (const period of [quarter, day, year, other]) await aReport({ clientId, period });
    await aReport({ clientId, period: '2019-Q2', reportTypeId: firm.reportTypes[1] });
    const all = [
      { period: '2019-Q2', count: 3 },
      { period: '2019', count: 1 },
      { period: '2018-Q4', count: 1 },
    ];
    expect(await periods(app.admin)).toEqual([...before, ...all]);
    // Of one report type alone.
    expect(await periods(ofThird)).toContainEqual({ period: '2019-Q2', count: 2 });
    expect(await periods(ofFirst)).toEqual([]);
    expect((await app.anonymous.get(`/api/files/periods?clientId=${clientId}`)).status).toBe(401);
  });

  it('changes the kind, with the type that belongs to it', async () => {
    const file = await aReport();
    const asDocument = await refile(app.admin, file.id, { fileType: 'company_document' });
    expect(asDocument.body).toMatchObject({ fileType: 'company_document', reportTypeId: null, documentType: null });
    expect(await seenBy(firm.viewers.clientA, file.id, '&fileType=company_document')).toBe(true);
    const named = await refile(app.admin, file.id, { documentType: 'Tax Return' });
    expect(named.body).toMatchObject({ fileType: 'company_document', documentType: 'Tax Return' });
    const back = await refile(app.admin, file.id, { fileType: 'report', reportTypeId: firm.reportTypes[1] });
    expect(back.body).toMatchObject({ fileType: 'report', reportTypeId: firm.reportTypes[1], documentType: null });
    const untyped = await refile(app.admin, file.id, { reportTypeId: null });
    expect(untyped.body).toMatchObject({ reportTypeId: null, reportTypeName: null });
    expect(await seenBy(firm.viewers.cpa, file.id)).toBe(false);
  });

  it('is in the log, for each client its own side', async () => {
    const file = await aReport();
    await refile(firm.viewers.cpa, file.id, { clientId: firm.clients[2] });
    const whole = `Re-filed file: W-2.pdf, from ${names.first} (Report: ${names.typeOne}) to ${names.third} (Report: ${names.typeOne})`;
    const away = 'Re-filed file away: W-2.pdf';
    const here = 'Re-filed file here: W-2.pdf';
    expect((await logOf(app.admin, file.id)).sort()).toEqual([away, here, whole].sort());
    expect((await logOf(firm.viewers.cpa, file.id)).sort()).toEqual([away, here, whole].sort());
    expect(await logOf(ofFirst, file.id)).toEqual([away]);
    expect(await logOf(ofThird, file.id)).toEqual([here]);
    const read = async (by: Caller, q: string) =>
      JSON.stringify((await by.get(`/api/activity-logs?q=${encodeURIComponent(q)}`)).body);
    expect([await read(ofFirst, names.third), await read(ofThird, names.first)]).toEqual(['[]', '[]']);
  });

  it('names no report type to viewers who do not reach it', async () => {
    const file = await aReport();
    await refile(app.admin, file.id, { reportTypeId: firm.reportTypes[1] });
    expect(await logOf(ofFirst, file.id)).toEqual(['Re-filed file: W-2.pdf']);
    expect((await logOf(app.admin, file.id)).join()).toContain(names.typeTwo);
  });

  it('done twice changes and records nothing more', async () => {
    const file = await aReport();
    const change = { fileType: 'company_document', documentType: 'Other' };
    const first = await refile(app.admin, file.id, change);
    const before = await logOf(app.admin, file.id);
    const again = await refile(app.admin, file.id, change);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await logOf(app.admin, file.id)).toEqual(before);
  });

  it('frees a report type to be deleted, as its refusal promises', async () => {
    const { body: type } = await app.admin.post<{ id: number }>('/api/report-types', { name: 'Filed wrongly' });
    const file = await aReport({ reportTypeId: type.id });
    const refused = await app.admin.delete(`/api/report-types/${type.id}`);
    expect(refused.body.message).toContain('Delete or re-file them first.');
    await refile(app.admin, file.id, { reportTypeId: firm.reportTypes[0] });
    expect((await app.admin.delete(`/api/report-types/${type.id}`)).status).toBe(204);
  });

  it.each([
    [{}, /Please say what is to change/],
    [{ clientId: 'first' }, /./],
    [{ fileType: 'invoice' }, /File type must be/],
    [{ fileType: 'company_document', reportTypeId: 1 }, /A company document has no report type/],
    [{ fileType: 'report', documentType: 'Other' }, /A report has no document type/],
    // The file is a report.
    [{ documentType: 'Other' }, /A report has no document type/],
    [{ originalName: ' ' }, /Please enter a name/],
    [{ period: '2026-Q5' }, /Must be a pay date like 2026-01-30/],
    [{ size: 1 }, /./],
  ])('refuses %j', async (change, sentence) => {
    const file = await aReport();
    const { status, body } = await refile(app.admin, file.id, change);
    expect([status, body.code]).toEqual([400, 'invalid']);
    expect(body.message).toMatch(sentence);
  });

  // The embedded engine has one connection, so nothing there can wait for another transaction.
  if (kind === 'postgres' && inject('postgresUrl') !== null) {
    it.each([
      ['deleted', 404, (id: number) => firm.viewers.cpa.delete(`/api/files/${id}`)],
      ['re-filed', 409, (id: number) => refile(firm.viewers.cpa, id, { clientId: firm.clients[2] })],
    ] as const)('a file that meanwhile went where one may not is not %s', async (_what, status, act) => {
      const file = await aReport();
      let acting: Promise<Answer<unknown>> | undefined;
      await app.database.transaction(async (tx) => {
        await tx.updateTable('files').set({ client_id: firm.clients[1] }).where('id', '=', file.id).execute();
        acting = act(file.id);
        await someoneWaits(app);
      });
      expect((await acting)?.status).toBe(status);
      const { body } = await app.admin.get<FileRow[]>(`/api/files?clientId=${firm.clients[1]}`);
      expect(body.map((row) => row.id)).toContain(file.id);
    });

    it('G133: a file that got another period in the very moment is not deleted as the one that was looked at', async () => {
      const file = await aReport();
      let acting: Promise<Response> | undefined;
      await app.database.transaction(async (tx) => {
        const period = { period: '2026-Q1', period_key: periodKey('2026-Q1') };
        await tx.updateTable('files').set(period).where('id', '=', file.id).execute();
        const headers = { 'if-match': `"${file.version}"` };
        acting = firm.viewers.cpa.fetch(`/api/files/${file.id}`, { method: 'DELETE', headers });
        await someoneWaits(app);
      });
      const answer = await acting;
      expect([answer?.status, (JSON.parse((await answer?.text()) ?? '{}') as ErrorBody).code]).toEqual([
        412,
        'changed_meanwhile',
      ]);
      expect(await periodOf(file.id)).toBe('2026-Q1');
    });

    it('a period waits for nobody who files something at the same place, nor does a name', async () => {
      const file = await aReport();
      await app.database.transaction(async (tx) => {
        // As an upload does until it is committed.
        await sql`update file_counts set n = n + 0 where client_id = ${firm.clients[0]}`.execute(tx);
        const change = { period: '2026-Q2', originalName: 'Second.pdf' };
        const { status, body } = await refile(firm.viewers.cpa, file.id, change);
        expect([status, body.period, body.originalName]).toEqual([200, '2026-Q2', 'Second.pdf']);
      });
    });

    it('a period takes back no name that somebody gives in the very moment', async () => {
      const file = await aReport();
      let acting: Promise<Answer<FileRow & ErrorBody>> | undefined;
      await app.database.transaction(async (tx) => {
        await tx.updateTable('files').set(fileNameColumns('Renamed.pdf')).where('id', '=', file.id).execute();
        acting = refile(firm.viewers.cpa, file.id, { period: '2026-Q3' });
        await someoneWaits(app);
      });
      expect((await acting)?.status).toBe(200);
      expect(await fileNow(file.id)).toMatchObject({ originalName: 'Renamed.pdf', period: '2026-Q3' });
    });

    it('of several that get a period, one that is given another in the very moment is left out, and the others get it', async () => {
      const [changed, other] = [await aReport(), await aReport()];
      const looked = { ids: [changed.id, other.id], versions: [changed.version, other.version] };
      let acting: Promise<Answer<PeriodsSet>> | undefined;
      await app.database.transaction(async (tx) => {
        const period = { period: '2026-Q1', period_key: periodKey('2026-Q1') };
        await tx.updateTable('files').set(period).where('id', '=', changed.id).execute();
        acting = firm.viewers.cpa.put('/api/files/period', { ...looked, period: '2026-Q2' });
        await someoneWaits(app);
      });
      const answer = await acting;
      expect([answer?.status, answer?.body]).toEqual([200, { changed: 1, leftOut: [changed.id] }]);
      expect([await periodOf(changed.id), await periodOf(other.id)]).toEqual(['2026-Q1', '2026-Q2']);
    });
  }

  it('keeps every counter right when several act at once', async () => {
    for (let round = 0; round < 4; round++) {
      const file = await aReport();
      const acts = await Promise.all([
        refile(app.admin, file.id, { clientId: firm.clients[2] }),
        refile(firm.viewers.cpa, file.id, { reportTypeId: firm.reportTypes[1] }),
        round % 2 === 0
          ? app.admin.delete(`/api/files/${file.id}`)
          : refile(app.admin, file.id, { fileType: 'company_document' }),
      ]);
      // A report type is refused (400) where the file has just become a document.
      for (const { status } of acts) expect([200, 204, 400, 404, 409]).toContain(status);
      for (const clientId of firm.clients) {
        const { body, headers } = await app.admin.get<FileRow[]>(`/api/files?clientId=${clientId}&limit=200`);
        expect(headers.get('x-total-count')).toBe(String(body.length));
      }
    }
  });
});

// The activity log as a list, on both engines: sorted, paged, filtered and searched.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import { activitySearchText } from '../../platform/names/search-text.ts';
import type { Firm } from '../../testing/firm.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';

describe.each(DATABASE_KINDS)('the activity log as a list on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { clock: 'standing' }));
    for (const by of [firm.viewers.cpa, app.admin]) {
      await (await by.fetch(`/api/files/${firm.files.f1.id}/view`)).arrayBuffer();
    }
  });
  afterAll(() => app.close());

  const entries = async (query: string) => (await app.admin.get<ActivityRow[]>(`/api/activity-logs?${query}`)).body;

  /** Entries of a person deleted long ago, at these moments. */
  async function addEntries(userId: number, moments: readonly (string | number)[], more: Record<string, string> = {}) {
    const rows = moments.map((moment, index) => ({
      action: 'update' as const,
      file_id: null,
      file_name: null,
      details: `Entry ${index}`,
      user_id: userId,
      user_name: 'Long Gone',
      client_id: null,
      client_name: null,
      at: typeof moment === 'string' ? Date.parse(moment) : moment,
      announced_at: null,
      served_at: null,
      ...more,
    }));
    await app.database.transaction(async (tx) => {
      const searchable = rows.map((row) => ({
        ...row,
        search_text: activitySearchText({
          details: row.details,
          fileName: row.file_name ?? undefined,
          userName: row.user_name,
          clientName: row.client_name ?? undefined,
        }),
      }));
      await tx.insertInto('activity').values(searchable).execute();
      await tx
        .insertInto('activity_counts')
        .values({ user_id: userId, client_id: 0, action: 'update', n: rows.length })
        .execute();
    });
  }

  it('is newest first, sorted both ways and paged with the total', async () => {
    const { body: all, headers } = await app.admin.get<ActivityRow[]>('/api/activity-logs');
    expect(headers.get('x-total-count')).toBe(String(all.length));
    const sorted = all.toSorted((a, b) =>
      a.timestamp === b.timestamp ? b.id - a.id : a.timestamp < b.timestamp ? 1 : -1,
    );
    expect(all).toEqual(sorted);
    expect(await entries('sort=-timestamp')).toEqual(all);
    expect(await entries('sort=timestamp')).toEqual(all.toReversed());
    const pages: ActivityRow[] = [];
    for (let offset = 0; offset < all.length; offset += 7) {
      const page = await app.admin.get<ActivityRow[]>(`/api/activity-logs?limit=7&offset=${offset}`);
      expect(page.headers.get('x-total-count')).toBe(String(all.length));
      pages.push(...page.body);
    }
    expect(pages).toEqual(all);
  });

  it('is filtered by action, user, client and file, together', async () => {
    const all = await entries('');
    const [c1] = firm.clients;
    const { f1 } = firm.files;
    const { cpa } = firm.users;
    for (const [query, wanted] of [
      ['action=upload', (row: ActivityRow) => row.action === 'upload'],
      [`userId=${cpa}`, (row: ActivityRow) => row.userId === cpa],
      [`clientId=${c1}`, (row: ActivityRow) => row.clientId === c1],
      [`fileId=${f1.id}`, (row: ActivityRow) => row.fileId === f1.id],
      [`userId=${cpa}&clientId=${c1}`, (row: ActivityRow) => row.userId === cpa && row.clientId === c1],
      [`userId=${cpa}&action=view`, (row: ActivityRow) => row.userId === cpa && row.action === 'view'],
      ['clientId=999999', () => false],
    ] as const) {
      const { body, headers } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?${query}`);
      expect([query, body.map((row) => row.id)]).toEqual([query, all.filter(wanted).map((row) => row.id)]);
      expect([query, headers.get('x-total-count')]).toEqual([query, String(body.length)]);
    }
  });

  it('gives the newest 1,000 where no limit is named, and the total of all', async () => {
    const start = Date.parse('2001-01-01T00:00:00Z');
    await addEntries(
      700_001,
      Array.from({ length: 1_005 }, (_, index) => start + index),
    );
    const { body, headers } = await app.admin.get<ActivityRow[]>('/api/activity-logs?userId=700001');
    expect([body.length, headers.get('x-total-count')]).toEqual([1_000, '1005']);
    expect(body[0]?.details).toBe('Entry 1004');
  });

  it('counts what is narrowed by words to 500, and whole beyond its end', async () => {
    const start = Date.parse('2001-02-01T00:00:00Z');
    await addEntries(
      700_002,
      Array.from({ length: 1_005 }, (_, index) => start + index),
    );
    const totals = async (offset: number) => {
      const path = `/api/activity-logs?userId=700002&q=entry&limit=5&offset=${offset}`;
      const { body, headers } = await app.admin.get<ActivityRow[]>(path);
      return [body.length, headers.get('x-total-count'), headers.get('x-total-more')];
    };
    expect(await totals(1_000)).toEqual([5, '500', 'true']);
    expect(await totals(1_005)).toEqual([0, '1005', null]);
  });

  it.each<[string, string, string[], string]>([
    // [query, why, moments just outside, first, last, just outside]
    [
      'startDate=2026-03-08&endDate=2026-03-08&timeZone=America/New_York',
      'the day has 23 hours',
      ['2026-03-08T04:59:59.999Z', '2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z', '2026-03-09T04:00:00.000Z'],
      '1,2',
    ],
    [
      'startDate=2026-11-01&endDate=2026-11-01&timeZone=America/New_York',
      'the day has 25 hours',
      ['2026-11-01T03:59:59.999Z', '2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z', '2026-11-02T05:00:00.000Z'],
      '1,2',
    ],
    [
      'startDate=2026-09-06&endDate=2026-09-06&timeZone=America/Santiago',
      'the day begins at 01:00',
      ['2026-09-06T03:59:59.999Z', '2026-09-06T04:00:00.000Z', '2026-09-07T02:59:59.999Z', '2026-09-07T03:00:00.000Z'],
      '1,2',
    ],
    [
      'startDate=2026-06-01&endDate=2026-06-02&timeZone=Asia/Kolkata',
      'two days, half an hour off',
      ['2026-05-31T18:29:59.999Z', '2026-05-31T18:30:00.000Z', '2026-06-02T18:29:59.999Z', '2026-06-02T18:30:00.000Z'],
      '1,2',
    ],
    [
      'startDate=2026-06-01&endDate=2026-06-01',
      'days are UTC where no zone is named',
      ['2026-05-31T23:59:59.999Z', '2026-06-01T00:00:00.000Z', '2026-06-01T23:59:59.999Z', '2026-06-02T00:00:00.000Z'],
      '1,2',
    ],
    [
      'startDate=2026-06-01T10:00:00Z&endDate=2026-06-01T14:00:00%2B02:00',
      'instants, both inclusive',
      ['2026-06-01T09:59:59.999Z', '2026-06-01T10:00:00.000Z', '2026-06-01T12:00:00.000Z', '2026-06-01T12:00:00.001Z'],
      '1,2',
    ],
    [
      'startDate=2026-06-01',
      'open end',
      ['2026-05-31T23:59:59.999Z', '2026-06-01T00:00:00.000Z', '2199-01-01T00:00:00Z'],
      '1,2',
    ],
    [
      'endDate=2026-06-01',
      'open start',
      ['1999-01-01T00:00:00Z', '2026-06-01T23:59:59.999Z', '2026-06-02T00:00:00.000Z'],
      '0,1',
    ],
    ['startDate=2026-06-02&endDate=2026-06-01', 'nothing', ['2026-06-01T12:00:00Z', '2026-06-02T12:00:00Z'], ''],
  ])('is filtered by %s (%s)', async (query, _why, moments, expected) => {
    const userId =
      800_000 +
      Number(
        await app.database.reader
          .selectFrom('activity')
          .select('id')
          .execute()
          .then((rows) => rows.length),
      );
    await addEntries(userId, moments);
    const { body, headers } = await app.admin.get<ActivityRow[]>(
      `/api/activity-logs?userId=${userId}&sort=timestamp&${query}`,
    );
    expect(body.map((row) => row.details?.replace('Entry ', '')).join(',')).toBe(expected);
    expect(headers.get('x-total-count')).toBe(String(body.length));
  });

  it('is searched in details, file, user and client, in any case', async () => {
    await addEntries(900_001, ['2002-01-01T00:00:00Z'], {
      user_name: 'ÉMILIE Ångström',
      client_name: 'ЖУК & Co_50%',
    });
    for (const q of [
      'émilie',
      'ÉMILIE',
      'Émilie',
      'ÅNGSTRÖM',
      'жук',
      'ЖУК',
      'co_50%',
      'CO_',
      'co-50',
      '50 émilie',
      'angstrom emilie',
    ]) {
      const { body, headers } = await app.admin.get<ActivityRow[]>(
        `/api/activity-logs?userId=900001&q=${encodeURIComponent(q)}`,
      );
      expect([q, body.length, headers.get('x-total-count')]).toEqual([q, 1, '1']);
    }
    for (const q of ['co-51', 'ngstrx', '%zzz%']) {
      expect([q, await entries(`userId=900001&q=${encodeURIComponent(q)}`)]).toEqual([q, []]);
    }
  });
});

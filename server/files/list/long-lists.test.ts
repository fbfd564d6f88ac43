// Lists too long to count or page to their end, over HTTP, on both engines.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import { ROWS_PAGED_MAX } from '#contract/paging.ts';
import { addUser, type Firm } from '../../testing/firm.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { fileNameColumns, periodColumns } from '../file-columns.ts';

const MANY = 1_105;
const DAY = 'startDate=2019-05-01&endDate=2019-05-01&timeZone=UTC';

describe.each(DATABASE_KINDS)('long lists on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
    const rows = Array.from({ length: MANY }, (_, index) => ({
      ...fileNameColumns(`Ledger ${index}.pdf`),
      storage_key: randomBytes(16).toString('hex'),
      size_bytes: index,
      sha256: '0'.repeat(64),
      content_type: 'application/pdf',
      file_type: 'report' as const,
      document_type: null,
      client_id: firm.clients[0],
      report_type_id: firm.reportTypes[0],
      uploaded_by_id: null,
      uploader_name: 'Somebody',
      uploaded_at: Date.UTC(2019, 4, 1) + index,
      ...periodColumns(null, Date.UTC(2019, 4, 1) + index),
      idempotency_key: null,
    }));
    await app.database.transaction(async (tx) => {
      for (let start = 0; start < MANY; start += 200) {
        const some = rows.slice(start, start + 200);
        await tx
          .insertInto('blobs')
          .values(
            some.map(({ storage_key, size_bytes, sha256 }) => ({
              storage_key,
              size_bytes,
              sha256,
              state: 'live' as const,
              purpose: 'file' as const,
              created_at: 0,
            })),
          )
          .execute();
        await tx.insertInto('files').values(some).execute();
      }
    });
  });
  afterAll(() => app.close());

  const totals = (headers: Headers) => [headers.get('x-total-count'), headers.get('x-total-more')];

  it('are counted in full by the counters, only for viewers who reach them', async () => {
    const path = `/api/files?clientId=${firm.clients[0]}&reportTypeId=${firm.reportTypes[0]}&limit=5`;
    const [all, own, none] = [
      await app.admin.get<FileRow[]>(path),
      await firm.viewers.clientA.get<FileRow[]>(path),
      await firm.viewers.clientB.get<FileRow[]>(path),
    ];
    expect(Number(all.headers.get('x-total-count'))).toBeGreaterThanOrEqual(MANY);
    expect(totals(own.headers)).toEqual(totals(all.headers));
    expect([none.body, ...totals(none.headers)]).toEqual([[], '0', null]);
  });

  it.each([
    ['words', 'q=ledger'],
    ['a short word', 'q=dg'],
    ['days', DAY],
    ['days and words, by name', `q=ledger&${DAY}&sort=originalName`],
    ['words, by name', 'q=ledger&sort=originalName'],
    ['words, by client', 'q=ledger&sort=clientName'],
    ['days, by report type', `${DAY}&sort=reportTypeName`],
  ])('narrowed by %s say that there are more, and can be paged', async (_title, query) => {
    for (const by of [app.admin, firm.viewers.clientA]) {
      const first = await by.get<FileRow[]>(`/api/files?${query}&limit=10`);
      // A list that is gathered is counted in full.
      expect([
        ['1000', 'true'],
        [String(MANY), null],
      ]).toContainEqual(totals(first.headers));
      const last = await by.get<FileRow[]>(`/api/files?${query}&limit=10&offset=${MANY - 3}`);
      expect([first.body.length, last.body.length]).toEqual([10, 3]);
      const beyond = await by.get<FileRow[]>(`/api/files?${query}&limit=10&offset=${MANY}`);
      // Whoever comes to a page that is not there is led to the last one.
      expect([beyond.body, ...totals(beyond.headers)]).toEqual([[], String(MANY), null]);
    }
    expect((await firm.viewers.clientB.get<FileRow[]>(`/api/files?${query}`)).body).toEqual([]);
  });

  it('end with the last row that pages show, and say what to do', async () => {
    for (const path of ['/api/files', '/api/activity-logs']) {
      expect((await app.admin.get(`${path}?limit=1&offset=${ROWS_PAGED_MAX}`)).status).toBe(200);
      const refused = await app.admin.get<ErrorBody>(`${path}?limit=1&offset=${ROWS_PAGED_MAX + 1}`);
      expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('Narrow the list')]);
    }
  });

  it('leave whole as a spreadsheet, in every order', async () => {
    for (const sort of ['-uploadedAt', 'originalName', 'size', 'clientName', '-reportTypeName']) {
      const response = await firm.viewers.clientA.fetch(`/api/files/export?q=ledger&sort=${sort}`);
      const names = (await response.text())
        .split('\r\n')
        .slice(1)
        .filter((line) => line.includes('Ledger'));
      expect([sort, names.length, new Set(names).size]).toEqual([sort, MANY, MANY]);
    }
  });

  it('are met in the order of names, or found by what few hold, where they are too long to be sorted', async () => {
    const { caller } = await addUser(app, 'far', firm.roles.cpa, {
      clientIds: [firm.clients[0]],
      reportTypeIds: [firm.reportTypes[0]],
    });
    // As if far more were looked at than are sorted.
    await app.database.transaction((tx) => sql`update file_counts set n = n * 1000`.execute(tx));
    const ledgers = Array.from({ length: MANY }, (_, index) => `Ledger ${index}.pdf`).sort();
    const few = ledgers.filter((name) => name.includes('99'));
    for (const [q, inOrder, total] of [
      ['ledger', ledgers, ['1000', 'true']],
      ['99', few, [String(few.length), null]],
      ['zq', [], ['0', null]],
    ] as const) {
      for (const [sort, expected] of [
        ['originalName', inOrder],
        ['-originalName', inOrder.toReversed()],
      ] as const) {
        for (const offset of [0, 15]) {
          const query = `q=${q}&sort=${sort}&limit=10&offset=${offset}`;
          const { body, headers } = await caller.get<FileRow[]>(`/api/files?${query}`);
          const names = body.map(({ originalName }) => originalName);
          expect([query, names, totals(headers)]).toEqual([query, expected.slice(offset, offset + 10), total]);
        }
      }
    }
  });
});

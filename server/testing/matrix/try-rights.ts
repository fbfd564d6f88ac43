// Tries one part of the table of rights: all that is refused first, of which nothing may change anything, then row by row what is allowed.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { api, type Endpoint, type EndpointName } from '#contract/api.ts';
import type { DatabaseKind } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../test-app.ts';
import type { Attempt, Attempts } from './calls.ts';
import { makeRightsFirm, type RightsFirm } from './rights-firm.ts';
import { type PartName, rowsOf, type TableRow } from './table.ts';
import { type ViewerName, viewersOf } from './viewers.ts';

const isRefusal = (cell = '') => Number.parseInt(cell, 10) >= 400;

const TABLES: readonly (keyof Schema)[] = [
  'roles',
  'role_capabilities',
  'users',
  'clients',
  'report_types',
  'report_type_phrases',
  'suggestions',
  'user_clients',
  'user_report_types',
  'files',
  'trash',
  'trashed_rows',
  'holds',
  'disposals',
  'disposal_files',
  'file_marks',
  'blobs',
  'blob_keys',
  'released_blobs',
  'archives',
  'batches',
  'batch_files',
  'batch_documents',
  'expectations',
  'requests',
  'request_items',
  'request_item_files',
  'request_templates',
  'activity',
  'sessions',
  'view_tickets',
  'file_counts',
  'activity_counts',
  'jobs',
  'mails',
  'digest_choices',
];

const REFUSALS: Readonly<Record<string, { code: string; message: string }>> = {
  401: { code: 'unauthenticated', message: 'Please sign in.' },
  403: { code: 'forbidden', message: 'You do not have permission to do this.' },
  404: { code: 'not_found', message: 'Not found.' },
};

/** All that a refusal must not change. */
async function snapshotOf({ database, config }: TestApp) {
  const tables = await Promise.all(
    TABLES.map(async (name) => {
      const all = await database.reader.selectFrom(name).selectAll().execute();
      return [name, all.map((row) => JSON.stringify(row)).sort()] as const;
    }),
  );
  const blobs = readdirSync(join(config.dataDir, 'blobs'), { recursive: true }).sort();
  return { ...Object.fromEntries(tables), blobs };
}

/** What is recorded of the refusals that somebody got. */
async function denialsOf({ database }: TestApp, userId: number) {
  const events = await database.reader
    .selectFrom('security_events')
    .select(['times', 'detail'])
    .where('kind', '=', 'denied')
    .where('user_id', '=', userId)
    .execute();
  return { times: events.reduce((sum, { times }) => sum + times, 0), details: events.map(({ detail }) => detail) };
}

/** Within a `describe`: the rows of `part`, by the calls that `attemptsIn` makes for its firm. */
export function tryRights(kind: DatabaseKind, part: PartName, attemptsIn: (firm: RightsFirm) => Attempts) {
  const rows = rowsOf(part);
  let app: TestApp;
  let firm: RightsFirm;
  let attempts: Attempts;

  beforeAll(async () => {
    app = await startTestApp(kind);
    firm = await makeRightsFirm(kind, app);
    attempts = attemptsIn(firm);
    await refuseAll();
  }, 300_000);
  afterAll(() => app.close());

  /** What one viewer got, written as in the table. */
  async function outcome(viewer: ViewerName, attempt: Attempt, id: number, cell: string): Promise<string> {
    const { status, body } = await attempt.call(firm.callers[viewer], id, viewer);
    const refusal = REFUSALS[status];
    // All refusals are alike: nothing in them distinguishes what is out of reach from what does not exist.
    if (refusal) expect(body, viewer).toEqual({ ...refusal, requestId: expect.any(String) });
    if (status !== 200 || !/[+-]$/.test(cell)) return String(status);
    const found = (body as { id: number }[]).some((row) => row.id === id);
    return `200${found ? '+' : '-'}`;
  }

  it('has a call for every row', () => {
    expect(Object.keys(attempts).sort()).toEqual(rows.map(({ about }) => about).sort());
  });

  const names = (row: TableRow) => viewersOf(kind, row);
  const outcomes = new Map<string, string>();
  const act = async ({ about, expected }: TableRow, viewer: ViewerName, id: number) => {
    const attempt = attempts[about] as Attempt;
    outcomes.set(`${about} by ${viewer}`, await outcome(viewer, attempt, id, expected[viewer] ?? ''));
  };

  /** All that is refused, one cell after the other, before anything is allowed: what each is about is made first. */
  const refused = { before: {}, after: {}, unnoted: [] as string[] };
  async function refuseAll() {
    const cells: { row: TableRow; viewer: ViewerName; id: number }[] = [];
    for (const row of rows) {
      for (const viewer of names(row).filter((name) => isRefusal(row.expected[name]))) {
        cells.push({ row, viewer, id: (await attempts[row.about]?.target?.(viewer)) ?? 0 });
      }
    }
    refused.before = await snapshotOf(app);
    const recorded = new Map<ViewerName, number>();
    for (const { row, viewer, id } of cells) {
      const before = recorded.get(viewer) ?? (await denialsOf(app, firm.userIds[viewer])).times;
      await act(row, viewer, id);
      const after = (await denialsOf(app, firm.userIds[viewer])).times;
      recorded.set(viewer, after);
      // What exists with SAFEGUARDS=on alone is no endpoint here.
      const { safeguardsOnly, action }: Endpoint = api[row.endpoint as EndpointName];
      // A public endpoint does not look at who asks.
      if (viewer === 'nobody' || safeguardsOnly || action === 'session.open') continue;
      const noted = after - before;
      const isNoted = ['403', '404'].includes(row.expected[viewer] ?? '');
      if (isNoted ? noted === 0 : noted !== 0) refused.unnoted.push(`${row.about} by ${viewer}: ${noted}`);
    }
    refused.after = await snapshotOf(app);
  }

  it.each(rows)('$about', async (row) => {
    for (const viewer of names(row).filter((name) => !isRefusal(row.expected[name]))) {
      await act(row, viewer, (await attempts[row.about]?.target?.(viewer)) ?? 0);
    }
    const inOrder = Object.fromEntries(names(row).map((viewer) => [viewer, outcomes.get(`${row.about} by ${viewer}`)]));
    expect(inOrder).toEqual(Object.fromEntries(names(row).map((viewer) => [viewer, row.expected[viewer]])));
  });

  it('no refusal changed anything', () => {
    expect(refused.after).toEqual(refused.before);
  });

  /** Checks that whatever was refused is recorded; what is said of the Client's. */
  async function expectRecorded() {
    expect(refused.unnoted).toEqual([]);
    // In words that a person can read, never an endpoint's name.
    const { details } = await denialsOf(app, firm.userIds['Client']);
    for (const detail of details) expect(detail).toMatch(/^[a-z][a-z ’-]+( \d+(, \d+)*)?( \(.+\))?$/);
    return details;
  }

  return { expectRecorded };
}

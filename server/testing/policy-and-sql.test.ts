// The policy is written twice, as pure rules and as SQL: for random firms and viewers both must agree.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActivityQuery } from '#contract/activity.ts';
import { ACTIVITY_ACTIONS } from '#contract/activity-words.ts';
import { DOCUMENT_TYPES, WITHOUT_TYPE } from '#contract/file-kinds.ts';
import { FileQuery, type FileRow } from '#contract/files.ts';
import { NO_PERIOD } from '#contract/period.ts';
import { CAPABILITIES, type ListedActor } from '#contract/policy/actor.ts';
import { listActivity } from '../audit/activity-list.ts';
import { listFiles } from '../files/list/list.ts';
import { openScopes, type ReadScope, type Scopes } from '../people/access/scope.ts';
import type { Viewer } from '../people/access/viewer.ts';
import { HOUR_MS } from '../platform/clock.ts';
import type { DatabaseKind, Statement } from '../platform/db/database.ts';
import { breadth } from './breadth.ts';
import { insertFirm } from './policy-and-sql/insert-firm.ts';
import { EPOCH, type Firm, firms, moment, PERIODS, type Role, withIds } from './policy-and-sql/random-firms.ts';
import { expectedActivity, expectedFiles, reachedByRule, toDay, toIso, ZONE } from './policy-and-sql/rule-answers.ts';
import { DATABASE_KINDS, openTestDatabase, type TestDatabase } from './test-database.ts';

/** Each run seeds a firm again, which costs a server more than a file. */
const RUNS: Record<DatabaseKind, number> = { sqlite: breadth(25, 200), postgres: breadth(6, 60) };
const PROPERTY_TIMEOUT_MS = 300_000;
/** On a slow machine fewer runs must do, and a failure is reported before it is fully shrunk. */
const TIME_LIMIT_MS = 45_000;

// ---- Random questions -----------------------------------------------------------------------------------------------

const SEARCHES = [
  '',
  ' ',
  'a',
  'ALPHA',
  '_',
  '%',
  '\\',
  'été',
  'É',
  'ß',
  '日',
  'zeta',
  '.PDF',
  'e\u0301te\u0301',
  'zeta zeta',
];

const number = (max: number) => fc.integer({ min: 1, max }).map(String);
const period = fc.oneof(
  fc.record({ startDate: moment.map(toIso), endDate: moment.map(toIso) }, { requiredKeys: [] }),
  fc
    .record({ startDate: moment.map(toDay), endDate: moment.map(toDay) }, { requiredKeys: [] })
    .map((days) => ({ ...days, timeZone: ZONE.name })),
);
const page = fc.record(
  { limit: number(12), offset: fc.integer({ min: 0, max: 12 }).map(String) },
  { requiredKeys: [] },
);

/** A filter that most questions leave out: without one, the two plans and the counters are at home. */
const rarely = <T>(filter: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: filter });

const search = rarely(fc.constantFrom(...SEARCHES));
const FILE_SORTS = ['uploadedAt', 'originalName', 'clientName', 'reportTypeName', 'size', 'period'] as const;

/** A query as it comes in an address: text, and only the given fields. */
function asked<T>(schema: { parse(query: unknown): T }, { page, days, ...filters }: Record<string, unknown>): T {
  const given = Object.entries({ ...Object(page), ...Object(days), ...filters });
  return schema.parse(Object.fromEntries(given.filter(([, value]) => value !== undefined)));
}

const fileQuestions = fc
  .record({
    page,
    days: rarely(period),
    clientId: rarely(number(6)),
    reportTypeId: rarely(fc.oneof(number(4), fc.constant(WITHOUT_TYPE))),
    fileType: rarely(fc.constantFrom('report', 'company_document')),
    documentType: rarely(fc.constantFrom(...DOCUMENT_TYPES)),
    period: rarely(fc.constantFrom(NO_PERIOD, ...PERIODS)),
    q: search,
    sort: rarely(fc.constantFrom(...FILE_SORTS.flatMap((column) => [column, `-${column}`]))),
  })
  .map((question) => asked(FileQuery, question));

/** Asked of every firm. */
const ALWAYS = [
  // Letters that occur in many names.
  { q: 'pha' },
  // Letters that occur in few.
  { q: 'zeta' },
  // Days, in an order that no day leads to.
  { startDate: '2026-01-01', timeZone: 'UTC', sort: 'originalName' },
  ...SEARCHES.slice(0, 3).map((q) => ({ q, sort: '-size' })),
  ...FILE_SORTS.slice(0, 2).map((sort) => ({ sort, limit: '1' })),
].map((question) => asked(FileQuery, question));

/** A firm of which the questions above use each plan for a page, whatever is drawn besides. */
const EVERY_PLAN: Firm = {
  clients: ['alpha_1.pdf', 'Alpha%2.pdf'],
  reportTypes: [],
  roles: [
    { systemKey: 'admin', reach: 'all', capabilities: CAPABILITIES },
    { systemKey: 'cpa', reach: 'lists', capabilities: [] },
  ],
  users: [
    { role: 1, clientIds: [], reportTypeIds: [] },
    { role: 2, clientIds: [1], reportTypeIds: [] },
  ],
  files: Array.from({ length: 30 }, (_, index) => ({
    clientId: 1 + (index % 2),
    fileType: 'company_document',
    reportTypeId: null,
    documentType: null,
    period: null,
    uploadedById: null,
    name: index === 20 ? 'Zeta' : 'alpha_1.pdf',
    sizeBytes: 1,
    at: EPOCH + (index % 8) * 6 * HOUR_MS,
  })),
  activity: [],
};

const activityQuestions = fc
  .record({
    page,
    days: rarely(period),
    userId: rarely(number(4)),
    clientId: rarely(number(6)),
    fileId: rarely(number(6)),
    action: rarely(fc.constantFrom(...ACTIVITY_ACTIONS)),
    q: search,
    sort: rarely(fc.constantFrom('timestamp', '-timestamp')),
  })
  .map((question) => asked(ActivityQuery, question));

// ---- The firm’s viewers, and what they reach ------------------------------------------------------------------------

function viewersOf(firm: Firm): (Viewer & ListedActor)[] {
  return withIds(firm.users).map(({ id, role, clientIds, reportTypeIds }) => {
    const { systemKey, reach, capabilities: held } = firm.roles[role - 1] as Role;
    const named = { username: `user ${id}`, fullName: `User ${id}`, roleId: role, roleName: `role ${role}` };
    const session = {
      credential: { kind: 'session', sessionId: id, endsAt: Number.MAX_SAFE_INTEGER } as const,
      look: null,
    };
    const free = { requiresStepUp: false, mustChangePassword: false, allClients: false };
    return {
      id,
      ...session,
      ...free,
      ...named,
      roleKey: systemKey,
      reach,
      capabilities: held,
      clientIds,
      reportTypeIds,
    };
  });
}

/** The ids each of the viewer's sources holds. */
async function reachedIn(scope: ReadScope): Promise<Record<string, number[]>> {
  const ids = async (rows: Promise<{ id: number }[]>) => (await rows).map(({ id }) => id).sort((a, b) => a - b);
  return {
    clients: await ids(scope.clients().select('clients.id').execute()),
    reportTypes: await ids(scope.reportTypes().select('report_types.id').execute()),
    reachedReportTypes: await ids(scope.reachedReportTypes().select('report_types.id').execute()),
    users: await ids(scope.users().select('users.id').execute()),
    roles: await ids(scope.roles().select('roles.id').execute()),
    files: await ids(scope.files().select('files.id').execute()),
    activity: await ids(scope.activity().select('activity.id').execute()),
    requests: await ids(scope.requests().select('requests.id').execute()),
  };
}

describe.each(DATABASE_KINDS)('policy and SQL on %s', { timeout: PROPERTY_TIMEOUT_MS }, (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-policy-'));
  let store: TestDatabase;
  // One for all firms, so that the next viewer meets a prepared statement of an earlier one.
  let scopes: Scopes;
  let statements: string[] = [];
  beforeAll(async () => {
    store = await openTestDatabase(kind, join(folder, 'coffer.db'));
    await store.database.migrate();
    const watched = {
      ...store.database,
      rows: <Row>(statement: Statement, parameters: readonly unknown[]) => {
        statements.push(statement.sql);
        return store.database.rows<Row>(statement, parameters);
      },
      longRows: <Row>(statement: Statement, parameters: readonly unknown[]) => {
        statements.push(statement.sql);
        return store.database.longRows<Row>(statement, parameters);
      },
    };
    scopes = openScopes(watched, async (_tx, viewer) => viewer);
  });
  afterAll(async () => {
    await store.database.close();
    await store.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('a viewer’s sources hold exactly what the rules allow', async () => {
    await fc.assert(
      fc.asyncProperty(firms, async (firm) => {
        await insertFirm(store, firm);
        for (const viewer of viewersOf(firm)) {
          expect(await reachedIn(scopes.read(viewer))).toEqual(reachedByRule(firm, viewer));
        }
      }),
      { numRuns: RUNS[kind], interruptAfterTimeLimit: TIME_LIMIT_MS },
    );
  });

  it('the list of files gives the right page and the right total, whichever plan is chosen', async () => {
    const ways = { walk: 0, gather: 0, 'by word': 0, 'own clients': 0 };
    const wayOf = (text: string) =>
      text.includes('with_word')
        ? 'by word'
        : text.includes('as mine')
          ? 'own clients'
          : text.includes('found as')
            ? 'gather'
            : 'walk';
    await fc.assert(
      fc.asyncProperty(firms, fc.array(fileQuestions, { minLength: 3, maxLength: 6 }), async (firm, questions) => {
        await insertFirm(store, firm);
        for (const viewer of viewersOf(firm)) {
          for (const query of [...questions, ...ALWAYS]) {
            statements = [];
            const { json, total } = await listFiles(scopes.read(viewer), query);
            const rows = JSON.parse(json) as FileRow[];
            expect({ ids: rows.map(({ id }) => id), total }).toEqual(expectedFiles(firm, viewer, query));
            // Of all statements only those of the rows ask for names as they were sent.
            for (const text of statements) if (text.includes('page as (')) ways[wayOf(text)] += 1;
          }
        }
      }),
      { numRuns: RUNS[kind], interruptAfterTimeLimit: TIME_LIMIT_MS, examples: [[EVERY_PLAN, []]] },
    );
    for (const [way, times] of Object.entries(ways)) expect(times, way).toBeGreaterThan(0);
  });

  it('the activity log gives the right page and the right total', async () => {
    await fc.assert(
      fc.asyncProperty(firms, fc.array(activityQuestions, { minLength: 3, maxLength: 6 }), async (firm, questions) => {
        await insertFirm(store, firm);
        for (const viewer of viewersOf(firm)) {
          for (const query of questions) {
            const { rows, total } = await listActivity(scopes.read(viewer), query);
            expect({ ids: rows.map(({ id }) => id), total }).toEqual(expectedActivity(firm, viewer, query));
          }
        }
      }),
      { numRuns: RUNS[kind], interruptAfterTimeLimit: TIME_LIMIT_MS },
    );
  });
});

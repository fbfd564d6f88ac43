// The policy is written twice, as pure rules and as SQL: for random firms and viewers both must agree.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Insertable, type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActivityQuery } from '#contract/activity.ts';
import { ACTIVITY_ACTIONS, type ActivityAction } from '#contract/activity-words.ts';
import { foldKey } from '#contract/fields.ts';
import { DOCUMENT_TYPES, type DocumentType, type FileType, WITHOUT_TYPE } from '#contract/file-kinds.ts';
import { FileQuery, type FileRow } from '#contract/files.ts';
import { isWithinPeriod, NO_PERIOD, periodKey } from '#contract/period.ts';
import {
  CAPABILITIES,
  type Capability,
  type ListedActor,
  type Reach,
  reachesActivity,
  reachesClient,
  reachesEveryRole,
  reachesFile,
  reachesReportType,
  reachesUser,
  type SystemRole,
  seesRequests,
} from '#contract/policy.ts';
import { matchesSearch, searchForm } from '#contract/search.ts';
import { listActivity } from '../audit/activity-list.ts';
import { insertActivity } from '../audit/record.ts';
import { fileNameColumns, periodColumns } from '../files/file-columns.ts';
import { listFiles } from '../files/list/list.ts';
import { openScopes, type ReadScope, type Scopes } from '../people/access/scope.ts';
import type { Viewer } from '../people/access/viewer.ts';
import type { DatabaseKind } from '../platform/db/database.ts';
import type { Schema } from '../platform/db/schema.ts';
import type { Statement } from '../platform/db/statement.ts';
import { nameColumns, userNameColumns } from '../platform/names/name-forms.ts';
import { breadth } from './breadth.ts';
import { DATABASE_KINDS, openTestDatabase, type TestDatabase } from './test-database.ts';

/** Each run seeds a firm again, which costs a server more than a file. */
const RUNS: Record<DatabaseKind, number> = { sqlite: breadth(25, 200), postgres: breadth(6, 60) };
const PROPERTY_TIMEOUT_MS = 300_000;
/** On a slow machine fewer runs must do, and a failure is reported before it is fully shrunk. */
const TIME_LIMIT_MS = 45_000;
const HOUR_MS = 3_600_000;
const EPOCH = Date.UTC(2026, 0, 10);
/** New York is five hours behind UTC on every day of these firms. */
const ZONE = { name: 'America/New_York', behindMs: 5 * HOUR_MS };

// ---- Random firms ---------------------------------------------------------------------------------------------------

/** Names with everything that a search could trip over: wildcards, an escape, capitals beyond ASCII, compositions. */
const NAMES = [
  'alpha_1.pdf',
  'Alpha%2.pdf',
  'beta\\x.pdf',
  'Été 2025.pdf',
  'ÉTÉ 2024.pdf',
  'straße',
  '日本.pdf',
  'Zeta',
];
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

interface Role {
  readonly systemKey: SystemRole | null;
  readonly reach: Reach;
  readonly capabilities: readonly Capability[];
}

interface User {
  readonly role: number;
  readonly clientIds: readonly number[];
  readonly reportTypeIds: readonly number[];
}

interface StoredFile {
  readonly clientId: number;
  readonly fileType: FileType;
  readonly reportTypeId: number | null;
  readonly documentType: DocumentType | null;
  readonly period: string | null;
  readonly uploadedById: number | null;
  readonly name: string;
  readonly sizeBytes: number;
  readonly at: number;
}

interface Named {
  readonly id: number;
  readonly name: string;
}

interface Entry {
  readonly action: ActivityAction;
  readonly actor: Named;
  readonly client: Named | null;
  readonly file: Named | null;
  readonly details: string;
  readonly at: number;
}

/** Rows in the order of their ids: the first has id 1. */
interface Firm {
  readonly clients: readonly string[];
  readonly reportTypes: readonly string[];
  readonly roles: readonly Role[];
  readonly users: readonly User[];
  readonly files: readonly StoredFile[];
  readonly activity: readonly Entry[];
}

/** One inside the other, around the days of the uploads. */
const PERIODS = ['2026', '2026-Q1', '2026-03', '2026-01-12', '2025', '2025-Q4', '2026-03-31'] as const;

const name = fc.constantFrom(...NAMES);
const moment = fc.integer({ min: 0, max: 16 }).map((step) => EPOCH + step * 6 * HOUR_MS);
const idUpTo = (count: number) => fc.integer({ min: 1, max: Math.max(count, 1) });
const firstIds = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
/** An access list: often everything there is, for then a list is best walked by date. */
const someIds = (count: number) => fc.oneof(fc.constant(firstIds(count)), fc.subarray(firstIds(count)));
/** Somebody or something that was deleted, or never there. */
const GONE = 9_999;

const capabilities = fc.subarray([...CAPABILITIES]);
const customRole = fc.record<Role>({
  systemKey: fc.constant(null),
  reach: fc.constantFrom('all', 'lists', 'lists'),
  capabilities,
});

const roles = fc
  .tuple(capabilities, capabilities, fc.array(customRole, { maxLength: 3 }))
  .map(([cpa, client, custom]): Role[] => [
    { systemKey: 'admin', reach: 'all', capabilities: CAPABILITIES },
    { systemKey: 'cpa', reach: 'lists', capabilities: cpa },
    { systemKey: 'client', reach: 'lists', capabilities: client },
    ...custom,
  ]);

const fileOf = (counts: { clients: number; reportTypes: number; users: number }): fc.Arbitrary<StoredFile> =>
  fc
    .record({
      clientId: idUpTo(counts.clients),
      kind: fc.constantFrom('typed', 'typed', 'untyped', 'document'),
      type: idUpTo(counts.reportTypes),
      documentType: fc.option(fc.constantFrom(...DOCUMENT_TYPES)),
      period: fc.option(fc.constantFrom(...PERIODS)),
      uploadedById: fc.option(idUpTo(counts.users)),
      name,
      sizeBytes: fc.integer({ min: 0, max: 3 }),
      at: moment,
    })
    .map(({ kind, type, documentType, ...file }) => ({
      ...file,
      fileType: kind === 'document' ? 'company_document' : 'report',
      reportTypeId: kind === 'typed' && counts.reportTypes > 0 ? type : null,
      documentType: kind === 'document' ? documentType : null,
    }));

const namedUpTo = (count: number) =>
  fc.record({
    id: fc.oneof({ weight: 5, arbitrary: idUpTo(count) }, { weight: 1, arbitrary: fc.constant(GONE) }),
    name,
  });

const entryOf = (counts: { clients: number; users: number; files: number }): fc.Arbitrary<Entry> =>
  fc.record({
    action: fc.constantFrom(...ACTIVITY_ACTIONS),
    actor: namedUpTo(counts.users),
    client: fc.option(namedUpTo(counts.clients)),
    file: fc.option(namedUpTo(counts.files)),
    details: name,
    at: moment,
  });

const firms: fc.Arbitrary<Firm> = fc
  .record({
    clients: fc.array(name, { minLength: 1, maxLength: 6 }),
    reportTypes: fc.uniqueArray(name, { maxLength: 4, selector: foldKey }),
    roles,
  })
  .chain(({ clients, reportTypes, ...firm }) => {
    const user = fc.record<User>({
      // Few Admins: they reach all, and are all alike.
      role: fc.oneof(
        { weight: 1, arbitrary: fc.constant(1) },
        { weight: 5, arbitrary: fc.integer({ min: 2, max: firm.roles.length }) },
      ),
      clientIds: someIds(clients.length),
      reportTypeIds: someIds(reportTypes.length),
    });
    return fc.record({
      clients: fc.constant(clients),
      reportTypes: fc.constant(reportTypes),
      roles: fc.constant(firm.roles),
      users: fc.array(user, { minLength: 1, maxLength: 4 }),
    });
  })
  .chain((firm) => {
    const counts = { clients: firm.clients.length, reportTypes: firm.reportTypes.length, users: firm.users.length };
    return fc.record({
      clients: fc.constant(firm.clients),
      reportTypes: fc.constant(firm.reportTypes),
      roles: fc.constant(firm.roles),
      users: fc.constant(firm.users),
      files: fc.array(fileOf(counts), { maxLength: 40, size: 'max' }),
      activity: fc.array(entryOf({ ...counts, files: 40 }), { maxLength: 30, size: 'max' }),
    });
  });

// ---- Random questions -----------------------------------------------------------------------------------------------

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

function toIso(at: number): string {
  return new Date(at).toISOString();
}

function toDay(at: number): string {
  return toIso(at).slice(0, 10);
}

// ---- The answers as the pure rules give them -------------------------------------------------------------------------

type Keys = readonly (string | number | null)[];

/** By code point, as both engines compare; absent values come first. */
function compareKeys(a: Keys, b: Keys): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? null;
    if (left === right) continue;
    if (left === null) return -1;
    if (right === null) return 1;
    if (typeof left === 'number') return left - Number(right);
    return Buffer.compare(Buffer.from(left), Buffer.from(String(right)));
  }
  return 0;
}

interface Period {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly timeZone?: string | undefined;
}

function isWithin(at: number, { startDate, endDate, timeZone }: Period): boolean {
  const said = timeZone === undefined ? toIso(at) : toDay(at - ZONE.behindMs);
  return (startDate === undefined || said >= startDate) && (endDate === undefined || said <= endDate);
}

/** A file without a period counts for the day of its upload. */
const isFor = (file: { period: string | null; at: number }, period: string | undefined) =>
  period === undefined ||
  (period === NO_PERIOD ? file.period === null : isWithinPeriod(file.period ?? toDay(file.at), period));

const isOr = <T>(wanted: T | undefined, actual: unknown) => wanted === undefined || wanted === actual;
const holds = (q: string | undefined, ...texts: (string | null | undefined)[]) =>
  q === undefined ||
  q === '' ||
  matchesSearch(
    q,
    texts.map((text) => text ?? ''),
  );

type Identified<T> = T & { readonly id: number };
const withIds = <T extends object>(rows: readonly T[]): Identified<T>[] =>
  rows.map((row, index) => ({ ...row, id: index + 1 }));

interface Answered {
  readonly ids: readonly number[];
  readonly total: number;
}

function pageOf(
  rows: readonly { id: number }[],
  keysOf: (id: number) => Keys,
  query: { sort?: string | undefined; limit?: number | undefined; offset?: number | undefined },
  descending: boolean,
): Answered {
  const sorted = rows.map(({ id }) => id).sort((a, b) => compareKeys(keysOf(a), keysOf(b)));
  if (descending) sorted.reverse();
  const offset = query.offset ?? 0;
  return { ids: sorted.slice(offset, offset + (query.limit ?? 1_000)), total: rows.length };
}

function expectedFiles(firm: Firm, viewer: ListedActor, query: FileQuery): Answered {
  const rows = withIds(firm.files).filter(
    (file) =>
      reachesFile(viewer, file) &&
      isOr(query.clientId, file.clientId) &&
      (query.reportTypeId === WITHOUT_TYPE
        ? file.fileType === 'report' && file.reportTypeId === null
        : isOr(query.reportTypeId, file.reportTypeId)) &&
      isOr(query.fileType, file.fileType) &&
      isOr(query.documentType, file.documentType) &&
      isWithin(file.at, query) &&
      isFor(file, query.period) &&
      holds(
        query.q,
        file.name,
        firm.clients[file.clientId - 1],
        file.reportTypeId === null ? null : firm.reportTypes[file.reportTypeId - 1],
      ),
  );
  const column = (query.sort ?? '-uploadedAt').replace('-', '');
  const keysOf = (id: number): Keys => {
    const file = firm.files[id - 1] as StoredFile;
    const clientName = searchForm(firm.clients[file.clientId - 1] ?? '');
    const typeName = file.reportTypeId === null ? null : searchForm(firm.reportTypes[file.reportTypeId - 1] ?? '');
    switch (column) {
      case 'originalName':
        return [foldKey(file.name), id];
      case 'clientName':
        return [clientName, file.clientId, file.at, id];
      case 'reportTypeName':
        return [file.fileType, typeName, file.at, id];
      case 'size':
        return [file.sizeBytes, id];
      case 'period':
        return [periodKey(file.period ?? toDay(file.at)), id];
      default:
        return [file.at, id];
    }
  };
  return pageOf(rows, keysOf, query, (query.sort ?? '-uploadedAt').startsWith('-'));
}

const toFacts = ({ actor, client }: Entry) => ({ userId: actor.id, clientId: client?.id ?? null });

function expectedActivity(firm: Firm, viewer: ListedActor, query: ActivityQuery): Answered {
  const rows = withIds(firm.activity).filter(
    (entry) =>
      reachesActivity(viewer, toFacts(entry)) &&
      isOr(query.action, entry.action) &&
      isOr(query.userId, entry.actor.id) &&
      isOr(query.clientId, entry.client?.id) &&
      isOr(query.fileId, entry.file?.id) &&
      isWithin(entry.at, query) &&
      holds(query.q, entry.details, entry.file?.name, entry.actor.name, entry.client?.name),
  );
  const keysOf = (id: number): Keys => [firm.activity[id - 1]?.at ?? 0, id];
  return pageOf(rows, keysOf, query, query.sort !== 'timestamp');
}

// ---- The firm in the database ----------------------------------------------------------------------------------------

const CLEARED: readonly (keyof Schema)[] = [
  'activity',
  'activity_counts',
  'file_counts',
  'files',
  'user_clients',
  'blobs',
  'user_report_types',
  'users',
  'role_capabilities',
  'roles',
  'clients',
  'report_types',
];

/** Inserts rows in order, so that the first gets id 1; there may be none, which `values ()` could not express. */
async function insertAll<Table extends keyof Schema>(
  tx: Kysely<Schema>,
  table: Table,
  rows: readonly Insertable<Schema[Table]>[],
): Promise<void> {
  if (rows.length > 0) await tx.insertInto(table).values(rows).execute();
}

async function insertFirm({ database }: TestDatabase, firm: Firm): Promise<void> {
  await database.transaction(async (tx) => {
    // Ids start again at 1: the plan of a list depends on how high they are.
    if (database.kind === 'sqlite') {
      for (const table of CLEARED) await tx.deleteFrom(table).execute();
      await sql`delete from sqlite_sequence`.execute(tx);
    } else {
      await sql`truncate ${sql.join(CLEARED.map((table) => sql.table(table)))} restart identity cascade`.execute(tx);
    }
    await insertAll(
      tx,
      'clients',
      firm.clients.map((clientName) => ({
        ...nameColumns(clientName),
        address: 'Somewhere',
        phone: '(207)-555-0142',
        email: 'office@example.com',
        federal_id: '00-1234567',
        state_id: 'ME',
        employee_count: 1,
        start_date: '2024-01-01',
        search_text: searchForm(clientName),
        created_at: EPOCH,
      })),
    );
    await insertAll(
      tx,
      'requests',
      withIds(firm.clients.map((clientName) => ({ clientName }))).map(({ id }) => ({
        client_id: id,
        title: 'Year-end package',
        message: '',
        due_on: null,
        state: 'open' as const,
        items: 0,
        owed: 0,
        to_review: 0,
        asked_by_id: 1,
        asked_by_name: 'Somebody',
        created_at: EPOCH,
        changed_at: EPOCH,
      })),
    );
    await insertAll(
      tx,
      'report_types',
      firm.reportTypes.map((typeName) => ({ ...nameColumns(typeName), created_at: EPOCH })),
    );
    await insertAll(
      tx,
      'roles',
      firm.roles.map(({ systemKey, reach }, index) => ({
        ...nameColumns(`role ${index}`),
        system_key: systemKey,
        reach,
        created_at: EPOCH,
      })),
    );
    await insertAll(
      tx,
      'users',
      firm.users.map(({ role }, index) => ({
        ...userNameColumns({ username: `user ${index}`, fullName: `User ${index}` }),
        password_hash: '$argon2id$nobody',
        role_id: role,
        created_at: EPOCH,
      })),
    );
    for (const { id, clientIds, reportTypeIds } of withIds(firm.users)) {
      await insertAll(
        tx,
        'user_clients',
        clientIds.map((clientId) => ({ user_id: id, client_id: clientId })),
      );
      await insertAll(
        tx,
        'user_report_types',
        reportTypeIds.map((reportTypeId) => ({ user_id: id, report_type_id: reportTypeId })),
      );
    }
    await insertAll(
      tx,
      'blobs',
      withIds(firm.files).map((file) => ({
        storage_key: String(file.id).padStart(32, '0'),
        size_bytes: file.sizeBytes,
        sha256: '0'.repeat(64),
        state: 'live' as const,
        purpose: 'file' as const,
        created_at: EPOCH,
      })),
    );
    await insertAll(
      tx,
      'files',
      withIds(firm.files).map((file) => ({
        ...fileNameColumns(file.name),
        storage_key: String(file.id).padStart(32, '0'),
        size_bytes: file.sizeBytes,
        sha256: '0'.repeat(64),
        content_type: 'application/pdf',
        file_type: file.fileType,
        document_type: file.documentType,
        client_id: file.clientId,
        report_type_id: file.reportTypeId,
        uploaded_by_id: file.uploadedById,
        uploader_name: 'Somebody',
        uploaded_at: file.at,
        ...periodColumns(file.period, file.at),
        idempotency_key: null,
      })),
    );
    for (const { action, actor, client, file, details, at } of firm.activity) {
      await insertActivity(
        tx,
        actor,
        { action, details, ...(client ? { client } : {}), ...(file ? { file } : {}) },
        at,
      );
    }
  });
}

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

function reachedByRule(firm: Firm, viewer: Viewer & ListedActor): Record<string, number[]> {
  const ids = <T extends object>(rows: readonly T[], rule: (row: Identified<T>) => boolean) =>
    withIds(rows)
      .filter(rule)
      .map(({ id }) => id);
  const clients = firm.clients.map((clientName) => ({ clientName }));
  const reportTypes = firm.reportTypes.map((typeName) => ({ typeName }));
  return {
    clients: ids(clients, ({ id }) => reachesClient(viewer, id)),
    reportTypes: ids(reportTypes, ({ id }) => reachesReportType(viewer, id)),
    reachedReportTypes: ids(reportTypes, ({ id }) => viewer.reach === 'all' || viewer.reportTypeIds.includes(id)),
    users: ids(firm.users, ({ id }) => reachesUser(viewer, id)),
    roles: ids(firm.roles, ({ id }) => reachesEveryRole(viewer) || viewer.roleId === id),
    files: ids(firm.files, (file) => reachesFile(viewer, file)),
    activity: ids(firm.activity, (entry) => reachesActivity(viewer, toFacts(entry))),
    // One to each client, in their order.
    requests: ids(clients, ({ id }) => seesRequests(viewer) && reachesClient(viewer, id)),
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

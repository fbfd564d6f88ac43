// The plans of lists, as each engine makes them on a firm of some size: a changed plan shows in a committed file.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { ActivityQuery } from '#contract/activity.ts';
import { DIGEST_TOPICS } from '#contract/digest-words.ts';
import { FileQuery } from '#contract/files.ts';
import { CAPABILITIES, type Capability, type SystemRole } from '#contract/policy/actor.ts';
import { RetentionQuery } from '#contract/retention.ts';
import { listActivity } from '../audit/activity-list.ts';
import { holdOpened, noteOpened } from '../audit/file-opens.ts';
import { findAlreadyThere } from '../files/already-there.ts';
import { listFiles } from '../files/list/list.ts';
import { countNewFiles } from '../files/list/news.ts';
import { listMarked } from '../files/marks.ts';
import { findReaders } from '../files/readers.ts';
import { listDue } from '../files/retention/retention.repo.ts';
import { listUnopened } from '../files/unopened/unopened.ts';
import { hasNews } from '../mail/digests/sources.ts';
import { openScopes, type Scopes } from '../people/access/scope.ts';
import type { Viewer } from '../people/access/viewer.ts';
import type { Statement } from '../platform/db/database.ts';
import { nameColumns, userNameColumns } from '../platform/names/name-forms.ts';
import { eventually } from './eventually.ts';
import { DATABASE_KINDS, openTestDatabase, type TestDatabase } from './test-database.ts';

const FILES = 20_000;
const CLIENTS = 100;
const TYPES = 10;
const START_MS = Date.UTC(2024, 0, 1);
/** Between two rounds of digests. */
const LATELY = { after: Date.UTC(2024, 5, 1), until: Date.UTC(2024, 5, 1, 0, 15), timeZone: 'UTC', changed: null };

const viewer = (id: number, roleKey: SystemRole, capabilities: readonly Capability[]): Viewer => ({
  id,
  roleKey,
  roleId: id,
  roleName: roleKey,
  reach: roleKey === 'admin' ? 'all' : 'lists',
  capabilities,
  credential: { kind: 'session', sessionId: 1, endsAt: Number.MAX_SAFE_INTEGER },
  look: null,
  requiresStepUp: false,
  mustChangePassword: false,
  allClients: false,
  username: roleKey,
  fullName: roleKey,
});

const viewers = {
  admin: viewer(1, 'admin', CAPABILITIES),
  cpa: viewer(2, 'cpa', ['activity.read-clients']),
  client: viewer(3, 'client', []),
};

const MONTH = { startDate: '2024-03-01', endDate: '2024-03-31', timeZone: 'UTC' };
const REPORTS = { fileType: 'report', limit: '50' };

type Asked = readonly [as: keyof typeof viewers, query: Readonly<Record<string, string>>];

/** Every kind of list that the screens ask for, with its viewer. */
const lists: readonly Asked[] = [
  ['admin', { limit: '50' }],
  ['admin', REPORTS],
  ['admin', { ...REPORTS, sort: 'originalName' }],
  ['admin', { ...REPORTS, sort: '-size' }],
  ['admin', { ...REPORTS, reportTypeId: '3' }],
  ['admin', { ...REPORTS, reportTypeId: '3', sort: 'originalName' }],
  ['admin', { ...REPORTS, reportTypeId: 'none' }],
  ['cpa', { ...REPORTS, reportTypeId: 'none' }],
  ['admin', { ...REPORTS, clientId: '7' }],
  ['admin', { ...REPORTS, clientId: '7', sort: 'originalName' }],
  ['admin', { fileType: 'company_document', limit: '25' }],
  ['admin', { documentType: 'Correspondence', limit: '25' }],
  ['admin', { ...REPORTS, ...MONTH }],
  ['admin', { ...REPORTS, q: '999' }],
  ['admin', { ...REPORTS, q: 'client type 17' }],
  ['admin', { ...REPORTS, period: '2024-Q1' }],
  ['admin', { ...REPORTS, period: '2024-03-15' }],
  ['admin', { ...REPORTS, period: 'none' }],
  ['admin', { ...REPORTS, sort: '-period' }],
  ['cpa', { ...REPORTS, period: '2024-Q1' }],
  ['client', { ...REPORTS, period: '2024', sort: 'period' }],
  ['admin', { ...REPORTS, q: 'report' }],
  ['cpa', { limit: '50' }],
  ['cpa', REPORTS],
  ['cpa', { ...REPORTS, sort: 'originalName' }],
  ['cpa', { ...REPORTS, reportTypeId: '3', clientId: '7' }],
  ['cpa', { ...REPORTS, ...MONTH }],
  ['cpa', { ...REPORTS, q: '999' }],
  ...(['admin', 'cpa'] as const).flatMap((as): Asked[] => [
    [as, { ...REPORTS, opened: 'false' }],
    [as, { ...REPORTS, opened: 'false', sort: 'originalName' }],
    [as, { ...REPORTS, opened: 'false', reportTypeId: '3' }],
    [as, { ...REPORTS, opened: 'false', clientId: '7' }],
  ]),
  ['client', { ...REPORTS, opened: 'false' }],
  ['admin', { fileType: 'company_document', limit: '50', isNew: 'true' }],
  ['cpa', { fileType: 'company_document', limit: '50', isNew: 'true' }],
  ['client', { ...REPORTS, isNew: 'true' }],
  ['admin', { limit: '50', marked: 'true' }],
  ['cpa', { limit: '50', marked: 'true' }],
  ['admin', { limit: '50', onHold: 'true' }],
  ['cpa', { limit: '50', onHold: 'true' }],
  ['client', { limit: '50' }],
  ['client', { ...REPORTS, sort: 'originalName' }],
];

const logs: readonly Asked[] = [
  ['admin', { limit: '50' }],
  ['admin', { limit: '50', action: 'upload' }],
  ['admin', { limit: '50', clientId: '7' }],
  ['admin', { limit: '50', q: '999' }],
  ['cpa', { limit: '50' }],
  ['cpa', { limit: '50', ...MONTH }],
];

/** A firm of which a CPA has a tenth and a client's person one client, written by the engine itself. */
async function fill({ database }: TestDatabase): Promise<void> {
  const numbers =
    database.kind === 'sqlite'
      ? (n: number) =>
          sql`(with recursive t (i) as (select 1 union all select i + 1 from t where i < ${sql.lit(n)}) select i from t) as t`
      : (n: number) => sql`generate_series(1, ${sql.lit(n)}) as t (i)`;
  await database.transaction(async (tx) => {
    if (database.kind === 'postgres') await sql`set local statement_timeout = 0`.execute(tx);
    for (let client = 1; client <= CLIENTS; client += 1) {
      await tx
        .insertInto('clients')
        .values({
          ...nameColumns(`Client ${client}`),
          address: 'Somewhere',
          phone: '(207)-555-0142',
          email: 'office@example.com',
          federal_id: '00-1234567',
          state_id: 'ME',
          employee_count: 1,
          start_date: '2024-01-01',
          search_text: `client ${client}`,
          created_at: START_MS,
        })
        .execute();
    }
    for (let type = 1; type <= TYPES; type += 1) {
      await tx
        .insertInto('report_types')
        .values({ ...nameColumns(`Type ${type}`), created_at: START_MS })
        .execute();
    }
    for (const [role, { reach }] of Object.entries(viewers)) {
      await tx
        .insertInto('roles')
        .values({ ...nameColumns(role), system_key: null, reach, created_at: START_MS })
        .execute();
      await tx
        .insertInto('users')
        .values({
          ...userNameColumns({ username: role, fullName: role }),
          password_hash: '$argon2id$nobody',
          role_id: viewers[role as keyof typeof viewers].id,
          created_at: START_MS,
        })
        .execute();
    }
    await sql`insert into user_clients (user_id, client_id) select 2, t.i from ${numbers(CLIENTS)} where t.i % 10 = 7`.execute(
      tx,
    );
    await sql`insert into user_clients (user_id, client_id) values (3, 7)`.execute(tx);
    await sql`insert into user_report_types (user_id, report_type_id) select u.id, t.i from users u cross join ${numbers(TYPES)} where u.id > 1`.execute(
      tx,
    );
    const key = sql`substr('00000000000000000000000000000000', 1, 32 - length('' || t.i)) || t.i`;
    await sql`insert into blobs (storage_key, size_bytes, sha256, state, purpose, created_at)
      select ${key}, 1, ${'0'.repeat(64)}, 'live', 'file', 0 from ${numbers(FILES)}`.execute(tx);
    await sql`insert into files (original_name, name_key, search_name, period, period_key, storage_key, size_bytes, sha256, content_type, file_type, document_type,
        client_id, report_type_id, uploaded_by_id, uploader_name, uploaded_at)
      select 'Report ' || t.i, 'report ' || t.i, 'report ' || t.i,
        case when t.i % 9 > 0 then '2024-0' || (1 + t.i % 9) || '-15' end, '2024-0' || (1 + t.i % 9) || '-15', ${key}, t.i % 9000,
        ${'0'.repeat(64)}, 'application/pdf', case when t.i % 8 = 0 then 'company_document' else 'report' end,
        case when t.i % 8 = 0 then 'Correspondence' end, 1 + t.i % ${sql.lit(CLIENTS)},
        case when t.i % 8 <> 0 then 1 + (t.i / 7) % ${sql.lit(TYPES)} end, 1, 'admin', cast(${START_MS} as bigint) + cast(t.i as bigint) * 600000
      from ${numbers(FILES)}`.execute(tx);
    await sql`insert into activity (action, file_id, file_name, details, user_id, user_name, client_id, client_name, search_text, at)
      select 'upload', id, original_name, 'Uploaded', 1, 'admin', client_id, 'Client', 'uploaded ' || search_name, uploaded_at from files`.execute(
      tx,
    );
    await sql`insert into activity_counts (user_id, client_id, action, n) select user_id, client_id, action, count(*) from activity group by 1, 2, 3`.execute(
      tx,
    );
  });
  if (database.kind === 'sqlite') {
    await database.transaction(async (tx) => {
      await sql`insert into activity_words (activity_words) values ('rebuild')`.execute(tx);
      await sql`update indexed_words set through_id = ${FILES} where table_name = 'activity'`.execute(tx);
    });
  } else {
    await vacuum(database.reader);
  }
}

/** Until its engine knows that every page of files may be read by an index alone; a snapshot still open elsewhere keeps it from it. */
async function vacuum(reader: TestDatabase['database']['reader']): Promise<void> {
  await eventually(async () => {
    await sql`vacuum analyze`.execute(reader);
    const { rows } = await sql<{ seen: boolean }>`select relallvisible = relpages as seen from pg_class
      where oid in ('files'::regclass, 'activity'::regclass)`.execute(reader);
    expect(rows).toEqual([{ seen: true }, { seen: true }]);
  });
}

// The embedded engine has no extension for words, and so no plan for them.
const PLANNED = inject('postgresUrl') === null ? (['sqlite'] as const) : DATABASE_KINDS;

describe.each(PLANNED)('plans of lists on %s', { timeout: 300_000 }, (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-plans-'));
  let store: TestDatabase;
  let scopes: Scopes;
  let asked: { readonly statement: Statement; readonly parameters: readonly unknown[] }[] = [];

  beforeAll(async () => {
    store = await openTestDatabase(kind, join(folder, 'coffer.db'));
    await store.database.migrate();
    await fill(store);
    const watch =
      (run: 'rows' | 'longRows') =>
      <Row>(statement: Statement, parameters: readonly unknown[]) => {
        asked.push({ statement, parameters });
        return store.database[run]<Row>(statement, parameters);
      };
    scopes = openScopes(
      { ...store.database, rows: watch('rows'), longRows: watch('longRows') },
      async (_tx, who) => who,
    );
  });
  afterAll(async () => {
    await store.database.close();
    await store.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** How the engine runs a statement, line by line. */
  async function explained({ statement, parameters }: (typeof asked)[number]): Promise<string[]> {
    const explaining = {
      ...statement,
      sql: `${kind === 'sqlite' ? 'explain query plan' : 'explain (costs off)'} ${statement.sql}`,
    };
    // A name of its own: the engine caches the statement under it.
    const rows = await store.database.rows<Record<string, string>>(
      { ...explaining, name: `explain_${statement.name}` },
      parameters,
    );
    return rows.map((row) => (row['detail'] ?? row['QUERY PLAN'] ?? '').trim().replace(/^->\s+/, ''));
  }

  /** Along what a statement reads files and the log; the rest differs with versions and sizes. */
  async function planOf(one: (typeof asked)[number]): Promise<string[]> {
    return (await explained(one))
      .filter((line) =>
        /(scan|search).*\b(file|entry|own|of_client|newest|with_word)\b|materialize found|cte found/i.test(line),
      )
      .map((line) => line.replace(/\s+\(.*$/, ''));
  }

  it('are as they were committed', async () => {
    const plans: string[] = [];
    const show = async (title: string, work: () => Promise<unknown>) => {
      asked = [];
      await work();
      const last = asked.at(-1);
      if (last === undefined) throw new Error(`${title} asked nothing`);
      plans.push(title, ...(await planOf(last)).map((line) => `  ${line}`), '');
    };
    for (const [as, query] of lists) {
      await show(`${as}: files ${new URLSearchParams(query)}`, () =>
        listFiles(scopes.read(viewers[as]), FileQuery.parse(query)),
      );
    }
    for (const as of ['admin', 'cpa'] as const) {
      const file = { clientId: 7, fileType: 'report', reportTypeId: 3, name: 'Nothing.pdf', size: 1 } as const;
      await show(`${as}: a file that is there already`, () => findAlreadyThere(scopes.read(viewers[as]), [file]));
    }
    for (const [as, query] of logs) {
      await show(`${as}: log ${new URLSearchParams(query)}`, () =>
        listActivity(scopes.read(viewers[as]), ActivityQuery.parse(query)),
      );
    }
    for (const as of ['admin', 'cpa'] as const) {
      await show(`${as}: files that name another client`, () => listMarked(scopes.read(viewers[as]), {}));
      await show(`${as}: those of some files`, () => listMarked(scopes.read(viewers[as]), { ids: [1, 2, 3] }));
    }
    for (const [as, viewer] of Object.entries(viewers)) {
      await show(`${as}: new files`, () => countNewFiles(scopes.read(viewer)));
    }
    for (const as of ['admin', 'cpa'] as const) {
      await show(`${as}: who sees some reports`, () => findReaders(scopes.read(viewers[as]), [1, 2, 3]));
      await show(`${as}: what nobody has opened`, () => listUnopened(scopes.read(viewers[as]), {}));
    }
    for (const as of ['admin', 'cpa', 'client'] as const) {
      for (const topic of DIGEST_TOPICS) {
        await show(`${as}: news of ${topic}`, () => hasNews(scopes.read(viewers[as]), topic, LATELY));
      }
    }
    await expect(plans.join('\n')).toMatchFileSnapshot(`list-plans/${kind}.txt`);
  });

  const due = [{}, { sort: 'client' }, { sort: '-name' }, { reportTypeId: '3' }, { reportTypeId: 'none' }];
  it.each(due)('of what is due begin with what is old: %j', async (query) => {
    await store.database.transaction((tx) => tx.updateTable('report_types').set({ retention_years: 7 }).execute());
    asked = [];
    await listDue(scopes.read(viewers.admin), RetentionQuery.parse({ limit: '50', ...query }), Date.UTC(2026, 0, 1));
    const ofFiles = asked.filter(({ statement }) => statement.sql.includes('"files"'));
    // The page and the count.
    expect(ofFiles).toHaveLength(2);
    for (const one of ofFiles) {
      const lines = (await explained(one)).join('\n');
      expect(lines).toMatch(/files_(client_)?period/);
      expect(lines).not.toMatch(/SCAN files\b|Seq Scan on files\b/);
    }
  });

  it('ask clients and report types for words that one of them has in its name, and for no others', async () => {
    const searched = async (q: string) => {
      asked = [];
      await listFiles(scopes.read(viewers.admin), FileQuery.parse({ ...REPORTS, q }));
      return asked.at(-1)?.statement.sql;
    };
    expect(await searched('999')).not.toContain('clients named');
    expect(await searched('999 client')).toContain('clients named');
  });

  it.runIf(kind === 'postgres')('look the clients of somebody who has many up by hash', async () => {
    asked = [];
    await listFiles(scopes.read(viewers.cpa), FileQuery.parse(REPORTS));
    const page = asked.at(-1);
    if (page === undefined) throw new Error('Nothing was asked');
    expect((await explained(page)).join('\n')).toContain('hashed SubPlan');
  });

  it('of files that are opened lead by their ids, whoever opens them', async () => {
    const plans: string[] = [];
    await store.database.transaction(async (tx) => {
      const execute = tx.executeQuery.bind(tx);
      vi.spyOn(tx, 'executeQuery').mockImplementation(async (query) => {
        const { sql: text, parameters } = query as CompiledQuery;
        const statement = { name: `opened_${plans.length}`, sql: text } as Statement;
        plans.push((await explained({ statement, parameters })).join('\n'));
        return execute(query);
      });
      const fileIds = [1, 2];
      const held = await holdOpened(tx, fileIds, 'wait');
      for (const opener of ['staff', 'client'] as const)
        await noteOpened(tx, { fileIds, held, userId: 1, opener, at: START_MS });
    });
    // To staff none of them is new.
    expect(plans).toHaveLength(3);
    for (const plan of plans.filter((one) => /\bfiles\b/.test(one)))
      expect(plan).toMatch(/files USING INTEGER PRIMARY KEY|files_pkey/);
  });

  it('of words that stand far down in the order of names end soon, and say what to do', async () => {
    await store.database.transaction((tx) =>
      sql`update files set search_name = 'zz' where name_key >= 'report 3'`.execute(tx),
    );
    // What was counted before is remembered for each viewer.
    let by = scopes.read({ ...viewers.admin, id: 5 });
    const list = (query: Readonly<Record<string, string>>) =>
      listFiles(by, FileQuery.parse({ ...REPORTS, q: 'zz', ...query }));
    const shown = (json: string) => (JSON.parse(json) as unknown[]).length;
    const sorted = await list({ sort: 'originalName' });
    expect([shown(sorted.json), sorted.total, sorted.more]).toEqual([50, 1_000, true]);
    expect(JSON.parse(sorted.json)[0].originalName).toBe('Report 3');
    // As if there were more of all than are sorted.
    await store.database.transaction((tx) => sql`update file_counts set n = n * 100`.execute(tx));
    by = scopes.read({ ...viewers.admin, id: 4 });
    asked = [];
    await expect(list({ sort: 'originalName' })).rejects.toMatchObject({
      code: 'invalid',
      fields: { sort: expect.stringContaining('Narrow the list') },
    });
    const page = asked.at(-1);
    if (page === undefined) throw new Error('Nothing was asked');
    const along = kind === 'sqlite' ? /files_kind_name \(file_type=\? AND .*name_key/ : /Index Cond: .*name_key/;
    expect((await explained(page)).join('\n')).toMatch(along);
    const fromTheEnd = await list({ sort: '-originalName' });
    expect([shown(fromTheEnd.json), fromTheEnd.total, fromTheEnd.more]).toEqual([50, 1_000, true]);
    const byName = { sort: 'originalName' };
    const ofMonth = await list({ ...byName, ...MONTH });
    const ofClient = await list({ ...byName, clientId: '7' });
    for (const { json } of [await list({}), ofMonth, ofClient]) expect(shown(json)).toBe(50);
  });
});

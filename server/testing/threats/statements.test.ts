// Row G7 of the threat model, statements: callers cannot make the server keep ever more of them.
import { DatabaseSync } from 'node:sqlite';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DatabaseKind } from '../../platform/db/database.ts';
import { addRole, addUser, clientInput, type Firm, PASSWORD } from '../firm.ts';
import type { Caller, TestApp } from '../test-app.ts';
import { DATABASE_KINDS } from '../test-database.ts';
import { startTestFirm } from '../test-firm.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** The texts of the statements that the engine gets from now on: on SQLite those that are prepared again. */
function statementsOf(kind: DatabaseKind): string[] {
  const texts: string[] = [];
  if (kind === 'sqlite') {
    const { prepare } = DatabaseSync.prototype;
    vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, ...given) {
      texts.push(given[0]);
      return prepare.apply(this, given);
    });
    return texts;
  }
  const engines: readonly { query(...given: unknown[]): unknown }[] = [pg.Client.prototype, PGlite.prototype];
  for (const engine of engines) {
    const { query } = engine;
    vi.spyOn(engine, 'query').mockImplementation(function (this: unknown, ...given: unknown[]) {
      const [first] = given;
      texts.push(typeof first === 'string' ? first : (first as { text: string }).text);
      return Reflect.apply(query, this, given);
    });
  }
  return texts;
}

describe.each(DATABASE_KINDS)('statements on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  /** May manage users, but reaches one client only. */
  let manager: Caller;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
    const role = await addRole(app, 'User manager', ['users.manage']);
    const lists = { clientIds: [firm.clients[0]], reportTypeIds: [firm.reportTypes[0]] };
    manager = (await addUser(app, 'manager', role, lists)).caller;
  });
  afterAll(() => app.close());

  /** `length` unknown ids. */
  const ids = (length: number) => Array.from({ length }, (_, index) => 500_000 + index);

  /** What the engine is given for `work` on lists of many lengths, beyond what it is given for the first. */
  async function addedBy(work: (length: number) => Promise<void>): Promise<string[]> {
    const texts = statementsOf(kind);
    for (const length of [1, 2]) await work(length);
    const before = new Set(texts);
    for (const length of [3, 4, 7, 12]) await work(length);
    vi.restoreAllMocks();
    // Readers are told of changes now and then, after any of them, and a connection begins when one is wanted: statements whose time is their own.
    const isOfNone = (text: string) => text.includes('pg_notify') || text.startsWith('set jit');
    return [...new Set(texts)].filter((text) => !before.has(text) && !isOfNone(text));
  }

  it('G7: a list of ids is one statement at any length, refused or taken', async () => {
    const { f1, f4 } = firm.files;
    const user = (by: Caller, status: number, lists: Record<string, readonly number[]>) =>
      by
        .post('/api/users', {
          username: 'somebody',
          password: PASSWORD,
          fullName: 'Somebody Else',
          roleId: firm.roles.bookkeeper,
          ...lists,
        })
        .then((answer) => expect(answer.status).toBe(status));
    const added = {
      manager: await addedBy((length) => user(manager, 403, { clientIds: ids(length), reportTypeIds: ids(length) })),
      admin: await addedBy((length) => user(app.admin, 400, { clientIds: ids(length), reportTypeIds: ids(length) })),
      archive: await addedBy(async (length) => {
        expect((await manager.post('/api/files/archive', { ids: [f1.id, f4.id, ...ids(length)] })).status).toBe(404);
      }),
    };
    expect(added).toEqual({ manager: [], admin: [], archive: [] });
  });

  it('G7: access lists are written by the same statements at any length, and are complete', async () => {
    const clientIds = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const { body } = await app.admin.post<{ id: number }>('/api/clients', clientInput(`Listed company ${index}`));
        return body.id;
      }),
    );
    const written = async (length: number) => {
      const some = clientIds.slice(0, length);
      const { status, body } = await app.admin.put<{ clientIds: number[] }>(`/api/users/${firm.users.listless}`, {
        username: 'listless',
        fullName: 'Full listless',
        roleId: firm.roles.bookkeeper,
        clientIds: some,
        reportTypeIds: null,
      });
      expect([status, body.clientIds]).toEqual([200, some.toSorted((one, other) => one - other)]);
    };
    expect(await addedBy(written)).toEqual([]);
  });

  const run = (name: string, text: string) => app.database.rows<{ n: number }>({ name, sql: text, parameters: [] }, []);

  if (kind === 'postgres') {
    it('G7: a connection keeps a few hundred statements, however many are run on it', async () => {
      let most = 0;
      for (let n = 0; n < 600; n += 1) {
        await run(`made_up_${n}`, `select ${n} as n`);
        const [held] = await run('held', 'select cast(count(*) as bigint) as n from pg_prepared_statements');
        most = Math.max(most, held?.n ?? 0);
      }
      expect(most).toBeLessThanOrEqual(256);
    });
  } else {
    it('G7: a connection keeps no statement of more than 32 KB, and prepares others once', async () => {
      const texts = statementsOf(kind);
      const [long, short] = [`select 1 as ${'x'.repeat(32_768)}`, 'select 1 as short'];
      for (const text of [long, short, long, short]) await run('any', text);
      expect(texts.map((text) => text.length)).toEqual([long.length, short.length, long.length]);
    });
  }
});

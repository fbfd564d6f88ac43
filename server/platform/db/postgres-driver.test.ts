// What a transaction on PostgreSQL sends: each round trip is time that somebody waits, and a statement without its name is planned at each run.
import { type Kysely, sql } from 'kysely';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { openTestDatabase } from '../../testing/test-database.ts';
import type { Database } from './database.ts';
import { openPostgres } from './postgres.ts';
import type { Pool } from './postgres-driver.ts';
import type { Schema } from './schema.ts';
import { boundQuery, param, prepareStatement, transactionStatement } from './statement.ts';

const double = transactionStatement<{ n: number }>((db) => ({
  compile: () => sql<{ n: number }>`select 2 * cast(${param('n')} as bigint) as n`.compile(db),
}));

describe('a transaction on PostgreSQL', () => {
  let database: Database;
  /** The text of each round trip, with the name where it has one. */
  let sent: (string | readonly [name: string, text: string])[];
  /** Of each connection that was given back, whether it was closed. */
  let closed: boolean[];
  /** What fails, by its text. */
  let faults: Record<string, Error>;

  beforeEach(() => {
    [sent, closed, faults] = [[], [], {}];
    const connection = {
      query: async (asked: string | { name: string; text: string }) => {
        const text = typeof asked === 'string' ? asked : asked.text;
        sent.push(typeof asked === 'string' ? text : [asked.name, text]);
        const fault = faults[text];
        if (fault !== undefined) throw fault;
        const answer = { command: text.split(' ', 1)[0]?.toUpperCase() ?? '', rowCount: 1, rows: [{ n: 4 }] };
        return text.startsWith('begin; ') ? [{ command: 'BEGIN', rowCount: null, rows: [] }, answer] : answer;
      },
      release: (close: boolean) => closed.push(close),
    };
    const pool = { connect: async () => connection, end: async () => {} };
    database = openPostgres(pool as unknown as Pool, null);
  });

  it('begins with the lock that it starts with, and asks by names', async () => {
    const found = await database.transaction(async (tx) => {
      await database.share(tx, 'rights');
      await sql`update notes set words = ${'one'}`.execute(tx);
      return double(tx, { n: 2 });
    });
    expect(found).toEqual([{ n: 4 }]);
    expect(sent).toEqual([
      expect.stringMatching(/^begin; select pg_advisory_xact_lock_shared\(\d+\)$/),
      'update notes set words = $1',
      [expect.stringMatching(/^coffer_\d+$/), 'select 2 * cast($1 as bigint) as n'],
      'commit',
    ]);
    expect(closed).toEqual([false]);
  });

  it('takes several turns in one go, in their order', async () => {
    await database.transaction((tx) => database.serialize(tx, 'names', 'attempts'));
    expect(sent).toHaveLength(2);
    const [begun, ...locks] = String(sent[0]).split('; ');
    expect([begun, locks.length, new Set(locks).size]).toEqual(['begin', 2, 2]);
    for (const lock of locks) expect(lock).toMatch(/^select pg_advisory_xact_lock\(\d+\)$/);
  });

  it('begins by itself before a statement with values, as deep in itself as was asked for', async () => {
    await database.transaction((tx) => double(tx, { n: 2 }));
    await database.reader
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((tx) => double(tx, { n: 2 }));
    const begun = sent.filter((one) => typeof one === 'string');
    expect(begun).toEqual(['begin', 'commit', 'begin isolation level repeatable read', 'commit']);
  });

  it('that asks nothing sends nothing', async () => {
    await database.transaction(async () => {});
    const refused = new Error('Refused');
    await expect(database.transaction(() => Promise.reject(refused))).rejects.toBe(refused);
    expect([sent, closed]).toEqual([[], [false, false]]);
  });

  it('that fails is taken back, and where that fails too says why it did, on a connection that is closed', async () => {
    faults = { 'update notes set words = $1': new Error('No such table') };
    const change = () => database.transaction((tx) => sql`update notes set words = ${'one'}`.execute(tx));
    await expect(change()).rejects.toThrow('No such table');
    expect(sent.at(-1)).toBe('rollback');
    faults['rollback'] = new Error('Not queryable');
    await expect(change()).rejects.toThrow('No such table');
    expect(closed).toEqual([false, true]);
  });

  it('that is rolled back instead of committed has failed', async () => {
    // As PostgreSQL answers after a statement that failed and was not heeded.
    const commands: Record<string, string> = { commit: 'ROLLBACK' };
    const query = async (text: string) => ({ command: commands[text] ?? 'SELECT', rowCount: 0, rows: [] });
    const pool = { connect: async () => ({ query, release: () => {} }), end: async () => {} };
    const aborted = openPostgres(pool as unknown as Pool, null);
    await expect(aborted.transaction((tx) => aborted.share(tx, 'rights'))).rejects.toThrow('rolled back');
  });

  it('leaves no connection behind that holds too many statements, or one that no longer fits the tables', async () => {
    const ask = (tx: Kysely<Schema>, text: string) =>
      tx.executeQuery(boundQuery(prepareStatement({ compile: () => sql.raw(text).compile(tx) }), []));
    faults = { 'select * from changed': Object.assign(new Error('Cached plan'), { code: '0A000' }) };
    const stale = database.transaction(async (tx) => {
      await database.share(tx, 'rights');
      await ask(tx, 'select * from changed');
    });
    await expect(stale).rejects.toThrow('Cached plan');
    await database.transaction(async (tx) => {
      await database.share(tx, 'rights');
      for (let nth = 0; nth < 256; nth += 1) await ask(tx, `select ${nth}`);
    });
    expect(closed).toEqual([true, true]);
  });
});

describe.skipIf(inject('postgresUrl') === null)('a transaction on a server', () => {
  it('prepares a statement once for the connection, and takes everything back where it fails', async () => {
    const { database, drop } = await openTestDatabase('postgres', '');
    try {
      const prepared = await database.transaction(async (tx) => {
        await database.serialize(tx, 'names');
        for (const n of [1, 2, 3]) expect(await double(tx, { n })).toEqual([{ n: 2 * n }]);
        const { rows } = await sql<{ n: number }>`select count(*) as n from pg_prepared_statements
          where statement like 'select 2 * cast(%'`.execute(tx);
        return rows;
      });
      expect(prepared).toEqual([{ n: 1 }]);
      const failing = database.transaction(async (tx) => {
        await database.serialize(tx, 'names', 'attempts');
        await sql`create table notes (words text)`.execute(tx);
        throw new Error('Refused');
      });
      await expect(failing).rejects.toThrow('Refused');
      const { rows } = await sql`select to_regclass('notes') as notes`.execute(database.reader);
      expect(rows).toEqual([{ notes: null }]);
    } finally {
      await database.close();
      await drop();
    }
  });
});

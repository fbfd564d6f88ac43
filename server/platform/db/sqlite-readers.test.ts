// Threads that read an SQLite file: their answers, and that nobody else waits for them.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SqliteReaders } from './sqlite-readers.ts';

/** Some hundredths of a second of work, on a machine where those who read give way to nobody. */
const LONG =
  'with recursive t (i) as (select 1 union all select i + 1 from t where i < 200000) select max(i) as n from t';

const folder = mkdtempSync(join(tmpdir(), 'coffer-readers-'));
const path = join(folder, 'read.db');
let writer: DatabaseSync;
let readers: SqliteReaders;
beforeAll(() => {
  writer = new DatabaseSync(path);
  writer.exec('pragma journal_mode = wal; create table rows (id integer primary key, name text)');
  readers = new SqliteReaders(path);
});
afterAll(async () => {
  await readers.close();
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

it('answer with everything committed before the query', async () => {
  for (const name of ['one', 'two']) {
    writer.prepare('insert into rows (name) values (?)').run(name);
    expect(await readers.rows('select name from rows order by id desc limit ?', [1])).toEqual([{ name }]);
  }
});

it('let others be served while they read', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const [one, other, third] = await Promise.all([
    readers.rows<{ n: number }>(LONG, []),
    readers.rows<{ n: number }>(LONG, []),
    readers.rows<{ n: number }>('select count(*) as n from rows', []),
  ]);
  clearInterval(timer);
  expect([one[0]?.n, other[0]?.n, third[0]?.n]).toEqual([200_000, 200_000, 2]);
  // None where they read on this thread.
  expect(turns).toBeGreaterThan(0);
});

/** How each thread of this process gives way to others, by Linux: the 19th field of its line (proc(5)). */
const threadPriorities = () =>
  readdirSync('/proc/self/task').map((thread) => {
    const line = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[16]);
  });

it.runIf(process.platform === 'linux')('give way to the event loop where the processors are busy', async () => {
  const own = getPriority();
  await readers.rows('select 1', []);
  expect(getPriority()).toBe(own);
  // A run of the tests may give way to others itself, and nothing is lower than the lowest.
  const lower = Math.min(own + 10, constants.priority.PRIORITY_LOW);
  expect(threadPriorities().filter((priority) => priority === lower).length).toBeGreaterThan(0);
});

it('report a faulty query, write nothing, and continue', async () => {
  await expect(readers.rows('select 1 from nowhere', [])).rejects.toThrow(/no such table/);
  await expect(readers.rows("insert into rows (name) values ('three')", [])).rejects.toThrow(
    /readonly|read-only|query_only/i,
  );
  expect(await readers.rows('select count(*) as n from rows', [])).toEqual([{ n: 2 }]);
});

it('end waiting queries when the database is closed', async () => {
  const closing = new SqliteReaders(path);
  const asked = [LONG, LONG, LONG].map((text) => closing.rows(text, []));
  const ends = Promise.allSettled(asked);
  await closing.close();
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect(closing.rows('select 1', [])).rejects.toThrow('closed');
});

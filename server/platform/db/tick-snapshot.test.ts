// The requests of one turn of the event loop read from one snapshot, which never outlives the turn or a commit of this process.
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { notesForEachTest } from '../../testing/notes.ts';

const MIB = 1024 * 1024;

const notes = notesForEachTest();
let other: DatabaseSync;

beforeEach(() => {
  other = new DatabaseSync(notes.path, { timeout: 5_000 });
});

afterEach(() => other.close());

const count = async () => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from notes`.execute(notes.database.reader);
  return rows[0]?.n;
};

const write = (words: string) =>
  notes.database.transaction((tx) => sql`insert into notes (words) values (${words})`.execute(tx));

test('one turn reads everything as of the version asked for, and the next turn as of now', async () => {
  const version = notes.database.version();
  other.exec(`insert into notes (words) values ('one')`);
  expect([await count(), notes.database.version()]).toEqual([0, version]);
  await nextTurn();
  expect(await count()).toBe(1);
  expect(notes.database.version()).not.toBe(version);
});

test('without a version each read is separate', async () => {
  expect(await count()).toBe(0);
  other.exec(`insert into notes (words) values ('one')`);
  expect(await count()).toBe(1);
});

test('a commit of this process is seen in the same turn', async () => {
  const version = notes.database.version();
  await write('one');
  expect(await count()).toBe(1);
  expect(notes.database.version()).not.toBe(version);
  // Also where the version was asked for during the transaction.
  await notes.database.transaction(async (tx) => {
    await sql`insert into notes (words) values ('two')`.execute(tx);
    notes.database.version();
    expect(await count()).toBe(1);
  });
  expect(await count()).toBe(2);
});

test('requests that read without a pause do not keep the log from restarting', async () => {
  const words = 'x'.repeat(MIB);
  let largest = 0;
  for (let round = 0; round < 80; round += 1) {
    notes.database.version();
    await count();
    await write(words);
    notes.database.version();
    await count();
    if (round % 7 === 0) await nextTurn();
    largest = Math.max(largest, statSync(`${notes.path}-wal`).size);
  }
  expect(largest).toBeGreaterThan(10 * MIB);
  expect(largest).toBeLessThan(24 * MIB);
});

test('a failed read does not affect the others', async () => {
  notes.database.version();
  await expect(sql`select * from nowhere`.execute(notes.database.reader)).rejects.toThrow('no such table');
  expect(await count()).toBe(0);
  await nextTurn();
  await write('one');
  expect(await count()).toBe(1);
});

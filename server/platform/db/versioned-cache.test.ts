// The cache of the database is cleared by every commit, whichever connection or process makes it.
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { notesForEachTest } from '../../testing/notes.ts';
import { VersionedCache } from './versioned-cache.ts';

const notes = notesForEachTest();
let reads: number;
let kept: VersionedCache<string, { words: string }>;

/** What the table says of `name`, through the cache. */
const ask = (name: string) =>
  kept.get(name, async () => {
    reads += 1;
    const { rows } = await sql<{ words: string }>`select words from notes where name = ${name}`.execute(
      notes.database.reader,
    );
    return rows[0];
  });

beforeEach(async () => {
  await notes.database.transaction((tx) => sql`insert into notes values ('a', 'one'), ('b', 'two')`.execute(tx));
  reads = 0;
  kept = new VersionedCache(notes.database);
});

test('repeated lookups read once and return the same object', async () => {
  const first = await ask('a');
  expect(first).toEqual({ words: 'one' });
  expect(await ask('a')).toBe(first);
  expect(await ask('b')).toEqual({ words: 'two' });
  expect(reads).toBe(2);
});

test('a missing row is not cached', async () => {
  expect(await ask('c')).toBeUndefined();
  expect(await ask('c')).toBeUndefined();
  expect(reads).toBe(2);
});

test('a commit of this process is seen at once, a rolled back one changes nothing', async () => {
  await ask('a');
  await notes.database
    .transaction(async (tx) => {
      await sql`update notes set words = 'never'`.execute(tx);
      throw new Error('no');
    })
    .catch(() => {});
  expect(await ask('a')).toEqual({ words: 'one' });
  await notes.database.transaction((tx) => sql`update notes set words = 'changed' where name = 'a'`.execute(tx));
  expect(await ask('a')).toEqual({ words: 'changed' });
  await notes.database.transactionFlushedBeside((tx) => sql`delete from notes where name = 'a'`.execute(tx));
  expect(await ask('a')).toBeUndefined();
});

test('a commit of another process is seen by every later lookup', async () => {
  const other = new DatabaseSync(notes.path, { timeout: 5_000 });
  try {
    for (let round = 0; round < 50; round += 1) {
      expect(await ask('b')).toEqual({ words: round === 0 ? 'two' : `round ${round - 1}` });
      other.prepare(`update notes set words = ? where name = 'b'`).run(`round ${round}`);
      await nextTurn();
      expect(await ask('b')).toEqual({ words: `round ${round}` });
    }
  } finally {
    other.close();
  }
});

test('what was read while something was committed is not cached under the new version', async () => {
  const reading = Promise.withResolvers<{ words: string }>();
  const early = kept.get('a', () => reading.promise);
  await notes.database.transaction((tx) => sql`update notes set words = 'newer' where name = 'a'`.execute(tx));
  await ask('b');
  reading.resolve({ words: 'one' });
  expect(await early).toEqual({ words: 'one' });
  expect(await ask('a')).toEqual({ words: 'newer' });
});

test('an engine without versions caches nothing', async () => {
  kept = new VersionedCache({ version: () => null });
  await ask('a');
  await ask('a');
  expect(reads).toBe(2);
});

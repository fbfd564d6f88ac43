// Commits flushed off the event loop: answered when they are durable and not before, and never built on after a failed flush.
import { fstatSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import { eventually } from '../../testing/eventually.ts';
import { makeFirm } from '../../testing/firm.ts';
import { notesForEachTest } from '../../testing/notes.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { Schema } from './schema.ts';
import { type FlushFile, flushToDisk } from './wal-flush.ts';

const PAGE_BYTES = 4096;

const notes = notesForEachTest();

const write = (words: string) => (tx: Kysely<Schema>) => sql`insert into notes (words) values (${words})`.execute(tx);

/** What another process finds. */
function written(): unknown[] {
  const other = new DatabaseSync(notes.path, { readOnly: true });
  try {
    return other
      .prepare('select words from notes order by rowid')
      .all()
      .map((row) => row['words']);
  } finally {
    other.close();
  }
}

const failing: FlushFile = async () => {
  throw Object.assign(new Error('the disk says no'), { code: 'EIO' });
};

test('resolves once the flush is done, which holds nothing else up', async () => {
  const flush = Promise.withResolvers<void>();
  let begun = 0;
  notes.flushFile = (file) => {
    begun += 1;
    expect(fstatSync(file).ino).toBe(statSync(`${notes.path}-wal`).ino);
    return flush.promise;
  };
  let durable = false;
  const one = notes.database.transactionFlushedBeside(write('one')).then(() => {
    durable = true;
  });
  await eventually(() => expect(begun).toBe(1));
  await notes.database.transaction(write('two'));
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  expect(written()).toEqual(['one', 'two']);
  expect(durable).toBe(false);
  flush.resolve();
  await one;
  expect(durable).toBe(true);
});

test('what is rolled back is not flushed', async () => {
  notes.flushFile = failing;
  const work = notes.database.transactionFlushedBeside(async (tx) => {
    await write('never')(tx);
    throw new Error('changed my mind');
  });
  await expect(work).rejects.toThrow('changed my mind');
  expect(written()).toEqual([]);
});

for (const next of ['transaction', 'transactionFlushedBeside'] as const) {
  test(`after a failed flush the next ${next} first moves everything into the database`, async () => {
    notes.flushFile = failing;
    await expect(notes.database.transactionFlushedBeside(write('long '.repeat(10_000)))).rejects.toThrow(
      'the disk says no',
    );
    expect(statSync(`${notes.path}-wal`).size).toBeGreaterThan(50_000);
    notes.flushFile = flushToDisk;
    await notes.database[next](write('after'));
    // The log restarted: one page with its header is all it holds.
    expect(statSync(`${notes.path}-wal`).size).toBeLessThan(2 * PAGE_BYTES);
    expect(statSync(notes.path).size).toBeGreaterThan(50_000);
    expect(written()).toEqual(['long '.repeat(10_000), 'after']);
    await notes.database[next](write('later'));
    expect(statSync(`${notes.path}-wal`).size).toBeGreaterThan(2 * PAGE_BYTES);
  });
}

test('nothing is committed on a suspect log that cannot be emptied', async () => {
  await notes.database.transaction(write('before'));
  const reading = new DatabaseSync(notes.path, { readOnly: true });
  reading.exec('begin');
  reading.prepare('select * from notes').all();
  notes.flushFile = failing;
  await expect(notes.database.transactionFlushedBeside(write('suspect'))).rejects.toThrow('the disk says no');
  notes.flushFile = flushToDisk;
  await expect(notes.database.transaction(write('refused'))).rejects.toThrow('cannot be emptied');
  expect(written()).toEqual(['before', 'suspect']);
  reading.close();
  await notes.database.transaction(write('at last'));
  expect(written()).toEqual(['before', 'suspect', 'at last']);
}, 120_000);

test('a download whose entry cannot be made durable sends no byte, and the next one works', async () => {
  const app = await startTestApp('sqlite', {}, { flushFile: (file) => notes.flushFile(file) });
  try {
    const { files, viewers } = await makeFirm(app);
    notes.flushFile = failing;
    const refused = await viewers.cpa.fetch(`/api/files/${files.f1.id}/download`);
    expect(refused.status).toBe(500);
    expect(refused.headers.get('content-disposition')).toBeNull();
    expect(await refused.json()).toMatchObject({ code: 'internal' });
    notes.flushFile = flushToDisk;
    const served = await viewers.cpa.fetch(`/api/files/${files.f1.id}/download`);
    expect(served.status).toBe(200);
    expect((await served.arrayBuffer()).byteLength).toBe(files.f1.size);
    const { body } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?fileId=${files.f1.id}&action=download`);
    expect(body).toHaveLength(2);
  } finally {
    await app.close();
  }
});

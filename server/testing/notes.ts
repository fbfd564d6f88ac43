// A small SQLite file for each test, for tests of how the database is read and flushed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach } from 'vitest';
import type { Database } from '../platform/db/database.ts';
import { openSqlite } from '../platform/db/sqlite.ts';
import { type FlushFile, flushToDisk } from '../platform/db/wal-flush.ts';

export interface Notes {
  /** Where another process would find the file. */
  path: string;
  database: Database;
  /** How commits are flushed off the event loop; reset to the disk at the next test. */
  flushFile: FlushFile;
}

/** Filled before each test of the file: a database that holds an empty table `notes (name, words)`. */
export function notesForEachTest(): Notes {
  const notes = {} as Notes;
  let folder: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'coffer-notes-'));
    notes.path = join(folder, 'coffer.db');
    notes.flushFile = flushToDisk;
    notes.database = openSqlite(notes.path, (file) => notes.flushFile(file));
    await notes.database.transaction((tx) => sql`create table notes (name text, words text)`.execute(tx));
  });

  afterEach(async () => {
    await notes.database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  return notes;
}

// A migrated database with a row of each table that others refer to, for tests of what its tables take and refuse.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Database, DatabaseKind } from '../platform/db/database.ts';
import { insertRow, insertRowWithId } from './insert-row.ts';
import { goodRows, noIds } from './table-rows.ts';
import { openTestDatabase, type TestDatabase } from './test-database.ts';

export type Table = keyof ReturnType<typeof goodRows>;

/** Thrown to undo an insert that was only tried. */
class Undo extends Error {}

/** For the tests of one `describe`; `database` is there once they run. */
export function tryTables(kind: DatabaseKind) {
  let made: TestDatabase;
  let database: Database;
  const folder = mkdtempSync(join(tmpdir(), 'coffer-tables-'));
  /** The keys of blobs that wait for a file. */
  const blobKeys: string[] = [];
  const ids = { ...noIds(), claimableBlob: () => blobKeys.pop() ?? 'no blob is left' };
  const good = goodRows(ids);

  const add = (table: Table, row: Record<string, unknown> = good[table]()) =>
    database.transaction((tx) => insertRowWithId(tx, table, row));

  beforeAll(async () => {
    made = await openTestDatabase(kind, join(folder, 'coffer.db'));
    database = made.database;
    await database.migrate();
    await database.transaction(async (tx) => {
      for (let n = 0; n < 100; n++) {
        const blob = good.blobs();
        await insertRow(tx, 'blobs', blob);
        blobKeys.push(blob.storage_key);
      }
    });
    ids.role = (await add('roles')).id;
    ids.user = (await add('users')).id;
    ids.client = (await add('clients')).id;
    ids.type = (await add('report_types')).id;
    ids.file = (await add('files')).id;
    // A trigger entered it.
    await database.transaction((tx) => tx.deleteFrom('files_to_read').execute());
    ids.session = (await add('sessions')).id;
    ids.trash = (await add('trash')).id;
    ids.batch = (await add('batches')).id;
    ids.batchFile = (await add('batch_files')).id;
    ids.request = (await add('requests')).id;
    ids.requestItem = (await add('request_items')).id;
    ids.disposal = (await add('disposals')).id;
  });
  afterAll(async () => {
    await database.close();
    await made.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Tries to insert rows and undoes it; the error, or null when all were taken. */
  async function trial(table: Table, ...rows: Record<string, unknown>[]): Promise<unknown> {
    try {
      await database.transaction(async (tx) => {
        for (const row of rows) await insertRow(tx, table, row);
        throw new Undo();
      });
    } catch (error) {
      return error instanceof Undo ? null : error;
    }
    return null;
  }

  return {
    good,
    ids,
    add,
    trial,
    get database() {
      return database;
    },
  };
}

// The database of a running firm as of one moment, as an SQLite file whatever the engine is: so that every backup can be restored to
// either.
import { randomUUID } from 'node:crypto';
import { copySqlite, openDatabase } from '../platform/db/connect.ts';
import type { Database } from '../platform/db/database.ts';
import { requireCurrentSchema } from '../platform/db/migrations.ts';
import { tablesOf, withoutTimeLimits } from '../platform/db/tables.ts';
import { type CopyOptions, compareTables, copyTables, prepareTarget } from '../platform/move/copy-tables.ts';
import { endMove } from '../platform/move/unfinished.ts';

/** By which the firm knows its own backups; given with the first one. */
export async function firmIdOf(source: Database): Promise<string> {
  return source.transaction(async (tx) => {
    const row = { id: 1 as const, four_eyes: 0 as const, firm_id: randomUUID() };
    await tx
      .insertInto('firm_settings')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ firm_id: row.firm_id }).where('firm_settings.firm_id', 'is', null),
      )
      .execute();
    const { firm_id: id } = await tx.selectFrom('firm_settings').select('firm_id').executeTakeFirstOrThrow();
    return id ?? row.firm_id;
  });
}

/** Writes the new file `path`. Nothing of the source waits for it. */
export async function takeSnapshot(
  source: Database,
  sourceUrl: string,
  path: string,
  options: CopyOptions,
): Promise<void> {
  if (source.kind === 'sqlite') return copySqlite(sourceUrl, path);
  const copy = await openDatabase(`sqlite:${path}`);
  try {
    await prepareTarget(copy);
    await source.reader
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        await withoutTimeLimits(tx, source.kind);
        await requireCurrentSchema(tx);
        const held = { tx, kind: source.kind, tables: await tablesOf(tx, source.kind) };
        await copyTables(held, copy, options);
        await compareTables(held, copy, options);
      });
    await copy.transaction(endMove);
  } finally {
    await copy.close();
  }
}

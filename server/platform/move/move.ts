// A firm from one place to another: the source is held as it is, everything is copied, and all of it is read back.
import type { Database } from '../db/database.ts';
import { requireCurrentSchema } from '../db/migrations.ts';
import { lockTables, settleTables, tablesOf } from '../db/tables.ts';
import { isDatabaseAway } from '../db/violations.ts';
import { type Blobs, copyBlobs, type DamagedBlob, prepareStore } from './copy-blobs.ts';
import { type CopyOptions, compareTables, copyTables, prepareTarget } from './copy-tables.ts';
import { MoveRefusal } from './move-refusal.ts';
import { endMove } from './unfinished.ts';

export interface Move extends CopyOptions {
  readonly source: Database;
  /** Null where the database stays. */
  readonly target: Database | null;
  /** Null where the bytes stay. */
  readonly blobs: Blobs | null;
}

export interface Moved {
  /** Null where the bytes stay. */
  readonly files: { readonly copied: number; readonly damaged: readonly DamagedBlob[] } | null;
}

/**
 * Runs a move, or continues one that was interrupted. Nothing is written to the source, and nobody else can write to its
 * database meanwhile. Rejects with MoveRefusal or SchemaRefusal before it does anything that it should not.
 */
export async function move({ source, target, blobs, ...options }: Move): Promise<Moved> {
  let held = false;
  try {
    return await source.transaction(async (tx) => {
      await requireCurrentSchema(tx);
      const tables = await tablesOf(tx, source.kind);
      await lockTables(tx, source.kind, tables);
      held = true;
      if (target !== null) await prepareTarget(target);
      if (blobs !== null) await prepareStore(tx, blobs.to);
      const from = { tx, kind: source.kind, tables };
      if (target !== null) {
        await copyTables(from, target, options);
        await compareTables(from, target, options);
      }
      const files = blobs === null ? null : await copyBlobs(tx, blobs, options.report);
      if (target !== null) {
        await settleTables(target);
        await target.transaction(async (into) => {
          // The state of delivery is not moved: all waiting jobs are to be handed over again.
          await into.updateTable('jobs').set({ delivered_at: null }).where('state', '=', 'waiting').execute();
          await endMove(into);
        });
      }
      return { files };
    });
  } catch (error) {
    if (held || !isDatabaseAway(error)) throw error;
    throw new MoveRefusal('The source does not answer, or somebody writes to it. Stop every server that uses it.');
  }
}

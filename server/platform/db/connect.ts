// Opens the database that a DATABASE_URL names.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { isThere } from '../is-there.ts';
import type { Database } from './database.ts';
import { SchemaRefusal } from './schema-refusal.ts';

/** The folder beside an SQLite file that a restore makes first, and removes once that file is there. */
export const restoringBeside = (path: string) => `${path}.restoring`;

/** As the mark of an unfinished move does where there is a database already: no server starts on half a firm. */
function refuseUnfinishedRestore(path: string): void {
  if (existsSync(path) || !existsSync(restoringBeside(path))) return;
  throw new SchemaRefusal(
    `A restore into ${path} has not ended. Run it again: it goes on. To give it up, remove ${restoringBeside(path)}* and the files that it has copied.`,
  );
}

/**
 * `sqlite:<path>` or `postgres://…`; config has checked the form. The engine not chosen is never loaded. Rejects with SchemaRefusal
 * where a restore into that file has not ended.
 */
export async function openDatabase(url: string): Promise<Database> {
  if (url.startsWith('sqlite:')) {
    const path = url.slice('sqlite:'.length);
    refuseUnfinishedRestore(path);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const { openSqlite } = await import('./sqlite.ts');
    return openSqlite(path);
  }
  const { openPostgres, openPostgresPool } = await import('./postgres.ts');
  return openPostgres(openPostgresPool(url), url);
}

/**
 * False where an SQLite file does not exist, which `openDatabase` would create; a server must be asked. Throws SchemaRefusal as that does,
 * and where this account may not look.
 */
export function mayBeThere(url: string): boolean {
  if (!url.startsWith('sqlite:')) return true;
  const path = url.slice('sqlite:'.length);
  refuseUnfinishedRestore(path);
  return isThere(path);
}

/**
 * Whether another program has the database open now: any on SQLite, whose file must exist; on PostgreSQL any that calls
 * itself Coffer.
 */
export async function isInUse(url: string): Promise<boolean> {
  if (url.startsWith('sqlite:')) {
    const { isOpenElsewhere } = await import('./sqlite.ts');
    return isOpenElsewhere(url.slice('sqlite:'.length));
  }
  const { isServingCoffer } = await import('./postgres.ts');
  return isServingCoffer(url);
}

/** Copies a running SQLite database as of one moment into the new file `to`; others may write to it meanwhile. */
export async function copySqlite(url: string, to: string): Promise<void> {
  const { copySqliteFile } = await import('./sqlite.ts');
  await copySqliteFile(url.slice('sqlite:'.length), to);
}

// Which files are new to a Client user: how many there are, and that one was opened.
import { sql } from 'kysely';
import { NEW_FILES_COUNTED_MAX } from '#contract/file-kinds.ts';
import { NEW_FILE_DAYS, type NewFiles } from '#contract/files.ts';
import { DOCUMENT } from '../access/reach.ts';
import type { ReadScope, Sources } from '../access/scope.ts';
import type { Database } from '../db/database.ts';
import { param } from '../db/statement.ts';

/** More new files than this are not looked at, whatever their types. */
const LOOKED_AT_MAX = 2_000;

/**
 * How many files are new to the viewer, under each report type and among the documents, of all clients in reach or of one; none
 * to anybody but a Client user.
 */
export async function countNewFiles(scope: ReadScope, clientId?: number): Promise<NewFiles> {
  if (scope.isNewFile('file') === null) return { reports: [], documents: 0 };
  const name = clientId === undefined ? 'files.news' : 'files.news-of-client';
  const build = (sources: Sources) => {
    const isNew = sources.isNewFile('file') ?? sql<boolean>`false`;
    const ofClient = clientId === undefined ? sql<boolean>`` : sql<boolean>` and file.client_id = ${param('clientId')}`;
    // Said apart too, so that no older file is looked at.
    const lately = sql<boolean>`file.uploaded_at >= ${param('newSince')}`;
    const { from, where } = sources.filesOfOwnClients(sql<boolean>`(${lately} and ${isNew}${ofClient})`);
    return sources.query(sql`select fresh.key as "key", count(*) as "n"
      from (select file.access_key as key from ${from} where ${where} limit ${sql.lit(LOOKED_AT_MAX)}) as fresh group by fresh.key`);
  };
  const rows = await scope.prepared<{ key: number; n: number }>(
    name,
    build,
    clientId === undefined ? {} : { clientId },
  );
  const count = (n: number) => Math.min(n, NEW_FILES_COUNTED_MAX);
  return {
    reports: rows.flatMap(({ key, n }) => (key > 0 ? [{ reportTypeId: key, count: count(n) }] : [])),
    documents: count(rows.find(({ key }) => key === DOCUMENT)?.n ?? 0),
  };
}

/** Forgets who opened what so long ago that it is not new to anybody. `at` is now, in ms since the epoch. */
export async function forgetOldOpens({ transaction }: Pick<Database, 'transaction'>, at: number): Promise<void> {
  const since = at - NEW_FILE_DAYS * 24 * 60 * 60_000;
  await transaction((tx) => tx.deleteFrom('file_opens').where('at', '<', since).execute());
}

// Which files are new to a person: how many there are, and which.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { NEW_FILES_COUNTED_MAX } from '#contract/file-kinds.ts';
import { NEW_FILE_DAYS, type NewFiles } from '#contract/new-files.ts';
import { isClientUser } from '#contract/policy/actor.ts';
import type { RowSource } from '../../people/access/reach.ts';
import { DOCUMENT } from '../../people/access/reach.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import type { Sources } from '../../people/access/sources.ts';
import type { Database } from '../../platform/db/database.ts';
import { param } from '../../platform/db/statement.ts';

/** More new files than this are not looked at, whatever their types; of the documents that staff are sent, no more than the newest. */
const LOOKED_AT_MAX = 2_000;

const count = (n: number) => Math.min(n, NEW_FILES_COUNTED_MAX);

/** How many files are new to the viewer, under each report type and among the documents, of all clients in reach or of one. */
export function countNewFiles(scope: ReadScope, clientId?: number): Promise<NewFiles> {
  return isClientUser(scope.viewer) ? countForClient(scope, clientId) : countForStaff(scope, clientId);
}

const ofClient = (clientId: number | undefined) =>
  clientId === undefined ? sql<SqlBool>`1 = 1` : sql<SqlBool>`file.client_id = ${param('clientId')}`;
const nameOf = (clientId: number | undefined) => (clientId === undefined ? 'files.news' : 'files.news-of-client');
const valuesOf = (clientId: number | undefined) => (clientId === undefined ? {} : { clientId });

async function countForClient(scope: ReadScope, clientId?: number): Promise<NewFiles> {
  const build = (sources: Sources) => {
    const { from, where } = sources.lateFiles(sql<SqlBool>`${sources.isNewFile('file')} and ${ofClient(clientId)}`);
    return sources.query(sql`select fresh.key as "key", count(*) as "n"
      from (select file.access_key as key, 1 as one from ${from} where ${where} limit ${sql.lit(LOOKED_AT_MAX)}) as fresh group by fresh.key`);
  };
  const rows = await scope.prepared<{ key: number; n: number }>(nameOf(clientId), build, valuesOf(clientId));
  return {
    reports: rows.flatMap(({ key, n }) => (key > 0 ? [{ reportTypeId: key, count: count(n) }] : [])),
    documents: count(rows.find(({ key }) => key === DOCUMENT)?.n ?? 0),
    unopenedByStaff: 0,
  };
}

/** The newest documents that Client users sent lately, as `sent`: read newest first, so that what is long opened costs nothing beyond them. */
function newestSent({ from, where }: RowSource, columns: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select ${columns} from ${from} where ${where} order by file.uploaded_at desc, file.id desc limit ${sql.lit(LOOKED_AT_MAX)}) as sent`;
}

async function countForStaff(scope: ReadScope, clientId?: number): Promise<NewFiles> {
  const build = (sources: Sources) => {
    const columns = sql`${sources.isNewFile('file')} as mine, ${sources.isUnopenedByStaff('file')} as nobodys`;
    const sent = newestSent(sources.lateFiles(ofClient(clientId)), columns);
    const counted = (column: string) => sql`coalesce(sum(case when ${sql.ref(`sent.${column}`)} then 1 else 0 end), 0)`;
    return sources.query(sql`select ${counted('mine')} as "mine", ${counted('nobodys')} as "nobodys" from ${sent}`);
  };
  const [row] = await scope.prepared<{ mine: number; nobodys: number }>(nameOf(clientId), build, valuesOf(clientId));
  return { reports: [], documents: count(Number(row?.mine ?? 0)), unopenedByStaff: count(Number(row?.nobodys ?? 0)) };
}

/** The ids of the files that are new to the viewer, as far as they are counted. */
export function newFileIds(sources: Sources, viewer: ReadScope['viewer']): RawBuilder<{ id: number }> {
  const isNew = sources.isNewFile('file');
  if (isClientUser(viewer)) {
    const { from, where } = sources.lateFiles(isNew);
    return sql`select file.id as id from ${from} where ${where} limit ${sql.lit(LOOKED_AT_MAX)}`;
  }
  const sent = newestSent(sources.lateFiles(sql<SqlBool>`1 = 1`), sql`file.id as id, ${isNew} as mine`);
  return sql`select sent.id as id from ${sent} where sent.mine`;
}

/** Forgets who opened what so long ago that it is not new to anybody. `at` is now, in ms since the epoch. */
export async function forgetOldOpens({ transaction }: Pick<Database, 'transaction'>, at: number): Promise<void> {
  const since = at - NEW_FILE_DAYS * 24 * 60 * 60_000;
  await transaction((tx) => tx.deleteFrom('file_opens').where('at', '<', since).execute());
}

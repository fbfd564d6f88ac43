// Which files a viewer reaches, as lists read them, and which of those are new to the viewer.
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { isClientUser } from '#contract/policy/actor.ts';
import { takesBack } from '#contract/policy/files.ts';
import { along, forEachOf } from '../../platform/db/engine-sql.ts';
import {
  DOCUMENT,
  everything,
  fileColumns,
  fileKeyReached,
  fileReached,
  type OnePlace,
  ownClients,
  type Reader,
  type RowSource,
} from './reach.ts';

/** The indexes along which lists of files are read. Each holds all that reach asks of a file. */
export type FileIndex =
  | 'files_newest'
  | 'files_key_newest'
  | 'files_document_type_newest'
  | 'files_client_newest'
  | 'files_client_key_newest'
  | 'files_name'
  | 'files_kind_name'
  | 'files_key_name'
  | 'files_client_name'
  | 'files_size'
  | 'files_kind_size'
  | 'files_period'
  | 'files_client_period'
  | 'files_without_period'
  | 'files_sent_by_clients'
  | 'files_unopened'
  | 'files_came';

/** The files in reach under the name `file`, read along one index. */
export function filesAlong({ engine, viewer, id }: Reader, index: FileIndex, one?: OnePlace): RowSource {
  const from = along(engine, 'files', 'file', index);
  if (viewer.reach === 'all') return { from, where: everything };
  return { from, where: fileReached(engine, id, { ...fileColumns('file'), inOrder: true }, one) };
}

/** The same files client by client, for somebody with access lists. */
export function filesOfOwnClients({ engine, id }: Reader, narrow: Expression<SqlBool>): RowSource {
  const reached = fileKeyReached(engine, id, fileColumns('file'));
  return forEachOf(engine, ownClients(id), {
    table: 'files',
    alias: 'file',
    index: 'files_client_newest',
    where: sql<SqlBool>`file.client_id = mine.id and ${reached} and ${narrow}`,
  });
}

/** Files in reach among those whose ids `ids` answers. */
export function filesAmong({ engine, viewer, id }: Reader, ids: RawBuilder<unknown>): RowSource {
  const reached = viewer.reach === 'all' ? everything : fileReached(engine, id, fileColumns('file'));
  return {
    from: sql`(${ids}) as found cross join files as file`,
    where: sql<SqlBool>`file.id = found.id and ${reached}`,
  };
}

/** Whether a file of `table` may be new to the viewer at all: to staff only documents that Client users sent are. */
function isForViewer({ viewer }: Reader, table: 'files' | 'file'): Expression<SqlBool> {
  if (isClientUser(viewer)) return everything;
  return sql<SqlBool>`${sql.ref(`${table}.sent_by_client`)} = 1 and ${sql.ref(`${table}.access_key`)} = ${sql.lit(DOCUMENT)}`;
}

/** Whether a file of `table` is new to the viewer: it came lately, from somebody else, and the viewer has not opened it. */
export function isNewFile(reader: Reader, table: 'files' | 'file'): RawBuilder<SqlBool> {
  const { id, since } = reader;
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<SqlBool>`(${isForViewer(reader, table)} and ${column('uploaded_at')} >= ${since.newFiles()}
    and ${column('uploaded_at')} >= (select coalesce(reader.news_since, reader.created_at) from users reader where reader.id = ${id})
    and ${column('uploaded_by_id')} is distinct from ${id}
    and not exists (select 1 from file_opens opened where opened.file_id = ${column('id')} and opened.user_id = ${id}))`;
}

/** Files that came so lately that they may be new to the viewer, and that `narrow` leaves: to a Client user, all of the own clients. */
export function lateFiles(reader: Reader, narrow: Expression<SqlBool>): RowSource {
  // Said apart too, so that no older file is looked at.
  const lately = sql<SqlBool>`(${isForViewer(reader, 'file')} and file.uploaded_at >= ${reader.since.newFiles()} and ${narrow})`;
  if (isClientUser(reader.viewer)) return filesOfOwnClients(reader, lately);
  const { from, where } = filesAlong(reader, 'files_sent_by_clients');
  return { from, where: sql<SqlBool>`${where} and ${lately}` };
}

/** Whether nobody of staff has opened a file of `table`, a document that a Client user sent and that came so lately that it is known. */
export function isUnopenedByStaff(table: 'file'): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (select 1 from file_opens opened join users person on person.id = opened.user_id
    join roles held on held.id = person.role_id
    where opened.file_id = ${sql.ref(`${table}.id`)} and held.system_key is distinct from 'client')`;
}

/** Whether the viewer might take back a report of `files`: uploaded it lately enough. Null where the viewer takes none back. */
export function mightTakeBack({ viewer, id, since }: Reader): RawBuilder<SqlBool> | null {
  if (!takesBack(viewer)) return null;
  return sql<SqlBool>`(files.uploaded_by_id = ${id} and files.access_key >= 0 and files.uploaded_at > ${since.takeBack()})`;
}

/**
 * The ids of files that name another client than theirs, with whom and since when, as far as anybody is to look at that; reach over
 * the files themselves is asked for where they are read. A Client user has none: that another client exists is not theirs to know.
 */
export function markedFileIds({ viewer }: Reader): RawBuilder<{ id: number; named: number | null; at: number }> {
  const seen = isClientUser(viewer) ? sql<SqlBool>`1 = 0` : everything;
  return sql`select marked.file_id as id, marked.named_client_id as named, marked.created_at as at from file_marks marked where marked.state = 'open' and ${seen}`;
}

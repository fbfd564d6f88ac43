// What of the trash a viewer may restore.
import { type Expression, type SqlBool, sql } from 'kysely';
import { trashReach } from '#contract/policy/reach.ts';
import { DOCUMENT, everything, fileColumns, fileReached, nothing, type Reader, type RowSource } from './reach.ts';

/** The row of `trash` is one that the viewer may restore: files by whose they are and as far as the viewer would see them today. */
export function trashReached({ engine, viewer, id }: Reader): Expression<SqlBool> {
  const { files, clients } = trashReach(viewer);
  const own = sql<SqlBool>`trash.deleted_by_id = ${id}`;
  // Whoever may delete a file may restore it: any report in reach, and documents that they sent.
  const deletable = sql<SqlBool>`(${own} or trash.uploaded_by_id = ${id} or trash.access_key <> ${sql.lit(DOCUMENT)})`;
  const ofFiles = { all: everything, deletable, own }[files];
  const filesReached =
    viewer.reach === 'all' ? ofFiles : sql<SqlBool>`(${ofFiles} and ${fileReached(engine, id, fileColumns('trash'))})`;
  const ofClients = { all: everything, own, none: nothing }[clients];
  return sql<SqlBool>`((trash.kind = 'file' and ${filesReached}) or (trash.kind = 'client' and ${ofClients}))`;
}

/** Deleted files under the name `gone`, as far as the viewer would see them today: those that went with their client aside. */
export function deletedFiles({ engine, viewer, id }: Reader): RowSource {
  const reached = viewer.reach === 'all' ? everything : fileReached(engine, id, fileColumns('gone'));
  return {
    from: sql`trash as gone`,
    where: sql<SqlBool>`gone.kind = 'file' and gone.with_client = 0 and ${reached}`,
  };
}

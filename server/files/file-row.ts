// A file as it is answered: its columns with the names of client, report type and uploader, as rows or as finished JSON.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { FileRow } from '#contract/files.ts';
import { isOpenedByOthers } from '../audit/file-opens.ts';
import type { Sources } from '../people/access/sources.ts';
import type { DatabaseKind } from '../platform/db/database.ts';
import { type JsonMember, jsonObject, rowsAsJson } from '../platform/db/engine-sql.ts';
import { fileVersion } from './file-columns.ts';
import { isHeldFile } from './trash/holds.ts';

/** What is not a column of the file itself. */
type Apart = 'uploadedAt' | 'createdAt' | 'isNew' | 'openedByOthers' | 'corrects' | 'correctedBy' | 'onHold';

export interface FileRecord extends Omit<FileRow, Apart> {
  uploadedAtMs: number;
  /** As the engine writes yes and no. */
  isNew: number | boolean;
  openedByOthers: number | boolean | null;
  /** As JSON. */
  corrects: string | null;
  correctedBy: string | null;
  onHold: number | boolean;
}

/** What a file is shown with, by the names of the contract; names of others come from tables of their own. Moments are apart. */
const columns: Readonly<Record<Exclude<keyof FileRow, Apart>, RawBuilder<unknown>>> = {
  id: sql`files.id`,
  originalName: sql`files.original_name`,
  size: sql`files.size_bytes`,
  contentType: sql`files.content_type`,
  sha256: sql`files.sha256`,
  uploadedById: sql`files.uploaded_by_id`,
  // The uploader's current name wins over the one stored at upload.
  uploaderName: sql`coalesce(uploader.full_name, files.uploader_name)`,
  clientId: sql`files.client_id`,
  clientName: sql`clients.name`,
  reportTypeId: sql`files.report_type_id`,
  reportTypeName: sql`report_types.name`,
  fileType: sql`files.file_type`,
  documentType: sql`files.document_type`,
  period: sql`files.period`,
  version: fileVersion,
};

const UPLOADED_AT = 'files.uploaded_at';

/**
 * The files on both sides of a correction, as JSON: each looked for by the id of the file that is shown, and named only within reach.
 * Both are of one client, so that who reaches the one reaches the client of the other. No row is sorted on its way out of a subquery:
 * SQLite would forget that it is JSON.
 */
function correctionsOf(sources: Sources): Readonly<Record<'corrects' | 'correctedBy', RawBuilder<unknown>>> {
  const { engine } = sources;
  const named = (alias: string) => ({ id: sql.ref(`${alias}.id`), originalName: sql.ref(`${alias}.original_name`) });
  const isSeen = (alias: string) =>
    sql`${sql.ref(`${alias}.client_id`)} = files.client_id and ${sources.isReachedFile(alias)}`;
  return {
    corrects: sql`case when files.corrects_id is not null then (select ${jsonObject(engine, named('earlier'))}
      from files as earlier where earlier.id = files.corrects_id and ${isSeen('earlier')}) end`,
    correctedBy: sql`(select ${jsonObject(engine, { ...named('later'), uploadedAt: { moment: 'later.uploaded_at' } })}
      from files as later where later.id = (select newest.id from files as newest
        where newest.corrects_id = files.id and ${isSeen('newest')} order by newest.uploaded_at desc, newest.id desc limit 1))`,
  };
}

/** JSON where it is only text on the way to a row. */
const asText = (json: RawBuilder<unknown>) => sql<string | null>`cast(${json} as text)`;

/** Whether others opened what the viewer might take back, as yes or no; null for all else. */
function openedByOthers(
  sources: Sources,
  write: (opened: RawBuilder<SqlBool>) => RawBuilder<unknown> = (opened) => opened,
): RawBuilder<number | boolean | null> {
  const mightTakeBack = sources.mightTakeBack();
  return mightTakeBack === null ? sql<null>`null` : sql`case when ${mightTakeBack} then ${write(isOpenedByOthers)} end`;
}

/** The files in reach, with the names of what they refer to. */
export function filesWithNames(sources: Sources) {
  const { corrects, correctedBy } = correctionsOf(sources);
  return sources
    .files()
    .innerJoin('clients', 'clients.id', 'files.client_id')
    .leftJoin('report_types', 'report_types.id', 'files.report_type_id')
    .leftJoin('users as uploader', 'uploader.id', 'files.uploaded_by_id')
    .select(Object.entries(columns).map(([name, column]) => column.as(name)))
    .select([
      sql.ref(UPLOADED_AT).as('uploadedAtMs'),
      sources.isNewFile('files').as('isNew'),
      openedByOthers(sources).as('openedByOthers'),
      isHeldFile('files').as('onHold'),
    ])
    .select([asText(corrects).as('corrects'), asText(correctedBy).as('correctedBy')])
    .$castTo<FileRecord>();
}

/** Written onto the record itself: copying its fields took a tenth of a list's time. */
export function toFileRow(record: FileRecord): FileRow {
  const uploadedAt = new Date(record.uploadedAtMs).toISOString();
  const [corrects, correctedBy] = [record.corrects, record.correctedBy].map((json) =>
    json === null ? null : JSON.parse(json),
  );
  return Object.assign(record, {
    uploadedAt,
    createdAt: uploadedAt,
    isNew: Boolean(record.isNew),
    openedByOthers: record.openedByOthers === null ? null : Boolean(record.openedByOthers),
    corrects,
    correctedBy,
    onHold: Boolean(record.onHold),
  });
}

/** Yes or no as JSON has it. */
function jsonOf(engine: DatabaseKind, condition: RawBuilder<SqlBool>): RawBuilder<unknown> {
  return engine === 'postgres'
    ? sql`coalesce(${condition}, false)`
    : sql`json(case when ${condition} then 'true' else 'false' end)`;
}

/** Each member that the contract declares, in its order. */
function declaredMembers(sources: Sources): Readonly<Record<string, JsonMember>> {
  const { corrects, correctedBy } = correctionsOf(sources);
  const members: Readonly<Record<keyof FileRow, JsonMember>> = {
    ...columns,
    uploadedAt: { moment: UPLOADED_AT },
    createdAt: { moment: UPLOADED_AT },
    isNew: jsonOf(sources.engine, sources.isNewFile('files')),
    openedByOthers: openedByOthers(sources, (opened) => jsonOf(sources.engine, opened)),
    corrects,
    correctedBy,
    onHold: jsonOf(sources.engine, isHeldFile('files')),
  };
  return Object.fromEntries((Object.keys(FileRow.shape) as (keyof FileRow)[]).map((name) => [name, members[name]]));
}

/** The files whose ids and clients `page` holds, in its order: with the client, one part of a partitioned table is enough. */
export const pageOfFiles = sql`page left join files on files.id = page.id and files.client_id = page.client_id`;

/**
 * The files of `from`, which it calls `files`, as the JSON that the contract declares, member by member: what it does not declare
 * cannot leave. Their order stays, because a left join is never turned around.
 */
export const filesAsJson = (sources: Sources, from: RawBuilder<unknown>) =>
  rowsAsJson(
    sources.engine,
    sql`${from} left join clients on clients.id = files.client_id left join report_types on report_types.id = files.report_type_id
      left join users as uploader on uploader.id = files.uploaded_by_id`,
    declaredMembers(sources),
  );

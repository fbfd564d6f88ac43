// A file as it is answered: its columns with the names of client, report type and uploader, as rows or as finished JSON.
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { FileRow } from '#contract/files.ts';
import type { DatabaseKind } from '../db/database.ts';
import { type JsonMember, rowsAsJson } from '../db/engine-sql.ts';
import type { Schema } from '../db/schema.ts';

export interface FileRecord extends Omit<FileRow, 'uploadedAt' | 'createdAt'> {
  uploadedAtMs: number;
}

/** What a file is shown with, by the names of the contract; names of others come from tables of their own. Moments are apart. */
const columns: Readonly<Record<Exclude<keyof FileRow, 'uploadedAt' | 'createdAt'>, RawBuilder<unknown>>> = {
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
};

const UPLOADED_AT = 'files.uploaded_at';

/** Adds the names to a query over `files`. */
export function withNames(files: SelectQueryBuilder<Schema, 'files', unknown>) {
  return files
    .innerJoin('clients', 'clients.id', 'files.client_id')
    .leftJoin('report_types', 'report_types.id', 'files.report_type_id')
    .leftJoin('users as uploader', 'uploader.id', 'files.uploaded_by_id')
    .select(Object.entries(columns).map(([name, column]) => column.as(name)))
    .select(sql.ref(UPLOADED_AT).as('uploadedAtMs'))
    .$castTo<FileRecord>();
}

/** Written onto the record itself: copying its fields took a tenth of a list's time. */
export function toFileRow(record: FileRecord): FileRow {
  const uploadedAt = new Date(record.uploadedAtMs).toISOString();
  return Object.assign(record, { uploadedAt, createdAt: uploadedAt });
}

const members: Readonly<Record<keyof FileRow, JsonMember>> = {
  ...columns,
  uploadedAt: { moment: UPLOADED_AT },
  createdAt: { moment: UPLOADED_AT },
};

const declared = Object.fromEntries(
  (Object.keys(FileRow.shape) as (keyof FileRow)[]).map((name) => [name, members[name]]),
);

/** The files whose ids and clients `page` holds, in its order: with the client, one part of a partitioned table is enough. */
export const pageOfFiles = sql`page left join files on files.id = page.id and files.client_id = page.client_id`;

/**
 * The files of `from`, which it calls `files`, as the JSON that the contract declares, member by member: what it does not declare
 * cannot leave. Their order stays, because a left join is never turned around.
 */
export const filesAsJson = (engine: DatabaseKind, from: RawBuilder<unknown>) =>
  rowsAsJson(
    engine,
    sql`${from} left join clients on clients.id = files.client_id left join report_types on report_types.id = files.report_type_id
      left join users as uploader on uploader.id = files.uploaded_by_id`,
    declared,
  );

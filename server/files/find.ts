// Finds files in reach by their ids: the query that finds a file decides who may have it.
import type { FileRow } from '#contract/files.ts';
import type { ReadScope } from '../people/access/scope.ts';
import type { StoredBlob } from '../platform/blobs/blob-store.ts';
import { isListedId, listText } from '../platform/db/id-list.ts';
import { param } from '../platform/db/statement.ts';
import { type FileRecord, filesWithNames, toFileRow } from './file-row.ts';

/** What is needed of a file to serve it. */
export interface StoredFile {
  readonly id: number;
  readonly originalName: string;
  readonly storageKey: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly contentType: string;
  readonly clientId: number;
  readonly clientName: string;
}

/** The file, or null when it is missing or out of reach: access is decided by the query that finds it. */
export async function findStoredFile(scope: ReadScope, id: number): Promise<StoredFile | null> {
  const [row] = await scope.prepared<StoredFile>(
    'files.stored',
    (sources) =>
      sources
        .files()
        .innerJoin('clients', 'clients.id', 'files.client_id')
        .select([
          'files.id as id',
          'files.original_name as originalName',
          'files.storage_key as storageKey',
          'files.size_bytes as sizeBytes',
          'files.sha256 as sha256',
          'files.content_type as contentType',
          'clients.id as clientId',
          'clients.name as clientName',
        ])
        .where('files.id', '=', param<number>('id')),
    { id },
  );
  return row ?? null;
}

export async function findFile(scope: ReadScope, id: number): Promise<FileRow | null> {
  const [row] = await scope.prepared<FileRecord>(
    'files.get',
    (sources) => filesWithNames(sources).where('files.id', '=', param<number>('id')),
    { id },
  );
  return row ? toFileRow(row) : null;
}

/** The files of `ids` that are in reach, by their ids. */
export async function findFiles(scope: ReadScope, ids: readonly number[]): Promise<ReadonlyMap<number, FileRow>> {
  if (ids.length === 0) return new Map();
  const records = await scope.prepared<FileRecord>(
    'files.by-ids',
    (sources) => filesWithNames(sources).where(isListedId('files.id', param('ids'))),
    { ids: listText(ids) },
  );
  return new Map(records.map((record) => [record.id, toFileRow(record)]));
}

export interface ServedFile {
  readonly row: FileRow;
  readonly blob: StoredBlob;
}

/** Those of `ids` that are in reach, in the order of `ids`; what is missing or out of reach is left out. */
export async function findFilesToServe(scope: ReadScope, ids: readonly number[]): Promise<ServedFile[]> {
  const records = await scope.prepared<FileRecord & { storageKey: string }>(
    'files.to-serve',
    (sources) =>
      filesWithNames(sources)
        .select('files.storage_key as storageKey')
        .where(isListedId('files.id', param('ids'))),
    { ids: listText(ids) },
  );
  const found = new Map(
    records.map(({ storageKey, ...record }) => {
      const row = toFileRow(record);
      return [row.id, { row, blob: { storageKey, sizeBytes: row.size, sha256: row.sha256 } }];
    }),
  );
  return ids.flatMap((id) => found.get(id) ?? []);
}

// What stored bytes are of: the rows of every table that has some.
import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import type { StoredKind } from '#contract/system-words.ts';
import type { Schema } from '../db/schema.ts';

export interface BlobClaim {
  readonly kind: StoredKind;
  /** Of the file; of a file of a batch its own; of a ZIP that of its order. */
  readonly id: number;
  readonly name: string;
  /** Null for what is of a batch, and for a ZIP. */
  readonly clientId: number | null;
  /** The client's name, or that of the batch; null for a ZIP. */
  readonly of: string | null;
}

/** At most `limit` rows that have those of `blobs` that are `asked` for, files of clients first. Each table is asked along its keys. */
export async function findClaims(db: Kysely<Schema>, asked: Expression<SqlBool>, limit: number): Promise<BlobClaim[]> {
  const blobs = db.selectFrom('blobs').where(asked);
  const rank = (place: number) => sql<number>`${sql.lit(place)}`.as('rank');
  const kind = (name: StoredKind) => sql<StoredKind>`${sql.lit(name)}`.as('kind');
  const clientId = (column: string) => sql<number | null>`${sql.raw(column)}`.as('clientId');
  const of = (column: string) => sql<string | null>`${sql.raw(column)}`.as('of');
  const [noClient, nothing] = ['cast(null as bigint)', 'cast(null as text)'];
  const rows = await blobs
    .innerJoin('files', 'files.storage_key', 'blobs.storage_key')
    .innerJoin('clients', 'clients.id', 'files.client_id')
    .select([rank(1), kind('file'), 'files.id as id', 'files.original_name as name'])
    .select([clientId('files.client_id'), of('clients.name')])
    .unionAll(
      blobs
        .innerJoin('trash', 'trash.storage_key', 'blobs.storage_key')
        .select([
          sql<number>`case when trash.kind = 'version' then 2 else 3 end`.as('rank'),
          sql<StoredKind>`case when trash.kind = 'version' then 'version' else 'trash' end`.as('kind'),
          'trash.item_id as id',
          'trash.name as name',
        ])
        .select([clientId('trash.client_id'), of('trash.client_name')]),
    )
    .unionAll(
      blobs
        .innerJoin('batch_files', 'batch_files.storage_key', 'blobs.storage_key')
        .innerJoin('batches', 'batches.id', 'batch_files.batch_id')
        .select([rank(4), kind('batch'), 'batch_files.id as id', 'batch_files.name as name'])
        .select([clientId(noClient), of('batches.name')]),
    )
    .unionAll(
      blobs
        .innerJoin('batch_originals as original', 'original.storage_key', 'blobs.storage_key')
        .innerJoin('batch_files', 'batch_files.id', 'original.batch_file_id')
        .innerJoin('batches', 'batches.id', 'batch_files.batch_id')
        .select([rank(5), kind('original'), 'batch_files.id as id', 'original.name as name'])
        .select([clientId(noClient), of('batches.name')]),
    )
    .unionAll(
      blobs
        .innerJoin('archives', 'archives.storage_key', 'blobs.storage_key')
        .select([rank(6), kind('archive'), 'archives.id as id', sql<string>`coalesce(archives.name, '')`.as('name')])
        .select([clientId(noClient), of(nothing)]),
    )
    .orderBy('rank')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ rank: _, ...claim }) => claim);
}

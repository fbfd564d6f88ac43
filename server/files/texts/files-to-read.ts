// Which files are still to be read, whose turn it is, and how far each is read.
import type { Kysely } from 'kysely';
import type { Effort } from '../../batches/reading/ocr.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';

/** A file that ended whoever read it so often is left unread. */
export const ATTEMPTS_MAX = 3;

/** Files that take long are read beside those that do not, so that nobody's page of text waits for somebody's scans. */
export type Pace = 'quick' | 'long';

const waiting = (database: Database, pace: Pace) =>
  database.reader
    .selectFrom('files_to_read')
    .where('files_to_read.takes_long', '=', pace === 'long' ? 1 : 0)
    .where('files_to_read.attempts', '<', ATTEMPTS_MAX);

/** Whether any file waits for its turn. */
export async function hasFilesToRead(database: Database, pace: Pace): Promise<boolean> {
  return (await waiting(database, pace).select('file_id').limit(1).executeTakeFirst()) !== undefined;
}

/** What is left to recognise of a file whose text is kept already. */
export interface ScansLeft {
  /** The first page being 1. */
  readonly pages: readonly number[];
  readonly effort: Effort;
}

/** How far a file is kept whose pages are kept piece by piece: whoever reads it after one that was ended goes on behind that. */
export interface Storing {
  /** So many pages from the first on. */
  readonly stored: number;
  /** Their words of the place where the file was: once it is elsewhere, they are kept anew. */
  readonly place: string;
  /** The other pages are there too, with words that were made before. */
  readonly isHeld: boolean;
}

/** The person with the lowest id above `id` for whom a file is to be read. */
export async function personAfter(database: Database, pace: Pace, id: number): Promise<number | null> {
  const next = waiting(database, pace).select('person_id').where('person_id', '>', id).orderBy('person_id').limit(1);
  return (await next.executeTakeFirst())?.person_id ?? null;
}

/** A file whose turn it is, with what is known of how far it was read. */
export type FileToRead = NonNullable<Awaited<ReturnType<typeof nextToRead>>>;

/** The newest of a person's files that were tried least. */
export async function nextToRead(database: Database, pace: Pace, personId: number) {
  const file = await waiting(database, pace)
    .innerJoin('files', 'files.id', 'files_to_read.file_id')
    .select([
      'files.id as id',
      'files.content_type as contentType',
      'files.storage_key as storageKey',
      'files.size_bytes as sizeBytes',
      'files.sha256 as sha256',
      'files_to_read.scans as scans',
    ])
    .where('files_to_read.person_id', '=', personId)
    .orderBy('files_to_read.attempts')
    .orderBy('files_to_read.file_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (file === undefined) return null;
  const left = file.scans === null ? null : (JSON.parse(file.scans) as ScansLeft | Storing);
  return {
    ...file,
    scans: left !== null && 'pages' in left ? left : null,
    storing: left !== null && 'stored' in left ? left : null,
  };
}

/** Whether a file is still there, and not read. */
export async function isToRead(database: Database, fileId: number): Promise<boolean> {
  const row = database.reader.selectFrom('files_to_read').select('file_id').where('file_id', '=', fileId);
  return (await row.executeTakeFirst()) !== undefined;
}

/** Counts one more attempt: whatever ends this one, it was made. */
export async function beginReading(database: Database, fileId: number): Promise<void> {
  await database.transaction((tx) =>
    tx
      .updateTable('files_to_read')
      .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
      .where('file_id', '=', fileId)
      .execute(),
  );
}

/** It was not read, through no fault of its own. */
export async function handBackReading(database: Database, fileId: number): Promise<void> {
  await database.transaction((tx) =>
    tx
      .updateTable('files_to_read')
      .set(({ eb }) => ({ attempts: eb('attempts', '-', 1) }))
      .where('file_id', '=', fileId)
      .where('attempts', '>', 0)
      .execute(),
  );
}

/** A file that was begun with the quick ones is not one of them. */
export async function leaveForLong(database: Database, fileId: number): Promise<void> {
  await database.transaction((tx) =>
    tx.updateTable('files_to_read').set({ attempts: 0, takes_long: 1 }).where('file_id', '=', fileId).execute(),
  );
}

/** Whether a file is kept just so far still: nobody else has gone on with it. */
export async function isStoredSoFar(tx: Kysely<Schema>, fileId: number, storing: Storing): Promise<boolean> {
  const row = tx.selectFrom('files_to_read').select('scans').where('file_id', '=', fileId);
  return (await row.executeTakeFirst())?.scans === JSON.stringify(storing);
}

/** A file is kept so far, and the rest of it is still to be. */
export async function noteStored(
  tx: Kysely<Schema>,
  { fileId, personId }: { readonly fileId: number; readonly personId: number },
  storing: Storing,
): Promise<void> {
  const scans = JSON.stringify(storing);
  await tx
    .insertInto('files_to_read')
    .values({ file_id: fileId, attempts: 0, person_id: personId, scans })
    .onConflict((conflict) => conflict.column('file_id').doUpdateSet({ attempts: 0, scans }))
    .execute();
}

/** The file is read, unless something is left. */
export async function noteLeft(tx: Kysely<Schema>, fileId: number, left: ScansLeft | null): Promise<void> {
  if (left === null) {
    await tx.deleteFrom('files_to_read').where('file_id', '=', fileId).execute();
    return;
  }
  const scans = JSON.stringify(left);
  await tx
    .updateTable('files_to_read')
    .set({ attempts: 0, takes_long: 1, scans })
    .where('file_id', '=', fileId)
    .execute();
}

// Uploads that are still to be judged, and the marks of those that name another client.

import type { Kysely } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { type NamedClient, otherClients } from './named-clients.ts';

/** A file that ended whoever read it so often is left without a judgement. */
export const ATTEMPTS_MAX = 3;

const waiting = ({ reader }: Pick<Database, 'reader'>) =>
  reader.selectFrom('files_to_judge').where('files_to_judge.attempts', '<', ATTEMPTS_MAX);

export async function hasFilesToJudge(database: Database): Promise<boolean> {
  return (await waiting(database).select('file_id').limit(1).executeTakeFirst()) !== undefined;
}

/** The person with the lowest id above `id` for whom a file is to be judged. */
export async function senderAfter(database: Database, id: number): Promise<number | null> {
  const next = waiting(database).select('person_id').where('person_id', '>', id).orderBy('person_id').limit(1);
  return (await next.executeTakeFirst())?.person_id ?? null;
}

export type FileToJudge = NonNullable<Awaited<ReturnType<typeof nextToJudge>>>;

/** The oldest of a person's files that were tried least. */
export async function nextToJudge(database: Database, personId: number) {
  const file = await waiting(database)
    .innerJoin('files', 'files.id', 'files_to_judge.file_id')
    .select([
      'files.id as id',
      'files.content_type as contentType',
      'files.original_name as name',
      'files.storage_key as storageKey',
      'files.size_bytes as sizeBytes',
      'files.sha256 as sha256',
      'files_to_judge.by_names_alone as byNamesAlone',
    ])
    .where('files_to_judge.person_id', '=', personId)
    .orderBy('files_to_judge.attempts')
    .orderBy('files_to_judge.file_id')
    .limit(1)
    .executeTakeFirst();
  return file ?? null;
}

export async function beginJudging(database: Database, fileId: number): Promise<void> {
  await database.transaction((tx) =>
    tx
      .updateTable('files_to_judge')
      .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
      .where('file_id', '=', fileId)
      .execute(),
  );
}

/** It was not judged, through no fault of its own. */
export async function handBackJudging(database: Database, fileId: number): Promise<void> {
  await database.transaction((tx) =>
    tx
      .updateTable('files_to_judge')
      .set(({ eb }) => ({ attempts: eb('attempts', '-', 1) }))
      .where('file_id', '=', fileId)
      .where('attempts', '>', 0)
      .execute(),
  );
}

/** Marks the file where it names another client than the one it is filed under by now; null where nothing could be read. */
export async function storeJudgement(
  database: Database,
  fileId: number,
  named: readonly NamedClient[] | null,
  at: number,
): Promise<void> {
  await database.transaction(async (tx) => {
    const file = await takeFile(database, tx, fileId);
    const { numDeletedRows } = await tx.deleteFrom('files_to_judge').where('file_id', '=', fileId).executeTakeFirst();
    // Where nothing waits, another process was faster, and somebody may have settled its mark since.
    if (file === undefined || named === null || numDeletedRows === 0n) return;
    await mark(tx, fileId, otherClients(named, file.clientId), at);
  });
}

/** What the file is called; null where it is gone. */
export async function nameOf({ reader }: Pick<Database, 'reader'>, fileId: number): Promise<string | null> {
  const file = reader.selectFrom('files').select('original_name as name').where('id', '=', fileId);
  return (await file.executeTakeFirst())?.name ?? null;
}

interface NameJudgement {
  readonly fileId: number;
  readonly name: string;
  /** Whom that name names. */
  readonly named: readonly NamedClient[];
  readonly at: number;
}

/** Marks the file where its name holds that of another client than the one it is filed under by now. */
export async function storeNameJudgement(
  database: Database,
  tx: Kysely<Schema>,
  { fileId, name, named, at }: NameJudgement,
): Promise<void> {
  const file = await takeFile(database, tx, fileId);
  // A name that it was given since was judged by itself.
  if (file?.name === name) await mark(tx, fileId, otherClients(named, file.clientId), at);
}

/** The file as it is by now. Whoever files it elsewhere waits, and settles a mark that is there: taken first, as they do. */
function takeFile(database: Database, tx: Kysely<Schema>, fileId: number) {
  const row = tx
    .selectFrom('files')
    .select(['client_id as clientId', 'original_name as name'])
    .where('id', '=', fileId);
  return (database.kind === 'postgres' ? row.forUpdate() : row).executeTakeFirst();
}

async function mark(tx: Kysely<Schema>, fileId: number, others: readonly NamedClient[], at: number): Promise<void> {
  if (others.length === 0) return;
  // Of several it may be any; one may have gone meanwhile.
  const [only] = others.length === 1 ? others : [];
  const still = only && (await tx.selectFrom('clients').select('id').where('id', '=', only.id).executeTakeFirst());
  const open = { named_client_id: still?.id ?? null, state: 'open', created_at: at } as const;
  const unsettled = { settled_by_id: null, settled_by_name: null, settled_at: null };
  await tx
    .insertInto('file_marks')
    .values({ file_id: fileId, ...open })
    // What was right where it was, or was filed where it belongs, was filed elsewhere since.
    .onConflict((conflict) =>
      conflict
        .column('file_id')
        .doUpdateSet({ ...open, ...unsettled })
        .where('file_marks.state', '=', 'settled'),
    )
    .execute();
}

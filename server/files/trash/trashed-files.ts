// Files into the trash and out of it, one by one or with their client.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { deletedForEverDetails, restoredDetails } from '#contract/activity-words.ts';
import { refuse, refuseFields, refuseUnless } from '#contract/errors.ts';
import { type FileRow, NO_REPORT_TYPE } from '#contract/files.ts';
import { type FileRestore, NO_VERSION } from '#contract/trash.ts';
import { record } from '../../audit/record.ts';
import type { Principal } from '../../people/access/principal.ts';
import type { WriteScope } from '../../people/access/scope.ts';
import { isListedId, listText } from '../../platform/db/id-list.ts';
import { slicesOf } from '../../platform/db/list.ts';
import { isBrokenReference, isDuplicate } from '../../platform/db/violations.ts';
import { type Coming, noteComeBack } from '../came.ts';
import { correctAgain } from '../corrections.ts';
import { findFile } from '../find.ts';
import { judgeLater } from '../other-clients.ts';
import { findPlace } from '../place.ts';
import { comeBackWithNewest, endWithNewest, fileWithNewest, inheritVersions, KEPT_WITH_NEWEST } from './chains.ts';
import { type Deletion, deletionColumns, endNow, fileTypeOf, findEntry, type TrashEntry } from './entries.ts';
import { type HeldWords, REFILED_AWAY, refuseHeldEntries, refuseHeldFiles } from './holds.ts';
import { keepRows, lockRow, putBackRows, type Tx } from './kept-rows.ts';

/** Whether the row `entry` is a file's that is away: in the trash, or as an earlier version of another. */
const isOfFile = sql<SqlBool>`entry.kind in ('file', 'version')`;

/**
 * Moves the files for which `where` holds (over `files`) into the trash; they must not change meanwhile. What belongs to a file, and
 * is to be there again after a restore, is kept here. Refuses `on_hold`.
 */
async function moveFiles(
  tx: Tx,
  {
    where,
    withClient,
    deletion,
    held,
    replaced,
  }: {
    readonly where: RawBuilder<SqlBool>;
    readonly withClient: 0 | 1;
    readonly deletion: Deletion;
    readonly held: HeldWords;
    /** Where another file takes their place: they are kept as its earlier versions. */
    readonly replaced?: Replacement;
  },
): Promise<void> {
  await refuseHeldFiles(tx, where, held);
  const { deleted_at, deleted_by_id, deleted_by_name, gone_at } = deletionColumns(deletion);
  const kind = sql.lit(replaced === undefined ? 'file' : 'version');
  const byId = sql`cast(${replaced?.byId ?? null} as bigint)`;
  const goneAt = replaced === undefined ? gone_at : KEPT_WITH_NEWEST;
  await sql`insert into trash (kind, item_id, name, name_key, search_text, client_id, client_name, with_client, access_key,
      uploaded_by_id, sha256, storage_key, deleted_at, deleted_by_id, deleted_by_name, gone_at,
      version_of, replaced_by_id, replaced_because)
    select ${kind}, files.id, files.original_name, files.name_key, files.search_name || ${sql.lit('\n')} || clients.search_name, files.client_id,
      clients.name, cast(${withClient} as bigint), files.access_key, files.uploaded_by_id, files.sha256, files.storage_key,
      cast(${deleted_at} as bigint), cast(${deleted_by_id} as bigint), cast(${deleted_by_name} as text), cast(${goneAt} as bigint),
      ${byId}, ${byId}, cast(${replaced?.because ?? null} as text)
    from files join clients on clients.id = files.client_id where ${where}`.execute(tx.db);
  const entryOf = (file: string) =>
    sql<number>`(select entry.id from trash entry where ${isOfFile} and entry.item_id = ${sql.ref(file)})`;
  const moved = sql`select files.id from files where ${where}`;
  await keepRows(tx, 'files', { where: sql<SqlBool>`kept.id in (${moved})`, trashId: entryOf('kept.id') });
  await keepRows(tx, 'file_opens', {
    where: sql<SqlBool>`kept.file_id in (${moved})`,
    trashId: entryOf('kept.file_id'),
  });
  for (const table of ['file_marks', 'files_to_judge'] as const) {
    await keepRows(tx, table, {
      where: sql<SqlBool>`kept.file_id in (${moved})`,
      trashId: entryOf('kept.file_id'),
    });
  }
  await keepCorrections(tx, where);
  if (replaced === undefined) await endWithNewest(tx, moved, gone_at);
  await sql`delete from files where ${where}`.execute(tx.db);
}

/** Kept under a name that is no table's: which files correct the one that goes. What it corrects itself is in its row. */
const CORRECTIONS = 'files.corrects_id';

async function keepCorrections({ db }: Tx, where: RawBuilder<SqlBool>): Promise<void> {
  await sql`insert into trashed_rows (trash_id, table_name, content)
    select entry.id, ${sql.lit(CORRECTIONS)}, cast(later.id as text) from files
    join files later on later.corrects_id = files.id join trash entry on ${isOfFile} and entry.item_id = files.id
    where ${where}`.execute(db);
}

interface Correcting {
  readonly earlier: number;
  readonly later: number;
}

/** Says again what corrects what. The other file may be in the trash by now: then it is kept there, for when that comes back. */
async function putBackCorrections({ db, engine }: Tx, entries: RawBuilder<unknown>): Promise<void> {
  const content = engine === 'postgres' ? sql`kept.content::json` : sql`kept.content`;
  const { rows: own } = await sql<Correcting>`
    select cast(${content} ->> 'corrects_id' as bigint) as earlier, cast(${content} ->> 'id' as bigint) as later from trashed_rows kept
    where kept.table_name = 'files' and kept.trash_id in (${entries}) and ${content} ->> 'corrects_id' is not null`.execute(
    db,
  );
  const { rows: ofOthers } = await sql<Correcting>`
    select entry.item_id as earlier, cast(kept.content as bigint) as later from trashed_rows kept join trash entry on entry.id = kept.trash_id
    where kept.table_name = ${sql.lit(CORRECTIONS)} and kept.trash_id in (${entries})`.execute(db);
  for (const pair of [...own, ...ofOthers]) await correctAgain({ db }, pair);
  const corrects = (id: number) =>
    engine === 'postgres'
      ? sql`jsonb_set(content::jsonb, '{corrects_id}', to_jsonb(${id}::bigint))::text`
      : sql`json_set(content, '$.corrects_id', cast(${id} as integer))`;
  const entryOf = (file: number) =>
    sql`(select entry.id from trash entry where ${isOfFile} and entry.item_id = ${file})`;
  for (const { earlier, later } of ofOthers) {
    await sql`update trashed_rows set content = ${corrects(earlier)}
      where table_name = 'files' and trash_id = ${entryOf(later)}`.execute(db);
  }
  for (const { earlier, later } of own) {
    await sql`insert into trashed_rows (trash_id, table_name, content)
      select away.id, ${sql.lit(CORRECTIONS)}, ${String(later)} from ${entryOf(earlier)} as away where away.id not in (${entries})`.execute(
      db,
    );
  }
}

/** Moves one file into the trash, if `stands` still holds for it; false when another was faster. */
export async function trashFile(tx: Tx, id: number, stands: RawBuilder<SqlBool>, deletion: Deletion): Promise<boolean> {
  await lockRow(tx, 'files', id);
  const where = sql<SqlBool>`files.id = ${id} and ${stands}`;
  const { rows } = await sql`select 1 from files where ${where}`.execute(tx.db);
  if (rows.length === 0) return false;
  await moveFiles(tx, { where, withClient: 0, deletion, held: { what: 'This file', act: 'deleted' } });
  return true;
}

/** What the newer file is to the one that it takes the place of. */
export interface Replacement {
  readonly byId: number;
  readonly because: string | null;
}

/**
 * Keeps one file as an earlier version of another, if `stands` still holds for it, with the earlier versions that it had itself; false
 * when another was faster.
 */
export async function keepAsVersion(
  tx: Tx,
  id: number,
  stands: RawBuilder<SqlBool>,
  { replaced, deletion }: { readonly replaced: Replacement; readonly deletion: Deletion },
): Promise<boolean> {
  await lockRow(tx, 'files', id);
  const where = sql<SqlBool>`files.id = ${id} and ${stands}`;
  const { rows } = await sql`select 1 from files where ${where}`.execute(tx.db);
  if (rows.length === 0) return false;
  await moveFiles(tx, {
    where,
    withClient: 1,
    deletion,
    held: { what: 'The earlier file', act: 'replaced' },
    replaced,
  });
  await inheritVersions(tx, { formerId: id, newestId: replaced.byId });
  await fileWithNewest(tx, replaced.byId);
  return true;
}

/** Moves files into the trash that are locked, and so as they were found. Others get a turn at the event loop in between. */
export async function trashFiles(tx: Tx, ids: readonly number[], deletion: Deletion): Promise<void> {
  for (const some of slicesOf(ids)) {
    await nextTurn();
    const where = sql<SqlBool>`${isListedId('files.id', listText(some))}`;
    await moveFiles(tx, { where, withClient: 0, deletion, held: { what: 'One of these files', act: 'deleted' } });
  }
}

/** Moves a client's files into the trash, in a transaction in which nobody else files anything. */
export function trashFilesOfClient(tx: Tx, clientId: number, deletion: Deletion): Promise<void> {
  const where = sql<SqlBool>`files.client_id = ${clientId}`;
  return moveFiles(tx, { where, withClient: 1, deletion, held: { what: 'A file of this client', act: 'deleted' } });
}

/** Where a file comes back that does not go where it was; what is left out is as it was. */
type PlaceBack = Pick<FileRestore, 'clientId' | 'reportTypeId'> & Partial<Pick<FileRow, 'fileType' | 'documentType'>>;

/** Puts files back as they were, which `coming` says who did. Their uploader and report type may be gone, and their key may be used for another upload. */
export async function putBackFiles(
  tx: Tx,
  entries: RawBuilder<unknown>,
  coming: Coming,
  { clientId, reportTypeId, fileType, documentType }: PlaceBack = {},
): Promise<void> {
  const of = sql<SqlBool>`kept.trash_id in (${entries})`;
  await putBackRows(tx, 'files', {
    of,
    instead: {
      uploaded_by_id: sql`(select person.id from users person where person.id = back.uploaded_by_id)`,
      ...(clientId === undefined ? {} : { client_id: sql`cast(${clientId} as bigint)` }),
      ...(fileType === undefined ? {} : { file_type: sql`cast(${fileType} as text)` }),
      ...(documentType === undefined ? {} : { document_type: sql`cast(${documentType} as text)` }),
      report_type_id:
        reportTypeId === undefined
          ? sql`(select type.id from report_types type where type.id = back.report_type_id)`
          : sql`cast(${reportTypeId} as bigint)`,
      idempotency_key: sql`case when exists (select 1 from users person where person.id = back.uploaded_by_id) and not exists (
        select 1 from files other where other.uploaded_by_id = back.uploaded_by_id and other.idempotency_key = back.idempotency_key)
        then back.idempotency_key end`,
      // Said once all that come back with it are there.
      corrects_id: sql`cast(null as bigint)`,
    },
  });
  await noteComeBack(tx, entries, coming);
  await comeBackWithNewest(
    tx,
    sql`select entry.item_id from trash entry where entry.kind = 'file' and entry.id in (${entries})`,
  );
  await putBackCorrections(tx, entries);
  await putBackRows(tx, 'file_opens', {
    of,
    stands: sql<SqlBool>`exists (select 1 from users person where person.id = back.user_id)`,
    unlessThere: true,
  });
  await putBackRows(tx, 'file_marks', {
    of,
    instead: { named_client_id: sql`(select named.id from clients named where named.id = back.named_client_id)` },
  });
  await putBackRows(tx, 'files_to_judge', { of });
}

/** Why there is nothing to restore: somebody else did it, or it was never there for this person. */
async function refuseMissing(scope: WriteScope, id: number): Promise<never> {
  throw refuse((await findFile(scope, id)) === null ? 'not_found' : 'already_restored');
}

async function isThere({ db }: Tx, table: 'clients' | 'report_types', id: number): Promise<boolean> {
  const row = await db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/**
 * Takes a file out of the trash, as far as the principal may. Where its client or report type is gone, `choice` says under which it
 * goes: judged like an upload there. Refuses `client_in_trash` and `report_type_gone` with the field that is to be given.
 */
export async function restoreFile(
  principal: Principal,
  id: number,
  choice: FileRestore,
  { now }: { readonly now: () => number },
): Promise<FileRow> {
  return principal.change('files.restore', async (scope) => {
    const at = now();
    const found = await findEntry(scope, 'file', id, at);
    if (found === null) return refuseMissing(scope, id);
    const { proof, tx } = await authorizeRestore(scope, found, choice);
    if (choice.newer !== undefined) throw refuseFields({ newer: NO_VERSION });
    // Of two who restore it at once, the second finds it restored.
    await lockRow(tx, 'trash', found.id);
    if ((await findEntry(scope, 'file', id, now())) === null) return refuseMissing(scope, id);
    const goesAway = choice.clientId !== undefined && choice.clientId !== found.clientId;
    if (!goesAway && !(await isThere(tx, 'clients', found.clientId))) {
      throw refuseUnless('client_in_trash', found.withClient === 1 ? {} : { clientId: 'Please select another client' });
    }
    if (goesAway) {
      // It comes back with its client.
      if (found.withClient === 1) throw refuse('client_in_trash');
      await refuseHeldEntries(tx, sql<SqlBool>`trash.id = ${found.id}`, { what: 'This file', act: REFILED_AWAY });
    }
    try {
      await putBackFiles(tx, sql`${found.id}`, { at, byId: scope.viewer.id }, choice);
    } catch (error) {
      // Client or report type went in between, or the key of the upload was used.
      if (isBrokenReference(error) || isDuplicate(error, 'idempotency')) throw refuse('gone_meanwhile');
      throw error;
    }
    await tx.db.deleteFrom('trash').where('id', '=', found.id).execute();
    if (goesAway) await forgetFormerClient(tx, id);
    await fileWithNewest(tx, id);
    const file = await findFile(scope, id);
    if (file === null) throw refuse('gone_meanwhile');
    if (goesAway) await judgeLater(tx.db, { ...file, name: file.originalName, sizeBytes: file.size }, scope.viewer);
    const client = { id: file.clientId, name: file.clientName };
    const entry = { id, name: file.originalName };
    await record(
      scope,
      proof,
      { action: 'update', details: restoredDetails('file', entry.name), file: entry, client },
      at,
    );
    return file;
  });
}

/** Who opened it were the people of another client. */
export async function forgetFormerClient({ db }: Pick<Tx, 'db'>, id: number): Promise<void> {
  await db.updateTable('files').set({ opened_by_client_at: null }).where('id', '=', id).execute();
}

async function authorizeRestore(scope: WriteScope, entry: TrashEntry, choice: FileRestore) {
  const subject = {
    fileType: fileTypeOf(entry.accessKey),
    uploadedById: entry.uploadedById,
    deletedById: entry.deletedById,
  };
  // What the type is decides only how it is refused: first whether it may be restored at all.
  const first = scope.authorize('files.restore', { ...subject, losesType: false });
  const tx: Tx = { db: scope.unscoped(first), engine: scope.engine };
  const { accessKey } = entry;
  const former = accessKey !== null && accessKey > 0 ? accessKey : null;
  const { clientId, reportTypeId = former } = choice;
  if (subject.fileType !== 'report' && (choice.reportTypeId ?? null) !== null) {
    throw refuseFields({ reportTypeId: NO_REPORT_TYPE });
  }
  if (former !== null && choice.reportTypeId === undefined && !(await isThere(tx, 'report_types', former))) {
    throw refuseUnless('report_type_gone', { reportTypeId: 'Please select another report type, or none' });
  }
  const proof = scope.authorize('files.restore', { ...subject, losesType: former !== null && reportTypeId === null });
  if (clientId !== undefined || choice.reportTypeId !== undefined) {
    const place = { clientId: clientId ?? entry.clientId, fileType: subject.fileType, reportTypeId };
    // A client in the trash is asked for below, and is nobody's to name.
    if (clientId !== undefined || (await isThere(tx, 'clients', place.clientId))) {
      scope.authorize('files.upload', (await findPlace(scope, place)).reached);
    }
  }
  return { proof, tx };
}

/** Ends a file of the trash before its time. One that went with its client is ended with it. */
export async function deleteFileForEver(
  principal: Principal,
  id: number,
  { now }: { readonly now: () => number },
): Promise<void> {
  return principal.change('files.purge', async (scope) => {
    const proof = scope.authorize('files.purge');
    const tx: Tx = { db: scope.unscoped(proof), engine: scope.engine };
    const found = await findEntry(scope, 'file', id, now());
    if (found === null) return refuseMissing(scope, id);
    // Of two at once, the second finds what the first did: restored it, or ended it.
    await lockRow(tx, 'trash', found.id);
    const at = now();
    if ((await findEntry(scope, 'file', id, at)) === null) return refuseMissing(scope, id);
    if (found.withClient === 1) throw refuse('client_in_trash');
    await endNow(tx, sql<SqlBool>`trash.id = ${found.id}`, at, 'This file');
    const { name, clientId, clientName } = found;
    const client = { id: clientId, name: clientName };
    const details = deletedForEverDetails('file', name);
    await record(scope, proof, { action: 'delete', details, file: { id, name }, client }, at);
  });
}

// What happens to a file after its upload: deletion and re-filing.
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { refuse, refuseFields } from '#contract/errors.ts';
import { type FileRow, NO_DOCUMENT_TYPE, NO_REPORT_TYPE, type RefileInput } from '#contract/files.ts';
import type { Proof } from '#contract/policy.ts';
import type { Principal } from '../access/principal.ts';
import { accessKeyOf } from '../access/reach.ts';
import type { WriteScope } from '../access/scope.ts';
import { record } from '../audit/record.ts';
import { releaseBlobs } from '../blobs/blob-rows.ts';
import type { Schema } from '../db/schema.ts';
import { isBrokenReference } from '../db/violations.ts';
import type { Services } from '../services.ts';
import { findFile } from './find.ts';
import { type FilePlace, type FoundPlace, findPlace, placeWords } from './place.ts';

/** Deletes a file: the row with its entry. Returns the storage key whose bytes are removed afterwards. */
export async function deleteFile(principal: Principal, id: number, { now }: Pick<Services, 'now'>): Promise<string> {
  return principal.change('files.delete', async (scope) => {
    const file = await findFile(scope, id);
    if (file === null) throw refuse('not_found');
    const proof = scope.authorize('files.delete', file);
    const at = now();
    const key = await removeFile(scope, proof, file, at);
    if (key === null) throw refuse('not_found');
    await record(
      scope,
      proof,
      {
        action: 'delete',
        details: `Deleted file: ${file.originalName}`,
        file: { id: file.id, name: file.originalName },
        client: { id: file.clientId, name: file.clientName },
      },
      at,
    );
    return key;
  });
}

/** Deletes the row and returns the storage key whose bytes are removed afterwards; null when another was faster. */
async function removeFile(
  scope: WriteScope,
  proof: Proof<'files.delete'>,
  file: FileRow,
  at: number,
): Promise<string | null> {
  const tx = scope.unscoped(proof);
  const row = await tx
    .deleteFrom('files')
    .where((files) => standsAt(files, file))
    .returning('storage_key as storageKey')
    .executeTakeFirst();
  if (row === undefined) return null;
  await releaseBlobs(tx, [row.storageKey], at);
  return row.storageKey;
}

/**
 * Files a file elsewhere: judged like a deletion where it is and like an upload where it goes. Repeating it changes
 * nothing more. Refuses `gone_meanwhile` when another was faster.
 */
export async function refileFile(
  principal: Principal,
  id: number,
  change: RefileInput,
  { now }: Pick<Services, 'now'>,
): Promise<FileRow> {
  return principal.change('files.refile', async (scope) => {
    const file = await findFile(scope, id);
    if (file === null) throw refuse('not_found');
    const place = placeAfter(file, change);
    const found = await findPlace(scope, place);
    const proof = scope.authorize('files.refile', { from: file, to: found.reached });
    if (isSamePlace(file, place)) return file;
    await moveRow(scope, proof, file, place);
    await recordRefiling(scope, proof, { file, place, found }, now());
    const refiled = await findFile(scope, id);
    if (refiled === null) throw refuse('gone_meanwhile');
    return refiled;
  });
}

/** The place that `change` results in. Refuses a type that does not belong to the kind of the file. */
function placeAfter(file: FileRow, change: RefileInput): FilePlace {
  const fileType = change.fileType ?? file.fileType;
  const isReport = fileType === 'report';
  if (!isReport && (change.reportTypeId ?? null) !== null) throw refuseFields({ reportTypeId: NO_REPORT_TYPE });
  if (isReport && (change.documentType ?? null) !== null) throw refuseFields({ documentType: NO_DOCUMENT_TYPE });
  const { reportTypeId = file.reportTypeId, documentType = file.documentType } = change;
  return {
    clientId: change.clientId ?? file.clientId,
    fileType,
    reportTypeId: isReport ? reportTypeId : null,
    documentType: isReport ? null : documentType,
  };
}

function isSamePlace(one: FilePlace, other: FilePlace): boolean {
  return (
    one.clientId === other.clientId &&
    one.fileType === other.fileType &&
    one.reportTypeId === other.reportTypeId &&
    one.documentType === other.documentType
  );
}

/** The row as it was when it was judged: who judged a file in one place does nothing to it in another. */
function standsAt(files: ExpressionBuilder<Schema, 'files'>, file: FileRow): Expression<SqlBool> {
  return files.and([
    files('id', '=', file.id),
    files('client_id', '=', file.clientId),
    files('file_type', '=', file.fileType),
    sql<SqlBool>`report_type_id is not distinct from ${file.reportTypeId}`,
  ]);
}

async function moveRow(
  scope: WriteScope,
  proof: Proof<'files.refile'>,
  file: FileRow,
  place: FilePlace,
): Promise<void> {
  try {
    const { numUpdatedRows } = await scope
      .unscoped(proof)
      .updateTable('files')
      .set({
        client_id: place.clientId,
        file_type: place.fileType,
        report_type_id: place.reportTypeId,
        access_key: accessKeyOf(place),
        document_type: place.documentType,
      })
      .where((files) => standsAt(files, file))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw refuse('gone_meanwhile');
  } catch (error) {
    if (isBrokenReference(error)) throw refuse('gone_meanwhile');
    throw error;
  }
}

/**
 * One entry with everything. It belongs to no client, so besides its author only readers of the whole log see it. Those who
 * read the log of a client read its side of it, which names no other client and no report type.
 */
async function recordRefiling(
  scope: WriteScope,
  proof: Proof<'files.refile'>,
  { file, place, found: { client, reportTypeName } }: { file: FileRow; place: FilePlace; found: FoundPlace },
  at: number,
): Promise<void> {
  if (client === null) throw refuse('forbidden');
  const name = file.originalName;
  const entry = { action: 'update' as const, file: { id: file.id, name } };
  const from = placeWords(file.clientName, file);
  const to = placeWords(client.name, { ...place, reportTypeName });
  await record(scope, proof, { ...entry, details: `Re-filed file: ${name}, from ${from} to ${to}` }, at);
  const former = { id: file.clientId, name: file.clientName };
  if (former.id === client.id) {
    await record(scope, proof, { ...entry, details: `Re-filed file: ${name}`, client }, at);
    return;
  }
  await record(scope, proof, { ...entry, details: `Re-filed file away: ${name}`, client: former }, at);
  await record(scope, proof, { ...entry, details: `Re-filed file here: ${name}`, client }, at);
}

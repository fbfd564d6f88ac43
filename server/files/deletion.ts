// Deleting a file, which goes to the trash, and taking back what one uploaded just now.

import type { RawBuilder, SqlBool } from 'kysely';
import { takenBackDetails } from '#contract/activity-words.ts';
import { refuse } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import { takesBack } from '#contract/policy/files.ts';
import type { Proof } from '#contract/policy.ts';
import { isOpenedByOthers } from '../audit/file-opens.ts';
import { record, recordEach } from '../audit/record.ts';
import type { Config } from '../config.ts';
import type { Principal } from '../people/access/principal.ts';
import type { WriteScope } from '../people/access/scope.ts';
import type { ExpectedVersions } from '../people/access/versions.ts';
import { findFile } from './find.ts';
import { requireUnchanged, standsAsExpected, standsAt } from './place.ts';
import { deletionBy } from './trash/entries.ts';
import { lockRow } from './trash/kept-rows.ts';
import { trashFile, trashFiles } from './trash/trashed-files.ts';

/**
 * Deletes a file: it goes to the trash, with an entry in the log. Whoever may not delete it but uploaded it takes it back by that, as
 * long as the policy lets them. Refuses `opened_meanwhile`, `take_back_over`, and `changed_meanwhile` where it has none of the `expected` versions.
 */
export async function deleteFile(
  principal: Principal,
  id: number,
  services: { readonly now: () => number; readonly config: Pick<Config, 'trashDays'> },
  expected: ExpectedVersions = null,
): Promise<void> {
  return principal.change('files.delete', async (scope) => {
    const file = await findFile(scope, id);
    if (file === null) throw refuse('not_found');
    await requireUnchanged(scope, expected, file);
    const takesIt = takesBack(scope.viewer) && file.fileType === 'report' && file.uploadedById === scope.viewer.id;
    const work = takesIt ? takeBack : deleteWithin;
    if (await work(scope, file, services.now(), services.config, standsAsExpected(file, expected))) return;
    // Another was faster: by a deletion, or by a change since it was looked at.
    const left = await findFile(scope, id);
    if (left !== null) await requireUnchanged(scope, expected, left);
    throw refuse('not_found');
  });
}

/** Takes back a report of the viewer's own; false when another was faster. Whoever opens it meanwhile is in the log before, or finds it gone. */
async function takeBack(
  scope: WriteScope,
  file: FileRow,
  at: number,
  config: Pick<Config, 'trashDays'>,
  stands: RawBuilder<SqlBool>,
): Promise<boolean> {
  const { id, fileType, uploadedById } = file;
  const judge = async () => {
    const row = await scope
      .files()
      .select([isOpenedByOthers.as('opened'), 'files.uploaded_at as uploadedAt'])
      .where('files.id', '=', id)
      .executeTakeFirst();
    if (row === undefined) throw refuse('not_found');
    const facts = { fileType, uploadedById, ageMs: at - row.uploadedAt, openedByOthers: Boolean(row.opened) };
    return scope.authorize('files.take-back', facts);
  };
  await lockRow({ db: scope.unscoped(await judge()), engine: scope.engine }, 'files', id);
  const proof = await judge();
  const tx = { db: scope.unscoped(proof), engine: scope.engine };
  if (!(await trashFile(tx, id, stands, deletionBy(scope, at, config)))) return false;
  await recordDeletion(scope, proof, file, takenBackDetails(file.originalName), at);
  return true;
}

function recordDeletion(
  scope: WriteScope,
  proof: Proof<'files.delete' | 'files.take-back'>,
  { id, originalName, clientId, clientName }: FileRow,
  details: string,
  at: number,
): Promise<void> {
  const entry = { file: { id, name: originalName }, client: { id: clientId, name: clientName } };
  return record(scope, proof, { action: 'delete', details, ...entry }, at);
}

/** Deletes a file within a transaction, as far as the viewer may; false when another was faster, and it no longer `stands`. */
export async function deleteWithin(
  scope: WriteScope,
  file: FileRow,
  at: number,
  config: Pick<Config, 'trashDays'>,
  stands: RawBuilder<SqlBool> = standsAt(file),
): Promise<boolean> {
  const proof = scope.authorize('files.delete', file);
  const tx = { db: scope.unscoped(proof), engine: scope.engine };
  if (!(await trashFile(tx, file.id, stands, deletionBy(scope, at, config)))) return false;
  await recordDeletion(scope, proof, file, `Deleted file: ${file.originalName}`, at);
  return true;
}

/** Deletes files that are locked within a transaction, as far as the viewer may delete each; none where one may not be deleted. */
export async function deleteLocked(
  scope: WriteScope,
  files: readonly FileRow[],
  at: number,
  config: Pick<Config, 'trashDays'>,
  detailsOf: (file: FileRow) => string,
): Promise<void> {
  const [proof] = files.map((file) => scope.authorize('files.delete', file));
  if (proof === undefined) return;
  const tx = { db: scope.unscoped(proof), engine: scope.engine };
  await trashFiles(
    tx,
    files.map(({ id }) => id),
    deletionBy(scope, at, config),
  );
  const entries = files.map((file) => ({
    action: 'delete' as const,
    details: detailsOf(file),
    file: { id: file.id, name: file.originalName },
    client: { id: file.clientId, name: file.clientName },
  }));
  await recordEach(scope, proof, entries, at);
}

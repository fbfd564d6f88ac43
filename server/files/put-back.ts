// A replacement taken back: an earlier version is a file by itself again, and the newer one stays beside it or goes to the trash.
import { putBackDetails, replacesDetails } from '#contract/activity-words.ts';
import { refuse, refuseFields } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import type { Proof } from '#contract/policy.ts';
import { type FileRestore, GOES_WHERE_NEWEST_IS } from '#contract/trash.ts';
import { record } from '../audit/record.ts';
import type { Config } from '../config.ts';
import type { Principal } from '../people/access/principal.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import { isListedId, listText } from '../platform/db/id-list.ts';
import { deleteWithin } from './deletion.ts';
import { findFile } from './find.ts';
import { lockRow } from './trash/kept-rows.ts';
import { takeOutVersion } from './trash/trashed-versions.ts';
import { findNewestOf } from './versions.ts';

interface Version {
  readonly entryId: number;
  readonly id: number;
  readonly name: string;
  readonly uploadedById: number | null;
  readonly replacedById: number;
  readonly newestId: number;
}

const versionsOf = (scope: ReadScope) =>
  scope
    .replaced()
    .select([
      'version.id as entryId',
      'version.item_id as id',
      'version.name as name',
      'version.uploaded_by_id as uploadedById',
      'version.deleted_by_id as replacedById',
      'files.id as newestId',
    ]);

const findVersion = (scope: ReadScope, id: number): Promise<Version | undefined> =>
  versionsOf(scope).where('version.item_id', '=', id).executeTakeFirst();

/**
 * Puts an earlier version back, with what it had replaced itself, where the newest file is now. Whoever might restore it from the trash
 * may. Refuses `not_found`, `already_restored` and `on_hold`.
 */
export async function putBackVersion(
  principal: Principal,
  id: number,
  { newer: fate, ...place }: FileRestore,
  services: { readonly now: () => number; readonly config: Pick<Config, 'trashDays'> },
): Promise<FileRow> {
  const [field] = Object.keys(place);
  if (field !== undefined) throw refuseFields({ [field]: GOES_WHERE_NEWEST_IS });
  return principal.change('files.restore', async (scope) => {
    const at = services.now();
    const found = await findVersion(scope, id);
    const newer = found === undefined ? null : await findFile(scope, found.newestId);
    if (found === undefined || newer === null) {
      throw refuse((await findFile(scope, id)) === null ? 'not_found' : 'already_restored');
    }
    const proof = scope.authorize('files.restore', restored(found, newer));
    const file = await putBack(scope, proof, { found, newer }, at);
    if (fate === 'trash' && !(await deleteWithin(scope, newer, at, services.config))) throw refuse('gone_meanwhile');
    return file;
  });
}

const restored = ({ uploadedById, replacedById }: Version, { fileType }: FileRow) => ({
  fileType,
  uploadedById,
  deletedById: replacedById,
  losesType: false,
});

async function putBack(
  scope: WriteScope,
  proof: Proof<'files.restore' | 'batches.recall'>,
  { found: { id, name, entryId }, newer }: { readonly found: Version; readonly newer: FileRow },
  at: number,
): Promise<FileRow> {
  const tx = { db: scope.unscoped(proof), engine: scope.engine };
  await lockRow(tx, 'files', newer.id);
  await lockRow(tx, 'trash', entryId);
  // Of two at once, the second finds what the first did.
  if ((await findNewestOf(scope, id)) !== newer.id) throw refuse('gone_meanwhile');
  await takeOutVersion(tx, { id, entryId, newest: newer }, { at, byId: scope.viewer.id });
  const client = { id: newer.clientId, name: newer.clientName };
  const details = putBackDetails(name, newer.originalName);
  await record(scope, proof, { action: 'update', details, file: { id, name }, client }, at);
  const ofNewer = { id: newer.id, name: newer.originalName };
  await record(
    scope,
    proof,
    { action: 'update', details: replacesDetails(newer.originalName, null), file: ofNewer, client },
    at,
  );
  const file = await findFile(scope, id);
  if (file === null) throw refuse('gone_meanwhile');
  return file;
}

/** Puts back what files took the place of that are recalled now, as far as the viewer may. */
export async function putBackReplacedBy(
  scope: WriteScope,
  proof: Proof<'batches.recall'>,
  files: ReadonlyMap<number, FileRow>,
  at: number,
): Promise<void> {
  const versions = await versionsOf(scope)
    .where(isListedId('version.replaced_by_id', listText([...files.keys()])))
    .where(isListedId('version.version_of', listText([...files.keys()])))
    .orderBy('version.id')
    .execute();
  for (const found of versions) {
    const newer = files.get(found.newestId);
    if (newer === undefined) continue;
    scope.authorize('files.restore', restored(found, newer));
    await putBack(scope, proof, { found, newer }, at);
  }
}

// What becomes of a file after it is there.
import { refuse } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import type { Proof } from '#contract/policy.ts';
import type { Principal } from '../access/principal.ts';
import type { WriteScope } from '../access/scope.ts';
import { record } from '../audit/record.ts';
import type { Services } from '../services.ts';
import { findFile } from './find.ts';

/** Deletes a file: the row with its entry. Answers the storage key whose bytes go afterwards. */
export async function deleteFile(principal: Principal, id: number, { now }: Pick<Services, 'now'>): Promise<string> {
  return principal.change('files.delete', async (scope) => {
    const file = await findFile(scope, id);
    if (file === null) throw refuse('not_found');
    const proof = scope.authorize('files.delete', file);
    const key = await removeFile(scope, proof, file);
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
      now(),
    );
    return key;
  });
}

/** Deletes the row and answers the storage key whose bytes go afterwards; null when another was faster. */
async function removeFile(scope: WriteScope, proof: Proof<'files.delete'>, file: FileRow): Promise<string | null> {
  const tx = scope.unscoped(proof);
  const row = await tx
    .deleteFrom('files')
    .where('id', '=', file.id)
    .returning('storage_key as storageKey')
    .executeTakeFirst();
  if (row === undefined) return null;
  return row.storageKey;
}

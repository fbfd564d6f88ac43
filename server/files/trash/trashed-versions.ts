// An earlier version out of the trash: a file by itself again, where the newest one is filed.
import { sql } from 'kysely';
import type { FileRow } from '#contract/files.ts';
import type { Coming } from '../came.ts';
import { splitChain } from './chains.ts';
import { refuseHeldFiles } from './holds.ts';
import { readKept, type Tx } from './kept-rows.ts';
import { forgetFormerClient, putBackFiles } from './trashed-files.ts';

/** The newest file is on hold, and so is what it took the place of: apart from it, nothing would keep that. */
const SEPARATED = { what: 'This file', act: 'separated from its earlier versions' };

/** Puts the version `id` back with what it had replaced itself, in a transaction that holds both. Refuses `on_hold`. */
export async function takeOutVersion(
  tx: Tx,
  { id, entryId, newest }: { readonly id: number; readonly entryId: number; readonly newest: FileRow },
  coming: Coming,
): Promise<void> {
  await refuseHeldFiles(tx, sql`files.id = ${newest.id}`, SEPARATED);
  await splitChain(tx, { id, newestId: newest.id });
  const [was] = await readKept<{ client_id: number }>(tx, 'files', entryId);
  const { clientId, reportTypeId, fileType, documentType } = newest;
  await putBackFiles(tx, sql`${entryId}`, coming, { clientId, reportTypeId, fileType, documentType });
  await tx.db.deleteFrom('trash').where('id', '=', entryId).execute();
  if (was !== undefined && Number(was.client_id) !== clientId) await forgetFormerClient(tx, id);
}

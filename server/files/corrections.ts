// What corrects what: a later file names the earlier one that it corrects. Both stay, of one client, and never in a circle.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { refuseFields } from '#contract/errors.ts';
import { CORRECTS_IN_A_CIRCLE, CORRECTS_ITSELF, type FileRow, NOT_TO_CORRECT } from '#contract/files.ts';
import type { Proof } from '#contract/policy.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import { findFile } from './find.ts';
import { lockRow, type Tx } from './trash/kept-rows.ts';

/** The file that one of this client is to correct. Refuses one that is missing, out of reach or of another client, told apart by nothing. */
export async function findCorrected(scope: ReadScope, id: number, clientId: number): Promise<FileRow> {
  const file = await findFile(scope, id);
  if (file === null || file.clientId !== clientId) throw refuseFields({ corrects: NOT_TO_CORRECT });
  return file;
}

/** The same inside of a transaction: until its end the file stays with its client. */
export async function holdCorrected(
  scope: WriteScope,
  proof: Proof<'files.upload' | 'files.refile'>,
  id: number,
  clientId: number,
): Promise<FileRow> {
  await lockRow({ db: scope.unscoped(proof), engine: scope.engine }, 'files', id);
  return findCorrected(scope, id, clientId);
}

/** Whether `earlier` corrects `later` already, itself or by way of others, which are among `files`; also where they are the same. */
const leadsBack = (earlier: number, later: number, files: RawBuilder<unknown> = sql.table('files')) =>
  sql<SqlBool>`exists (with recursive chain (id) as (
    select cast(${earlier} as bigint) union
    select file.corrects_id from ${files} file join chain on chain.id = file.id where file.corrects_id is not null)
    select 1 from chain where chain.id = ${later})`;

/**
 * Judges what a stored file of `clientId` is to correct from now on, and answers it. Of one client, one such change is made at a
 * time: two at once could close a circle that neither of them sees.
 */
export async function judgeCorrected(
  scope: WriteScope,
  proof: Proof<'files.refile'>,
  later: { readonly id: number; readonly clientId: number },
  earlierId: number,
): Promise<FileRow> {
  if (earlierId === later.id) throw refuseFields({ corrects: CORRECTS_ITSELF });
  await scope.serialize(`corrections-of-${later.clientId}`);
  const earlier = await holdCorrected(scope, proof, earlierId, later.clientId);
  const isCircle = async (files?: RawBuilder<unknown>) => {
    const query = sql<{ circle: number | boolean }>`select ${leadsBack(earlierId, later.id, files)} as circle`;
    const { rows } = await query.execute(scope.unscoped(proof));
    return Boolean(rows[0]?.circle);
  };
  if (await isCircle()) {
    // By way of a file out of reach, it is not told that there is one.
    const isSeen = await isCircle(sql`(${scope.files().select(['files.id', 'files.corrects_id'])})`);
    throw refuseFields({ corrects: isSeen ? CORRECTS_IN_A_CIRCLE : NOT_TO_CORRECT });
  }
  return earlier;
}

/** A file that goes to another client takes no correction along: those of it stay behind, and correct nothing any more. */
export async function forgetCorrectionsOf({ db }: Pick<Tx, 'db'>, id: number): Promise<void> {
  await db.updateTable('files').set({ corrects_id: null }).where('corrects_id', '=', id).execute();
}

/**
 * Makes `later` correct `earlier` again after one of them was away, as far as both are there, of one client, and nothing else was said
 * meanwhile.
 */
export async function correctAgain(
  { db }: Pick<Tx, 'db'>,
  { earlier, later }: { readonly earlier: number; readonly later: number },
): Promise<void> {
  await sql`update files set corrects_id = ${earlier} where files.id = ${later} and files.corrects_id is null
    and exists (select 1 from files other where other.id = ${earlier} and other.client_id = files.client_id)
    and not ${leadsBack(earlier, later)}`.execute(db);
}

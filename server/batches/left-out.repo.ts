// What was dropped and did not come into a batch: named with the reason, by the browser that did not send it or by the server that opened a ZIP.
import { LEFT_OUT_NAMED_MAX } from '#contract/batch-words.ts';
import type { BatchRow, LeftOutFile, LeftOutTold } from '#contract/batches.ts';
import { refuse } from '#contract/errors.ts';
import type { Proof } from '#contract/policy.ts';
import type { ReadScope, WriteScope } from '../people/access/scope.ts';
import { cleanFilePath } from '../platform/blobs/clean-file-name.ts';
import { isListedKey, listText } from '../platform/db/id-list.ts';
import { findBatch, holdBatch } from './batches.repo.ts';

type Allowed = Proof<'batches.use'>;

/** In the order they were told. */
export async function listLeftOut(scope: ReadScope, batchId: number): Promise<LeftOutFile[]> {
  return await scope
    .batches()
    .innerJoin('batch_left_out as left_out', 'left_out.batch_id', 'batches.id')
    .where('batches.id', '=', batchId)
    .orderBy('left_out.id')
    .select(['left_out.name as name', 'left_out.reason as reason'])
    .execute();
}

/** Takes down what a browser did not send to a batch that is being filled. */
export async function tellLeftOut(
  scope: WriteScope,
  proof: Allowed,
  batchId: number,
  { files }: LeftOutTold,
): Promise<BatchRow> {
  const batch = await holdBatch(scope, batchId);
  if (batch.state !== 'adding') throw refuse('batch_not_adding');
  await enterLeftOut(scope, proof, batchId, files);
  return findBatch(scope, batchId);
}

/** In a batch that is held: the same name and reason once, and beyond the most that are named they are only counted. */
export async function enterLeftOut(
  scope: WriteScope,
  proof: Allowed,
  batchId: number,
  files: readonly LeftOutFile[],
): Promise<void> {
  if (files.length === 0) return;
  const known = await listLeftOut(scope, batchId);
  const keyOf = ({ name, reason }: LeftOutFile) => `${reason} ${name}`;
  const told = new Map(
    files.map(({ name, reason }) => ({ name: cleanFilePath(name), reason })).map((file) => [keyOf(file), file]),
  );
  for (const file of known) told.delete(keyOf(file));
  if (told.size === 0) return;
  const tx = scope.unscoped(proof);
  const named = [...told.values()].slice(0, Math.max(0, LEFT_OUT_NAMED_MAX - known.length));
  if (named.length > 0) {
    await tx
      .insertInto('batch_left_out')
      .values(named.map((file) => ({ ...file, batch_id: batchId })))
      .execute();
  }
  await tx
    .updateTable('batches')
    .set(({ eb }) => ({ left_out: eb('left_out', '+', told.size) }))
    .where('id', '=', batchId)
    .execute();
}

/**
 * In a batch that is held: files of these names came after all. One in a folder or a ZIP is another file, but for what could not be
 * sent: that comes without its folder, and whoever still misses one of another folder names it again.
 */
export async function forgetLeftOut(
  scope: WriteScope,
  proof: Allowed,
  batchId: number,
  names: readonly string[],
): Promise<void> {
  const came = new Set(names);
  const known = await listLeftOut(scope, batchId);
  const isBack = ({ name, reason }: LeftOutFile) =>
    came.has(name) || (reason === 'notSent' && came.has(name.slice(name.lastIndexOf('/') + 1)));
  const tx = scope.unscoped(proof);
  const gone = await tx
    .deleteFrom('batch_left_out')
    .where('batch_id', '=', batchId)
    .where(isListedKey('batch_left_out.name', listText(known.filter(isBack).map(({ name }) => name))))
    .returning('id')
    .execute();
  if (gone.length === 0) return;
  await tx
    .updateTable('batches')
    .set(({ eb }) => ({ left_out: eb('left_out', '-', gone.length) }))
    .where('id', '=', batchId)
    .execute();
}

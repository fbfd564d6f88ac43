// What is found under an id that somebody opens: a file in reach, or for an earlier version what takes its place.

import { refuse } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import type { ReadScope } from '../people/access/scope.ts';
import { findFile, findStoredFile, type StoredFile } from './find.ts';
import { findNewestOf, findStoredVersion } from './versions.ts';

/** A file in reach, or the newest one where `id` is that of an earlier version of it. Refuses `not_found`. */
export async function findNewest(read: ReadScope, id: number): Promise<{ file: FileRow; ledHere: boolean }> {
  const there = await findFile(read, id);
  if (there !== null) return { file: there, ledHere: false };
  const newestId = await findNewestOf(read, id);
  const newest = newestId === null ? null : await findFile(read, newestId);
  if (newest === null) throw refuse('not_found');
  return { file: newest, ledHere: true };
}

/** What is served under an id: the file in reach, or to staff the earlier version of one. */
export async function findServed(
  read: ReadScope,
  id: number,
): Promise<(StoredFile & { readonly newestId?: number }) | null> {
  return (await findStoredFile(read, id)) ?? findStoredVersion(read, id);
}

// Files several files elsewhere, one after the other.
import type { RefileInput } from '#contract/files.ts';
import { call } from '#web/lib/api.ts';
import { refreshAfterUpload } from './files.ts';
import { type OneByOne, oneByOne } from './one-by-one.ts';

/** The same for each of several files. Never rejects. */
export async function refileEach<File extends { readonly id: number }>(
  files: readonly File[],
  change: RefileInput,
  onStep: () => void,
): Promise<OneByOne<File>> {
  const outcome = await oneByOne(files, ({ id }) => call('files.refile', { params: { id }, body: change }), onStep);
  await refreshAfterUpload();
  return outcome;
}

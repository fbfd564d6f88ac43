// Files several files elsewhere, one after the other.
import type { RefileInput } from '#contract/files.ts';
import { call } from '#web/lib/api.ts';
import { refreshAfterUpload } from './files.ts';
import { type OneByOne, oneByOne } from './one-by-one.ts';

/** The same for each of several files, unless somebody has changed it since. Never rejects. */
export async function refileEach<File extends { readonly id: number; readonly version: string }>(
  files: readonly File[],
  change: RefileInput,
  onStep: () => void,
): Promise<OneByOne<File>> {
  const refile = ({ id, version }: File) =>
    call('files.refile', { params: { id }, body: change }, { ifMatch: version });
  const outcome = await oneByOne(files, refile, onStep);
  await refreshAfterUpload();
  return outcome;
}

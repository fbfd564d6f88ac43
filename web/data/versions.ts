// Earlier versions of a file: taking a replacement back.
import type { NewerFileFate } from '#contract/trash.ts';
import { call } from '#web/lib/api.ts';
import { useMutation } from './mutation.ts';
import { type OneByOne, oneByOne } from './one-by-one.ts';
import { refresh } from './query-client.ts';

interface PutBack {
  readonly id: number;
  readonly newer: NewerFileFate;
}

const putBack = ({ id, newer }: PutBack) => call('files.restore', { params: { id }, body: { newer } });
const refreshAfterwards = () => refresh('files', 'activity', 'overview', 'trash');

/**
 * The earlier versions `ids` are files by themselves again, one after the other, and each newer one stays beside it or goes to the
 * trash. Never rejects.
 */
export async function putBackVersions(ids: readonly number[], newer: NewerFileFate): Promise<OneByOne<number>> {
  const outcome = await oneByOne(
    ids,
    (id) => putBack({ id, newer }),
    () => undefined,
  );
  await refreshAfterwards();
  return outcome;
}

export const usePutBackVersion = () =>
  useMutation({
    mutationFn: async (one: PutBack) => {
      await putBack(one);
      await refreshAfterwards();
    },
    // Put on hold or put back meanwhile: what is shown is loaded again.
    onError: () => void refresh('files', 'trash'),
  });

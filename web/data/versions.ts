// Earlier versions of a file: taking a replacement back.
import type { NewerFileFate } from '#contract/trash.ts';
import { call } from '#web/lib/api.ts';
import { useMutation } from './mutation.ts';
import { refresh } from './query-client.ts';

/** The earlier version `id` is a file by itself again, and the newer one stays beside it or goes to the trash. Throws ApiFault. */
export async function putBackVersion(id: number, newer: NewerFileFate): Promise<void> {
  await call('files.restore', { params: { id }, body: { newer } });
  await refresh('files', 'activity', 'overview', 'trash');
}

export const usePutBackVersion = () =>
  useMutation({
    mutationFn: ({ id, newer }: { readonly id: number; readonly newer: NewerFileFate }) => putBackVersion(id, newer),
    // Put on hold or put back meanwhile: what is shown is loaded again.
    onError: () => void refresh('files', 'trash'),
  });

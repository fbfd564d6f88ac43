// Who of their clients' people see files, and when one of them last opened each.
import { queryOptions } from '@tanstack/react-query';
import type { FileReaders } from '#contract/files.ts';
import { call } from '#web/lib/api.ts';

/** Those of some files, by their ids. */
export function readersQuery(ids: readonly number[]) {
  const asked = ids.join();
  return queryOptions({
    queryKey: ['files', 'readers', asked],
    queryFn: async ({ signal }): Promise<ReadonlyMap<number, FileReaders>> => {
      const { readers } = await call('files.readers', { query: { ids: asked } }, { signal });
      return new Map(readers.map((each) => [each.fileId, each]));
    },
    staleTime: 0,
  });
}

// Leads to the last page of a list from one that no longer exists: its last row may have been deleted, or an old link may name it.
import { useEffect } from 'react';
import { lastPageOf } from './pages.ts';
import type { ListSearch } from './use-list-search.ts';

interface PagedQuery {
  readonly data: { readonly rows: readonly unknown[]; readonly total: number; readonly more?: boolean } | undefined;
  readonly isPlaceholderData: boolean;
}

/** True meanwhile. */
export function useExistingPage(
  { data, isPlaceholderData }: PagedQuery,
  list: Pick<ListSearch, 'page' | 'pageSize' | 'setPage'> | undefined,
): boolean {
  const lastPage = list ? lastPageOf(data?.total ?? 0, list.pageSize) : 1;
  const isLast = data?.more ? data.rows.length > 0 || list?.page === 1 : (list?.page ?? 1) <= lastPage;
  const beyond = list !== undefined && data !== undefined && !isPlaceholderData && !isLast;
  useEffect(() => {
    // In its place, or Back would lead to it and forward again for ever.
    if (beyond) list?.setPage(lastPage, true);
  });
  return beyond;
}

// The page of a list that stands beside another one, or below a choice: the address is not its own, so that it keeps its page here.
import { useState } from 'react';
import { PAGE_SIZES } from './pages.ts';

/** For `list` of a DataTable whose order is the server's; `initialSize` rows are on a page at first. */
export function useOwnPages(initialSize: (typeof PAGE_SIZES)[number] = PAGE_SIZES[0]) {
  const [page, setPage] = useState(1);
  const [pageSize, setSize] = useState<number>(initialSize);
  return {
    page,
    pageSize,
    setPage,
    setPageSize: (size: number) => {
      setSize(size);
      setPage(1);
    },
    sort: 'given',
    defaultSort: 'given',
    setSort: () => undefined,
  };
}

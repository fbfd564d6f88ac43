// Pages belong to what is listed: another report type begins at its first page, and is loaded once.
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Address } from '#web/ui/page-link.ts';
import type { ListSearch } from '#web/ui/use-list-search.ts';

/**
 * `list` as it holds for `subject`, a report type's id or 'none', null for all of them, undefined while it is not known yet. The
 * address may still name a page of the subject before: that page is passed over, and taken out of the address.
 */
export function usePagesOf<List extends Pick<ListSearch, 'page' | 'query'>>(
  subject: number | string | null | undefined,
  list: List,
): List {
  const navigate = useNavigate();
  const [paged, setPaged] = useState(subject);
  const known = subject !== undefined && paged !== subject;
  if (known && (paged === undefined || list.page === 1)) setPaged(subject);
  const ofAnother = known && paged !== undefined && list.page !== 1;

  useEffect(() => {
    if (!ofAnother) return;
    void navigate({
      to: '.',
      search: (before: Address) => ({ ...before, page: undefined }),
      replace: true,
      resetScroll: false,
    });
  }, [ofAnother, navigate]);

  return ofAnother ? { ...list, page: 1, query: { ...list.query, offset: 0 } } : list;
}

// Which events of one's account are asked for, and what the server answers.
import { useQuery } from '@tanstack/react-query';
import { SECURITY_TOPICS } from '#contract/security-events.ts';
import { securityEventsQuery } from '#web/data/account.ts';
import { useListSearch } from '#web/ui/use-list-search.ts';

const ROWS = 10;

export type SecurityEventsQuery = ReturnType<typeof useSecurityEvents>;

/** The chosen tab and page, which are in the address, with what the server answers for them. */
export function useSecurityEvents() {
  const { page, filters, setPage, setFilters } = useListSearch({
    sorts: ['at'],
    defaultSort: '-at',
    filters: ['activity'],
  });
  const about = SECURITY_TOPICS.find((topic) => topic === filters.activity) ?? SECURITY_TOPICS[0];
  const query = useQuery(securityEventsQuery({ about, limit: ROWS, offset: (page - 1) * ROWS }));
  const choose = (topic: string | null) =>
    setFilters({ activity: topic === null || topic === SECURITY_TOPICS[0] ? '' : topic });
  return { query, about, choose, list: { page, pageSize: ROWS, setPage } };
}

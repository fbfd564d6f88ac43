// Which rows of a list are shown, and links to the others: '1-25 of 312'.
import { ActionIcon, Group, NativeSelect, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatCount, formatTotal } from '#web/lib/format.ts';
import { endOf, lastRowOf, PAGE_SIZES } from './pages.ts';
import type { ListSearch } from './use-list-search.ts';

interface PagerProps {
  /** The list's accessible name: 'Clients'. */
  label: string;
  /** Without `setPageSize`, pages are as long as they are. */
  list: Pick<ListSearch, 'page' | 'pageSize' | 'setPage'> & Partial<Pick<ListSearch, 'setPageSize'>>;
  total: number;
  /** Whether there are more than were counted. */
  more?: boolean | undefined;
  shown: number;
  className?: string | undefined;
  /** More about how the list is shown, before its pages. */
  children?: ReactNode;
}

export function Pager({ label, list, total, more = false, shown, className, children }: PagerProps) {
  const { page, pageSize, setPage, setPageSize } = list;
  const rows = { page, pageSize, shown, total, more };
  const { lastPage, cut } = endOf(rows);
  return (
    <Group component="nav" aria-label={`Pages of ${label.toLowerCase()}`} className={className ?? ''} gap="sm">
      <Text size="sm" c="dimmed" aria-live="polite">
        {formatCount((page - 1) * pageSize + 1)}-{formatCount(lastRowOf(rows))} of {formatTotal(rows)}
        {cut ? '. Narrow the list to see others.' : ''}
      </Text>
      <Group gap="xs" ml="auto" data-screen-only>
        {children}
        {setPageSize && total > PAGE_SIZES[0] ? (
          <NativeSelect
            size="xs"
            aria-label="Rows per page"
            value={String(pageSize)}
            onChange={(event) => setPageSize(Number(event.currentTarget.value))}
            data={PAGE_SIZES.map((size) => ({ value: String(size), label: `${size} rows` }))}
          />
        ) : null}
        {lastPage > 1 ? (
          <>
            <ActionIcon
              variant="default"
              aria-label="Previous page"
              disabled={page <= 1}
              onClick={() => setPage(page - 1)}
            >
              <IconChevronLeft size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="default"
              aria-label="Next page"
              disabled={page >= lastPage}
              onClick={() => setPage(page + 1)}
            >
              <IconChevronRight size={16} aria-hidden />
            </ActionIcon>
          </>
        ) : null}
      </Group>
    </Group>
  );
}

// Recent events on one's account, in plain words: when, from where and with which device.

import { Skeleton, Tabs, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconFingerprint,
  IconKey,
  IconLock,
  IconLogin,
  IconLogout,
  IconShield,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  SECURITY_TOPICS,
  type SecurityEventKind,
  type SecurityEventRow,
  type SecurityTopic,
} from '#contract/security-events.ts';
import { securityEventsQuery } from '#web/data/account.ts';
import { formatCount, formatDateTime } from '#web/lib/format.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { lastPageOf } from '#web/ui/pages.ts';
import { useListSearch } from '#web/ui/use-list-search.ts';
import classes from './account-settings.module.css';
import { deviceName } from './device-name.ts';

const LABEL = 'Recent activity on this account';
const ROWS = 10;

const tabs: Record<SecurityTopic, { readonly label: string; readonly empty: string }> = {
  'sign-ins': { label: 'Sign-ins', empty: 'Nothing has been noted yet.' },
  changes: { label: 'Changes', empty: 'Nothing has been changed yet.' },
  refusals: { label: 'Refused', empty: 'Nothing was refused.' },
};

const words: Record<SecurityEventKind, { readonly sentence: string; readonly icon: typeof IconKey }> = {
  signed_in: { sentence: 'Signed in', icon: IconLogin },
  sign_in_failed: { sentence: 'A sign-in failed', icon: IconAlertTriangle },
  signed_out: { sentence: 'Signed out', icon: IconLogout },
  session_ended: { sentence: 'A device was signed out', icon: IconLogout },
  password_changed: { sentence: 'Password changed', icon: IconLock },
  password_reset: { sentence: 'Password reset', icon: IconLock },
  second_factor_added: { sentence: 'Second factor added', icon: IconShield },
  second_factor_removed: { sentence: 'Second factor removed', icon: IconShield },
  second_factor_reset: { sentence: 'Second factor reset', icon: IconShield },
  second_factor_failed: { sentence: 'A second factor was refused', icon: IconAlertTriangle },
  recovery_code_used: { sentence: 'Recovery code used', icon: IconKey },
  recovery_codes_made: { sentence: 'New recovery codes made', icon: IconKey },
  stepped_up: { sentence: 'Confirmed with the second factor', icon: IconFingerprint },
  access_changed: { sentence: 'Access changed', icon: IconShield },
  denied: { sentence: 'Something out of reach was refused', icon: IconAlertTriangle },
};

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

export function SecurityEvents({ query, about, choose, list }: ReturnType<typeof useSecurityEvents>) {
  return (
    <Tabs value={about} onChange={choose} keepMounted={false}>
      <Tabs.List mb="md">
        {SECURITY_TOPICS.map((topic) => (
          <Tabs.Tab key={topic} value={topic}>
            {tabs[topic].label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {SECURITY_TOPICS.map((topic) => (
        <Tabs.Panel key={topic} value={topic} className={classes.events}>
          <EventList query={query} list={list} empty={tabs[topic].empty} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

interface EventListProps extends Pick<ReturnType<typeof useSecurityEvents>, 'query' | 'list'> {
  empty: string;
}

function EventList({ query, list, empty }: EventListProps) {
  const { data, error, isFetching, isPlaceholderData, refetch } = query;
  // An old link may name a page that no longer exists.
  const lastPage = lastPageOf(data?.total ?? 0, list.pageSize);
  const beyond = data !== undefined && !isPlaceholderData && list.page > lastPage;
  useEffect(() => {
    if (beyond) list.setPage(lastPage);
  });

  if (data === undefined) {
    return error ? (
      <ErrorState message={error.message} onRetry={() => void refetch()} busy={isFetching} />
    ) : (
      <div role="status" aria-label="Loading account activity...">
        <Skeleton height={36} mb="md" aria-hidden />
        <Skeleton height={36} aria-hidden />
      </div>
    );
  }
  if (data.total === 0) return <Text c="dimmed">{empty}</Text>;

  return (
    <>
      <ul className={classes.devices} aria-label={LABEL} aria-busy={isFetching}>
        {data.rows.map((event) => (
          <Event key={event.id} event={event} />
        ))}
      </ul>
      {data.total > list.pageSize ? (
        <Pager label={LABEL} list={list} total={data.total} shown={data.rows.length} className={classes.foot} />
      ) : null}
    </>
  );
}

/** 'Chrome on Windows from 203.0.113.7', 'by Ada Quill', or nothing where neither is known. */
function originOf({ actorName, address, device }: SecurityEventRow): string {
  if (actorName !== null) return `by ${actorName}`;
  return [device ? deviceName(device) : '', address ? `from ${address}` : ''].filter(Boolean).join(' ');
}

/** When it was; for repeated refusals, how often and when last. */
function whenOf({ at, lastAt, times }: SecurityEventRow): string {
  return times === 1 ? formatDateTime(at) : `${formatCount(times)} times, last at ${formatDateTime(lastAt)}`;
}

function Event({ event }: { event: SecurityEventRow }) {
  const { sentence, icon: Icon } = words[event.kind];
  const { detail, times } = event;
  const about = detail === null ? '' : times === 1 ? ` (${detail})` : ` (last: ${detail})`;
  return (
    <li className={classes.device}>
      <Icon size={22} stroke={1.5} aria-hidden />
      <div className={classes.about}>
        <p className={classes.name}>{`${sentence}${about}`}</p>
        <p className={classes.fact}>{[whenOf(event), originOf(event)].filter(Boolean).join(' · ')}</p>
      </div>
    </li>
  );
}

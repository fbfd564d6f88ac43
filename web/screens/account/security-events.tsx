// Recent events on one's account, in plain words: when, from where and with which device.

import { Skeleton, Tabs, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconEye,
  IconFingerprint,
  IconKey,
  IconLock,
  IconLogin,
  IconLogout,
  IconShield,
} from '@tabler/icons-react';
import { deviceName } from '#contract/device-name.ts';
import {
  CHANGE_OF_PASSWORD,
  SECURITY_TOPICS,
  type SecurityEventKind,
  type SecurityEventRow,
  type SecurityTopic,
} from '#contract/security-events.ts';
import { formatCount } from '#web/lib/format.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Moment } from '#web/ui/moment.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { useExistingPage } from '#web/ui/use-existing-page.ts';
import classes from './account-settings.module.css';
import type { SecurityEventsQuery } from './use-security-events.ts';

const LABEL = 'Recent activity on this account';

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
  invited: { sentence: 'Invited to choose a password', icon: IconLock },
  invitation_withdrawn: { sentence: 'Invitation withdrawn', icon: IconLock },
  joined: { sentence: 'Joined, with a password of one’s own', icon: IconLock },
  second_factor_added: { sentence: 'Second factor added', icon: IconShield },
  second_factor_removed: { sentence: 'Second factor removed', icon: IconShield },
  second_factor_reset: { sentence: 'Second factor reset', icon: IconShield },
  second_factor_failed: { sentence: 'A second factor was refused', icon: IconAlertTriangle },
  recovery_code_used: { sentence: 'Recovery code used', icon: IconKey },
  recovery_codes_made: { sentence: 'New recovery codes made', icon: IconKey },
  stepped_up: { sentence: 'Confirmed with the second factor', icon: IconFingerprint },
  access_changed: { sentence: 'Access changed', icon: IconShield },
  looked_at: { sentence: 'The portal was looked at as you have it', icon: IconEye },
  denied: { sentence: 'Something out of reach was refused', icon: IconAlertTriangle },
};

export function SecurityEvents({ query, about, choose, list }: SecurityEventsQuery) {
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

interface EventListProps extends Pick<SecurityEventsQuery, 'query' | 'list'> {
  empty: string;
}

function EventList({ query, list, empty }: EventListProps) {
  const { data, error, isFetching, refetch } = query;
  useExistingPage(query, list);

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

/** What happened, with its detail. */
function sentenceOf({ kind, detail, times }: SecurityEventRow): string {
  if (kind === 'sign_in_failed' && detail === CHANGE_OF_PASSWORD) return 'Wrong current password';
  const { sentence } = words[kind];
  if (detail === null) return sentence;
  return `${sentence} (${times === 1 ? detail : `last: ${detail}`})`;
}

/** When it was; for repeated refusals, how often and when last. */
function When({ event: { at, lastAt, times } }: { event: SecurityEventRow }) {
  if (times === 1) return <Moment at={at} />;
  return (
    <>
      {formatCount(times)} times, last at <Moment at={lastAt} />
    </>
  );
}

function Event({ event }: { event: SecurityEventRow }) {
  const { icon: Icon } = words[event.kind];
  const origin = originOf(event);
  return (
    <li className={classes.device}>
      <Icon size={22} stroke={1.5} aria-hidden />
      <div className={classes.about}>
        <p className={classes.name}>{sentenceOf(event)}</p>
        <p className={classes.fact}>
          <When event={event} />
          {origin === '' ? '' : ` · ${origin}`}
        </p>
      </div>
    </li>
  );
}

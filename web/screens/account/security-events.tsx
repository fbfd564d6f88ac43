// What was done with one's account lately, in plain words: when, from where and with which device.

import { Button, Skeleton, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconFingerprint,
  IconKey,
  IconLock,
  IconLogin,
  IconLogout,
  IconShield,
} from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { SecurityEventKind, SecurityEventRow } from '#contract/security-events.ts';
import type { ListPage } from '#web/lib/api.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import classes from './account-settings.module.css';
import { deviceName } from './device-name.ts';

/** More than these are shown on demand. */
const SHOWN_AT_ONCE = 6;

const words: Record<SecurityEventKind, { readonly sentence: string; readonly icon: typeof IconKey }> = {
  signed_in: { sentence: 'Signed in', icon: IconLogin },
  sign_in_failed: { sentence: 'A sign-in failed', icon: IconAlertTriangle },
  signed_out: { sentence: 'Signed out', icon: IconLogout },
  session_ended: { sentence: 'A device was signed out', icon: IconLogout },
  password_changed: { sentence: 'Password changed', icon: IconLock },
  password_reset: { sentence: 'Password set anew', icon: IconLock },
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

export function SecurityEvents({ query }: { query: UseQueryResult<ListPage<SecurityEventRow>> }) {
  const { data, error, isFetching, refetch } = query;
  const list = useRef<HTMLUListElement>(null);
  const [all, setAll] = useState(false);

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
  if (data.rows.length === 0) return <Text c="dimmed">Nothing has been noted yet.</Text>;

  return (
    <>
      <ul ref={list} className={classes.devices} aria-label="Recent activity on this account" tabIndex={-1}>
        {data.rows.slice(0, all ? undefined : SHOWN_AT_ONCE).map((event) => (
          <Event key={event.id} event={event} />
        ))}
      </ul>
      {!all && data.rows.length > SHOWN_AT_ONCE ? (
        <div className={classes.foot}>
          <Button
            variant="subtle"
            onClick={() => {
              setAll(true);
              // The button is gone; the list that has grown takes its place.
              list.current?.focus();
            }}
          >
            Show all {data.rows.length} entries
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** 'Chrome on Windows from 203.0.113.7', 'by Ada Quill', or nothing where neither is known. */
function originOf({ actorName, address, device }: SecurityEventRow): string {
  if (actorName !== null) return `by ${actorName}`;
  return [device ? deviceName(device) : '', address ? `from ${address}` : ''].filter(Boolean).join(' ');
}

function Event({ event }: { event: SecurityEventRow }) {
  const { sentence, icon: Icon } = words[event.kind];
  return (
    <li className={classes.device}>
      <Icon size={22} stroke={1.5} aria-hidden />
      <div className={classes.about}>
        <p className={classes.name}>{event.detail === null ? sentence : `${sentence} (${event.detail})`}</p>
        <p className={classes.fact}>{[formatDateTime(event.at), originOf(event)].filter(Boolean).join(' · ')}</p>
      </div>
    </li>
  );
}

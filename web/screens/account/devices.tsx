// The devices one is signed in on, and the ways to sign them out.

import { Badge, Button, Skeleton } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { deviceName, isHandheld } from '#contract/device-name.ts';
import type { SessionRow } from '#contract/session.ts';
import { useEndDevice, useEndOtherDevices } from '#web/data/account.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import type { ListPage } from '#web/lib/api.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Moment } from '#web/ui/moment.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useRowsUnderWay } from '#web/ui/use-rows-under-way.ts';
import { accountDone, accountFailed } from './account-messages.ts';
import classes from './account-settings.module.css';

/** More than these are shown on demand. */
const SHOWN_AT_ONCE = 6;

/** This device first, then the most recently used. */
function inOrder(rows: readonly SessionRow[]): SessionRow[] {
  return rows.toSorted(
    (one, other) => Number(other.current) - Number(one.current) || other.lastSeenAt.localeCompare(one.lastSeenAt),
  );
}

export function Devices({ query }: { query: UseQueryResult<ListPage<SessionRow>> }) {
  const { data, error, isFetching, refetch } = query;
  const list = useRef<HTMLUListElement>(null);
  const ending = useEndDevice();
  const underWay = useRowsUnderWay<SessionRow['id']>();
  const endingOthers = useEndOtherDevices();
  const confirm = useConfirm();
  const [all, setAll] = useState(false);

  if (data === undefined) {
    return error ? (
      <ErrorState message={error.message} onRetry={() => void refetch()} busy={isFetching} />
    ) : (
      <div role="status" aria-label="Loading devices...">
        <Skeleton height={36} mb="md" aria-hidden />
        <Skeleton height={36} aria-hidden />
      </div>
    );
  }

  const signOut = async (device: SessionRow) => {
    try {
      // Awaited one by one: of two that are signed out one after the other both say what came of it.
      await ending.mutateAsync(device.id);
    } catch (fault) {
      // One that is gone is signed out, as was asked for.
      const isGone = fault instanceof ApiFault && fault.code === 'not_found';
      if (!isGone) toastFault(fault, accountFailed.signOutDevice);
      await refetch();
      if (!isGone) return;
    }
    toast.success(accountDone.deviceSignedOut);
    // The button disappears with its row.
    list.current?.focus();
  };

  const others = data.rows.filter((device) => !device.current).length;
  const signOutOthers = () =>
    confirm({
      title: 'Sign out everywhere else?',
      message: `You stay signed in here and are signed out on ${others === 1 ? '1 other device' : `${others} other devices`}.`,
      confirmLabel: 'Sign Out',
      busyLabel: 'Signing out...',
      onConfirm: async () => {
        try {
          await endingOthers.mutateAsync();
          toast.success(accountDone.otherDevicesSignedOut);
        } catch (fault) {
          toastFault(fault, accountFailed.signOutDevice);
        }
      },
    });

  return (
    <>
      <ul ref={list} className={classes.devices} aria-label="Signed-in devices" tabIndex={-1}>
        {inOrder(data.rows)
          .slice(0, all ? undefined : SHOWN_AT_ONCE)
          .map((device) => (
            <DeviceRow
              key={device.id}
              device={device}
              busy={underWay.has(device.id)}
              onSignOut={() => void underWay.run(device.id, () => signOut(device))}
            />
          ))}
      </ul>
      {others > 0 ? (
        <div className={classes.foot}>
          {!all && data.rows.length > SHOWN_AT_ONCE ? (
            <Button
              variant="subtle"
              onClick={() => {
                setAll(true);
                // The button disappears; the longer list takes its place.
                list.current?.focus();
              }}
            >
              Show all {data.rows.length} devices
            </Button>
          ) : null}
          <Button variant="default" onClick={signOutOthers}>
            Sign out everywhere else
          </Button>
        </div>
      ) : null}
    </>
  );
}

interface DeviceRowProps {
  device: SessionRow;
  busy: boolean;
  onSignOut: () => void;
}

function DeviceRow({ device, busy, onSignOut }: DeviceRowProps) {
  const name = deviceName(device.userAgent);
  const signedIn = formatDateTime(device.createdAt);
  const Icon = isHandheld(device.userAgent) ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <li className={classes.device}>
      <Icon size={22} stroke={1.5} aria-hidden />
      <div className={classes.about}>
        <p className={classes.name}>
          {name}
          {device.current ? <Badge size="sm">This device</Badge> : null}
        </p>
        <p className={classes.fact}>
          {device.current ? (
            'Active now'
          ) : (
            <>
              Last active <Moment at={device.lastSeenAt} />
            </>
          )}
          {device.address === '' ? '' : ` from ${device.address}`}
        </p>
        <p className={classes.fact}>
          Signed in <Moment at={device.createdAt} />
        </p>
      </div>
      {device.current ? null : (
        <BusyButton
          variant="default"
          size="xs"
          onClick={onSignOut}
          busy={busy}
          aria-label={`Sign out ${name}, signed in ${signedIn}`}
        >
          {busy ? 'Signing out...' : 'Sign out'}
        </BusyButton>
      )}
    </li>
  );
}

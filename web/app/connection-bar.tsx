// The bar over everything while the server cannot be reached; when it can, the bar goes and failed calls are repeated.

import { IconWifiOff } from '@tabler/icons-react';
import { useEffect } from 'react';
import { refreshFailed } from '#web/data/query-client.ts';
import { getConnection, onConnectionChange, useConnection } from '#web/lib/connection.ts';
import classes from './connection-bar.module.css';

export const CONNECTION_BAR_PX = 36;

const words = {
  offline: 'You are offline. Your work here is kept.',
  unreachable: 'The server cannot be reached. Trying again...',
};

export function ConnectionBar() {
  const connection = useConnection();
  useEffect(
    () =>
      onConnectionChange(() => {
        if (getConnection() === 'online') void refreshFailed();
      }),
    [],
  );
  return (
    // The region is before its words do: only then are they announced.
    <div role="status">
      {connection === 'online' ? null : (
        <p className={classes.bar} style={{ height: CONNECTION_BAR_PX }}>
          <IconWifiOff size={16} aria-hidden />
          <span>{words[connection]}</span>
        </p>
      )}
    </div>
  );
}

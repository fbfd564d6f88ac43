// Notices when a person comes back to this window, once for each return.

import { useWindowEvent } from '@mantine/hooks';
import { useRef } from 'react';

/** A browser reports one return in up to two events, moments apart. */
const SAME_RETURN_MS = 1_000;

/** Calls `onRegained` when the window regains focus, or its tab is shown again where a browser reports only that. */
export function useWindowRegained(onRegained: () => void): void {
  const noticedAt = useRef(Number.NEGATIVE_INFINITY);
  const notice = () => {
    if (document.visibilityState !== 'visible') return;
    const now = performance.now();
    if (now - noticedAt.current < SAME_RETURN_MS) return;
    noticedAt.current = now;
    onRegained();
  };
  useWindowEvent('focus', notice);
  useWindowEvent('visibilitychange', notice);
}

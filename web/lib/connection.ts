// Whether the server can be reached: noticed by failing calls and by the browser, confirmed by a failing probe.

import { useSyncExternalStore } from 'react';
import { newListeners } from './listeners.ts';

/** 'offline' where the browser itself says so, 'unreachable' where there is a network and still no answer. */
export type Connection = 'online' | 'offline' | 'unreachable';

/** Resolves to whether anything answers; never rejects. */
type Probe = () => Promise<boolean>;

const PROBE_EVERY_MS = 5000;

let current: Connection = 'online';
let probing = false;
let retry: ReturnType<typeof setTimeout> | undefined;
const listeners = newListeners();

function change(next: Connection): void {
  if (next === current) return;
  current = next;
  listeners.tell();
}

/** An answer came, whatever its status. */
export function noticeReachable(): void {
  clearTimeout(retry);
  change('online');
}

/**
 * No answer came. One call can fail by itself, and a browser without a network still reaches a server on the same machine: so
 * a probe decides, and repeats until it is answered.
 */
export function noticeUnreachable(probe: Probe): void {
  if (!probing) void look(probe);
}

async function look(probe: Probe): Promise<void> {
  clearTimeout(retry);
  probing = true;
  const answered = await probe();
  probing = false;
  if (answered) {
    noticeReachable();
    return;
  }
  change(navigator.onLine ? 'unreachable' : 'offline');
  retry = setTimeout(() => noticeUnreachable(probe), PROBE_EVERY_MS);
}

/** Probes the server whenever the browser loses or finds its network. Called once, at start. */
export function followNetwork(probe: Probe): void {
  for (const name of ['offline', 'online']) window.addEventListener(name, () => noticeUnreachable(probe));
}

/** Calls `listener` after every change; the answer stops it. */
export const onConnectionChange = listeners.add;

/** The connection of this moment, for code that is not a component. */
export function getConnection(): Connection {
  return current;
}

export function useConnection(): Connection {
  return useSyncExternalStore(onConnectionChange, getConnection);
}

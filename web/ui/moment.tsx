// A point in time: as the portal writes it, with the exact one and its time zone on hover, and how long ago it was where that helps.
import { useSyncExternalStore } from 'react';
import { formatAgo, formatDate, formatDateTime, formatExactly, today } from '#web/lib/format.ts';
import classes from './moment.module.css';

const MINUTE_MS = 60_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls `listener` every minute. */
function everyMinute(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, MINUTE_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The same number within a minute, so that nothing is drawn again before it would read differently. */
const thisMinute = () => Math.floor(Date.now() / MINUTE_MS);

/** The day by the clock of this browser (YYYY-MM-DD), for pages that stay open while it turns: nobody tells of that. */
export const useToday = () => useSyncExternalStore(everyMinute, today);

export interface MomentProps {
  /** ISO 8601; null and what cannot be read are shown in words. */
  at: string | null;
}

export function Moment({ at }: MomentProps) {
  const exactly = formatExactly(at);
  if (at === null || exactly === null) return formatDateTime(at);
  return (
    <time className={classes.moment} dateTime={at} title={exactly}>
      {formatDateTime(at)}
    </time>
  );
}

/** Its day alone, for columns of days; the exact moment on hover. */
export function Day({ at }: MomentProps) {
  const exactly = formatExactly(at);
  if (at === null || exactly === null) return formatDate(at);
  return (
    <time dateTime={at} title={exactly}>
      {formatDate(at)}
    </time>
  );
}

/** The same with '5 minutes ago' below it, for what is at most a week old. */
export function RecentMoment({ at }: { at: string }) {
  useSyncExternalStore(everyMinute, thisMinute);
  const ago = formatAgo(at, Date.now());
  return (
    <span className={classes.recent}>
      <Moment at={at} />
      {ago === null ? null : <span className={classes.ago}>{ago}</span>}
    </span>
  );
}

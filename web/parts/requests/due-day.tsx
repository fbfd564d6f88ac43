// The day on which a request is due, and how far it is: amber where it is near, red where it is over.
import { DUE_SOON_DAYS, daysUntil, dueWords } from '#contract/request-words.ts';
import type { RequestRow } from '#contract/requests.ts';
import { formatDate } from '#web/lib/format.ts';
import { requestWords } from '#web/lib/request-messages.ts';
import { useToday } from '#web/ui/moment.tsx';
import classes from './due-day.module.css';

export interface DueDayProps {
  request: Pick<RequestRow, 'dueOn' | 'state' | 'owed'>;
}

export function DueDay({ request: { dueOn, state, owed } }: DueDayProps) {
  const today = useToday();
  if (dueOn === null) return <span className={classes.words}>{requestWords.noDay}</span>;
  const days = daysUntil(dueOn, today);
  // Whoever has sent everything is not late.
  const isOwed = state === 'open' && owed > 0;
  const tone = days < 0 ? classes.late : days <= DUE_SOON_DAYS ? classes.soon : classes.words;
  return (
    <span className={classes.due}>
      <span>{formatDate(dueOn)}</span>
      {isOwed ? <span className={tone}>{dueWords(days)}</span> : null}
    </span>
  );
}

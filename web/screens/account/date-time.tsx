// A point in time within a sentence: the line does not break before its AM or PM.
import { formatDateTime } from '#web/lib/format.ts';
import classes from './account-settings.module.css';

export function DateTime({ at }: { at: string }) {
  return <span className={classes.dateTime}>{formatDateTime(at)}</span>;
}

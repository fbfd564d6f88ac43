// Names without spaces, with line breaks where a reader would put them.
import { Fragment } from 'react';
import classes from './breakable.module.css';

/** After a space or an underscore, and in an address before the @ and the dots that follow it. */
const BREAKS = /(?<=[_ ])|(?=@)|(?<=@\S*)(?=\.)/;

/** A date or a number as long as this stays on one line: '2026-11-20.pdf' has hyphens at which browsers would break it. */
const WHOLE_MAX = 14;

/** A file name or an address: 'Acme_PayrollJournal_2026-11-20.pdf' breaks after its underscores before it breaks anywhere else. */
export function Breakable({
  text,
  plain = false,
}: {
  text: string /** Dates break too: no part is an element of its own. */;
  plain?: boolean;
}) {
  let at = 0;
  const parts = text.split(BREAKS).map((part) => {
    at += part.length;
    return { end: at, part };
  });
  if (parts.length === 1) return text;
  return (
    // One element: as items of a flex box the parts would be separated.
    <span>
      {parts.map(({ end, part }) => (
        <Fragment key={end}>
          {!plain && part.includes('-') && part.length <= WHOLE_MAX ? (
            <span className={classes.whole}>{part}</span>
          ) : (
            part
          )}
          {end < text.length ? <wbr /> : null}
        </Fragment>
      ))}
    </span>
  );
}

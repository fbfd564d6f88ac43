// When the client's people were last reminded of a request, and why nobody is, for the staff who ask.
import type { RequestPage, RequestRow } from '#contract/requests.ts';
import { mailIsOn } from '#web/lib/product.ts';
import { requestWords } from '#web/lib/request-messages.ts';
import { Day, Moment } from '#web/ui/moment.tsx';
import classes from './due-day.module.css';

/** ' · Reminded 11/20/2026', in lists behind the day that it is due; nothing where nobody was. */
export function RemindedDay({ request: { reminded } }: { request: Pick<RequestRow, 'reminded'> }) {
  if (reminded === null) return null;
  return (
    <>
      {' · '}
      <span className={classes.words}>
        {requestWords.reminded} <Day at={reminded.at} />
      </span>
    </>
  );
}

/** The last reminder, and what keeps the next one back. */
export function Reminders({ details: { request, reminds } }: { details: RequestPage }) {
  const { dueOn, state, owed, reminded } = request;
  const isOwed = state === 'open' && owed > 0;
  const nobody = isOwed ? requestWords.whyNobody({ mailIsOn, hasDay: dueOn !== null, reminds }) : null;
  return (
    <span className={classes.due}>
      {reminded === null ? null : (
        <span>
          <Moment at={reminded.at} />, {requestWords.mailedTo(reminded.people)}
        </span>
      )}
      {nobody === null ? null : (
        <span className={mailIsOn && reminds === 0 ? classes.soon : classes.words}>{nobody}</span>
      )}
      {reminded === null && nobody === null ? (
        <span className={classes.words}>{isOwed ? requestWords.notYet : requestWords.notReminded}</span>
      ) : null}
    </span>
  );
}

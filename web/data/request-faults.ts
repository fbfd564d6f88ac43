// Why an answer to a request was refused. Apart from the queries, which every page loads: these words are for few.
import { ApiFault } from '#web/lib/api-fault.ts';
import { requestFailed, requestWords } from '#web/lib/request-messages.ts';

/** The item of an answer was taken away, or its client is out of reach. */
export const isItemGone = (error: unknown): error is ApiFault =>
  error instanceof ApiFault && error.code === 'not_found';

/** Somebody has closed the request meanwhile. */
const isClosed = (error: unknown): error is ApiFault => error instanceof ApiFault && error.code === 'request_closed';

/** The fault in words for whoever answers. */
export function answerFault(error: unknown): unknown {
  if (isItemGone(error)) return new ApiFault(error.status, requestFailed.itemGone, error);
  return isClosed(error) ? new ApiFault(error.status, requestWords.closed, error) : error;
}

/** The fault in words for staff, who can reopen what is closed. */
export const staffFault = (error: unknown): unknown =>
  isClosed(error) ? new ApiFault(error.status, requestFailed.closed, error) : error;

// Why an answer to a request was refused. Apart from the queries, which every page loads: these words are for few.
import { ApiFault } from '#web/lib/api-fault.ts';
import { requestFailed } from '#web/lib/request-messages.ts';

/** The item of an answer was taken away, or its client is out of reach. */
export const isItemGone = (error: unknown): error is ApiFault =>
  error instanceof ApiFault && error.code === 'not_found';

/** The fault in words for whoever answers. */
export const answerFault = (error: unknown) =>
  isItemGone(error) ? new ApiFault(error.status, requestFailed.itemGone, error) : error;

// What a first try may have saved although its answer was lost: it is not made twice, and not told of as somebody else's.
import type { ErrorCode } from '#contract/errors.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { savedBefore } from '#web/lib/messages.ts';
import { getSession } from '#web/lib/session.ts';

/** Nobody knows what was done: there was no answer, or one of a gateway or of a server that was ending. */
const UNKNOWN_ENDS: readonly number[] = [0, 502, 503, 504];

interface Making<Body, Row> {
  /** What tells two of them apart. */
  readonly keyOf: (body: Body) => string;
  /** How one that is there already is refused. */
  readonly taken?: ErrorCode;
  /** Looks for one that is there already, where the server would make another. */
  readonly isThere?: (body: Body) => Promise<boolean>;
  /** Finds the one that the first try has made, where it can be gone on with as it is. */
  readonly found?: (body: Body) => Promise<Row | undefined>;
  /** Has what is there shown. */
  readonly refresh: () => unknown;
}

/** Creates as `create` does. The same sent again, after a try of which nobody knows how it ended, is refused once where it is there, or is what is `found`. */
export function createdOnce<Body, Row>(
  create: (body: Body) => Promise<Row>,
  { keyOf, taken, isThere, found, refresh }: Making<Body, Row>,
): (body: Body) => Promise<Row> {
  let unknown: string | null = null;
  // Whoever signs in next has tried nothing yet.
  const triedOf = (body: Body) => `${getSession()?.user.id} ${keyOf(body)}`;
  const there = () => {
    unknown = null;
    void refresh();
    return new ApiFault(409, savedBefore, { code: taken, hasServerMessage: true });
  };
  return async (body) => {
    const tried = triedOf(body);
    const isAgain = unknown === tried;
    if (isAgain && (await isThere?.(body))) throw there();
    const before = isAgain ? await found?.(body) : undefined;
    try {
      const row = before ?? (await create(body));
      unknown = null;
      return row;
    } catch (error) {
      if (!(error instanceof ApiFault)) throw error;
      if (isAgain && taken !== undefined && error.code === taken) throw there();
      if (UNKNOWN_ENDS.includes(error.status)) {
        unknown = tried;
        // It may be there.
        void refresh();
      }
      throw error;
    }
  };
}

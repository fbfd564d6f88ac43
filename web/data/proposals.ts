// What the history speaks for expecting. Apart from what is expected: one dialog asks for it.
import { queryOptions } from '@tanstack/react-query';
import type { ProposalRequest, Proposals } from '#contract/completeness.ts';
import { call } from '#web/lib/api.ts';

/** Of the clients behind one, or of the first; asked anew each time. Those of whom nothing is proposed are passed over. */
export function proposalsQuery(asked: number, behind: Proposals['last']) {
  return queryOptions({
    queryKey: ['completeness-proposals', asked, behind],
    queryFn: async ({ signal }) => {
      let after = behind;
      for (;;) {
        const body: ProposalRequest = after === null ? {} : { after };
        const found: Proposals = await call('completeness.propose', { body }, { signal });
        if (found.proposals.length > 0 || !found.more) return found;
        after = found.last;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

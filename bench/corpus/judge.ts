// How well a batch was recognised: against what its documents really are, by layout.
import type { ProposedDocument } from '#server/batches/recognition/proposal.ts';
import type { Corpus, Truth } from './corpus.ts';

export interface Tally {
  documents: number;
  /** Documents that nothing speaks against, and how many of them are ready. */
  clean: number;
  cleanReady: number;
  ready: number;
  rightPages: number;
}

export interface Verdict {
  readonly byLayout: ReadonlyMap<string, Tally>;
  readonly all: Tally;
  /** Documents called ready with another client, type, period or other pages than they have. */
  readonly wrong: readonly { readonly truth: Truth | null; readonly proposed: ProposedDocument }[];
  /** Clean documents that are not ready. */
  readonly missed: readonly { readonly truth: Truth; readonly proposed: ProposedDocument | null }[];
  readonly lostPages: readonly Truth[];
}

const keyOf = ({ fileKey, fromPage, toPage }: { fileKey: number; fromPage: number; toPage: number }) =>
  `${fileKey}:${fromPage}-${toPage}`;
const empty = (): Tally => ({ documents: 0, clean: 0, cleanReady: 0, ready: 0, rightPages: 0 });

export function judge({ truths }: Corpus, proposals: readonly ProposedDocument[]): Verdict {
  const byPages = new Map(proposals.map((proposed) => [keyOf(proposed), proposed]));
  const truthByPages = new Map(truths.map((truth) => [keyOf(truth), truth]));
  const byLayout = new Map<string, Tally>();
  const all = empty();
  const missed: { truth: Truth; proposed: ProposedDocument | null }[] = [];
  const lostPages: Truth[] = [];
  for (const truth of truths) {
    const own = byLayout.get(truth.layout) ?? empty();
    byLayout.set(truth.layout, own);
    const proposed = byPages.get(keyOf(truth)) ?? null;
    const isReady = proposed?.state === 'ready';
    if (proposed === null) lostPages.push(truth);
    if (truth.trap === null && !isReady) missed.push({ truth, proposed });
    for (const tally of [own, all]) {
      tally.documents += 1;
      if (proposed !== null) tally.rightPages += 1;
      if (isReady) tally.ready += 1;
      if (truth.trap === null) tally.clean += 1;
      if (truth.trap === null && isReady) tally.cleanReady += 1;
    }
  }
  const wrong = proposals.flatMap((proposed) => {
    const truth = truthByPages.get(keyOf(proposed)) ?? null;
    const isRight =
      truth !== null &&
      proposed.clientId === truth.clientId &&
      proposed.reportTypeId === truth.reportTypeId &&
      proposed.period === truth.period;
    return proposed.state === 'ready' && !isRight ? [{ truth, proposed }] : [];
  });
  return { byLayout, all, wrong, missed, lostPages };
}

// What is done with a whole batch under review: accept what is ready, release, recall, discard.
import { Button } from '@mantine/core';
import { isReleasingEnded } from '#contract/batch-words.ts';
import type { BatchRow, DocumentRow } from '#contract/batches.ts';
import { formatCount } from '#web/lib/format.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { tickedWords } from './batch-messages.ts';
import { CertificateButton } from './certificate-button.tsx';
import { type Recallable, recallableOf, wasReleased } from './document-groups.ts';
import { useDiscard } from './use-discard.ts';
import { useKeyHint } from './use-key-hint.ts';
import { useMayDelete } from './use-may-delete.ts';
import type { Release } from './use-release.ts';

/** It counts what it recalls; where all of it stays, the dialog says why. */
function recallLabel({ released, freeIds: { length: free } }: Recallable): string {
  if (released === 1 || free === 0) return 'Recall';
  return free === released
    ? `Recall All ${formatCount(free)}`
    : `Recall ${formatCount(free)} of ${formatCount(released)}`;
}

export interface BatchActionsProps {
  batch: BatchRow;
  documents: readonly DocumentRow[];
  /** How many are ready and not there already. */
  ready: number;
  isAcceptingReady: boolean;
  release: Release;
  onAcceptReady: () => void;
  onRecall: () => void;
}

export function BatchActions(props: BatchActionsProps) {
  const { batch, documents, ready, release, onAcceptReady, onRecall } = props;
  const hint = useKeyHint();
  const mayRecall = useMayDelete();
  /** Whatever became of it since. */
  const isCertified = batch.released + batch.recalled > 0 || documents.some(wasReleased);
  const discard = useDiscard(batch, isCertified);
  const accepted = release.acceptedOf(documents).length;
  const releasable = release.releasableOf(documents).length;
  const releaseWords = isReleasingEnded(batch.fault) ? 'Release Again' : 'Release Accepted';
  /** Whether something is left to be decided by this person. */
  const waits = documents.some(({ state, closed }) => (state === 'toCheck' || state === 'ready') && !closed);

  return (
    <>
      {batch.released === 0 && batch.releasing === 0 && !batch.shared ? (
        <Button variant="default" onClick={discard}>
          Discard
        </Button>
      ) : null}
      {isCertified ? <CertificateButton batchId={batch.id} /> : null}
      {mayRecall && batch.released > 0 ? (
        <Button variant="default" onClick={onRecall}>
          {recallLabel(recallableOf(documents))}
        </Button>
      ) : null}
      {ready > 0 ? (
        <BusyButton variant="default" busy={props.isAcceptingReady} onClick={onAcceptReady} {...hint('Shift+A')}>
          Accept All Ready ({formatCount(ready)})
        </BusyButton>
      ) : null}
      {release.may && (waits || accepted > 0) ? (
        <Button
          onClick={() => release.release(documents)}
          disabled={releasable === 0}
          {...hint('R', tickedWords.notReleased({ notAccepted: 0, byThemselves: accepted - releasable }))}
        >
          {releasable === 0 ? releaseWords : `${releaseWords} (${formatCount(releasable)})`}
        </Button>
      ) : null}
    </>
  );
}

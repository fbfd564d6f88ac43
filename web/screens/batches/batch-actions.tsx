// What is done with a whole batch under review: accept what is ready, release, recall, discard.
import { Button } from '@mantine/core';
import type { BatchRow, DocumentRow } from '#contract/batches.ts';
import { may } from '#contract/policy.ts';
import { refreshBatches, releaseDocuments } from '#web/data/batches.ts';
import { batchFailed, batchQuestions, fourEyesWords } from '#web/lib/batch-messages.ts';
import { formatCount } from '#web/lib/format.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { toastFault } from '#web/lib/toast-fault.ts';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { CertificateButton } from './certificate-button.tsx';
import { useDiscard } from './use-discard.ts';
import { useMayRelease } from './use-may-release.ts';

export interface BatchActionsProps {
  batch: BatchRow;
  documents: readonly DocumentRow[];
  /** How many are ready and not there already. */
  ready: number;
  onAcceptReady: () => void;
  onRecall: () => void;
}

const counted = (count: number, noun: string) => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

export function BatchActions({ batch, documents, ready, onAcceptReady, onRecall }: BatchActionsProps) {
  const user = useSessionUser();
  const confirm = useConfirm();
  const discard = useDiscard(batch);
  const mayRelease = useMayRelease();
  const accepted = documents.filter(({ state, closed }) => state === 'accepted' && !closed);
  const releasable = accepted.filter(mayRelease);
  /** Whether something is left to be decided by this person. */
  const waits = documents.some(({ state, closed }) => (state === 'toCheck' || state === 'ready') && !closed);
  const clients = new Set(releasable.map(({ clientId }) => clientId)).size;
  const what = counted(releasable.length, 'document');

  const release = () =>
    confirm({
      title: `Release ${what}?`,
      message: batchQuestions.releaseDocuments(what, counted(clients, 'client')),
      confirmLabel: 'Release',
      busyLabel: 'Releasing...',
      begins: true,
      onConfirm: async () => {
        try {
          await releaseDocuments(
            batch.id,
            releasable.map(({ id }) => id),
          );
        } catch (error) {
          toastFault(error, batchFailed.releaseBatch);
          await refreshBatches();
        }
      },
    });

  return (
    <>
      {batch.released === 0 && batch.releasing === 0 ? (
        <Button variant="default" onClick={discard}>
          Discard
        </Button>
      ) : null}
      {batch.released > 0 || batch.recalled > 0 ? <CertificateButton batchId={batch.id} /> : null}
      {batch.released > 0 ? (
        <Button variant="default" onClick={onRecall}>
          {batch.released === 1 ? 'Recall' : `Recall All ${formatCount(batch.released)}`}
        </Button>
      ) : null}
      {ready > 0 ? (
        <Button variant="default" onClick={onAcceptReady} aria-keyshortcuts="Shift+A">
          Accept All Ready ({formatCount(ready)})
        </Button>
      ) : null}
      {may(user, 'batches.release') && (waits || accepted.length > 0) ? (
        <Button
          onClick={release}
          disabled={releasable.length === 0}
          title={releasable.length < accepted.length ? fourEyesWords.batch : undefined}
        >
          {releasable.length === 0 ? 'Release Accepted' : `Release Accepted (${formatCount(releasable.length)})`}
        </Button>
      ) : null}
    </>
  );
}

// Releasing accepted documents of a batch, all or some: asked for first, with what is left out of it and why.

import { isReleasingEnded } from '#contract/batch-words.ts';
import type { BatchRow, DocumentRow } from '#contract/batches.ts';
import { may } from '#contract/policy.ts';
import { refreshBatches, releaseDocuments } from '#web/data/batches.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { formatCount } from '#web/lib/format.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import { batchFailed, batchQuestions, tickedWords } from './batch-messages.ts';
import { useMayRelease } from './use-may-release.ts';

export interface Release {
  /** Whether this person releases documents at all. */
  readonly may: boolean;
  /** Those of `documents` that are accepted, or left of a release that has ended. */
  readonly acceptedOf: (documents: readonly DocumentRow[]) => readonly DocumentRow[];
  /** Those of them that this person may release. */
  readonly releasableOf: (documents: readonly DocumentRow[]) => readonly DocumentRow[];
  /** Asks, and orders the release of those of `documents` that may be; `released` is told which. */
  readonly release: (documents: readonly DocumentRow[], released?: (ids: readonly number[]) => void) => void;
}

/** The file that has its bytes already stays where it is: there are two of them then. */
const isDoubled = ({ sameBytes, replacesFileId }: DocumentRow) =>
  sameBytes !== null && sameBytes.fileId !== replacesFileId;

export function useRelease({ id: batchId, fault }: Pick<BatchRow, 'id' | 'fault'>): Release {
  const user = useSessionUser();
  const confirm = useConfirm();
  const mayRelease = useMayRelease();
  const acceptedOf: Release['acceptedOf'] = (documents) =>
    documents.filter(
      ({ state, closed }) => !closed && (state === 'accepted' || (state === 'releasing' && isReleasingEnded(fault))),
    );
  const releasableOf: Release['releasableOf'] = (documents) => acceptedOf(documents).filter(mayRelease);

  const release: Release['release'] = (documents, released) => {
    const chosen = releasableOf(documents);
    const ids = chosen.map(({ id }) => id);
    const accepted = acceptedOf(documents);
    const byThemselves = accepted.length - ids.length;
    if (ids.length === 0) {
      toast.error(
        accepted.length === 0 ? tickedWords.nothingAccepted : tickedWords.notReleased({ notAccepted: 0, byThemselves }),
      );
      return;
    }
    confirm({
      title: ids.length === 1 ? 'Release 1 document?' : `Release ${formatCount(ids.length)} documents?`,
      message: batchQuestions.releaseDocuments({
        documents: ids.length,
        clients: new Set(chosen.map(({ clientId }) => clientId)).size,
        replacing: chosen.filter(({ replacesFileId }) => replacesFileId !== null).length,
        correcting: chosen.filter(({ correctsFileId }) => correctsFileId !== null).length,
        doubled: chosen.filter(isDoubled).length,
      }),
      note: tickedWords.notReleased({
        // Of all documents of a batch the others are waited for; of those that somebody ticked they are left out.
        notAccepted: released === undefined ? 0 : documents.length - accepted.length,
        byThemselves,
      }),
      confirmLabel: 'Release',
      busyLabel: 'Releasing...',
      begins: true,
      onConfirm: async () => {
        const done: number[] = [];
        try {
          await releaseDocuments(batchId, ids, (some) => done.push(...some));
        } catch (error) {
          const { length } = done;
          toastFault(error, (reason) =>
            length === 0
              ? batchFailed.releaseBatch(reason)
              : batchFailed.releaseRest(length, ids.length - length, reason),
          );
          await refreshBatches();
        }
        if (done.length > 0) released?.(done);
      },
    });
  };
  return { may: may(user, 'batches.release'), acceptedOf, releasableOf, release };
}

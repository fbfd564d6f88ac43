// Releasing accepted documents of a batch, all or some: asked for first, with what is left out of it and why.
import type { DocumentRow } from '#contract/batches.ts';
import { may } from '#contract/policy.ts';
import { refreshBatches, releaseDocuments } from '#web/data/batches.ts';
import { formatCount } from '#web/lib/format.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { toastFault } from '#web/lib/toast-fault.ts';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import { batchFailed, batchQuestions, fourEyesWords, tickedWords } from './batch-messages.ts';
import { useMayRelease } from './use-may-release.ts';

export interface Release {
  /** Whether this person releases documents at all. */
  readonly may: boolean;
  /** Those of `documents` that are accepted, and that this person may release. */
  readonly releasableOf: (documents: readonly DocumentRow[]) => readonly DocumentRow[];
  /** Asks, and orders the release of those of `documents` that may be; `released` is told which. */
  readonly release: (documents: readonly DocumentRow[], released?: (ids: readonly number[]) => void) => void;
}

const counted = (count: number, noun: string) => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
const isAccepted = ({ state, closed }: DocumentRow) => state === 'accepted' && !closed;

export function useRelease(batchId: number): Release {
  const user = useSessionUser();
  const confirm = useConfirm();
  const mayRelease = useMayRelease();
  const releasableOf = (documents: readonly DocumentRow[]) => documents.filter(isAccepted).filter(mayRelease);

  const release: Release['release'] = (documents, released) => {
    const chosen = releasableOf(documents);
    const ids = chosen.map(({ id }) => id);
    const accepted = documents.filter(isAccepted);
    if (ids.length === 0) {
      toast.error(accepted.length === 0 ? tickedWords.nothingAccepted : fourEyesWords.batch);
      return;
    }
    const what = counted(ids.length, 'document');
    const clients = new Set(chosen.map(({ clientId }) => clientId)).size;
    confirm({
      title: `Release ${what}?`,
      message: [
        batchQuestions.releaseDocuments(what, counted(clients, 'client')),
        batchQuestions.ofThem({
          replacing: chosen.filter(({ replacesFileId }) => replacesFileId !== null).length,
          correcting: chosen.filter(({ correctsFileId }) => correctsFileId !== null).length,
        }),
      ]
        .join(' ')
        .trim(),
      note: tickedWords.notReleased({
        // Of all documents of a batch the others are waited for; of those that somebody ticked they are left out.
        notAccepted: released === undefined ? 0 : documents.length - accepted.length,
        byThemselves: accepted.length - ids.length,
      }),
      confirmLabel: 'Release',
      busyLabel: 'Releasing...',
      begins: true,
      onConfirm: async () => {
        try {
          await releaseDocuments(batchId, ids);
          released?.(ids);
        } catch (error) {
          toastFault(error, batchFailed.releaseBatch);
          await refreshBatches();
        }
      },
    });
  };
  return { may: may(user, 'batches.release'), releasableOf, release };
}

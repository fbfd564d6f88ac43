// What a reviewer does with documents: one after the other, each on what the one before has left.
import { useRef } from 'react';
import type { DocumentRow } from '#contract/batches.ts';
import {
  decideDocuments,
  isOvertaken,
  joinDocument,
  refreshBatches,
  type Said,
  splitDocument,
} from '#web/data/batches.ts';
import { toastFault } from '#web/lib/toast-fault.ts';
import { toast } from '#web/ui/toast.tsx';
import { batchFailed, tickedWords } from './batch-messages.ts';

export interface DocumentActs {
  /** Resolves with false where it failed, which a toast says by then. */
  decide: (ids: readonly number[], said: Said) => Promise<boolean>;
  /** Of several, which are decided: where one is refused, all that come after it are not, and a toast says so. */
  decideMany: (ids: readonly number[], said: Said) => Promise<readonly number[]>;
  /** The documents that came of it; none where it failed. */
  split: (id: number, page: number) => Promise<readonly DocumentRow[]>;
  join: (id: number) => Promise<readonly DocumentRow[]>;
}

async function report(
  error: unknown,
  words: (reason: string) => string,
  overtaken: string = batchFailed.documentChanged,
): Promise<void> {
  // Whatever was shown in advance is taken back, and what others did is seen.
  await refreshBatches();
  if (isOvertaken(error)) toast.error(overtaken);
  else toastFault(error, words);
}

export function useDocumentActs(batchId: number): DocumentActs {
  const underWay = useRef<Promise<unknown>>(Promise.resolve());

  function inTurn<Result>(
    act: () => Promise<Result>,
    otherwise: Result,
    words: (reason: string) => string = batchFailed.changeDocument,
  ): Promise<Result> {
    const result = underWay.current.then(act).catch(async (error: unknown) => {
      await report(error, words);
      return otherwise;
    });
    underWay.current = result;
    return result;
  }

  return {
    decide: (ids, said) =>
      inTurn(
        async () => decideDocuments(batchId, ids, said).then(() => true),
        false,
        said.remember === undefined ? undefined : batchFailed.remember,
      ),
    decideMany: (ids, said) =>
      inTurn(async () => {
        const done: number[] = [];
        try {
          await decideDocuments(batchId, ids, said, (some) => done.push(...some));
        } catch (error) {
          await report(
            error,
            batchFailed.changeDocuments,
            tickedWords.overtaken(done.length, ids.length - done.length),
          );
        }
        return done;
      }, []),
    split: (id, page) => inTurn<readonly DocumentRow[]>(() => splitDocument(batchId, id, page), []),
    join: (id) => inTurn<readonly DocumentRow[]>(() => joinDocument(batchId, id), []),
  };
}

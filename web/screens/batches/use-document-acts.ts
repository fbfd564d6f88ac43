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
import { notAllDone } from '#web/lib/messages.ts';
import { toastFault } from '#web/lib/toast-fault.ts';
import { toast } from '#web/ui/toast.tsx';
import { batchFailed, tickedWords } from './batch-messages.ts';

export interface DocumentActs {
  /** Resolves with false where it failed, which a toast says by then. */
  decide: (ids: readonly number[], said: Said) => Promise<boolean>;
  /**
   * Of several, which are decided: where one is refused, all that come after it are not, and a toast says so. What is being decided so
   * already is left out.
   */
  decideMany: (ids: readonly number[], said: Said) => Promise<readonly number[]>;
  /** The documents that came of it; none where it failed, or is being done already. */
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

  /** What is being done, by words of its own. */
  const going = useRef(new Set<string>());

  /** Does what is not being done already: pressed twice, it is done once. */
  function once<Result>(key: string, otherwise: Result, act: () => Promise<Result>): Promise<Result> {
    if (going.current.has(key)) return Promise.resolve(otherwise);
    going.current.add(key);
    return act().finally(() => going.current.delete(key));
  }

  const decideInTurn = (ids: readonly number[], said: Said) =>
    inTurn(async () => {
      const done: number[] = [];
      try {
        await decideDocuments(batchId, ids, said, (some) => done.push(...some));
      } catch (error) {
        const left = ids.length - done.length;
        await report(
          error,
          (reason) => batchFailed.changeDocuments(notAllDone(reason, done.length, left)),
          tickedWords.overtaken(done.length, left),
        );
      }
      return done;
    }, []);

  return {
    decide: (ids, said) => {
      const act = (words?: (reason: string) => string) =>
        inTurn<boolean>(async () => decideDocuments(batchId, ids, said).then(() => true), false, words);
      if (said.remember === undefined) return act();
      return once(`remember ${said.remember} ${ids}`, false, () => act(batchFailed.remember));
    },
    decideMany: async (ids, said) => {
      const { decision } = said;
      if (decision === undefined) return decideInTurn(ids, said);
      const fresh = ids.filter((id) => !going.current.has(`${decision} ${id}`));
      if (fresh.length === 0) return [];
      for (const id of fresh) going.current.add(`${decision} ${id}`);
      try {
        return await decideInTurn(fresh, said);
      } finally {
        for (const id of fresh) going.current.delete(`${decision} ${id}`);
      }
    },
    split: (id, page) =>
      once<readonly DocumentRow[]>(`split ${id} ${page}`, [], () => inTurn(() => splitDocument(batchId, id, page), [])),
    join: (id) => once<readonly DocumentRow[]>(`join ${id}`, [], () => inTurn(() => joinDocument(batchId, id), [])),
  };
}

// What a reviewer does with documents: one after the other, each on what the one before has left.
import { useRef } from 'react';
import type { DocumentRow } from '#contract/batches.ts';
import {
  decideDocuments,
  isOvertaken,
  joinDocument,
  keptDocuments,
  refreshBatches,
  type Said,
  type SeenVersions,
  splitDocument,
  versionsOf,
} from '#web/data/batches.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { notAllDone } from '#web/lib/messages.ts';
import { toast } from '#web/ui/toast.tsx';
import { batchFailed, tickedWords } from './batch-messages.ts';

/** What of documents was looked at: what was shown at one moment, and what one's own acts have made of it since. */
export interface Look {
  readonly versions: () => SeenVersions;
  /** Takes what is shown now for looked at. */
  readonly renew: () => void;
}

export interface DocumentActs {
  /** Resolves with false where it failed, which a toast says by then. */
  decide: (ids: readonly number[], said: Said) => Promise<boolean>;
  /**
   * Of several, which are decided: where one is refused, all that come after it are not, and a toast says so. What is being decided so
   * already is left out. `look` is what was looked at, where that is not what is shown now.
   */
  decideMany: (ids: readonly number[], said: Said, look?: Look) => Promise<readonly number[]>;
  /** What is shown now, and not what has come of others once what is under way has its answer. */
  looked: () => Look;
  /** Whether it is being accepted or dropped: it is as it was until the server has answered. */
  isDeciding: (id: number) => boolean;
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

/** What is looked at of a batch, and what one's own acts have made of it since. */
function useLooks(batchId: number) {
  /** The versions that one's own acts have made: they only grow. */
  const own = useRef(new Map<number, number>());
  const noteOwn = (rows: readonly DocumentRow[]) => {
    for (const { id, version } of rows) own.current.set(id, version);
    return rows;
  };
  const looked = (): Look => {
    let shown = versionsOf(keptDocuments(batchId));
    return {
      versions: () => new Map([...shown].map(([id, version]) => [id, Math.max(version, own.current.get(id) ?? 0)])),
      renew: () => {
        shown = versionsOf(keptDocuments(batchId));
      },
    };
  };
  return { noteOwn, looked };
}

export function useDocumentActs(batchId: number): DocumentActs {
  const { noteOwn, looked } = useLooks(batchId);
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

  const decideLooked = (ids: readonly number[], said: Said, look: Look, done?: (ids: readonly number[]) => void) =>
    decideDocuments(batchId, ids, said, {
      seen: look.versions(),
      done: (some, rows) => {
        noteOwn(rows);
        done?.(some);
      },
    });

  /** What is being done, by words of its own. */
  const going = useRef(new Set<string>());

  async function noted<Result>(keys: readonly string[], act: () => Promise<Result>): Promise<Result> {
    for (const key of keys) going.current.add(key);
    try {
      return await act();
    } finally {
      for (const key of keys) going.current.delete(key);
    }
  }

  /** Does what is not being done already: pressed twice, it is done once. */
  const once = <Result>(key: string, otherwise: Result, act: () => Promise<Result>): Promise<Result> =>
    going.current.has(key) ? Promise.resolve(otherwise) : noted([key], act);

  const keysOf = (ids: readonly number[], decision: NonNullable<Said['decision']>) =>
    ids.map((id) => `${decision} ${id}`);

  const decideInTurn = (ids: readonly number[], said: Said, look: Look) =>
    inTurn(async () => {
      const done: number[] = [];
      try {
        await decideLooked(ids, said, look, (some) => done.push(...some));
      } catch (error) {
        const left = ids.length - done.length;
        await report(
          error,
          (reason) => batchFailed.changeDocuments(notAllDone(reason, done.length, left)),
          tickedWords.overtaken(done.length, left),
        );
        // The toast says that all of them are shown as they are now.
        if (isOvertaken(error)) look.renew();
      }
      return done;
    }, []);

  return {
    decide: (ids, said) => {
      const look = looked();
      const act = (words?: (reason: string) => string) =>
        inTurn<boolean>(async () => decideLooked(ids, said, look).then(() => true), false, words);
      const { decision, remember } = said;
      if (remember !== undefined) return once(`remember ${remember} ${ids}`, false, () => act(batchFailed.remember));
      return decision === undefined ? act() : noted(keysOf(ids, decision), act);
    },
    decideMany: async (ids, said, look = looked()) => {
      const { decision } = said;
      if (decision === undefined) return decideInTurn(ids, said, look);
      const fresh = ids.filter((id) => !going.current.has(`${decision} ${id}`));
      if (fresh.length === 0) return [];
      return noted(keysOf(fresh, decision), () => decideInTurn(fresh, said, look));
    },
    looked,
    isDeciding: (id) => going.current.has(`accepted ${id}`) || going.current.has(`dropped ${id}`),
    split: (id, page) =>
      once<readonly DocumentRow[]>(`split ${id} ${page}`, [], () =>
        inTurn(() => splitDocument(batchId, id, page).then(noteOwn), []),
      ),
    join: (id) =>
      once<readonly DocumentRow[]>(`join ${id}`, [], () => inTurn(() => joinDocument(batchId, id).then(noteOwn), [])),
  };
}

// The documents of a batch in the order in which a reviewer meets them.
import { documentStateNames, isOpenDocument } from '#contract/batch-words.ts';
import type { BatchFileRow, DocumentRow } from '#contract/batches.ts';

const GROUPS = [
  'toCheck',
  'alreadyThere',
  'unreadable',
  'ready',
  'accepted',
  'releasing',
  'released',
  'recalled',
  'dropped',
] as const;
export type GroupKey = (typeof GROUPS)[number];

export const groupNames: Record<GroupKey, string> = {
  toCheck: 'To check',
  alreadyThere: 'Already there',
  unreadable: 'Unreadable',
  ready: 'Ready',
  accepted: 'Accepted',
  releasing: 'Releasing',
  released: 'Released',
  recalled: 'Recalled',
  dropped: 'Dropped',
};

export interface DocumentGroup {
  readonly key: GroupKey;
  readonly documents: readonly DocumentRow[];
}

/** Whether this person may still change it. */
export const mayChange = ({ state, closed }: DocumentRow) => isOpenDocument(state) && !closed;

/** Nobody has decided about it yet. */
export const isUndecided = ({ state }: Pick<DocumentRow, 'state'>) => state === 'toCheck' || state === 'ready';

/** Decided by a person: it can be taken back to be checked. */
export const isDecided = ({ state }: Pick<DocumentRow, 'state'>) =>
  state === 'accepted' || state === 'dropped' || state === 'recalled';

/** It was a file once, or is pages of one: there is a certificate that says so. */
export const wasReleased = ({ releasedFileId, recall }: Pick<DocumentRow, 'releasedFileId' | 'recall'>) =>
  releasedFileId !== null || recall !== null;

/** A file is where it would go, or has its bytes. */
export const isThereAlready = ({ alreadyThere, sameBytes }: Pick<DocumentRow, 'alreadyThere' | 'sameBytes'>) =>
  alreadyThere !== null || sameBytes !== null;

/** What becomes of a document of which something is there already. */
export type EarlierChoice = 'skip' | 'add' | 'corrects' | 'replace';

/** What was chosen, or is done unless somebody says otherwise: of the same bytes nobody needs a second copy. */
export function choiceOf(document: DocumentRow): EarlierChoice {
  const { state, sameBytes, alreadyThere, replacesFileId, correctsFileId } = document;
  if (state === 'dropped' || (sameBytes !== null && isUndecided(document))) return 'skip';
  const there = alreadyThere?.fileId;
  if (there !== undefined && replacesFileId === there) return 'replace';
  return there !== undefined && correctsFileId === there ? 'corrects' : 'add';
}

function groupOf(document: DocumentRow, isUnreadable: boolean): GroupKey {
  if (!isUndecided(document)) return document.state;
  // Accepted with the others, a second copy would go out unseen.
  if (isThereAlready(document)) return 'alreadyThere';
  return isUnreadable ? 'unreadable' : document.state;
}

/** What its pill says: the state, or why nobody can go by it. */
export function stateNameOf(document: DocumentRow, file: Pick<BatchFileRow, 'state'> | undefined): string {
  if (document.state === 'recalled' && document.restored) return 'Restored';
  const isUnreadable = groupOf(document, file?.state === 'unreadable') === 'unreadable';
  return isUnreadable ? groupNames.unreadable : documentStateNames[document.state];
}

/** Groups that have documents, each in the order of files and pages. */
export function groupDocuments(documents: readonly DocumentRow[], files: readonly BatchFileRow[]): DocumentGroup[] {
  const unreadable = new Set(files.flatMap(({ id, state }) => (state === 'unreadable' ? [id] : [])));
  const byKey = Map.groupBy(documents, (document) => groupOf(document, unreadable.has(document.fileId)));
  return GROUPS.flatMap((key) => {
    const inGroup = byKey.get(key);
    return inGroup === undefined ? [] : [{ key, documents: inGroup }];
  });
}

/** All documents, one group after the other. */
export const inOrder = (groups: readonly DocumentGroup[]) => groups.flatMap(({ documents }) => documents);

/** What of released documents is recalled together, and how many of them stay. */
export interface Recallable {
  readonly released: number;
  /** Those that are recalled. */
  readonly freeIds: readonly number[];
  readonly held: number;
  /** Of a client or report type out of reach. */
  readonly closed: number;
}

export function recallableOf(documents: readonly DocumentRow[]): Recallable {
  const released = documents.filter(({ state }) => state === 'released');
  return {
    released: released.length,
    freeIds: released.filter(({ onHold, closed }) => !onHold && !closed).map(({ id }) => id),
    held: released.filter(({ onHold }) => onHold).length,
    closed: released.filter(({ closed }) => closed).length,
  };
}

/**
 * The next undecided document after `id`, from the beginning again after the last, and after a recalled one the next recalled; null where
 * there is none. What is being decided is none.
 */
export function nextUndecided(
  groups: readonly DocumentGroup[],
  id: number,
  isDeciding: (id: number) => boolean = () => false,
): DocumentRow | null {
  const all = inOrder(groups);
  const at = all.findIndex((document) => document.id === id);
  const others = [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0))].filter((other) => !isDeciding(other.id));
  const recalled =
    all[at]?.state === 'recalled' ? others.find(({ state, closed }) => state === 'recalled' && !closed) : null;
  return recalled ?? others.find((document) => isUndecided(document) && mayChange(document)) ?? null;
}

// What a reviewer does with the document in view, by button or key, and where that leads.
import { type RefObject, useRef, useState } from 'react';
import { NEEDS_CLIENT, NEEDS_REPORT_TYPE, type Remembered } from '#contract/batch-words.ts';
import type { DocumentRow } from '#contract/batches.ts';
import { endedSentence } from '#contract/plain-words.ts';
import { keepsWords } from '#contract/policy/reach.ts';
import { keptDocuments, type Said } from '#web/data/batches.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { versionWords } from '#web/lib/version-messages.ts';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import { batchDone, batchQuestions, rememberedWords, tickedWords } from './batch-messages.ts';
import type { DocumentFormHandle, FormField } from './document-form.tsx';
import {
  choiceOf,
  type DocumentGroup,
  type EarlierChoice,
  inOrder,
  isDecided,
  isThereAlready,
  isUndecided,
  mayChange,
  nextUndecided,
} from './document-groups.ts';
import { acceptableOf } from './ticked-words.ts';
import { type DocumentActs, type Look, useDocumentActs } from './use-document-acts.ts';
import { useMayDelete } from './use-may-delete.ts';
import type { Release } from './use-release.ts';
import type { SelectedDocument } from './use-selected-document.ts';
import type { Ticked } from './use-ticked.ts';

export interface ReviewingOptions {
  batchId: number;
  groups: readonly DocumentGroup[];
  selection: SelectedDocument;
  ticked: Ticked;
  release: Release;
  /** The page of the file in sight. */
  page: number;
  form: RefObject<DocumentFormHandle | null>;
  /** Asks why it is recalled. */
  onRecall: (document: DocumentRow) => void;
  /** Asks what the ticked documents are filed under, at this field first. */
  onSet: (field: FormField) => void;
}

export interface Reviewing {
  /** With `ticking`, what is met on the way is ticked. */
  readonly step: (by: 1 | -1, ticking?: boolean) => void;
  /** Ticks the document in view, or no more. */
  readonly tick: () => void;
  readonly say: (said: Said) => void;
  /** `words` say it as the reviewer reads it. */
  readonly remember: (what: Remembered, words: string) => void;
  /** Accepts what is ticked, or where nothing is, the document in view. */
  readonly accept: () => void;
  readonly acceptThis: () => void;
  /** Drops what is ticked, or where nothing is, the document in view. */
  readonly drop: () => void;
  readonly dropThis: () => void;
  /** What becomes of the document in view, of which something is there already. */
  readonly choose: (choice: EarlierChoice) => void;
  /** Releases what is ticked and accepted, or where nothing is ticked, all that is accepted. */
  readonly release: () => void;
  /** Asks why the document in view is recalled, where it is released. */
  readonly recall: () => void;
  /** Asks what the ticked documents are filed under. */
  readonly set: (field?: FormField) => void;
  /** Resolves with false where not all that is ticked is so now, which a toast says by then. */
  readonly sayOfTicked: (said: Said) => Promise<boolean>;
  readonly reopen: () => void;
  /** Takes back what was decided of the ticked documents, which stay ticked. */
  readonly reopenTicked: () => void;
  readonly split: () => void;
  readonly join: () => void;
  readonly canJoin: boolean;
  readonly readyIds: readonly number[];
  readonly acceptReady: () => void;
  /** Those that are ready are being accepted. */
  readonly isAcceptingReady: boolean;
  /** The last deed, for those who hear the page. */
  readonly said: string;
}

/** What is said of the file there by each choice but skipping. */
function earlierBy(choice: Exclude<EarlierChoice, 'skip'>, { alreadyThere }: DocumentRow) {
  const there = alreadyThere?.fileId ?? null;
  return {
    replacesFileId: choice === 'replace' ? there : null,
    correctsFileId: choice === 'corrects' ? there : null,
  };
}

/** Deciding on the document in view, where it is open; each deed is told to `announce`. */
function decisions(
  { batchId, groups, selection: { select }, form }: ReviewingOptions,
  acts: DocumentActs,
  open: DocumentRow | null,
  announce: (words: string) => void,
) {
  /** Decides, and goes to the next that waits for a decision. */
  const decide = (words: string, what: Said) => {
    if (open === null) return;
    const { id, name } = open;
    const next = nextUndecided(groups, id, acts.isDeciding);
    void acts.decide([id], what).then((worked) => {
      if (worked) announce(`${words} ${name}`);
      else select(id);
    });
    if (next !== null) select(next.id);
  };

  /** Accepts the document in view, with what is said of the file there; leads to the field that it lacks. */
  const acceptWith = (earlier: Said) => {
    if (open === null) return;
    // As it is now: a choice made a moment ago counts.
    const now = keptDocuments(batchId).find(({ id }) => id === open.id) ?? open;
    const lacking = now.clientId === null ? 'client' : now.reportTypeId === null ? 'type' : null;
    if (lacking === null) {
      decide('Accepted', { ...earlier, decision: 'accepted' });
      return;
    }
    toast.error(lacking === 'client' ? NEEDS_CLIENT : NEEDS_REPORT_TYPE);
    form.current?.focus(lacking);
  };

  const dropThis = () => decide('Dropped', { decision: 'dropped' });
  const acceptThis = () => {
    // Of the same bytes nobody needs a second copy, unless somebody says so.
    if (open !== null && isThereAlready(open) && isUndecided(open) && choiceOf(open) === 'skip') {
      decide('Skipped', { decision: 'dropped' });
    } else acceptWith({});
  };
  return { decide, acceptWith, acceptThis, dropThis };
}

/** Deciding on several at once. */
function tickedDecisions(acts: DocumentActs, ticked: Ticked, confirm: ReturnType<typeof useConfirm>) {
  /** Decides on several at once, and says what came of it; what of them is ticked and left stays ticked. */
  const decideTogether = async (
    documents: readonly DocumentRow[],
    what: Said,
    words: (count: number) => string,
    look?: Look,
  ) => {
    const ids = documents.map(({ id }) => id);
    const done = await acts.decideMany(ids, what, look);
    if (done.length > 0) toast.success(words(done.length));
    return done;
  };
  const acceptTicked = () => {
    const { documents, recalled, leftOut } = acceptableOf(ticked.documents);
    if (documents.length === 0) {
      toast.error(tickedWords.nothingToAccept(leftOut));
      return;
    }
    const words = (count: number) =>
      [`${endedSentence(batchDone.documentsAccepted(count))}`, leftOut].filter(Boolean).join(' ');
    const accept = (look?: Look) => decideTogether(documents, { decision: 'accepted' }, words, look).then(ticked.clear);
    if (recalled === 0) {
      void accept();
      return;
    }
    // What was looked at is what the question was asked about.
    const look = acts.looked();
    confirm({
      title: batchQuestions.acceptDocuments(documents.length),
      message: batchQuestions.acceptRecalled(recalled, documents.length),
      note: leftOut,
      confirmLabel: 'Accept',
      busyLabel: 'Accepting...',
      begins: true,
      onConfirm: () => accept(look),
    });
  };
  const dropTicked = () => {
    const documents = ticked.documents.filter(({ state }) => state !== 'dropped');
    if (documents.length > 0)
      void decideTogether(documents, { decision: 'dropped' }, tickedWords.dropped).then(ticked.clear);
  };
  const reopenTicked = () =>
    void decideTogether(ticked.documents.filter(isDecided), { decision: 'open' }, tickedWords.reopened);
  return { decideTogether, acceptTicked, dropTicked, reopenTicked };
}

type DecideTogether = ReturnType<typeof tickedDecisions>['decideTogether'];

/** Setting what the ticked documents are filed under. */
function useSettingTicked(
  { ticked, onSet }: ReviewingOptions,
  acts: DocumentActs,
  decideTogether: DecideTogether,
): Pick<Reviewing, 'set' | 'sayOfTicked'> {
  /** What was shown when Set was opened, or when a toast said since that it is shown as it is now. */
  const lookAtSet = useRef<Look>(undefined);
  return {
    set: (field = 'client') => {
      lookAtSet.current = acts.looked();
      onSet(field);
    },
    sayOfTicked: async (what) => {
      const { length } = ticked.documents;
      // Somebody else was faster with all of them: there is nothing left to set.
      if (length === 0) toast.error(tickedWords.noneToChange);
      const done = await decideTogether(ticked.documents, what, tickedWords.changed, lookAtSet.current);
      return done.length === length;
    },
  };
}

/** Accepting those that are ready, all at once. */
function useAcceptingReady(
  { groups }: ReviewingOptions,
  decideTogether: DecideTogether,
): Pick<Reviewing, 'readyIds' | 'acceptReady' | 'isAcceptingReady'> {
  const [isAcceptingReady, setAcceptingReady] = useState(false);
  const ready = groups.find(({ key }) => key === 'ready')?.documents.filter(mayChange) ?? [];
  return {
    readyIds: ready.map(({ id }) => id),
    acceptReady: () => {
      if (ready.length === 0 || isAcceptingReady) return;
      setAcceptingReady(true);
      void decideTogether(ready, { decision: 'accepted' }, batchDone.documentsAccepted).finally(() =>
        setAcceptingReady(false),
      );
    },
    isAcceptingReady,
  };
}

/** Splitting the document in view at the page in sight, and joining it with the one before. */
function splittingAndJoining(
  { groups, selection: { select }, page }: ReviewingOptions,
  acts: DocumentActs,
  open: DocumentRow | null,
  announce: (words: string) => void,
): Pick<Reviewing, 'split' | 'join' | 'canJoin'> {
  const canJoin =
    open !== null &&
    inOrder(groups).some(
      (other) => other.fileId === open.fileId && other.toPage === open.fromPage - 1 && mayChange(other),
    );
  return {
    split: () => {
      if (open === null || page <= open.fromPage || page > open.toPage) return;
      void acts.split(open.id, page).then((rows) => {
        if (rows.length > 0) announce(`Split at page ${page}`);
      });
    },
    join: () => {
      if (open === null || !canJoin) return;
      void acts.join(open.id).then(([whole]) => {
        if (whole === undefined) return;
        announce('Joined with the one before');
        select(whole.id);
      });
    },
    canJoin,
  };
}

export function useReviewing(options: ReviewingOptions): Reviewing {
  const { batchId, groups, selection, ticked, release, onRecall } = options;
  const acts = useDocumentActs(batchId);
  const [said, announce] = useState('');
  const mayDelete = useMayDelete();
  const user = useSessionUser();
  const { selected } = selection;
  const open = selected !== null && mayChange(selected) ? selected : null;
  const isTicked = ticked.documents.length > 0;

  const { decide, acceptWith, acceptThis, dropThis } = decisions(options, acts, open, announce);
  const { decideTogether, acceptTicked, dropTicked, reopenTicked } = tickedDecisions(acts, ticked, useConfirm());
  const setting = useSettingTicked(options, acts, decideTogether);
  const acceptingReady = useAcceptingReady(options, decideTogether);

  return {
    ...setting,
    ...acceptingReady,
    ...splittingAndJoining(options, acts, open, announce),
    step: (by, ticking = false) => {
      const next = selection.step(by);
      if (ticking && next !== null) ticked.toggleTo(next.id, selected?.id ?? null);
    },
    tick: () => {
      if (selected !== null) ticked.toggle(selected.id);
    },
    said,
    say: (what) => {
      if (open !== null) void acts.decide([open.id], what);
    },
    remember: (what, words) => {
      if (open === null) return;
      void acts.decide([open.id], { remember: [what] }).then((worked) => {
        if (!worked) return;
        toast.success(rememberedWords[keepsWords(user, what) ? what : 'own'](words));
      });
    },
    accept: () => (isTicked ? acceptTicked() : acceptThis()),
    acceptThis,
    drop: () => (isTicked ? dropTicked() : dropThis()),
    dropThis,
    choose: (choice) => {
      if (open === null || !isThereAlready(open)) return;
      if (choice === 'skip') decide('Skipped', { decision: 'dropped' });
      else if (choice === 'replace' && open.alreadyThere?.onHold) {
        if (mayDelete) toast.error(versionWords.held);
      } else if (choice === 'add' || (open.alreadyThere !== null && (choice === 'corrects' || mayDelete))) {
        acceptWith(earlierBy(choice, open));
      }
    },
    release: () => {
      if (!release.may) return;
      if (isTicked) release.release(ticked.documents, ticked.clear);
      else release.release(inOrder(groups));
    },
    recall: () => {
      if (mayDelete && selected?.state === 'released' && !selected.closed && !selected.onHold) onRecall(selected);
    },
    reopen: () => {
      if (open === null || !isDecided(open)) return;
      void acts.decide([open.id], { decision: 'open' }).then((worked) => {
        if (worked) announce(`To be checked again: ${open.name}`);
      });
    },
    reopenTicked,
  };
}

// What a reviewer does with the document in view, by button or key, and where that leads.
import { type RefObject, useState } from 'react';
import { NEEDS_CLIENT, NEEDS_REPORT_TYPE, type Remembered } from '#contract/batch-words.ts';
import { keptDocuments, type Said } from '#web/data/batches.ts';
import { batchDone, rememberWords } from '#web/lib/batch-messages.ts';
import { toast } from '#web/ui/toast.tsx';
import type { DocumentFormHandle } from './document-form.tsx';
import { type DocumentGroup, inOrder, mayChange, nextUndecided } from './document-groups.ts';
import { useDocumentActs } from './use-document-acts.ts';
import type { SelectedDocument } from './use-selected-document.ts';

export interface ReviewingOptions {
  batchId: number;
  groups: readonly DocumentGroup[];
  selection: SelectedDocument;
  /** The page of the file in sight. */
  page: number;
  form: RefObject<DocumentFormHandle | null>;
}

export interface Reviewing {
  readonly step: (by: 1 | -1) => void;
  readonly say: (said: Said) => void;
  /** `words` say it as the reviewer reads it. */
  readonly remember: (what: Remembered, words: string) => void;
  readonly accept: () => void;
  readonly drop: () => void;
  readonly reopen: () => void;
  readonly split: () => void;
  readonly join: () => void;
  readonly canJoin: boolean;
  readonly readyIds: readonly number[];
  readonly acceptReady: () => void;
  /** The last deed, for those who hear the page. */
  readonly said: string;
}

export function useReviewing({ batchId, groups, selection, page, form }: ReviewingOptions): Reviewing {
  const acts = useDocumentActs(batchId);
  const [said, announce] = useState('');
  const { selected, select } = selection;
  const open = selected !== null && mayChange(selected) ? selected : null;
  const ready = groups.find(({ key }) => key === 'ready')?.documents ?? [];
  const readyIds = ready.filter(mayChange).map(({ id }) => id);
  const canJoin =
    open !== null &&
    inOrder(groups).some(
      (other) => other.fileId === open.fileId && other.toPage === open.fromPage - 1 && mayChange(other),
    );

  /** Decides, and goes to the next that waits for a decision. */
  const decide = (decision: 'accepted' | 'dropped', words: string) => {
    if (open === null) return;
    const { id, name } = open;
    const next = nextUndecided(groups, id);
    void acts.decide([id], { decision }).then((worked) => {
      if (worked) announce(`${words} ${name}`);
      else select(id);
    });
    if (next !== null) select(next.id);
  };

  return {
    step: selection.step,
    readyIds,
    canJoin,
    said,
    say: (what) => {
      if (open !== null) void acts.decide([open.id], what);
    },
    remember: (what, words) => {
      if (open === null) return;
      void acts.decide([open.id], { remember: [what] }).then((worked) => {
        if (worked) toast.success(rememberWords.done[what](words));
      });
    },
    accept: () => {
      if (open === null) return;
      // As it is now: a choice made a moment ago counts.
      const now = keptDocuments(batchId).find(({ id }) => id === open.id) ?? open;
      const lacking = now.clientId === null ? 'client' : now.reportTypeId === null ? 'type' : null;
      if (lacking === null) {
        decide('accepted', 'Accepted');
        return;
      }
      toast.error(lacking === 'client' ? NEEDS_CLIENT : NEEDS_REPORT_TYPE);
      form.current?.focus(lacking);
    },
    drop: () => decide('dropped', 'Dropped'),
    reopen: () => {
      if (open !== null) void acts.decide([open.id], { decision: 'open' });
    },
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
    acceptReady: () => {
      if (readyIds.length === 0) return;
      void acts.decide(readyIds, { decision: 'accepted' }).then((worked) => {
        if (worked) toast.success(batchDone.documentsAccepted(readyIds.length));
      });
    },
  };
}

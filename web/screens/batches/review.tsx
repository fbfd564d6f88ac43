// The review of a batch: its documents in groups, the one in view beside them, and the keyboard for all of it.
import { Paper, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconFiles } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { isReleasingEnded, RELEASING_ENDED } from '#contract/batch-words.ts';
import type { BatchDetails, BatchFileRow, DocumentRow } from '#contract/batches.ts';
import { documentsQuery } from '#web/data/batches.ts';
import { loading } from '#web/lib/messages.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useLazyDialog } from '#web/ui/use-lazy-dialog.tsx';
import { BatchActions } from './batch-actions.tsx';
import { BatchHead } from './batch-head.tsx';
import { batchEmpty } from './batch-messages.ts';
import type { DocumentFormHandle, FormField } from './document-form.tsx';
import { type DocumentGroup, groupDocuments, recallableOf } from './document-groups.ts';
import { DocumentList, type DocumentListHandle } from './document-list.tsx';
import { DocumentPane } from './document-pane.tsx';
import { loadPasswordDialog } from './load-password-dialog.ts';
import { loadRecallDialog } from './load-recall-dialog.ts';
import { loadSetDialog } from './load-set-dialog.ts';
import type { PasswordAsked } from './password-dialog.tsx';
import type { Recalled } from './recall-dialog.tsx';
import { ReleaseProgress } from './release-progress.tsx';
import classes from './review.module.css';
import { ReviewFault } from './review-fault.tsx';
import type { SetDialogProps } from './set-dialog.tsx';
import { TickedBar } from './ticked-bar.tsx';
import { useRelease } from './use-release.ts';
import { useListKeys, useReviewKeys } from './use-review-keys.ts';
import { type Reviewing, useReviewing } from './use-reviewing.ts';
import { type SelectedDocument, useSelectedDocument } from './use-selected-document.ts';
import { type Ticked, useTicked } from './use-ticked.ts';

/** As in `review.module.css`: list and document are two steps there. */
const PHONE = '(max-width: 48em)';

/** The page in sight of a document, and what tells it. */
function usePageInSight(selectedId: number) {
  const [inSight, setInSight] = useState({ documentId: 0, page: 0 });
  // The page of another document is none of this one, which may be loading still.
  const page = inSight.documentId === selectedId ? inSight.page : 0;
  const tellPage = useCallback((at: number) => setInSight({ documentId: selectedId, page: at }), [selectedId]);
  return [page, tellPage] as const;
}

interface ColumnsProps extends Pick<BatchDetails, 'batch' | 'files'> {
  groups: readonly DocumentGroup[];
  isPhone: boolean;
  selection: SelectedDocument;
  ticked: Ticked;
  reviewing: Reviewing;
  list: RefObject<DocumentListHandle | null>;
  form: RefObject<DocumentFormHandle | null>;
  onKey: ReturnType<typeof useListKeys>;
  page: number;
  onPage: (page: number) => void;
  onUnlock: (file: BatchFileRow) => void;
}

/** On a phone the one takes the place of the other: the focus goes along. */
function useFocusOfStep(isPhone: boolean, isOpen: boolean, list: ColumnsProps['list']) {
  const back = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    const isAnother = wasOpen.current !== isOpen;
    wasOpen.current = isOpen;
    if (isAnother && isPhone) (isOpen ? back : list).current?.focus();
  }, [isPhone, isOpen, list]);
  return back;
}

/** The list of documents and the one in view; on a phone one of the two. */
function Columns(props: ColumnsProps) {
  const { batch, files, groups, isPhone, selection, ticked, reviewing, list, form, onKey, page, onPage, onUnlock } =
    props;
  const { selected, rowId, select } = selection;
  const back = useFocusOfStep(isPhone, selected !== null, list);
  const listKey: typeof onKey = (event) => {
    const opens = event.key === 'Enter' && !event.repeat && selected === null && ticked.documents.length === 0;
    if (!opens || rowId === null) return onKey(event);
    select(rowId);
    return true;
  };
  return (
    <div className={classes.columns}>
      {isPhone && selected !== null ? null : (
        <DocumentList
          groups={groups}
          selectedId={rowId}
          onSelect={select}
          ticked={ticked}
          onKey={listKey}
          handle={list}
        />
      )}
      {selected === null ? null : (
        <DocumentPane
          batchId={batch.id}
          document={selected}
          file={files.find(({ id }) => id === selected.fileId)}
          isReading={batch.fault === null || batch.fault === RELEASING_ENDED}
          canJoin={reviewing.canJoin}
          page={page}
          onPage={onPage}
          onSay={reviewing.say}
          onRemember={reviewing.remember}
          onAccept={reviewing.acceptThis}
          onDrop={reviewing.dropThis}
          onChoose={reviewing.choose}
          onReopen={reviewing.reopen}
          onSplit={reviewing.split}
          onJoin={reviewing.join}
          onRecall={reviewing.recall}
          onUnlock={onUnlock}
          onBack={isPhone ? selection.leave : null}
          back={back}
          onLeaveForm={() => list.current?.focus()}
          form={form}
        />
      )}
    </div>
  );
}

export function Review({ batch, files, leftOut }: BatchDetails) {
  const query = useQuery(documentsQuery(batch.id));
  const documents = query.data?.rows;
  const groups = useMemo(() => groupDocuments(documents ?? [], files), [documents, files]);
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const selection = useSelectedDocument(groups, isPhone);
  const { selected } = selection;
  const list = useRef<DocumentListHandle>(null);
  const form = useRef<DocumentFormHandle>(null);
  const [page, tellPage] = usePageInSight(selected?.id ?? 0);
  const recall = useLazyDialog<DocumentRow, Recalled>(loadRecallDialog, {
    batchId: batch.id,
    releasing: isReleasingEnded(batch.fault) ? 0 : batch.releasing,
    ...recallableOf(documents ?? []),
  });
  const password = useLazyDialog<BatchFileRow, PasswordAsked>(loadPasswordDialog, {
    batchId: batch.id,
    // Once the dialog is closing, which gives the focus back to a button that is gone too.
    onUnlocked: () => setTimeout(() => list.current?.focus()),
  });
  const ticked = useTicked(groups);
  const release = useRelease(batch);
  const reviewing = useReviewing({
    batchId: batch.id,
    groups,
    selection,
    ticked,
    release,
    page,
    form,
    onRecall: (document) => void recall.open(document),
    onSet: (field) => void setting.open(field),
  });
  const setting = useLazyDialog<FormField, SetDialogProps>(loadSetDialog, {
    documents: ticked.documents,
    onSet: reviewing.sayOfTicked,
  });
  useReviewKeys(reviewing, ticked, form, selected !== null);
  const onKey = useListKeys(reviewing, ticked);

  if (documents === undefined) {
    return (
      <>
        <BatchHead batch={batch} leftOut={leftOut} />
        {query.error ? (
          <ErrorState message={query.error.message} onRetry={() => void query.refetch()} busy={query.isFetching} />
        ) : (
          <Spinner label={loading.documents} />
        )}
      </>
    );
  }
  return (
    <>
      <BatchHead batch={batch} leftOut={leftOut}>
        <BatchActions
          batch={batch}
          documents={documents}
          ready={reviewing.readyIds.length}
          isAcceptingReady={reviewing.isAcceptingReady}
          release={release}
          onAcceptReady={reviewing.acceptReady}
          onRecall={() => void recall.open(null)}
        />
      </BatchHead>
      <ReleaseProgress batch={batch} mayStop={release.may} />
      {batch.fault === null ? null : <ReviewFault batch={batch} />}
      {documents.length === 0 ? (
        <Paper withBorder radius="md">
          <EmptyState title={batchEmpty.documents} icon={<IconFiles size={24} stroke={1.5} />} />
        </Paper>
      ) : (
        <Columns
          batch={batch}
          files={files}
          groups={groups}
          isPhone={isPhone}
          selection={selection}
          ticked={ticked}
          reviewing={reviewing}
          list={list}
          form={form}
          onKey={onKey}
          page={page}
          onPage={tellPage}
          onUnlock={(file) => void password.open(file)}
        />
      )}
      {ticked.documents.length === 0 ? null : <TickedBar ticked={ticked} reviewing={reviewing} release={release} />}
      <VisuallyHidden role="status">{reviewing.said}</VisuallyHidden>
      {recall.element}
      {setting.element}
      {password.element}
    </>
  );
}

// The screen of one batch: being filled, being read, or under review.
import { Anchor, Paper } from '@mantine/core';
import { IconArrowLeft, IconFileOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import type { BatchDetails, BatchRow } from '#contract/batches.ts';
import { may } from '#contract/policy.ts';
import { batchQuery, refreshReleased } from '#web/data/batches.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { useSayPageFacts } from '#web/lib/page-facts.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { AccessRefused } from '#web/ui/access-refused.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { PageLink } from '#web/ui/page-link.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { toast } from '#web/ui/toast.tsx';
import { Adding } from './adding.tsx';
import classes from './batch.module.css';
import { batchDone, batchFailed, batchIsDiscarded, batchLoading, batchNotFound } from './batch-messages.ts';
import { Reading } from './reading.tsx';
import { type ReleaseSeen, seeRelease, stoppedHere } from './release-end.ts';
import { reviewKeys } from './review-keys.ts';

/** What is filled or read needs none of it. */
const loadReview = async () => ({ default: (await import('./review.tsx')).Review });
const Review = lazy(loadReview);

export function BatchScreen({ batchId }: { batchId: number }) {
  const user = useSessionUser();
  if (may(user, 'batches.use')) return <Batch batchId={batchId} />;
  return (
    <>
      <PageHeader title="Batch" />
      <AccessRefused />
    </>
  );
}

const isUnderReview = ({ state }: BatchRow) => state !== 'adding' && state !== 'reading';

/** Says what a release came to, once it has ended. */
function useReleaseEnd(batch: BatchRow | undefined): void {
  const seen = useRef<ReleaseSeen>(undefined);
  useEffect(() => {
    if (batch === undefined) return;
    // What is left of an earlier release, which ended when this page was not open.
    if (seen.current === undefined) stoppedHere.delete(batch.id);
    seen.current = seeRelease(seen.current, batch);
    if (seen.current === undefined || seen.current.releasing > 0) return;
    const { done, failed } = seen.current;
    seen.current = undefined;
    void refreshReleased();
    if (stoppedHere.delete(batch.id)) toast.success(batchDone.releaseStopped(done, failed));
    else if (failed > 0) toast.error(batchFailed.releaseSome(failed));
    else toast.success(batchDone.documentsReleased(done));
  }, [batch]);
}

function Batch({ batchId }: { batchId: number }) {
  const query = useQuery(batchQuery(batchId));
  const { data, error, isFetching, refetch } = query;
  useSayPageFacts({
    name: data?.batch.name ?? null,
    section: null,
    keys: data && isUnderReview(data.batch) ? reviewKeys : undefined,
  });
  useReleaseEnd(data?.batch);
  useEffect(() => {
    // Together with the batch; where it fails, the review says so when it loads.
    loadReview().catch(() => undefined);
  }, []);

  const isMissing = error instanceof ApiFault && error.status === 404;
  let body: ReactNode;
  if (isMissing) body = <NothingThere words={batchNotFound} />;
  else if (data?.batch.state === 'discarded') body = <NothingThere words={batchIsDiscarded} />;
  else if (data !== undefined) body = <BatchBody {...data} />;
  else if (error) {
    body = <ErrorState message={error.message} onRetry={() => void refetch()} busy={isFetching} />;
  } else body = <Spinner label={batchLoading} />;
  return (
    <>
      <nav className={classes.back} aria-label="Batches">
        <Anchor component={PageLink} to="/batches" className={classes.backLink ?? ''}>
          <IconArrowLeft size={16} aria-hidden />
          All batches
        </Anchor>
      </nav>
      {body}
    </>
  );
}

function BatchBody(details: BatchDetails) {
  const { state } = details.batch;
  if (state === 'adding') return <Adding {...details} />;
  if (state === 'reading') return <Reading {...details} />;
  return (
    <Suspense fallback={<Spinner label={batchLoading} />}>
      <Review {...details} />
    </Suspense>
  );
}

/** Missing and out of reach read the same. */
function NothingThere({ words }: { words: { readonly title: string; readonly hint: string } }) {
  return (
    <Paper withBorder radius="md">
      <PageHeader title="Batch" />
      <EmptyState {...words} icon={<IconFileOff size={28} stroke={1.5} />} />
    </Paper>
  );
}

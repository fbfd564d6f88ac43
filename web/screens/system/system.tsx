// The page System: what is wrong with the portal and what to do, then how it fares.
import { Anchor, Group, Skeleton, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { JobRow } from '#contract/jobs.ts';
import { endedSentence, sizeWords } from '#contract/plain-words.ts';
import { may } from '#contract/policy.ts';
import type { SystemFacts } from '#contract/system.ts';
import { freeWords, rereadWords, storedAt, unlistedWords } from '#contract/system-words.ts';
import { jobsQuery, useRetryJob } from '#web/data/jobs.ts';
import { systemFactsQuery } from '#web/data/system.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { formatCount, formatDateTime } from '#web/lib/format.ts';
import { done, failed } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { LinkToFile } from '#web/parts/files/link-to-file.tsx';
import { openedFrom } from '#web/parts/files/way-back.ts';
import { AccessRefused } from '#web/ui/access-refused.tsx';
import { Breakable } from '#web/ui/breakable.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { PageLink } from '#web/ui/page-link.ts';
import { toast } from '#web/ui/toast.tsx';
import { useRowsUnderWay } from '#web/ui/use-rows-under-way.ts';
import classes from './system.module.css';

export function SystemScreen() {
  const user = useSessionUser();
  const mayRead = may(user, 'system.read');
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery({ ...systemFactsQuery(), enabled: mayRead });
  return (
    <>
      <PageHeader
        title="System"
        actions={
          mayRead ? (
            <BusyButton
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              busy={isFetching}
              onClick={() => void refetch()}
            >
              Look Again
            </BusyButton>
          ) : null
        }
      />
      {!mayRead ? (
        <AccessRefused />
      ) : data !== undefined ? (
        <>
          {error === null ? null : <NotReadAgain why={error.message} at={dataUpdatedAt} />}
          {/* What was sound then may be wrong now. */}
          {error === null || data.warnings.length > 0 ? <Warnings warnings={data.warnings} /> : null}
          <Facts facts={data} />
        </>
      ) : error !== null ? (
        <ErrorState message={error.message} onRetry={() => void refetch()} busy={isFetching} />
      ) : (
        <Skeleton height={420} radius="md" />
      )}
    </>
  );
}

/** The page looks again by itself: whoever leaves it open must not take what was for what is. */
function NotReadAgain({ why, at }: { why: string; at: number }) {
  const was = formatDateTime(new Date(at).toISOString());
  return (
    <Text role="alert" mb="md" c="var(--mantine-color-error)">
      {`This could not be read again: ${endedSentence(why)} What stands below was so at ${was}.`}
    </Text>
  );
}

function Warnings({ warnings }: Pick<SystemFacts, 'warnings'>) {
  if (warnings.length === 0) {
    return (
      <p className={classes.sound} role="status">
        <IconCircleCheck size={18} stroke={1.75} aria-hidden />
        Nothing is wrong.
      </p>
    );
  }
  return (
    <section aria-label="What is wrong">
      <ul className={classes.warnings}>
        {warnings.map(({ says, toDo }) => (
          <li key={says} className={classes.warning}>
            <IconAlertTriangle size={18} stroke={1.75} aria-hidden />
            <div>
              <p className={classes.says}>{says}</p>
              <p>{toDo}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

const files = (count: number) => `${formatCount(count)} ${count === 1 ? 'file' : 'files'}`;

function Facts({ facts: { version, database, store, jobs, backup, mail } }: { facts: SystemFacts }) {
  const last = backup?.last ?? null;
  const unlisted = unlistedWords(store.damaged, store.damagedFiles.length);
  return (
    <dl className={classes.facts}>
      <Fact name="Version">{version}</Fact>
      <Fact name="Database">
        {database.engine}, {sizeWords(database.sizeBytes)}
        {freeWords(database.freeBytes)}
        <Place at={database.place} />
      </Fact>
      <Fact name="Files">
        {files(store.files)}, {sizeWords(store.sizeBytes)}
        {freeWords(store.freeBytes)}
        <Place at={store.place} />
        <Place at={rereadWords(store.rereadDays)} />
        {store.damagedFiles.length === 0 ? null : (
          <ul className={classes.jobs} aria-label="Damaged files">
            <li>Missing or damaged:</li>
            {store.damagedFiles.map(({ id, name, kind, of }) => (
              <li key={`${kind} ${id}`}>
                {kind === 'file' || kind === 'version' ? (
                  <LinkToFile id={id} name={name} search={() => openedFrom('/system')} />
                ) : (
                  <Breakable text={name} />
                )}
                <Place at={storedAt({ kind, of })} />
              </li>
            ))}
            {unlisted === null ? null : <li>{unlisted}</li>}
          </ul>
        )}
      </Fact>
      <Fact name="Background work">
        {formatCount(jobs.running)} running, {formatCount(jobs.due)} due, {formatCount(jobs.failed)} failed within three
        days
        {jobs.failed > 0 ? <FailedJobs failed={jobs.failed} /> : null}
        <Anchor component={PageLink} to="/jobs">
          Background Jobs
        </Anchor>
      </Fact>
      <Fact name="Last backup">
        {last === null ? (
          'None yet'
        ) : (
          <>
            {formatDateTime(last.endedAt)}, {files(last.files)}, {sizeWords(last.sizeBytes)}
            <Place at={last.place} />
          </>
        )}
      </Fact>
      <Fact name="Mail">
        {mail.setUp === null ? 'Not set up' : `Through ${mail.setUp.server} as ${mail.setUp.from}`}
        <Anchor component={PageLink} to="/mail">
          Mail
        </Anchor>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Place({ at }: { at: string }) {
  return (
    <Text component="span" display="block" size="sm" c="dimmed">
      <Breakable text={at} />
    </Text>
  );
}

const SHOWN = 5;
/** Failed jobs are listed for two weeks, by when they were ordered: among so many are those that failed last. */
const LOOKED_AMONG = 50;

/** The latest of the jobs that are counted as failed, each to be run again; left out where they cannot be loaded. */
function FailedJobs({ failed: counted }: { failed: number }) {
  const user = useSessionUser();
  const { data } = useQuery(jobsQuery({ state: 'failed', limit: LOOKED_AMONG, offset: 0 }));
  const retry = useRetryJob();
  const underWay = useRowsUnderWay<number>();
  const run = async ({ id }: JobRow) => {
    try {
      await retry.mutateAsync(id);
      toast.success(done.jobRetried);
    } catch (error) {
      toastFault(error, failed.retryJob);
    }
  };
  if (!data || data.rows.length === 0) return null;
  // Instants stand in the order of their text. Those that ended last are the counted ones.
  const latest = data.rows.toSorted((one, other) => (other.endedAt ?? '').localeCompare(one.endedAt ?? ''));
  return (
    <ul className={classes.jobs} aria-label="Failed jobs">
      {latest.slice(0, Math.min(SHOWN, counted)).map((job) => (
        <li key={job.id}>
          <Group gap="xs" justify="space-between" wrap="nowrap">
            <div className={classes.job}>
              {job.title}
              <Place at={job.error ?? ''} />
            </div>
            {may(user, 'jobs.manage') ? (
              <BusyButton
                variant="default"
                size="xs"
                flex="none"
                aria-label={`Run ${job.title} again`}
                busy={underWay.has(job.id)}
                onClick={() => void underWay.run(job.id, () => run(job))}
              >
                Run Again
              </BusyButton>
            ) : null}
          </Group>
        </li>
      ))}
    </ul>
  );
}

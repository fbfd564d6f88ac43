// The screen of background jobs: what waits, runs and has ended, with what an Admin can do about it.

import { Badge, Progress, Stack, Text } from '@mantine/core';
import { IconRefresh, IconStack2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { isOpenJob, isRetryableJob, JOB_STATES, jobStateLabels } from '#contract/job-states.ts';
import type { JobRow } from '#contract/jobs.ts';
import { may } from '#contract/policy.ts';
import { jobsQuery, useCancelJob, useRetryJob } from '#web/data/jobs.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { LONGEST } from '#web/lib/format.ts';
import { done, failed } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { AccessRefused } from '#web/ui/access-refused.tsx';
import { Breakable } from '#web/ui/breakable.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { ChoiceFilter } from '#web/ui/choice-filter.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { FilterBar } from '#web/ui/filter-bar.tsx';
import { IconButton, IconRow } from '#web/ui/icon-button.tsx';
import { Moment } from '#web/ui/moment.tsx';
import { nothingMatches } from '#web/ui/nothing-matches.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { toast } from '#web/ui/toast.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { useRowsUnderWay } from '#web/ui/use-rows-under-way.ts';
import { jobDone, jobEmpty, jobFailed } from './job-messages.ts';

/** Shown where no person is behind a job. */
const SYSTEM = 'System';

function StateCell({ job }: { job: JobRow }) {
  const { state, progress, cancelRequested } = job;
  return (
    <Stack gap={4}>
      <Badge miw="max-content">{cancelRequested ? 'Stopping' : jobStateLabels[state]}</Badge>
      {state === 'running' && progress !== null ? (
        <Progress value={progress} size="sm" w={90} aria-label={`Progress of ${job.title}`} />
      ) : null}
    </Stack>
  );
}

/** What a job says of itself: why it failed, or what it has done. */
const outcomeOf = ({ state, error, summary }: JobRow) => (state === 'done' ? summary : error);

const columns: readonly Column<JobRow>[] = [
  {
    key: 'title',
    header: 'Job',
    width: '34%',
    main: true,
    cell: (job) => (
      // One element: on a phone the parts of a cell stand next to each other.
      <div>
        <Breakable text={job.title} />
        {outcomeOf(job) === null ? null : (
          <Text component="div" size="sm" c="dimmed">
            <Breakable text={outcomeOf(job) ?? ''} />
          </Text>
        )}
      </div>
    ),
  },
  { key: 'state', header: 'State', width: '120px', cell: (job) => <StateCell job={job} /> },
  { key: 'for', header: 'On Behalf Of', width: '16%', cell: (job) => job.actingUserName ?? SYSTEM },
  { key: 'attempts', header: 'Attempts', width: '10%', cell: (job) => `${job.attempts} of ${job.attemptsMax}` },
  {
    key: 'due',
    header: 'Due',
    width: '16%',
    oneLine: LONGEST.dateTime,
    cell: (job) => <Moment at={job.runAt} />,
  },
  {
    key: 'ended',
    header: 'Ended',
    width: '16%',
    oneLine: LONGEST.dateTime,
    cell: (job) => (job.endedAt === null ? '' : <Moment at={job.endedAt} />),
  },
];

export function JobsScreen() {
  const user = useSessionUser();
  return (
    <>
      <PageHeader title="Background Jobs" />
      {may(user, 'jobs.read') ? <Jobs /> : <AccessRefused />}
    </>
  );
}

function Jobs() {
  const user = useSessionUser();
  const list = useListSearch({ sorts: ['created'], defaultSort: '-created', filters: ['state'] });
  const { limit, offset } = list.query;
  const state = JOB_STATES.find((known) => known === list.filters.state);
  const jobs = useQuery(jobsQuery({ limit, offset, ...(state === undefined ? {} : { state }) }));
  const retry = useRetryJob();
  const cancel = useCancelJob();
  const underWay = useRowsUnderWay<number>();

  // Awaited one by one: of two that are pressed one after the other both say what came of it. The pressed button goes with the state.
  const runAgain = async (id: number) => {
    try {
      await retry.mutateAsync(id);
      toast.success(done.jobRetried);
    } catch (error) {
      toastFault(error, failed.retryJob);
    }
  };
  const stop = async (id: number) => {
    try {
      const job = await cancel.mutateAsync(id);
      toast.success(job.state === 'cancelled' ? jobDone.jobCancelled : jobDone.jobStopping);
    } catch (error) {
      toastFault(error, jobFailed.cancelJob);
    }
  };

  const actionsOf = (job: JobRow) => {
    if (isRetryableJob(job)) {
      return (
        <IconRow>
          <IconButton
            label={`Run ${job.title} again`}
            tip="Run again"
            icon={<IconRefresh size={17} aria-hidden />}
            busy={underWay.has(job.id)}
            onClick={() => void underWay.run(job.id, () => runAgain(job.id))}
          />
        </IconRow>
      );
    }
    if (!isOpenJob(job) || job.cancelRequested) return null;
    return (
      <BusyButton
        variant="default"
        size="xs"
        aria-label={`Cancel ${job.title}`}
        busy={underWay.has(job.id)}
        onClick={() => void underWay.run(job.id, () => stop(job.id))}
      >
        Cancel
      </BusyButton>
    );
  };
  const actions: Column<JobRow> = { key: 'actions', header: 'Actions', width: '110px', cell: actionsOf };

  return (
    <>
      <FilterBar>
        <ChoiceFilter
          label="State"
          allLabel="All States"
          choices={JOB_STATES}
          names={jobStateLabels}
          value={state}
          onChange={(value) => list.setFilters({ state: value })}
          width={160}
        />
      </FilterBar>
      <DataTable
        label="Background Jobs"
        columns={may(user, 'jobs.manage') ? [...columns, actions] : columns}
        query={jobs}
        list={list}
        rowKey={(job) => job.id}
        empty={
          state === undefined
            ? { ...jobEmpty.jobs, icon: <IconStack2 size={24} stroke={1.5} /> }
            : nothingMatches({ title: jobEmpty.jobsSearched, onClear: list.clear })
        }
      />
    </>
  );
}

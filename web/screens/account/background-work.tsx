// What one has ordered in the background: how far each is, what came of it, and the way there.

import { Anchor, Badge, Box, Button, Progress, Skeleton, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { jobStateLabels } from '#contract/job-states.ts';
import type { OwnJobRow } from '#contract/jobs.ts';
import type { ListPage } from '#web/lib/api.ts';
import { Breakable } from '#web/ui/breakable.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Moment } from '#web/ui/moment.tsx';
import { PageLink } from '#web/ui/page-link.ts';
import classes from './account-settings.module.css';
import { SaveZip } from './save-zip.tsx';

/** More than these are shown on demand. */
const SHOWN_AT_ONCE = 5;

export function BackgroundWork({
  query: { data, error, isFetching, refetch },
}: {
  query: UseQueryResult<ListPage<OwnJobRow>>;
}) {
  const list = useRef<HTMLUListElement>(null);
  const [all, setAll] = useState(false);
  if (data === undefined) {
    return error ? (
      <ErrorState message={error.message} onRetry={() => void refetch()} busy={isFetching} />
    ) : (
      <div role="status" aria-label="Loading background work...">
        <Skeleton height={36} aria-hidden />
      </div>
    );
  }
  if (data.rows.length === 0) return <Text c="dimmed">Nothing is being prepared for you.</Text>;
  return (
    <>
      <ul ref={list} className={classes.devices} aria-label="Background work" tabIndex={-1}>
        {data.rows.slice(0, all ? undefined : SHOWN_AT_ONCE).map((job) => (
          <Job key={job.id} job={job} />
        ))}
      </ul>
      {all || data.rows.length <= SHOWN_AT_ONCE ? null : (
        <div className={classes.foot}>
          <Button
            variant="subtle"
            onClick={() => {
              setAll(true);
              // The button disappears; the longer list takes its place.
              list.current?.focus();
            }}
          >
            Show all {data.rows.length}
          </Button>
        </div>
      )}
    </>
  );
}

function Job({ job }: { job: OwnJobRow }) {
  const { title, state, progress, fault, orderedAt, endedAt } = job;
  return (
    <li className={classes.device}>
      <div className={classes.about}>
        <p className={classes.name}>
          {title}
          <Badge size="sm" miw="max-content">
            {jobStateLabels[state]}
          </Badge>
        </p>
        {state === 'running' && progress !== null ? (
          <Progress value={progress} size="sm" my={4} maw={240} aria-label={`Progress of ${title}`} />
        ) : null}
        {fault === null ? null : <p>{fault}</p>}
        <p className={classes.fact}>
          Ordered <Moment at={orderedAt} />
          {endedAt === null ? null : (
            <>
              , ended <Moment at={endedAt} />
            </>
          )}
        </p>
        <Made job={job} />
      </div>
    </li>
  );
}

/** The way to what was made, as long as it is there. */
function Made({ job: { made } }: { job: OwnJobRow }) {
  if (made === null) return null;
  const { what, id, name } = made;
  if (what === 'zip') {
    return (
      <Box mt={6}>
        <SaveZip id={id} name={name} />
      </Box>
    );
  }
  return (
    <p>
      {what === 'batch' ? (
        <Anchor component={PageLink} to="/batches/$id" params={{ id: String(id) }} inherit>
          <Breakable text={name} />
        </Anchor>
      ) : (
        <Anchor component={PageLink} to="/retention" inherit>
          {name}
        </Anchor>
      )}
    </p>
  );
}

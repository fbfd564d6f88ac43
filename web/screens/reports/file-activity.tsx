// What has been done with a file, newest first.
import { Anchor, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { actsOf } from '#contract/activity-words.ts';
import type { FileRow } from '#contract/files.ts';
import { PAGE_LIMIT_MAX } from '#contract/paging.ts';
import { activityReach } from '#contract/policy/reach.ts';
import { activityQuery } from '#web/data/activity.ts';
import { empty } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ActivityBadge, OWN_ACTIVITY } from '#web/parts/activity/activity-action.tsx';
import { ofAllClients } from '#web/parts/clients/chosen-client.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { RecentMoment } from '#web/ui/moment.tsx';
import { PageLink } from '#web/ui/page-link.ts';
import classes from './report.module.css';

const AT_FIRST = 10;
const MORE = 40;
/** In characters: a search of the log takes no more. */
const SEARCH_MAX = 200;

export interface FileActivityProps {
  file: Pick<FileRow, 'id' | 'originalName'>;
  /** False while the entry of this very opening is still to come. */
  complete: boolean;
}

export function FileActivity({ file, complete }: FileActivityProps) {
  const user = useSessionUser();
  const [limit, setLimit] = useState(AT_FIRST);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...activityQuery({ fileId: file.id, limit }),
    enabled: complete,
  });
  // Some entries are no acts.
  const acts = actsOf(data?.rows ?? []);
  const isWhole = data !== undefined && data.total <= data.rows.length;
  return (
    <section className={classes.panel} aria-labelledby="file-activity" aria-busy={isFetching}>
      <Title order={2} size="h3" id="file-activity">
        Activity
      </Title>
      {activityReach(user) === 'own' ? (
        <Text size="sm" c="dimmed" mt={4}>
          {OWN_ACTIVITY}
        </Text>
      ) : null}
      {data ? (
        <>
          {acts.length > 0 ? (
            <ul className={classes.entries}>
              {acts.map((entry) => (
                <li key={entry.id}>
                  <span className={classes.who}>{entry.userName}</span>
                  <ActivityBadge entry={entry} />
                  <span className={classes.when}>
                    <RecentMoment at={entry.timestamp} />
                  </span>
                </li>
              ))}
            </ul>
          ) : isWhole ? (
            <Text c="dimmed" mt={10}>
              {empty.activities}
            </Text>
          ) : null}
          {isWhole ? null : limit === PAGE_LIMIT_MAX && !isPlaceholderData ? (
            <Anchor
              component={PageLink}
              to="/activity"
              search={{ q: file.originalName.slice(0, SEARCH_MAX), ...ofAllClients(user) }}
              size="sm"
              underline="always"
              display="inline-block"
              mt={10}
            >
              See the others in the log
            </Anchor>
          ) : (
            <BusyButton
              variant="subtle"
              size="compact-sm"
              mt={10}
              onClick={() => setLimit((before) => Math.min(before + MORE, PAGE_LIMIT_MAX))}
              busy={isFetching}
            >
              Show more
            </BusyButton>
          )}
        </>
      ) : error ? (
        <ErrorState message={error.message} onRetry={() => void refetch()} busy={isFetching} />
      ) : (
        <div className={classes.entries} aria-hidden>
          {['60%', '45%', '55%'].map((width) => (
            <Skeleton key={width} height={12} width={width} my={6} />
          ))}
        </div>
      )}
    </section>
  );
}

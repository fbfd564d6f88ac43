// What has been done with a file, newest first.
import { Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { actsOf } from '#contract/activity-words.ts';
import { activityQuery } from '#web/data/activity.ts';
import { empty } from '#web/lib/messages.ts';
import { ActivityBadge } from '#web/parts/activity-action.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { RecentMoment } from '#web/ui/moment.tsx';
import classes from './report.module.css';

const AT_FIRST = 10;
const MORE = 40;

export interface FileActivityProps {
  fileId: number;
  /** False while the entry of this very opening is still to come. */
  complete: boolean;
}

export function FileActivity({ fileId, complete }: FileActivityProps) {
  const [limit, setLimit] = useState(AT_FIRST);
  const { data, error, isFetching, refetch } = useQuery({
    ...activityQuery({ fileId, limit }),
    enabled: complete,
  });
  return (
    <section className={classes.panel} aria-labelledby="file-activity" aria-busy={isFetching}>
      <Title order={2} size="h3" id="file-activity">
        Activity
      </Title>
      {data ? (
        <>
          {data.rows.length === 0 ? (
            <Text c="dimmed" mt={10}>
              {empty.activities}
            </Text>
          ) : (
            <ul className={classes.entries}>
              {actsOf(data.rows).map((entry) => (
                <li key={entry.id}>
                  <span className={classes.who}>{entry.userName}</span>
                  <ActivityBadge entry={entry} />
                  <span className={classes.when}>
                    <RecentMoment at={entry.timestamp} />
                  </span>
                </li>
              ))}
            </ul>
          )}
          {data.total > data.rows.length ? (
            <BusyButton
              variant="subtle"
              size="compact-sm"
              mt={10}
              onClick={() => setLimit((before) => before + MORE)}
              busy={isFetching}
            >
              Show more
            </BusyButton>
          ) : null}
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

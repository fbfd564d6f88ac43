// Says quietly that lists in sight have changed, and shows it when it is asked to: no row moves before.
import { UnstyledButton } from '@mantine/core';
import { useEffect, useSyncExternalStore } from 'react';
import { followNews, newsInSight, onNews, useShowNews } from '#web/data/list-news.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { failed } from '#web/lib/messages.ts';
import classes from './list-news.module.css';

export function ListNews() {
  useEffect(followNews, []);
  const news = useSyncExternalStore(onNews, newsInSight);
  const show = useShowNews();
  return (
    // The region stands before there is anything to say: only then are its words announced. Of an offer that grows they are once.
    <div className={classes.place} aria-live="polite" aria-relevant="additions">
      {news === null ? null : (
        <UnstyledButton
          className={classes.news}
          onClick={() => show.mutate(undefined, { onError: (error) => toastFault(error, failed.reload) })}
        >
          {news}. <span className={classes.show}>Show</span>
        </UnstyledButton>
      )}
    </div>
  );
}

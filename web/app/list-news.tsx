// Says quietly that lists in sight have changed, and shows it when it is asked to: no row moves before.
import { UnstyledButton } from '@mantine/core';
import { useEffect, useSyncExternalStore } from 'react';
import { followNews, newsInSight, onNews, showNews } from '#web/data/list-news.ts';
import classes from './list-news.module.css';

export function ListNews() {
  useEffect(followNews, []);
  const news = useSyncExternalStore(onNews, newsInSight);
  return (
    // The region stands before there is anything to say: only then are its words announced.
    <div className={classes.place} aria-live="polite">
      {news === null ? null : (
        <UnstyledButton className={classes.news} onClick={() => void showNews()}>
          {news}. <span className={classes.show}>Show</span>
        </UnstyledButton>
      )}
    </div>
  );
}

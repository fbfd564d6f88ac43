// Replaces a page that failed, that may not be seen, or whose code could not be loaded.

import { Button } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ApiFault, reasonOf, serverAnswers } from '#web/lib/api.ts';
import { getConnection, noticeUnreachable, onConnectionChange } from '#web/lib/connection.ts';
import { loading, unreachable } from '#web/lib/messages.ts';
import { AccessRefused } from '#web/ui/access-refused.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { isChunkLoadError } from './lazy-screen.tsx';
import classes from './page-notice.module.css';

const reload = () => window.location.reload();

export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = () => {
    reset();
    void router.invalidate();
  };
  if (isChunkLoadError(error)) return <CodeLost onRetry={again} />;
  if (error instanceof ApiFault && error.status === 403) return <AccessRefused />;
  return (
    <div role="alert" className={classes.notice}>
      <h1 className={classes.heading}>Something went wrong</h1>
      <p className={classes.text}>{reasonOf(error)}</p>
      <div className={classes.ways}>
        <Button variant="default" onClick={again}>
          Retry
        </Button>
        <Button onClick={reload}>Reload</Button>
      </div>
    </div>
  );
}

/** An update has removed the code, or the network is down: whether the server answers shows which. */
function CodeLost({ onRetry }: { onRetry: () => void }) {
  const [reached, setReached] = useState<boolean | null>(null);
  const retry = useRef(onRetry);
  retry.current = onRetry;

  useEffect(() => {
    let left = false;
    void serverAnswers().then((answers) => {
      if (left) return;
      setReached(answers);
      if (!answers) noticeUnreachable(serverAnswers);
    });
    // The page opens by itself when the connection is back.
    const stop = onConnectionChange(() => {
      if (getConnection() === 'online') retry.current();
    });
    return () => {
      left = true;
      stop();
    };
  }, []);

  if (reached === null) return <Spinner label={loading.page} />;
  return (
    <div role="alert" className={classes.notice}>
      <h1 className={classes.heading}>{reached ? 'A new version is available' : 'This page could not be loaded'}</h1>
      <p className={classes.text}>
        {reached ? 'The portal has been updated since you opened it. Reload to go on.' : unreachable}
      </p>
      <div className={classes.ways}>
        {reached ? <Button onClick={reload}>Reload</Button> : <Button onClick={onRetry}>Retry</Button>}
      </div>
    </div>
  );
}

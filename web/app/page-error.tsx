// Replaces a page that failed, that may not be seen, or whose code could not be loaded.

import { Button } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ApiFault, reasonOf } from '#web/lib/api-fault.ts';
import { getConnection, noticeUnreachable, onConnectionChange } from '#web/lib/connection.ts';
import { loading, unreachable } from '#web/lib/messages.ts';
import { type MissingCode, serverAnswers, whyCodeIsMissing } from '#web/lib/server-answers.ts';
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
  if (isChunkLoadError(error)) return <CodeLost error={error} onRetry={again} />;
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

const WORDS = {
  updated: ['A new version is available', 'The portal has been updated since you opened it. Reload to go on.'],
  unserved: ['This page could not be loaded', 'The portal did not answer. Please try again in a moment.'],
  unreachable: ['This page could not be loaded', unreachable],
} as const satisfies Record<MissingCode, readonly [heading: string, text: string]>;

function CodeLost({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const [why, setWhy] = useState<MissingCode | null>(null);
  const retry = useRef(onRetry);
  retry.current = onRetry;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure is asked about anew
  useEffect(() => {
    let left = false;
    void whyCodeIsMissing().then((answer) => {
      if (left) return;
      setWhy(answer);
      if (answer === 'unreachable') noticeUnreachable(serverAnswers);
    });
    // The page opens by itself when the connection is back.
    const stop = onConnectionChange(() => {
      if (getConnection() === 'online') retry.current();
    });
    return () => {
      left = true;
      stop();
    };
  }, [error]);

  if (why === null) return <Spinner label={loading.page} />;
  const [heading, text] = WORDS[why];
  return (
    <div role="alert" className={classes.notice}>
      <h1 className={classes.heading}>{heading}</h1>
      <p className={classes.text}>{text}</p>
      <div className={classes.ways}>
        {why === 'updated' ? (
          <Button onClick={reload}>Reload</Button>
        ) : (
          // Chromium asks again for code that it was refused only once the page is loaded anew.
          <Button onClick={why === 'unserved' ? reload : onRetry}>Retry</Button>
        )}
      </div>
    </div>
  );
}

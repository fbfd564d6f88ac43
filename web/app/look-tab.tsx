// A tab that looks as another person: the bar and below it the portal as long as the look lasts, and then a word that it has ended.

import { Button } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { leaveLook } from '#web/lib/look.ts';
import { useFirmFace } from '#web/lib/product.ts';
import { getSession, onSessionChange } from '#web/lib/session.ts';
import { LookBar } from './look-bar.tsx';
import classes from './page-notice.module.css';
import { router } from './router.tsx';

export function LookTab() {
  const { name } = useFirmFace();
  const session = useSyncExternalStore(onSessionChange, getSession);
  if (session !== null) {
    return (
      <>
        <LookBar />
        <RouterProvider router={router} />
      </>
    );
  }
  const goHome = () => {
    leaveLook();
    window.location.assign('/');
  };
  return (
    <main className={classes.notice}>
      <title>{`This look has ended · ${name}`}</title>
      <h1 className={classes.heading}>This look has ended</h1>
      <p className={classes.text}>You can close this tab.</p>
      <div className={classes.ways}>
        <Button variant="default" onClick={goHome}>
          Go to my own portal
        </Button>
      </div>
    </main>
  );
}

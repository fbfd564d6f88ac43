// The bar of a look: whom one looks as, and its end. It never goes away, not under a dialog and not on paper.

import { useElementSize } from '@mantine/hooks';
import { IconEye } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { endLook } from '#web/data/looks.ts';
import { refreshSession } from '#web/data/session.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { lookWords } from '#web/lib/look-messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import classes from './look-bar.module.css';

/** How much of the page the bar takes: what is fixed below it keeps that free. */
const TAKES = '--coffer-look-bar';
/** It may end elsewhere: with the session it was opened from, with a right, after half an hour. */
const ASK_EVERY_MS = 15_000;

export function LookBar() {
  const { fullName, roleName } = useSessionUser();
  const [busy, setBusy] = useState(false);
  const { ref, height } = useElementSize<HTMLDivElement>();
  useEffect(() => {
    const { style } = document.documentElement;
    style.setProperty(TAKES, `${height}px`);
    return () => void style.removeProperty(TAKES);
  }, [height]);
  useEffect(() => {
    const ask = () => {
      if (document.visibilityState === 'visible') void refreshSession();
    };
    const timer = setInterval(ask, ASK_EVERY_MS);
    document.addEventListener('visibilitychange', ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, []);
  const end = async () => {
    setBusy(true);
    try {
      await endLook();
    } catch (error) {
      toastFault(error, lookWords.endFailed);
      setBusy(false);
    }
  };
  return (
    <div ref={ref} className={classes.place}>
      <section aria-label="Look" className={classes.bar}>
        <IconEye size={18} aria-hidden />
        <p className={classes.words}>
          You are looking as{' '}
          <strong>
            {fullName} ({roleName})
          </strong>
          . Read only.
        </p>
        <BusyButton size="compact-sm" color="dark" busy={busy} className={classes.end ?? ''} onClick={() => void end()}>
          End the look
        </BusyButton>
      </section>
    </div>
  );
}

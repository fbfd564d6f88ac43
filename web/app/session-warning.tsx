// Two minutes before a session ends: a dialog that counts down, and keeps the session alive on a press where that is possible.

import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { refreshSession, signOut } from '#web/data/session.ts';
import { safeguards } from '#web/lib/product.ts';
import { expireSession, getSession, onSessionChange, onUse, sessionUsedAt } from '#web/lib/session.ts';
import { onWork } from '#web/lib/work.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { TopDialog } from '#web/ui/top-dialog.tsx';

const WARN_MS = 2 * 60_000;
/** The server notes a use only this often, so its count may have begun that much earlier than ours. */
const NOTED_WITHIN_MS = (safeguards ? 1 : 5) * 60_000;
/** A device that slept wakes late: the clock is checked this often. */
const LOOK_EVERY_MS = 30_000;
/** Typing, pointing and a file on its way are use too, though they make no calls: one is made for them this often. */
const REPORT_USE_EVERY_MS = 5 * 60_000;
const SECOND_MS = 1000;
/** What is announced, and from how many seconds on: every second would be too much for a screen reader. */
const READ_OUT = [
  { from: 120, words: '2 minutes left' },
  { from: 60, words: '1 minute left' },
  { from: 30, words: '30 seconds left' },
  { from: 10, words: '10 seconds left' },
] as const;

/** Why a session ends: it was not used for long, or it has lasted as long as any may. */
type Reason = 'idle' | 'age';

interface Ending {
  readonly reason: Reason;
  readonly ms: number;
}

/** What ends the session first and in how many milliseconds; null where nobody is signed in, or the server has not answered yet. */
function nextEnding(): Ending | null {
  const session = getSession()?.user.session;
  const usedAt = sessionUsedAt();
  if (session === undefined || usedAt === null) return null;
  const idleMs = usedAt + session.idleMaxMs - NOTED_WITHIN_MS - Date.now();
  const ageMs = Date.parse(session.endsAt) - Date.now();
  return ageMs < idleMs ? { reason: 'age', ms: ageMs } : { reason: 'idle', ms: idleMs };
}

/** The end of the session once it is near, else null. When it has come, an idle session is given up here with SAFEGUARDS=on. */
function useNearEnding(): Ending | null {
  const [near, setNear] = useState<Ending | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      const ending = nextEnding();
      if (ending === null || ending.ms > WARN_MS) {
        setNear(null);
        timer = setTimeout(look, Math.min(LOOK_EVERY_MS, (ending?.ms ?? Number.POSITIVE_INFINITY) - WARN_MS));
      } else if (ending.ms > 0) {
        setNear(ending);
        timer = setTimeout(look, ending.ms % SECOND_MS || SECOND_MS);
      } else if (ending.reason === 'idle' && safeguards) {
        setNear(null);
        expireSession();
      } else {
        // The server's clock decides: its refusal of the next call ends the session here.
        setNear(null);
        timer = setTimeout(look, LOOK_EVERY_MS);
      }
    };
    look();
    const stops = [onUse(look), onSessionChange(look)];
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return near;
}

/** Reports work that makes no calls by itself to the server, while `on`. */
function useWorkAsUse(on: boolean): void {
  useEffect(() => {
    if (!on) return;
    let reportedAt = Date.now();
    const report = () => {
      const usedAt = sessionUsedAt();
      if (usedAt === null || Date.now() - Math.max(usedAt, reportedAt) < REPORT_USE_EVERY_MS) return;
      reportedAt = Date.now();
      void refreshSession();
    };
    const stop = onWork(report);
    for (const kind of ['keydown', 'pointerdown'] as const) document.addEventListener(kind, report, true);
    return () => {
      stop();
      for (const kind of ['keydown', 'pointerdown'] as const) document.removeEventListener(kind, report, true);
    };
  }, [on]);
}

/** Rendered once, in the frame of the signed-in pages. */
export function SessionWarning() {
  const near = useNearEnding();
  const idle = near?.reason === 'idle';
  useWorkAsUse(!idle);
  const age = near?.reason === 'age';
  // Read once: the work may go on until the end.
  const [read, setRead] = useState(false);
  if (read && !age) setRead(false);
  const goOn = useCallback(() => setRead(true), []);
  const seconds = Math.ceil((near?.ms ?? 0) / SECOND_MS);
  return (
    <>
      <StillThere opened={idle} seconds={seconds} />
      <TopDialog opened={age && !read} title="Your session ends soon" level="middle" onEscape={goOn}>
        <Stack gap="md">
          <Countdown seconds={seconds}>
            For safety everyone signs in anew from time to time, however busy. What is open here stays as it is: you
            sign in over it and go on.
          </Countdown>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={goOn} data-autofocus>
              Go on until then
            </Button>
            <Button onClick={expireSession}>Sign in again now</Button>
          </Group>
        </Stack>
      </TopDialog>
    </>
  );
}

function StillThere({ opened, seconds }: { opened: boolean; seconds: number }) {
  const [busy, setBusy] = useState(false);
  const stay = async () => {
    if (busy) return;
    setBusy(true);
    await refreshSession();
    setBusy(false);
  };
  return (
    <TopDialog opened={opened} title="Are you still there?" level="middle" onEscape={() => void stay()}>
      <Stack gap="md">
        <Countdown seconds={seconds}>
          For safety you are signed out after a while without activity. What is open here stays as it is.
        </Countdown>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={signOut}>
            Sign out
          </Button>
          <BusyButton busy={busy} onClick={() => void stay()} data-autofocus>
            Stay signed in
          </BusyButton>
        </Group>
      </Stack>
    </TopDialog>
  );
}

function Countdown({ seconds, children }: { seconds: number; children: string }) {
  const readOut = READ_OUT.findLast(({ from }) => seconds <= from);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <div>
      <Text>{children}</Text>
      <Text fw={600} fz="xl" mt="sm" aria-hidden>
        {clock}
      </Text>
      <VisuallyHidden role="status">{readOut?.words}</VisuallyHidden>
    </div>
  );
}

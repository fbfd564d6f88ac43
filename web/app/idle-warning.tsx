// Two minutes before an idle session ends: a dialog that counts down, and keeps the session alive on a press.

import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import { refreshSession, signOut } from '#web/data/session.ts';
import { safeguards } from '#web/lib/product.ts';
import { expireSession, getSession, onSessionChange, onUse, sessionUsedAt } from '#web/lib/session.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { TopDialog } from '#web/ui/top-dialog.tsx';

const WARN_MS = 2 * 60_000;
/** The server notes a use at most once a minute, so its count may have begun that much earlier than ours. */
const NOTED_WITHIN_MS = 60_000;
/** A device that slept wakes late: the clock is checked this often. */
const LOOK_EVERY_MS = 30_000;
/** Typing and pointing are use too, though they make no calls: one is made for them this often. */
const REPORT_USE_EVERY_MS = 5 * 60_000;
const SECOND_MS = 1000;
/** What is announced, and from how many seconds on: every second would be too much for a screen reader. */
const READ_OUT = [
  { from: 120, words: '2 minutes left' },
  { from: 60, words: '1 minute left' },
  { from: 30, words: '30 seconds left' },
  { from: 10, words: '10 seconds left' },
] as const;

/** Milliseconds until the idle session ends; null where nobody is signed in, or the server has not answered yet. */
function idleMsLeft(): number | null {
  const idleMaxMs = getSession()?.user.session?.idleMaxMs;
  const usedAt = sessionUsedAt();
  return idleMaxMs === undefined || usedAt === null ? null : usedAt + idleMaxMs - NOTED_WITHIN_MS - Date.now();
}

/** The milliseconds left of an idle session once they are few, else null. At their end the session is given up here. */
function useLastMs(): number | null {
  const [lastMs, setLastMs] = useState<number | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      const left = idleMsLeft();
      if (left === null || left > WARN_MS) {
        setLastMs(null);
        timer = setTimeout(look, Math.min(LOOK_EVERY_MS, (left ?? Number.POSITIVE_INFINITY) - WARN_MS));
      } else if (left > 0) {
        setLastMs(left);
        timer = setTimeout(look, left % SECOND_MS || SECOND_MS);
      } else {
        setLastMs(null);
        expireSession();
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
  return lastMs;
}

/** Reports work that makes no calls by itself to the server, while `on`. */
function useWorkAsUse(on: boolean): void {
  useEffect(() => {
    if (!on) return;
    let reportedAt = Date.now();
    const onUse = () => {
      const usedAt = sessionUsedAt();
      if (usedAt === null || Date.now() - Math.max(usedAt, reportedAt) < REPORT_USE_EVERY_MS) return;
      reportedAt = Date.now();
      void refreshSession();
    };
    for (const kind of ['keydown', 'pointerdown'] as const) document.addEventListener(kind, onUse, true);
    return () => {
      for (const kind of ['keydown', 'pointerdown'] as const) document.removeEventListener(kind, onUse, true);
    };
  }, [on]);
}

/** Rendered once, in the frame of the signed-in pages; without SAFEGUARDS=on sessions last for days, and it shows nothing. */
export function IdleWarning() {
  return safeguards ? <Warning /> : null;
}

function Warning() {
  const lastMs = useLastMs();
  const [busy, setBusy] = useState(false);
  useWorkAsUse(lastMs === null);

  const stay = async () => {
    if (busy) return;
    setBusy(true);
    await refreshSession();
    setBusy(false);
  };

  return (
    <TopDialog opened={lastMs !== null} title="Are you still there?" level="middle" onEscape={() => void stay()}>
      <Stack gap="md">
        <Countdown seconds={Math.ceil((lastMs ?? 0) / SECOND_MS)} />
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

function Countdown({ seconds }: { seconds: number }) {
  const readOut = READ_OUT.findLast(({ from }) => seconds <= from);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <div>
      <Text>For safety you are signed out after a while without activity. What is open here stays as it is.</Text>
      <Text fw={600} fz="xl" mt="sm" aria-hidden>
        {clock}
      </Text>
      <VisuallyHidden role="status">{readOut?.words}</VisuallyHidden>
    </div>
  );
}

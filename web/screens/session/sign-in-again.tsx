// Over the page of a person whose session has ended: the same person signs in again and continues where they were.

import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { lastPasswordChange } from '#web/data/account.ts';
import { refresh } from '#web/data/query-client.ts';
import { getSession, leaveExpiredSession, useExpiredUser } from '#web/lib/session.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { TopDialog } from '#web/ui/top-dialog.tsx';
import { SignInFields, useSignIn } from './sign-in-form.tsx';

export function SignInAgain() {
  const user = useExpiredUser();
  const awaited = useRef(false);
  useEffect(() => {
    if (awaited.current && user === null && getSession() !== null) {
      lastPasswordChange.unsure = false;
      // Devices and factors that were loaded belong to the previous session.
      void refresh('devices', 'factors', 'security-events');
    }
    awaited.current = user !== null;
  }, [user]);
  return (
    <TopDialog opened={user !== null} title="Sign in again" level="high">
      {user ? <Steps known={user.username} /> : null}
    </TopDialog>
  );
}

function Steps({ known }: { known: string }) {
  // It can be changed: the session may have ended before its page heard of another one.
  const signIn = useSignIn(known);
  const { busy, secondStep, submit } = signIn;
  if (secondStep !== null) return <secondStep.Step {...secondStep} onAgain={signIn.startOver} />;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label="Sign in again">
      <Stack gap="md">
        <Text>
          Your session has ended. Sign in again to go on.
          {lastPasswordChange.unsure
            ? ' Your password may have been changed: try the new one first, then the old.'
            : null}
        </Text>
        <SignInFields {...signIn} again />
        <Group justify="space-between" gap="xs" mt={4}>
          <Button variant="subtle" px={8} ml={-8} onClick={leaveExpiredSession}>
            Sign in as someone else
          </Button>
          <BusyButton type="submit" busy={busy}>
            {busy ? 'Signing in...' : 'Sign in'}
          </BusyButton>
        </Group>
      </Stack>
    </form>
  );
}

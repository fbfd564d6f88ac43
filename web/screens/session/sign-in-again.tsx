// Over the page of a person whose session has ended: the same person signs in again and continues where they were.

import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { SessionUser } from '#contract/session.ts';
import { refresh } from '#web/data/query-client.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { getSession, leaveExpiredSession, useExpiredUser } from '#web/lib/session.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { RequiredFields } from '#web/ui/required-fields.tsx';
import { TopDialog } from '#web/ui/top-dialog.tsx';
import { loginFault, missingCredentials } from './credentials.ts';
import { attemptSignIn, type RequiredStep } from './sign-in-attempt.ts';

/** The name that stands there may be over: the session ended before its page heard of another one. */
const WRONG_PASSWORD = 'That password is not right. With a new username choose "Sign in as someone else".';

export function SignInAgain() {
  const user = useExpiredUser();
  const awaited = useRef(false);
  useEffect(() => {
    // Devices and factors that were loaded belong to the previous session.
    if (awaited.current && user === null && getSession() !== null)
      void refresh('devices', 'factors', 'security-events');
    awaited.current = user !== null;
  }, [user]);
  return (
    <TopDialog opened={user !== null} title="Sign in again" level="high">
      {user ? <Steps user={user} /> : null}
    </TopDialog>
  );
}

function Steps({ user }: { user: SessionUser }) {
  const [step, setStep] = useState<RequiredStep | null>(null);
  if (step === null) return <PasswordForm user={user} onStep={setStep} />;
  return <step.Step challenge={step.challenge} username={step.username} onAgain={() => setStep(null)} />;
}

interface PasswordFormProps {
  user: SessionUser;
  onStep: (step: RequiredStep) => void;
}

function PasswordForm({ user, onStep }: PasswordFormProps) {
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const credentials = { username: user.username, password };
    const missing = missingCredentials(credentials).password;
    if (missing !== undefined) {
      setFault(missing);
      field.current?.focus();
      return;
    }
    setBusy(true);
    setFault(null);
    try {
      // The session's return closes this dialog, here and in every other tab.
      const step = await attemptSignIn(credentials);
      if (step !== null) onStep(step);
    } catch (error) {
      setBusy(false);
      setFault(error instanceof ApiFault && error.code === 'bad_credentials' ? WRONG_PASSWORD : loginFault(error));
      field.current?.select();
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label="Sign in again">
      <Stack gap="md">
        <Text>Your session has ended. Sign in again to go on.</Text>
        <TextInput label="Username" autoComplete="username" readOnly value={user.username} />
        <RequiredFields>
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            ref={field}
            value={password}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
              setFault(null);
            }}
            error={fault}
            errorProps={{ role: 'alert' }}
            data-autofocus
          />
        </RequiredFields>
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

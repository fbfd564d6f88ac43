// Over the page of a person whose session has ended: the same person signs in again and continues where they were.

import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { refresh } from '#web/data/query-client.ts';
import { getSession, leaveExpiredSession, useExpiredUser } from '#web/lib/session.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { RequiredFields } from '#web/ui/required-fields.tsx';
import { TopDialog } from '#web/ui/top-dialog.tsx';
import { type CredentialFaults, loginFault, missingCredentials } from './credentials.ts';
import { attemptSignIn, type RequiredStep } from './sign-in-attempt.ts';

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
      {user ? <Steps known={user.username} /> : null}
    </TopDialog>
  );
}

function Steps({ known }: { known: string }) {
  // It can be changed: the session may have ended before its page heard of another one.
  const [username, setUsername] = useState(known);
  const [step, setStep] = useState<RequiredStep | null>(null);
  if (step === null) return <PasswordForm username={username} onUsername={setUsername} onStep={setStep} />;
  return <step.Step challenge={step.challenge} username={step.username} onAgain={() => setStep(null)} />;
}

interface PasswordFormProps {
  username: string;
  onUsername: (username: string) => void;
  onStep: (step: RequiredStep) => void;
}

function PasswordForm({ username, onUsername, onStep }: PasswordFormProps) {
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<CredentialFaults>({});
  const [busy, setBusy] = useState(false);
  const name = useRef<HTMLInputElement>(null);
  const field = useRef<HTMLInputElement>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const credentials = { username, password };
    const missing = missingCredentials(credentials);
    setFaults(missing);
    if (missing.username ?? missing.password) {
      (missing.username ? name : field).current?.focus();
      return;
    }
    setBusy(true);
    try {
      // The session's return closes this dialog, here and in every other tab.
      const step = await attemptSignIn(credentials);
      if (step !== null) onStep(step);
    } catch (error) {
      setBusy(false);
      setFaults({ password: loginFault(error) });
      field.current?.select();
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label="Sign in again">
      <Stack gap="md">
        <Text>Your session has ended. Sign in again to go on.</Text>
        <RequiredFields>
          <TextInput
            label="Username"
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            ref={name}
            value={username}
            onChange={(event) => {
              onUsername(event.currentTarget.value);
              setFaults({});
            }}
            error={faults.username}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            ref={field}
            value={password}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
              setFaults({});
            }}
            error={faults.password}
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

// Where an invitation link leads: whom it is for, and the password that the person chooses.

import { Anchor, Button, PasswordInput, Stack, Text, VisuallyHidden } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { joining } from '#contract/session.ts';
import { invitationQuery, join, makeWay } from '#web/data/invitations.ts';
import { queryClient } from '#web/data/query-client.ts';
import { ApiFault, fieldFaultsOf, reasonOf } from '#web/lib/api.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { loading } from '#web/lib/messages.ts';
import { passwordProfile, productName, supportEmail } from '#web/lib/product.ts';
import { repetitionFault } from '#web/lib/repeated-password.ts';
import { getSession, onSessionChange } from '#web/lib/session.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { RequiredFields } from '#web/ui/required-fields.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { headingOfStep, type RequiredStep, stepAfter } from './sign-in-attempt.ts';
import { SignInCard } from './sign-in-card.tsx';

const secretInAddress = () => window.location.hash.slice(1);
function onAddressChange(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

const TITLE = 'Invitation';

function Card({ heading = TITLE, children }: { heading?: string; children: ReactNode }) {
  return (
    <SignInCard title={TITLE} heading={heading}>
      <Stack gap="md">{children}</Stack>
    </SignInCard>
  );
}

export function InvitationScreen() {
  const secret = useSyncExternalStore(onAddressChange, secretInAddress);
  const session = useSyncExternalStore(onSessionChange, getSession);
  /** Whoever joined here is led on: they are not somebody else who is signed in. */
  const [joined, setJoined] = useState(false);
  const router = useRouter();
  useEffect(() => {
    if (session !== null && joined) void router.navigate({ to: '/', replace: true });
  }, [session, joined, router]);
  if (session !== null && !joined) return <SomebodyElse name={session.user.fullName} />;
  return <Invitation key={secret} secret={secret} onJoin={setJoined} />;
}

function SomebodyElse({ name }: { name: string }) {
  const [busy, setBusy] = useState(false);
  const leave = () => {
    setBusy(true);
    void makeWay();
  };
  return (
    <Card>
      <Text>
        You are signed in as {name}. An invitation is for somebody who has no password yet: if that is you too, sign out
        first. Nothing has been done with the link.
      </Text>
      <BusyButton busy={busy} fullWidth onClick={leave}>
        {busy ? 'Signing out...' : 'Sign Out and Go On'}
      </BusyButton>
      <Button component="a" href="/" variant="default" fullWidth>
        Stay Signed In
      </Button>
    </Card>
  );
}

interface InvitationProps {
  secret: string;
  onJoin: (joined: boolean) => void;
}

function Invitation({ secret, onJoin }: InvitationProps) {
  const { data, error, isFetching, refetch } = useQuery(
    { ...invitationQuery(secret), enabled: secret !== '' },
    // Only the frame of who is signed in provides it.
    queryClient,
  );
  const [over, setOver] = useState<Error | null>(null);
  const [step, setStep] = useState<RequiredStep | null>(null);

  if (step !== null) {
    return (
      <Card heading={headingOfStep(step)}>
        <step.Step
          challenge={step.challenge}
          username={step.username}
          onAgain={() => {
            // The password is chosen: from here on it is a sign-in.
            window.location.assign('/login');
          }}
        />
      </Card>
    );
  }
  const fault = over ?? error;
  if (secret === '' || isLinkOver(fault)) return <LinkOver words={fault?.message ?? INCOMPLETE} />;
  if (fault !== null) {
    return (
      <Card>
        <Text role="alert">{reasonOf(fault)}</Text>
        <BusyButton busy={isFetching} fullWidth onClick={() => void refetch()}>
          Try Again
        </BusyButton>
      </Card>
    );
  }
  if (data === undefined) {
    return (
      <Card>
        <Spinner label={loading.page} />
      </Card>
    );
  }
  return (
    <Card heading={`Welcome, ${data.fullName}`}>
      <Text>
        You are invited to {productName}. Choose a password that only you know. You sign in with it and your username,{' '}
        <strong>{data.username}</strong>. This link is good until {formatDateTime(data.until)}.
      </Text>
      <ChoosePassword secret={secret} username={data.username} onOver={setOver} onStep={setStep} onJoin={onJoin} />
    </Card>
  );
}

const INCOMPLETE = 'This address is not a whole invitation link. Please open the link that you were sent once more.';

function isLinkOver(error: Error | null): boolean {
  return error instanceof ApiFault && (error.code === 'invitation_invalid' || error.code === 'invitation_expired');
}

function LinkOver({ words }: { words: string }) {
  return (
    <Card>
      <Text role="alert">{words}</Text>
      <Text>
        Whoever invited you can give you a new one, or write to{' '}
        <Anchor href={`mailto:${supportEmail()}`} underline="always" style={{ overflowWrap: 'anywhere' }}>
          {supportEmail()}
        </Anchor>
        . If you have chosen a password already, sign in with it.
      </Text>
      <Button component="a" href="/login" variant="default" fullWidth>
        Go to Login
      </Button>
    </Card>
  );
}

interface Values extends Record<string, unknown> {
  newPassword: string;
  repeatedPassword: string;
}

const checkJoining = schemaResolver(joining(passwordProfile), { sync: true });

interface ChoosePasswordProps extends InvitationProps {
  username: string;
  onOver: (why: Error) => void;
  onStep: (step: RequiredStep | null) => void;
}

function ChoosePassword({ secret, username, onOver, onStep, onJoin }: ChoosePasswordProps) {
  const element = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: { newPassword: '', repeatedPassword: '' },
    validate: ({ newPassword, repeatedPassword }) => {
      const faults = checkJoining({ token: secret, newPassword });
      const fault = repetitionFault(newPassword, repeatedPassword);
      return fault === null ? faults : { ...faults, repeatedPassword: fault };
    },
  });
  const focusFirst = (faults: Readonly<Record<string, unknown>>) => {
    const name = ['newPassword', 'repeatedPassword'].find((field) => faults[field]);
    if (name) element.current?.querySelector<HTMLInputElement>(`[data-path="${name}"]`)?.focus();
  };

  const save = async ({ newPassword }: Values) => {
    if (busy) return;
    setBusy(true);
    setRefused(null);
    onJoin(true);
    try {
      onStep(await stepAfter(await join(secret, newPassword), username));
    } catch (error) {
      onJoin(false);
      setBusy(false);
      if (error instanceof Error && isLinkOver(error)) {
        onOver(error);
        return;
      }
      const faults = fieldFaultsOf(error);
      form.setErrors(faults);
      focusFirst(faults);
      setRefused(Object.keys(faults).length > 0 ? null : reasonOf(error));
    }
  };

  return (
    <form
      ref={element}
      aria-label="Choose a password"
      noValidate
      onSubmit={form.onSubmit((values) => void save(values), focusFirst)}
    >
      <Stack gap="md">
        {/* A password manager files the password under this name. */}
        <VisuallyHidden aria-hidden>
          <input type="text" autoComplete="username" value={username} readOnly tabIndex={-1} />
        </VisuallyHidden>
        <RequiredFields>
          <PasswordInput
            label="New password"
            autoComplete="new-password"
            autoFocus
            {...form.getInputProps('newPassword')}
          />
          <PasswordInput
            label="Repeat new password"
            autoComplete="new-password"
            {...form.getInputProps('repeatedPassword')}
          />
        </RequiredFields>
        {refused === null ? null : (
          <Text role="alert" size="sm" c="var(--mantine-color-error)">
            {refused}
          </Text>
        )}
        <BusyButton type="submit" fullWidth busy={busy}>
          {busy ? 'Joining...' : 'Join'}
        </BusyButton>
      </Stack>
    </form>
  );
}

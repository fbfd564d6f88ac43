// Where a link to choose a password leads, of an invitation or for a forgotten one: whom it is for, and the password that the person chooses.

import { Anchor, Button, PasswordInput, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import {
  type ChangeEvent,
  type FormEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { invitationQuery, join, makeWay } from '#web/data/invitations.ts';
import { queryClient } from '#web/data/query-client.ts';
import { ApiFault, fieldFaultsOf, reasonOf } from '#web/lib/api-fault.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { loading } from '#web/lib/messages.ts';
import { passwordRule } from '#web/lib/password-rule.ts';
import { firmFace, supportEmail } from '#web/lib/product.ts';
import { repetitionFault } from '#web/lib/repeated-password.ts';
import { getSession, onSessionChange } from '#web/lib/session.ts';
import { PhoneLink } from '#web/parts/firm/phone-link.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { RequiredFields } from '#web/ui/required-fields.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useSecretInAddress } from './secret-in-address.ts';
import { headingOfStep, type RequiredStep, stepAfter } from './sign-in-attempt.ts';
import { SignInCard } from './sign-in-card.tsx';

/** Of the two kinds of link. */
const WORDS = {
  joining: {
    title: 'Invitation',
    incomplete: 'This address is not a whole invitation link. Please open the link that you were sent once more.',
    expired: 'This invitation has expired.',
    forWhom: 'An invitation is for somebody who has no password yet: if that is you too, sign out first.',
    another: 'Whoever invited you can give you a new one, or write to ',
    save: ['Join', 'Joining...'],
  },
  'new-password': {
    title: 'New Password',
    incomplete: 'This address is not a whole link. Please open the link that you were sent once more.',
    expired: 'This link has expired.',
    forWhom: 'The link is for somebody who has forgotten the password: if that is you too, sign out first.',
    another: '"Forgot password" on the sign-in page sends a new one. If that does not help, write to ',
    save: ['Save Password', 'Saving...'],
  },
} as const;
/** Said by the server in the words of an invitation. */
const LINK_USED = 'This link is not valid. It was used already, has expired, or was replaced by a newer one.';

/** Which kind of link it is stands in its address, before the server is asked. */
const wordsHere = () => WORDS[window.location.pathname.startsWith('/new-password') ? 'new-password' : 'joining'];

function Card({ heading, children }: { heading?: string; children: ReactNode }) {
  const { title } = wordsHere();
  return (
    <SignInCard title={title} heading={heading ?? title}>
      <Stack gap="md">{children}</Stack>
    </SignInCard>
  );
}

export function InvitationScreen() {
  const secret = useSecretInAddress();
  const session = useSyncExternalStore(onSessionChange, getSession);
  /** Whoever joined here is led on: they are not somebody else who is signed in. */
  const [joined, setJoined] = useState(false);
  const router = useRouter();
  useEffect(() => {
    if (session !== null && joined) void router.navigate({ to: '/', replace: true });
  }, [session, joined, router]);
  if (session !== null && !joined) return <SomebodyElse name={session.user.fullName} secret={secret} />;
  return <Invitation key={secret} secret={secret} onJoin={setJoined} />;
}

function SomebodyElse({ name, secret }: { name: string; secret: string }) {
  const [busy, setBusy] = useState(false);
  const { error, isFetching } = useQuery(
    // Used meanwhile in another tab, it is over.
    { ...invitationQuery(secret), enabled: secret !== '', refetchOnMount: 'always' },
    queryClient,
  );
  const leave = () => {
    setBusy(true);
    void makeWay();
  };
  if (isFetching) {
    return (
      <Card>
        <Spinner label={loading.page} />
      </Card>
    );
  }
  // Whoever has joined comes back by the mail that invited them: nobody signs out for a link that is over.
  if (secret === '' || isLinkOver(error)) {
    return (
      <Card>
        <Text>
          You are signed in as {name}. {overWords(error)}
        </Text>
        <Button component="a" href="/" fullWidth>
          Go to the Portal
        </Button>
      </Card>
    );
  }
  return (
    <Card>
      <Text>
        You are signed in as {name}. {wordsHere().forWhom} Nothing has been done with the link.
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
  if (secret === '' || isLinkOver(fault)) return <LinkOver words={overWords(fault)} />;
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
  const isInvited = data.purpose === 'joining';
  return (
    <Card heading={isInvited ? `Welcome, ${data.fullName}` : `A new password for ${data.fullName}`}>
      <Text>
        {isInvited ? `You are invited to ${firmFace().name}. ` : null}Choose a password that only you know. You sign in
        with it and your username, <strong>{data.username}</strong>. {passwordRule} This link is good until{' '}
        {formatDateTime(data.until)}.
      </Text>
      <ChoosePassword secret={secret} username={data.username} onOver={setOver} onStep={setStep} onJoin={onJoin} />
    </Card>
  );
}

const OVER: readonly string[] = ['invitation_invalid', 'invitation_expired', 'password_link_expired'];

function isLinkOver(error: Error | null): boolean {
  return error instanceof ApiFault && OVER.includes(error.code ?? '');
}

function overWords(fault: Error | null): string {
  const words = wordsHere();
  if (fault === null) return words.incomplete;
  const code = fault instanceof ApiFault ? fault.code : undefined;
  // What to do about it stands below.
  if (code === 'invitation_expired' || code === 'password_link_expired') return words.expired;
  const isUsed = code === 'invitation_invalid';
  return isUsed && words === WORDS['new-password'] ? LINK_USED : fault.message;
}

function LinkOver({ words }: { words: string }) {
  const { phone } = firmFace();
  return (
    <Card>
      <Text role="alert">{words}</Text>
      <Text>
        {wordsHere().another}
        <Anchor href={`mailto:${supportEmail()}`} underline="always" style={{ overflowWrap: 'anywhere' }}>
          {supportEmail()}
        </Anchor>
        {phone === '' ? null : (
          <>
            {' or call '}
            <PhoneLink phone={phone} underline="always" />
          </>
        )}
        . If you have chosen a password already, sign in with it.
      </Text>
      <Button component="a" href="/login" variant="default" fullWidth>
        Go to Login
      </Button>
    </Card>
  );
}

type Field = 'newPassword' | 'repeatedPassword';
const FIELDS: readonly Field[] = ['newPassword', 'repeatedPassword'];

interface ChoosePasswordProps extends InvitationProps {
  username: string;
  onOver: (why: Error) => void;
  onStep: (step: RequiredStep | null) => void;
}

/** The rules of passwords are the server's: their schemas weigh more than this page, which is the first that anybody loads. */
function ChoosePassword({ secret, username, onOver, onStep, onJoin }: ChoosePasswordProps) {
  const element = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<Record<Field, string>>({ newPassword: '', repeatedPassword: '' });
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const show = (found: Readonly<Record<string, string>>) => {
    setFaults(found);
    const name = FIELDS.find((field) => found[field]);
    if (name) element.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus();
  };
  const fieldOf = (name: Field) => ({
    name,
    autoComplete: 'new-password',
    // To a phone a password that is shown is text, which it would begin with a capital and correct.
    autoCapitalize: 'none',
    autoCorrect: 'off',
    spellCheck: false,
    value: values[name],
    error: faults[name],
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => {
      setValues((before) => ({ ...before, [name]: value }));
      setFaults(({ [name]: _mended, ...others }) => others);
    },
  });

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const { newPassword, repeatedPassword } = values;
    const fault = newPassword === '' ? null : repetitionFault(newPassword, repeatedPassword);
    setRefused(null);
    if (fault !== null) {
      show({ repeatedPassword: fault });
      return;
    }
    setBusy(true);
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
      const found = fieldFaultsOf(error);
      show(found);
      setRefused(Object.keys(found).length > 0 ? null : reasonOf(error));
    }
  };

  return (
    <form ref={element} aria-label="Choose a password" noValidate onSubmit={(event) => void save(event)}>
      <Stack gap="md">
        {/* A password manager files the password under this name. */}
        <VisuallyHidden aria-hidden>
          <input type="text" autoComplete="username" value={username} readOnly tabIndex={-1} />
        </VisuallyHidden>
        <RequiredFields>
          <PasswordInput label="New password" autoFocus {...fieldOf('newPassword')} />
          <PasswordInput label="Repeat new password" {...fieldOf('repeatedPassword')} />
        </RequiredFields>
        {refused === null ? null : (
          <Text role="alert" size="sm" c="var(--mantine-color-error)">
            {refused}
          </Text>
        )}
        <BusyButton type="submit" fullWidth busy={busy}>
          {wordsHere().save[busy ? 1 : 0]}
        </BusyButton>
      </Stack>
    </form>
  );
}

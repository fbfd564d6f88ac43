// The login screen.

import { Anchor, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type ChangeEvent, type ComponentType, type FormEvent, type MouseEvent, useRef, useState } from 'react';
import { toastFault } from '#web/data/toast-fault.ts';
import { ApiFault, fieldFaultsOf } from '#web/lib/api-fault.ts';
import { titles } from '#web/lib/messages.ts';
import { mailIsOn } from '#web/lib/product.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { RequiredFields } from '#web/ui/required-fields.tsx';
import { toast } from '#web/ui/toast.tsx';
import { type CredentialFaults, type Credentials, loginFault, missingCredentials } from './credentials.ts';
import type { ForgottenProps } from './forgotten.tsx';
import classes from './login.module.css';
import { ASK_THE_FIRM, Note } from './login-note.tsx';
import { attemptSignIn, headingOfStep, type RequiredStep } from './sign-in-attempt.ts';
import { SignInCard } from './sign-in-card.tsx';

const headingOf = (secondStep: RequiredStep | null) => (secondStep === null ? 'Login' : headingOfStep(secondStep));

/** The name and the password as they are typed, and what becomes of them when they are sent. */
function useSignIn() {
  const [credentials, setCredentials] = useState<Credentials>({ username: '', password: '' });
  const [faults, setFaults] = useState<CredentialFaults>({});
  const [busy, setBusy] = useState(false);
  /** Why the last attempt failed, and for how long to wait: it stays when the toast has closed. */
  const [refused, setRefused] = useState<string | null>(null);
  const [secondStep, setSecondStep] = useState<RequiredStep | null>(null);
  const username = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);

  const change = (field: keyof Credentials) => (event: ChangeEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget;
    setCredentials((before) => ({ ...before, [field]: value }));
    setFaults(({ [field]: _mended, ...others }) => others);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const missing = missingCredentials(credentials);
    setFaults(missing);
    if (missing.username ?? missing.password) {
      (missing.username ? username : password).current?.focus();
      return;
    }
    setBusy(true);
    setRefused(null);
    try {
      // The guards of the routes notice the session and lead on.
      const step = await attemptSignIn(credentials);
      toast.clearError();
      if (step === null) return;
      setSecondStep(step);
      setCredentials((given) => ({ ...given, password: '' }));
    } catch (error) {
      setFaults(fieldFaultsOf(error));
      const words = loginFault(error);
      // Nobody looks up a mistyped password by the id of its request.
      if (error instanceof ApiFault && error.code === 'bad_credentials')
        toast.error(words, { title: titles.loginFailed });
      else toastFault(error, words, { title: titles.loginFailed });
      setRefused(loginFault(error));
      password.current?.select();
    } finally {
      setBusy(false);
    }
  };

  const askForUsername = () => {
    setFaults(missingCredentials({ ...credentials, password: ' ' }));
    username.current?.focus();
  };
  const again = () => setSecondStep(null);
  return { credentials, faults, busy, refused, secondStep, username, password, change, submit, askForUsername, again };
}

export function LoginScreen() {
  const signIn = useSignIn();
  const { credentials, faults, busy, refused, secondStep, username, password, change, submit } = signIn;
  const [forgotten, setForgotten] = useState(false);
  /** What sends a link for another password, once it is loaded. */
  const [LinkSender, setLinkSender] = useState<ComponentType<ForgottenProps> | null>(null);

  const explain = (event: MouseEvent) => {
    // The address stays: it may name the page to continue with.
    event.preventDefault();
    const explained = () => setForgotten(true);
    if (!mailIsOn) {
      explained();
      return;
    }
    // Pressed again, it begins anew, since the address may have been corrected meanwhile. Where it cannot be loaded, the firm helps.
    void import('./forgotten.tsx').then(
      ({ Forgotten }) => setLinkSender(() => (props: ForgottenProps) => <Forgotten {...props} />),
      explained,
    );
  };

  return (
    <SignInCard title="Login" heading={headingOf(secondStep)} welcomes={secondStep === null}>
      {secondStep ? (
        <secondStep.Step challenge={secondStep.challenge} username={secondStep.username} onAgain={signIn.again} />
      ) : (
        <>
          <form onSubmit={(event) => void submit(event)} noValidate>
            <Stack gap="md">
              <RequiredFields>
                <TextInput
                  label="Username"
                  autoComplete="username"
                  autoCapitalize="none"
                  autoCorrect="off"
                  spellCheck={false}
                  autoFocus
                  ref={username}
                  value={credentials.username}
                  onChange={change('username')}
                  error={faults.username}
                />
                <PasswordInput
                  label="Password"
                  autoComplete="current-password"
                  autoCapitalize="none"
                  autoCorrect="off"
                  spellCheck={false}
                  ref={password}
                  value={credentials.password}
                  onChange={change('password')}
                  error={faults.password}
                />
              </RequiredFields>
              {/* The toast says it aloud. */}
              {refused === null ? null : (
                <Text size="sm" c="var(--mantine-color-error)">
                  {refused}
                </Text>
              )}
              <BusyButton type="submit" fullWidth busy={busy} mt={4}>
                {busy ? 'Signing in...' : 'Login'}
              </BusyButton>
            </Stack>
          </form>
          <div className={classes.below}>
            <Anchor href="#forgotten" size="sm" onClick={explain}>
              Forgot password
            </Anchor>
            <Text size="sm" c="dimmed" className={classes.secure ?? ''}>
              <IconLock size={14} aria-hidden /> Secure Login
            </Text>
          </div>
          <div id="forgotten" role="status">
            {forgotten && LinkSender === null ? <Note>{ASK_THE_FIRM}</Note> : null}
          </div>
          {LinkSender ? <LinkSender username={credentials.username} onMissing={signIn.askForUsername} /> : null}
        </>
      )}
    </SignInCard>
  );
}

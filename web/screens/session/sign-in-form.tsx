// The username and the password of whoever signs in, on the sign-in page and over a page whose session has ended: as they are typed, and what becomes of them when they are sent.

import { PasswordInput, Text, TextInput } from '@mantine/core';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { signIn } from '#web/data/session.ts';
import { fieldFaultsOf } from '#web/lib/api-fault.ts';
import { RequiredFields } from '#web/ui/required-fields.tsx';
import { toast } from '#web/ui/toast.tsx';
import { type CredentialFaults, type Credentials, loginFault, missingCredentials } from './credentials.ts';
import { type RequiredStep, stepAfter } from './sign-in-attempt.ts';

/** `known` is the username as far as it is known; `tell` hears of a failure, beside what the form says of it. */
export function useSignIn(known: string, tell?: (error: unknown, words: string) => void) {
  const [credentials, setCredentials] = useState<Credentials>({ username: known, password: '' });
  const [faults, setFaults] = useState<CredentialFaults>({});
  const [busy, setBusy] = useState(false);
  /** Why the last attempt failed, and for how long to wait: it stays until the next one. */
  const [refused, setRefused] = useState<string | null>(null);
  const [secondStep, setSecondStep] = useState<RequiredStep | null>(null);
  const username = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);

  const fieldOf = (name: keyof Credentials) => ({
    ref: name === 'username' ? username : password,
    value: credentials[name],
    error: faults[name],
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => {
      setCredentials((before) => ({ ...before, [name]: value }));
      setFaults(({ [name]: _mended, ...others }) => others);
    },
  });

  const showMissing = (missing: CredentialFaults) => {
    setFaults(missing);
    (missing.username ? username : password).current?.focus();
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const missing = missingCredentials(credentials);
    if (missing.username ?? missing.password) {
      showMissing(missing);
      return;
    }
    setBusy(true);
    setRefused(null);
    try {
      // The session leads on: the guards of the routes notice it, and the dialog closes, here and in every other tab.
      const step = await stepAfter(await signIn(credentials), credentials.username);
      toast.clearError();
      if (step === null) return;
      setSecondStep(step);
      setCredentials((given) => ({ ...given, password: '' }));
    } catch (error) {
      const words = loginFault(error);
      setRefused(words);
      tell?.(error, words);
      setFaults(fieldFaultsOf(error));
      password.current?.select();
    } finally {
      setBusy(false);
    }
  };

  const startOver = () => setSecondStep(null);
  return { credentials, busy, refused, secondStep, fieldOf, showMissing, submit, startOver };
}

/** A phone would begin with a capital and correct what it takes for a word, in a password that is shown too. */
const AS_TYPED = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false };

interface SignInFieldsProps extends Pick<ReturnType<typeof useSignIn>, 'fieldOf' | 'refused'> {
  /** Over a page, whose person is known; nothing else says there what was refused. */
  again?: boolean;
}

export function SignInFields({ fieldOf, refused, again = false }: SignInFieldsProps) {
  return (
    <RequiredFields>
      <TextInput label="Username" autoComplete="username" autoFocus={!again} {...AS_TYPED} {...fieldOf('username')} />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        data-autofocus
        {...AS_TYPED}
        {...fieldOf('password')}
      />
      {refused === null ? null : (
        <Text size="sm" c="var(--mantine-color-error)" role={again ? 'alert' : undefined}>
          {refused}
        </Text>
      )}
    </RequiredFields>
  );
}

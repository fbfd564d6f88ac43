// The login screen.

import { Anchor, Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { LoginRequest } from '#contract/session.ts';
import { signIn } from '#web/data/session.ts';
import { fieldFaultsOf } from '#web/lib/api.ts';
import { failed, titles } from '#web/lib/messages.ts';
import { productName, supportEmail } from '#web/lib/product.ts';
import { toast } from '#web/ui/toast.tsx';
import classes from './login.module.css';

type Faults = Partial<Record<'username' | 'password', string>>;

export function LoginScreen() {
  const [credentials, setCredentials] = useState({ username: '', password: '' });
  const [faults, setFaults] = useState<Faults>({});
  const [busy, setBusy] = useState(false);
  const [forgotten, setForgotten] = useState(false);
  const username = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);

  const change = (field: 'username' | 'password') => (event: ChangeEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget;
    setCredentials((before) => ({ ...before, [field]: value }));
    setFaults((before) => ({ ...before, [field]: undefined }));
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const read = LoginRequest.safeParse(credentials);
    if (!read.success) {
      const found: Faults = {};
      for (const issue of read.error.issues) found[issue.path[0] as keyof Faults] ??= issue.message;
      setFaults(found);
      (found.username ? username : password).current?.focus();
      return;
    }
    setBusy(true);
    try {
      // The guards of the routes notice the session and lead on.
      await signIn(read.data);
    } catch (error) {
      setFaults(fieldFaultsOf(error));
      const message = error instanceof Error ? error.message || failed.login : failed.loginUnknown;
      toast.error(message, titles.loginFailed);
      password.current?.select();
    } finally {
      setBusy(false);
    }
  };

  return (
    <main className={classes.page}>
      <title>{`Login · ${productName}`}</title>
      <div className={classes.card}>
        <div className={classes.brand}>
          <svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
            <rect width="32" height="32" rx="7" fill="#2a58b5" />
            <path d="M9 11.5h14M9 16h14M9 20.5h8" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" fill="none" />
          </svg>
          <span className={classes.product}>{productName}</span>
        </div>
        <Title order={1} className={classes.title ?? ''}>
          Login
        </Title>
        <form onSubmit={(event) => void submit(event)} noValidate>
          <Stack gap="md">
            <TextInput
              label="Username"
              autoComplete="username"
              autoCapitalize="none"
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
              ref={password}
              value={credentials.password}
              onChange={change('password')}
              error={faults.password}
            />
            <Button type="submit" fullWidth disabled={busy} mt={4}>
              {busy ? 'Signing in...' : 'Login'}
            </Button>
          </Stack>
        </form>
        <div className={classes.below}>
          <Anchor
            component="button"
            type="button"
            size="sm"
            aria-expanded={forgotten}
            aria-controls="forgotten"
            onClick={() => setForgotten(!forgotten)}
          >
            Forgot password
          </Anchor>
          <Text size="sm" c="dimmed" className={classes.secure ?? ''}>
            <IconLock size={14} aria-hidden /> Secure Login
          </Text>
        </div>
        <div id="forgotten" role="status">
          {forgotten ? (
            <Text size="sm" className={classes.note ?? ''}>
              Please ask your accounting firm. An administrator there can set a new password for you.
            </Text>
          ) : null}
        </div>
      </div>
      {supportEmail === '' ? null : (
        <Button component="a" href={`mailto:${supportEmail}`} variant="subtle" size="xs">
          Contact Support
        </Button>
      )}
    </main>
  );
}

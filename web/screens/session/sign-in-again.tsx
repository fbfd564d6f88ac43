// Over the page of a person whose session has ended: the same person signs in again and goes on where they were.

import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import type { SessionUser } from '#contract/session.ts';
import { signIn } from '#web/data/session.ts';
import { leaveExpiredSession, useExpiredUser } from '#web/lib/session.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { loginFault, missingCredentials } from './credentials.ts';

/** Above every other dialog and the palette, below the toasts. */
const Z_INDEX = 450;

/** Mantine gives the focus back 10 ms after a dialog has closed. */
const FOCUS_RETURNS_AFTER_MS = 50;

/** Esc belongs to this dialog: without this mark the one below it would take the key. */
const keepsKeys = { 'data-mantine-stop-propagation': 'true' };

const stay = () => undefined;

/** A button that was off while its call failed had lost the focus already: the dialog or page around it takes it. */
function rescueFocus(): void {
  setTimeout(() => {
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const dialogs = document.querySelectorAll<HTMLElement>('[role="dialog"]');
    (dialogs.item(dialogs.length - 1) ?? document.getElementById('main'))?.focus();
  }, FOCUS_RETURNS_AFTER_MS);
}

export function SignInAgain() {
  const user = useExpiredUser();
  return (
    <Modal
      opened={user !== null}
      onClose={stay}
      title="Sign in again"
      size="sm"
      zIndex={Z_INDEX}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      transitionProps={{ duration: 120, exitDuration: 0 }}
      onExitTransitionEnd={rescueFocus}
      styles={{ title: { fontWeight: 600 } }}
    >
      {user ? <PasswordForm user={user} /> : null}
    </Modal>
  );
}

function PasswordForm({ user }: { user: SessionUser }) {
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
      await signIn(credentials);
    } catch (error) {
      setBusy(false);
      setFault(loginFault(error));
      field.current?.select();
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label="Sign in again">
      <Stack gap="md">
        <Text>Your session has ended. Sign in again to go on.</Text>
        <TextInput label="Username" autoComplete="username" readOnly value={user.username} {...keepsKeys} />
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
          {...keepsKeys}
        />
        <Group justify="space-between" gap="xs" mt={4}>
          <Button variant="subtle" px={8} ml={-8} onClick={leaveExpiredSession} {...keepsKeys}>
            Sign in as someone else
          </Button>
          <BusyButton type="submit" busy={busy} {...keepsKeys}>
            {busy ? 'Signing in...' : 'Sign in'}
          </BusyButton>
        </Group>
      </Stack>
    </form>
  );
}

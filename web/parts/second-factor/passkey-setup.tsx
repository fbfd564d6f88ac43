// Creating a passkey: a name for it, then the browser's own dialog.

import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import type { Enrolled } from '#contract/factors.ts';
import { addPasskey } from '#web/data/account.ts';
import { fieldFaultsOf, reasonOf } from '#web/lib/api-fault.ts';
import { required } from '#web/lib/messages.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';

export interface PasskeySetupProps {
  /** The token of a sign-in that waits for it; without one the session's own is sent. */
  bearer?: string;
  onEnrolled: (enrolled: Enrolled) => void;
  /** The label of the cancel button. */
  backLabel: 'Back' | 'Cancel';
  onBack: () => void;
  /** Handles a fault that a second attempt cannot fix, and returns whether it was one. */
  isOver?: (error: unknown) => boolean;
}

export function PasskeySetup({ bearer, onEnrolled, backLabel, onBack, isOver }: PasskeySetupProps) {
  const [name, setName] = useState('');
  const [fault, setFault] = useState<{ readonly name?: string; readonly passkey?: string }>({});
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (name.trim() === '') {
      setFault({ name: required.passkeyName });
      field.current?.focus();
      return;
    }
    setBusy(true);
    setFault({});
    try {
      onEnrolled(await addPasskey(name.trim(), bearer));
    } catch (error) {
      setBusy(false);
      if (isOver?.(error)) return;
      const { name: unfit } = fieldFaultsOf(error);
      setFault(unfit === undefined ? { passkey: reasonOf(error) } : { name: unfit });
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label="Add a passkey">
      <Stack gap="md">
        <Text>A passkey is kept by your device or by a security key, which asks for your finger, face or PIN.</Text>
        <TextInput
          label="Name of the passkey"
          aria-required
          placeholder="Office laptop"
          autoComplete="off"
          maxLength={60}
          autoFocus
          data-autofocus
          ref={field}
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setFault({});
          }}
          error={fault.name}
          errorProps={{ role: 'alert' }}
        />
        {fault.passkey === undefined ? null : (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {fault.passkey}
          </Text>
        )}
        <Group justify="space-between" gap="xs">
          <Button variant="default" onClick={onBack}>
            {backLabel}
          </Button>
          <BusyButton type="submit" busy={busy}>
            {busy ? 'Waiting for your passkey...' : 'Create passkey'}
          </BusyButton>
        </Group>
      </Stack>
    </form>
  );
}

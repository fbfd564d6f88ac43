// Setting up an authenticator app: the key to scan or type, and the first code as a proof.

import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { type FormEvent, useCallback, useRef, useState } from 'react';
import type { Enrolled } from '#contract/factors.ts';
import { confirmTotp, type TotpKey } from '#web/data/account.ts';
import { ApiFault, fieldFaultsOf, reasonOf } from '#web/lib/api-fault.ts';
import { codeHint, done, failed, required } from '#web/lib/messages.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { DigitsField } from '#web/ui/digits-field.tsx';
import { QrCode } from '#web/ui/qr-code.tsx';
import { BELOW_TOASTS, toast } from '#web/ui/toast.tsx';
import classes from './totp-setup.module.css';

const CODE_DIGITS = 6;

export interface TotpSetupProps {
  totpKey: TotpKey;
  /** The token of a sign-in that waits for it; without one the session's own is sent. */
  bearer?: string | undefined;
  onEnrolled: (enrolled: Enrolled) => void;
  /** The label of the cancel button. */
  backLabel: 'Back' | 'Cancel';
  onBack: () => void;
  /** Handles a fault that another code cannot fix, and returns whether it was one. */
  isOver?: (error: unknown) => boolean;
}

/** 'JBSWY3DPEHPK' as 'JBSW Y3DP EHPK': that is how a key is typed. */
function inGroups(key: string): string {
  return key.match(/.{1,4}/g)?.join(' ') ?? '';
}

/** The key in letters, with the ways it reaches an app on the same device. */
function KeyToType({ totpKey }: { totpKey: TotpKey }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(totpKey.secret);
      toast.success(done.keyCopied);
    } catch {
      toast.error(failed.copyKey);
    }
  };
  return (
    <>
      <dl className={classes.key}>
        <dt>Key to type</dt>
        <dd>{inGroups(totpKey.secret)}</dd>
      </dl>
      <Group gap="xs">
        <div className={classes.open}>
          <Button component="a" href={totpKey.url} variant="default" size="xs">
            Open your authenticator app
          </Button>
        </div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconCopy size={15} aria-hidden />}
          onClick={() => void copy()}
        >
          Copy key
        </Button>
      </Group>
    </>
  );
}

export function TotpSetup({ totpKey, bearer, onEnrolled, backLabel, onBack, isOver }: TotpSetupProps) {
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [isWrong, setWrong] = useState(false);
  const [busy, setBusy] = useState(false);
  const [drawn, setDrawn] = useState(true);
  const field = useRef<HTMLInputElement>(null);
  const giveUpDrawing = useCallback(() => setDrawn(false), []);

  const confirm = async (digits: string) => {
    if (busy) return;
    if (digits.length < CODE_DIGITS) {
      setFault(required.code);
      field.current?.focus();
      return;
    }
    setBusy(true);
    setFault(null);
    setWrong(false);
    try {
      onEnrolled(await confirmTotp(digits, bearer));
    } catch (error) {
      setBusy(false);
      if (isOver?.(error)) return;
      setFault(Object.values(fieldFaultsOf(error))[0] ?? reasonOf(error));
      setWrong(error instanceof ApiFault && error.code === 'wrong_code');
      field.current?.select();
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void confirm(code);
  };

  return (
    <form onSubmit={submit} noValidate aria-label="Set up authenticator app">
      <Stack gap="md">
        <Text>
          {drawn
            ? 'Scan this code with your authenticator app, or type the key below into it.'
            : 'Type this key into your authenticator app.'}
        </Text>
        {drawn ? (
          <div className={classes.code}>
            <QrCode text={totpKey.url} label="QR code for your authenticator app" onFault={giveUpDrawing} />
          </div>
        ) : null}
        <KeyToType totpKey={totpKey} />
        <DigitsField
          label="Code that the app shows"
          length={CODE_DIGITS}
          autoFocus
          data-autofocus
          ref={field}
          value={code}
          onChange={(digits) => {
            setCode(digits);
            setFault(null);
          }}
          onComplete={(digits) => void confirm(digits)}
          error={fault}
          description={isWrong && fault !== null ? codeHint : undefined}
          errorProps={{ role: 'alert' }}
        />
        <Group justify="space-between" gap="xs" {...{ [BELOW_TOASTS]: '' }}>
          <Button variant="default" onClick={onBack}>
            {backLabel}
          </Button>
          <BusyButton type="submit" busy={busy}>
            {busy ? 'Verifying...' : 'Verify'}
          </BusyButton>
        </Group>
      </Stack>
    </form>
  );
}

// Proving a second factor: by passkey, by the code of an app, or by a recovery code.

import { Divider, Stack, Text, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import type { FactorMethod } from '#contract/session.ts';
import { type FactorQuestion, proveByPasskey } from '#web/data/session.ts';
import { ApiFault, fieldFaultsOf, reasonOf } from '#web/lib/api-fault.ts';
import { codeHint, failed, required } from '#web/lib/messages.ts';
import { knowsPasskeys } from '#web/lib/passkeys.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { DigitsField } from '#web/ui/digits-field.tsx';
import { QuietButton } from '#web/ui/quiet-button.tsx';
import { sessionRequired } from './session-messages.ts';

const CODE_DIGITS = 6;

export interface FactorFormProps {
  /** What this person has. */
  methods: readonly FactorMethod[];
  question: FactorQuestion;
  /** Handles a fault that another code cannot fix, and returns whether it was one. */
  isOver?: (error: unknown) => boolean;
}

interface Fault {
  readonly method: FactorMethod;
  readonly message: string;
  /** Whether the code was looked at, and was wrong. */
  readonly isWrong: boolean;
}

/** The proofs that are given: one at a time, its fault shown where it was given. */
function useAttempts(isOver: FactorFormProps['isOver']) {
  const [busy, setBusy] = useState<FactorMethod | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const faultAt = (method: FactorMethod) => (fault?.method === method ? fault.message : null);

  const attempt = async (method: FactorMethod, prove: () => Promise<void>) => {
    if (busy !== null) return;
    setBusy(method);
    setFault(null);
    try {
      await prove();
    } catch (error) {
      setBusy(null);
      if (isOver?.(error)) return;
      const isWrong = error instanceof ApiFault && error.code === 'wrong_code';
      setFault({ method, message: Object.values(fieldFaultsOf(error))[0] ?? reasonOf(error), isWrong });
      if (method !== 'passkey') field.current?.select();
    }
  };

  const miss = (method: FactorMethod, message: string) => {
    setFault({ method, message, isWrong: false });
    field.current?.focus();
  };
  const forgetFault = () => setFault(null);
  return { field, busy, faultAt, isWrong: fault?.isWrong === true, forgetFault, attempt, miss };
}

export function FactorForm({ methods, question, isOver }: FactorFormProps) {
  const byPasskey = methods.includes('passkey') && knowsPasskeys();
  const byApp = methods.includes('totp');
  const byRecovery = methods.includes('recovery');
  const [recovering, setRecovering] = useState(!byPasskey && !byApp && byRecovery);
  const [code, setCode] = useState('');
  const [recoveryCode, setRecoveryCode] = useState('');
  const { field, busy, faultAt, isWrong, forgetFault, attempt, miss } = useAttempts(isOver);
  const attemptCode = (digits: string) => {
    if (digits.length === CODE_DIGITS) void attempt('totp', () => question.prove({ method: 'totp', code: digits }));
    else miss('totp', required.code);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!recovering) attemptCode(code);
    else if (recoveryCode.trim() === '') miss('recovery', sessionRequired.recoveryCode);
    else void attempt('recovery', () => question.prove({ method: 'recovery', code: recoveryCode }));
  };
  const choose = (recovery: boolean) => {
    setRecovering(recovery);
    forgetFault();
  };

  const unsupported =
    methods.includes('passkey') && !byPasskey && !byApp ? <Text>{failed.passkeyUnsupported}</Text> : null;

  if (recovering) {
    return (
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {unsupported}
          <Text>Enter one of the recovery codes that you kept. Each of them works once.</Text>
          <TextInput
            label="Recovery code"
            aria-required
            autoComplete="off"
            autoCapitalize="characters"
            autoCorrect="off"
            spellCheck={false}
            autoFocus
            ref={field}
            value={recoveryCode}
            onChange={(event) => {
              setRecoveryCode(event.currentTarget.value);
              forgetFault();
            }}
            error={faultAt('recovery')}
            errorProps={{ role: 'alert' }}
          />
          <VerifyButton variant="filled" proves="recovery" busy={busy} />
          {byPasskey || byApp ? (
            <QuietButton onClick={() => choose(false)}>
              {byApp ? 'Use the code of your app' : 'Use a passkey'}
            </QuietButton>
          ) : null}
        </Stack>
      </form>
    );
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {byPasskey ? (
          <PasskeyProof
            isFirst={!byApp}
            busy={busy}
            fault={faultAt('passkey')}
            onProve={() => void attempt('passkey', () => proveByPasskey(question))}
          />
        ) : null}
        {byPasskey && byApp ? <Divider label="or" /> : null}
        {byApp ? (
          <>
            <DigitsField
              label="Code from your authenticator app"
              length={CODE_DIGITS}
              autoFocus
              data-autofocus
              ref={field}
              value={code}
              onChange={(digits) => {
                setCode(digits);
                forgetFault();
              }}
              onComplete={attemptCode}
              error={faultAt('totp')}
              description={isWrong && faultAt('totp') !== null ? codeHint : undefined}
              errorProps={{ role: 'alert' }}
            />
            <VerifyButton variant={byPasskey ? 'default' : 'filled'} proves="totp" busy={busy} />
          </>
        ) : null}
        {unsupported}
        {byRecovery ? <QuietButton onClick={() => choose(true)}>Use a recovery code</QuietButton> : null}
      </Stack>
    </form>
  );
}

interface VerifyButtonProps {
  variant: 'filled' | 'default';
  proves: FactorMethod;
  busy: FactorMethod | null;
}

function VerifyButton({ variant, proves, busy }: VerifyButtonProps) {
  return (
    <BusyButton type="submit" variant={variant} fullWidth busy={busy !== null}>
      {busy === proves ? 'Verifying...' : 'Verify'}
    </BusyButton>
  );
}

interface PasskeyProofProps {
  /** Whether it has the focus at first. */
  isFirst: boolean;
  busy: FactorMethod | null;
  fault: string | null;
  onProve: () => void;
}

function PasskeyProof({ isFirst, busy, fault, onProve }: PasskeyProofProps) {
  return (
    <div>
      <BusyButton
        fullWidth
        autoFocus={isFirst}
        data-autofocus={isFirst || undefined}
        leftSection={<IconFingerprint size={17} aria-hidden />}
        busy={busy !== null}
        onClick={onProve}
      >
        {busy === 'passkey' ? 'Waiting for your passkey...' : 'Use a passkey'}
      </BusyButton>
      <PasskeyFault message={fault} />
    </div>
  );
}

function PasskeyFault({ message }: { message: string | null }) {
  return (
    <div aria-live="polite">
      {message === null ? null : (
        <Text size="xs" c="var(--mantine-color-error)" mt={6}>
          {message}
        </Text>
      )}
    </div>
  );
}

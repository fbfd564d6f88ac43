// The first second factor, set up before the first session: an app or a passkey, then the recovery codes.

import { Button, Stack, Text } from '@mantine/core';
import { IconDeviceMobile, IconFingerprint } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Enrolled } from '#contract/factors.ts';
import type { Challenge } from '#contract/session.ts';
import { startTotp, type TotpKey } from '#web/data/account.ts';
import { reasonOf } from '#web/lib/api-fault.ts';
import { failed } from '#web/lib/messages.ts';
import { knowsPasskeys } from '#web/lib/passkeys.ts';
import { entrance, startSession } from '#web/lib/session.ts';
import { PasskeySetup } from '#web/parts/second-factor/passkey-setup.tsx';
import { RecoveryCodes } from '#web/parts/second-factor/recovery-codes.tsx';
import { TotpSetup } from '#web/parts/second-factor/totp-setup.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';

export interface EnrolmentProps {
  challenge: Challenge;
  username: string;
  /** Handles a fault that ends this sign-in, and returns whether it was one. */
  isOver: (error: unknown) => boolean;
  /** The way back to the password, as long as nothing was started. */
  back: ReactNode;
}

type Step =
  | { readonly name: 'choose' | 'passkey' }
  | { readonly name: 'app'; readonly totpKey: TotpKey }
  | { readonly name: 'codes'; readonly codes: readonly string[]; readonly enrolled: Enrolled };

export function Enrolment({ challenge, username, isOver, back }: EnrolmentProps) {
  const [step, setStep] = useState<Step>({ name: 'choose' });
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const bearer = challenge.token;
  const choose = () => setStep({ name: 'choose' });

  const startApp = async () => {
    if (busy) return;
    setBusy(true);
    setFault(null);
    try {
      setStep({ name: 'app', totpKey: await startTotp(bearer) });
    } catch (error) {
      if (!isOver(error)) setFault(failed.addAuthenticator(reasonOf(error)));
    } finally {
      setBusy(false);
    }
  };

  const goOn = ({ session }: Enrolled) => {
    entrance.held = false;
    if (session !== null) startSession(session);
  };
  const finish = (enrolled: Enrolled) => {
    if (enrolled.recoveryCodes === null) {
      goOn(enrolled);
      return;
    }
    // The session waits until the codes are kept: its start navigates away from here.
    entrance.held = true;
    setStep({ name: 'codes', codes: enrolled.recoveryCodes, enrolled });
  };

  if (step.name === 'app') {
    return (
      <TotpSetup
        totpKey={step.totpKey}
        bearer={bearer}
        onEnrolled={finish}
        backLabel="Back"
        onBack={choose}
        isOver={isOver}
      />
    );
  }
  if (step.name === 'passkey') {
    return <PasskeySetup bearer={bearer} onEnrolled={finish} backLabel="Back" onBack={choose} isOver={isOver} />;
  }
  if (step.name === 'codes') {
    return (
      <RecoveryCodes codes={step.codes} username={username} goOnLabel="Continue" onKept={() => goOn(step.enrolled)} />
    );
  }
  return (
    <Stack gap="md">
      <Text>
        Your firm requires a second proof in addition to the password. Choose one to set up now; you can add others
        later.
      </Text>
      <BusyButton
        fullWidth
        autoFocus
        leftSection={<IconDeviceMobile size={17} aria-hidden />}
        busy={busy}
        onClick={() => void startApp()}
      >
        Authenticator app
      </BusyButton>
      {knowsPasskeys() ? (
        <Button
          variant="default"
          fullWidth
          leftSection={<IconFingerprint size={17} aria-hidden />}
          onClick={() => setStep({ name: 'passkey' })}
        >
          Passkey
        </Button>
      ) : null}
      {fault === null ? null : (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {fault}
        </Text>
      )}
      {back}
    </Stack>
  );
}

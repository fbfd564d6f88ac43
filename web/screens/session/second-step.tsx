// What follows the password where a second factor is required: proving it, or setting up the first one.

import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Challenge } from '#contract/session.ts';
import { isChallengeOver, signInQuestion } from '#web/data/session.ts';
import { QuietButton } from '#web/ui/quiet-button.tsx';
import { Enrolment } from './enrolment.tsx';
import { FactorForm } from './factor-form.tsx';
import { sessionFailed } from './session-messages.ts';

export interface SecondStepProps {
  challenge: Challenge;
  username: string;
  /** Back to the password. */
  onAgain: () => void;
}

/** The session's start leads on from here, as it does after a password alone. */
export function SecondStep({ challenge, username, onAgain }: SecondStepProps) {
  const [over, setOver] = useState<string | null>(null);
  const isOver = (error: unknown) => {
    if (!isChallengeOver(error)) return false;
    // Its token is unknown by then, and whoever holds it is signing in already.
    setOver(error.code === 'unauthenticated' ? sessionFailed.signInOver : error.message);
    return true;
  };

  if (over !== null) {
    return (
      <Stack gap="md">
        <Text role="alert">{over}</Text>
        <Button fullWidth autoFocus onClick={onAgain}>
          Sign in again
        </Button>
      </Stack>
    );
  }

  const back = <QuietButton onClick={onAgain}>Back to the password</QuietButton>;
  if (challenge.enrols) return <Enrolment challenge={challenge} username={username} isOver={isOver} back={back} />;
  return (
    <Stack gap="md">
      <FactorForm methods={challenge.methods} question={signInQuestion(challenge.token)} isOver={isOver} />
      {back}
    </Stack>
  );
}

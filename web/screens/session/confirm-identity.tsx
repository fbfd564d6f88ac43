// Step-up over any page: a call asks a signed-in person for the second factor again; the call then continues.

import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import type { Factors } from '#contract/factors.ts';
import type { FactorMethod } from '#contract/session.ts';
import { factorsQuery } from '#web/data/account.ts';
import { refresh } from '#web/data/query-client.ts';
import { type FactorQuestion, stepUpQuestion } from '#web/data/session.ts';
import { failed, loading } from '#web/lib/messages.ts';
import { getSession, onSessionChange } from '#web/lib/session.ts';
import { answerProof, standReady, useProofAsked } from '#web/lib/step-up.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { QuietButton } from '#web/ui/quiet-button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { TopDialog } from '#web/ui/top-dialog.tsx';

/** Loaded when somebody is asked: most pages are read without. */
const FactorForm = lazy(() =>
  import('./factor-form.tsx').then(
    (loaded) => ({ default: loaded.FactorForm }),
    () => ({ default: () => <Text role="alert">{failed.loadPart}</Text> }),
  ),
);

const question: FactorQuestion = {
  ...stepUpQuestion,
  prove: async (factor) => {
    await stepUpQuestion.prove(factor);
    answerProof(true);
    void refresh('factors', 'security-events');
  },
};

const giveUp = () => answerProof(false);

/** Lets calls ask. A new session has shown its second factor at sign-in, which answers what the previous one was asked. */
function stand(): () => void {
  let token = getSession()?.token;
  const stopFollowing = onSessionChange(() => {
    const next = getSession()?.token;
    if (next === undefined || next === token) return;
    token = next;
    answerProof(true);
  });
  const leave = standReady();
  return () => {
    stopFollowing();
    leave();
  };
}

/** Rendered once, in the frame of the signed-in pages. */
export function ConfirmIdentity() {
  const asked = useProofAsked();
  useEffect(stand, []);
  return (
    <TopDialog opened={asked} title="Confirm that it is you" level="low" onEscape={giveUp}>
      {asked ? <Proof /> : null}
    </TopDialog>
  );
}

function methodsOf({ totp, passkeys, recoveryCodesLeft }: Factors): FactorMethod[] {
  return [
    ...(totp ? (['totp'] as const) : []),
    ...(passkeys.length > 0 ? (['passkey'] as const) : []),
    ...(recoveryCodesLeft > 0 ? (['recovery'] as const) : []),
  ];
}

function Proof() {
  const factors = useQuery(factorsQuery());
  return (
    <>
      <Text mb="md">This needs your second factor once more. It then counts for five minutes.</Text>
      {factors.data ? (
        <Suspense fallback={<Spinner label={loading.page} />}>
          <FactorForm methods={methodsOf(factors.data)} question={question} />
        </Suspense>
      ) : factors.error ? (
        <ErrorState message={factors.error.message} onRetry={() => void factors.refetch()} busy={factors.isFetching} />
      ) : (
        <Spinner label={loading.page} />
      )}
      <QuietButton mt="md" onClick={giveUp}>
        Cancel
      </QuietButton>
    </>
  );
}

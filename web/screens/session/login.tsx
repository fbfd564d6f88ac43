// The login screen.

import { Anchor, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type ComponentType, type MouseEvent, useState } from 'react';
import { toastFault } from '#web/data/toast-fault.ts';
import { ApiFault } from '#web/lib/api-fault.ts';
import { titles } from '#web/lib/messages.ts';
import { mailIsOn } from '#web/lib/product.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import type { ForgottenProps } from './forgotten.tsx';
import classes from './login.module.css';
import { ASK_THE_FIRM, Note } from './login-note.tsx';
import { headingOfStep } from './sign-in-attempt.ts';
import { SignInCard } from './sign-in-card.tsx';
import { SignInFields, useSignIn } from './sign-in-form.tsx';

/** Says aloud what stands in the form. */
function tell(error: unknown, words: string): void {
  // Nobody looks up a mistyped password by the id of its request.
  const isMistyped = error instanceof ApiFault && error.code === 'bad_credentials';
  toastFault(isMistyped ? null : error, words, { title: titles.loginFailed });
}

export function LoginScreen() {
  const signIn = useSignIn('', tell);
  const { busy, secondStep, submit } = signIn;
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

  if (secondStep !== null) {
    return (
      <SignInCard title="Login" heading={headingOfStep(secondStep)}>
        <secondStep.Step {...secondStep} onAgain={signIn.startOver} />
      </SignInCard>
    );
  }
  return (
    <SignInCard title="Login" heading="Login" welcomes>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <SignInFields {...signIn} />
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
        {forgotten && !LinkSender && <Note>{ASK_THE_FIRM}</Note>}
      </div>
      {LinkSender && <LinkSender username={signIn.credentials.username} onMissing={signIn.showMissing} />}
    </SignInCard>
  );
}

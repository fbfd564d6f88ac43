// Where the link at the foot of a mail leads: it asks, and ends mails of this kind. Nobody needs to be signed in.
import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { digestTopicWords, topicOfEndingLink } from '#contract/digest-words.ts';
import { endMails } from '#web/data/digests.ts';
import { reasonOf } from '#web/lib/api-fault.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { useSecretInAddress } from './secret-in-address.ts';
import { SignInCard } from './sign-in-card.tsx';

const TITLE = 'End Mails';

export function EndMailsScreen() {
  const secret = useSecretInAddress();
  return <EndMails key={secret} secret={secret} />;
}

function EndMails({ secret }: { secret: string }) {
  const topic = topicOfEndingLink(secret);
  const [busy, setBusy] = useState(false);
  const [ended, setEnded] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The pressed button is gone.
    if (ended) said.current?.focus();
  }, [ended]);
  if (topic === null) {
    return (
      <SignInCard title={TITLE} heading={TITLE}>
        <Text>This address is not a whole link. Please open the one in the mail once more.</Text>
      </SignInCard>
    );
  }
  const words = digestTopicWords(topic);
  const end = async () => {
    setBusy(true);
    setFault(null);
    try {
      await endMails(secret);
      setEnded(true);
    } catch (error) {
      setFault(reasonOf(error));
    }
    setBusy(false);
  };
  if (ended) {
    return (
      <SignInCard title={TITLE} heading="Mails ended">
        <Stack gap="md">
          <Text ref={said} role="status" tabIndex={-1}>
            You get no more mails about {words}. Everything else stays as it is.
          </Text>
          <Text>To have them back, choose so in the portal: Account Settings, under Mail.</Text>
          <Button component="a" href="/account-settings" variant="default" fullWidth>
            Open Account Settings
          </Button>
        </Stack>
      </SignInCard>
    );
  }
  return (
    <SignInCard title={TITLE} heading={`No more mails about ${words}?`}>
      <Stack gap="md">
        <Text>
          After this the portal no longer writes to you about {words}. What there is to see stays in the portal, and
          other mails go on.
        </Text>
        {fault === null ? null : <Text role="alert">{fault}</Text>}
        <BusyButton busy={busy} fullWidth onClick={() => void end()}>
          {busy ? 'Ending...' : 'End These Mails'}
        </BusyButton>
      </Stack>
    </SignInCard>
  );
}

// What the person hears of by mail, and how often: kept with each choice.
import { NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import {
  DIGEST_PACES,
  type DigestPace,
  type DigestTopic,
  digestPaceLabels,
  digestTopicLabels,
} from '#contract/digest-words.ts';
import type { OwnDigests } from '#contract/digests.ts';
import { isClientUser } from '#contract/policy/actor.ts';
import { useChooseDigest } from '#web/data/digests.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { toast } from '#web/ui/toast.tsx';
import { accountDone, accountFailed } from './account-messages.ts';
import classes from './account-settings.module.css';

const about = (topic: DigestTopic, isClient: boolean) =>
  ({
    reports: 'Reports that others add where you see them.',
    documents: isClient ? 'Documents that others add for your companies.' : 'Documents that clients send.',
    deleted: 'Files that others delete and that were there for a day or longer.',
    requests: isClient
      ? 'What your firm asks for and sends back, and reminders: three days before, on the day, then weekly.'
      : 'What clients send for requests, or say does not apply.',
  })[topic];

function whereTo(isOn: boolean, address: string): string {
  if (!isOn) return 'The portal sends no mail: your firm has not set it up. What you choose holds once it has.';
  if (address === '')
    return 'Your user has no mail address, so nothing is sent to you. Please ask your firm to enter one.';
  return `Mails to you go to ${address}.`;
}

/** An option of a list has a text: going by what is usual has none of the paces. */
const USUAL = '';
const isPace = (value: string): value is DigestPace => (DIGEST_PACES as readonly string[]).includes(value);

export function MailChoices({ query: { data, error, isFetching, refetch } }: { query: UseQueryResult<OwnDigests> }) {
  if (data !== undefined) return <Choices own={data} />;
  if (error !== null) {
    return <ErrorState message={error.message} onRetry={() => void refetch()} busy={isFetching} />;
  }
  return <Skeleton height={440} aria-hidden />;
}

/** 'Eastern Time', or 'America/New_York' where this browser does not know the zone, or such names. */
function zoneName(timeZone: string): string {
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' }).formatToParts();
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  } catch {
    return timeZone;
  }
}

function Choices({ own: { isOn, address, timeZone, topics } }: { own: OwnDigests }) {
  return (
    <Stack className={classes.form ?? ''} gap="md">
      <Text style={{ overflowWrap: 'anywhere' }}>{whereTo(isOn, address)}</Text>
      {topics.map((choice) => (
        <TopicChoice key={choice.topic} choice={choice} />
      ))}
      <Text size="sm" c="dimmed">
        Daily mails are written at 7:00 AM, {zoneName(timeZone)}.
      </Text>
    </Stack>
  );
}

/** By itself: it shows what was chosen until that is answered, whatever else is chosen meanwhile. */
function TopicChoice({ choice: { topic, pace, usual } }: { choice: OwnDigests['topics'][number] }) {
  const user = useSessionUser();
  const choose = useChooseDigest();
  const keep = (value: string) =>
    choose.mutate(
      { topic, pace: isPace(value) ? value : null },
      {
        onSuccess: () => toast.success(accountDone.digestChosen),
        onError: (error) => toastFault(error, accountFailed.chooseDigest),
      },
    );
  return (
    <NativeSelect
      label={digestTopicLabels[topic]}
      description={about(topic, isClientUser(user))}
      value={(choose.isPending ? choose.variables.pace : pace) ?? USUAL}
      onChange={(event) => keep(event.currentTarget.value)}
      data={[
        { value: USUAL, label: `As usual: ${digestPaceLabels[usual].toLowerCase()}` },
        ...DIGEST_PACES.map((value) => ({ value, label: digestPaceLabels[value] })),
      ]}
    />
  );
}

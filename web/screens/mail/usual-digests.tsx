// How often people hear by mail of what who have not chosen: kept with each change.
import { Fieldset, NativeSelect, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import {
  DIGEST_AUDIENCES,
  DIGEST_PACES,
  DIGEST_TOPICS,
  type DigestAudience,
  type DigestPace,
  type DigestTopic,
  digestAudienceLabels,
  digestPaceLabels,
  digestTopicLabels,
} from '#contract/digest-words.ts';
import type { UsualDigests as Usual, UsualDigestsInput } from '#contract/digests.ts';
import { may } from '#contract/policy.ts';
import { useSetUsualDigests } from '#web/data/digests.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { toast } from '#web/ui/toast.tsx';
import { mailDone, mailFailed } from './mail-messages.ts';

const paces = DIGEST_PACES.map((value) => ({ value, label: digestPaceLabels[value] }));
/** What staff hear of is told from the other side. */
const staffLabels: Readonly<Record<DigestTopic, string>> = {
  ...digestTopicLabels,
  documents: 'New documents from clients',
  requests: 'Answers to requests',
};
const labelOf = (audience: DigestAudience, topic: DigestTopic) =>
  (audience === 'staff' ? staffLabels : digestTopicLabels)[topic];

interface UsualSelectProps {
  label: string;
  description?: string;
  value: string;
  maw?: string;
  data: (string | { value: string; label: string })[];
  /** What is sent where this is chosen. */
  inputOf: (value: string) => UsualDigestsInput;
}

/** By itself: it shows what was chosen until that is answered, whatever else is chosen meanwhile. */
function UsualSelect({ value, inputOf, ...select }: UsualSelectProps) {
  const mayChange = may(useSessionUser(), 'mail.manage');
  const set = useSetUsualDigests();
  const [chosen, setChosen] = useState(value);
  const keep = (next: string) => {
    setChosen(next);
    set.mutate(inputOf(next), {
      onSuccess: () => toast.success(mailDone.usualDigestsSet),
      onError: (error) => toastFault(error, mailFailed.setUsualDigests),
    });
  };
  return (
    <NativeSelect
      {...select}
      disabled={!mayChange}
      value={set.isPending ? chosen : value}
      onChange={(event) => keep(event.currentTarget.value)}
    />
  );
}

export function UsualDigests({ usual }: { usual: Usual }) {
  const zones = [...new Set(['UTC', usual.timeZone, ...Intl.supportedValuesOf('timeZone')])].sort();
  return (
    <Paper withBorder radius="md" p="md" mb="lg">
      <Title order={2} size="h4" mb={4}>
        What people hear of by mail
      </Title>
      <Text c="dimmed" mb="md">
        For everybody who has not chosen under Account Settings. Mails name only what the person sees.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} mb="md">
        {DIGEST_AUDIENCES.map((audience) => (
          <Fieldset key={audience} legend={digestAudienceLabels[audience]} radius="md">
            <Stack gap="sm">
              {DIGEST_TOPICS.map((topic) => (
                <UsualSelect
                  key={topic}
                  label={labelOf(audience, topic)}
                  value={usual[audience][topic]}
                  data={paces}
                  inputOf={(pace) => ({ [audience]: { [topic]: pace as DigestPace } })}
                />
              ))}
            </Stack>
          </Fieldset>
        ))}
      </SimpleGrid>
      <UsualSelect
        label="Daily mails are written at 7:00 AM in"
        description="Mails tell the time by this clock."
        maw="22rem"
        value={usual.timeZone}
        data={zones}
        inputOf={(timeZone) => ({ timeZone })}
      />
    </Paper>
  );
}

// How often people hear by mail of what who have not chosen: kept with each change.
import { Fieldset, NativeSelect, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
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
import { useSessionUser } from '#web/lib/session.ts';
import { toastFault } from '#web/lib/toast-fault.ts';
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

export function UsualDigests({ usual }: { usual: Usual }) {
  const mayChange = may(useSessionUser(), 'mail.manage');
  const set = useSetUsualDigests();
  const sent: UsualDigestsInput = set.isPending ? set.variables : {};
  const keep = async (input: UsualDigestsInput) => {
    try {
      await set.mutateAsync(input);
      toast.success(mailDone.usualDigestsSet);
    } catch (error) {
      toastFault(error, mailFailed.setUsualDigests);
    }
  };
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
                <NativeSelect
                  key={topic}
                  label={labelOf(audience, topic)}
                  disabled={!mayChange}
                  value={sent[audience]?.[topic] ?? usual[audience][topic]}
                  onChange={(event) => void keep({ [audience]: { [topic]: event.currentTarget.value as DigestPace } })}
                  data={paces}
                />
              ))}
            </Stack>
          </Fieldset>
        ))}
      </SimpleGrid>
      <NativeSelect
        label="Daily mails are written at 7:00 AM in"
        description="Mails tell the time by this clock."
        disabled={!mayChange}
        maw="22rem"
        value={sent.timeZone ?? usual.timeZone}
        onChange={(event) => void keep({ timeZone: event.currentTarget.value })}
        data={zones}
      />
    </Paper>
  );
}

// What the history proposes to expect: ticked, corrected and saved for many clients at once.

import { Button, Checkbox, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import type { Proposal, Proposals } from '#contract/completeness.ts';
import type { Frequency } from '#contract/completeness-words.ts';
import { periodName } from '#contract/period.ts';
import { counted } from '#contract/plain-words.ts';
import { useSaveManyExpectations } from '#web/data/completeness.ts';
import { proposalsQuery } from '#web/data/proposals.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { completenessWords } from '#web/lib/completeness-messages.ts';
import { formatCount, formatDate } from '#web/lib/format.ts';
import { DueDaysField, FrequencySelect } from '#web/parts/completeness/expectation-fields.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { type FootQuestion, FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Dialog } from '#web/ui/use-dialog.ts';
import classes from './proposals-dialog.module.css';

/** As many are looked through at once; the next come after these are saved or skipped. */
const CLIENTS_AT_ONCE = 50;

interface Choice {
  readonly off?: boolean;
  readonly frequency?: Frequency;
  readonly dueDays?: number;
}

const keyOf = ({ clientId, reportTypeId }: Proposal) => `${clientId} ${reportTypeId}`;

/** The proposals of some clients at once, from the first ones at each opening. */
function useProposals(opened: boolean) {
  const [asked, setAsked] = useState(0);
  /** The client behind which they begin; null for the first ones. */
  const [behind, setBehind] = useState<Proposals['last']>(null);
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map());
  const [isSkipAsked, setSkipAsked] = useState(false);
  useLayoutEffect(() => {
    if (!opened) return;
    setAsked((before) => before + 1);
    setBehind(null);
    setChoices(new Map());
    setSkipAsked(false);
  }, [opened]);
  const query = useQuery({ ...proposalsQuery(asked, behind), enabled: opened && asked > 0 });
  const byClient = [...Map.groupBy(query.data?.proposals ?? [], ({ clientId }) => clientId)];
  const shown = byClient.slice(0, CLIENTS_AT_ONCE);
  const lastLooked = query.data?.more ? query.data.last : null;
  const lastShown = byClient.length > shown.length ? shown.at(-1)?.[1][0] : undefined;
  const next = lastShown ? { id: lastShown.clientId, name: lastShown.clientName } : lastLooked;
  const goOn = () => {
    setChoices(new Map());
    setSkipAsked(false);
    setBehind(next);
  };
  /** What was corrected here is not thrown away unasked. */
  const skip = () => (choices.size > 0 ? setSkipAsked(true) : goOn());
  const skipping: FootQuestion | null = isSkipAsked
    ? {
        message: completenessWords.skipsChanges,
        keep: { label: 'Keep editing', onClick: () => setSkipAsked(false) },
        proceed: { label: 'Discard', onClick: goOn },
      }
    : null;
  return { query, shown, isFirst: behind === null, hasNext: next !== null, goOn, skip, skipping, choices, setChoices };
}

export function ProposalsDialog({ opened, close }: Dialog<null>) {
  const { query, shown, isFirst, hasNext, goOn, skip, skipping, choices, setChoices } = useProposals(opened);
  const saving = useSaveManyExpectations();
  const choiceOf = (proposal: Proposal): Choice => choices.get(keyOf(proposal)) ?? {};
  const change = (proposal: Proposal, next: Choice) =>
    setChoices((before) => new Map(before).set(keyOf(proposal), { ...before.get(keyOf(proposal)), ...next }));
  const taken = shown.flatMap(([, proposals]) => proposals).filter((proposal) => choiceOf(proposal).off !== true);

  const save = () =>
    saving.mutate(
      taken.map((proposal) => {
        const { clientId, reportTypeId, starts } = proposal;
        const { frequency = proposal.frequency, dueDays = proposal.dueDays } = choiceOf(proposal);
        return { clientId, reportTypeId, frequency, dueDays, starts };
      }),
      {
        onSuccess: ({ saved }) => {
          const left = taken.length - saved;
          if (left === 0) toast.success(completenessWords.saved);
          else toast.info(completenessWords.leftAsSaved(counted(left, 'report')));
          if (hasNext) goOn();
          else close();
        },
        onError: (error) => toastFault(error, completenessWords.notSaved),
      },
    );

  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title="Propose from history"
      size="xl"
      dirty={choices.size > 0}
      busy={saving.isPending}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      submitLabel={taken.length === 0 ? 'Save' : `Save ${formatCount(taken.length)}`}
      busyLabel="Saving..."
      canSubmit={taken.length > 0}
      question={saving.isPending ? null : skipping}
    >
      {query.isError ? (
        <ErrorState
          message={completenessWords.notProposed(query.error.message)}
          onRetry={() => query.refetch()}
          busy={query.isFetching}
        />
      ) : query.data === undefined ? (
        <Stack gap={10} role="status" aria-label="Looking at the history...">
          {[1, 2, 3, 4].map((line) => (
            <Skeleton key={line} height={30} />
          ))}
        </Stack>
      ) : shown.length === 0 ? (
        <EmptyState {...completenessWords[isFirst ? 'noProposals' : 'noMoreProposals']} />
      ) : (
        <>
          <Text c="dimmed">
            {completenessWords.proposed(counted(query.data.clients, 'client'))}
            {hasNext ? ` ${completenessWords.moreProposals}` : ''}
          </Text>
          {shown.map(([clientId, proposals]) => (
            <fieldset key={clientId} className={classes.client} disabled={saving.isPending}>
              <legend className={classes.name}>{proposals[0]?.clientName}</legend>
              {proposals.map((proposal) => (
                <ProposalLine
                  key={proposal.reportTypeId}
                  proposal={proposal}
                  choice={choiceOf(proposal)}
                  onChange={(next) => change(proposal, next)}
                />
              ))}
            </fieldset>
          ))}
          {hasNext ? (
            <Group>
              <Button variant="default" size="xs" onClick={skip} disabled={saving.isPending}>
                Skip These Clients
              </Button>
            </Group>
          ) : null}
        </>
      )}
    </FormDialog>
  );
}

interface ProposalLineProps {
  proposal: Proposal;
  choice: Choice;
  onChange: (next: Choice) => void;
}

function ProposalLine({ proposal, choice, onChange }: ProposalLineProps) {
  const { reportTypeName, clientName, seen, lastPeriod } = proposal;
  const { off = false, frequency = proposal.frequency, dueDays = proposal.dueDays } = choice;
  const what = `${reportTypeName} of ${clientName}`;
  return (
    <div className={classes.line}>
      <Checkbox
        checked={!off}
        onChange={(event) => onChange({ off: !event.currentTarget.checked })}
        label={reportTypeName}
        aria-label={`Expect ${what}`}
        description={`Seen ${counted(seen, 'time')}, last for ${periodName(lastPeriod, formatDate)}`}
      />
      <FrequencySelect
        label={`How often ${what} is expected`}
        value={frequency}
        onChange={(next) => onChange({ frequency: next ?? frequency })}
        disabled={off}
      />
      <DueDaysField
        label={`Days after its period that ${what} is due`}
        value={dueDays}
        onChange={(next) => onChange({ dueDays: next })}
        disabled={off}
      />
    </div>
  );
}

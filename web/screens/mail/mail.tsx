// The screen of the portal's own mail: whether it is set up, a test, what waits, was sent and failed.

import { Badge, Code, Group, List, Paper, Skeleton, Text, TextInput, Title } from '@mantine/core';
import { IconMail, IconRefresh } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import type { MailFacts, MailRow } from '#contract/mail.ts';
import { FAILING, MAIL_STATES, mailStateLabels } from '#contract/mail-states.ts';
import { may } from '#contract/policy.ts';
import { usualDigestsQuery } from '#web/data/digests.ts';
import { mailFactsQuery, mailsQuery, useRetryAllMails, useRetryMail, useTestMail } from '#web/data/mail.ts';
import { toastFault } from '#web/data/toast-fault.ts';
import { fieldFaultsOf } from '#web/lib/api-fault.ts';
import { LONGEST } from '#web/lib/format.ts';
import { mailIsOn } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { AccessRefused } from '#web/ui/access-refused.tsx';
import { Breakable } from '#web/ui/breakable.tsx';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { ChoiceFilter } from '#web/ui/choice-filter.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { FilterBar } from '#web/ui/filter-bar.tsx';
import { IconButton, IconRow } from '#web/ui/icon-button.tsx';
import { Moment } from '#web/ui/moment.tsx';
import { nothingMatches } from '#web/ui/nothing-matches.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { toast } from '#web/ui/toast.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { useRowsUnderWay } from '#web/ui/use-rows-under-way.ts';
import { mailDone, mailEmpty, mailFailed, mailWords } from './mail-messages.ts';
import { UsualDigests } from './usual-digests.tsx';

const columns: readonly Column<MailRow>[] = [
  {
    key: 'title',
    header: 'Mail',
    width: '34%',
    main: true,
    cell: ({ title, error }) => (
      // One element: on a phone the parts of a cell stand next to each other.
      <div>
        <Breakable text={title} />
        {error === null ? null : (
          <Text component="div" size="sm" c="dimmed">
            <Breakable text={error} />
          </Text>
        )}
      </div>
    ),
  },
  {
    key: 'state',
    header: 'State',
    width: '120px',
    cell: ({ state }) => <Badge miw="max-content">{mailStateLabels[state]}</Badge>,
  },
  {
    key: 'to',
    header: 'To',
    width: '24%',
    cell: ({ toName, toAddress }) =>
      toName === '' ? (
        <Breakable text={toAddress} />
      ) : (
        <div>
          <Breakable text={toName} />
          <Text component="div" size="sm" c="dimmed">
            <Breakable text={toAddress} />
          </Text>
        </div>
      ),
  },
  { key: 'attempts', header: 'Attempts', width: '10%', cell: ({ attempts }) => attempts },
  {
    key: 'due',
    header: 'Due',
    width: '16%',
    oneLine: LONGEST.dateTime,
    cell: ({ dueAt }) => <Moment at={dueAt} />,
  },
  {
    key: 'ended',
    header: 'Ended',
    width: '16%',
    oneLine: LONGEST.dateTime,
    cell: ({ endedAt }) => (endedAt === null ? '' : <Moment at={endedAt} />),
  },
];

export function MailScreen() {
  const user = useSessionUser();
  return (
    <>
      <PageHeader title="Mail" />
      {may(user, 'mail.read') ? <Mail /> : <AccessRefused />}
    </>
  );
}

function Mail() {
  const facts = useQuery(mailFactsQuery());
  const isSetUp = facts.data?.setUp != null;
  const usual = useQuery({ ...usualDigestsQuery(), enabled: isSetUp });
  return (
    <>
      {facts.data !== undefined ? (
        <SetUp facts={facts.data} />
      ) : facts.isFetched ? (
        <Unread what={mailFailed.facts} query={facts} />
      ) : (
        <Skeleton height={120} mb="lg" radius="md" />
      )}
      {/* How to set it up is as long as the page is narrow: what is below it is drawn after it, so that nothing moves. */}
      {isSetUp && usual.data !== undefined ? <UsualDigests usual={usual.data} /> : null}
      {isSetUp && usual.data === undefined && usual.isFetched ? (
        <Unread what={mailFailed.usualDigests} query={usual} />
      ) : null}
      {facts.isFetched && (!isSetUp || usual.isFetched) ? <Mails /> : null}
    </>
  );
}

/** In the place of what could not be loaded; once it has failed it stays, also while it is asked for again. */
function Unread({ what, query: { error, isFetching, refetch } }: { what: string; query: UseQueryResult<unknown> }) {
  return (
    <Paper withBorder radius="md" mb="lg">
      <ErrorState message={what} hint={error?.message} onRetry={() => void refetch()} busy={isFetching} />
    </Paper>
  );
}

function SetUp({ facts: { setUp, failing } }: { facts: MailFacts }) {
  const user = useSessionUser();
  return (
    <Paper withBorder radius="md" p="md" mb="lg">
      <Title order={2} size="h4" mb="xs">
        {setUp === null ? 'Mail is not set up' : 'Mail is set up'}
      </Title>
      {setUp === null ? (
        <HowTo />
      ) : (
        <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Mails leave through {setUp.server} as {setUp.from}. What cannot be delivered later, and what people answer,
          comes back to that address and is not read here: somebody should read its mailbox.
        </Text>
      )}
      {failing > 0 ? (
        <Group mt="md" gap="sm">
          <Text c="var(--coffer-warned)">{mailWords.failing(failing)}</Text>
          {setUp !== null && may(user, 'mail.manage') ? <TryAllAgain /> : null}
        </Group>
      ) : null}
      {setUp !== null && may(user, 'mail.manage') ? <TestMail /> : null}
    </Paper>
  );
}

function HowTo() {
  return (
    <>
      <Text c="dimmed" mb="xs">
        Until it is, the portal sends nothing: invitation links are copied by hand, and who forgets a password asks the
        firm. Whoever runs the server sets these variables and starts it again:
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>
          <Code>SMTP_URL</Code>, the mail server: <Code>smtps://user:password@mail.example.com</Code>
        </List.Item>
        <List.Item>
          <Code>MAIL_FROM</Code>, who writes: <Code>Example Payroll &lt;portal@example.com&gt;</Code>
        </List.Item>
        <List.Item>
          <Code>PUBLIC_ORIGIN</Code>, where links in mails lead to: <Code>https://files.example.com</Code>
        </List.Item>
      </List>
    </>
  );
}

/** One press for all that did not get through: where the mail server was away, these are many. */
function TryAllAgain() {
  const retryAll = useRetryAllMails();
  // Awaited: the button is gone by then, as nothing fails any more.
  const tryAll = async () => {
    try {
      const { mails } = await retryAll.mutateAsync();
      toast.success(mailDone.mailsRetried(mails));
    } catch (error) {
      toastFault(error, mailFailed.retryMails);
    }
  };
  return (
    <BusyButton
      variant="default"
      leftSection={<IconRefresh size={16} aria-hidden />}
      busy={retryAll.isPending}
      onClick={() => void tryAll()}
    >
      Try All Again
    </BusyButton>
  );
}

function TestMail() {
  const test = useTestMail();
  const [to, setTo] = useState('');
  const [fault, setFault] = useState<string | undefined>();
  const field = useRef<HTMLInputElement>(null);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (test.isPending) return;
    test.mutate(to, {
      onSuccess: () => toast.success(mailDone.testMailOrdered),
      onError: (error) => {
        toastFault(error, mailFailed.testMail);
        setFault(fieldFaultsOf(error).to);
        field.current?.focus();
      },
    });
  };
  return (
    <form aria-label="Test mail" noValidate onSubmit={send}>
      <Group mt="md" align="flex-end" gap="sm">
        <TextInput
          ref={field}
          label="Send a test mail to"
          type="email"
          autoComplete="email"
          w={{ base: '100%', xs: 320 }}
          value={to}
          onChange={(event) => {
            setTo(event.currentTarget.value);
            setFault(undefined);
          }}
          error={fault}
          // Below the row: the button stays beside the field.
          inputWrapperOrder={['label', 'input', 'error']}
        />
        <BusyButton type="submit" variant="default" busy={test.isPending} disabled={to.trim() === ''}>
          {test.isPending ? 'Sending...' : 'Send Test Mail'}
        </BusyButton>
      </Group>
      {test.data === undefined ? null : <Outcome ordered={test.data} />}
    </form>
  );
}

/** What becomes of the test mail that was just ordered: asked for by itself, its row may be on another page by now. */
function Outcome({ ordered }: { ordered: MailRow }) {
  const { data } = useQuery(mailsQuery({ id: ordered.id }));
  const { state, toAddress, error } = data?.rows.find(({ id }) => id === ordered.id) ?? ordered;
  return (
    <Text
      role="status"
      size="sm"
      mt="xs"
      c={error === null || state === 'sent' ? 'dimmed' : 'var(--mantine-color-error)'}
    >
      <Breakable text={`Test mail to ${toAddress}: ${mailStateLabels[state]}${error === null ? '.' : `. ${error}`}`} />
    </Text>
  );
}

/** Also what waits for its next try, up to four hours: whoever has mended what was wrong does not wait with it. Without mail nothing would come of it. */
const isRetryable = ({ state, error }: MailRow) =>
  mailIsOn && (state === 'failed' || (state === 'waiting' && error !== null));

/** What the list can be narrowed to: a state, or what is counted at the top of the page. */
const SHOWN = [...MAIL_STATES, FAILING] as const;
const shownLabels = { ...mailStateLabels, [FAILING]: 'Did not get through' };

function Mails() {
  const user = useSessionUser();
  const list = useListSearch({ sorts: ['created'], defaultSort: '-created', filters: ['state'] });
  const { limit, offset } = list.query;
  const shown = SHOWN.find((known) => known === list.filters.state);
  const mails = useQuery(
    mailsQuery({
      limit,
      offset,
      ...(shown === FAILING ? { failing: 'true' } : shown === undefined ? {} : { state: shown }),
    }),
  );
  const retry = useRetryMail();
  const underWay = useRowsUnderWay<number>();
  // Awaited one by one: of two that are pressed one after the other both say what came of it.
  const tryAgain = async (id: number) => {
    try {
      await retry.mutateAsync(id);
      toast.success(mailDone.mailRetried);
    } catch (error) {
      toastFault(error, mailFailed.retryMail);
    }
  };
  const actions: Column<MailRow> = {
    key: 'actions',
    header: 'Actions',
    width: '90px',
    cell: (mail) =>
      isRetryable(mail) ? (
        <IconRow>
          <IconButton
            label={`Try ${mail.title} to ${mail.toAddress} again`}
            tip="Try again"
            icon={<IconRefresh size={17} aria-hidden />}
            busy={underWay.has(mail.id)}
            onClick={() => void underWay.run(mail.id, () => tryAgain(mail.id))}
          />
        </IconRow>
      ) : null,
  };
  return (
    <>
      <FilterBar>
        <ChoiceFilter
          label="State"
          allLabel="All States"
          choices={SHOWN}
          names={shownLabels}
          value={shown}
          onChange={(value) => list.setFilters({ state: value })}
          width={200}
        />
      </FilterBar>
      <DataTable
        label="Mail"
        columns={may(user, 'mail.manage') ? [...columns, actions] : columns}
        query={mails}
        list={list}
        rowKey={(mail) => mail.id}
        empty={
          shown === undefined
            ? { ...mailEmpty.mails, icon: <IconMail size={24} stroke={1.5} /> }
            : nothingMatches({ title: mailEmpty.mailsSearched, onClear: list.clear })
        }
      />
    </>
  );
}

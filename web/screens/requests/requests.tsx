// The screen of requests: what clients are asked for, by due day; staff ask here, and Client users see all that was asked of them.
import { Anchor, Button, NativeSelect } from '@mantine/core';
import { IconListDetails, IconPlus, IconTemplate } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { isClientUser } from '#contract/policy/actor.ts';
import { mayAttempt } from '#contract/policy.ts';
import { DUE_FILTERS, REQUEST_STATES, requestStateNames } from '#contract/request-words.ts';
import type { RequestRow } from '#contract/requests.ts';
import { type RequestsFilter, requestsQuery } from '#web/data/requests.ts';
import { requestEmpty, requestWords } from '#web/lib/request-messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { reachesSeveral, useChosenClient } from '#web/parts/clients/chosen-client.ts';
import { ClientLink } from '#web/parts/clients/client-link.tsx';
import { ClientSelect } from '#web/parts/clients/client-select.tsx';
import { DueDay } from '#web/parts/requests/due-day.tsx';
import { loadRequestDialog } from '#web/parts/requests/load-request-dialog.ts';
import { RemindedDay } from '#web/parts/requests/reminded.tsx';
import type { AskedClient } from '#web/parts/requests/request-dialog.tsx';
import { RequestState } from '#web/parts/requests/request-state.tsx';
import { missingClients } from '#web/parts/users/missing-access.ts';
import { AccessRefused } from '#web/ui/access-refused.tsx';
import { Breakable } from '#web/ui/breakable.tsx';
import { CutName, wholeName } from '#web/ui/cut-name.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import type { EmptyStateProps } from '#web/ui/empty-state.tsx';
import { FilterBar } from '#web/ui/filter-bar.tsx';
import { Day, useToday } from '#web/ui/moment.tsx';
import { nothingMatches } from '#web/ui/nothing-matches.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { PageLink } from '#web/ui/page-link.ts';
import type { Column } from '#web/ui/table-shape.ts';
import { useAddressRequest } from '#web/ui/use-address-request.ts';
import { useLazyDialog } from '#web/ui/use-lazy-dialog.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';

const loadTemplates = () => import('./templates-dialog.tsx').then(({ TemplatesDialog }) => TemplatesDialog);

const titleColumn: Column<RequestRow> = {
  key: 'title',
  header: 'Request',
  width: '27%',
  main: true,
  cut: true,
  sort: 'title',
  cell: ({ id, title }) => (
    <Anchor
      component={PageLink}
      to="/requests/$id"
      params={{ id: String(id) }}
      inherit
      aria-label={wholeName(title)}
      style={{ overflowWrap: 'anywhere' }}
    >
      <CutName text={title} />
    </Anchor>
  ),
};

const clientColumn: Column<RequestRow> = {
  key: 'client',
  header: 'Client',
  width: '20%',
  sort: 'clientName',
  cell: ({ clientId, clientName }) => <ClientLink id={clientId} name={clientName} />,
};

const factColumns = (ofClient: boolean): readonly Column<RequestRow>[] => [
  {
    key: 'due',
    header: 'Due',
    width: '18%',
    sort: 'dueOn',
    cell: (request) => (
      <span>
        <DueDay request={request} />
        <RemindedDay request={request} />
      </span>
    ),
  },
  { key: 'state', header: 'State', width: '112px', cell: (request) => <RequestState request={request} /> },
  { key: 'items', header: 'Items', width: '20%', cell: (request) => requestWords.progress(request, ofClient) },
];

const askedColumn: Column<RequestRow> = {
  key: 'asked',
  header: 'Asked',
  width: '15%',
  sort: 'createdAt',
  cell: ({ askedByName, createdAt }) => (
    // One element: on a phone the parts of a cell stand next to each other.
    <span>
      <Day at={createdAt} /> by <Breakable text={askedByName} />
    </span>
  ),
};

export function RequestsScreen() {
  const user = useSessionUser();
  if (mayAttempt(user, 'requests.read')) return <Requests />;
  return (
    <>
      <PageHeader title="Requests" />
      <AccessRefused />
    </>
  );
}

/** What the address calls requests in every state. */
const ANY = 'any';
/** What it may name; anyone can type an address, and anything else counts as nothing. */
const STATES = [...REQUEST_STATES, ANY] as const;
const SHOWN = [...DUE_FILTERS, 'review'] as const;

/** What a list that is not narrowed says without rows: of open ones alone it is not known whether there were others. */
function noneOf(state: string, ofClient: boolean, onAll: () => void): Omit<EmptyStateProps, 'icon'> {
  if (state === ANY) return ofClient ? requestEmpty.noneForClient : requestEmpty.none;
  return {
    ...requestEmpty.noneOpen,
    action: (
      <Button variant="default" size="xs" mt={6} onClick={onAll}>
        See All Requests
      </Button>
    ),
  };
}

const DUE_NAMES = { overdue: 'Late', soon: 'Due soon' } as const;

function Requests() {
  const user = useSessionUser();
  const ofClient = isClientUser(user);
  const list = useListSearch({
    sorts: ['dueOn', 'title', 'clientName', 'createdAt'],
    // Whoever answers looks for what came last; what is still asked is on the home.
    defaultSort: ofClient ? '-createdAt' : 'dueOn',
    filters: ['client', 'state', 'due'],
  });
  const chosen = useChosenClient(list.filters.client);
  const { limit, offset, sort } = list.query;
  const today = useToday();
  const usual = ofClient ? ANY : 'open';
  const state = STATES.find((one) => one === list.filters.state) ?? usual;
  const due = SHOWN.find((one) => one === list.filters.due) ?? '';
  const filter: RequestsFilter = {
    limit,
    offset,
    sort,
    today,
    ...(chosen.clientId === null ? {} : { clientId: chosen.clientId }),
    ...(due === '' || due === 'review' ? {} : { due }),
    ...(due === 'review' ? { review: 'true' } : {}),
    ...(state === ANY ? {} : { state }),
  };
  const requests = useQuery(requestsQuery(filter));
  const asking = useLazyDialog<AskedClient>(loadRequestDialog);
  const templates = useLazyDialog<never>(loadTemplates);
  const mayAsk = mayAttempt(user, 'requests.manage');
  useAddressRequest('add', () => {
    if (mayAsk) void asking.open(null);
  });
  const isNarrowed = chosen.clientId !== null || due !== '' || (state !== usual && state !== ANY);
  const several = reachesSeveral(user);
  const lacking = missingClients(user);

  return (
    <>
      <PageHeader
        title="Requests"
        actions={
          <>
            {mayAttempt(user, 'requests.keep-templates') ? (
              <Button
                variant="default"
                leftSection={<IconTemplate size={16} aria-hidden />}
                onClick={() => void templates.open(null)}
              >
                Templates
              </Button>
            ) : null}
            {mayAsk ? (
              <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => void asking.open(null)}>
                New Request
              </Button>
            ) : null}
          </>
        }
      />
      <RequestFilterBar
        clientId={chosen.clientId}
        onClient={chosen.choose}
        state={state}
        usual={usual}
        due={due}
        onFilters={list.setFilters}
      />
      <DataTable
        label="Requests"
        columns={[titleColumn, ...(several ? [clientColumn] : []), ...factColumns(ofClient), askedColumn]}
        query={requests}
        list={list}
        rowKey={({ id }) => id}
        empty={
          isNarrowed && lacking === null
            ? nothingMatches({
                title: requestEmpty.narrowed,
                onClear: () => {
                  chosen.forget();
                  list.clear();
                },
              })
            : {
                ...(lacking === null
                  ? noneOf(state, ofClient, () => list.setFilters({ state: ANY }))
                  : { title: lacking }),
                icon: <IconListDetails size={24} stroke={1.5} />,
              }
        }
      />
      {asking.element}
      {templates.element}
    </>
  );
}

interface RequestFilterBarProps {
  clientId: number | null;
  onClient: (clientId: number | null) => void;
  state: string;
  /** The state that an address need not name. */
  usual: string;
  due: string;
  onFilters: (changed: { state?: string; due?: string }) => void;
}

function RequestFilterBar({ clientId, onClient, state, usual, due, onFilters }: RequestFilterBarProps) {
  const user = useSessionUser();
  return (
    <FilterBar>
      {reachesSeveral(user) ? (
        <ClientSelect label="Client" withAll value={clientId} onChange={onClient} w={{ base: '100%', xs: 220 }} />
      ) : null}
      <NativeSelect
        label="State"
        value={state}
        onChange={(event) => {
          const { value } = event.currentTarget;
          onFilters({ state: value === usual ? '' : value });
        }}
        data={[
          ...REQUEST_STATES.map((value) => ({ value, label: requestStateNames[value] })),
          { value: ANY, label: 'All States' },
        ]}
        w={{ base: '100%', xs: 150 }}
      />
      <NativeSelect
        label="Show"
        value={due}
        onChange={(event) => onFilters({ due: event.currentTarget.value })}
        data={[
          { value: '', label: 'All' },
          ...DUE_FILTERS.map((value) => ({ value, label: DUE_NAMES[value] })),
          { value: 'review', label: requestWords.toReview(isClientUser(user)) },
        ]}
        w={{ base: '100%', xs: 150 }}
      />
    </FilterBar>
  );
}

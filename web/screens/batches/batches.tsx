// The screen of batches: what was dropped, what has become of it, and where more is dropped.
import { Anchor } from '@mantine/core';
import { IconFiles } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { BATCH_STATES, batchStateNames } from '#contract/batch-words.ts';
import type { BatchRow } from '#contract/batches.ts';
import { may } from '#contract/policy.ts';
import { batchesQuery } from '#web/data/batches.ts';
import { formatCount, LONGEST } from '#web/lib/format.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { Suggestions } from '#web/parts/suggestions/suggestions.tsx';
import { missingReports } from '#web/parts/users/missing-access.ts';
import { AccessRefused } from '#web/ui/access-refused.tsx';
import { Breakable } from '#web/ui/breakable.tsx';
import { ChoiceFilter } from '#web/ui/choice-filter.tsx';
import { CutName, wholeName } from '#web/ui/cut-name.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { FilterBar } from '#web/ui/filter-bar.tsx';
import { Moment } from '#web/ui/moment.tsx';
import { nothingMatches } from '#web/ui/nothing-matches.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { PageLink } from '#web/ui/page-link.ts';
import type { Column } from '#web/ui/table-shape.ts';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { BatchDrop, FilesButton } from './batch-drop.tsx';
import { batchEmpty } from './batch-messages.ts';
import { BatchState, documentWords, fileCounts } from './batch-state.tsx';
import { beginBatch } from './fill-batch.ts';

const columns: readonly Column<BatchRow>[] = [
  {
    key: 'name',
    header: 'Name',
    width: '27%',
    main: true,
    cut: true,
    cell: ({ id, name }) => (
      <Anchor
        component={PageLink}
        to="/batches/$id"
        params={{ id: String(id) }}
        inherit
        aria-label={wholeName(name)}
        style={{ overflowWrap: 'anywhere' }}
      >
        <CutName text={name} />
      </Anchor>
    ),
  },
  { key: 'state', header: 'State', width: '124px', cell: (batch) => <BatchState batch={batch} /> },
  { key: 'files', header: 'Files', width: '104px', align: 'right', cell: fileCounts },
  { key: 'pages', header: 'Pages', width: '78px', align: 'right', cell: ({ pages }) => formatCount(pages) },
  { key: 'documents', header: 'Documents', width: '22%', cell: documentWords },
  { key: 'owner', header: 'By', width: '13%', cell: ({ ownerName }) => <Breakable text={ownerName} /> },
  {
    key: 'created',
    header: 'Created',
    width: '15%',
    oneLine: LONGEST.dateTime,
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
];

export function BatchesScreen() {
  const user = useSessionUser();
  if (may(user, 'batches.use')) return <Batches />;
  return (
    <>
      <PageHeader title="Batches" />
      <AccessRefused />
    </>
  );
}

function Batches() {
  const list = useListSearch({ sorts: ['created'], defaultSort: '-created', filters: ['state'] });
  const { limit, offset } = list.query;
  const state = BATCH_STATES.find((known) => known === list.filters.state);
  const batches = useQuery(batchesQuery({ limit, offset, ...(state === undefined ? {} : { state }) }));
  const lacking = missingReports(useSessionUser());
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);

  const begin = async (files: File[]) => {
    if (files.length === 0) return;
    setBusy(true);
    const id = await beginBatch(files);
    setBusy(false);
    if (id !== null) await navigate({ to: '/batches/$id', params: { id: String(id) } });
  };

  return (
    <>
      <PageHeader
        title="Batches"
        actions={
          <>
            <FilesButton folder variant="default" onFiles={(files) => void begin(files)} busy={busy}>
              New Batch from a Folder
            </FilesButton>
            <FilesButton onFiles={(files) => void begin(files)} busy={busy}>
              New Batch
            </FilesButton>
          </>
        }
      />
      <FilterBar>
        <ChoiceFilter
          label="State"
          allLabel="All States"
          choices={BATCH_STATES}
          names={batchStateNames}
          value={state}
          onChange={(chosen) => list.setFilters({ state: chosen })}
          width={170}
        />
      </FilterBar>
      <DataTable
        label="Batches"
        columns={columns}
        query={batches}
        list={list}
        rowKey={({ id }) => id}
        empty={
          state === undefined
            ? {
                ...(lacking === null ? batchEmpty.batches : { title: lacking }),
                icon: <IconFiles size={24} stroke={1.5} />,
              }
            : nothingMatches({ title: batchEmpty.batchesInState, onClear: () => list.clear() })
        }
      />
      <Suggestions shown="own" />
      <BatchDrop onFiles={(files) => void begin(files)} />
    </>
  );
}

// The screen of report types.

import { Button, Text } from '@mantine/core';
import { IconCalendarDue, IconPlus, IconTags, IconTextScan2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { seesPhrases } from '#contract/policy/reach.ts';
import { may } from '#contract/policy.ts';
import type { ReportTypeRow } from '#contract/report-types.ts';
import { reportTypesQuery, useDeleteReportType } from '#web/data/report-types.ts';
import { rulesQuery } from '#web/data/retention.ts';
import { empty } from '#web/lib/messages.ts';
import { retentionWords } from '#web/lib/retention-messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useDeletion } from '#web/parts/files/use-deletion.ts';
import { useImport } from '#web/parts/import/use-import.tsx';
import { UsualReportTypesButton } from '#web/parts/report-types/usual-report-types-button.tsx';
import type { KeptFor } from '#web/parts/retention/retention-dialog.tsx';
import { Suggestions } from '#web/parts/suggestions/suggestions.tsx';
import { ClearSearch } from '#web/ui/clear-search.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { actionsColumn } from '#web/ui/row-actions.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { useAddressRequest } from '#web/ui/use-address-request.ts';
import { useLazyDialog } from '#web/ui/use-lazy-dialog.tsx';
import { useListSearch } from '#web/ui/use-list-search.ts';
import {
  reportTypeDone,
  reportTypeEmpty,
  reportTypeFailed,
  reportTypeHints,
  reportTypeQuestions,
} from './report-type-messages.ts';

/** `keptFor` says how long its files are kept; empty where nobody has said, and for those who may not know. */
const nameColumn = (withPhrases: boolean, keptFor: (type: ReportTypeRow) => string): Column<ReportTypeRow> => ({
  key: 'name',
  header: 'Report Type',
  sort: 'name',
  cell: (type) => {
    const { name, phrases } = type;
    const kept = keptFor(type);
    return (
      // One thing also where the cell lays out what is in it side by side, as a card does.
      <div>
        {name}
        {kept === '' ? null : (
          <Text size="sm" c="dimmed">
            {kept}
          </Text>
        )}
        {withPhrases && phrases.length > 0 ? (
          <Text size="sm" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {`Recognized in batches by: ${phrases.map((phrase) => `"${phrase}"`).join(', ')}`}
          </Text>
        ) : null}
      </div>
    );
  },
});

/** How long the files of a type are kept, in words; empty where nobody has said. */
function useKeptFor(): (type: ReportTypeRow) => string {
  const { data: rules } = useQuery({ ...rulesQuery(), enabled: may(useSessionUser(), 'retention.read') });
  const years = useMemo(() => new Map(rules?.types.map((type) => [type.id, type.years])), [rules]);
  return ({ id }) => {
    const said = years.get(id) ?? null;
    return said === null ? '' : retentionWords.kept(said);
  };
}

const loadImport = () => import('./import-report-types.tsx').then(({ ImportReportTypes }) => ImportReportTypes);

const loadPhrases = () => import('./phrases-dialog.tsx').then(({ PhrasesDialog }) => PhrasesDialog);

const loadYears = () =>
  import('#web/parts/retention/retention-dialog.tsx').then(({ RetentionDialog }) => RetentionDialog);

const loadDialog = () => import('./report-type-dialog.tsx').then(({ ReportTypeDialog }) => ReportTypeDialog);

export function ReportTypesScreen() {
  const user = useSessionUser();
  const list = useListSearch({ sorts: ['name'], defaultSort: 'name' });
  const types = useQuery(reportTypesQuery(list.query));
  const dialog = useLazyDialog<ReportTypeRow>(loadDialog);
  const remove = useDeletion<ReportTypeRow>(useDeleteReportType().mutateAsync, {
    title: (type) => `Delete ${type.name}?`,
    question: reportTypeQuestions.deleteReportType,
    note: () => reportTypeQuestions.whatGoes,
    done: reportTypeDone.reportTypeDeleted,
    failed: reportTypeFailed.deleteReportType,
  });

  const keptFor = useKeptFor();
  const years = useLazyDialog<KeptFor>(loadYears);
  const phrases = useLazyDialog<ReportTypeRow>(loadPhrases);
  const mayKeep = may(user, 'report-types.update');
  const actions = actionsColumn<ReportTypeRow>({
    nameOf: (type) => type.name,
    edit: (type) => (mayKeep ? () => void dialog.open(type) : null),
    others: (type) => [
      ...(may(user, 'retention.manage')
        ? [
            {
              label: `How long to keep ${type.name}`,
              tip: 'How long to keep',
              icon: <IconCalendarDue size={17} aria-hidden />,
              onClick: () => void years.open({ reportTypeId: type.id, name: type.name }),
            },
          ]
        : []),
      ...(mayKeep
        ? [
            {
              label: `Edit phrases of ${type.name}`,
              tip: 'Edit phrases',
              icon: <IconTextScan2 size={17} aria-hidden />,
              onClick: () => void phrases.open(type),
            },
          ]
        : []),
    ],
    remove: (type) => (may(user, 'report-types.delete') ? () => remove(type) : null),
    most: 'four',
  });

  const mayAdd = may(user, 'report-types.create');
  useAddressRequest('add', () => {
    if (mayAdd) void dialog.open(null);
  });
  const importing = useImport('Import report types', loadImport, mayAdd);
  // The empty text suggests adding one only to people who can.
  const emptyText = mayAdd ? reportTypeEmpty.reportTypes : empty.checklistReportTypes;

  return (
    <>
      <PageHeader
        title="Report Types"
        subtitle={mayAdd && user.reach === 'lists' ? reportTypeHints.byList : undefined}
        actions={
          mayAdd ? (
            <>
              {importing.button}
              <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => void dialog.open(null)}>
                Add Report Type
              </Button>
            </>
          ) : null
        }
      />
      <Suggestions shown="type" />
      <SearchBox
        label="Search report types"
        placeholder="Search report types..."
        value={list.searchText}
        onChange={list.setSearchText}
      />
      <DataTable
        label="Report Types"
        columns={[
          nameColumn(seesPhrases(user), keptFor),
          ...(mayKeep || may(user, 'report-types.delete') ? [actions] : []),
        ]}
        query={types}
        list={list}
        rowKey={(type) => type.id}
        empty={{
          title: list.narrowed ? reportTypeEmpty.reportTypesSearched : emptyText,
          hint: mayAdd && !list.narrowed ? reportTypeEmpty.usualReportTypes : undefined,
          action: list.narrowed ? <ClearSearch list={list} /> : mayAdd ? <UsualReportTypesButton /> : undefined,
          icon: <IconTags size={24} stroke={1.5} />,
        }}
      />
      {dialog.element}
      {phrases.element}
      {years.element}
      {importing.dialog}
    </>
  );
}

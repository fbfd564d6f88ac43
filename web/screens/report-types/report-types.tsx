// The screen of report types.

import { Button } from '@mantine/core';
import { IconPlus, IconTags } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { may } from '#contract/policy.ts';
import type { ReportTypeRow } from '#contract/report-types.ts';
import { reportTypesQuery, useDeleteReportType } from '#web/data/report-types.ts';
import { confirmations, done, empty, failed } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useDeletion } from '#web/parts/use-deletion.ts';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { actionsColumn } from '#web/ui/row-actions.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { useDialog } from '#web/ui/use-dialog.ts';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { ReportTypeDialog } from './report-type-dialog.tsx';

const nameColumn: Column<ReportTypeRow> = {
  key: 'name',
  header: 'Report Type',
  sort: 'name',
  cell: (type) => type.name,
  width: '92%',
};

export function ReportTypesScreen() {
  const user = useSessionUser();
  const list = useListSearch({ sorts: ['name'], defaultSort: 'name' });
  const types = useQuery(reportTypesQuery(list.query));
  const dialog = useDialog<never>();
  const remove = useDeletion<ReportTypeRow>(useDeleteReportType().mutateAsync, {
    title: (type) => `Delete ${type.name}?`,
    question: confirmations.deleteReportType,
    done: done.reportTypeDeleted,
    failed: failed.deleteReportType,
  });

  const actions = actionsColumn<ReportTypeRow>({
    nameOf: (type) => type.name,
    remove: (type) => () => remove(type),
  });

  const mayAdd = may(user, 'report-types.create');
  // The empty text suggests adding one only to people who can.
  const emptyText = mayAdd ? empty.reportTypes : empty.checklistReportTypes;

  return (
    <>
      <PageHeader
        title="Report Types"
        actions={
          mayAdd ? (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => dialog.open(null)}>
              Add Report Type
            </Button>
          ) : null
        }
      />
      <SearchBox
        label="Search report types"
        placeholder="Search report types..."
        value={list.searchText}
        onChange={list.setSearchText}
      />
      <DataTable
        label="Report Types"
        columns={may(user, 'report-types.delete') ? [nameColumn, actions] : [nameColumn]}
        query={types}
        list={list}
        rowKey={(type) => type.id}
        empty={{
          title: list.narrowed ? empty.reportTypesSearched : emptyText,
          icon: <IconTags size={24} stroke={1.5} />,
        }}
      />
      <ReportTypeDialog {...dialog} />
    </>
  );
}

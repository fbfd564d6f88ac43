// The screen of report types.

import { Button } from '@mantine/core';
import { IconPlus, IconTags, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { may } from '#contract/policy.ts';
import type { ReportTypeRow } from '#contract/report-types.ts';
import { reportTypesQuery, useDeleteReportType } from '#web/data/report-types.ts';
import { reasonOf } from '#web/lib/api.ts';
import { confirmations, done, empty, failed } from '#web/lib/messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { useConfirm } from '#web/ui/confirm-dialog.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useDialog } from '#web/ui/use-dialog.ts';
import { useListSearch } from '#web/ui/use-list-search.ts';
import { ReportTypeDialog } from './report-type-dialog.tsx';

const nameColumn: Column<ReportTypeRow> = {
  key: 'name',
  header: 'Report Type',
  sort: 'name',
  cell: (type) => type.name,
};

export function ReportTypesScreen() {
  const user = useSessionUser();
  const list = useListSearch({ sorts: ['name'], defaultSort: 'name' });
  const types = useQuery(reportTypesQuery(list.query));
  const dialog = useDialog<never>();
  const confirm = useConfirm();
  const deletion = useDeleteReportType();

  const remove = (type: ReportTypeRow) =>
    confirm({
      title: `Delete ${type.name}?`,
      message: confirmations.deleteReportType,
      confirmLabel: 'Delete',
      busyLabel: 'Deleting...',
      onConfirm: async () => {
        try {
          await deletion.mutateAsync(type.id);
          toast.success(done.reportTypeDeleted);
        } catch (error) {
          toast.error(failed.deleteReportType(reasonOf(error)));
        }
      },
    });

  const actions: Column<ReportTypeRow> = {
    key: 'actions',
    header: 'Actions',
    width: '1%',
    cell: (type) => (
      <IconButton
        label={`Delete ${type.name}`}
        tip="Delete"
        icon={<IconTrash size={17} aria-hidden />}
        onClick={() => remove(type)}
        danger
      />
    ),
  };

  return (
    <>
      <PageHeader
        title="Report Types"
        actions={
          may(user, 'report-types.create') ? (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => dialog.open(null)}>
              Add Report Type
            </Button>
          ) : null
        }
      />
      <DataTable
        label="Report Types"
        columns={may(user, 'report-types.delete') ? [nameColumn, actions] : [nameColumn]}
        query={types}
        list={list}
        rowKey={(type) => type.id}
        empty={{ title: empty.reportTypes, icon: <IconTags size={24} stroke={1.5} /> }}
      />
      <ReportTypeDialog {...dialog} />
    </>
  );
}

// Report types from a CSV: its one column.
import { ReportTypeInput } from '#contract/report-types.ts';
import { importReportTypes } from '#web/data/report-types.ts';
import { ImportDialog } from '#web/parts/import/import-dialog.tsx';
import type { ImportKind } from '#web/parts/import/import-kind.ts';
import type { Dialog } from '#web/ui/use-dialog.ts';

const kind: ImportKind<'name'> = {
  title: 'Import Report Types',
  noun: 'report type',
  list: 'report-types',
  schema: ReportTypeInput,
  columns: [
    {
      field: 'name',
      label: 'Report Type Name',
      synonyms: ['Report Type', 'Report Types', 'Report', 'Type'],
      example: 'Payroll Journal',
    },
  ],
};

export function ImportReportTypes(dialog: Pick<Dialog<never>, 'opened' | 'close'>) {
  return <ImportDialog {...dialog} kind={kind} send={importReportTypes} />;
}

// The column of a file's period, the same in every list of files.
import type { FileRow } from '#contract/files.ts';
import { LONGEST, NOTHING } from '#web/lib/format.ts';
import type { Column } from '#web/ui/table-shape.ts';
import { PERIOD_LABEL, periodWords } from './period-select.tsx';

export const periodColumn = (width: NonNullable<Column<FileRow>['width']>): Column<FileRow> => ({
  key: 'period',
  header: PERIOD_LABEL,
  cell: ({ period }) => (period === null ? NOTHING : periodWords(period)),
  sort: 'period',
  width,
  oneLine: LONGEST.date,
});

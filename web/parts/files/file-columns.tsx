// Columns that several lists of files have.
import type { FileRow } from '#contract/files.ts';
import { LONGEST } from '#web/lib/format.ts';
import { Day } from '#web/ui/moment.tsx';
import type { Column } from '#web/ui/table-shape.ts';
import { FILE_BUTTONS_WIDTH, FileButtonActions } from './file-actions.tsx';

export const uploadedColumn = (header: string, width: NonNullable<Column<FileRow>['width']>): Column<FileRow> => ({
  key: 'uploaded',
  header,
  cell: (file) => <Day at={file.uploadedAt} />,
  sort: 'uploadedAt',
  width,
  oneLine: LONGEST.date,
});

/** 'View' and 'Download' as words; `downloadingLabel` is what Download says meanwhile. */
export const buttonsColumn = (downloadingLabel: string): Column<FileRow> => ({
  key: 'actions',
  header: 'Actions',
  width: FILE_BUTTONS_WIDTH,
  cell: (file) => <FileButtonActions file={file} downloadingLabel={downloadingLabel} />,
});

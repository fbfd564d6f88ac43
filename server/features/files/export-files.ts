// The list of files, or chosen ones, as a spreadsheet.
import type { FileExportRequest, FileRow } from '#contract/files.ts';
import type { ReadScope } from '../../access/scope.ts';
import { exportColumns } from '../../files/export-columns.ts';
import { findFilesToServe } from '../../files/find.ts';
import { wholeFileList } from '../../files/whole-list.ts';
import type { ViewerCall } from '../../http/route.ts';
import { datedName, sendList } from '../../http/send-document.ts';
import type { Services } from '../../services.ts';

async function* filesOf(read: ReadScope, { ids, ...list }: FileExportRequest): AsyncGenerator<readonly FileRow[]> {
  if (ids === undefined) yield* wholeFileList(read, list);
  else yield (await findFilesToServe(read, ids)).map(({ row }) => row);
}

/** Sends the whole list that the query asks for, as it is read. */
export async function exportFiles(
  { read, reply, input }: ViewerCall<'files.export'>,
  { now }: Services,
): Promise<void> {
  const columns = exportColumns(input.query.timeZone ?? 'UTC');
  await sendList(reply, columns, filesOf(read, input.query), datedName('files', 'csv', now()));
}

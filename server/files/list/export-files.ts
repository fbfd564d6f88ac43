// The list of files, or chosen ones, as a spreadsheet.

import type { FileExportRequest, FileRow } from '#contract/files.ts';
import type { ViewerCall } from '../../api/route.ts';
import { datedName, sendList } from '../../api/send-document.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import type { Now } from '../../platform/clock.ts';
import { findFilesToServe } from '../find.ts';
import { exportColumns } from './export-columns.ts';
import { wholeFileList } from './whole-list.ts';

async function* filesOf(read: ReadScope, { ids, ...list }: FileExportRequest): AsyncGenerator<readonly FileRow[]> {
  if (ids === undefined) yield* wholeFileList(read, list);
  else yield (await findFilesToServe(read, ids)).map(({ row }) => row);
}

/** Sends the whole list that the query asks for, as it is read. */
export async function exportFiles({ read, reply, input }: ViewerCall<'files.export'>, { now }: Now): Promise<void> {
  const columns = exportColumns(input.query.timeZone ?? 'UTC');
  await sendList(reply, columns, filesOf(read, input.query), datedName('files', 'csv', now()));
}

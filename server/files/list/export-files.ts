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
  const { timeZone = 'UTC' } = input.query;
  await sendList(reply, exportColumns(timeZone), filesOf(read, input.query), datedName('files', now(), timeZone));
}

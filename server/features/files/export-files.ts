// The list of files as a spreadsheet: its columns and their texts.
import { type FileRow, fileTypeNames } from '#contract/files.ts';
import { wholeFileList } from '../../files/whole-list.ts';
import { momentFormat } from '../../http/csv.ts';
import type { ViewerCall } from '../../http/route.ts';
import { datedName, sendList } from '../../http/send-document.ts';
import type { Services } from '../../services.ts';

/** The columns of an export and of an archive's manifest, with moments in `timeZone`. */
export function fileColumns(timeZone: string) {
  const moment = momentFormat(timeZone);
  return {
    header: [
      'File Name',
      'Client Name',
      'File Type',
      'Report Type',
      'Document Type',
      `Upload Date (${timeZone})`,
      'Uploaded By',
      'Size (bytes)',
      'SHA-256',
      'File ID',
    ],
    cells: (file: FileRow) => [
      file.originalName,
      file.clientName,
      fileTypeNames[file.fileType],
      file.reportTypeName,
      file.documentType,
      moment(file.uploadedAt),
      file.uploaderName,
      file.size,
      file.sha256,
      file.id,
    ],
  };
}

/** Sends the whole list that the query asks for, as it is read. */
export async function exportFiles(
  { read, reply, input }: ViewerCall<'files.export'>,
  { now }: Services,
): Promise<void> {
  const columns = fileColumns(input.query.timeZone ?? 'UTC');
  await sendList(reply, columns, wholeFileList(read, input.query), datedName('files', 'csv', now()));
}

// The list of files as a spreadsheet: its columns and their texts.
import { Readable } from 'node:stream';
import { type FileRow, fileTypeNames } from '#contract/files.ts';
import { wholeFileList } from '../../files/whole-list.ts';
import { csvChunks, momentFormat } from '../../http/csv.ts';
import type { ViewerCall } from '../../http/route.ts';
import { datedName, sendDocument } from '../../http/send-document.ts';
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
  const { header, cells } = fileColumns(input.query.timeZone ?? 'UTC');
  const pages = wholeFileList(read, input.query);
  // The first piece before the answer begins: if it cannot be read, the answer can still be a refusal.
  const first = await pages.next();
  const rows = async function* () {
    if (!first.done) yield first.value.map(cells);
    for await (const page of pages) yield page.map(cells);
  };
  sendDocument(reply, {
    contentType: 'text/csv; charset=utf-8',
    fileName: datedName('files', 'csv', now()),
    content: Readable.from(csvChunks(header, rows())),
  });
}

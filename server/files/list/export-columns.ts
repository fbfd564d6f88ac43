// What a spreadsheet of files and the manifest of an archive say of each file.

import { fileTypeNames } from '#contract/file-kinds.ts';
import type { FileRow } from '#contract/files.ts';
import { momentFormat } from '../../platform/csv.ts';
import { OTHER } from './narrowing.ts';

/** As the screens show it and the filter finds it: null of reports alone. */
export const documentTypeOf = ({ fileType, documentType }: Pick<FileRow, 'fileType' | 'documentType'>) =>
  documentType ?? (fileType === 'company_document' ? OTHER : null);

/** The columns of an export and of an archive's manifest, with moments in `timeZone`. */
export function exportColumns(timeZone: string) {
  const moment = momentFormat(timeZone);
  return {
    header: [
      'File Name',
      'Client Name',
      'File Type',
      'Report Type',
      'Document Type',
      'Period',
      `Upload Date (${timeZone})`,
      'Uploaded By',
      'Size (bytes)',
      'SHA-256',
      'File ID',
      'Corrects',
      'Corrected by',
      // Two clients may have one name.
      'Client ID',
    ],
    cells: (file: FileRow) => [
      file.originalName,
      file.clientName,
      fileTypeNames[file.fileType],
      file.reportTypeName,
      documentTypeOf(file),
      file.period,
      moment(file.uploadedAt),
      file.uploaderName,
      file.size,
      file.sha256,
      file.id,
      file.corrects?.originalName ?? null,
      file.correctedBy?.originalName ?? null,
      file.clientId,
    ],
  };
}

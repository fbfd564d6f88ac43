// How a file is treated by the viewer: how it can be shown, and the name of its type.

import { INLINE_CONTENT_TYPES } from '#contract/file-kinds.ts';
import type { FileRow } from '#contract/files.ts';

export type FileKind = 'pdf' | 'image' | 'text' | 'table';

type Described = Pick<FileRow, 'contentType' | 'originalName'>;

const TABLE_NAME = /\.(csv|tsv)$/i;

/** How the viewer shows a file; null where it cannot. */
export function kindOf({ contentType, originalName }: Described): FileKind | null {
  if (contentType === 'application/pdf') return 'pdf';
  if (contentType.startsWith('image/')) return INLINE_CONTENT_TYPES.includes(contentType) ? 'image' : null;
  if (contentType === 'text/csv') return 'table';
  if (contentType === 'text/plain') return TABLE_NAME.test(originalName) ? 'table' : 'text';
  return null;
}

/** True where a browser shows the file in a tab of its own. */
export function opensInTab({ contentType }: Pick<FileRow, 'contentType'>): boolean {
  return INLINE_CONTENT_TYPES.includes(contentType);
}

const typeNames: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'application/zip': 'ZIP archive',
  'application/msword': 'Word document',
  'application/vnd.ms-excel': 'Excel workbook',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel workbook',
  'image/png': 'PNG image',
  'image/jpeg': 'JPEG image',
  'image/gif': 'GIF image',
  'image/webp': 'WebP image',
  'text/csv': 'CSV table',
  'text/html': 'Web page',
  'text/plain': 'Plain text',
};

/** The name of the type; by the file name's ending where the content type has none. */
export function typeNameOf({ contentType, originalName }: Described): string {
  const named = typeNames[contentType];
  if (named !== undefined) return named;
  const ending = /\.([a-z0-9]{1,8})$/i.exec(originalName)?.[1];
  return ending === undefined ? contentType : `${ending.toUpperCase()} file`;
}

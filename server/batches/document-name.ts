// What a document of a batch is called as a file.
import { periodName } from '#contract/period.ts';
import { cleanFileName } from '../platform/blobs/clean-file-name.ts';

export interface NamedDocument {
  readonly fileName: string;
  /** How many pages the file has; null where it has none, or could not be read. */
  readonly filePages: number | null;
  readonly clientName: string | null;
  readonly reportTypeName: string | null;
  readonly period: string | null;
  readonly fromPage: number;
  readonly toPage: number;
}

/** The document is its file, which keeps its name and its bytes. */
export function isWholeFile({
  fromPage,
  toPage,
  filePages,
}: Pick<NamedDocument, 'fromPage' | 'toPage' | 'filePages'>): boolean {
  return fromPage === 0 || (fromPage === 1 && toPage === filePages);
}

/** A slash parts the folders of a path: 'W-2 / W-3' is 'W-2, W-3', and 'd/b/a' is 'd-b-a'. */
const withoutSlashes = (words: string) => words.replace(/\s+[\\/]\s*|[\\/]\s+/g, ', ').replace(/[\\/]/g, '-');

/** 'Form 941 Q1 2026 - Harbor & Pine Bakery LLC.pdf'; until type and client are known, the file with its pages. */
export function documentName(document: NamedDocument): string {
  const { fileName, clientName, reportTypeName, period, fromPage, toPage } = document;
  if (isWholeFile(document)) return fileName;
  if (clientName === null || reportTypeName === null) {
    const pages = fromPage === toPage ? `page ${fromPage}` : `pages ${fromPage}-${toPage}`;
    return cleanFileName(`${fileName.replace(/\.pdf$/i, '')}, ${pages}.pdf`);
  }
  const when = period === null ? '' : ` ${periodName(period, (day) => day)}`;
  return cleanFileName(`${withoutSlashes(`${reportTypeName}${when} - ${clientName.replace(/\.+$/, '')}`)}.pdf`);
}

// The thread that reads one workbook.

import { CannotOpenZip, DamagedEntry } from './open-zip.ts';
import type { PageText } from './page-text.ts';
import { pageOfWorkbook } from './xlsx-file.ts';

export type WorkbookAnswer = { readonly page: PageText } | { readonly unreadable: 'damaged' | 'tooLong' };

export async function work(bytes: Uint8Array): Promise<WorkbookAnswer> {
  try {
    return { page: await pageOfWorkbook(bytes) };
  } catch (error) {
    if (error instanceof DamagedEntry) return { unreadable: 'damaged' };
    if (error instanceof CannotOpenZip) return { unreadable: error.fault === 'damaged' ? 'damaged' : 'tooLong' };
    throw error;
  }
}

// Saving a prepared ZIP: it may be larger than the memory of this page.
import type { ArchiveRow } from '#contract/archives.ts';
import { apiUrl, callBytes, cookieOpens } from './api.ts';
import { saveAddress, saveBlob } from './file-access.ts';

/** The browser saves it straight to disk. Throws ApiFault. */
export async function downloadPrepared({ id, name }: Pick<ArchiveRow, 'id' | 'name'>): Promise<void> {
  const fileName = name ?? 'files.zip';
  if (await cookieOpens('archives.open', { id })) {
    saveAddress(apiUrl('archives.open', { id }), fileName);
    return;
  }
  // Refused, which this call says in words; or the browser has lost the cookie.
  const { blob } = await callBytes('archives.open', { params: { id } });
  saveBlob(blob, fileName);
}

// Opening and saving a file: announced first, then fetched (docs/behaviour.md, Files: opening and downloading).
import { type AccessAction, accessDetails } from '#contract/activity-words.ts';
import type { ArchiveRequest } from '#contract/archive-requests.ts';
import { INLINE_CONTENT_TYPES } from '#contract/file-kinds.ts';
import type { FileRow } from '#contract/files.ts';
import { type CallInput, call, callBytes } from './api.ts';
import { failed, opensTab } from './messages.ts';
import { expiredUser, isLookTab, onSessionChange } from './session.ts';

/** What is known of a file where it is opened: from a list row, or an entry of the activity log. */
export type OpenableFile = Pick<FileRow, 'id'> & Partial<Pick<FileRow, 'originalName' | 'contentType'>>;

/** What View does besides showing the file, in words; undefined for what is saved instead. */
export function viewHint({ contentType }: OpenableFile): string | undefined {
  return contentType === undefined || INLINE_CONTENT_TYPES.includes(contentType) ? opensTab : undefined;
}

/** The browser would not open a tab; its message says what to allow. */
export class PopUpBlocked extends Error {
  override readonly name = 'PopUpBlocked';
  constructor() {
    super(failed.popUpBlocked);
  }
}

/** Fire and forget: the server records the access itself, so a lost announcement loses nothing. A look announces nothing. */
function announce(action: AccessAction, file: OpenableFile): void {
  if (isLookTab) return;
  const details = accessDetails[action](file.originalName ?? String(file.id)).slice(0, 500);
  call('activity.announce', { body: { action, fileId: file.id, details } }).catch((error: unknown) => {
    // biome-ignore lint/suspicious/noConsole: a warning is all that is wanted (docs/behaviour.md, Activity: how accesses are recorded)
    console.warn('The access could not be announced', error);
  });
}

/** Saves a file under its own name. Throws ApiFault. */
export async function downloadFile(file: OpenableFile): Promise<void> {
  announce('download', file);
  const { blob, filename } = await callBytes('files.download', { params: { id: file.id } });
  saveBlob(blob, filename ?? file.originalName ?? `file-${file.id}`);
}

/** Has the browser save what is at an address of this portal under `name`, or under the name that it is sent with. */
export function saveAddress(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** Hands a blob to the browser to be saved under `name`. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  saveAddress(address, name);
  // The browser reads the blob after this turn; a minute is ample for it to have started.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Saves several files as one ZIP; the server records each as downloaded. Throws ApiFault. */
export async function downloadArchive(body: ArchiveRequest): Promise<void> {
  const { blob, filename } = await callBytes('files.archive', { body });
  saveBlob(blob, filename ?? 'files.zip');
}

/** Saves what says what of a batch was released to whom. Throws ApiFault. */
export async function downloadCertificate(id: number): Promise<void> {
  const { blob, filename } = await callBytes('batches.certificate', { params: { id } });
  saveBlob(blob, filename ?? 'certificate.pdf');
}

/** Saves what says what was disposed of. Throws ApiFault. */
export async function downloadDisposal(id: number, as: 'pdf' | 'csv'): Promise<void> {
  const { blob, filename } = await callBytes(as === 'pdf' ? 'retention.certificate' : 'retention.export', {
    params: { id },
  });
  saveBlob(blob, filename ?? `certificate.${as}`);
}

/** Saves a whole list as CSV. Throws ApiFault. */
export async function downloadExport<Name extends 'files.export' | 'activity.export' | 'completeness.export'>(
  name: Name,
  input: CallInput<Name>,
): Promise<void> {
  const { blob, filename } = await callBytes(name, input);
  saveBlob(blob, filename ?? 'export.csv');
}

/** An empty tab in front. Throws PopUpBlocked. */
function openTab(): Window {
  const tab = window.open('', '_blank');
  if (tab === null) throw new PopUpBlocked();
  tab.opener = null;
  return tab;
}

/**
 * Shows a file in a new tab through a one-minute ticket; a type that browsers may not show is saved instead. Must be
 * called straight from a click, or the browser counts the tab as a pop-up. Throws ApiFault and PopUpBlocked.
 */
export async function openFile(file: OpenableFile): Promise<void> {
  if (file.contentType !== undefined && !INLINE_CONTENT_TYPES.includes(file.contentType)) return downloadFile(file);
  // Opened empty while the click still counts, because the ticket takes a round trip.
  let tab: Window | null = openTab();
  announce('view', file);
  const stop = onSessionChange(() => {
    if (expiredUser() === null) return;
    // The password is asked for here, behind it.
    tab?.close();
    tab = null;
  });
  try {
    const { url } = await call('files.view-ticket', { params: { id: file.id } });
    // Whoever has signed in again has just pressed something.
    (tab ?? openTab()).location.replace(new URL(url, window.location.origin).href);
  } catch (error) {
    tab?.close();
    throw error;
  } finally {
    stop();
  }
}

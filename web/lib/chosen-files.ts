// Files as a browser hands them over: chosen one by one, or with the folder they are in.
import type { LeftOutReason } from '#contract/batch-words.ts';
import { noDocument } from '#contract/folder-files.ts';

/** Where a file was in the folder that was chosen or dropped, the folder first; its name where it came by itself. */
export function pathOf(file: File): string {
  const { path } = file as { readonly path?: string };
  return file.webkitRelativePath || (path ?? file.name).replace(/^\.?\//, '');
}

/** Without what systems put into folders, which nobody is told of. */
export const withoutSystemFiles = (files: readonly File[]): File[] =>
  files.filter((file) => noDocument(pathOf(file)) !== 'system');

/** Why what came with a folder is no document; a file by itself is meant. */
function strayOf(file: File): ReturnType<typeof noDocument> {
  const path = pathOf(file);
  return path.includes('/') ? noDocument(path) : null;
}

/** Without what systems put into a folder, and beside its files. */
export const withoutStrays = (files: readonly File[]): File[] =>
  files.filter((file) => !['system', 'resourceFork'].includes(strayOf(file) ?? ''));

/** Why a file is not sent; null where it is. */
export function whyNotSent(file: File): LeftOutReason | null {
  const reason = strayOf(file);
  if (reason !== null && reason !== 'system') return reason;
  return file.size === 0 ? 'empty' : null;
}

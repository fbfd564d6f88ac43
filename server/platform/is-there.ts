// Whether something is at a path, which is another question than whether this account may look.
import { statSync } from 'node:fs';

/** Throws where it cannot be known, as without the rights to a folder above it. */
export function isThere(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

// The random names that blobs are stored under, and their place in a tree of folders.
import { randomBytes } from 'node:crypto';
import { refuse } from '#contract/errors.ts';

const STORAGE_KEY = /^[0-9a-f]{32}$/;

export function newStorageKey(): string {
  return randomBytes(16).toString('hex');
}

export function isStorageKey(text: string): boolean {
  return STORAGE_KEY.test(text);
}

/** `ab/cd/<32 hex digits>`. Refuses `integrity` for anything else, so that no stored text can ever name another file. */
export function treePath(storageKey: string): string {
  if (!isStorageKey(storageKey)) throw refuse('integrity');
  return `${storageKey.slice(0, 2)}/${storageKey.slice(2, 4)}/${storageKey}`;
}

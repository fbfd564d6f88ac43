// Which stored bytes no row knows: what the blob store's sweep asks.
import type { Database } from '../db/database.ts';
import { isListedKey, listText } from '../db/id-list.ts';

/** Those of `keys` that are no file's storage key. */
export async function unknownStorageKeys(database: Database, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const known = await database.reader
    .selectFrom('files')
    .select('storage_key as storageKey')
    .where(isListedKey('files.storage_key', listText(keys)))
    .execute();
  const found = new Set(known.map((row) => row.storageKey));
  return keys.filter((key) => !found.has(key));
}

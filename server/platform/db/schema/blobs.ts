// The tables of blobs: which there are, the keys they are encrypted under, and those that nothing claims.
import type { Generated } from 'kysely';
import type { Fixed } from './columns.ts';

/** `staged`: published and waiting for what claims it; `live`: claimed by a row that refers to it. */
type BlobState = 'staged' | 'live';
/** What the bytes are: of a file as it was uploaded, of a ZIP of many, or of what was dropped into a batch. */
export type BlobPurpose = 'file' | 'archive' | 'batch';

/** Every blob, in the store under its key. Rows with bytes refer to it. */
interface BlobTable {
  storage_key: Fixed<string>;
  size_bytes: Fixed<number>;
  sha256: Fixed<string>;
  state: BlobState;
  purpose: Fixed<BlobPurpose>;
  created_at: Fixed<number>;
  /** The key it is encrypted under, as last seen; 0 in plain or not looked at yet, -1 damaged. */
  key_version: Generated<number>;
}

/** The keys that stored files are encrypted under, told by their fingerprints. */
interface BlobKeyTable {
  version: Fixed<number>;
  /** 32 hexadecimal digits. */
  fingerprint: Fixed<string>;
  created_at: Fixed<number>;
}

/** Blobs that nothing claims any more, until their bytes are gone. */
interface ReleasedBlobTable {
  storage_key: Fixed<string>;
  released_at: Fixed<number>;
}

export interface TablesOfBlobs {
  blobs: BlobTable;
  blob_keys: BlobKeyTable;
  released_blobs: ReleasedBlobTable;
}

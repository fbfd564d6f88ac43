// From `BLOB_URL` to an open blob store; the S3 client is loaded only where it is used, for it takes long to load.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BlobStore } from './blob-store.ts';
import type { ByteStore, OnBlobStep } from './byte-store.ts';
import { openContent } from './content.ts';
import { openDiskStore, STAGING } from './disk-store.ts';
import { EncryptedStore, type EncryptionOptions } from './encryption/encrypted-store.ts';
import { FolderObjects, type NamedObjects } from './named-objects.ts';
import type { StoreFaults } from './store-faults.ts';

export type BlobPlace =
  | { readonly kind: 'disk'; readonly root: string }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      readonly prefix: string;
      readonly region: string;
      readonly endpoint: string | undefined;
    };

/** The innermost folder that opening a store there makes; null where it makes none. */
export const folderMadeBy = (place: BlobPlace): string | null =>
  place.kind === 'disk' ? join(place.root, STAGING) : null;

export interface BlobStoreOptions {
  /** Disk only: uploads are refused when less than this would stay free. */
  readonly minFreeBytes?: number | undefined;
  readonly onStep?: OnBlobStep | undefined;
  /** Disk only: rejects with MissingFolder rather than make the folders. */
  readonly holdsFiles?: boolean | undefined;
  /** Without it the store knows no encryption: what is stored is what is sent. */
  readonly encryption?: EncryptionOptions | undefined;
  /** Counts what fails for the store's own reasons. */
  readonly faults?: StoreFaults | undefined;
}

/** What is wrong with a path that has around it what an env file may leave there: it would name another place. Null where nothing is. */
export const pathFault = (path: string): string | null =>
  /^[~"'\s]|["'\s]$/.test(path) ? 'must have no ~, quotes, spaces or line ends around it' : null;

/**
 * Reads `file:<path>` or `s3://bucket/prefix?region=…&endpoint=…`. Throws an Error whose message says what is wrong without
 * repeating the address.
 */
export function parseBlobUrl(text: string): BlobPlace {
  if (text.startsWith('file:')) {
    const root = text.startsWith('file://') ? fileUrlPath(text) : text.slice('file:'.length);
    if (root === '') throw new Error('the path after file: is missing');
    const fault = pathFault(root);
    if (fault !== null) throw new Error(fault);
    return { kind: 'disk', root };
  }
  if (!text.startsWith('s3://')) throw new Error('must start with file: or s3://');
  if (!URL.canParse(text)) throw new Error('is not a valid address');
  const url = new URL(text);
  if (url.username || url.password) {
    throw new Error('must not hold credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead');
  }
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'region' && name !== 'endpoint');
  if (unknown !== undefined || url.hash || url.port)
    throw new Error('takes only ?region= and &endpoint= after the prefix');
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname))
    throw new Error('the bucket name is missing or not valid');
  const region = url.searchParams.get('region');
  if (!region) throw new Error('the region is missing: add ?region=…');
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !/^https?:\/\/[^/@?#]+\/?$/.test(endpoint)) {
    throw new Error('the endpoint must be an http or https address without a path');
  }
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  return { kind: 's3', bucket: url.hostname, prefix, region, endpoint };
}

/** The place `name` inside another one. */
export function placeWithin(place: BlobPlace, name: string): BlobPlace {
  if (place.kind === 'disk') return { ...place, root: join(place.root, name) };
  return { ...place, prefix: place.prefix === '' ? name : `${place.prefix}/${name}` };
}

/** Opens the place for small files with names. */
export async function openNamedObjects(place: BlobPlace): Promise<NamedObjects> {
  if (place.kind === 'disk') return new FolderObjects(place.root);
  const { BucketObjects } = await import('./bucket-objects.ts');
  return new BucketObjects(place);
}

function fileUrlPath(text: string): string {
  try {
    return fileURLToPath(text);
  } catch {
    throw new Error('is not a valid file address');
  }
}

/** Opens the store at `place`; making folders may fail, reaching S3 is first tried by `check`. */
export async function openBlobStore(place: BlobPlace, options: BlobStoreOptions = {}): Promise<BlobStore> {
  const store = await openByteStore(place, options);
  const { encryption, faults } = options;
  return openContent(encryption === undefined ? store : new EncryptedStore(store, encryption), faults);
}

/** The place alone: what is read and written there is as it is stored, encrypted or not. */
export async function openByteStore(place: BlobPlace, options: BlobStoreOptions = {}): Promise<ByteStore> {
  if (place.kind === 'disk') return openDiskStore(place.root, options);
  const { openS3Store } = await import('./s3-store.ts');
  return openS3Store({ ...place, onStep: options.onStep });
}

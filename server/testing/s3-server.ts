// A bucket for tests: one of a server in this process, or of the real one that TEST_S3_URL names (`npm run test:s3`).
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { DeleteObjectCommand, PutObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { startFauxqs } from 'fauxqs';
import { vi } from 'vitest';
import { type BlobPlace, parseBlobUrl, placeWithin } from '../platform/blobs/open-blob-store.ts';
import { newClient } from '../platform/blobs/s3-store.ts';
import { treePath } from '../platform/blobs/storage-key.ts';

type BucketPlace = Extract<BlobPlace, { readonly kind: 's3' }>;

export interface TestBucket {
  /** A part of the bucket that nobody else uses. */
  readonly place: BucketPlace;
  /** The same as `BLOB_URL` has it. */
  readonly url: string;
  /** The names of all objects in it. */
  contents(): Promise<string[]>;
  overwrite(storageKey: string, bytes: Buffer): Promise<void>;
  empty(): Promise<void>;
  /** Empties it, and ends the server where it is in this process. */
  close(): Promise<void>;
}

const BUCKET = 'coffer-test';

async function startServer(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const { TEST_S3_URL: real } = process.env;
  if (real) return { url: real, stop: async () => {} };
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false, init: { buckets: [BUCKET] } });
  return {
    url: `s3://${BUCKET}?region=us-east-1&endpoint=http://127.0.0.1:${server.port}`,
    stop: async () => {
      await server.stop();
      vi.unstubAllEnvs();
    },
  };
}

function bucketPlace(url: string): BucketPlace {
  const place = parseBlobUrl(url);
  if (place.kind !== 's3') throw new Error('TEST_S3_URL must be s3://bucket?region=…&endpoint=…');
  return placeWithin(place, `test-${randomUUID()}`) as BucketPlace;
}

export async function openTestBucket(): Promise<TestBucket> {
  const server = await startServer();
  const place = bucketPlace(server.url);
  const client = newClient(place);
  const Bucket = place.bucket;
  const contents = async () => {
    const names: string[] = [];
    for await (const { Contents } of paginateListObjectsV2({ client }, { Bucket, Prefix: `${place.prefix}/` })) {
      names.push(...(Contents ?? []).map(({ Key }) => String(Key)));
    }
    return names;
  };
  const empty = async () => {
    for (const Key of await contents()) await client.send(new DeleteObjectCommand({ Bucket, Key }));
  };
  const query = new URLSearchParams({ region: place.region, ...(place.endpoint ? { endpoint: place.endpoint } : {}) });
  return {
    place,
    url: `s3://${Bucket}/${place.prefix}?${query}`,
    contents,
    async overwrite(storageKey, Body) {
      await client.send(new PutObjectCommand({ Bucket, Key: `${place.prefix}/${treePath(storageKey)}`, Body }));
    },
    empty,
    async close() {
      await empty();
      client.destroy();
      await server.stop();
    },
  };
}

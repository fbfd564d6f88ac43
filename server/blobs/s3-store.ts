// Blobs in an S3-compatible bucket: an upload streams to its final random key and counts for nothing until a row knows it.
import { addAbortSignal, pipeline, type Readable, Readable as ReadableStream, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type MultipartUpload,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Refusal, refuse, refuseCausedBy } from '#contract/errors.ts';
import {
  type BlobSpan,
  type BlobStore,
  type OnBlobStep,
  type StagedBlob,
  type StageOptions,
  type StoredBlob,
  type SweepOptions,
  type SweepReport,
  WHOLE_READ_BYTES,
} from './blob-store.ts';
import { assertExpected, type Expectation, expectationOf, Following, Measure } from './measure.ts';
import { type BlobEntry, findOrphans, oldestKeptMs } from './orphans.ts';
import { isStorageKey, newStorageKey, treePath } from './storage-key.ts';

/** Two parts of this size are in memory per upload; S3 takes none smaller, and at most 10,000 of them. */
const MIN_PART_BYTES = 5 * 1024 * 1024;
const MAX_PARTS = 10_000;
const PARTS_IN_FLIGHT = 2;
/** One try and three retries, spaced and jittered by the SDK. */
const MAX_ATTEMPTS = 4;
const MAX_SOCKETS = 500;

export interface S3StoreOptions {
  readonly bucket: string;
  /** Without slashes at its ends; empty for the whole bucket. */
  readonly prefix: string;
  readonly region: string;
  /** An S3-compatible server's own address, spoken to by path; AWS itself unless given. */
  readonly endpoint?: string | undefined;
  readonly onStep?: OnBlobStep | undefined;
}

/** Credentials come from where the AWS SDK looks for them: its environment variables, profile or instance role. */
export function openS3Store(options: S3StoreOptions): BlobStore {
  const client = new S3Client({
    region: options.region,
    ...(options.endpoint ? { endpoint: options.endpoint, forcePathStyle: true } : {}),
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: 60_000,
      throwOnRequestTimeout: true,
      // Silence in between is a slow reader's, not the bucket's.
      socketTimeout: 300_000,
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
    // Whole blobs are checked against our own SHA-256 as they are read.
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return new S3Store(client, options);
}

class S3Store implements BlobStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #onStep: OnBlobStep;

  constructor(client: S3Client, options: S3StoreOptions) {
    this.#client = client;
    this.#bucket = options.bucket;
    this.#prefix = options.prefix === '' ? '' : `${options.prefix}/`;
    this.#onStep = options.onStep ?? (() => {});
  }

  #object(storageKey: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + treePath(storageKey) };
  }

  async ensureRoom(): Promise<void> {
    // A bucket has no end.
  }

  async stage(source: Readable, options: StageOptions): Promise<StagedBlob> {
    const storageKey = newStorageKey();
    const measure = new Measure(options.maxBytes);
    let sourceFault: { readonly error: unknown } | undefined;
    async function* measured() {
      try {
        for await (const chunk of source as AsyncIterable<Buffer>) {
          measure.add(chunk);
          yield chunk;
        }
      } catch (error) {
        sourceFault = { error };
        throw error;
      }
    }
    try {
      source.on('error', () => {});
      if (options.signal) addAbortSignal(options.signal, source);
      const upload = new Upload({
        client: this.#client,
        params: { ...this.#object(storageKey), Body: ReadableStream.from(measured()) },
        queueSize: PARTS_IN_FLIGHT,
        partSize: Math.max(MIN_PART_BYTES, Math.ceil(options.maxBytes / MAX_PARTS)),
      });
      await upload.done();
      await this.#onStep('staged');
      await this.#onStep('synced');
      options.signal?.throwIfAborted();
      let published = false;
      return {
        ...measure.finish(),
        publish: async () => {
          published = true;
          return storageKey;
        },
        discard: async () => {
          if (!published) await this.remove(storageKey);
        },
      };
    } catch (error) {
      source.destroy();
      // Also for an upload whose answer was lost: the object may be there all the same.
      await this.remove(storageKey).catch(() => {});
      throw sourceFault ? sourceFault.error : storeFault(error);
    }
  }

  async read(blob: StoredBlob, span?: BlobSpan): Promise<Buffer | Readable> {
    const expected = expectationOf(blob, span);
    const body = await this.#get(blob, expected);
    if (expected.lengthBytes > WHOLE_READ_BYTES) return followed(body, expected);
    const bytes = await buffer(body).catch((error: unknown) => {
      throw storeFault(error);
    });
    assertExpected(bytes, expected);
    return bytes;
  }

  async #get(blob: StoredBlob, expected: Expectation): Promise<Readable> {
    const last = expected.start + expected.lengthBytes - 1;
    const part = expected.lengthBytes < blob.sizeBytes;
    try {
      const answer = await this.#client.send(
        new GetObjectCommand({
          ...this.#object(blob.storageKey),
          ...(part ? { Range: `bytes=${expected.start}-${last}` } : {}),
        }),
      );
      const body = answer.Body as Readable;
      const sameSize = !part || answer.ContentRange?.endsWith(`/${blob.sizeBytes}`);
      if (answer.ContentLength === expected.lengthBytes && sameSize) return body;
      body.destroy();
    } catch (error) {
      throw readFault(error);
    }
    throw refuse('integrity');
  }

  async verify(blob: StoredBlob): Promise<void> {
    const answer = await this.#client
      .send(new HeadObjectCommand(this.#object(blob.storageKey)))
      .catch((error: unknown) => {
        throw readFault(error);
      });
    if (answer.ContentLength !== blob.sizeBytes) throw refuse('integrity');
  }

  async remove(storageKey: string): Promise<void> {
    try {
      await this.#client.send(new DeleteObjectCommand(this.#object(storageKey)));
    } catch (error) {
      if (!isMissing(error)) throw storeFault(error);
    }
  }

  async sweep(options: SweepOptions): Promise<SweepReport> {
    try {
      const leftoversRemoved = await this.#abortLeftovers(oldestKeptMs(options));
      const { blobs, storageKeys, braked } = await findOrphans(this.#entries(), options);
      if (!braked) for (const storageKey of storageKeys) await this.remove(storageKey);
      const orphansRemoved = braked ? 0 : storageKeys.length;
      return { leftoversRemoved, blobs, orphans: storageKeys.length, orphansRemoved, braked };
    } catch (error) {
      throw storeFault(error);
    }
  }

  async #abortLeftovers(beforeMs: number): Promise<number> {
    let removed = 0;
    for await (const { Key, UploadId, Initiated } of this.#openUploads()) {
      if (!Key || !UploadId || !this.#storageKeyOf(Key) || !Initiated || Initiated.getTime() >= beforeMs) continue;
      await this.#client.send(new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId }));
      removed += 1;
    }
    return removed;
  }

  async *#openUploads(): AsyncGenerator<MultipartUpload> {
    let from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
    for (;;) {
      const page = await this.#client.send(
        new ListMultipartUploadsCommand({ Bucket: this.#bucket, Prefix: this.#prefix, ...from }),
      );
      yield* page.Uploads ?? [];
      if (!page.IsTruncated || page.NextKeyMarker === undefined) return;
      from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    }
  }

  async *#entries(): AsyncGenerator<BlobEntry> {
    const pages = paginateListObjectsV2({ client: this.#client }, { Bucket: this.#bucket, Prefix: this.#prefix });
    for await (const page of pages) {
      for (const { Key, LastModified } of page.Contents ?? []) {
        const storageKey = Key && this.#storageKeyOf(Key);
        if (storageKey) yield { storageKey, modifiedAtMs: async () => LastModified?.getTime() };
      }
    }
  }

  /** The storage key an object of ours has; other people's objects in the bucket have none. */
  #storageKeyOf(objectKey: string): string | undefined {
    const storageKey = objectKey.slice(-32);
    return isStorageKey(storageKey) && objectKey === this.#prefix + treePath(storageKey) ? storageKey : undefined;
  }

  async check(): Promise<void> {
    try {
      await this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }));
    } catch (error) {
      throw storeFault(error);
    }
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }
}

/** `body` as a stream that fails before its last bytes when they do not complete what was expected. */
function followed(body: Readable, expected: Expectation): Readable {
  const following = new Following(expected);
  const checked = new Transform({
    highWaterMark: 0,
    transform(chunk: Buffer, _encoding, done) {
      try {
        following.pass(chunk);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      done(following.remainingBytes === 0 ? null : refuse('integrity'));
    },
  });
  // The reader of `checked` hears of every fault; the callback only keeps it from being thrown as well.
  return pipeline(body, checked, () => {});
}

function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== 'NoSuchBucket';
}

/** A missing object, or a span that lies outside the object, is a blob that is not what was stored. */
function readFault(error: unknown): unknown {
  const damaged = isMissing(error) || (error instanceof S3ServiceException && error.name === 'InvalidRange');
  return damaged ? refuseCausedBy(error, 'integrity') : storeFault(error);
}

/** Whatever the bucket's answer was, the person asking can only try again. */
function storeFault(error: unknown): Refusal {
  return error instanceof Refusal ? error : refuseCausedBy(error, 'unavailable');
}

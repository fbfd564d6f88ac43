// Blobs in an S3-compatible bucket: an upload streams to its final random key and is ignored until a row names it.
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
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
import type {
  ByteReader,
  ByteSpan,
  ByteStore,
  OnBlobStep,
  StagedBytes,
  StageLimits,
  StoredBytes,
  StoredEntry,
} from './byte-store.ts';
import { isStorageKey, newStorageKey, treePath } from './storage-key.ts';

/** Two parts of this size are in memory per upload; S3 takes none smaller, and at most 10,000 of them. */
const MIN_PART_BYTES = 5 * 1024 * 1024;
const MAX_PARTS = 10_000;
const PARTS_IN_FLIGHT = 2;
/** S3 copies nothing larger by itself. */
const MAX_COPY_BYTES = 5 * 1024 ** 3;
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
export function openS3Store(options: S3StoreOptions): ByteStore {
  return new S3Store(newClient(options), options);
}

export function newClient(options: Pick<S3StoreOptions, 'region' | 'endpoint'>): S3Client {
  return new S3Client({
    region: options.region,
    ...(options.endpoint ? { endpoint: options.endpoint, forcePathStyle: true } : {}),
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: 60_000,
      throwOnRequestTimeout: true,
      // Silence in between comes from a slow reader, not from the bucket.
      socketTimeout: 300_000,
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
    // Whole blobs are checked against our own SHA-256 as they are read.
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

class S3Store implements ByteStore {
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

  async stage(storageKey: string, chunks: AsyncIterable<Uint8Array>, { maxBytes }: StageLimits): Promise<StagedBytes> {
    try {
      await this.#upload(storageKey, Readable.from(chunks), maxBytes);
      await this.#onStep('staged');
      await this.#onStep('synced');
      return {
        // It has its final key already, and is ignored until a row names it.
        publish: async () => {},
        discard: () => this.remove(storageKey),
      };
    } catch (error) {
      // Also for an upload whose answer was lost: the object may exist all the same.
      await this.remove(storageKey).catch(() => {});
      throw storeFault(error);
    }
  }

  /** Many parts appear in one step, at the end. */
  async #upload(storageKey: string, Body: Readable, maxBytes: number): Promise<void> {
    const upload = new Upload({
      client: this.#client,
      params: { ...this.#object(storageKey), Body },
      queueSize: PARTS_IN_FLIGHT,
      partSize: Math.max(MIN_PART_BYTES, Math.ceil(maxBytes / MAX_PARTS)),
    });
    await upload.done();
  }

  /** Under a key of its own first, which nobody knows and the sweep removes; a copy of that then replaces what is there. */
  async stageInPlaceOf(
    storageKey: string,
    chunks: AsyncIterable<Uint8Array>,
    limits: StageLimits,
  ): Promise<StagedBytes> {
    const beside = newStorageKey();
    const staged = await this.stage(beside, chunks, limits);
    return {
      publish: async () => {
        try {
          await this.#copy(beside, storageKey, limits.maxBytes);
        } catch (error) {
          throw storeFault(error);
        } finally {
          await staged.discard().catch(() => {});
        }
      },
      discard: () => staged.discard(),
    };
  }

  /** Within the bucket; what is too large for that comes here and goes back. */
  async #copy(from: string, to: string, maxBytes: number): Promise<void> {
    const { Bucket, Key } = this.#object(from);
    if (maxBytes <= MAX_COPY_BYTES) {
      const CopySource = encodeURI(`${Bucket}/${Key}`);
      await this.#client.send(new CopyObjectCommand({ ...this.#object(to), CopySource }));
      return;
    }
    const { Body } = await this.#client.send(new GetObjectCommand({ Bucket, Key }));
    const body = Body as Readable;
    await this.#upload(to, body, maxBytes).finally(() => body.destroy());
  }

  async read(stored: StoredBytes, span: ByteSpan): Promise<Buffer> {
    const body = await this.#get(stored, span);
    return buffer(body).catch((error: unknown) => {
      throw storeFault(error);
    });
  }

  async open(stored: StoredBytes, span: ByteSpan): Promise<ByteReader> {
    return new BodyReader(await this.#get(stored, span));
  }

  async #get({ storageKey, sizeBytes }: StoredBytes, { start, lengthBytes }: ByteSpan): Promise<Readable> {
    const part = lengthBytes < sizeBytes;
    try {
      const answer = await this.#client.send(
        new GetObjectCommand({
          ...this.#object(storageKey),
          ...(part ? { Range: `bytes=${start}-${start + lengthBytes - 1}` } : {}),
        }),
      );
      const body = answer.Body as Readable;
      const sameSize = !part || answer.ContentRange?.endsWith(`/${sizeBytes}`);
      if (answer.ContentLength === lengthBytes && sameSize) return body;
      body.destroy();
    } catch (error) {
      throw await this.#readFault(error);
    }
    throw refuse('integrity');
  }

  async verify({ storageKey, sizeBytes }: StoredBytes): Promise<void> {
    const answer = await this.#client
      .send(new HeadObjectCommand(this.#object(storageKey)))
      .catch(async (error: unknown) => {
        throw await this.#readFault(error);
      });
    if (answer.ContentLength !== sizeBytes) throw refuse('integrity');
  }

  /** An object that is missing, ends before the span, or is withheld by a bucket that answers else is not what was stored. */
  async #readFault(error: unknown): Promise<Refusal> {
    if (isMissing(error) || isNamed(error, 'InvalidRange')) return refuseCausedBy(error, 'integrity');
    if (!isWithheld(error)) return storeFault(error);
    return this.check().then(() => refuseCausedBy(error, 'integrity'), storeFault);
  }

  async remove(storageKey: string): Promise<void> {
    try {
      await this.#client.send(new DeleteObjectCommand(this.#object(storageKey)));
    } catch (error) {
      if (!isMissing(error)) throw storeFault(error);
    }
  }

  async removeLeftovers(beforeMs: number): Promise<number> {
    let removed = 0;
    try {
      for await (const { Key, UploadId, Initiated } of this.#openUploads()) {
        if (!Key || !UploadId || !this.#storageKeyOf(Key) || !Initiated || Initiated.getTime() >= beforeMs) continue;
        await this.#client.send(new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId }));
        removed += 1;
      }
      return removed;
    } catch (error) {
      throw storeFault(error);
    }
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

  async *list(): AsyncGenerator<StoredEntry> {
    const pages = paginateListObjectsV2({ client: this.#client }, { Bucket: this.#bucket, Prefix: this.#prefix });
    try {
      for await (const page of pages) {
        for (const { Key, LastModified } of page.Contents ?? []) {
          const storageKey = Key && this.#storageKeyOf(Key);
          if (storageKey) yield { storageKey, modifiedAtMs: async () => LastModified?.getTime() };
        }
      }
    } catch (error) {
      throw storeFault(error);
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

/** The body of an answer, piece by piece. */
class BodyReader implements ByteReader {
  readonly #body: Readable;
  readonly #pieces: AsyncIterator<Buffer>;

  constructor(body: Readable) {
    this.#body = body;
    // A body that breaks before it is read is noticed when it is read.
    body.on('error', () => {});
    this.#pieces = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  async next(): Promise<Buffer | null> {
    try {
      const { done, value } = await this.#pieces.next();
      return done ? null : value;
    } catch (error) {
      throw storeFault(error);
    }
  }

  async close(): Promise<void> {
    this.#body.destroy();
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== 'NoSuchBucket';
}

const isNamed = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof S3ServiceException && names.includes(error.name);

/** Forbidden, as one in an archive is too, or encrypted by the bucket under a key that is gone. */
function isWithheld(error: unknown): boolean {
  const isForbidden = error instanceof S3ServiceException && error.$metadata.httpStatusCode === 403;
  return (
    isForbidden || isNamed(error, 'KMS.DisabledException', 'KMS.KMSInvalidStateException', 'KMS.NotFoundException')
  );
}

/** Whatever the bucket answered, the person can only try again. */
export function storeFault(error: unknown): Refusal {
  return error instanceof Refusal ? error : refuseCausedBy(error, 'unavailable');
}

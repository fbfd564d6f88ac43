// One suite for every blob store: what is staged, published, read, listed and removed, and what is left when it fails.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { refuse } from '#contract/errors.ts';
import { type Bench, bytesOf, chunked, diskBench, MIB, put } from '../../testing/blob-bench.ts';
import { breadth } from '../../testing/breadth.ts';
import { eventually } from '../../testing/eventually.ts';
import { openTestBucket, type TestBucket } from '../../testing/s3-server.ts';
import { sha256 } from '../../testing/stored.ts';
import { DAY_MS } from '../clock.ts';
import { type BlobStore, HEAD_BYTES } from './blob-store.ts';
import type { EncryptionOptions } from './encryption/encrypted-store.ts';
import { GivenKeys } from './encryption/master-keys.ts';
import { type BlobStoreOptions, openBlobStore } from './open-blob-store.ts';
import { openS3Store } from './s3-store.ts';

/** Of servers that are no store: they answer as the tests say. */
const BUCKET = 'coffer-test';

const encryption: EncryptionOptions = {
  keys: new GivenKeys(`1:${randomBytes(32).toString('base64')}`),
  writes: 'encrypted',
  readsPlain: true,
};

let bucket: TestBucket;

beforeAll(async () => {
  bucket = await openTestBucket();
});

afterAll(() => bucket.close());

async function s3Bench(options: BlobStoreOptions = {}): Promise<Bench> {
  await bucket.empty();
  return {
    open: (onStep, more) => openBlobStore(bucket.place, { onStep, ...options, ...more }),
    contents: () => bucket.contents(),
    overwrite: ({ storageKey }, bytes) => bucket.overwrite(storageKey, bytes),
    steps: ['staged', 'synced'],
    close: async () => {},
  };
}

describe.each([
  ['disk', () => diskBench()],
  ['S3', () => s3Bench()],
  ['disk, encrypted', () => diskBench({ encryption })],
  ['S3, encrypted', () => s3Bench({ encryption })],
])('a blob store on %s', (_name, makeBench) => {
  let bench: Bench;
  let store: BlobStore;

  beforeEach(async () => {
    bench = await makeBench();
    store = await bench.open();
  });

  afterEach(async () => {
    await store.close();
    await bench.close();
  });

  test.each([0, 1, HEAD_BYTES, 512 * 1024, 512 * 1024 + 1, 12 * MIB + 7])(
    'keeps %i bytes as they were',
    async (size) => {
      const bytes = randomBytes(size);
      const staged = await store.stage(chunked(bytes), { maxBytes: 64 * MIB });
      expect(staged.sizeBytes).toBe(size);
      expect(staged.sha256).toBe(sha256(bytes));
      expect(Buffer.from(staged.head).equals(bytes.subarray(0, HEAD_BYTES))).toBe(true);

      const storageKey = await staged.publish();
      expect(storageKey).toMatch(/^[0-9a-f]{32}$/);
      const read = await bytesOf(store.read({ storageKey, sizeBytes: size, sha256: staged.sha256 }));
      expect(read.equals(bytes)).toBe(true);
      expect(await bench.contents()).toHaveLength(1);
    },
  );

  test('reads any span as the slice it is', async () => {
    const bytes = randomBytes(3 * MIB + 123);
    const blob = await put(store, bytes);
    for (let round = 0; round < breadth(15, 60); round++) {
      const start = Math.floor(Math.random() * bytes.length);
      const end = start + Math.floor(Math.random() * (bytes.length - start));
      const read = await bytesOf(store.read(blob, { start, end }));
      expect(read.equals(bytes.subarray(start, end + 1)), `${start}-${end}`).toBe(true);
    }
    await expect(store.read(blob, { start: 0, end: bytes.length })).rejects.toThrow(RangeError);
  });

  test('takes exactly the limit and refuses one byte more, keeping nothing', async () => {
    const atLimit = await store.stage(chunked(randomBytes(100_000)), { maxBytes: 100_000 });
    await atLimit[Symbol.asyncDispose]();
    await expect(store.stage(chunked(randomBytes(100_001)), { maxBytes: 100_000 })).rejects.toMatchObject({
      code: 'file_too_large',
    });
    const large = chunked(randomBytes(12 * MIB));
    await expect(store.stage(large, { maxBytes: 11 * MIB })).rejects.toMatchObject({ code: 'file_too_large' });
    expect(large.destroyed).toBe(true);
    expect(await bench.contents()).toEqual([]);
  });

  test('keeps nothing of a source that breaks, and throws its error', async () => {
    const broken = new Error('the sender went away');
    const source = Readable.from(
      (async function* () {
        yield randomBytes(6 * MIB);
        yield randomBytes(6 * MIB);
        throw broken;
      })(),
    );
    await expect(store.stage(source, { maxBytes: 64 * MIB })).rejects.toBe(broken);
    expect(await bench.contents()).toEqual([]);

    const early = new Readable({ read() {} });
    early.destroy(broken);
    await expect(store.stage(early, { maxBytes: MIB })).rejects.toBe(broken);
    expect(await bench.contents()).toEqual([]);
  });

  test('keeps nothing of an aborted upload', async () => {
    const abort = new AbortController();
    const { promise: underWay, resolve: isUnderWay } = Promise.withResolvers<void>();
    let pieces = 0;
    const endless = new Readable({
      read() {
        pieces += 1;
        if (pieces <= 12) this.push(randomBytes(MIB));
        else isUnderWay();
      },
    });
    const staging = store.stage(endless, { maxBytes: 64 * MIB, signal: abort.signal });
    await underWay;
    abort.abort();
    await expect(staging).rejects.toMatchObject({ name: 'AbortError' });
    expect(await bench.contents()).toEqual([]);
    await expect(store.stage(chunked(randomBytes(9)), { maxBytes: 9, signal: abort.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(await bench.contents()).toEqual([]);
  });

  test('keeps nothing of what was discarded, and discarding after publishing changes nothing', async () => {
    const dropped = await store.stage(chunked(randomBytes(5000)), { maxBytes: MIB });
    await dropped[Symbol.asyncDispose]();
    await dropped[Symbol.asyncDispose]();
    expect(await bench.contents()).toEqual([]);

    const bytes = randomBytes(5000);
    const kept = await store.stage(chunked(bytes), { maxBytes: MIB });
    const storageKey = await kept.publish();
    await kept[Symbol.asyncDispose]();
    expect((await bytesOf(store.read({ ...kept, storageKey }))).equals(bytes)).toBe(true);
  });

  test('keeps nothing of an upload that fails at any step', async () => {
    for (const step of bench.steps) {
      const fault = Object.assign(new Error(`fails when ${step}`), { code: 'EIO' });
      const failing = await bench.open((reached) => {
        if (reached === step) throw fault;
      });
      const upload = failing.stage(chunked(randomBytes(5000)), { maxBytes: MIB }).then((staged) => staged.publish());
      await expect(upload).rejects.toSatisfy((error: Error) => error === fault || error.cause === fault);
      expect(await bench.contents(), step).toEqual([]);
      await failing.close();
    }
  });

  test('refuses a missing, shortened or lengthened blob before the first byte', async () => {
    for (const size of [1000, 2 * MIB]) {
      const bytes = randomBytes(size);
      const blob = await put(store, bytes);
      for (const other of [bytes.subarray(1), Buffer.concat([bytes, bytes.subarray(0, 1)])]) {
        await bench.overwrite(blob, other);
        await expect(store.read(blob)).rejects.toMatchObject({ code: 'integrity' });
        await expect(store.read(blob, { start: 0, end: 9 })).rejects.toMatchObject({ code: 'integrity' });
        await expect(store.verify(blob)).rejects.toMatchObject({ code: 'integrity' });
      }
      await store.remove(blob.storageKey);
      await expect(store.read(blob)).rejects.toMatchObject({ code: 'integrity' });
      await expect(store.verify(blob)).rejects.toMatchObject({ code: 'integrity' });
    }
  });

  test('never completes a whole blob with one flipped byte', async () => {
    for (const size of [1000, 2 * MIB]) {
      const bytes = randomBytes(size);
      const blob = await put(store, bytes);
      const flipped = Buffer.from(bytes);
      flipped[size >> 1] = (flipped[size >> 1] ?? 0) ^ 1;
      await bench.overwrite(blob, flipped);
      await expect(bytesOf(store.read(blob))).rejects.toMatchObject({ code: 'integrity' });
    }
  });

  test('removes a blob once or twice, and touches no file by a made-up key', async () => {
    const blob = await put(store, randomBytes(10));
    await store.remove(blob.storageKey);
    await store.remove(blob.storageKey);
    expect(await bench.contents()).toEqual([]);
    await expect(store.remove('../../etc/passwd')).rejects.toMatchObject({ code: 'integrity' });
    await expect(store.read({ ...blob, storageKey: '../'.repeat(10) })).rejects.toMatchObject({ code: 'integrity' });
  });

  test('lists what was published, with the time it came, and nothing that was removed or is staged', async () => {
    const before = Date.now();
    const [kept, gone] = [await put(store, randomBytes(10)), await put(store, randomBytes(10))];
    await store.remove(gone.storageKey);
    const staged = await store.stage(chunked(randomBytes(10)), { maxBytes: 10 });
    const listed = await Readable.from(store.list()).toArray();
    // In a bucket an upload has its final key from the start.
    const [entry] = listed.filter(({ storageKey }) => storageKey === kept.storageKey);
    expect(listed).toHaveLength(bench.steps.includes('renamed') ? 1 : 2);
    expect(Math.abs(((await entry?.modifiedAtMs()) ?? 0) - before)).toBeLessThan(DAY_MS);
    await staged[Symbol.asyncDispose]();
  });

  test('says that it can take uploads, leaving no trace of having tried', async () => {
    await store.ensureRoom(MIB);
    await store.check();
    expect(await bench.contents()).toEqual([]);
  });
});

describe.each([
  ['disk', () => diskBench()],
  ['S3', () => s3Bench()],
])('a blob on %s that is encrypted where it lies', (_name, makeBench) => {
  const [one, two] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'));
  const under = (keys: string): BlobStoreOptions => ({ encryption: { ...encryption, keys: new GivenKeys(keys) } });
  let bench: Bench;

  beforeEach(async () => {
    bench = await makeBench();
  });
  afterEach(() => bench.close());

  test('is there, whole, whichever step fails, and nothing else is left', async () => {
    const bytes = randomBytes(200_000);
    for (const before of [null, `1:${one}`]) {
      for (const step of bench.steps) {
        // In plain, or under an older key.
        const earlier = await bench.open(undefined, before === null ? {} : under(before));
        const blob = await put(earlier, bytes);
        const failing = await bench.open(
          (reached) => {
            if (reached === step) throw Object.assign(new Error(`fails when ${step}`), { code: 'EIO' });
          },
          under(`1:${one},2:${two}`),
        );
        await expect(failing.renew(blob)).rejects.toThrow();
        const store = await bench.open(undefined, under(`1:${one},2:${two}`));
        expect((await bytesOf(store.read(blob))).equals(bytes), step).toBe(true);
        expect(await bench.contents(), step).toHaveLength(1);
        await store.renew(blob);
        expect((await bytesOf(store.read(blob))).equals(bytes), step).toBe(true);
        expect(await bench.contents(), step).toHaveLength(1);
        await store.remove(blob.storageKey);
      }
    }
  });

  test('is left as it is where its bytes are others', async () => {
    const blob = await put(await bench.open(), randomBytes(1000));
    const other = randomBytes(1000);
    await bench.overwrite(blob, other);
    const store = await bench.open(undefined, under(`1:${one}`));
    await expect(store.renew(blob)).rejects.toMatchObject({ code: 'integrity' });
    expect((await bytesOf(store.read(blob, { start: 0, end: 998 }))).equals(other.subarray(0, 999))).toBe(true);
    expect(await bench.contents()).toHaveLength(1);
  });
});

describe('the S3 store', () => {
  test('ends multipart uploads that were left open, its own and old ones only', async () => {
    const key = 'ab'.repeat(16);
    const old = new Date(Date.now() - 2 * DAY_MS).toISOString();
    const upload = (Key: string, id: string, initiated: string) =>
      `<Upload><Key>${Key}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`;
    const ended: string[] = [];
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://127.0.0.1');
      if (request.method === 'DELETE') {
        ended.push(url.searchParams.get('uploadId') ?? '');
        response.writeHead(204).end();
        return;
      }
      const page = url.searchParams.has('uploads')
        ? `<ListMultipartUploadsResult>${
            upload(`files/ab/ab/${key}`, 'old', old) +
            upload(`files/ab/ab/${key}`, 'young', new Date().toISOString()) +
            upload(`files/somebody-elses`, 'foreign', old)
          }</ListMultipartUploadsResult>`
        : '<ListBucketResult></ListBucketResult>';
      response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${page}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const store = await openBlobStore({ kind: 's3', bucket: BUCKET, prefix: 'files', region: 'us-east-1', endpoint });
    expect(await store.removeLeftovers(Date.now() - DAY_MS)).toBe(1);
    expect(ended).toEqual(['old']);
    await store.close();
    server.close();
    server.closeAllConnections();
  });

  test('puts in its place what is too large for a bucket to copy, and leaves nothing beside it', async () => {
    const objects = new Map<string, Buffer>();
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1');
      void buffer(request).then((body) => {
        if (request.headers['x-amz-copy-source'] !== undefined) {
          response
            .writeHead(400, { 'content-type': 'application/xml' })
            .end('<?xml version="1.0"?><Error><Code>InvalidRequest</Code></Error>');
          return;
        }
        if (request.method === 'PUT') objects.set(pathname, body);
        if (request.method === 'DELETE') objects.delete(pathname);
        response.end(request.method === 'GET' ? objects.get(pathname) : undefined);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const store = openS3Store({ bucket: BUCKET, prefix: '', region: 'us-east-1', endpoint });
    const storageKey = 'ab'.repeat(16);
    const before = await store.stage(storageKey, chunked(Buffer.from('before')), { maxBytes: 6 });
    await before.publish();
    // Six gigabytes, by what is said of them.
    const bytes = randomBytes(1_000);
    const anew = await store.stageInPlaceOf(storageKey, chunked(bytes), { maxBytes: 6 * 1024 * MIB });
    await anew.publish();
    expect([...objects]).toEqual([[`/${BUCKET}/ab/ab/${storageKey}`, bytes]]);
    await store.close();
    server.close();
    server.closeAllConnections();
  });

  test('answers unavailable where the service hangs up, in the middle of an answer too', async () => {
    const server = createServer((request, response) => {
      if (request.method !== 'GET') {
        request.socket.destroy();
        return;
      }
      response.writeHead(200, { 'content-length': 1_000 });
      response.write(randomBytes(500), () => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const store = await openBlobStore({ kind: 's3', bucket: BUCKET, prefix: '', region: 'us-east-1', endpoint });
    await expect(store.check()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.stage(chunked(randomBytes(10)), { maxBytes: 10 })).rejects.toMatchObject(refuse('unavailable'));
    const blob = { storageKey: 'ab'.repeat(16), sizeBytes: 1_000, sha256: sha256(Buffer.alloc(1_000)) };
    await expect(store.read(blob)).rejects.toMatchObject({ code: 'unavailable' });
    await store.close();
    server.close();
    server.closeAllConnections();
  });

  test.each([
    ['AccessDenied', 403],
    ['InvalidObjectState', 403],
    ['KMS.DisabledException', 400],
  ])(
    'takes an object that is withheld (%s) for lost where the bucket answers, else for unavailable',
    async (code, status) => {
      const blob = { storageKey: 'ab'.repeat(16), sizeBytes: 1_000, sha256: sha256(Buffer.alloc(1_000)) };
      let answers = true;
      const server = createServer((request, response) => {
        request.resume();
        if (answers && !request.url?.includes(blob.storageKey)) response.writeHead(200).end();
        else
          response
            .writeHead(status, { 'content-type': 'application/xml' })
            .end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const store = await openBlobStore({ kind: 's3', bucket: BUCKET, prefix: '', region: 'us-east-1', endpoint });
      await expect(store.read(blob)).rejects.toMatchObject({ code: 'integrity' });
      answers = false;
      await expect(store.read(blob)).rejects.toMatchObject({ code: 'unavailable' });
      await store.close();
      server.close();
      server.closeAllConnections();
    },
  );

  test('answers unavailable after three more tries when the service is down', async () => {
    let tries = 0;
    const server = createServer((request, response) => {
      tries += 1;
      request.resume();
      response.writeHead(503).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const store = await openBlobStore({ kind: 's3', bucket: BUCKET, prefix: '', region: 'us-east-1', endpoint });
    await expect(store.check()).rejects.toMatchObject({ code: 'unavailable' });
    expect(tries).toBe(4);
    await expect(store.stage(chunked(randomBytes(10)), { maxBytes: 10 })).rejects.toMatchObject(refuse('unavailable'));
    await store.close();
    server.close();
    server.closeAllConnections();
  });

  test('answers unavailable where the service is silent, after a minute each of four tries', async () => {
    let tries = 0;
    const server = createServer(() => {
      tries += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const store = await openBlobStore({ kind: 's3', bucket: BUCKET, prefix: '', region: 'us-east-1', endpoint });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const answer = expect(store.check()).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: expect.stringContaining('exceeded the configured 60000 ms') },
    });
    for (const nth of [1, 2, 3, 4]) {
      await eventually(() => expect(tries).toBe(nth));
      vi.advanceTimersByTime(60_000);
    }
    await answer;
    expect(tries).toBe(4);
    await store.close();
    server.close();
    server.closeAllConnections();
  });
});

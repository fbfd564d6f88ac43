// Encryption where files lie: nothing readable, nothing that was changed is passed on, keys that are missing or wrong are told.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeyFault } from '../../key-file.ts';
import type { BlobStore, StoredBlob } from '../blob-store.ts';
import { openBlobStore } from '../open-blob-store.ts';
import type { EncryptionOptions } from './encrypted-store.ts';
import { CHUNK_BYTES, HEAD_BYTES, STORED_CHUNK_BYTES, storedSize } from './format.ts';
import { GivenKeys, KeyFile } from './master-keys.ts';

const MIB = 1024 * 1024;
const newKey = () => randomBytes(32).toString('base64');

let root: string;
let store: BlobStore;
let keys: KeyFile;

const openWith = (options: Partial<EncryptionOptions> = {}) =>
  openBlobStore(
    { kind: 'disk', root },
    { minFreeBytes: 0, encryption: { keys, writes: 'encrypted', readsPlain: true, ...options } },
  );

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'coffer-encrypted-'));
  keys = new KeyFile(join(root, 'keys', 'files.keys'));
  await keys.make();
  store = await openWith();
});
afterEach(async () => {
  await store.close();
  await rm(root, { recursive: true, force: true });
});

async function put(to: BlobStore, bytes: Buffer): Promise<StoredBlob> {
  const staged = await to.stage(Readable.from([bytes]), { maxBytes: 64 * MIB });
  return { storageKey: await staged.publish(), sizeBytes: staged.sizeBytes, sha256: staged.sha256 };
}

/** What arrives until the end, or until it is refused. */
async function arrives(from: BlobStore, blob: StoredBlob, span?: { start: number; end: number }) {
  const parts: Buffer[] = [];
  try {
    const bytes = await from.read(blob, span);
    if (Buffer.isBuffer(bytes)) parts.push(bytes);
    else for await (const part of bytes) parts.push(part as Buffer);
    return { bytes: Buffer.concat(parts), refused: null };
  } catch (error) {
    return { bytes: Buffer.concat(parts), refused: (error as { code?: string }).code ?? String(error) };
  }
}

const pathOf = ({ storageKey: key }: StoredBlob) => join(root, key.slice(0, 2), key.slice(2, 4), key);
const raw = (blob: StoredBlob) => readFile(pathOf(blob));
const overwrite = (blob: StoredBlob, bytes: Uint8Array) => writeFile(pathOf(blob), bytes);

describe('what lies there', () => {
  it('shows nothing of what was sent, and is of the size that the format says', async () => {
    const text = Buffer.from('Payroll register of Larkspur Bakery. '.repeat(5_000));
    const blob = await put(store, text);
    const bytes = await raw(blob);
    expect(bytes.includes('Larkspur')).toBe(false);
    expect(bytes).toHaveLength(storedSize(text.length));
    expect((await arrives(store, blob)).bytes.equals(text)).toBe(true);
    // The same bytes twice are not alike.
    expect((await raw(await put(store, text))).subarray(HEAD_BYTES).equals(bytes.subarray(HEAD_BYTES))).toBe(false);
  });

  it.each([0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES, 9 * CHUNK_BYTES + 5])(
    'is whole again, and in every span around the seams, at %i bytes',
    async (size) => {
      const bytes = randomBytes(size);
      const blob = await put(store, bytes);
      expect((await arrives(store, blob)).bytes.equals(bytes)).toBe(true);
      const seams = [0, CHUNK_BYTES, 2 * CHUNK_BYTES, size].flatMap((at) => [at - 2, at - 1, at, at + 1]);
      for (const start of seams) {
        for (const end of seams) {
          if (start < 0 || end < start || end >= size) continue;
          const { bytes: part, refused } = await arrives(store, blob, { start, end });
          expect([start, end, refused, part.equals(bytes.subarray(start, end + 1))]).toEqual([start, end, null, true]);
        }
      }
    },
  );
});

describe('an attack on what lies there', () => {
  /** Whatever arrives of a changed file is a beginning of the right bytes, and not all of them. */
  async function expectRefused(blob: StoredBlob, bytes: Buffer, from: BlobStore = store): Promise<void> {
    const whole = await arrives(from, blob);
    // A version that is not known may be a key that is missing.
    expect(['integrity', 'unavailable']).toContain(whole.refused);
    expect(bytes.subarray(0, whole.bytes.length).equals(whole.bytes)).toBe(true);
  }

  it('G40: one bit flipped anywhere is refused, and so is each span with it', async () => {
    const bytes = randomBytes(3 * CHUNK_BYTES + 100);
    const blob = await put(store, bytes);
    const right = await raw(blob);
    const second = HEAD_BYTES + STORED_CHUNK_BYTES;
    for (const at of [0, 8, 11, 12, 40, 71, 72, HEAD_BYTES - 1, HEAD_BYTES, second - 1, second, right.length - 1]) {
      const changed = Buffer.from(right);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await overwrite(blob, changed);
      await expectRefused(blob, bytes);
      if (at < HEAD_BYTES || (at >= second && at < second + STORED_CHUNK_BYTES)) {
        const part = await arrives(store, blob, { start: CHUNK_BYTES + 5, end: CHUNK_BYTES + 9 });
        expect([at, part.bytes.length, ['integrity', 'unavailable'].includes(part.refused ?? '')]).toEqual([
          at,
          0,
          true,
        ]);
      }
    }
  });

  it('that swaps, repeats, leaves out or cuts off chunks is refused', async () => {
    const bytes = randomBytes(4 * CHUNK_BYTES);
    const blob = await put(store, bytes);
    const right = await raw(blob);
    const head = right.subarray(0, HEAD_BYTES);
    const chunk = (nth: number) =>
      right.subarray(HEAD_BYTES + nth * STORED_CHUNK_BYTES, HEAD_BYTES + (nth + 1) * STORED_CHUNK_BYTES);
    for (const order of [
      [1, 0, 2, 3],
      [0, 0, 2, 3],
      [0, 2, 1, 3],
      [0, 1, 2],
      [0, 1, 2, 3, 3],
      [3, 1, 2, 0],
    ]) {
      await overwrite(blob, Buffer.concat([head, ...order.map(chunk)]));
      await expectRefused(blob, bytes);
    }
    // Cut to a size that a smaller file would have: its last chunk is not sealed as the last one.
    await overwrite(blob, right.subarray(0, HEAD_BYTES + 2 * STORED_CHUNK_BYTES));
    const smaller = bytes.subarray(0, 2 * CHUNK_BYTES);
    const told = { ...blob, sizeBytes: smaller.length, sha256: createHash('sha256').update(smaller).digest('hex') };
    expect(await arrives(store, told, { start: CHUNK_BYTES, end: CHUNK_BYTES + 9 })).toMatchObject({
      refused: 'integrity',
    });
  });

  it('that puts one file in the place of another is refused, by its head, its chunks or both', async () => {
    const [one, other] = [randomBytes(2 * CHUNK_BYTES), randomBytes(2 * CHUNK_BYTES)];
    const [mine, theirs] = [await put(store, one), await put(store, other)];
    const [right, wrong] = [await raw(mine), await raw(theirs)];
    for (const mixed of [
      wrong,
      Buffer.concat([right.subarray(0, HEAD_BYTES), wrong.subarray(HEAD_BYTES)]),
      Buffer.concat([wrong.subarray(0, HEAD_BYTES), right.subarray(HEAD_BYTES)]),
    ]) {
      await overwrite(mine, mixed);
      await expectRefused(mine, one);
      expect(await arrives(store, mine, { start: 5, end: 9 })).toMatchObject({ refused: 'integrity' });
    }
  });

  it('that puts plain bytes there is refused where plain files are', async () => {
    const bytes = randomBytes(1000);
    const blob = await put(store, bytes);
    await overwrite(blob, bytes);
    expect((await arrives(store, blob)).bytes.equals(bytes)).toBe(true);
    const strict = await openWith({ readsPlain: false });
    await expectRefused(blob, bytes, strict);
    expect(await arrives(strict, blob, { start: 0, end: 9 })).toMatchObject({ refused: 'integrity' });
    await expect(strict.verify(blob)).rejects.toMatchObject({ code: 'integrity' });
  });
});

describe('files that are renewed', () => {
  it('are encrypted where they were plain, and read at every moment', async () => {
    const plain = await openWith({ writes: 'plain' });
    const bytes = randomBytes(3 * MIB);
    const blob = await put(plain, bytes);
    expect(await plain.keyVersion()).toBeNull();
    expect((await raw(blob)).equals(bytes)).toBe(true);
    const reading = Promise.all(
      Array.from({ length: 20 }, async () => (await arrives(store, blob, { start: MIB, end: MIB + 99 })).bytes),
    );
    await store.renew(blob);
    for (const part of await reading) expect(part.equals(bytes.subarray(MIB, MIB + 100))).toBe(true);
    expect(await raw(blob)).toHaveLength(storedSize(bytes.length));
    expect((await arrives(store, blob)).bytes.equals(bytes)).toBe(true);
  });

  it('are wrapped under a new key, their chunks as they were', async () => {
    const bytes = randomBytes(2 * CHUNK_BYTES);
    const blob = await put(store, bytes);
    const before = await raw(blob);
    expect(await keys.add()).toBe(2);
    expect(await store.keyVersion()).toBe(2);
    await store.renew(blob);
    const after = await raw(blob);
    expect(after.subarray(HEAD_BYTES).equals(before.subarray(HEAD_BYTES))).toBe(true);
    expect(after.subarray(0, HEAD_BYTES).equals(before.subarray(0, HEAD_BYTES))).toBe(false);
    expect((await arrives(store, blob)).bytes.equals(bytes)).toBe(true);
    // Once more, nothing is written.
    const { mtimeMs, ino } = await stat(pathOf(blob));
    await store.renew(blob);
    expect(await stat(pathOf(blob))).toMatchObject({ mtimeMs, ino });
  });

  it('are left as they are where their bytes are others', async () => {
    const plain = await openWith({ writes: 'plain' });
    const blob = await put(plain, randomBytes(1000));
    const other = randomBytes(1000);
    await overwrite(blob, other);
    await expect(store.renew(blob)).rejects.toMatchObject({ code: 'integrity' });
    expect((await raw(blob)).equals(other)).toBe(true);
  });
});

describe('keys', () => {
  it('are made readable by their owner alone, and never twice', async () => {
    const path = join(root, 'keys', 'files.keys');
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe('600');
    const before = await readFile(path, 'utf8');
    await keys.make();
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('that another process adds are known at once where they are needed', async () => {
    const other = new KeyFile(join(root, 'keys', 'files.keys'));
    await keys.currentVersion();
    await other.add();
    const blob = await put(await openWith({ keys: other }), Buffer.from('new'));
    expect((await arrives(store, blob)).bytes.toString()).toBe('new');
  });

  it('that are missing or others refuse to open, and say so', async () => {
    const blob = await put(store, Buffer.from('sealed'));
    const foreign = await openWith({ keys: new GivenKeys(`1:${newKey()}`) });
    expect(await arrives(foreign, blob)).toMatchObject({ refused: 'integrity' });
    const later = await openWith({ keys: new GivenKeys(`2:${newKey()}`) });
    expect(await arrives(later, blob)).toMatchObject({ refused: 'unavailable' });
    await rm(join(root, 'keys', 'files.keys'));
    await expect(new KeyFile(join(root, 'keys', 'files.keys')).currentVersion()).rejects.toThrow(
      /keys of the stored files are missing/,
    );
  });

  it.each(['', 'key 1', 'key 0 x', 'key 1 short', `key 1 ${'A'.repeat(43)}=\nkey 1 ${'A'.repeat(43)}=`])(
    'are refused by line where they are written wrongly: %j',
    async (text) => {
      await writeFile(join(root, 'keys', 'files.keys'), text);
      const refused = new KeyFile(join(root, 'keys', 'files.keys')).currentVersion();
      await expect(refused).rejects.toThrow(KeyFault);
      await expect(refused).rejects.toThrow(/^KEY_FILE: /);
    },
  );

  it('may stand in the environment', async () => {
    const [one, two] = [newKey(), newKey()];
    const given = new GivenKeys(`1:${one}, 2:${two}`);
    expect(await given.currentVersion()).toBe(2);
    // By what is written there, which is not how a line of the file is.
    expect(() => new GivenKeys(`1:${one},2:short`)).toThrow(
      /^BLOB_KEYS: key 2 is none\. Each is a version, a colon and /,
    );
  });
});

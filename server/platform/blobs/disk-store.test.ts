// The blob store on a disk: where its bytes lie, what a full or failing disk does to it, and what a sudden death leaves.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, readdir, stat, statfs, symlink, truncate, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bytesOf, chunked, diskBench, MIB, put } from '../../testing/blob-bench.ts';
import { eventually } from '../../testing/eventually.ts';
import { sha256 } from '../../testing/stored.ts';
import { DAY_MS } from '../clock.ts';
import type { BlobStep } from './byte-store.ts';
import { openBlobStore } from './open-blob-store.ts';

describe('the disk store', () => {
  let bench: Awaited<ReturnType<typeof diskBench>>;

  beforeEach(async () => {
    bench = await diskBench();
  });

  afterEach(() => bench.close());

  test('stores blobs as ab/cd/key, readable by its owner only', async () => {
    const store = await bench.open();
    const { storageKey } = await put(store, randomBytes(10));
    expect(await bench.contents()).toEqual([`${storageKey.slice(0, 2)}/${storageKey.slice(2, 4)}/${storageKey}`]);
    const modeOf = async (path: string) => ((await stat(join(bench.root, path))).mode & 0o777).toString(8);
    expect(await modeOf('staging')).toBe('700');
    expect(await modeOf(storageKey.slice(0, 2))).toBe('700');
    expect(await modeOf(`${storageKey.slice(0, 2)}/${storageKey.slice(2, 4)}`)).toBe('700');
    expect(await modeOf(`${storageKey.slice(0, 2)}/${storageKey.slice(2, 4)}/${storageKey}`)).toBe('600');
  });

  test('refuses uploads below the floor of free space, and goes on reading', async () => {
    const blob = await put(await bench.open(), randomBytes(10));
    const disk = await statfs(bench.root);
    const store = await openBlobStore(
      { kind: 'disk', root: bench.root },
      { minFreeBytes: disk.bavail * disk.bsize * 2 },
    );
    await expect(put(store, randomBytes(10))).rejects.toMatchObject({ code: 'storage_full' });
    await expect(store.ensureRoom(0)).rejects.toMatchObject({ code: 'storage_full' });
    expect(await bench.contents()).toHaveLength(1);
    expect(await bytesOf(store.read(blob))).toHaveLength(10);
    await store.check();
  });

  test.each(['ENOSPC', 'EDQUOT'])('answers storage_full to %s at any step and works again afterwards', async (code) => {
    let full: BlobStep | undefined;
    const store = await bench.open((step) => {
      if (step === full) throw Object.assign(new Error('disk full'), { code });
    });
    for (full of bench.steps) await expect(put(store, randomBytes(10))).rejects.toMatchObject({ code: 'storage_full' });
    expect(await bench.contents()).toEqual([]);
    full = undefined;
    await put(store, randomBytes(10));
  });

  test('is unavailable while the disk fails, and available again right after', async () => {
    let failing = true;
    const store = await bench.open(() => {
      if (failing) throw Object.assign(new Error('input/output error'), { code: 'EIO' });
    });
    await expect(store.check()).rejects.toMatchObject({ code: 'unavailable' });
    failing = false;
    await store.check();
  });

  test('cuts a stream whose file is shortened while it is read', async () => {
    const store = await bench.open();
    const blob = await put(store, randomBytes(4 * MIB));
    const stream = (await store.read(blob, { start: 0, end: 4 * MIB - 2 })) as Readable;
    const path = join(bench.root, blob.storageKey.slice(0, 2), blob.storageKey.slice(2, 4), blob.storageKey);
    await truncate(path, 2 * MIB);
    await expect(buffer(stream)).rejects.toMatchObject({ code: 'integrity' });
  });

  test('closes the file of a stream that nobody reads to its end', async () => {
    const store = await bench.open();
    const blob = await put(store, randomBytes(2 * MIB));
    const openFiles = async () => (await readdir('/proc/self/fd')).length;
    const before = await openFiles();
    for (let round = 0; round < 20; round++) {
      const stream = (await store.read(blob)) as Readable;
      if (round % 2 === 0) stream.read();
      stream.destroy();
    }
    await eventually(async () => expect(await openFiles()).toBeLessThanOrEqual(before));
  });

  test.skipIf(process.getuid?.() === 0)('refuses a blob it may not open', async () => {
    const store = await bench.open();
    const blob = await put(store, randomBytes(10));
    const path = join(bench.root, blob.storageKey.slice(0, 2), blob.storageKey.slice(2, 4), blob.storageKey);
    await chmod(path, 0);
    await expect(store.read(blob)).rejects.toMatchObject({ code: 'integrity' });
  });

  test('does not call a folder missing into which it may not look', async () => {
    const root = join(bench.root, 'round');
    // As without rights, which root has.
    await symlink(root, root);
    const opened = openBlobStore({ kind: 'disk', root }, { holdsFiles: true });
    await expect(opened).rejects.toMatchObject({ code: 'ELOOP' });
  });

  test('removes old leftovers of unfinished uploads', async () => {
    const store = await bench.open();
    await store.stage(chunked(randomBytes(10)), { maxBytes: 10 });
    const old = await store.stage(chunked(randomBytes(20)), { maxBytes: 20 });
    const names = await readdir(join(bench.root, 'staging'));
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(bench.root, 'staging', name))).size));
    const oldName = names[sizes.indexOf(old.sizeBytes)] ?? '';
    const longAgo = new Date(Date.now() - DAY_MS - 60_000);
    await utimes(join(bench.root, 'staging', oldName), longAgo, longAgo);
    expect(await store.removeLeftovers(Date.now() - DAY_MS)).toBe(1);
    expect(await readdir(join(bench.root, 'staging'))).toHaveLength(1);
  });

  test.each(['staged', 'synced', 'renamed', 'folder-synced'])(
    'after a death when %s holds either the whole blob or a leftover, each of which is found',
    async (step) => {
      const modulePath = new URL('./open-blob-store.ts', import.meta.url).href;
      const script = `
        import { Readable } from 'node:stream';
        const { openBlobStore } = await import(${JSON.stringify(modulePath)});
        const die = (step) => { if (step === ${JSON.stringify(step)}) process.kill(process.pid, 'SIGKILL'); };
        const place = { kind: 'disk', root: ${JSON.stringify(bench.root)} };
        const store = await openBlobStore(place, { minFreeBytes: 0, onStep: die });
        const staged = await store.stage(Readable.from([Buffer.alloc(100000, 7)]), { maxBytes: 1e6 });
        await staged.publish();`;
      const child = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
      await expect(child).rejects.toMatchObject({ signal: 'SIGKILL' });

      const [path = '', ...others] = await bench.contents();
      expect(others).toEqual([]);
      expect(path.startsWith('staging/')).toBe(step === 'staged' || step === 'synced');
      const store = await bench.open();
      if (!path.startsWith('staging/')) {
        const expected = Buffer.alloc(100000, 7);
        const blob = { storageKey: path.slice(-32), sizeBytes: expected.length, sha256: sha256(expected) };
        expect((await bytesOf(store.read(blob))).equals(expected)).toBe(true);
      }
      expect(await store.removeLeftovers(Date.now() + DAY_MS)).toBe(path.startsWith('staging/') ? 1 : 0);
      for await (const { storageKey } of store.list()) await store.remove(storageKey);
      expect(await bench.contents()).toEqual([]);
    },
  );
});

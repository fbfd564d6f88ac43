// Small files with names, in a folder and in a bucket: written whole, never over what somebody else made, read back and listed.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import type * as FileSystem from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTestBucket, type TestBucket } from '../../testing/s3-server.ts';
import type { NamedObjects } from './named-objects.ts';
import { openNamedObjects } from './open-blob-store.ts';

/** Those that know none say so. */
const disk = vi.hoisted(() => ({ knowsLinks: true }));
vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof FileSystem>();
  const link: typeof real.link = async (...paths) => {
    if (disk.knowsLinks) return real.link(...paths);
    throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' });
  };
  return { ...real, link };
});

const root = mkdtempSync(join(tmpdir(), 'coffer-objects-'));
let bucket: TestBucket;
beforeAll(async () => {
  bucket = await openTestBucket();
});
afterAll(async () => {
  await bucket.close();
  rmSync(root, { recursive: true });
});

describe.each(['a folder', 'a bucket'])('small files with names in %s', (where) => {
  let objects: NamedObjects;
  beforeEach(async () => {
    await bucket.empty();
    objects = await openNamedObjects(where === 'a folder' ? { kind: 'disk', root } : bucket.place);
    return () => objects.close();
  });
  const textOf = async (name: string) => (await objects.read(name))?.toString() ?? null;

  test('are written, replaced, listed and removed, and the first of a new one stays', async () => {
    expect(await textOf('note.json')).toBeNull();
    await objects.write('note.json', 'one');
    await objects.write('note.json', 'two');
    await objects.write('backups/a', 'A');
    await objects.writeNew('backups/b', 'first');
    await objects.writeNew('backups/b', 'second');
    expect([await textOf('note.json'), await textOf('backups/b')]).toEqual(['two', 'first']);
    expect(await objects.list('backups')).toEqual(['a', 'b']);
    for (const name of ['note.json', 'backups/a', 'backups/b', 'never']) await objects.remove(name);
    expect(await objects.list('backups')).toEqual([]);
  });
});

test('what cannot be written to a folder leaves nothing there', async () => {
  const objects = await openNamedObjects({ kind: 'disk', root });
  mkdirSync(join(root, 'taken'));
  await expect(objects.write('taken', 'one')).rejects.toThrow();
  expect((await objects.list('')).filter((name) => name.startsWith('taken'))).toEqual(['taken']);
});

test('a disk that knows no hard links keeps the first of a new one too, for its owner alone', async () => {
  const objects = await openNamedObjects({ kind: 'disk', root });
  disk.knowsLinks = false;
  try {
    await objects.writeNew('lock', 'first');
    await objects.writeNew('lock', 'second');
  } finally {
    disk.knowsLinks = true;
  }
  expect((await objects.read('lock'))?.toString()).toBe('first');
  expect(statSync(join(root, 'lock')).mode & 0o777).toBe(0o600);
  expect((await objects.list('')).filter((name) => name.startsWith('lock'))).toEqual(['lock']);
});

test('a server that knows no conditional writes keeps the first of a new one too', async () => {
  const kept = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const bytes = Buffer.concat(await request.toArray());
    const found = kept.get(path);
    if (request.method === 'PUT' && request.headers['if-none-match']) return void response.writeHead(501).end();
    if (request.method === 'PUT') kept.set(path, bytes);
    else if (found === undefined) return void response.writeHead(404).end();
    response.writeHead(200).end(request.method === 'GET' ? found : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const objects = await openNamedObjects({ kind: 's3', bucket: 'old', prefix: '', region: 'us-east-1', endpoint });
  await objects.writeNew('lock', 'first');
  await objects.writeNew('lock', 'second');
  expect((await objects.read('lock'))?.toString()).toMatch(/first/);
  await objects.close();
  server.close();
  server.closeAllConnections();
});

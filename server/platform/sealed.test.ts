// What is sealed opens with its key for its purpose, and for nothing else.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeyFault } from './key-file.ts';
import { openSealer } from './sealed.ts';

const SECRET = Buffer.from('twenty secret bytes.');

describe('a sealed secret', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'coffer-sealed-'));
    path = join(folder, 'keys', 'secrets.key');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('opens, also after a restart, and is sealed differently each time', async () => {
    const sealer = openSealer(path);
    const sealed = [await sealer.seal(SECRET, 'one'), await sealer.seal(SECRET, 'one')];
    expect(sealed[0]).not.toBe(sealed[1]);
    for (const text of sealed) {
      expect(text).toMatch(/^v1\.[A-Za-z0-9_-]{64}$/);
      expect(await openSealer(path).open(text, 'one')).toEqual(SECRET);
    }
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('opens for no other purpose, with no other key and not when it was changed', async () => {
    const sealed = await openSealer(path).seal(SECRET, 'one');
    await expect(openSealer(path).open(sealed, 'other')).rejects.toThrow(KeyFault);
    const changed = `${sealed.slice(0, -3)}${sealed.endsWith('AAA') ? 'BBB' : 'AAA'}`;
    await expect(openSealer(path).open(changed, 'one')).rejects.toThrow(KeyFault);
    await expect(openSealer(path).open(sealed.slice(0, 20), 'one')).rejects.toThrow(KeyFault);
    await expect(openSealer(path).open(`v2${sealed.slice(2)}`, 'one')).rejects.toThrow(/does not know/);
    const key = readFileSync(path);
    key[0] = (key[0] ?? 0) ^ 1;
    writeFileSync(path, key);
    await expect(openSealer(path).open(sealed, 'one')).rejects.toThrow(/not the key/);
    writeFileSync(path, 'short');
    await expect(openSealer(path).open(sealed, 'one')).rejects.toThrow(/exactly 32 bytes/);
  });

  it('fails where its key is missing, and creates no new one', async () => {
    const sealed = await openSealer(path).seal(SECRET, 'one');
    rmSync(path);
    await expect(openSealer(path).open(sealed, 'one')).rejects.toThrow(/missing/);
    expect(() => statSync(path)).toThrow(/ENOENT/);
  });

  it('has one key, however many begin at once', async () => {
    const sealers = Array.from({ length: 20 }, () => openSealer(path));
    const sealed = await Promise.all(sealers.map((sealer) => sealer.seal(SECRET, 'one')));
    for (const text of sealed) expect(await openSealer(path).open(text, 'one')).toEqual(SECRET);
  });
});

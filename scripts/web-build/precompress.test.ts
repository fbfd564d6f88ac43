// Which files of a built web get compressed forms, and that these are the files.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { precompressFolder } from './precompress.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coffer-precompress-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('texts that come out smaller get both forms; the page, short files and what is compressed already get none', async () => {
  const text = 'export const one = 1;\n'.repeat(100);
  mkdirSync(join(folder, 'assets'));
  mkdirSync(join(folder, '.vite'));
  for (const name of ['index.html', 'assets/a.js', 'assets/b.css', 'assets/font.ttf', '.vite/license.json']) {
    writeFileSync(join(folder, name), text);
  }
  writeFileSync(join(folder, 'assets/short.js'), 'export {};');
  await precompressFolder(folder);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  expect(files.filter((name) => /\.(br|gz)$/.test(name)).sort()).toEqual([
    'assets/a.js.br',
    'assets/a.js.gz',
    'assets/b.css.br',
    'assets/b.css.gz',
  ]);
  expect(brotliDecompressSync(readFileSync(join(folder, 'assets/a.js.br'))).toString()).toBe(text);
  expect(gunzipSync(readFileSync(join(folder, 'assets/b.css.gz'))).toString()).toBe(text);
});

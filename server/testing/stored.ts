// What is stored of uploads, rows and bytes together: what tests compare, and that a refused one left nothing.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import type { TestApp } from './test-app.ts';

export const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

export const blobRoot = (app: TestApp) => join(app.config.dataDir, 'blobs');

/** Every file below a folder, in order. */
export const filesBelow = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** Every file under the blob store, staged ones too, by its path within it. */
export function storedPaths(app: TestApp): string[] {
  const root = blobRoot(app);
  return filesBelow(root).map((path) => path.slice(root.length + 1));
}

async function stored(app: TestApp) {
  const { reader } = app.database;
  const files = await reader.selectFrom('files').select('id').orderBy('id').execute();
  const entries = await reader.selectFrom('activity').select('id').where('action', '=', 'upload').execute();
  return { files: files.map(({ id }) => id), entries: entries.length, paths: storedPaths(app) };
}

/** Runs `work` and asserts that no row, no entry and, once what was refused is cleared away, no byte was left. */
export async function leavesNothing(app: TestApp, work: () => Promise<void>): Promise<void> {
  const before = await stored(app);
  await work();
  await eventually(async () => expect(await stored(app)).toEqual(before));
}

// One backup at a time: of two that begin at the same moment, one has the place.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FolderObjects } from '../platform/blobs/named-objects.ts';
import { BackupRefusal } from './backup-refusal.ts';
import { takeLock } from './lock.ts';

it('is not taken from who has only just got it, and is free again afterwards', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-lock-'));
  try {
    const there = new FolderObjects(folder);
    const meanwhile: PromiseSettledResult<unknown>[] = [];
    /** In which another one begins right after the first has found its own lock there. */
    class Overtaken extends FolderObjects {
      override async read(name: string) {
        const found = await super.read(name);
        if (found !== null) meanwhile.push(...(await Promise.allSettled([takeLock(there, Date.now)])));
        return found;
      }
    }
    const unlock = await takeLock(new Overtaken(folder), Date.now);
    expect(meanwhile).toEqual([{ status: 'rejected', reason: expect.any(BackupRefusal) }]);
    await unlock();
    await (await takeLock(there, Date.now))();
    expect(await there.list('.')).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('leaves nothing behind where it cannot be taken', async () => {
  class Full extends FolderObjects {
    override async writeNew() {
      throw new Error('The disk is full');
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'coffer-lock-'));
  try {
    await expect(takeLock(new Full(folder), Date.now)).rejects.toThrow('The disk is full');
    await (await takeLock(new FolderObjects(folder), Date.now))();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

// One backup at a time: of two that begin at the same moment, one has the place.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { FolderObjects } from '../platform/blobs/named-objects.ts';
import { backupDrill, lockOfAnother } from '../testing/backup-drill.ts';
import { BackupRefusal } from './backup-refusal.ts';
import { takeLock } from './lock.ts';

const { newFolder } = backupDrill();

it('is not taken from who has only just got it, and is free again afterwards', async () => {
  const folder = newFolder();
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
  const lock = await takeLock(new Overtaken(folder), Date.now);
  expect(meanwhile).toEqual([{ status: 'rejected', reason: expect.any(BackupRefusal) }]);
  await lock.release();
  await (await takeLock(there, Date.now)).release();
  expect(await there.list('.')).toEqual([]);
});

it('is said to be gone where it is, as with a disk that is no longer mounted, and not to be that of another one', async () => {
  const folder = newFolder();
  const lock = await takeLock(new FolderObjects(folder), Date.now);
  rmSync(join(folder, 'lock'));
  await expect(lock.requireMine()).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringContaining('See whether the disk of that place is still mounted.'),
  });
  expect(await lock.isOvertaken()).toBe(false);
  await lock.release();
});

it('leaves nothing behind where it cannot be taken', async () => {
  class Full extends FolderObjects {
    override async writeNew() {
      throw new Error('The disk is full');
    }
  }
  const folder = newFolder();
  await expect(takeLock(new Full(folder), Date.now)).rejects.toThrow('The disk is full');
  await (await takeLock(new FolderObjects(folder), Date.now)).release();
});

it('G135: is kept by who lives through a leap of the clock, and left to whoever has taken it over from one that stood still', async () => {
  const there = new FolderObjects(newFolder());
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const lock = await takeLock(there, Date.now);
  const tomorrow = () => Date.now() + 24 * 60 * 60_000;
  await expect(takeLock(there, tomorrow)).rejects.toThrow('Another backup is being written there');
  await lock.requireMine();

  const another = lockOfAnother();
  await there.write('lock', another);
  await expect(lock.requireMine()).rejects.toThrow(BackupRefusal);
  // It awakes: neither its touch nor its end takes the place back.
  vi.advanceTimersByTime(60_000);
  await lock.release();
  expect((await there.read('lock'))?.toString()).toBe(another);
});

// Which backup is the newest and which are kept, by the days on which they were made, also where the clock was put back.
import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { Overview } from '#contract/activity.ts';
import type { FileRow } from '#contract/files.ts';
import { lastBackupRun } from '../audit/backup-runs.ts';
import { FolderObjects } from '../platform/blobs/named-objects.ts';
import {
  backup,
  backupDrill,
  backupKeeping,
  listBackups,
  lockOfAnother,
  purgeTrash,
  refusalOf,
  reportOf,
  restore,
  run,
  verify,
} from '../testing/backup-drill.ts';
import { filesBelow } from '../testing/stored.ts';
import { runKeepDry } from './backup-command.ts';
import { keepRules } from './keep.ts';
import { backupPlace, manifestsOf, openBackups } from './target.ts';

const { newFolder, sourceOf, emptyPlace } = backupDrill();

it('G129: after the clock was put back restores and keeps what was backed up last', async () => {
  const source = await sourceOf('sqlite');
  const to = join(newFolder(), 'backups');
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    vi.setSystemTime(new Date('2026-03-09T12:00:00.000Z'));
    expect((await backup(source.config, to)).code).toBe(0);
    vi.setSystemTime(new Date('2026-03-08T12:00:00.000Z'));
    expect((await backup(source.config, to)).said).toContain('Backup 2026-03-09T12-00-00-001Z is at ');
    const kept = await backupKeeping(source.config, to, '2d');
    expect(kept.said).toContain('Backup 2026-03-09T12-00-00-002Z is at ');
    // Of March 8 the one that was made last, and of March 9 the only one.
    expect(kept.said).toMatch(/^Removed: 1 older backup, and 0 files [^\n]*: 2026-03-09T12-00-00-001Z\.$/m);
  } finally {
    vi.useRealTimers();
  }
  const restored = await restore(await emptyPlace('sqlite', source), to);
  expect([restored.code, restored.said]).toEqual([
    0,
    expect.stringContaining('Backup 2026-03-09T12-00-00-002Z, ended 2026-03-08 12:00:00 UTC.'),
  ]);
});

it('keeps the newest of each day, week and month, and removes what no kept backup names', async () => {
  const { app, firm, config } = await sourceOf('sqlite');
  const to = join(newFolder(), 'backups');
  const fields = reportOf(firm);
  const { body: file } = await app.admin.upload<FileRow>({ name: 'for-a-while.txt', bytes: 'for a while', fields });
  // Monday, Sunday before it, Saturday, the same Saturday, and the month before.
  const days = ['2026-02-10T12', '2026-03-07T01', '2026-03-07T12', '2026-03-08T12', '2026-03-09T12'];
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    for (const [nth, day] of days.entries()) {
      vi.setSystemTime(new Date(`${day}:00:00.000Z`));
      expect((await backup(config, to)).code).toBe(0);
      if (nth > 0) continue;
      // Only the oldest has it.
      expect((await app.admin.delete(`/api/files/${file.id}`)).status).toBe(204);
      await purgeTrash(app);
    }
    const before = filesBelow(to);
    const dry = await run((say) => runKeepDry(to, '2d,2w', say));
    expect([dry.code, dry.said.split('\n').map((line) => line.slice(0, 22))]).toEqual([
      0,
      [
        'remove   2026-02-10T12',
        'remove   2026-03-07T01',
        'remove   2026-03-07T12',
        'keep     2026-03-08T12',
        'keep     2026-03-09T12',
      ],
    ]);
    expect(filesBelow(to)).toEqual(before);
    vi.setSystemTime(new Date('2026-03-09T13:00:00.000Z'));
    const kept = await backupKeeping(config, to, '2d,1m');
    expect(kept.said).toMatch(/^Removed: 4 older backups, and 1 file that no other backup names: 2026-02-10/m);
    const names = (await listBackups(to)).said.split('\n').map((line) => line.slice(0, 13));
    expect(names).toEqual(['2026-03-08T12', '2026-03-09T13']);
    expect((await verify(to)).code).toBe(0);
    expect(filesBelow(join(to, 'data'))).toHaveLength(4);
    // Never the newest, and nothing beside a backup that cannot be read.
    const [oldest = ''] = filesBelow(join(to, 'backups'));
    truncateSync(oldest, 10);
    const refused = run((say) => runKeepDry(to, '1y', say));
    expect(await refusalOf(refused)).toEqual([
      1,
      expect.stringMatching(
        /^Nothing is removed while backup 2026-03-08.* remove backups\/2026-03-08\S+\.json there\.$/,
      ),
    ]);
    rmSync(oldest);
    // Nor beside one whose list is torn, which is named with its moment and place.
    const target = await openBackups(backupPlace(to, ''));
    const key = (await manifestsOf(target)).at(-1)?.manifest?.list.key ?? 'none';
    await target.close();
    truncateSync(filesBelow(join(to, 'data')).find((path) => path.endsWith(key)) ?? '', 1);
    vi.setSystemTime(new Date('2026-03-10T12:00:00.000Z'));
    const keepTwoDays = () => backupKeeping(config, to, '2d');
    const [code, told] = await refusalOf(keepTwoDays());
    expect([code, told]).toEqual([
      1,
      expect.stringMatching(/^Nothing is removed while backup 2026-03-09T13\S+ \(ended 2026-03-09 13:00:00 UTC\) at /),
    ]);
    expect(told).toContain(` at ${to} cannot be read: its list of files `);
    // The backup was made all the same, and is known as such.
    expect(await lastBackupRun(app.database)).toMatchObject({
      name: expect.stringMatching(/^2026-03-10T12/),
      fault: told,
    });
    const { last, fault, faultAfter } = (await app.admin.get<Overview>('/api/overview')).body.backup ?? {};
    expect([last?.endedAt, fault, faultAfter]).toEqual(['2026-03-10T12:00:00.000Z', null, told]);
    // What it says to do helps.
    rmSync(join(to, /remove (\S+\.json) there/.exec(told)?.[1] ?? 'none'));
    expect((await keepTwoDays()).code).toBe(0);
  } finally {
    vi.useRealTimers();
  }
  expect(() => keepRules('7d,,', '--keep')).toThrow('--keep: must be like 7d,4w,12m');
});

it('G135: removes nothing more once another one takes the place over between two removals', async () => {
  const { config } = await sourceOf('sqlite');
  const to = join(newFolder(), 'backups');
  const another = lockOfAnother();
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    for (const day of ['07', '08']) {
      vi.setSystemTime(new Date(`2026-03-${day}T12:00:00.000Z`));
      expect((await backup(config, to)).code).toBe(0);
    }
    vi.setSystemTime(new Date('2026-03-09T12:00:00.000Z'));
    const { remove } = FolderObjects.prototype;
    const removing = vi.spyOn(FolderObjects.prototype, 'remove').mockImplementation(async function (
      this: FolderObjects,
      name,
    ) {
      await remove.call(this, name);
      if (!name.startsWith('backups/')) return;
      removing.mockRestore();
      writeFileSync(join(to, 'lock'), another);
    });
    const kept = backupKeeping(config, to, '1d');
    expect(await refusalOf(kept)).toEqual([4, expect.stringMatching(/^Another one has taken this place over /)]);
  } finally {
    vi.useRealTimers();
  }
  expect(readdirSync(join(to, 'backups')).map((name) => name.slice(0, 10))).toEqual(['2026-03-08', '2026-03-09']);
  expect(filesBelow(join(to, 'data'))).toHaveLength(6);
});

it('verify names nothing of a backup that another one removes meanwhile', async () => {
  const { app, firm, config } = await sourceOf('sqlite');
  const to = join(newFolder(), 'backups');
  const fields = reportOf(firm);
  const { body: file } = await app.admin.upload<FileRow>({ name: 'soon-gone.txt', bytes: 'soon gone', fields });
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    vi.setSystemTime(new Date('2026-03-08T12:00:00.000Z'));
    expect((await backup(config, to)).code).toBe(0);
    expect((await app.admin.delete(`/api/files/${file.id}`)).status).toBe(204);
    await purgeTrash(app);
    vi.setSystemTime(new Date('2026-03-09T12:00:00.000Z'));
    expect((await backup(config, to)).code).toBe(0);
    const { name: newest } = (await manifestsOf(await openBackups(backupPlace(to, '')))).at(-1) ?? {};
    vi.setSystemTime(new Date('2026-03-10T12:00:00.000Z'));
    // Both manifests are read by then, and nothing else.
    const { read } = FolderObjects.prototype;
    const reading = vi.spyOn(FolderObjects.prototype, 'read').mockImplementation(async function (
      this: FolderObjects,
      name,
    ) {
      const bytes = await read.call(this, name);
      if (name !== `backups/${newest}.json`) return bytes;
      reading.mockRestore();
      const kept = await backupKeeping(config, to, '2d');
      expect(kept.said).toMatch(/^Removed: 1 older backup, and 1 file /m);
      return bytes;
    });
    const verified = await verify(to);
    expect([verified.code, verified.said]).toEqual([0, expect.stringMatching(/^1 backup with .*all has been read/m)]);
  } finally {
    vi.useRealTimers();
  }
});

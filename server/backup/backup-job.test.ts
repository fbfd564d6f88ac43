// The daily backup: made by the server itself, told on the overview to those who look after the portal, and to nobody else.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Overview } from '#contract/activity.ts';
import type { SystemFacts } from '#contract/system.ts';
import { lastBackupRun, recordBackupRun } from '../audit/backup-runs.ts';
import { DAY_MS } from '../platform/clock.ts';
import { backupDrill, lockOfAnother } from '../testing/backup-drill.ts';
import { eventually } from '../testing/eventually.ts';
import { makeFirm } from '../testing/firm.ts';
import { oneRun } from '../testing/one-run.ts';
import { type Caller, startTestApp } from '../testing/test-app.ts';
import { SHARED_KINDS } from '../testing/test-database.ts';
import { backupJob, lastMomentOf } from './backup-job.ts';

const { folder } = backupDrill();

const toldTo = async (viewer: Caller) => (await viewer.get<Overview>('/api/overview')).body.backup;

describe.each(SHARED_KINDS)('a portal with BACKUP_URL on %s', (kind) => {
  it('G85: backs itself up, and says on the overview how that ended: to an Admin alone', {
    timeout: 60_000,
  }, async () => {
    const url = join(folder, kind);
    const app = await startTestApp(kind, { BACKUP_URL: url, BACKUP_KEEP: '7d,4w' });
    const firm = await makeFirm(app);
    expect(await toldTo(app.admin)).toEqual({ last: null, fault: null, faultAfter: null, isDaily: true, isOld: false });
    // Set up, and nothing makes one.
    const warnings = async () => (await app.admin.get<SystemFacts>('/api/system')).body.warnings;
    const isMissing = expect.objectContaining({
      about: 'backup',
      says: 'There is no backup of this firm yet, although one is set up for every day.',
    });
    expect(await warnings()).not.toContainEqual(isMissing);
    app.advance(3 * DAY_MS);
    expect(await toldTo(app.admin)).toMatchObject({ last: null, fault: null, isOld: true });
    expect(await warnings()).toContainEqual(isMissing);
    app.advance(-3 * DAY_MS);
    const { database, config } = app;
    const job = backupJob({ database, config, now: app.now });
    // By hand, what failed is not the one of today.
    const now = { begunAt: app.now(), endedAt: app.now() };
    await recordBackupRun(database, { ...now, place: url, made: null, fault: 'It failed by hand.' });
    expect(await job.isWanted?.()).toBe(true);
    await app.context.jobs.start();
    const told = await eventually(async () => {
      const backup = await toldTo(app.admin);
      expect(backup?.last).not.toBeNull();
      return backup;
    });
    await app.context.jobs.stop();
    expect(told).toMatchObject({ last: { place: url, damaged: 0 }, fault: null, isOld: false });
    expect(told?.last?.files).toBeGreaterThan(0);
    expect(existsSync(join(url, 'coffer-backup.json'))).toBe(true);
    for (const viewer of [firm.viewers.cpa, firm.viewers.bookkeeper]) expect(await toldTo(viewer)).toBeNull();

    expect(await job.isWanted?.()).toBe(false);
    app.advance(3 * DAY_MS);
    expect(await job.isWanted?.()).toBe(true);
    expect(await toldTo(app.admin)).toMatchObject({ fault: null, isOld: true });
    app.advance(-3 * DAY_MS);
    // The clock is put back: the next one does not wait until it is as late again.
    app.advance(-2 * DAY_MS);
    expect(await job.isWanted?.()).toBe(true);
    app.advance(2 * DAY_MS);

    // It fails, and says why in the words of the command.
    const note = readFileSync(join(url, 'coffer-backup.json'));
    writeFileSync(join(url, 'coffer-backup.json'), JSON.stringify({ format: 1, firm: 'another' }));
    const line = `${url} holds the backups of another firm. Name another place.`;
    await expect(job.run(oneRun())).rejects.toThrow(line);
    expect(await toldTo(app.admin)).toEqual({ ...told, fault: line });

    // Told to end together with its server, it has not failed.
    const untold = await lastBackupRun(database);
    const [command, begun] = [join(folder, `ended-${kind}`), join(folder, `begun-${kind}`)];
    writeFileSync(command, `#!/bin/sh\ntouch '${begun}'\nkill -TERM $$\n`, { mode: 0o755 });
    const { execPath } = process;
    process.execPath = command;
    onTestFinished(() => {
      process.execPath = execPath;
    });
    const ended = { ...oneRun(), signal: AbortSignal.abort() };
    await expect(job.run(ended)).rejects.toMatchObject({ name: 'AbortError' });
    expect(existsSync(begun)).toBe(false);
    await expect(job.run(oneRun())).rejects.toThrow('The backup was told to end.');
    expect(existsSync(begun)).toBe(true);
    process.execPath = execPath;
    expect(await lastBackupRun(database)).toEqual(untold);

    // While another one is written there, that one tells how it ended.
    const before = await lastBackupRun(database);
    writeFileSync(join(url, 'coffer-backup.json'), note);
    writeFileSync(join(url, 'lock'), lockOfAnother());
    await expect(job.run(oneRun())).rejects.toThrow(/^Another backup is being written there /);
    expect(await lastBackupRun(database)).toEqual(before);

    // To another place the first one is made at once. What failed there is tried again on the next day, unless a whole one is made by hand.
    const place = join(folder, `${kind}-elsewhere`);
    const elsewhere = { ...config, backup: { url: place, at: '02:00', keep: null } };
    const other = backupJob({ database, config: elsewhere, now: app.now });
    const isWantedTomorrow = async () => {
      app.advance(DAY_MS);
      const isWanted = await other.isWanted?.();
      app.advance(-DAY_MS);
      return isWanted;
    };
    expect(await other.isWanted?.()).toBe(true);
    await recordBackupRun(database, { ...now, place, made: null, fault: 'It is full.' });
    expect([await other.isWanted?.(), await isWantedTomorrow()]).toEqual([false, true]);
    const tomorrow = { begunAt: app.now() + DAY_MS, endedAt: app.now() + DAY_MS };
    const made = { name: 'by-hand', files: 1, sizeBytes: 1, damaged: 1 };
    await recordBackupRun(database, { ...tomorrow, place, made, fault: null });
    expect(await isWantedTomorrow()).toBe(true);
    await recordBackupRun(database, { ...tomorrow, place, made: { ...made, damaged: 0 }, fault: null });
    expect(await isWantedTomorrow()).toBe(false);
    await app.close();
  });
});

it('is due at a time of day, by the clock of the machine', () => {
  const at = (day: number, hours: number, minutes: number) => new Date(2026, 10, day, hours, minutes).getTime();
  expect(lastMomentOf('02:00', at(27, 1, 59))).toBe(at(26, 2, 0));
  expect(lastMomentOf('02:00', at(27, 2, 0))).toBe(at(27, 2, 0));
  expect(lastMomentOf('23:30', at(27, 12, 0))).toBe(at(26, 23, 30));
});

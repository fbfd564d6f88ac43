// What a backup or a restore refuses with nothing changed, and what the command says and ends with then.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { refuse } from '#contract/errors.ts';
import { lastBackupRun } from '../audit/backup-runs.ts';
import { readConfig } from '../config.ts';
import { FolderObjects } from '../platform/blobs/named-objects.ts';
import { openByteStore, parseBlobUrl } from '../platform/blobs/open-blob-store.ts';
import { startFault } from '../start-fault.ts';
import {
  backup,
  backupDrill,
  listBackups,
  lockOfAnother,
  makeBackup,
  refusalOf,
  restore,
  verify,
} from '../testing/backup-drill.ts';
import { refusalOfPostgres, serverSaying } from '../testing/false-postgres.ts';
import { filesBelow } from '../testing/stored.ts';
import { ANY_DATABASE_KIND, SHARED_KINDS } from '../testing/test-database.ts';
import { runBackup } from './backup-command.ts';
import type { BackupRefusal } from './backup-refusal.ts';
import { clearFault } from './command-words.ts';
import { runRestore } from './restore-command.ts';
import { backupPlace, openTarget } from './target.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const { folder, newFolder, sourceOf, emptyPlace, backedUp } = backupDrill();

/** Those of `itOnAny`, by which the other engine would be left here without a test. */
const KINDS = SHARED_KINDS.filter((kind) => ANY_DATABASE_KIND.includes(kind));

describe.each(KINDS)('a firm on %s', (kind) => {
  it('G135: names no backup and removes nothing once another one has taken the place over', async () => {
    const { app, config } = await sourceOf(kind);
    const to = await backedUp(config);
    const [recorded, named] = [await lastBackupRun(app.database), readdirSync(join(to, 'backups'))];
    const another = lockOfAnother();
    const overtakenAt = (beginning: string, meanwhile = () => {}) =>
      runBackup(config, to, { withKeys: false, keep: '1d' }, (line) => {
        if (!line.startsWith(beginning)) return;
        writeFileSync(join(to, 'lock'), another);
        meanwhile();
      });
    const refused = [4, expect.stringMatching(/^Another one has taken this place over meanwhile, /)];
    const scratch = join(to, 'scratch');
    const theirs = join(scratch, 'theirs', 'coffer.db');
    const putTogether = () => {
      mkdirSync(join(theirs, '..'), { recursive: true });
      writeFileSync(theirs, 'half of it');
    };
    expect(await refusalOf(overtakenAt('The server may go on running', putTogether))).toEqual(refused);
    expect(readFileSync(join(to, 'lock'), 'utf8')).toBe(another);
    expect(readdirSync(join(to, 'backups'))).toEqual(named);
    expect(await lastBackupRun(app.database)).toEqual(recorded);
    // What the other one puts together is not touched, and nothing of one's own stays beside it.
    expect([readdirSync(scratch), readFileSync(theirs, 'utf8')]).toEqual([['theirs'], 'half of it']);
    rmSync(join(to, 'lock'));
    // Nor is it a fault of the backups that the other one removes what this one has half written.
    const removeHalf = () => rmSync(join(to, 'data', 'staging'), { recursive: true });
    expect(await refusalOf(overtakenAt('The server may go on running', removeHalf))).toEqual(refused);
    expect(await lastBackupRun(app.database)).toEqual(recorded);
    rmSync(join(to, 'lock'));
    // Once its own is made, what the other one has copied by then is named by none.
    expect(await refusalOf(overtakenAt('Backup '))).toEqual(refused);
    expect(readdirSync(join(to, 'backups'))).toHaveLength(named.length + 1);
    expect(await lastBackupRun(app.database)).toMatchObject({ name: expect.any(String), fault: refused[1] });
    rmSync(join(to, 'lock'));
    // What a killed one has left goes with the next one.
    putTogether();
    expect((await backup(config, to)).code).toBe(0);
    expect(existsSync(scratch)).toBe(false);
    // Nor does a restore end beside another one.
    const place = await emptyPlace(kind, { config });
    const restoring = join(place['DATA_DIR'] ?? '', kind === 'sqlite' ? 'coffer.db.restoring' : 'restoring');
    const drafts = [`${restoring}.db`, join(restoring, 'theirs.db')];
    const restored = runRestore(readConfig(place), to, undefined, (line) => {
      if (!line.startsWith('Backup ')) return;
      writeFileSync(join(restoring, 'lock'), another);
      for (const draft of drafts) writeFileSync(draft, 'half of it');
    });
    expect(await refusalOf(restored)).toEqual(refused);
    expect(existsSync(join(restoring, 'lock'))).toBe(true);
    for (const draft of drafts) expect(readFileSync(draft, 'utf8')).toBe('half of it');
    expect(existsSync(join(restoring, '..', 'coffer.db'))).toBe(false);
  });

  it('G81: is refused a place that is not empty, another firm\u2019s, no backup or locked, and nothing changes', async () => {
    const source = await sourceOf(kind);
    const { app, config } = source;
    const full = newFolder();
    writeFileSync(join(full, 'letter.txt'), 'somebody else\u2019s');
    const recorded = await lastBackupRun(app.database);
    expect(await refusalOf(backup(config, full))).toEqual([
      3,
      expect.stringMatching(/ is not empty and holds no backups\. /),
    ]);
    expect(readdirSync(full)).toEqual(['letter.txt']);
    await expect(backup(config, join(full, 'letter.txt', 'backups'))).rejects.toThrow('ENOTDIR');
    // A folder that was mistyped says nothing of how the firm is backed up.
    expect(await lastBackupRun(app.database)).toEqual(recorded);
    expect(await refusalOf(restore(await emptyPlace('sqlite', source), full))).toEqual([
      3,
      expect.stringMatching(/^There is no backup at /),
    ]);
    for (const look of [listBackups, verify]) {
      expect(await refusalOf(look(join(full, 'none')))).toEqual([3, expect.any(String)]);
    }
    expect(readdirSync(full)).toEqual(['letter.txt']);

    const to = await backedUp(config);
    const before = filesBelow(to);
    // Another firm.
    const note = join(to, 'coffer-backup.json');
    const own = readFileSync(note);
    writeFileSync(note, JSON.stringify({ format: 1, firm: 'another' }));
    expect(await refusalOf(backup(config, to))).toEqual([
      3,
      expect.stringMatching(/ holds the backups of another firm\. /),
    ]);
    writeFileSync(note, own);
    // A living backup, here and on another machine; and dead ones, which are taken over.
    const lock = (host: string, pid: number, touchedAt: number) =>
      writeFileSync(join(to, 'lock'), JSON.stringify({ id: 'x', host, pid, touchedAt }));
    const justNow = () => Date.now() - 60_000;
    for (const living of [() => lock(hostname(), process.ppid, justNow()), () => lock('elsewhere', 1, justNow())]) {
      living();
      expect(await refusalOf(backup(config, to))).toEqual([
        4,
        expect.stringMatching(/^Another backup is being written there \(process \d+ of /),
      ]);
      rmSync(join(to, 'lock'));
    }
    expect(filesBelow(to)).toEqual(before);
    for (const dead of [
      () => lock(hostname(), process.pid, Date.now()),
      // The machine was started anew since, and the number is another process's.
      () => lock(hostname(), process.ppid, Date.now() - 60 * 60_000),
      () => lock('elsewhere', 1, Date.now() - 60 * 60_000),
      // The clock was put back since.
      () => lock('elsewhere', 1, Date.now() + 24 * 60 * 60_000),
    ]) {
      dead();
      expect((await backup(config, to)).code).toBe(0);
    }
    expect(existsSync(join(to, 'lock'))).toBe(false);
    // Two at once.
    const both = await Promise.allSettled([backup(config, to), backup(config, to)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const beside = both.flatMap((one) => (one.status === 'rejected' ? [one.reason as BackupRefusal] : []));
    expect(beside.map(({ exitCode, message }) => [exitCode, message])).toEqual([
      [4, expect.stringMatching(/^Another backup is being written there/)],
    ]);
    // A disk that is not there: its empty folder is no new place.
    const away = join(newFolder(), 'backups');
    expect((await backup(config, away)).code).toBe(0);
    rmSync(away, { recursive: true });
    mkdirSync(away);
    expect(await refusalOf(backup(config, away))).toEqual([
      3,
      expect.stringMatching(/ is empty, and held backups of this firm before\. Is its disk mounted\? /),
    ]);
    expect(readdirSync(away)).toEqual([]);
    expect(await lastBackupRun(app.database)).toMatchObject({ place: away, name: null });
    // A place with a firm, and a store with other bytes.
    const inUse = { DATA_DIR: config.dataDir, ...(kind === 'postgres' ? { DATABASE_URL: config.databaseUrl } : {}) };
    expect(await refusalOf(restore(inUse, to))).toEqual([
      3,
      expect.stringMatching(/^There is a database already|not empty/),
    ]);
    // What a database that was moved away has left there would be read as a part of the restored one.
    const leftBehind = await emptyPlace('sqlite', source);
    const path = join(leftBehind['DATA_DIR'] ?? '', 'coffer.db');
    for (const left of [`${path}-wal`, `${path}-journal`]) {
      writeFileSync(left, 'of another database');
      const lying = filesBelow(join(path, '..'));
      const [code, told] = await refusalOf(restore(leftBehind, to));
      expect([code, told]).toEqual([3, expect.stringMatching(/^There is a part of another database \(/)]);
      expect(told).toContain(left);
      expect(filesBelow(join(path, '..'))).toEqual(lying);
      rmSync(left);
    }
    const place = await emptyPlace('sqlite', source);
    const foreign = join(place['DATA_DIR'] ?? '', 'blobs', 'ab', 'cd', `abcd${'0'.repeat(28)}`);
    mkdirSync(join(foreign, '..'), { recursive: true });
    writeFileSync(foreign, 'other');
    const there = filesBelow(place['DATA_DIR'] ?? '');
    expect(await refusalOf(restore(place, to))).toEqual([3, expect.stringMatching(/^The store of files is not empty/)]);
    expect(filesBelow(place['DATA_DIR'] ?? '')).toEqual(there);
    expect(await refusalOf(restore(place, to, 'yesterday'))).toEqual([
      3,
      expect.stringMatching(/^There is no backup yesterday\. /),
    ]);

    // Two at once: one is told of the other, which goes on to its end.
    const twice = await emptyPlace('sqlite', source);
    const restores = await Promise.allSettled([restore(twice, to), restore(twice, to)]);
    const refused = restores.flatMap((one) => (one.status === 'rejected' ? [one.reason as BackupRefusal] : []));
    expect(refused.map(({ exitCode, message }) => [exitCode, message])).toEqual([
      [4, expect.stringMatching(/^Another restore is going on there \(process \d+ of /)],
    ]);
    expect(restores.flatMap((one) => (one.status === 'fulfilled' ? [one.value.code] : []))).toEqual([0]);
    expect(readdirSync(twice['DATA_DIR'] ?? '').filter((name) => name.includes('restoring'))).toEqual([]);
  });
});

it('says that a place is full, whoever finds that it is', () => {
  const faults = [
    Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }),
    Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 }),
    Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 4874 }),
    refuse('storage_full'),
    Object.assign(new Error('could not extend file'), { code: '53100' }),
  ];
  const told = faults.map((fault) => clearFault(fault, 'The place of the backups') as BackupRefusal);
  expect(told.map(({ exitCode }) => exitCode)).toEqual([5, 5, 5, 5, 5]);
  expect(told.map(({ message }) => message.split('. ')[0])).toEqual([
    'The place of the backups is full',
    'The place of the backups is full',
    'The place of the backups is full',
    'The place of the backups is full (256 MB of a disk stay free)',
    'PostgreSQL has no room left on its disk',
  ]);
  // What is put together elsewhere fills that.
  const elsewhere = clearFault(faults[0], 'The place of the backups', 'The data folder (/srv/coffer)') as BackupRefusal;
  expect([elsewhere.exitCode, elsewhere.message]).toEqual([
    5,
    'The data folder (/srv/coffer) is full. Make room and run this again.',
  ]);
});

it('says by its exit code what it said in words', async () => {
  const adminWith = (environment: Record<string, string>, ...args: string[]) =>
    new Promise<[number | null, string]>((ended) => {
      const child = spawn(process.execPath, ['server/admin.ts', ...args], {
        cwd: ROOT,
        env: { DATA_DIR: newFolder(), ...environment },
      });
      let err = '';
      child.stderr.on('data', (chunk: Buffer) => {
        err += chunk.toString();
      });
      child.once('close', (code) => ended([code, err]));
    });
  const admin = (...args: string[]) => adminWith({}, ...args);
  expect(await admin('backup', 'list', join(folder, 'none'))).toEqual([
    3,
    expect.stringMatching(/^There is no backup at [^\n]*\n$/),
  ]);
  expect(await admin('backup')).toEqual([
    2,
    expect.stringMatching(/^The words after backup are not those it takes\.\n\nUsage: /),
  ]);
  // Not a folder to back up to.
  expect(await admin('backup', 'list')).toEqual([
    2,
    'backup list: name the place, such as /mnt/backups/coffer, or set BACKUP_URL. A folder that is called so is ./list.\n',
  ]);
  for (const args of [['restore'], ['list', '--keep', '7d', '--dry-run']]) {
    expect(await admin('backup', ...args)).toEqual([
      2,
      expect.stringMatching(/^The words after backup are not those it takes\.\n\nUsage: /),
    ]);
  }
  expect(await adminWith({ BACKUP_URL: join(folder, 'none') }, 'backup', 'verify')).toEqual([
    3,
    `There is no backup at ${join(folder, 'none')}.\n`,
  ]);
  expect(await admin('backup', 'list', 's3://bucket/coffer')).toEqual([
    2,
    'The place of the backups: the region is missing: add ?region=…\n',
  ]);
  expect(await admin('backup', join(folder, 'none'))).toEqual([1, expect.stringMatching(/^There is no database\. /)]);
  // What whoever has lost a portal meets first where the credentials are wrong.
  const away = 's3://bucket/coffer?region=x&endpoint=http://127.0.0.1:1';
  for (const args of [
    ['backup', 'list', away],
    ['restore', away],
  ]) {
    const keys = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
    expect([args, await adminWith(keys, ...args)]).toEqual([
      args,
      [1, 'The place of the backups does not answer. Check its address and credentials.\n'],
    ]);
  }
});

it('is refused a place of which the store of the firm is a part: each file would be there once, and gone from both', async () => {
  const source = await sourceOf('sqlite');
  const part = [3, expect.stringMatching(/ \(BLOB_URL\), which is a part of the place of the backups\. /)];
  const empty = newFolder();
  const inPlace = { ...source.config, blobUrl: `file:${join(empty, 'blobs')}` };
  expect(await refusalOf(backup(inPlace, empty))).toEqual(part);
  expect(readdirSync(empty)).toEqual([]);
  const to = await backedUp(source.config);
  const before = filesBelow(to);
  const place = { ...(await emptyPlace('sqlite', source)), BLOB_URL: `file:${join(to, 'blobs')}` };
  expect(await refusalOf(restore(place, to))).toEqual(part);
  expect(filesBelow(to)).toEqual(before);
});

it('writes down why a backup failed in the words in which the command says it', async () => {
  const { app, config } = await sourceOf('sqlite');
  const to = await backedUp(config);
  rmSync(join(to, 'data'), { recursive: true });
  writeFileSync(join(to, 'data'), 'no folder');
  const told = await backup(config, to).then(() => expect.unreachable('It was written'), startFault);
  expect(told).toEqual([
    expect.stringMatching(
      /data\S* cannot be read or written \(\w+\)\. Check that folder and the rights of this account to it\.$/,
    ),
  ]);
  expect(await lastBackupRun(app.database)).toMatchObject({ name: null, fault: told[0] });
});

it('says what the database refuses that is restored to, and not that it does not answer', async () => {
  const { config } = await sourceOf('sqlite');
  const to = await backedUp(config);
  const port = await serverSaying(refusalOfPostgres('28P01'));
  const place = { DATA_DIR: newFolder(), DATABASE_URL: `postgres://coffer:secret@127.0.0.1:${port}/coffer` };
  const told = await restore(place, to).then(() => expect.unreachable('It was let in'), startFault);
  expect(told).toEqual([
    expect.stringMatching(/^the database refuses the sign-in\. Check user and password in DATABASE_URL, /),
  ]);
  expect(readdirSync(place.DATA_DIR)).toEqual([]);
});

it('G81: of two first backups to a new place the second is told of the first, at whatever moment it looks', async () => {
  const root = newFolder();
  const place = backupPlace(root, '');
  for (const name of ['lock', 'coffer-backup.json.3f1c', 'scratch']) writeFileSync(join(root, name), '');
  const [first, other] = [await openTarget(place, 'firm'), await openTarget(place, 'another')];
  // The first one begins between the two looks of the second: at what lies there, and at the note.
  const begun = async () => (await first.enter()).close();
  const look = vi.spyOn(FolderObjects.prototype, 'read').mockImplementationOnce(async (name) => {
    const bytes = existsSync(join(root, name)) ? readFileSync(join(root, name)) : null;
    await begun();
    return bytes;
  });
  const list = vi.spyOn(FolderObjects.prototype, 'list').mockImplementationOnce(async () => {
    const names = readdirSync(root);
    look.mockRestore();
    await begun();
    return names;
  });
  const second = await openTarget(place, 'firm');
  list.mockRestore();
  await (await second.enter()).close();
  await expect(other.enter()).rejects.toThrow(/ holds the backups of another firm\. /);
});

it('refuses a full place before it writes to it', async () => {
  const { app, config } = await sourceOf('sqlite');
  const root = join(newFolder(), 'backups');
  const place = backupPlace(root, '');
  const target = await (await openTarget(place, 'firm', { minFreeBytes: Number.MAX_SAFE_INTEGER / 2 })).enter();
  const stored = await openByteStore(parseBlobUrl(config.blobUrl));
  const scratch = join(newFolder(), 'scratch');
  const backUpThere = (freeBytes?: () => Promise<number>) =>
    makeBackup(app.database, config, { stored, target, scratch, ...(freeBytes && { freeBytes }) });
  await expect(backUpThere()).rejects.toMatchObject({ code: 'storage_full' });
  expect(filesBelow(root)).toEqual([join(root, 'coffer-backup.json')]);
  // Nor is the database copied first to a disk that has no room for it, as where the backups go to a bucket.
  await expect(backUpThere(async () => 256 * 1024 ** 2 + 4096)).rejects.toMatchObject({ code: 'storage_full' });
  expect(readdirSync(scratch)).toEqual([]);
  await target.close();
});

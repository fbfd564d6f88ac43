// What a backup or a restore refuses with nothing changed, and what is named as damaged.
import { spawn, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { refuse } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import { lastBackupRun } from '../audit/backup-runs.ts';
import { readConfig } from '../config.ts';
import { openContext } from '../context.ts';
import { configuredEncryption } from '../platform/blobs/encryption/firm-keys.ts';
import { FolderObjects } from '../platform/blobs/named-objects.ts';
import { openByteStore, parseBlobUrl } from '../platform/blobs/open-blob-store.ts';
import { backup, backupDrill, filesBelow, refusalOf, restore, run } from '../testing/backup-drill.ts';
import { makeFullFirm } from '../testing/full-firm.ts';
import { startTestApp } from '../testing/test-app.ts';
import { ANY_DATABASE_KIND, SHARED_KINDS } from '../testing/test-database.ts';
import { backUp } from './backup.ts';
import { openSource, runBackup, runList, runVerify } from './backup-command.ts';
import type { BackupRefusal } from './backup-refusal.ts';
import { clearFault } from './command-words.ts';
import { restore as restoreInto } from './restore.ts';
import { runRestore } from './restore-command.ts';
import { firmIdOf } from './snapshot.ts';
import { backupPlace, manifestsOf, openBackups, openTarget } from './target.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const { cleanups, folder, newFolder, sourceOf, emptyPlace } = backupDrill();

/** Those of `itOnAny`, by which the other engine would be left here without a test. */
const KINDS = SHARED_KINDS.filter((kind) => ANY_DATABASE_KIND.includes(kind));

describe.each(KINDS)('a firm on %s', (kind) => {
  it('G82: names what is damaged: at the firm, in a backup, in a torn one', async () => {
    const app = await startTestApp(kind);
    cleanups.push(() => app.close());
    const firm = await makeFullFirm(app);
    const config = readConfig({
      DATA_DIR: app.config.dataDir,
      ...(app.database.url === null ? {} : { DATABASE_URL: app.database.url }),
    });
    const to = join(newFolder(), 'backups');
    expect((await backup(config, to)).code).toBe(0);
    const blobOf = async (id: number, root: string) => {
      const file = await app.database.reader
        .selectFrom('files')
        .select('storage_key')
        .where('id', '=', id)
        .executeTakeFirst();
      return filesBelow(root).find((path) => path.endsWith(file?.storage_key ?? 'none')) ?? '';
    };
    const before = await manifestsOf(await openBackups(backupPlace(to, '')));
    // Lost at the firm before it was ever backed up.
    const fields = { clientId: firm.clients[0] ?? 0, fileType: 'report', reportTypeId: firm.reportTypes[0] ?? 0 };
    const { body: lost } = await app.admin.upload<FileRow>({ name: 'lost.txt', bytes: 'lost', fields });
    rmSync(await blobOf(lost.id, join(config.dataDir, 'blobs')));
    const second = await backup(config, to);
    expect([second.code, second.said]).toEqual([
      1,
      expect.stringMatching(
        /\n1 file was missing or damaged in the source already, and not copied:\n {2}file \d+ of client \d+ \("lost\.txt"\)/,
      ),
    ]);
    expect((await run((say) => runList(to, say))).said).toMatch(/not whole: 1 file damaged at the firm already$/m);

    // One bit in a backup, of the same length.
    const path = await blobOf(firm.largeFile.id, join(to, 'blobs'));
    const bytes = readFileSync(path);
    bytes[500] = (bytes[500] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    const verified = await run((say) => runVerify(to, say));
    expect(verified.code).toBe(1);
    // Both share it, and it is called as people call it.
    const names = before.concat(await manifestsOf(await openBackups(backupPlace(to, '')))).map(({ name }) => name);
    expect(verified.said).toMatch(
      new RegExp(
        `^Backups ${[...new Set(names)].join(', ')}: file ${firm.largeFile.id} of client \\d+ \\("large\\.bin"\\) is missing or damaged\\.$`,
        'm',
      ),
    );
    expect(verified.said).toMatch(/: 1 fault\.$/m);
    const place = await emptyPlace('sqlite', { config }, ['files.keys']);
    const restored = await restore(place, to, before[0]?.name);
    expect(restored.code).toBe(1);
    expect(restored.said).toMatch(
      /\n1 file could not be restored, [^\n]*\n {2}file \d+ of client \d+ \("large\.bin"\)\n/,
    );

    // A torn manifest is named by all, and its backup is not restored.
    const manifest = filesBelow(join(to, 'backups')).at(-1) ?? '';
    truncateSync(manifest, 100);
    expect((await run((say) => runList(to, say))).said).toMatch(/ torn: its manifest is damaged/);
    const empty = await emptyPlace('sqlite', { config }, []);
    expect(await refusalOf(restore(empty, to))).toEqual([
      3,
      expect.stringMatching(/ is torn: .* Name another one by --at\.$/),
    ]);
    expect(filesBelow(empty['DATA_DIR'] ?? '')).toEqual([]);

    // Nor is one whose list is torn, and not even a folder is left behind.
    const whole = before[0]?.manifest;
    const torn = filesBelow(join(to, 'data')).find((path) => path.endsWith(whole?.list.key ?? '-')) ?? '';
    truncateSync(torn, 1);
    expect(await run((say) => runList(to, say))).toEqual({
      code: 1,
      said: expect.stringMatching(/, torn: its list of files is missing or damaged$/m),
    });
    const none = join(newFolder(), 'new', 'firm');
    expect(await refusalOf(restore({ DATA_DIR: none }, to, before[0]?.name))).toEqual([3, expect.any(String)]);
    expect(existsSync(join(none, '..'))).toBe(false);
    mkdirSync(none, { recursive: true });
    expect((await refusalOf(restore({ DATA_DIR: none }, to, before[0]?.name)))[0]).toBe(3);
    expect(readdirSync(none)).toEqual([]);

    // The next one is made beside them all the same, and what was damaged there is copied again.
    expect((await backup(config, to)).code).toBe(1);
    const latest = await restore(await emptyPlace('sqlite', { config }, ['files.keys']), to);
    expect([latest.code, latest.said]).toEqual([1, expect.stringContaining('("lost.txt")')]);
    expect(latest.said).not.toContain('large.bin');
    const database = filesBelow(join(to, 'data')).find((path) => path.endsWith(whole?.database.key ?? '-')) ?? '';
    rmSync(database);
    expect((await run((say) => runList(to, say))).said).toMatch(/, torn: its database is missing or damaged$/m);
    // Nor is one whose database is torn restored, though its list is whole.
    const newest = (await manifestsOf(await openBackups(backupPlace(to, '')))).at(-1)?.manifest;
    truncateSync(filesBelow(join(to, 'data')).find((path) => path.endsWith(newest?.database.key ?? '-')) ?? '', 100);
    const untouched = await emptyPlace('sqlite', { config }, []);
    expect(await refusalOf(restore(untouched, to))).toEqual([
      3,
      expect.stringMatching(/^This backup is torn: its database or its list of files is missing or damaged\./),
    ]);
    expect(filesBelow(untouched['DATA_DIR'] ?? '')).toEqual([]);
  });

  it('G135: names no backup and removes nothing once another one has taken the place over', async () => {
    const { app, config } = await sourceOf(kind);
    const to = join(newFolder(), 'backups');
    expect((await backup(config, to)).code).toBe(0);
    const [recorded, named] = [await lastBackupRun(app.database), readdirSync(join(to, 'backups'))];
    const another = JSON.stringify({ id: 'x', host: 'elsewhere', pid: 1, touchedAt: Date.now() });
    const overtakenAt = (beginning: string) =>
      runBackup(config, to, { withKeys: false, keep: '1d' }, (line) => {
        if (line.startsWith(beginning)) writeFileSync(join(to, 'lock'), another);
      });
    const refused = [4, expect.stringMatching(/^Another one has taken this place over meanwhile, /)];
    expect(await refusalOf(overtakenAt('The server may go on running'))).toEqual(refused);
    expect(readFileSync(join(to, 'lock'), 'utf8')).toBe(another);
    expect(readdirSync(join(to, 'backups'))).toEqual(named);
    expect(await lastBackupRun(app.database)).toEqual(recorded);
    rmSync(join(to, 'lock'));
    // Once its own is made, what the other one has copied by then is named by none.
    expect(await refusalOf(overtakenAt('Backup '))).toEqual(refused);
    expect(readdirSync(join(to, 'backups'))).toHaveLength(named.length + 1);
    expect(await lastBackupRun(app.database)).toMatchObject({ name: expect.any(String), fault: refused[1] });
    rmSync(join(to, 'lock'));
    expect((await backup(config, to)).code).toBe(0);
    // Nor does a restore end beside another one.
    const place = await emptyPlace(kind, { config });
    const restoring = join(place['DATA_DIR'] ?? '', kind === 'sqlite' ? 'coffer.db.restoring' : 'restoring');
    const restored = runRestore(readConfig(place), to, undefined, (line) => {
      if (line.startsWith('Backup ')) writeFileSync(join(restoring, 'lock'), another);
    });
    expect(await refusalOf(restored)).toEqual(refused);
    expect(existsSync(join(restoring, 'lock'))).toBe(true);
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
    for (const look of [runList, runVerify]) {
      expect(await refusalOf(run((say) => look(join(full, 'none'), say)))).toEqual([3, expect.any(String)]);
    }
    expect(readdirSync(full)).toEqual(['letter.txt']);

    const to = join(newFolder(), 'backups');
    expect((await backup(config, to)).code).toBe(0);
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

it('says of the place of the backups that it does not answer, and not of the one that is restored to', async () => {
  const to = join(newFolder(), 'backups');
  const source = await sourceOf('sqlite');
  expect((await backup(source.config, to)).code).toBe(0);
  // A bucket that may be read and not listed.
  const list = vi.spyOn(FolderObjects.prototype, 'list').mockRejectedValueOnce(refuse('unavailable'));
  const refused = await refusalOf(restore(await emptyPlace('sqlite', source), to));
  list.mockRestore();
  expect(refused).toEqual([1, expect.stringMatching(/^The place of the backups does not answer\. /)]);

  // One that is lost midway: as the list is fetched, as a file is looked at, and as it is copied.
  for (const lostAt of ['list', 'look', 'copy']) {
    const { databaseUrl, blobUrl } = readConfig(await emptyPlace('sqlite', source));
    const path = databaseUrl.slice('sqlite:'.length);
    const backups = await openBackups(backupPlace(to, ''));
    const manifest = (await manifestsOf(backups))[0]?.manifest ?? expect.unreachable('It is not torn');
    const stored = await openByteStore(parseBlobUrl(blobUrl));
    const open = backups.files.open.bind(backups.files);
    const looked = new Set<string>();
    if (lostAt === 'list') vi.spyOn(backups.data, 'open').mockRejectedValueOnce(refuse('unavailable'));
    if (lostAt === 'look') vi.spyOn(backups.files, 'open').mockRejectedValue(refuse('unavailable'));
    if (lostAt === 'copy') {
      vi.spyOn(backups.files, 'open').mockImplementation(async (blob, span) => {
        if (!looked.has(blob.storageKey)) {
          looked.add(blob.storageKey);
          return open(blob, span);
        }
        return { next: () => Promise.reject(refuse('unavailable')), close: async () => {} };
      });
    }
    const ended = restoreInto({
      backups,
      manifest,
      into: { path },
      stored,
      scratch: `${path}.restoring`,
      report: () => {},
      onBegun: () => {},
      beforeItEnds: async () => {},
    });
    expect([lostAt, await saidOf(ended, 'The place that is restored to')]).toEqual([
      lostAt,
      [1, expect.stringMatching(/^The place of the backups does not answer\. /)],
    ]);
    for (const store of [stored, backups]) await store.close();
  }
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

/** A disk on which so many files are written whole, and then there is no room. */
function fullAfter(files: number) {
  let staged = 0;
  return (step: string) => {
    if (step !== 'staged') return;
    staged += 1;
    if (staged > files) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  };
}

/** What the command would say, and end with. */
const saidOf = (work: Promise<unknown>, place: string) =>
  work.then(
    () => expect.unreachable('It had room'),
    (error: unknown) => {
      const { exitCode, message } = clearFault(error, place) as BackupRefusal;
      return [exitCode, message] as const;
    },
  );

/** A firm that is backed up and has `fresh` new files since, and its next backup into a place that is given. */
async function backedUpBefore(fresh: number) {
  const { app, firm, config } = await sourceOf('sqlite');
  const to = join(newFolder(), 'backups');
  expect((await backup(config, to)).code).toBe(0);
  const fields = { clientId: firm.clients[0] ?? 0, fileType: 'report', reportTypeId: firm.reportTypes[0] ?? 0 };
  for (let nth = 0; nth < fresh; nth += 1) {
    const { status } = await app.admin.upload({ name: `fresh-${nth}.txt`, bytes: `fresh ${nth} of ${to}`, fields });
    expect(status).toBe(201);
  }
  const id = await firmIdOf(app.database);
  const stored = await openByteStore(parseBlobUrl(config.blobUrl));
  cleanups.push(() => stored.close());
  const openPlace = async (onStep?: (step: string) => void) => {
    const target = await (await openTarget(backupPlace(to, ''), id, { onStep })).enter();
    cleanups.push(() => target.close());
    return target;
  };
  const scratch = join(newFolder(), 'scratch');
  const backUpTo = (target: Awaited<ReturnType<typeof openPlace>>) =>
    backUp({
      source: app.database,
      sourceUrl: config.databaseUrl,
      stored,
      keys: configuredEncryption(config).keys,
      target,
      scratch,
      now: Date.now,
      report: () => {},
    });
  return { config, to, scratch, openPlace, backUpTo };
}

it('G81: of a place that fills up in the middle of a backup the backups before are whole, and the next one goes on', async () => {
  const { config, to, openPlace, backUpTo } = await backedUpBefore(3);
  const ended = backUpTo(await openPlace(fullAfter(1)));
  expect(await saidOf(ended, 'The place of the backups')).toEqual([
    5,
    expect.stringMatching(/^The place of the backups is full/),
  ]);
  const verified = await run((say) => runVerify(to, say));
  expect([verified.code, verified.said]).toEqual([0, expect.stringMatching(/^1 backup with /m)]);
  const again = await backup(config, to);
  expect([again.code, again.said]).toEqual([0, expect.stringContaining('\n2 files were copied now')]);
  expect((await run((say) => runVerify(to, say))).code).toBe(0);
});

it.skipIf(process.platform !== 'linux')(
  'G81: says that there is no room where the list of files is put together, too',
  async () => {
    const { to, scratch, openPlace, backUpTo } = await backedUpBefore(1);
    const target = await openPlace();
    // The list of the backup before is fetched right before the new one is begun.
    const open = target.data.open.bind(target.data);
    vi.spyOn(target.data, 'open').mockImplementationOnce((...args) => {
      symlinkSync('/dev/full', join(scratch, 'list'));
      return open(...args);
    });
    expect(await saidOf(backUpTo(target), 'The place of the backups')).toEqual([
      5,
      expect.stringMatching(/^The place of the backups is full/),
    ]);
    expect((await run((say) => runVerify(to, say))).said).toMatch(/^1 backup with /m);
  },
);

it('G81: a restore into a place that fills up in the middle leaves no database there, and goes on', async () => {
  const source = await sourceOf('sqlite');
  const to = join(newFolder(), 'backups');
  expect((await backup(source.config, to)).code).toBe(0);
  const place = await emptyPlace('sqlite', source);
  const { databaseUrl, blobUrl } = readConfig(place);
  const path = databaseUrl.slice('sqlite:'.length);
  const backups = await openBackups(backupPlace(to, ''));
  const manifest = (await manifestsOf(backups))[0]?.manifest ?? expect.unreachable('It is not torn');
  const stored = await openByteStore(parseBlobUrl(blobUrl), { onStep: fullAfter(2) });
  const ended = restoreInto({
    backups,
    manifest,
    into: { path },
    stored,
    scratch: `${path}.restoring`,
    report: () => {},
    onBegun: () => {},
    beforeItEnds: async () => {},
  });
  expect(await saidOf(ended, 'The place that is restored to')).toEqual([
    5,
    expect.stringMatching(/^The place that is restored to is full/),
  ]);
  for (const store of [stored, backups]) await store.close();
  expect(existsSync(path)).toBe(false);
  expect((await restore(place, to)).code).toBe(0);
  expect(existsSync(path)).toBe(true);
});

it('G79: no server starts where a restore has failed in the middle, until one has ended', async () => {
  const source = await sourceOf('sqlite');
  const to = join(newFolder(), 'backups');
  expect((await backup(source.config, to, true)).code).toBe(0);
  const place = await emptyPlace('sqlite', source, []);
  const dataDir = place['DATA_DIR'] ?? '';
  const isRefused = () =>
    expect(openContext(readConfig(place))).rejects.toThrow(
      `A restore into ${join(dataDir, 'coffer.db')} has not ended. Run it again: it goes on.`,
    );
  // With all files there, the keys cannot be written.
  await expect(restore({ ...place, KEY_FILE: join(to, 'coffer-backup.json', 'files.keys') }, to)).rejects.toThrow();
  await isRefused();
  // Nor after one that is refused beside what the first has left.
  const foreign = join(dataDir, 'blobs', 'ab', 'cd', `abcd${'0'.repeat(28)}`);
  mkdirSync(join(foreign, '..'), { recursive: true });
  writeFileSync(foreign, 'other');
  expect((await refusalOf(restore(place, to)))[0]).toBe(3);
  await isRefused();
  expect(existsSync(join(dataDir, 'coffer.db'))).toBe(false);
  rmSync(foreign);
  expect((await restore(place, to)).code).toBe(0);
  expect(readdirSync(dataDir).filter((name) => name.includes('restoring'))).toEqual([]);
  await (await openSource(readConfig(place))).close();
});

it('refuses a full place before it writes to it', async () => {
  const { app, config } = await sourceOf('sqlite');
  const root = join(newFolder(), 'backups');
  const place = backupPlace(root, '');
  const target = await (await openTarget(place, 'firm', { minFreeBytes: Number.MAX_SAFE_INTEGER / 2 })).enter();
  const stored = await openByteStore(parseBlobUrl(config.blobUrl));
  const refused = backUp({
    source: app.database,
    sourceUrl: config.databaseUrl,
    stored,
    keys: configuredEncryption(config).keys,
    target,
    scratch: join(newFolder(), 'scratch'),
    now: Date.now,
    report: () => {},
  });
  await expect(refused).rejects.toMatchObject({ code: 'storage_full' });
  expect(filesBelow(root)).toEqual([join(root, 'coffer-backup.json')]);
  await target.close();
});

it('verify removes what a killed one has left in the folder for temporary files, and nothing of a living one', async () => {
  const { config } = await sourceOf('sqlite');
  const to = join(newFolder(), 'backups');
  await backup(config, to);
  const scratchOf = (pid: number) => {
    const path = join(tmpdir(), `coffer-verify-${hostname()}-${pid}-abcdef`);
    mkdirSync(path, { recursive: true });
    cleanups.push(() => rmSync(path, { recursive: true, force: true }));
    return path;
  };
  const [killed, living] = [scratchOf(spawnSync(process.execPath, ['-e', '']).pid), scratchOf(process.ppid)];
  expect((await run((say) => runVerify(to, say))).code).toBe(0);
  expect([existsSync(killed), existsSync(living)]).toEqual([false, true]);
});

it('a manifest that was changed is not believed', async () => {
  const { config } = await sourceOf('sqlite');
  const to = join(newFolder(), 'backups');
  await backup(config, to);
  const [path = ''] = filesBelow(join(to, 'backups'));
  const [body = ''] = readFileSync(path, 'utf8').split('\n');
  const changed = JSON.stringify({ ...JSON.parse(body), files: 1 });
  for (const text of [`${changed}\n${hash('sha256', body)}\n`, body]) {
    writeFileSync(path, text);
    const target = await openBackups(backupPlace(to, ''));
    expect((await manifestsOf(target)).map(({ manifest }) => manifest)).toEqual([null]);
    await target.close();
  }
});

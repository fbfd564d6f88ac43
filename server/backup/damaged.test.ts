// What is named as damaged, and what is whole and goes on where a place is lost or fills up in the middle.
import { spawnSync } from 'node:child_process';
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
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { refuse } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import { readConfig } from '../config.ts';
import { openContext } from '../context.ts';
import { FolderObjects } from '../platform/blobs/named-objects.ts';
import { openByteStore, parseBlobUrl } from '../platform/blobs/open-blob-store.ts';
import {
  backup,
  backupDrill,
  configOf,
  listBackups,
  makeBackup,
  refusalOf,
  reportOf,
  restore,
  verify,
} from '../testing/backup-drill.ts';
import { makeFullFirm } from '../testing/full-firm.ts';
import { filesBelow } from '../testing/stored.ts';
import { startTestApp } from '../testing/test-app.ts';
import { ANY_DATABASE_KIND, SHARED_KINDS } from '../testing/test-database.ts';
import { openSource } from './backup-command.ts';
import type { BackupRefusal } from './backup-refusal.ts';
import { clearFault } from './command-words.ts';
import { restore as restoreInto } from './restore.ts';
import { firmIdOf } from './snapshot.ts';
import { backupPlace, manifestsOf, openBackups, openTarget, type Target } from './target.ts';

const { cleanups, newFolder, sourceOf, emptyPlace, backedUp } = backupDrill();

/** Those of `itOnAny`, by which the other engine would be left here without a test. */
const KINDS = SHARED_KINDS.filter((kind) => ANY_DATABASE_KIND.includes(kind));

describe.each(KINDS)('a firm on %s', (kind) => {
  it('G82: names what is damaged: at the firm, in a backup, in a torn one', async () => {
    const app = await startTestApp(kind);
    cleanups.push(() => app.close());
    const firm = await makeFullFirm(app);
    const config = configOf(app);
    const to = await backedUp(config);
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
    const fields = reportOf(firm);
    const { body: lost } = await app.admin.upload<FileRow>({ name: 'lost.txt', bytes: 'lost', fields });
    rmSync(await blobOf(lost.id, join(config.dataDir, 'blobs')));
    const second = await backup(config, to);
    expect([second.code, second.said]).toEqual([
      1,
      expect.stringMatching(
        /\n1 file was missing or damaged in the source already, and not copied:\n {2}file \d+ of client \d+ \("lost\.txt"\)/,
      ),
    ]);
    expect((await listBackups(to)).said).toMatch(/not whole: 1 file damaged at the firm already$/m);

    // One bit in a backup, of the same length.
    const path = await blobOf(firm.largeFile.id, join(to, 'blobs'));
    const bytes = readFileSync(path);
    bytes[500] = (bytes[500] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    const verified = await verify(to);
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
    expect((await listBackups(to)).said).toMatch(/ torn: its manifest is damaged/);
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
    expect(await listBackups(to)).toEqual({
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
    expect((await listBackups(to)).said).toMatch(/, torn: its database is missing or damaged$/m);
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

/** What the command would say of a restore into the empty `place`, whose backups are lost midway by `lose`, or which fills up by `onStep`. */
async function restoredFrom(
  to: string,
  place: Record<string, string>,
  { lose, onStep }: { readonly lose?: (backups: Target) => void; readonly onStep?: (step: string) => void },
) {
  const { databaseUrl, blobUrl } = readConfig(place);
  const path = databaseUrl.slice('sqlite:'.length);
  const backups = await openBackups(backupPlace(to, ''));
  const manifest = (await manifestsOf(backups))[0]?.manifest ?? expect.unreachable('It is not torn');
  const stored = await openByteStore(parseBlobUrl(blobUrl), { onStep });
  lose?.(backups);
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
  const said = await saidOf(ended, 'The place that is restored to');
  for (const store of [stored, backups]) await store.close();
  return { path, said };
}

it('says of the place of the backups that it does not answer, and not of the one that is restored to', async () => {
  const source = await sourceOf('sqlite');
  const to = await backedUp(source.config);
  // A bucket that may be read and not listed.
  const list = vi.spyOn(FolderObjects.prototype, 'list').mockRejectedValueOnce(refuse('unavailable'));
  const refused = await refusalOf(restore(await emptyPlace('sqlite', source), to));
  list.mockRestore();
  expect(refused).toEqual([1, expect.stringMatching(/^The place of the backups does not answer\. /)]);

  // One that is lost midway: as the list is fetched, as a file is looked at, and as it is copied.
  for (const lostAt of ['list', 'look', 'copy']) {
    const looked = new Set<string>();
    const { said } = await restoredFrom(to, await emptyPlace('sqlite', source), {
      lose(backups) {
        const open = backups.files.open.bind(backups.files);
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
      },
    });
    expect([lostAt, said]).toEqual([
      lostAt,
      [1, expect.stringMatching(/^The place of the backups does not answer\. /)],
    ]);
  }
});

/** A firm that is backed up and has `fresh` new files since, and its next backup into a place that is given. */
async function backedUpBefore(fresh: number) {
  const { app, firm, config } = await sourceOf('sqlite');
  const to = await backedUp(config);
  const fields = reportOf(firm);
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
    makeBackup(app.database, config, { stored, target, scratch });
  return { config, to, scratch, openPlace, backUpTo };
}

it('G81: of a place that fills up in the middle of a backup the backups before are whole, and the next one goes on', async () => {
  const { config, to, openPlace, backUpTo } = await backedUpBefore(3);
  const ended = backUpTo(await openPlace(fullAfter(1)));
  expect(await saidOf(ended, 'The place of the backups')).toEqual([
    5,
    expect.stringMatching(/^The place of the backups is full/),
  ]);
  const verified = await verify(to);
  expect([verified.code, verified.said]).toEqual([0, expect.stringMatching(/^1 backup with /m)]);
  const again = await backup(config, to);
  expect([again.code, again.said]).toEqual([0, expect.stringContaining('\n2 files were copied now')]);
  expect((await verify(to)).code).toBe(0);
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
    expect((await verify(to)).said).toMatch(/^1 backup with /m);
  },
);

it('G81: a restore into a place that fills up in the middle leaves no database there, and goes on', async () => {
  const source = await sourceOf('sqlite');
  const to = await backedUp(source.config);
  const place = await emptyPlace('sqlite', source);
  const { path, said } = await restoredFrom(to, place, { onStep: fullAfter(2) });
  expect(said).toEqual([5, expect.stringMatching(/^The place that is restored to is full/)]);
  expect(existsSync(path)).toBe(false);
  expect((await restore(place, to)).code).toBe(0);
  expect(existsSync(path)).toBe(true);
});

it('G79: no server starts where a restore has failed in the middle, until one has ended', async () => {
  const source = await sourceOf('sqlite');
  const to = await backedUp(source.config, true);
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

it('verify says where a damaged file lies, which the next backup copies again once it is moved away', async () => {
  const { config } = await sourceOf('sqlite');
  const to = await backedUp(config);
  const [path = ''] = filesBelow(join(to, 'blobs'));
  const bytes = readFileSync(path);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  // Of the same length: that it is there is all that a backup asks.
  expect((await backup(config, to)).said).toContain('\n0 files were copied now');
  const { code, said } = await verify(to);
  const [, named = 'none'] = /copies what the firm still has of them:\n {2}(\S+)\n[^\n]*: 1 fault\.$/.exec(said) ?? [];
  expect([code, join(to, named)]).toEqual([1, path]);
  rmSync(path);
  expect((await backup(config, to)).said).toContain('\n1 file was copied now');
  expect((await verify(to)).code).toBe(0);
});

it('verify removes what a killed one has left in the folder for temporary files, and nothing of a living one', async () => {
  const { config } = await sourceOf('sqlite');
  const to = await backedUp(config);
  const scratchOf = (pid: number) => {
    const path = join(tmpdir(), `coffer-verify-${hostname()}-${pid}-abcdef`);
    mkdirSync(path, { recursive: true });
    cleanups.push(() => rmSync(path, { recursive: true, force: true }));
    return path;
  };
  const [killed, living] = [scratchOf(spawnSync(process.execPath, ['-e', '']).pid), scratchOf(process.ppid)];
  expect((await verify(to)).code).toBe(0);
  expect([existsSync(killed), existsSync(living)]).toEqual([false, true]);
});

it('a manifest that was changed is not believed', async () => {
  const { config } = await sourceOf('sqlite');
  const to = await backedUp(config);
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

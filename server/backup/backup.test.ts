// The drill: a firm that works is backed up, its place is lost, and it is restored elsewhere, to the other engine and store too.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { BatchDetails, DocumentRow } from '#contract/batches.ts';
import type { FileRow } from '#contract/files.ts';
import { PAGE_LIMIT_MAX } from '#contract/paging.ts';
import type { DisposalRow } from '#contract/retention.ts';
import type { TrashRow } from '#contract/trash.ts';
import { type Config, readConfig } from '../config.ts';
import { openContext } from '../context.ts';
import { openByteStore, parseBlobUrl } from '../platform/blobs/open-blob-store.ts';
import { openDatabase } from '../platform/db/connect.ts';
import type { Database, DatabaseKind } from '../platform/db/database.ts';
import { tablesOf } from '../platform/db/tables.ts';
import {
  backup,
  backupDrill,
  configOf,
  KEYS,
  listBackups,
  makeBackup,
  purgeTrash,
  reportOf,
  restore,
  verify,
} from '../testing/backup-drill.ts';
import { breadth } from '../testing/breadth.ts';
import { eventually } from '../testing/eventually.ts';
import { PASSWORD } from '../testing/firm.ts';
import { firmRows } from '../testing/full-firm.ts';
import { itOnAny } from '../testing/narrowed.ts';
import { filesBelow } from '../testing/stored.ts';
import { ADMIN_PASSWORD, Caller } from '../testing/test-app.ts';
import { insertTestBatch } from '../testing/test-batch.ts';
import { SHARED_KINDS } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';
import { insertTestMail } from '../testing/test-mail.ts';
import { testPdf } from '../testing/test-pdf.ts';
import { openSource } from './backup-command.ts';
import { firmIdOf } from './snapshot.ts';
import { backupPlace, openTarget } from './target.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const { cleanups, newFolder, sourceOf, emptyPlace, backedUp, start } = backupDrill();

let s3: FauxqsServer;
let buckets = 0;
beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  s3 = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
});
afterAll(async () => {
  await s3.stop();
  vi.unstubAllEnvs();
});

function newBucket(): string {
  buckets += 1;
  s3.createBucket(`backups-${buckets}`);
  return `s3://backups-${buckets}/firm?region=us-east-1&endpoint=http://127.0.0.1:${s3.port}`;
}

async function serve(environment: Record<string, string>) {
  const { config, context, anonymous } = await start(environment);
  const { status, body } = await anonymous.post<{ token: string }>('/api/auth/login', {
    username: config.adminUsername,
    password: ADMIN_PASSWORD,
  });
  expect(status).toBe(200);
  return { anonymous, context, admin: new Caller(anonymous.origin, body.token) };
}

/** What a restore ends, or what is written of the backup itself. */
const CHANGED = [
  'sessions',
  'sign_ins',
  'view_tickets',
  'passkey_challenges',
  'invitations',
  'mails',
  'password_links',
  'digest_rounds',
  // Has one entry more, of the restore.
  'activity',
  'activity_counts',
  'blobs',
  'jobs',
  'backup_runs',
];

async function rowsAt({ databaseUrl }: Config): Promise<Record<string, string[]>> {
  const database = await openDatabase(databaseUrl);
  try {
    const rows = await firmRows(database);
    return Object.fromEntries(Object.entries(rows).filter(([name]) => !CHANGED.includes(name)));
  } finally {
    await database.close();
  }
}

async function allFiles(caller: Caller): Promise<FileRow[]> {
  const { status, headers, body } = await caller.get<FileRow[]>(`/api/files?limit=${PAGE_LIMIT_MAX}`);
  expect([status, headers.get('x-total-count')]).toEqual([200, String(body.length)]);
  return body;
}

async function downloaded(caller: Caller, { id }: Pick<FileRow, 'id'>): Promise<string> {
  const answer = await caller.fetch(`/api/files/${id}/download`);
  expect(answer.status).toBe(200);
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex');
}

/** A new place, and what backs up to it; before bytes of the firm are read `meanwhile` hears whose, and is waited for. */
async function placeWhile(
  database: Database,
  config: Config,
  meanwhile: (storageKey: string) => Promise<void> | undefined,
) {
  const root = join(newFolder(), 'backups');
  const target = await (await openTarget(backupPlace(root, ''), await firmIdOf(database))).enter();
  const stored = await openByteStore(parseBlobUrl(config.blobUrl));
  cleanups.push(
    () => target.close(),
    () => stored.close(),
  );
  const backUpTo = () =>
    makeBackup(database, config, {
      stored: {
        async open(...args: Parameters<typeof stored.open>) {
          await meanwhile(args[0].storageKey);
          return stored.open(...args);
        },
      },
      target,
      scratch: join(newFolder(), 'scratch'),
    });
  return { root, backUpTo };
}

async function keyOf({ reader }: Database, { id }: Pick<FileRow, 'id'>): Promise<string> {
  const row = reader.selectFrom('files').select('storage_key').where('id', '=', id);
  return (await row.executeTakeFirstOrThrow()).storage_key;
}

/** A program that backs up or restores and kills itself when it has said a line like that. */
const DYING = `
  import { runBackup } from './server/backup/backup-command.ts';
  import { runRestore } from './server/backup/restore-command.ts';
  import { readConfig } from './server/config.ts';
  const [act, place, last] = process.argv.slice(1);
  const say = (line) => {
    if (line.startsWith(last)) process.kill(process.pid, 'SIGKILL');
  };
  if (act === 'backup') await runBackup(readConfig(), place, { withKeys: false }, say);
  else await runRestore(readConfig(), place, undefined, say);
`;

async function killed(act: string, environment: Record<string, string>, place: string, last: string): Promise<void> {
  const args = ['--input-type=module', '--eval', DYING, act, place, last];
  const env = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', ...environment };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const signal = await new Promise((ended) => child.once('close', (_code, by) => ended(by)));
  expect(signal).toBe('SIGKILL');
}

const OTHER: Record<DatabaseKind, DatabaseKind> = { sqlite: 'postgres', postgres: 'sqlite' };

describe.each(SHARED_KINDS)('a firm on %s', (kind) => {
  const other = SHARED_KINDS.includes(OTHER[kind]) ? OTHER[kind] : kind;

  it.each([
    ['disk', 'bucket'],
    ['bucket', 'disk'],
  ] as const)('G77: is backed up under load, lost, and restored whole elsewhere, from %s to %s', async (from, into) => {
    const store: Record<string, string> = from === 'bucket' ? { BLOB_URL: newBucket() } : {};
    const { app, firm } = await startTestFirm(kind, { SEARCH_INSIDE: 'off', ...store });
    let lost: Promise<void> | undefined;
    const lose = () => {
      lost ??= app.close();
      return lost;
    };
    cleanups.push(lose);
    const config = configOf(app, store);
    const backups = into === 'bucket' ? newBucket() : join(newFolder(), 'backups');
    const fields = reportOf(firm);
    const upload = async (n: number) => {
      const bytes = `uploaded meanwhile ${n}`;
      const { status, body } = await app.admin.upload<FileRow>({ name: `meanwhile-${n}.txt`, bytes, fields });
      expect(status).toBe(201);
      return body;
    };
    const before = [...(await allFiles(app.admin)), await upload(0)];
    let going = true;
    const uploads = (async () => {
      for (let n = 1; going; n += 1) await upload(n);
    })();
    const made = await backup(config, backups);
    going = false;
    await uploads;
    expect(made.code).toBe(0);
    expect(made.said).toContain('Not in the backup, because with them in one place the encryption protects nothing.');
    expect(made.said).toContain(`  ${config.keyFile}   (without it no file can be opened)`);
    const here = new Map((await allFiles(app.admin)).map(({ id, sha256 }) => [id, sha256]));

    // But for its key and its backup everything of the firm is gone: database, files and folder.
    const place: Record<string, string> = {
      ...(await emptyPlace(other, { config }, ['files.keys'])),
      ...(into === 'bucket' ? { BLOB_URL: newBucket() } : {}),
    };
    await lose();
    expect(existsSync(config.dataDir)).toBe(false);
    if (from === 'bucket') s3.emptyBucket(new URL(config.blobUrl).hostname);
    const restored = await restore(place, backups);
    expect([restored.code, restored.said]).toEqual([0, expect.stringContaining('Restored: the database and ')]);
    const { admin, anonymous } = await serve(place);
    const there = await allFiles(admin);
    expect(there.map(({ id }) => id)).toEqual(expect.arrayContaining(before.map(({ id }) => id)));
    for (const file of there) {
      expect(file.sha256).toBe(here.get(file.id));
      expect(await downloaded(admin, file)).toBe(file.sha256);
    }
    expect(existsSync(join(readConfig(place).dataDir, 'blobs'))).toBe(into === 'disk');
    const cpa = await anonymous.post('/api/auth/login', { username: 'cpa', password: PASSWORD });
    expect(cpa.status).toBe(200);
    expect((await admin.upload({ fields })).status).toBe(201);
  });

  it('G80: is the same in everything but sessions and links, which have ended', async () => {
    const source = await sourceOf(kind);
    const { app, config } = source;
    for (const state of ['waiting', 'sent'] as const) await insertTestMail(app.database, { state });
    const to = await backedUp(config);
    const place = await emptyPlace(kind, source);
    expect((await restore(place, to)).code).toBe(0);
    expect(await rowsAt(readConfig(place))).toEqual(await rowsAt(config));
    const database = await openDatabase(readConfig(place).databaseUrl);
    const log = async (db: Database) => (await firmRows(db))['activity'] ?? [];
    const [before, after] = [await log(app.database), await log(database)];
    const added = after.filter((entry) => !before.includes(entry));
    expect([after.length - before.length, added]).toEqual([
      1,
      [
        expect.stringMatching(
          /"The portal was restored from its backup of [-\d]+ [:\d]+ UTC; what was done after it is gone"/,
        ),
      ],
    ]);
    // Whatever opens something once, also of tables that are made later: only passwords and factors stay.
    const secrets: string[] = [];
    for (const { name, columns } of await tablesOf(database.reader, kind)) {
      for (const { name: column } of columns.filter(({ name }) => /_hash$|^sealed$/.test(name))) {
        if (['users.password_hash', 'recovery_codes.code_hash', 'totp_secrets.sealed'].includes(`${name}.${column}`))
          continue;
        const { rows } = await sql<{
          n: number;
        }>`select count(${sql.ref(column)}) as n from ${sql.table(name)}`.execute(database.reader);
        if (rows[0]?.n !== 0) secrets.push(`${name}.${column}`);
      }
    }
    const mails = await database.reader.selectFrom('mails').select(['state', 'error']).orderBy('id').execute();
    await database.close();
    expect(secrets).toEqual([]);
    // What waited may have been sent since: nobody gets it twice.
    expect(mails.filter(({ state }) => state === 'waiting' || state === 'sending')).toEqual([]);
    expect(mails).toContainEqual({ state: 'dropped', error: expect.stringContaining('restored from a backup') });
    expect(mails).toContainEqual({ state: 'sent', error: null });
    const { anonymous } = await serve(place);
    expect((await app.admin.get('/api/auth/me')).status).toBe(200);
    expect((await new Caller(anonymous.origin, app.admin.token).get('/api/auth/me')).status).toBe(401);
    // No password of the database, no key and no secret beside it; and for its owner alone.
    const files = filesBelow(to);
    for (const path of files) expect(statSync(path).mode & 0o077).toBe(0);
    expect(files.filter((path) => KEYS.some((name) => path.endsWith(name)))).toEqual([]);
    for (const path of files.filter((path) => path.endsWith('.json'))) {
      expect(readFileSync(path, 'utf8')).not.toMatch(/postgres:|password|secret/i);
    }
  });

  it('is backed up again by what is new alone, and several backups share what they have in common', async () => {
    const { app, firm, config } = await sourceOf(kind);
    const to = kind === 'sqlite' ? join(newFolder(), 'backups') : newBucket();
    const first = await backup(config, to);
    const n = Number(/^([\d,]+) files were copied now/m.exec(first.said)?.[1]);
    expect(n).toBeGreaterThan(5);
    const again = await backup(config, to);
    expect(again.said).toContain('0 files were copied now');
    const fields = reportOf(firm);
    expect((await app.admin.upload({ name: 'new.txt', bytes: randomBytes(9), fields })).status).toBe(201);
    expect((await backup(config, to)).said).toContain('1 file was copied now');
    const listed = await listBackups(to);
    expect([listed.code, listed.said.split('\n')]).toEqual([0, Array(3).fill(expect.stringMatching(/ whole$/))]);
    const verified = await verify(to);
    expect([verified.code, verified.said]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(`^3 backups with ${n + 1} files, .*: all has been read, and is as it was written\\.$`, 'm'),
      ),
    ]);
  });

  itOnAny(kind)('G79: is backed up and restored again after a kill in the middle', { timeout: 120_000 }, async () => {
    const source = await sourceOf(kind);
    const to = join(newFolder(), 'backups');
    await killed('backup', source.environment, to, 'copy files');
    await expect(listBackups(to)).resolves.toMatchObject({ said: 'No backup has ended there yet.' });
    const again = await backup(source.config, to);
    expect([again.code, again.said]).toEqual([0, expect.stringContaining('\n0 files were copied now')]);
    for (const into of new Set([other, kind])) {
      const place = await emptyPlace(into, source);
      const config = readConfig(place);
      const deaths = breadth(
        ['copy files'],
        into === 'postgres' ? ['copy files', 'copy rows', 'compare rows'] : ['copy files'],
      );
      for (const last of deaths) {
        await killed('restore', place, to, last);
        // Nothing serves half a firm, and no command of the operator opens it or makes an empty one beside it.
        for (const opens of [openContext, openSource]) await expect(opens(config)).rejects.toThrow(/has not ended/);
        expect(existsSync(join(config.dataDir, 'coffer.db'))).toBe(false);
      }
      expect((await restore(place, to)).code).toBe(0);
      expect(await rowsAt(config)).toEqual(await rowsAt(source.config));
      expect(readdirSync(config.dataDir).filter((name) => name.includes('restoring'))).toEqual([]);
    }
  });

  it('G78: has no gap where files are deleted for good while they are copied', async () => {
    const { app, firm, config } = await sourceOf(kind);
    const fields = reportOf(firm);
    const { body: file } = await app.admin.upload<FileRow>({ name: 'purged.txt', bytes: 'purged', fields });
    const key = await keyOf(app.database, file);
    let purged: Promise<void> | undefined;
    const purge = async () => {
      expect((await app.admin.delete(`/api/files/${file.id}`)).status).toBe(204);
      await purgeTrash(app);
    };
    // Once the database has been read, and before any file is.
    const { root, backUpTo } = await placeWhile(app.database, config, () => {
      purged ??= purge();
      return purged;
    });
    const done = await backUpTo();
    expect([purged, done.damaged, done.copied]).toEqual([expect.any(Promise), [], done.manifest.files]);
    // It is in neither the database of the backup nor its list.
    const restored = await emptyPlace('sqlite', await sourceOf(kind));
    expect((await restore(restored, root)).code).toBe(0);
    const database = await openDatabase(readConfig(restored).databaseUrl);
    const rows = await database.reader.selectFrom('blobs').select('storage_key').execute();
    await database.close();
    expect(rows.map(({ storage_key }) => storage_key)).not.toContain(key);
    expect(rows).toHaveLength(done.manifest.files);
  });

  itOnAny(kind)('G78: makes none where files are deleted for good again and again, and says so', async () => {
    const { app, firm, config } = await sourceOf(kind);
    const fields = reportOf(firm);
    const upload = async () => {
      const { body } = await app.admin.upload<FileRow>({ name: 'again.txt', bytes: randomBytes(9), fields });
      return { id: body.id, key: await keyOf(app.database, body) };
    };
    let next = await upload();
    let purged: Promise<void> | undefined;
    const purge = async (id: number) => {
      expect((await app.admin.delete(`/api/files/${id}`)).status).toBe(204);
      await purgeTrash(app);
      // In the database that is copied after this one, and the only file of it that is not copied yet.
      next = await upload();
    };
    let isPurging = true;
    const { root, backUpTo } = await placeWhile(app.database, config, (key) => {
      if (isPurging && key === next.key) purged = purge(next.id);
      return purged;
    });
    await expect(backUpTo()).rejects.toMatchObject({
      exitCode: 1,
      message: 'Files were deleted for good again and again while they were copied. Run it again.',
    });
    await expect(listBackups(root)).resolves.toMatchObject({ said: 'No backup has ended there yet.' });
    isPurging = false;
    expect((await backUpTo()).damaged).toEqual([]);
    expect((await verify(root)).code).toBe(0);
  });

  it('G130: taken while a batch is released, restores a firm that releases each of its documents once', async () => {
    const { app, firm } = await startTestFirm(kind, { SEARCH_INSIDE: 'off' });
    let lost: Promise<void> | undefined;
    const lose = () => {
      lost ??= app.close();
      return lost;
    };
    cleanups.push(lose);
    const config = configOf(app);
    const document = { state: 'accepted', clientId: firm.clients[0], reportTypeId: firm.reportTypes[0] } as const;
    const { id } = await insertTestBatch(app, {
      ownerId: firm.users.cpa,
      state: 'review',
      name: 'Pay run',
      fileName: 'payrun.pdf',
      bytes: await testPdf([['alpha one'], ['alpha two'], ['beta one'], ['beta two']]),
      documents: [
        { from: 1, to: 2, period: '2026-Q1', ...document },
        { from: 3, to: 4, period: '2026-Q2', ...document },
      ],
    });
    const { cpa } = firm.viewers;
    expect((await cpa.post(`/api/batches/${id}/release`, {})).status).toBe(200);
    let releasing: Promise<void> | undefined;
    const release = async () => {
      await app.context.jobs.start();
      await eventually(async () =>
        expect((await cpa.get<BatchDetails>(`/api/batches/${id}`)).body.batch.state).toBe('released'),
      );
      await app.context.jobs.stop();
    };
    // Once the database has been read, and before any file is.
    const { root, backUpTo } = await placeWhile(app.database, config, () => {
      releasing ??= release();
      return releasing;
    });
    const done = await backUpTo();
    expect([releasing, done.damaged]).toEqual([expect.any(Promise), []]);

    // But for its key and its backup everything of the firm is gone: database, files and folder.
    const place = await emptyPlace(kind, { config }, ['files.keys']);
    await lose();
    expect(existsSync(config.dataDir)).toBe(false);
    expect((await restore(place, root)).code).toBe(0);
    const { admin, context } = await serve({ ...place, SEARCH_INSIDE: 'off' });
    const documents = async () => (await admin.get<DocumentRow[]>(`/api/batches/${id}/documents`)).body;
    const states = async () => (await documents()).map(({ state }) => state);
    expect(await states()).toEqual(['releasing', 'releasing']);
    await context.jobs.start();
    await eventually(async () => expect(await states()).toEqual(['released', 'released']));
    await context.jobs.stop();
    const before = new Set(Object.values(firm.files).map(({ originalName }) => originalName));
    const released = (await allFiles(admin)).filter(({ originalName }) => !before.has(originalName));
    const named = (await documents()).map(({ releasedFileId }) => releasedFileId);
    expect(released.map((file) => file.id).toSorted()).toEqual(named.toSorted());
    for (const file of released) expect(await downloaded(admin, file)).toBe(file.sha256);
    const { body: log } = await admin.get<ActivityRow[]>('/api/activity-logs?limit=200');
    expect(log.filter(({ details }) => details?.endsWith('released from batch: Pay run'))).toHaveLength(2);
  });

  it('purges nothing for a day after a restore, and no disposal goes on by itself: holds since the backup are gone', async () => {
    const { app, firm } = await startTestFirm(kind, { SEARCH_INSIDE: 'off' });
    cleanups.push(() => app.close());
    const config = configOf(app);
    const { f1: deleted, f2: deletedForEver, f3: over, f4: disposed } = firm.files;
    for (const { id } of [deleted, deletedForEver, over]) {
      expect((await app.admin.delete(`/api/files/${id}`)).status).toBe(204);
    }
    const soon = app.now() + 60_000;
    await app.database.transaction((tx) => sql`update trash set gone_at = ${soon}`.execute(tx));
    expect((await app.admin.post(`/api/files/${deletedForEver.id}/purge`)).status).toBe(204);
    // As on a server that was off when its time was over.
    const yesterday = app.now() - 24 * 60 * 60_000;
    await app.database.transaction((tx) =>
      sql`update trash set gone_at = ${yesterday} where item_id = ${over.id}`.execute(tx),
    );
    const sinceMs = Date.parse('2040-01-01T12:00:00Z') - app.now();
    app.advance(sinceMs);
    const later = await app.login('admin', ADMIN_PASSWORD);
    expect((await later.put('/api/retention/rules', { reportTypeId: null, years: 8 })).status).toBe(200);
    const order = { ids: [disposed.id], expected: 1 };
    expect((await later.post('/api/retention/disposals', order)).status).toBe(201);
    app.advance(-sinceMs);
    const backups = await backedUp(config);

    const place = await emptyPlace(kind, { config }, ['files.keys']);
    const restoredAt = Date.now();
    const { code, said } = await restore(place, backups);
    expect([code, said]).toEqual([0, expect.stringContaining('\nHolds that were placed after the backup are gone: ')]);
    const { admin, context } = await serve(place);
    await context.maintenance['maintenance.trash'].now();
    const { body: trash } = await admin.get<TrashRow[]>('/api/trash');
    expect(trash.map(({ id }) => id)).toEqual([deleted.id]);
    expect(Date.parse(trash[0]?.goneAt ?? '') - restoredAt).toBeGreaterThanOrEqual(24 * 60 * 60_000);
    const { body: disposals } = await admin.get<DisposalRow[]>('/api/retention/disposals');
    expect(disposals).toEqual([
      expect.objectContaining({
        waiting: 1,
        stopped: 'failed',
        fault: expect.stringMatching(/^The portal was restored from a backup\. /),
      }),
    ]);
    const hold = { kind: 'client', id: over.clientId, reason: 'An audit' };
    expect((await admin.post('/api/holds', hold)).status).toBe(201);
    const { body: held } = await admin.get<TrashRow[]>('/api/trash');
    expect(held.map(({ id }) => id).toSorted()).toEqual([deleted.id, over.id].toSorted());
  });
});

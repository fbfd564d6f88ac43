// How the portal fares: true facts and plain warnings, for those alone who read what goes on in the background, on both engines.
import { existsSync, writeFileSync } from 'node:fs';
import type * as FileSystem from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SystemFacts } from '#contract/system.ts';
import { recordBackupRun } from '../audit/backup-runs.ts';
import { readConfig } from '../config.ts';
import { sealedFor } from '../mail/outbox.ts';
import { totpPurpose } from '../people/auth/totp.ts';
import { HOUR_MS } from '../platform/clock.ts';
import { openSealer } from '../platform/sealed.ts';
import type { Firm } from '../testing/firm.ts';
import { mailEnvironment } from '../testing/mail-server.ts';
import type { TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';
import { insertTestMail } from '../testing/test-mail.ts';
import { runDoctor } from './doctor.ts';

const SYSTEM = '/api/system';
const GIB = 1024 ** 3;

/** How much of each disk is reported to be free; undefined for the truth. */
const disk = vi.hoisted(() => ({ freeBytes: undefined as number | undefined }));
vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof FileSystem>();
  const statfs = async (path: string) =>
    disk.freeBytes === undefined ? real.statfs(path) : { bavail: Math.floor(disk.freeBytes / 512), bsize: 512 };
  return { ...real, statfs };
});

describe.each(DATABASE_KINDS)('how the portal fares on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { clock: 'standing' }));
  });
  afterAll(() => app.close());

  const facts = async () => (await app.admin.get<SystemFacts>(SYSTEM)).body;
  const aboutOf = ({ warnings }: SystemFacts) => warnings.map(({ about }) => about);
  const job = (state: 'waiting' | 'failed', at: number) => ({
    kind: 'files.texts',
    state,
    payload: '{}',
    acting_user_id: null,
    acting_user_name: null,
    open_key: null,
    attempts: 1,
    attempts_max: 1,
    run_at: at,
    created_at: at,
    started_at: state === 'failed' ? at : null,
    ended_at: state === 'failed' ? at : null,
    error: state === 'failed' ? 'It broke' : null,
  });

  it('tells sizes and places, and that nothing backs the firm up', async () => {
    const told = await facts();
    const files = await app.database.reader
      .selectFrom('blobs')
      .select(({ fn }) => [fn.countAll<number>().as('n'), fn.sum<number>('size_bytes').as('bytes')])
      .executeTakeFirstOrThrow();
    expect(told).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      database: { engine: kind === 'sqlite' ? 'SQLite' : 'PostgreSQL' },
      store: { files: Number(files.n), sizeBytes: Number(files.bytes), damaged: 0, rereadDays: null, answers: true },
      backup: null,
      mail: { setUp: null, failing: 0 },
    });
    expect(told.database.sizeBytes).toBeGreaterThan(10_000);
    expect(told.store.freeBytes).toBeGreaterThan(0);
    expect(told.warnings).toContainEqual({
      about: 'backup',
      says: 'There is no backup of this firm.',
      toDo: expect.stringContaining('BACKUP_URL'),
    });
    const saidWith = async (scrubDays: number | null) => {
      const lines: string[] = [];
      await runDoctor({ ...app.context.services.config, scrubDays }, app.database, (line) => lines.push(line));
      return lines;
    };
    const lines = await saidWith(null);
    const free = kind === 'sqlite' ? /^Database .* free$/ : /^Database .*, free space is not known here$/;
    expect(lines).toContainEqual(expect.stringMatching(free));
    expect(lines).toContainEqual(
      expect.stringMatching(/ free\. Files are not read again to find damage\. Set SCRUB_DAYS to have that done\.$/),
    );
    expect(await saidWith(30)).toContainEqual(
      expect.stringMatching(/^Files .* free\. Each file is read again every 30 days to find damage\.$/),
    );
  });

  it('warns of work that failed or is not done, and no more once it is', async () => {
    const at = app.now();
    const ids = await app.database.transaction(async (tx) => {
      const rows = [
        job('failed', at - HOUR_MS),
        job('failed', at - 4 * 24 * HOUR_MS),
        job('waiting', at - 2 * HOUR_MS),
      ];
      return tx.insertInto('jobs').values(rows).returning('id').execute();
    });
    const told = await facts();
    expect(told.jobs).toMatchObject({ failed: 1, dueSince: new Date(at - 2 * HOUR_MS).toISOString() });
    expect(told.warnings.map(({ says }) => says)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^Work in the background is not done: \d+ jobs? ha(s|ve) waited, the oldest for more than an hour\.$/,
        ),
        '1 background job has failed within three days.',
      ]),
    );
    const saidOfFailed = async () => {
      const lines: string[] = [];
      await runDoctor(app.context.services.config, app.database, (line) => lines.push(line));
      return lines.filter((line) => line.startsWith('Failed'));
    };
    expect(await saidOfFailed()).toEqual(['Failed      files.texts: It broke']);
    const newer = Array.from({ length: 6 }, () => ({ ...job('failed', at), error: 'It broke\n\u001b\u009bagain' }));
    const insert = () =>
      app.database.transaction((tx) => tx.insertInto('jobs').values(newer).returning('id').execute());
    ids.push(...(await insert()));
    expect(await saidOfFailed()).toEqual([
      ...Array(5).fill('Failed      files.texts: It broke again'),
      'Failed      and 2 more',
    ]);
    // One that was run again and failed since is the latest, however long ago it was ordered.
    await app.database.transaction((tx) =>
      tx
        .updateTable('jobs')
        .set({ ended_at: at + 1, error: 'It broke last' })
        .where('id', '=', ids[0]?.id ?? 0)
        .execute(),
    );
    expect((await saidOfFailed())[0]).toBe('Failed      files.texts: It broke last');
    await app.database.transaction((tx) =>
      tx
        .deleteFrom('jobs')
        .where(
          'id',
          'in',
          ids.map(({ id }) => id),
        )
        .execute(),
    );
    expect(aboutOf(await facts())).not.toContain('jobs');
  });

  it('tells work that waits behind other work from work that nobody does', async () => {
    const at = app.now();
    const late = { ...job('waiting', at - 2 * HOUR_MS), lease_until: null };
    const toldWith = async (leaseUntil: number) => {
      const runs = { ...job('waiting', at), state: 'running', started_at: at, lease_until: leaseUntil } as const;
      const ids = await app.database.transaction((tx) =>
        tx.insertInto('jobs').values([late, runs]).returning('id').execute(),
      );
      const { jobs, warnings } = await facts();
      await app.database.transaction((tx) =>
        tx
          .deleteFrom('jobs')
          .where(
            'id',
            'in',
            ids.map(({ id }) => id),
          )
          .execute(),
      );
      return [jobs.running, warnings.find(({ about }) => about === 'jobs')];
    };
    expect(await toldWith(at + 60_000)).toEqual([
      1,
      {
        about: 'jobs',
        says: expect.stringMatching(/^Work in the background is behind: \d+ jobs? /),
        toDo: expect.stringContaining('Background Jobs'),
      },
    ]);
    // Its process is gone.
    expect(await toldWith(at - 1)).toEqual([
      0,
      {
        about: 'jobs',
        says: expect.stringMatching(/^Work in the background is not done: \d+ jobs? /),
        toDo: expect.stringContaining('JOBS=on'),
      },
    ]);
  });

  it('warns where little room is left, and of mails that did not get through', async () => {
    const says = async () => (await facts()).warnings.map((warning) => warning.says);
    const places = kind === 'sqlite' ? ['files are kept', 'the database is'] : ['files are kept'];
    try {
      disk.freeBytes = GIB;
      expect(await says()).toEqual(expect.arrayContaining(places.map((where) => `Only 1 GB are free where ${where}.`)));
      disk.freeBytes = 2 * GIB;
      expect(await says()).not.toEqual(expect.arrayContaining([expect.stringContaining(' free where ')]));
    } finally {
      disk.freeBytes = undefined;
    }

    const { config } = app.context.services;
    const { mail } = readConfig(mailEnvironment(25));
    const said = async () => {
      const lines: string[] = [];
      await runDoctor({ ...config, mail }, app.database, (line) => lines.push(line));
      return lines;
    };
    const failing = '! 1 mail did not get through.';
    expect(await said()).not.toContain(failing);
    const { id } = await insertTestMail(app.database, { state: 'waiting', error: 'The mail server does not answer.' });
    expect(await said()).toContain(failing);
    await app.database.transaction((tx) => tx.deleteFrom('mails').where('id', '=', id).execute());
    expect(await said()).not.toContain(failing);
  });

  it('warns of stored files that are damaged, and of a backup that failed', async () => {
    const { storage_key: key } = await app.database.reader
      .selectFrom('blobs')
      .select('storage_key')
      .limit(1)
      .executeTakeFirstOrThrow();
    const mark = (version: number) =>
      app.database.transaction((tx) =>
        tx.updateTable('blobs').set({ key_version: version }).where('storage_key', '=', key).execute(),
      );
    await mark(-1);
    expect((await facts()).warnings).toContainEqual(
      expect.objectContaining({ about: 'store', says: '1 stored file is missing or damaged.' }),
    );
    await mark(0);
    const fields = { clientId: firm.clients[0], fileType: 'company_document', documentType: 'Other' };
    for (let nth = 0; nth < 21; nth += 1) {
      await app.admin.upload({ name: `${nth}.txt`, bytes: `bytes ${nth}`, fields });
    }
    // Twice, it is as it was.
    const turnAll = () =>
      app.database.transaction((tx) =>
        tx.updateTable('blobs').set({ key_version: sql<number>`-1 - key_version` }).execute(),
      );
    await turnAll();
    const { store, warnings } = await facts();
    expect(store.damagedFiles).toHaveLength(20);
    expect(warnings.find(({ about }) => about === 'store')?.toDo).toMatch(/^The first 20 are listed below\. /);
    // In the terminal they are below it too.
    const lines: string[] = [];
    await runDoctor(app.context.services.config, app.database, (line) => lines.push(line));
    const listed = lines.slice(lines.findLastIndex((line) => line.startsWith('! ')) + 2);
    expect(listed.pop()).toBe(`Damaged     and ${store.damaged - 20} more`);
    expect(listed).toHaveLength(20);
    for (const line of listed) expect(line).toMatch(/^Damaged {5}.+: .+ \(file \d+\)$/);
    await turnAll();
    const at = app.now();
    // By hand, with no BACKUP_URL.
    const longAgo = { place: 'file:/backups', begunAt: at - 8 * 24 * HOUR_MS, endedAt: at - 8 * 24 * HOUR_MS };
    const made = { name: 'old', files: 3, sizeBytes: 9, damaged: 0 };
    await recordBackupRun(app.database, { ...longAgo, made, fault: null });
    expect((await facts()).warnings).toContainEqual({
      about: 'backup',
      says: 'The last backup is more than a week old, and none is set up for every day.',
      toDo: expect.stringContaining('BACKUP_URL'),
    });
    const run = { place: 'file:/backups', begunAt: at, endedAt: at };
    await recordBackupRun(app.database, {
      ...run,
      made: { name: 'a', files: 3, sizeBytes: 9, damaged: 0 },
      fault: null,
    });
    expect(aboutOf(await facts())).not.toContain('backup');
    await recordBackupRun(app.database, {
      ...run,
      made: { name: 'b', files: 3, sizeBytes: 9, damaged: 2 },
      fault: null,
    });
    expect((await facts()).warnings).toContainEqual(
      expect.objectContaining({
        about: 'backup',
        says: 'The last backup is not whole: 2 files were missing or damaged in the portal already.',
      }),
    );
    await recordBackupRun(app.database, { ...run, made: null, fault: 'The place is full.' });
    expect((await facts()).warnings).toContainEqual(
      expect.objectContaining({ about: 'backup', says: 'The last backup failed: The place is full.' }),
    );
  });

  it('warns where the last sweep found too many orphans to remove any, and no more once one did not', async () => {
    const at = app.now();
    const swept = async (result: object) => {
      const row = { ...job('waiting', at), kind: 'maintenance.blobs', state: 'done', ended_at: at } as const;
      await app.database.transaction((tx) =>
        tx
          .insertInto('jobs')
          .values({ ...row, result: JSON.stringify(result) })
          .execute(),
      );
      const lines: string[] = [];
      await runDoctor(app.context.services.config, app.database, (line) => lines.push(line));
      const said = (await facts()).warnings.find(({ says }) => says.includes('unknown to the database'));
      expect(lines.includes(`! ${said?.says}`)).toBe(said !== undefined);
      return said;
    };
    expect(await swept({ blobs: 42, orphans: 12, tooManyOrphans: true })).toEqual({
      about: 'store',
      says: '12 stored files are unknown to the database, more than is removed unseen.',
      toDo: expect.stringContaining('BLOB_URL'),
    });
    expect(await swept({ blobs: 42, orphans: 1, tooManyOrphans: false })).toBeUndefined();
    await app.database.transaction((tx) => tx.deleteFrom('jobs').where('kind', '=', 'maintenance.blobs').execute());
  });

  it('counts damaged bytes that belong to nothing apart, and asks nobody to bring them back', async () => {
    const [storage_key, sha256] = ['e'.repeat(32), 'e'.repeat(64)];
    const row = { storage_key, sha256, size_bytes: 1, state: 'live', purpose: 'file', created_at: 1 } as const;
    await app.database.transaction((tx) =>
      tx
        .insertInto('blobs')
        .values({ ...row, key_version: -1 })
        .execute(),
    );
    const told = async () => {
      const lines: string[] = [];
      await runDoctor(app.context.services.config, app.database, (line) => lines.push(line));
      return [(await facts()).warnings.find(({ about }) => about === 'store')?.toDo, lines.at(-1)];
    };
    expect(await told()).toEqual([
      'Nothing that is kept has it, so that nobody misses anything.',
      'Damaged     1 that belongs to nothing that is kept',
    ]);
    const { storage_key: key } = await app.database.reader
      .selectFrom('files')
      .select('storage_key')
      .limit(1)
      .executeTakeFirstOrThrow();
    const mark = (version: number) =>
      app.database.transaction((tx) =>
        tx.updateTable('blobs').set({ key_version: version }).where('storage_key', '=', key).execute(),
      );
    await mark(-1);
    expect(await told()).toEqual([
      expect.stringMatching(/^1 of them is listed below; nothing that is kept has the other\. Bring it back from /),
      'Damaged     and 1 that belongs to nothing that is kept',
    ]);
    await mark(0);
    await app.database.transaction((tx) => tx.deleteFrom('blobs').where('storage_key', '=', storage_key).execute());
  });

  it('says the same to the operator, whose command ends with 1 where something is wrong', async () => {
    const lines: string[] = [];
    const { config } = app.context.services;
    expect(await runDoctor(config, app.database, (line) => lines.push(line))).toBe(1);
    expect(lines.join('\n')).toMatch(
      /^Version {5}\d[\s\S]*Database[\s\S]*! The last backup failed: The place is full\.\n {2}/,
    );
    const warned = () => lines.filter((line) => line.startsWith('! '));
    expect(warned()).toEqual((await facts()).warnings.map(({ says }) => `! ${says}`));
    await recordBackupRun(app.database, {
      place: 'file:/backups',
      begunAt: app.now(),
      endedAt: app.now(),
      made: { name: 'c', files: 3, sizeBytes: 9, damaged: 0 },
      fault: null,
    });
    lines.length = 0;
    // Whatever room this machine has.
    disk.freeBytes = 3 * GIB;
    try {
      expect((await facts()).warnings).toEqual([]);
      expect(await runDoctor(config, app.database, (line) => lines.push(line))).toBe(0);
    } finally {
      disk.freeBytes = undefined;
    }
    expect(warned()).toEqual([]);
    expect(lines.at(-1)).toBe('Nothing is wrong.');
  });

  it('G41: warns of the key of stored files where it is missing, which no server starts without', async () => {
    const { config } = app.context.services;
    const lines: string[] = [];
    const without = { ...config, keyFile: join(config.dataDir, 'no-such.keys') };
    expect(await runDoctor(without, app.database, (line) => lines.push(line))).toBe(1);
    expect(lines.join('\n')).toMatch(
      /\n! The key of stored files is missing [^\n]* no server starts [^\n]*\n {2}KEY_FILE: [^\n]* restore it\. It belongs at [^\n]*no-such\.keys\.(\n|$)/,
    );
    expect(existsSync(without.keyFile)).toBe(false);
    lines.length = 0;
    await runDoctor({ ...config, blobKeys: `1:${'A'.repeat(43)}=` }, app.database, (line) => lines.push(line));
    expect(lines.join('\n')).toMatch(/\n {2}Key 1 in [^\n]* Put the right one back\. It belongs in BLOB_KEYS\.(\n|$)/);
  });

  it('G128: warns of the key of sealed secrets where it is missing or another one, and not of the right one', async () => {
    const { config } = app.context.services;
    const [right, wrong] = ['right.key', 'wrong.key'].map((name) => join(config.dataDir, name)) as [string, string];
    const userId = firm.users.listless;
    const sealed = await openSealer(right).seal(Buffer.from('twenty secret bytes.'), totpPurpose(userId));
    const row = { user_id: userId, waiting: 0, sealed, created_at: 1, last_step: 0 } as const;
    await app.database.transaction((tx) => tx.insertInto('totp_secrets').values(row).execute());
    const saidWith = async (secretsKeyFile: string) => {
      const lines: string[] = [];
      await runDoctor({ ...config, secretsKeyFile }, app.database, (line) => lines.push(line));
      return lines.join('\n');
    };
    const warning = '! The key of sealed secrets is missing or not the right one: ';
    expect(await saidWith(right)).not.toContain(warning);
    expect(await saidWith(wrong)).toMatch(
      /\n! The key of sealed secrets [^\n]*\n {2}SECRETS_KEY_FILE: the key is missing\. [^\n]*wrong\.key\.(\n|$)/,
    );
    writeFileSync(wrong, Buffer.alloc(32, 7));
    expect(await saidWith(wrong)).toMatch(
      /\n! The key of sealed secrets [^\n]*\n {2}SECRETS_KEY_FILE: this is not the key [^\n]*wrong\.key\.(\n|$)/,
    );
    await app.database.transaction((tx) => tx.deleteFrom('totp_secrets').execute());

    // Of a firm without authenticator apps a mail that waits tells, by the link in it.
    expect(await saidWith(wrong)).not.toContain(warning);
    const { id } = await insertTestMail(app.database, { state: 'waiting' });
    const link = await openSealer(right).seal(Buffer.from('a secret'), sealedFor('<1@example.com>'));
    await app.database.transaction((tx) =>
      tx.updateTable('mails').set({ sealed: link }).where('id', '=', id).execute(),
    );
    expect(await saidWith(right)).not.toContain(warning);
    expect(await saidWith(wrong)).toMatch(
      /\n! The key of sealed secrets [^\n]* a mail that waits [^\n]*\n {2}SECRETS_KEY_FILE: this is not the key [^\n]*wrong\.key\.(\n|$)/,
    );
    await app.database.transaction((tx) => tx.deleteFrom('mails').execute());
  });

  it('G125: the operator’s command makes no folder of files where that is missing, and says so', async () => {
    const { config } = app.context.services;
    const root = join(config.dataDir, 'not-mounted');
    const lines: string[] = [];
    const away = { ...config, blobUrl: `file:${root}` };
    expect(await runDoctor(away, app.database, (line) => lines.push(line))).toBe(1);
    expect(lines).toContain('! The place where files are kept takes no files now.');
    expect(existsSync(root)).toBe(false);
  });

  it('G111: is told to those alone who read what goes on in the background, without a credential', async () => {
    for (const [viewer, caller] of Object.entries(firm.viewers)) {
      const { status, body } = await caller.get(SYSTEM);
      expect([viewer, status]).toEqual([viewer, viewer === 'admin2' ? 200 : 403]);
      if (status === 200) expect(JSON.stringify(body)).not.toMatch(/:\/\/[^/"]*:[^/"]*@|password/i);
    }
    expect((await app.anonymous.get(SYSTEM)).status).toBe(401);
  });
});

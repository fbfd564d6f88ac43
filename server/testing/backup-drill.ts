// Firms that are backed up, and empty places to restore them to: what the tests of backups share.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect } from 'vitest';
import { buildApp } from '../app.ts';
import { type Backup, backUp } from '../backup/backup.ts';
import { runBackup, runList, runVerify } from '../backup/backup-command.ts';
import { BackupRefusal } from '../backup/backup-refusal.ts';
import { runRestore } from '../backup/restore-command.ts';
import { type Config, readConfig } from '../config.ts';
import { openContext } from '../context.ts';
import { newTotpSecret, presentTotp, totpPurpose } from '../people/auth/totp.ts';
import { configuredEncryption } from '../platform/blobs/encryption/firm-keys.ts';
import type { Database, DatabaseKind } from '../platform/db/database.ts';
import { openSealer } from '../platform/sealed.ts';
import { CodeApp } from './authenticator.ts';
import { cheapPasswords } from './cheap-passwords.ts';
import type { Firm } from './firm.ts';
import { type FullFirm, makeFullFirm } from './full-firm.ts';
import { Caller, NEVER_LATE_MS, startTestApp, type TestApp } from './test-app.ts';
import { openTestDatabase } from './test-database.ts';

interface Source {
  readonly app: TestApp;
  readonly firm: FullFirm;
  /** As the command has it. */
  readonly config: Config;
  readonly environment: Record<string, string>;
  /** The authenticator app of `listless`. */
  readonly codeApp: CodeApp;
}

/** Somebody whose secret is sealed under the key beside the database: what a restore has to have the right one for. */
async function giveApp({ config, database }: TestApp, userId: number): Promise<CodeApp> {
  const secret = newTotpSecret();
  const sealed = await openSealer(config.secretsKeyFile).seal(secret, totpPurpose(userId));
  const row = { user_id: userId, waiting: 0, sealed, created_at: 1, last_step: 0 } as const;
  await database.transaction(async (tx) => {
    // The one of the full firm opens nothing.
    await tx.deleteFrom('totp_secrets').execute();
    await tx.insertInto('totp_secrets').values(row).execute();
  });
  return new CodeApp(presentTotp(secret, 'Coffer', 'listless').secret, Date.now);
}

/** Where a command finds what the application has. */
const environmentOf = ({ config, database }: TestApp): Record<string, string> => ({
  DATA_DIR: config.dataDir,
  ...(database.url === null ? {} : { DATABASE_URL: database.url }),
});

/** As the command has it. */
export const configOf = (app: TestApp, more: Record<string, string> = {}): Config =>
  readConfig({ ...environmentOf(app), ...more });

async function makeSource(kind: DatabaseKind): Promise<Source> {
  const app = await startTestApp(kind);
  const firm = await makeFullFirm(app);
  const codeApp = await giveApp(app, firm.users.listless);
  return { app, firm, config: configOf(app), environment: environmentOf(app), codeApp };
}

export const KEYS = ['files.keys', 'secrets.key'];

/** For the tests of one file: its folders and firms are gone after all of them, and what is in `cleanups` after each. */
export function backupDrill() {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  const folder = mkdtempSync(join(tmpdir(), 'coffer-backup-'));
  const newFolder = () => mkdtempSync(join(folder, 'some-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Created once for each engine. */
  const sources = new Map<DatabaseKind, Promise<Source>>();
  afterAll(async () => {
    for (const source of sources.values()) await (await source).app.close();
  });

  function sourceOf(kind: DatabaseKind): Promise<Source> {
    const source = sources.get(kind) ?? makeSource(kind);
    sources.set(kind, source);
    return source;
  }

  /** An empty place for a firm on either engine, with the keys of the source unless told otherwise. */
  async function emptyPlace(
    kind: DatabaseKind,
    { config }: Pick<Source, 'config'>,
    keys = KEYS,
  ): Promise<Record<string, string>> {
    const DATA_DIR = newFolder();
    for (const name of keys) cpSync(join(config.dataDir, name), join(DATA_DIR, name));
    if (kind === 'sqlite') return { DATA_DIR };
    const { database, url, drop } = await openTestDatabase('postgres', '');
    await database.close();
    cleanups.push(drop);
    return { DATA_DIR, DATABASE_URL: url ?? '' };
  }

  /** A place with the first backup of a firm. */
  async function backedUp(config: Config, withKeys = false): Promise<string> {
    const to = join(newFolder(), 'backups');
    expect((await backup(config, to, withKeys)).code).toBe(0);
    return to;
  }

  /** The portal at a place, until the test is over. */
  async function start(environment: Record<string, string>) {
    const config = readConfig(environment);
    const context = await openContext(config, { passwords: cheapPasswords(config.passwordHash), jobsAlone: true });
    const app = await buildApp(context, { logger: false, lateLoopMs: NEVER_LATE_MS });
    cleanups.push(
      () => context.close(),
      () => app.close(),
    );
    await app.listen({ port: 0, host: '127.0.0.1' });
    const anonymous = new Caller(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, null);
    return { config, context, anonymous };
  }

  return { cleanups, folder, newFolder, sourceOf, emptyPlace, backedUp, start };
}

export async function run(work: (say: (line: string) => void) => Promise<number>) {
  const lines: string[] = [];
  const code = await work((line) => lines.push(line));
  return { code, said: lines.join('\n') };
}

export const backup = (config: Config, to: string, withKeys = false) =>
  run((say) => runBackup(config, to, { withKeys }, say));
export const restore = (environment: Record<string, string>, from: string, at?: string) =>
  run((say) => runRestore(readConfig(environment), from, at, say));
export const backupKeeping = (config: Config, to: string, keep: string) =>
  run((say) => runBackup(config, to, { withKeys: false, keep }, say));
export const listBackups = (from: string) => run((say) => runList(from, say));
export const verify = (from: string) => run((say) => runVerify(from, say));

/** A backup as the command makes it, to a place that the test has open itself. */
export const makeBackup = (
  source: Database,
  config: Config,
  to: Pick<Backup, 'stored' | 'target' | 'scratch' | 'freeBytes'>,
) =>
  backUp({
    source,
    sourceUrl: config.databaseUrl,
    keys: configuredEncryption(config).keys,
    now: Date.now,
    report: () => {},
    ...to,
  });

/** What an upload says that is a report of the firm. */
export const reportOf = ({ clients, reportTypes }: Firm) => ({
  clientId: clients[0],
  fileType: 'report',
  reportTypeId: reportTypes[0],
});

/** What stands in the lock of a place that another machine has just taken. */
export const lockOfAnother = () => JSON.stringify({ id: 'x', host: 'elsewhere', pid: 1, touchedAt: Date.now() });

/** The refusal: its exit code and its line. */
export const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('It was not refused'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(BackupRefusal);
      const { exitCode, message } = error as BackupRefusal;
      return [exitCode, message] as const;
    },
  );

/** As after the month for which it can be restored. */
export async function purgeTrash(app: TestApp): Promise<void> {
  app.advance(31 * 24 * 60 * 60_000);
  await app.context.maintenance['maintenance.trash'].now();
  app.advance(-31 * 24 * 60 * 60_000);
}

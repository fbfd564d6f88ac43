// The move as an operator runs it: what it prints, what it refuses, and that it continues after a kill.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { readConfig } from '../../config.ts';
import { startFault } from '../../start-fault.ts';
import { refusalOfPostgres, serverSaying } from '../../testing/false-postgres.ts';
import { firmRows, makeFullFirm } from '../../testing/full-firm.ts';
import { startTestApp } from '../../testing/test-app.ts';
import { openTestDatabase, SHARED_KINDS } from '../../testing/test-database.ts';
import { KeyFile } from '../blobs/encryption/master-keys.ts';
import { openDatabase } from '../db/connect.ts';
import type { DatabaseKind } from '../db/database.ts';
import { move } from './move.ts';
import { runMove } from './move-command.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const BUCKET = 'moved';

const folder = mkdtempSync(join(tmpdir(), 'coffer-move-command-'));
const newFolder = () => mkdtempSync(join(folder, 'some-'));

/** The data folder of a firm on SQLite and disk whose server was stopped. */
const made = join(folder, 'made');
let rows: Record<string, string[]>;
let s3: FauxqsServer;

beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  s3 = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false, init: { buckets: [BUCKET] } });
  const app = await startTestApp('sqlite', { BLOB_URL: `file:${join(made, 'blobs')}` });
  await makeFullFirm(app);
  const keys = readFileSync(app.config.keyFile);
  rows = await firmRows(app.database);
  const copy = await openDatabase(`sqlite:${join(made, 'coffer.db')}`);
  await move({ source: app.database, target: copy, blobs: null, report: () => {} });
  await copy.close();
  await app.close();
  writeFileSync(join(made, 'secrets.key'), 'a key');
  writeFileSync(join(made, 'files.keys'), keys);
});
afterAll(async () => {
  await s3.stop();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** A copy of that folder. */
function newSource(): string {
  const source = newFolder();
  cpSync(made, source, { recursive: true });
  return source;
}

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

async function run(args: readonly string[], environment: Record<string, string>): Promise<Ended> {
  const env = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', ...environment };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<[number | null, NodeJS.Signals | null]>((done) =>
    child.once('close', (code, signal) => done([code, signal])),
  );
  const [out, err, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, signal, out, err };
}

const admin = (args: readonly string[], environment: Record<string, string>) =>
  run(['server/admin.ts', ...args], environment);
const bucketUrl = (prefix: string) => `s3://${BUCKET}/${prefix}?region=us-east-1&endpoint=http://127.0.0.1:${s3.port}`;

/** Every file with a digest of its bytes. */
function fingerprint(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [relative(root, path), createHash('sha256').update(readFileSync(path)).digest('hex')];
    }),
  );
}

async function rowsAt(url: string): Promise<Record<string, string[]>> {
  const database = await openDatabase(url);
  try {
    return await firmRows(database);
  } finally {
    await database.close();
  }
}

/** The address of an empty database. */
async function newTarget(kind: DatabaseKind): Promise<{ url: string; drop(): Promise<void> }> {
  if (kind === 'sqlite') return { url: `sqlite:${join(newFolder(), 'deep', 'moved.db')}`, drop: async () => {} };
  const { database, url, drop } = await openTestDatabase('postgres', '');
  await database.close();
  return { url: url ?? '', drop };
}

describe.each(SHARED_KINDS)('npm run admin -- move to %s', (kind) => {
  it('copies everything, prints the settings to start with and no password, and leaves every file of the source as it was', async () => {
    const DATA_DIR = newSource();
    const before = fingerprint(DATA_DIR);
    const target = await newTarget(kind);
    const shownUrl = kind === 'sqlite' ? target.url : target.url.replace('coffer@', 'coffer:PASSWORD@');
    const url = shownUrl.replace('PASSWORD', 'hunter2');
    const to = bucketUrl(`to-${kind}`);
    const { code, out, err } = await admin(['move', '--to-database', url, '--to-blobs', to], { DATA_DIR });
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`\n  DATABASE_URL=${shownUrl}\n  BLOB_URL=${to}\n`);
    expect(out).toContain(`  SECRETS_KEY_FILE=${join(DATA_DIR, 'secrets.key')}\n`);
    expect(out).toContain(`  KEY_FILE=${join(DATA_DIR, 'files.keys')}\n`);
    expect(out).toMatch(/^copy rows: ([\d,]+) of \1 rows, 100 % \(\w+\)$/m);
    expect(out).toMatch(/^compare rows: ([\d,]+) of \1 rows, 100 % \(\w+\)$/m);
    expect(out).toMatch(/^copy files: \d+ MB of \d+ MB, 100 % \([\d,]+ files\)$/m);
    expect(out).not.toContain('hunter2');
    expect(fingerprint(DATA_DIR)).toEqual(before);
    expect(await rowsAt(target.url)).toEqual(rows);
    await target.drop();
  });

  it('continues after every kill, whenever it comes', { timeout: 300_000 }, async () => {
    const DATA_DIR = newSource();
    const before = fingerprint(DATA_DIR);
    const target = await newTarget(kind);
    const to = `file:${join(newFolder(), 'blobs')}`;
    const life = (step: string, reports: number) =>
      run(
        ['--input-type=module', '--eval', DYING_MOVE, `sqlite:${join(DATA_DIR, 'coffer.db')}`, target.url].concat([
          `file:${join(DATA_DIR, 'blobs')}`,
          to,
          step,
          String(reports),
        ]),
        { KEY_FILE: join(DATA_DIR, 'files.keys') },
      );
    const deaths: [string, number][] = [
      ['copy rows', 10],
      ['copy rows', 35],
      ['compare rows', 10],
      ['copy files', 4],
    ];
    for (const [step, reports] of deaths) {
      expect(await life(step, reports)).toEqual({ code: null, signal: 'SIGKILL', out: '', err: '' });
    }
    // No server can start on it before the end.
    const environment = { DATA_DIR: newFolder(), DATABASE_URL: target.url, BLOB_URL: to, PORT: '0' };
    const server = await run(['server/main.ts'], environment);
    expect([server.code, server.out]).toEqual([1, '']);
    expect(server.err).toMatch(/has not ended\. Run it again\.\n$/);

    expect(await life('none', 0)).toEqual({ code: 0, signal: null, out: '', err: '' });
    expect(fingerprint(DATA_DIR)).toEqual(before);
    expect(await rowsAt(target.url)).toEqual(rows);
    // Encrypted anew, and compared while it was moved: no bytes are as they were, and all are there.
    const moved = fingerprint(join(to.slice('file:'.length)));
    expect(Object.keys(moved).sort()).toEqual(Object.keys(fingerprint(join(DATA_DIR, 'blobs'))).sort());
    await target.drop();
  });
});

/** A move in a process that kills itself at the nth report of a step. Arguments: both databases, both stores, the step, n. */
const DYING_MOVE = `
  import { configuredEncryption } from './server/platform/blobs/encryption/firm-keys.ts';
  import { openBlobStore, parseBlobUrl } from './server/platform/blobs/open-blob-store.ts';
  import { openDatabase } from './server/platform/db/connect.ts';
  import { move } from './server/platform/move/move.ts';
  const [from, to, fromBlobs, toBlobs, last, reports] = process.argv.slice(1);
  const [source, target] = [await openDatabase(from), await openDatabase(to)];
  const encryption = configuredEncryption({ encryption: 'on', keyFile: process.env.KEY_FILE, blobKeys: undefined });
  const open = (url) => openBlobStore(parseBlobUrl(url), { encryption });
  const blobs = { from: await open(fromBlobs), to: await open(toBlobs) };
  let left = Number(reports);
  const report = ({ step }) => {
    if (step === last) left -= 1;
    if (step === last && left === 0) process.kill(process.pid, 'SIGKILL');
  };
  await move({ source, target, blobs, report, rowsAtOnce: 3 });
  for (const opened of [source, target, blobs.from, blobs.to]) await opened.close();
`;

describe('npm run admin -- move', () => {
  it('refuses while a program has the source open', async () => {
    const DATA_DIR = newSource();
    const other = await openDatabase(`sqlite:${join(DATA_DIR, 'coffer.db')}`);
    const to = join(newFolder(), 'moved.db');
    const args = ['move', '--to-database', `sqlite:${to}`];
    const refused = await admin(args, { DATA_DIR });
    expect([refused.code, refused.out, existsSync(to)]).toEqual([1, '', false]);
    expect(refused.err).toMatch(/^The source is in use\. [^\n]*\n$/);
    await other.close();
    expect((await admin(args, { DATA_DIR })).code).toBe(0);
  });

  if (inject('postgresUrl') !== null) {
    it('refuses while a server is connected to the source', async () => {
      const { database, url, drop } = await openTestDatabase('postgres', '');
      await database.migrate();
      const args = ['move', '--to-database', `sqlite:${join(newFolder(), 'moved.db')}`];
      const environment = { DATA_DIR: newFolder(), DATABASE_URL: url ?? '' };
      // Connected, and doing nothing.
      const refused = await database.transaction(() => admin(args, environment));
      expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/^The source is in use\. [^\n]*\n$/)]);
      await database.close();
      expect((await admin(args, environment)).err).toBe('');
      await drop();
    });
  }

  it('names the files that were damaged, and says that all others were moved', async () => {
    const DATA_DIR = newSource();
    const [largest] = Object.keys(fingerprint(join(DATA_DIR, 'blobs'))).sort(
      (a, b) => statSync(join(DATA_DIR, 'blobs', b)).size - statSync(join(DATA_DIR, 'blobs', a)).size,
    );
    rmSync(join(DATA_DIR, 'blobs', largest ?? ''));
    const to = `file:${join(newFolder(), 'blobs')}`;
    const { code, out, err } = await admin(['move', '--to-blobs', to], { DATA_DIR });
    expect([code, err]).toEqual([1, '']);
    expect(out).toContain(`  DATABASE_URL=sqlite:${join(DATA_DIR, 'coffer.db')}\n  BLOB_URL=${to}\n`);
    expect(out).toMatch(
      /\n1 file was missing or damaged in the source already, and not copied:\n {2}file \d+ of client \d+ \("large\.bin"\), bytes [0-9a-f]{32}\n/,
    );
  });

  it('copies nothing under keys that are missing or not those of the firm, which would have every file called damaged', async () => {
    const DATA_DIR = newSource();
    const KEY_FILE = join(newFolder(), 'other.keys');
    await new KeyFile(KEY_FILE).make();
    const to = join(newFolder(), 'blobs');
    const args = ['move', '--to-blobs', `file:${to}`];
    const others = await admin(args, { DATA_DIR, KEY_FILE });
    expect([others.code, others.out, existsSync(to)]).toEqual([1, '', false]);
    expect(others.err).toMatch(/^Key 1 in KEY_FILE [^\n]*is not the one that the files of this firm are [^\n]*\n$/);
    rmSync(join(DATA_DIR, 'files.keys'));
    const none = await admin(args, { DATA_DIR });
    expect([none.code, none.out, existsSync(to)]).toEqual([1, '', false]);
    expect(none.err).toMatch(/^KEY_FILE: the keys of the stored files are missing\. [^\n]*\n$/);
  });

  it.each<[string, readonly string[], Record<string, string>, RegExp]>([
    ['a database of no known kind', ['--to-database', 'mysql://hunter2@host/x'], {}, /^--to-database: must be sqlite:/],
    ['a store of no known kind', ['--to-blobs', 'ftp://hunter2'], {}, /^--to-blobs: must start with file: or s3:/],
    [
      'the source itself as the target',
      ['--to-database', 'sqlite:SOURCE/../SOURCE/coffer.db'],
      {},
      /^--to-database: is the source itself/,
    ],
    ['the own store as the target', ['--to-blobs', 'file:SOURCE/blobs/'], {}, /^--to-blobs: is the source itself/],
    [
      'a source that is not there',
      ['--to-database', 'sqlite:SOURCE/other.db'],
      { DATABASE_URL: 'sqlite:SOURCE/none.db' },
      /^There is no database to move/,
    ],
    [
      'a target database that is away',
      ['--to-database', 'postgres://x:hunter2@127.0.0.1:1/x'],
      {},
      /^The target database does not answer/,
    ],
    [
      'a target store that is away',
      ['--to-blobs', 's3://none?region=x&endpoint=http://127.0.0.1:1'],
      {},
      /^The target store does not answer/,
    ],
  ])('refuses %s in one line', async (_what, args, environment, line) => {
    const DATA_DIR = newSource();
    const before = fingerprint(DATA_DIR);
    const placed = (text: string) =>
      text.replace('SOURCE/../SOURCE', `${DATA_DIR}/blobs/..`).replace('SOURCE', DATA_DIR);
    const placedEnvironment = Object.fromEntries(
      Object.entries(environment).map(([key, value]) => [key, placed(value)]),
    );
    const [option, url = ''] = args.map(placed);
    const config = readConfig({ DATA_DIR, ...placedEnvironment });
    const to = { database: undefined, blobs: undefined, [option === '--to-blobs' ? 'blobs' : 'database']: url };
    const said: string[] = [];
    const fault = await runMove(config, to, (text) => said.push(text)).catch((error: unknown) => startFault(error));
    expect([fault, said]).toEqual([[expect.stringMatching(line)], []]);
    expect(String(fault)).not.toContain('hunter2');
    expect(fingerprint(DATA_DIR)).toEqual(before);
  });

  it('says what the target database refuses, and not that it does not answer', async () => {
    const port = await serverSaying(refusalOfPostgres('28P01'));
    const to = { database: `postgres://x:hunter2@127.0.0.1:${port}/x`, blobs: undefined };
    await expect(runMove(readConfig({ DATA_DIR: newSource() }), to, () => {})).rejects.toThrow(
      'The target: the database refuses the sign-in. Check user and password in --to-database, ',
    );
  });

  it('without a destination shows how it is called', async () => {
    const { code, out, err } = await admin(['move'], { DATA_DIR: newFolder() });
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(
      /^The words after move are not those it takes\.\n\nUsage: npm run admin(.*\n)+ {2}move --to-database/,
    );
  });
});

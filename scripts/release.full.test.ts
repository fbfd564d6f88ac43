// A release as its users get it: built, checked, unpacked in an empty folder and started there with nothing else installed.
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { access, lstat, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LoginResponse } from '#contract/session.ts';
import { NEVER_LATE } from '#server/testing/preloads.ts';
import { Caller } from '#server/testing/test-app.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/** No Node, no npm: what a system has that never saw either, and an empty folder to be in. */
const bare = { PATH: '/usr/bin:/bin' };

/** The size of a folder on a disk with blocks of 4 KiB. */
const MAX_UNPACKED_BYTES = 200_000_000;

let place = '';
let home = '';

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'coffer-release-'));
  await run(process.execPath, ['scripts/run.mjs', 'release', '--to', join(place, 'made')], { cwd: root });
  const [archive = ''] = (await readdir(join(place, 'made'))).filter((name) => name.endsWith('.tar.gz'));
  await mkdir(join(place, 'unpacked'));
  await run('tar', ['-xzf', join(place, 'made', archive), '-C', join(place, 'unpacked')]);
  home = join(place, 'unpacked', archive.replace('.tar.gz', ''));
}, 300_000);
afterAll(() => rm(place, { recursive: true, force: true }));

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
}

interface Bill {
  readonly bomFormat: string;
  readonly components: readonly { readonly name: string; readonly version: string }[];
}

test('its checksums are those of the archive and the bill of materials', async () => {
  const sums = (await readFile(join(place, 'made/SHA256SUMS'), 'utf8')).trimEnd().split('\n');
  const found = await Promise.all(
    (await readdir(join(place, 'made')))
      .filter((name) => name !== 'SHA256SUMS')
      .map(async (name) => {
        const bytes = await readFile(join(place, 'made', name));
        return `${createHash('sha256').update(bytes).digest('hex')}  ${name}`;
      }),
  );
  expect(found).toHaveLength(2);
  expect([...sums].sort()).toEqual([...found].sort());
});

test('it takes less than 200 MB unpacked, and holds no tests and nothing that only a compiler reads', async () => {
  const files = await filesIn(home);
  const sizes = await Promise.all(files.map(async (file) => (await lstat(file)).size));
  const bytes = sizes.reduce((sum, size) => sum + Math.ceil(size / 4096) * 4096, 0);
  expect(bytes).toBeLessThan(MAX_UNPACKED_BYTES);
  expect(files.filter((file) => /\.test\.|\.d\.ts$|\.map$|server\/testing/.test(file))).toEqual([]);
});

test('its web holds every script and style compressed, as the server sends them', async () => {
  const assets = (await filesIn(join(home, 'dist/web'))).filter((file) => !file.includes('pdfjs-'));
  const texts = assets.filter((file) => /\.(js|mjs|css)$/.test(file));
  const long = await Promise.all(texts.map(async (file) => ((await lstat(file)).size >= 1_024 ? [file] : [])));
  const forms = long.flat().flatMap((file) => [`${file}.br`, `${file}.gz`]);
  expect(forms.length).toBeGreaterThan(20);
  expect(forms.filter((form) => !assets.includes(form))).toEqual([]);
});

test('its bill of materials names every package in it, those inside the web too, and no other', async () => {
  const bill = JSON.parse(await readFile(join(home, 'sbom.cdx.json'), 'utf8')) as Bill;
  expect(bill.bomFormat).toBe('CycloneDX');
  const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
  const packages = (await filesIn(join(home, 'node_modules'))).filter((file) =>
    /node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(file),
  );
  const server = await Promise.all(
    packages.map(async (file) => {
      const { name, version } = JSON.parse(await readFile(file, 'utf8')) as { name: string; version: string };
      return `${name}@${version}`;
    }),
  );
  const licences = await readFile(join(home, 'dist/web-licences.md'), 'utf8');
  const web = [...licences.matchAll(/^## (\S+) (\d+\.\d+\.\d+\S*)/gm)].map(([, name, version]) => `${name}@${version}`);
  expect(server.length).toBeGreaterThan(100);
  expect(web.some((name) => name.startsWith('react-dom@'))).toBe(true);
  const node = [...listed].filter((name) => name.startsWith(`node-linux-${process.arch}@`));
  expect(node).toHaveLength(1);
  expect([...listed].sort()).toEqual([...new Set([...server, ...web, ...node])].sort());
});

test('every page that its pages lead to is in it', async () => {
  const pages = (await filesIn(home)).filter((file) => file.endsWith('.md') && !file.includes('/node_modules/'));
  const dead: string[] = [];
  for (const page of pages) {
    for (const [, target = ''] of (await readFile(page, 'utf8')).matchAll(/\]\(([^):#\s]+)(?:#[^)]*)?\)/g)) {
      const path = join(dirname(page), target);
      if (!existsSync(path)) dead.push(`${relative(home, page)}: ${target}`);
    }
  }
  expect(dead).toEqual([]);
});

/** Runs `coffer` in an empty folder, with `environment` and nothing else set. A pause of the machine makes it refuse nobody. */
async function coffer(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(place, 'empty-'));
  const program = spawn(join(home, 'coffer'), args, {
    cwd: folder,
    env: { ...bare, PORT: '0', LOG_LEVEL: 'fatal', NODE_OPTIONS: NEVER_LATE.join(' '), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(program, 'close');
  let said = '';
  for (const stream of [program.stdout, program.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  return {
    folder,
    said: () => said,
    /** Its exit code, or null where a signal ended it; `signal` is sent first. */
    async end(signal?: NodeJS.Signals): Promise<number | null> {
      if (signal) program.kill(signal);
      const [code] = (await ended) as [number | null];
      return code;
    },
    /** The address it listens on, once all its start messages are printed. */
    async origin(): Promise<string> {
      while (!said.includes('Second factors')) {
        const more = Promise.race([once(program.stdout, 'data'), once(program.stderr, 'data')]);
        await Promise.race([more, ended.then(() => Promise.reject(new Error(`It ended: ${said}`)))]);
      }
      return /is serving on (http:\S+)/.exec(said)?.[1] ?? '';
    },
  };
}

test('started in an empty folder it serves the page, lets its first Admin in, and ends on a signal', async () => {
  const server = await coffer([]);
  try {
    const origin = await server.origin();
    const anybody = new Caller(origin, null);

    const page = await (await anybody.fetch('/')).text();
    const script = /<script[^>]*type="module"[^>]*src="([^"]+)"/.exec(page)?.[1] ?? '';
    expect((await anybody.fetch(script)).headers.get('content-type')).toContain('javascript');

    const password = /^ *password +(\S+)$/m.exec(server.said())?.[1];
    const { status, body } = await anybody.post<LoginResponse>('/api/auth/login', { username: 'admin', password });
    expect(status).toBe(200);
    expect((await new Caller(origin, body.token).get('/api/clients')).status).toBe(200);
    await access(join(server.folder, 'data/coffer.db'));

    const operator = await coffer(['admin', 'reset-password', 'admin'], { DATA_DIR: join(server.folder, 'data') });
    expect(await operator.end()).toBe(0);
    const renewed = /New password for admin: (\S+)/.exec(operator.said())?.[1];
    const again = await anybody.post('/api/auth/login', { username: 'admin', password: renewed });
    expect(again.status).toBe(200);
  } finally {
    expect(await server.end('SIGTERM')).toBe(0);
  }
}, 120_000);

test('it names its commands, and runs jobs alone where there is PostgreSQL', async () => {
  const asked = await coffer(['--help']);
  expect([await asked.end(), asked.said()]).toEqual([0, expect.stringMatching(/^Usage: coffer \[start\]/)]);
  const confused = await coffer(['restart']);
  expect([await confused.end(), confused.said()]).toEqual([2, asked.said()]);
  for (const command of ['worker', 'admin']) expect(asked.said()).toContain(`coffer ${command}`);
  for (const args of [
    ['start', '--port', '80'],
    ['worker', '--help'],
  ]) {
    const unheard = await coffer(args);
    expect([args, await unheard.end(), unheard.said()]).toEqual([args, 2, asked.said()]);
  }
  const worker = await coffer(['worker']);
  expect([await worker.end(), worker.said()]).toEqual([1, expect.stringMatching(/a worker needs PostgreSQL/)]);
});

test.each<[string[], RegExp]>([
  [['start', '--port', '80'], /^This takes no `--port 80`: the settings are read from the environment/m],
  [['worker', '--help'], /^This takes no `--help`/m],
  [['release', '--help'], /^Usage: npm run release/m],
])(
  'in a clone, too, %j is not left unheard',
  async (args, line) => {
    const asked = run(process.execPath, ['scripts/run.mjs', ...args], { cwd: root });
    await expect(asked).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(line) });
  },
  120_000,
);

test('it holds what PostgreSQL and S3 need: it asks for both, and reports when they do not answer', async () => {
  const onPostgres = await coffer([], { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' });
  expect([await onPostgres.end(), onPostgres.said()]).toEqual([1, expect.stringMatching(/database does not answer/)]);

  const onS3 = await coffer([], {
    BLOB_URL: 's3://bucket?region=us-east-1&endpoint=http://127.0.0.1:9',
    AWS_ACCESS_KEY_ID: 'nobody',
    AWS_SECRET_ACCESS_KEY: 'nothing',
  });
  try {
    const ready = await new Caller(await onS3.origin(), null).get('/readyz');
    expect([ready.status, ready.body]).toEqual([503, expect.objectContaining({ code: 'unavailable' })]);
  } finally {
    await onS3.end('SIGTERM');
  }
}, 120_000);

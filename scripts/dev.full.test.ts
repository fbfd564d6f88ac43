// `npm run dev`: server and web find each other wherever they listen, with the right data.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coffer-dev-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('the page finds the server on the port that PORT names, with the data of DATA_DIR', async () => {
  const [port, webPort] = [await freePort(), await freePort()];
  // Colour codes would split the texts that are searched for, and CI asks for them.
  const { FORCE_COLOR: _, CI: __, ...plain } = process.env;
  const env = { ...plain, NO_COLOR: '1', PORT: String(port), DATA_DIR: join(folder, 'mine'), LOG_LEVEL: 'warn' };
  const dev = spawn(process.execPath, ['scripts/run.mjs', 'dev', '--port', String(webPort)], { cwd: root, env });
  const ended = once(dev, 'close');
  try {
    let said = '';
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
    };
    dev.stdout.on('data', listen);
    dev.stderr.on('data', listen);
    while (!(said.includes('is serving on') && said.includes('Local:'))) {
      const more = Promise.race([once(dev.stdout, 'data'), once(dev.stderr, 'data')]);
      await Promise.race([more, ended.then(() => Promise.reject(new Error(`It ended: ${said}`)))]);
    }
    expect(said).toContain(`is serving on http://127.0.0.1:${port}`);
    expect(said).not.toContain('demo firm');
    // A server that has just begun on a busy machine may turn the first ones away.
    await vi.waitFor(
      async () => {
        const answer = await fetch(`http://localhost:${webPort}/api/clients`);
        expect([answer.status, await answer.json()]).toEqual([
          401,
          expect.objectContaining({ code: 'unauthenticated' }),
        ]);
      },
      { timeout: 20_000, interval: 500 },
    );
  } finally {
    dev.kill('SIGTERM');
    await ended;
  }
}, 120_000);

/** The environment that `npm run dev` makes of `environment` in the clone `folder`. */
async function environmentIn(environment: Record<string, string>): Promise<unknown> {
  const module = new URL('./dev.mjs', import.meta.url).href;
  const dev = (await import(module)) as { environmentIn(folder: string, environment: object): unknown };
  return dev.environmentIn(folder, environment);
}

test('the demo firm is used where there is one, unless something else is named', async () => {
  expect(await environmentIn({ PORT: '4000' })).toEqual({ PORT: '4000' });
  await mkdir(join(folder, 'data/demo'), { recursive: true });
  // A folder of that name that `npm run demo` did not make is somebody's own.
  expect(await environmentIn({})).toEqual({});
  await writeFile(join(folder, 'data/demo/.coffer-demo'), '');
  expect(await environmentIn({ PORT: '4000' })).toEqual({ PORT: '4000', DATA_DIR: 'data/demo' });
  for (const named of [{ DATA_DIR: 'mine' }, { DATABASE_URL: 'sqlite:mine.db' }, { BLOB_URL: 'file:blobs' }]) {
    expect(await environmentIn(named)).toEqual(named);
  }
});

// The real server for browser tests: the built web, a fresh data folder, a free port, ended by its own id.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { BUSY_MACHINE, CHEAP_HASHES, LOOK_ROUND_SOON, NEVER_LATE } from '#server/testing/preloads.ts';
import { compileCache } from '#server/testing/test-environment.ts';

export const ADMIN = { username: 'admin', password: 'admin password' } as const;

const START_WITHIN_MS = 60_000;

export interface RunningServer {
  readonly origin: string;
  stop(): Promise<void>;
}

/** Starts `server/main.ts` and waits until it prints its address. `passwords`: whether hashing costs what it does in use. */
export async function startServer(
  environment: Readonly<Record<string, string>> = {},
  { passwords = 'cheap' }: { readonly passwords?: 'cheap' | 'as in use' } = {},
): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-e2e-'));
  const forAll = [...NEVER_LATE, ...LOOK_ROUND_SOON, ...BUSY_MACHINE];
  const preloaded = passwords === 'cheap' ? [...forAll, ...CHEAP_HASHES] : forAll;
  const program = [...preloaded, resolve(import.meta.dirname, '../server/main.ts')];
  const server = spawn(process.execPath, program, {
    env: {
      PATH: process.env.PATH,
      ...compileCache(),
      DATA_DIR: folder,
      PORT: '0',
      ADMIN_PASSWORD: ADMIN.password,
      LOG_LEVEL: 'warn',
      SUPPORT_EMAIL: 'support@example.com',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const origin = await new Promise<string>((resolveOrigin, reject) => {
    const timer = setTimeout(() => reject(new Error(`The server did not start:\n${said}`)), START_WITHIN_MS);
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
      const found = /serving on (http:\/\/\S+)/.exec(said)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolveOrigin(found);
    };
    server.stdout.on('data', listen);
    server.stderr.on('data', listen);
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${said}`)));
  });
  return {
    origin,
    async stop() {
      if (server.exitCode === null) {
        const ended = new Promise((done) => server.once('exit', done));
        server.kill('SIGTERM');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

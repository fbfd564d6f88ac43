// An nginx of its own for tests, where one is installed: the file that docs/operations.md shows, on ports of this machine.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const SHOWN = resolve(import.meta.dirname, '../../docs/nginx.conf');
/** Where packages put it; root alone has it on the path. */
const PATHS = JSON.parse(readFileSync(new URL('./nginx-paths.json', import.meta.url), 'utf8')) as readonly string[];
const READY_WITHIN_MS = 10_000;

export interface RunningNginx {
  readonly origin: string;
  /** A line an answer: who was asked, how each answered, method, path and what the caller got. */
  log(): readonly ProxiedRequest[];
  /** What it complained about. */
  complaints(): string;
  stop(): Promise<void>;
}

export interface ProxiedRequest {
  /** The ports that were asked, one after another. */
  readonly ports: readonly number[];
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** The program's path, or null. */
export function findNginx(): string | null {
  return PATHS.find((path) => spawnSync(path, ['-v']).status === 0) ?? null;
}

/** `text` with each key's one place taken by its value, so that nothing of the file is passed over silently. */
function filledIn(text: string, places: Readonly<Record<string, string>>): string {
  let filled = text;
  for (const [place, value] of Object.entries(places)) {
    if (filled.split(place).length !== 2) throw new Error(`docs/nginx.conf has not exactly one ${place}`);
    filled = filled.replace(place, value);
  }
  return filled;
}

function configuration(folder: string, port: number, servers: readonly [number, number]): string {
  const shown = filledIn(readFileSync(SHOWN, 'utf8'), {
    'listen 443 ssl;': `listen 127.0.0.1:${port};`,
    'ssl_certificate /etc/ssl/files.example.com.pem;': '',
    'ssl_certificate_key /etc/ssl/private/files.example.com.key;': '',
    'server 127.0.0.1:3001 ': `server 127.0.0.1:${servers[0]} `,
    'server 127.0.0.1:3002 ': `server 127.0.0.1:${servers[1]} `,
  });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `
    daemon off;
    worker_processes 2;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log warn;
    events { worker_connections 512; }
    http {
      ${temporary.join('\n')}
      log_format asked '$upstream_addr|$request_method|$uri|$status';
      access_log ${folder}/access.log asked;
      ${shown}
    }`;
}

async function isListening(port: number): Promise<boolean> {
  const socket = createConnection({ port, host: '127.0.0.1' });
  const answers = await new Promise<boolean>((done) => {
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
  });
  socket.destroy();
  return answers;
}

async function waitUntilReady(port: number, nginx: ChildProcess, complaints: () => string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await isListening(port))) {
    if (nginx.exitCode !== null || Date.now() > deadline) throw new Error(`nginx does not start: ${complaints()}`);
    // biome-ignore lint/plugin: asks again until it answers
    await new Promise((next) => setTimeout(next, 50));
  }
}

function toRequest(line: string): ProxiedRequest {
  const [asked = '', method = '', path = '', status = ''] = line.split('|');
  return {
    ports: asked.split(', ').map((address) => Number(address.split(':').at(-1))),
    method,
    path,
    status: Number(status),
  };
}

/** Starts the nginx at `program` on `port` before the servers on two other ports. */
export async function startNginx(
  program: string,
  port: number,
  servers: readonly [number, number],
): Promise<RunningNginx> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-nginx-'));
  // As root its workers are somebody else.
  chmodSync(folder, 0o755);
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, port, servers));
  const nginx = spawn(program, ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], { stdio: 'ignore' });
  const ended = new Promise((done) => nginx.once('close', done));
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const stop = async () => {
    nginx.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(port, nginx, () => read('error.log'));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    log: () => read('access.log').trimEnd().split('\n').filter(Boolean).map(toRequest),
    complaints: () => read('error.log'),
    stop,
  };
}

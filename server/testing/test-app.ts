// The real application on a loopback port, over a fresh database and folder, called as named viewers.
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { ErrorBody } from '#contract/errors.ts';
import type { LoginResponse } from '#contract/session.ts';
import { buildApp } from '../app.ts';
import { type Config, readConfig } from '../config.ts';
import { type Context, openContext } from '../context.ts';
import type { Database, DatabaseKind } from '../db/database.ts';
import { openTestDatabase } from './test-database.ts';

export const ADMIN_PASSWORD = 'correct horse';

export interface Answer<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, or the text of anything else; undefined where nothing was sent. */
  readonly body: Body;
}

export interface UploadParts {
  readonly name?: string;
  readonly bytes?: Uint8Array | string;
  readonly fields: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields stand before the file unless told otherwise. */
  readonly fileFirst?: boolean;
}

/** Somebody who calls the API; without a token, anybody. */
export class Caller {
  readonly origin: string;
  readonly token: string | null;

  constructor(origin: string, token: string | null) {
    this.origin = origin;
    this.token = token;
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.token !== null && !headers.has('authorization')) headers.set('authorization', `Bearer ${this.token}`);
    return fetch(this.origin + path, { redirect: 'manual', ...init, headers });
  }

  async send<Body = unknown>(method: string, path: string, json?: unknown): Promise<Answer<Body>> {
    const init: RequestInit =
      json === undefined
        ? { method }
        : { method, body: JSON.stringify(json), headers: { 'content-type': 'application/json' } };
    return read<Body>(await this.fetch(path, init));
  }

  get<Body = unknown>(path: string) {
    return this.send<Body>('GET', path);
  }
  post<Body = unknown>(path: string, json?: unknown) {
    return this.send<Body>('POST', path, json);
  }
  put<Body = unknown>(path: string, json?: unknown) {
    return this.send<Body>('PUT', path, json);
  }
  delete<Body = ErrorBody>(path: string) {
    return this.send<Body>('DELETE', path);
  }

  async upload<Body = unknown>({
    name,
    bytes,
    fields,
    headers = {},
    fileFirst = false,
  }: UploadParts): Promise<Answer<Body>> {
    const form = new FormData();
    const file = () => form.append('file', new Blob([(bytes ?? 'hello') as string]), name ?? 'hello.txt');
    if (fileFirst) file();
    for (const [key, value] of Object.entries(fields)) form.append(key, String(value));
    if (!fileFirst) file();
    return read<Body>(await this.fetch('/api/files', { method: 'POST', body: form, headers }));
  }
}

async function read<Body>(response: Response): Promise<Answer<Body>> {
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') ?? false;
  const body = (text === '' ? undefined : json ? JSON.parse(text) : text) as Body;
  return { status: response.status, headers: response.headers, body };
}

export interface TestApp {
  readonly app: FastifyInstance;
  readonly context: Context;
  readonly database: Database;
  readonly config: Config;
  readonly origin: string;
  /** The lines the server logged, parsed. */
  readonly log: readonly Record<string, unknown>[];
  readonly anonymous: Caller;
  readonly admin: Caller;
  /** Moves the server's clock, in ms. */
  advance(byMs: number): void;
  login(username: string, password: string): Promise<Caller>;
  close(): Promise<void>;
}

export async function startTestApp(
  kind: DatabaseKind,
  environment: Readonly<Record<string, string>> = {},
): Promise<TestApp> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-test-'));
  const config = readConfig({ DATA_DIR: folder, ADMIN_PASSWORD, ...environment });
  const { database, drop } = await openTestDatabase(kind, join(folder, 'coffer.db'));
  let clockOffsetMs = 0;
  const context = await openContext(config, { database, now: () => Date.now() + clockOffsetMs });
  await context.makeFirstAdmin();
  const log: Record<string, unknown>[] = [];
  const app = await buildApp(context, {
    logger: { level: 'debug', stream: { write: (line: string) => void log.push(JSON.parse(line)) } },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const anonymous = new Caller(origin, null);

  async function login(username: string, password: string): Promise<Caller> {
    const { status, body } = await anonymous.post<LoginResponse>('/api/auth/login', { username, password });
    if (status !== 200) throw new Error(`${username} cannot sign in: ${JSON.stringify(body)}`);
    return new Caller(origin, body.token);
  }

  return {
    app,
    context,
    database,
    config,
    origin,
    log,
    anonymous,
    admin: await login(config.adminUsername, ADMIN_PASSWORD),
    advance: (byMs) => {
      clockOffsetMs += byMs;
    },
    login,
    async close() {
      await app.close();
      await context.close();
      await drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// The real application on a loopback port, over a fresh database and folder, called as named viewers.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { ErrorBody } from '#contract/errors.ts';
import type { Enrolled } from '#contract/factors.ts';
import type { LoginAnswer, LoginResponse } from '#contract/session.ts';
import { buildApp } from '../app.ts';
import { type Config, readConfig } from '../config.ts';
import { type Context, openContext } from '../context.ts';
import type { PasswordHasher } from '../people/auth/password-hasher.ts';
import { MINUTE_MS } from '../platform/clock.ts';
import type { Database, DatabaseKind } from '../platform/db/database.ts';
import type { FlushFile } from '../platform/db/wal-flush.ts';
import type { WireLimits } from '../platform/http/wire-limits.ts';
import { CodeApp, STEP_MS } from './authenticator.ts';
import { cheapPasswords } from './cheap-passwords.ts';
import { watchErrors } from './declared-errors.ts';
import { HandClock } from './hand-clock.ts';
import { openTestDatabase } from './test-database.ts';

export const ADMIN_PASSWORD = 'correct horse';

/** A busy machine makes the loop late, most of all at the start; what the server does about that is no test's question. */
export const NEVER_LATE_MS = Number.POSITIVE_INFINITY;

/** Where nothing is: a web that happens to be built has hundreds of files, and each would be entered in every application's router. */
const NO_WEB = join(import.meta.dirname, 'no-web');

/** Longer than any caller leaves a connection idle. */
const IDLE_CONNECTION_MS = 60 * MINUTE_MS;

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
  /** Fields come before the file unless set. */
  readonly fileFirst?: boolean;
  /** Where it is sent; a file of a client unless given. */
  readonly path?: string;
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
    path = '/api/files',
  }: UploadParts): Promise<Answer<Body>> {
    const form = new FormData();
    const file = () => form.append('file', new Blob([(bytes ?? 'hello') as string]), name ?? 'hello.txt');
    if (fileFirst) file();
    for (const [key, value] of Object.entries(fields)) form.append(key, String(value));
    if (!fileFirst) file();
    return read<Body>(await this.fetch(path, { method: 'POST', body: form, headers }));
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
  /** The authenticator apps of those who signed in by `login` with SAFEGUARDS=on, by user name. */
  readonly codeApps: ReadonlyMap<string, CodeApp>;
  /** What the server's clock shows, in ms since the epoch. */
  now(): number;
  /** Moves the server's clock, in ms. What is waited for happens meanwhile where the clock is `standing`. */
  advance(byMs: number): void;
  /** How much waits for a clock that is `standing`: what is to be judged by it has to wait before it is moved. */
  waiting(): number;
  /** With SAFEGUARDS=on by an authenticator app, set up at the first time; the clock then moves where a code is used up. */
  login(username: string, password: string): Promise<Caller>;
  /** Throws where an endpoint answered an error that the contract does not declare. */
  close(): Promise<void>;
  /** Ends it, and leaves its data to be copied. */
  leave(): Promise<LeftData>;
}

/** What an application leaves: its folder, and its database by the name that `openTestDatabase` copies. */
export interface LeftData {
  readonly folder: string;
  readonly database: string;
}

export interface TestAppOptions {
  /** Cheap ones unless the cost of a hash is tested: then those of the configuration. */
  passwords?: PasswordHasher | 'as configured';
  flushFile?: FlushFile;
  limits?: Partial<WireLimits>;
  /**
   * `standing` moves by `advance` alone: for what is judged to the second, since a busy machine takes some of them for a few
   * requests. Otherwise it runs on.
   */
  clock?: 'running' | 'standing';
  /** Begins with a copy of what another application left. */
  copyOf?: LeftData | undefined;
  /** How jobs come to the process. Unless the delivery itself is tested, this one looks for them, which is done at once on either engine. */
  jobs?: 'looked for' | 'delivered as in use';
}

/** Ways in, by password and, where it is asked for, by the authenticator app of that person. */
function signIn(origin: string, { now, advance }: Pick<TestApp, 'now' | 'advance'>) {
  const anonymous = new Caller(origin, null);
  const codeApps = new Map<string, CodeApp>();

  async function login(username: string, password: string): Promise<Caller> {
    const { status, body } = await anonymous.post<LoginAnswer>('/api/auth/login', { username, password });
    if (status !== 200) throw new Error(`${username} cannot sign in: ${JSON.stringify(body)}`);
    if ('token' in body) return new Caller(origin, body.token);
    const { token, enrols } = body.challenge;
    return new Caller(origin, await (enrols ? enrol(username, token) : showCode(username, token)));
  }

  async function enrol(username: string, challenge: string): Promise<string> {
    const onTheWay = new Caller(origin, challenge);
    const setup = await onTheWay.post<{ secret: string }>('/api/auth/factors/totp');
    const codeApp = new CodeApp(setup.body.secret, now);
    const { status, body } = await onTheWay.post<Enrolled>('/api/auth/factors/totp/confirm', {
      code: codeApp.freshCode(),
    });
    if (status !== 200) throw new Error(`${username} cannot enrol: ${JSON.stringify(body)}`);
    codeApps.set(username, codeApp);
    return body.session?.token ?? '';
  }

  async function showCode(username: string, challenge: string): Promise<string> {
    const codeApp = codeApps.get(username);
    let code = codeApp?.freshCode();
    if (code === null) {
      advance(STEP_MS);
      code = codeApp?.freshCode();
    }
    const { status, body } = await anonymous.post<LoginResponse>('/api/auth/second-factor', {
      challenge,
      factor: { method: 'totp', code },
    });
    if (status !== 200) throw new Error(`${username} cannot show a code: ${JSON.stringify(body)}`);
    return body.token;
  }

  return { anonymous, codeApps, login };
}

export async function startTestApp(
  kind: DatabaseKind,
  environment: Readonly<Record<string, string>> = {},
  { passwords, flushFile, limits = {}, clock = 'running', copyOf, jobs = 'looked for' }: TestAppOptions = {},
): Promise<TestApp> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-test-'));
  const config = readConfig({ DATA_DIR: folder, ADMIN_PASSWORD, ...environment });
  if (copyOf) cpSync(copyOf.folder, folder, { recursive: true });
  const { database, keep, drop } = await openTestDatabase(kind, join(folder, 'coffer.db'), {
    migrated: true,
    copyOf: copyOf?.database,
    flushFile,
  });
  let aheadMs = 0;
  const startedAtMs = Date.now();
  const hand = clock === 'standing' ? new HandClock() : undefined;
  const now = () => (hand === undefined ? Date.now() + aheadMs : startedAtMs + hand.nowMs());
  const advance = (byMs: number) => {
    if (hand === undefined) aheadMs += byMs;
    else hand.advance(byMs);
  };
  const hasher = passwords === 'as configured' ? {} : { passwords: passwords ?? cheapPasswords(config.passwordHash) };
  const jobsAlone = jobs === 'looked for';
  const context = await openContext(config, { ...hasher, ...(hand ? { clock: hand } : {}), database, now, jobsAlone });
  await context.makeFirstAdmin();
  const log: Record<string, unknown>[] = [];
  const { app, undeclared } = await watchErrors(() =>
    buildApp(context, {
      webRoot: NO_WEB,
      limits,
      lateLoopMs: NEVER_LATE_MS,
      logger: { level: 'debug', stream: { write: (line: string) => void log.push(JSON.parse(line)) } },
    }),
  );
  // Its end waits as well, for connections that say nothing.
  if (hand) app.addHook('preClose', async () => hand.advance(MINUTE_MS));
  await app.listen({ port: 0, host: '127.0.0.1' });
  // The caller ends an idle connection first: where both are due, a late loop sends a request on one that is just being ended.
  app.server.keepAliveTimeout = IDLE_CONNECTION_MS;
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const signingIn = signIn(origin, { now, advance });

  return {
    app,
    context,
    database,
    config,
    origin,
    log,
    ...signingIn,
    now,
    admin: await signingIn.login(config.adminUsername, ADMIN_PASSWORD),
    advance,
    waiting: () => hand?.waiting ?? 0,
    async close() {
      await app.close();
      await context.close();
      await drop();
      rmSync(folder, { recursive: true, force: true });
      if (undeclared.size > 0)
        throw new Error(`Answered, and not declared in the contract: ${[...undeclared].join(', ')}`);
    },
    async leave() {
      await app.close();
      const database = await keep();
      await context.close();
      return { folder, database };
    },
  };
}

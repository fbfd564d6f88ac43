// Preloaded into a server: measures the steps of its uploads from outside, without a line in the server, and reports them at the end.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { UploadStep, UploadTimes } from './upload-steps.ts';

const folder = process.env['BENCH_STEPS_FOLDER'] ?? '';
const warmUpMs = Number(process.env['BENCH_STEPS_WARM_UP_MS']);
/** Shorter texts are tokens. */
const CONTENT_BYTES_MIN = 1_000;

/** How many uploads run a step right now, and since when: concurrent ones count once. */
type Running = Map<UploadStep, { times: number; since: number }>;

const uploads = new AsyncLocalStorage<Running | null>();
const begun = new WeakMap<IncomingMessage, number>();
const times: UploadTimes = { uploads: 0, totalMs: 0, steps: {} };
let firstAt: number | undefined;

function isWarm(): boolean {
  return firstAt !== undefined && performance.now() - firstAt > warmUpMs;
}

function add(step: UploadStep, tookMs: number): void {
  if (isWarm()) times.steps[step] = (times.steps[step] ?? 0) + tookMs;
}

function begin(step: UploadStep): () => void {
  const running = uploads.getStore();
  if (!running) return () => {};
  const now = running.get(step) ?? { times: 0, since: 0 };
  running.set(step, now);
  if (now.times === 0) now.since = performance.now();
  now.times += 1;
  return () => {
    now.times -= 1;
    if (now.times === 0) add(step, performance.now() - now.since);
  };
}

// biome-ignore lint/suspicious/noExplicitAny: functions of other programs, of any shape
type Method = (this: any, ...args: any[]) => any;

/** Puts a measuring function in the place of `target[name]`; a null step is not measured. */
function measure(target: object, name: string, stepOf: (self: object, args: readonly unknown[]) => UploadStep | null) {
  const methods = target as Record<string, Method>;
  const original = methods[name];
  if (original === undefined) throw new Error(`There is no ${name} to measure`);
  methods[name] = function (...args) {
    const step = stepOf(this, args);
    if (step === null) return original.apply(this, args);
    const end = begin(step);
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      return original.apply(this, [
        ...args.slice(0, -1),
        (...answer: unknown[]) => {
          end();
          return callback(...answer);
        },
      ]);
    }
    const result = original.apply(this, args);
    if (typeof result?.then === 'function') return result.finally(end);
    end();
    return result;
  };
}

const folders = new WeakSet<object>();
const handle = await files.open(import.meta.filename);
measure(Object.getPrototypeOf(handle), 'write', () => 'write');
measure(Object.getPrototypeOf(handle), 'sync', (self) =>
  folders.has(self) ? 'fsync of folders' : 'fsync of the file',
);
await handle.close();
const { open } = files;
files.open = async (path, flags, mode) => {
  const isFolder = flags === undefined || flags === 'r';
  const end = begin(isFolder ? 'fsync of folders' : 'create the file');
  try {
    const opened = await open(path, flags, mode);
    if (isFolder) folders.add(opened);
    return opened;
  } finally {
    end();
  }
};
measure(files, 'rename', () => 'rename');
measure(files, 'mkdir', () => 'make folders');
measure(files, 'statfs', () => 'look for room');
syncBuiltinESMExports();

measure(Object.getPrototypeOf(createHash('sha256')), 'update', (_self, [bytes]) =>
  Buffer.isBuffer(bytes) && bytes.length > CONTENT_BYTES_MIN ? 'hash' : null,
);

/** Its client sends each piece of a body to the parser, which hands the parts on: not in the context of any one upload. */
const require = createRequire(createRequire(import.meta.url).resolve('@fastify/multipart'));
const parser = require('@fastify/busboy').prototype as { _write: Method };
const { _write } = parser;
parser._write = function (...args) {
  const at = performance.now();
  const result = _write.apply(this, args);
  add('parse', performance.now() - at);
  return result;
};

const stepOfSql = (text: unknown): UploadStep | null =>
  typeof text !== 'string' ? null : /^\s*commit/i.test(text) ? 'commit' : 'statements';

measure(DatabaseSync.prototype, 'exec', (_self, [text]) => stepOfSql(text));
const database = new DatabaseSync(':memory:');
const statement = Object.getPrototypeOf(database.prepare('select 1')) as object;
database.close();
for (const name of ['all', 'get', 'run']) {
  measure(statement, name, (self) => stepOfSql((self as { sourceSQL: string }).sourceSQL));
}
measure(pg.Client.prototype, 'query', (_self, [asked]) =>
  stepOfSql(typeof asked === 'string' ? asked : (asked as { text?: unknown }).text),
);

subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage };
  const isUpload = request.method === 'POST' && request.url === '/api/files';
  if (isUpload) {
    firstAt ??= performance.now();
    begun.set(request, performance.now());
  }
  uploads.enterWith(isUpload ? new Map() : null);
});

subscribe('http.server.response.finish', (message) => {
  const beganAt = begun.get((message as { request: IncomingMessage }).request);
  if (beganAt === undefined || !isWarm()) return;
  times.uploads += 1;
  times.totalMs += performance.now() - beganAt;
});

process.on('exit', () => writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(times)));

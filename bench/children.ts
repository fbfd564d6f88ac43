// The processes under test: started, measured from outside, and always ended.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const ROOT = join(import.meta.dirname, '..');

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;
const KEPT_OUTPUT_CHARACTERS = 4_000;
const CPU_TICK_MS = 10;

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

export interface Server {
  readonly pid: number;
  /** Like http://127.0.0.1:40123. */
  readonly origin: string;
  /** From the start of the process to its first line that names its address. */
  readonly startedAfterMs: number;
  /** Processor time in ms used so far, that of the engine included; null where the system does not report it. */
  processorMs(): number | null;
  /** The end of what it printed, to show what went wrong. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts a program of this repository on Node and waits until it prints the address it serves on. */
async function startServer(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let kept = '';
  let isAskedToEnd = false;
  const ended = new Promise<void>((resolve) => {
    child.once('close', (code, signal) => {
      children.delete(child);
      // Whoever calls it sees a refused connection at most, and that says nothing about the reason.
      if (!isAskedToEnd)
        process.stderr.write(`${args.join(' ')} ended by itself (${signal ?? `exit code ${code}`}):\n${kept}\n`);
      resolve();
    });
  });
  const stop = async () => {
    isAskedToEnd = true;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
  };
  const origin = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${args.join(' ')} did not start:\n${kept}`)), START_TIMEOUT_MS);
    const read = (chunk: Buffer) => {
      kept = (kept + chunk.toString()).slice(-KEPT_OUTPUT_CHARACTERS);
      const address = / on (http:\/\/\S+)/.exec(kept)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    void ended.then(() => {
      clearTimeout(timer);
      reject(new Error(`${args.join(' ')} ended at once:\n${kept}`));
    });
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('A running process has no id');
  return {
    pid,
    origin,
    startedAfterMs: performance.now() - startedAt,
    processorMs: () => processorMs(pid),
    output: () => kept,
    stop,
  };
}

const settings = JSON.parse(readFileSync(join(ROOT, 'server/process-settings.json'), 'utf8')) as {
  nodeFlags: string[];
  environment: Record<string, string>;
};

export const ADMIN_PASSWORD = 'bench-password-0';

/** The application as `npm start` runs it, on a port of its own, with its data folder and what `environment` names set. */
export function startApplication(
  dataDir: string,
  nodeFlags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const unset = ['DATABASE_URL', 'BLOB_URL', 'MAX_UPLOAD_BYTES', 'TRUST_PROXY', 'PUBLIC_ORIGIN', 'ADMIN_USERNAME'];
  return startServer([...settings.nodeFlags, ...nodeFlags, 'server/main.ts'], {
    ...settings.environment,
    ...Object.fromEntries(unset.map((name) => [name, ''])),
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'warn',
    SAFEGUARDS: 'off',
    // The rows of a bench have no bytes that could be read.
    SEARCH_INSIDE: 'off',
    ADMIN_PASSWORD,
    ...environment,
  });
}

/** The hand-written floor over the same database; `dataDir` holds the blobs, and a folder that the floor writes to. */
export function startFloor(
  databaseUrl: string,
  dataDir: string,
  nodeFlags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Server> {
  return startServer([...nodeFlags, 'bench/floor.ts', databaseUrl, dataDir], environment);
}

/** Resident memory in bytes now; null where the system does not report it. */
export function residentBytes(pid: number): number | null {
  try {
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? null : Number(kib) * 1024;
  } catch {
    return residentBytesByPs(pid);
  }
}

function residentBytesByPs(pid: number): number | null {
  try {
    const kib = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim());
    return Number.isFinite(kib) ? kib * 1024 : null;
  } catch {
    return null;
  }
}

/** The times of a process from proc(5), in ms: its own over all threads, or of its first one alone, and that of its children that have ended. */
function processTimes(pid: number, of = ''): { own: number; ended: number } {
  const stat = readFileSync(`/proc/${pid}${of}/stat`, 'utf8');
  // After the name, which is in brackets and may hold anything: fields 14 to 17.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const sum = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) * CPU_TICK_MS;
  return { own: sum(11), ended: sum(13) };
}

/** Processor time used so far in milliseconds, over all threads; null where the system does not report it. */
function processorMs(pid: number): number | null {
  try {
    return processTimes(pid).own;
  } catch {
    return null;
  }
}

/** The same of its event loop alone. */
export function loopProcessorMs(pid: number): number | null {
  try {
    return processTimes(pid, `/task/${pid}`).own;
  } catch {
    return null;
  }
}

/** The same of a process together with all of its children, past and present. */
export function familyProcessorMs(pid: number): number | null {
  try {
    const { own, ended } = processTimes(pid);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return children.reduce((total, child) => total + (processorMs(Number(child)) ?? 0), own + ended);
  } catch {
    return null;
  }
}

/** Watches the resident memory of a process until `stop`, which answers the highest value seen. */
export function watchMemory(pid: number): { stop(): number | null } {
  let highest = residentBytes(pid);
  const timer = setInterval(() => {
    const now = residentBytes(pid);
    if (now !== null && now > (highest ?? 0)) highest = now;
  }, 50);
  return {
    stop() {
      clearInterval(timer);
      return highest;
    },
  };
}

// Loaded into a server that is a process of its own, before its own code: the half minute that its end may take passes on SIGWINCH, so that
// no test waits for it.
import { once } from 'node:events';
import process from 'node:process';
import { promisify } from 'node:util';

const HALF_A_MINUTE_MS = 30_000;

const start = globalThis.setTimeout;
const sleep = promisify(start);

/** What `promisify(setTimeout)` answers, by which the end of a process is timed. */
const sleepUntilTold = async (ms?: number, value?: unknown): Promise<unknown> => {
  if (ms !== HALF_A_MINUTE_MS) return sleep(ms, value);
  await once(process, 'SIGWINCH');
  return value;
};

const told = Object.assign(start.bind(globalThis), { [promisify.custom]: sleepUntilTold });
Object.assign(globalThis, { setTimeout: told });

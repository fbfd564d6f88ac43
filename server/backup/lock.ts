// One backup at a time is written to a place, and one restore to another. What a killed one has left is taken over.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { z } from 'zod';
import type { NamedObjects } from '../platform/blobs/named-objects.ts';
import { CLOCKS_DIFFER_MS } from '../platform/clock.ts';
import { BackupRefusal } from './backup-refusal.ts';

const NAME = 'lock';
const TOUCHED_EVERY_MS = 60_000;
/** What nobody has touched for so long belongs to nobody: on this machine, too, where another process may have its number by now. */
const OVER_AFTER_MS = 15 * 60_000;

const Lock = z.object({ id: z.string(), host: z.string(), pid: z.number(), touchedAt: z.number() });
type Lock = z.output<typeof Lock>;

/** Those of this process. */
const held = new Set<string>();

async function read(objects: NamedObjects): Promise<Lock | null> {
  const bytes = await objects.read(NAME);
  if (bytes === null) return null;
  try {
    return Lock.parse(JSON.parse(bytes.toString()));
  } catch {
    return { id: '', host: '', pid: 0, touchedAt: 0 };
  }
}

function isOver({ id, host, pid, touchedAt }: Lock, nowMs: number): boolean {
  if (nowMs - touchedAt > OVER_AFTER_MS) return true;
  // One of a time to come was left before the clock was put back.
  if (host !== hostname()) return touchedAt - nowMs > CLOCKS_DIFFER_MS;
  return pid === process.pid ? !held.has(id) : !isAlive(pid);
}

/** Of this machine. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Resolves to what gives the lock back. Rejects with BackupRefusal where another one, of which `goesOn` says that it goes on, has it. */
export async function takeLock(
  objects: NamedObjects,
  now: () => number,
  goesOn = 'Another backup is being written there',
): Promise<() => Promise<void>> {
  const mine = { id: randomUUID(), host: hostname(), pid: process.pid };
  const content = () => JSON.stringify({ ...mine, touchedAt: now() } satisfies Lock);
  const there = await read(objects);
  if (there !== null) {
    if (!isOver(there, now())) throw busy(there, goesOn);
    await objects.remove(NAME);
  }
  // Held before it is there: whoever of this process finds it takes no living lock for a dead one.
  held.add(mine.id);
  try {
    await objects.writeNew(NAME, content());
    const taken = await read(objects);
    if (taken?.id !== mine.id) throw busy(taken, goesOn);
  } catch (error) {
    held.delete(mine.id);
    throw error;
  }
  let touched: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // A place that is away for a moment fails what is written, not this.
    touched = objects.write(NAME, content()).catch(() => {});
  }, TOUCHED_EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await touched;
    held.delete(mine.id);
    await objects.remove(NAME);
  };
}

function busy(lock: Lock | null, goesOn: string): BackupRefusal {
  const who = lock === null || lock.host === '' ? '' : ` (process ${lock.pid} of ${lock.host})`;
  return new BackupRefusal('busy', `${goesOn}${who}. Wait until it has ended.`);
}

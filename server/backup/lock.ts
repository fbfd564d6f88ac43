// One backup at a time is written to a place, and one restore to another. What a killed one has left is taken over.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { z } from 'zod';
import type { NamedObjects } from '../platform/blobs/named-objects.ts';
import { CLOCKS_DIFFER_MS } from '../platform/clock.ts';
import { BackupRefusal } from './backup-refusal.ts';

const NAME = 'lock';
/** Whether a file of the place is a lock, or the draft of one. */
export const isOfLock = (name: string): boolean => name === NAME || name.startsWith(`${NAME}.`);
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
  // However the clock leaps: this process knows its own.
  if (held.has(id)) return false;
  if (nowMs - touchedAt > OVER_AFTER_MS) return true;
  // One of a time to come was left before the clock was put back.
  if (host !== hostname()) return touchedAt - nowMs > CLOCKS_DIFFER_MS;
  return pid === process.pid || !isAlive(pid);
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

/** Whoever stands still for long, as a machine that sleeps does, loses it to another one. */
interface HeldLock {
  isMine(): Promise<boolean>;
  /** True where another one has it: one that is gone, as with the disk it was on, is nobody's. */
  isOvertaken(): Promise<boolean>;
  /** Rejects with BackupRefusal where another one has taken it over, or it is gone. */
  requireMine(): Promise<void>;
  /** One that is another's by now stays. */
  release(): Promise<void>;
}

/** Rejects with BackupRefusal where another one, of which `goesOn` says that it goes on, has the lock. */
export async function takeLock(
  objects: NamedObjects,
  now: () => number,
  goesOn = 'Another backup is being written there',
): Promise<HeldLock> {
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
  const isMine = async () => (await read(objects))?.id === mine.id;
  const touch = async () => {
    if (await isMine()) await objects.write(NAME, content());
  };
  let touched: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // A place that is away for a moment fails what is written, not this.
    touched = touch().catch(() => {});
  }, TOUCHED_EVERY_MS).unref();
  return {
    isMine,
    async isOvertaken() {
      const now = await read(objects);
      return now !== null && now.id !== mine.id;
    },
    async requireMine() {
      const there = await read(objects);
      if (there?.id === mine.id) return;
      if (there === null) {
        throw new BackupRefusal(
          'notWhole',
          'What this one has left there to keep others away is gone. See whether the disk of that place is still mounted. Or another one has taken it over meanwhile, because this one stood still, and has ended by now. Run it again: it goes on.',
        );
      }
      throw new BackupRefusal(
        'busy',
        'Another one has taken this place over meanwhile, because this one stood still or the clock was put forward. Run it again: it goes on.',
      );
    },
    async release() {
      clearInterval(timer);
      await touched;
      held.delete(mine.id);
      if (await isMine()) await objects.remove(NAME);
    },
  };
}

function busy(lock: Lock | null, goesOn: string): BackupRefusal {
  const who = lock === null || lock.host === '' ? '' : ` (process ${lock.pid} of ${lock.host})`;
  return new BackupRefusal('busy', `${goesOn}${who}. Wait until it has ended.`);
}

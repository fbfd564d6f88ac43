// Where the processors are busy, short answers on the event loop come before long work in a thread.
import { constants, getPriority, setPriority } from 'node:os';
import process from 'node:process';

/** What a thread gives way by: with 10 it weighs a tenth of the event loop where both want a processor, with 5 a third. */
export const GIVES_WAY_BY = { unawaited: 10, awaited: 5 };
const LOWEST = constants.priority.PRIORITY_LOW;

/** Called in a thread, lowers its priority. Linux takes this for the calling thread alone; elsewhere it would be the whole process. */
export function giveWay(by: number): void {
  if (process.platform === 'linux') setPriority(Math.min(getPriority() + by, LOWEST));
}

// Where the processors are busy, short answers on the event loop come before long work in a thread.
import { constants, getPriority, setPriority } from 'node:os';
import process from 'node:process';

const GIVES_WAY_BY = 10;
const LOWEST = constants.priority.PRIORITY_LOW;

/** Called in a thread, lowers its priority. Linux takes this for the calling thread alone; elsewhere it would be the whole process. */
export function giveWay(): void {
  if (process.platform === 'linux') setPriority(Math.min(getPriority() + GIVES_WAY_BY, LOWEST));
}

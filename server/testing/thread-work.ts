// Work of every kind for a thread, for tests of what it answers and of when it is ended.
import { getPriority } from 'node:os';
import { createInflate, deflateSync, inflateSync } from 'node:zlib';

export type ThreadWork =
  | 'count'
  | 'users'
  | 'bytes'
  | 'bytes left'
  | 'priority'
  | 'fault'
  | 'throw'
  | 'exit'
  | 'heap'
  | 'buffers'
  | 'large'
  | 'endless'
  | 'silent'
  | Inflating;
type Inflating = 'streams' | 'buffers inflated';

const DEFLATED = deflateSync('a few words');

const kept: unknown[] = [];
let asked = 0;
let users = 0;
let isSound = true;
const bytes = Uint8Array.of(1, 2, 3);

/**
 * How often its user asked it, when it answers at all; for `users`, how many it had before, for `priority`, by how much it gives way, and for `bytes left`,
 * how many of `bytes` it has.
 */
export function work(kind: ThreadWork): number | Uint8Array<ArrayBuffer> | Promise<number> {
  asked += 1;
  if (kind === 'silent') return new Promise(() => {});
  if (kind === 'users') return users;
  if (kind === 'bytes') return bytes;
  if (kind === 'bytes left') return bytes.length;
  if (kind === 'priority') return getPriority();
  if (kind === 'fault') isSound = false;
  if (kind === 'large') kept.push(new Uint8Array(70_000_000).fill(1));
  if (kind === 'throw') throw new RangeError('This is not to be done');
  if (kind === 'exit') process.exit(7);
  while (kind === 'endless') asked += 1;
  while (kind === 'streams') createInflate().close();
  while (kind === 'buffers inflated') inflateSync(DEFLATED);
  while (kind === 'heap') kept.push(Array.from({ length: 1_000 }, (_, at) => ({ at })));
  while (kind === 'buffers') kept.push(new Uint8Array(1_000_000).fill(1));
  return asked;
}

export function forget(): boolean {
  users += 1;
  asked = 0;
  return isSound;
}

export const moved = (output: unknown) => (output instanceof Uint8Array ? [output.buffer] : []);

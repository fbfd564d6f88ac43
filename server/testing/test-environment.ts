// What a test run gives all its processes by the environment so that they need less time: temporary folders in memory, and
// code that is compiled once.
import { statfsSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';

const IN_MEMORY = '/dev/shm';
/** Several times what a run holds at once. */
const ROOM_BYTES = 2 * 1024 ** 3;

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}

/** Prepares the environment of this process and of those it starts; variables that are set already stay. */
export function prepareTestEnvironment(): void {
  // Nothing in these folders needs to last, and flushing them to a disk is a good part of a run.
  if (process.platform === 'linux' && hasRoom(IN_MEMORY)) process.env['TMPDIR'] ??= IN_MEMORY;
  process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, '../../dist/test-compile-cache');
}

/** What a program of the server inherits that is started without any other variable. */
export const compileCache = (): Record<string, string> => {
  const folder = process.env['NODE_COMPILE_CACHE'];
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
};

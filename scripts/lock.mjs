// Lets one process at a time prepare this folder, also after one that was killed halfway.
import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;

/**
 * A lock is a folder that holds one file, named by a token of its owner. It appears complete, by a rename, and only an empty
 * folder can be replaced by the next one; so nobody removes a lock that they did not read.
 */
function tryTake(path, token) {
  const draft = `${path}-${token}`;
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, token), JSON.stringify({ pid: process.pid, host: hostname() }));
  try {
    renameSync(draft, path);
    return true;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'].includes(error.code)) return false;
    throw error;
  }
}

function leave(path, token) {
  try {
    unlinkSync(join(path, token));
    rmdirSync(path);
  } catch {
    // Someone else already cleared it away, or has taken it since.
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Clears the lock of an owner that no longer lives. An owner on another machine is believed. */
function clearDead(path) {
  try {
    const [token] = readdirSync(path);
    if (token === undefined) return rmdirSync(path);
    const owner = JSON.parse(readFileSync(join(path, token), 'utf8'));
    if (owner.host === hostname() && !isAlive(owner.pid)) leave(path, token);
  } catch {
    // Its owner changed while we looked; the next try reads the new one.
  }
}

/** Runs `work` while no other process on this folder runs theirs; `onWait` is called once where it has to wait. */
export async function withLock(path, work, onWait = () => {}) {
  const token = randomUUID();
  mkdirSync(dirname(path), { recursive: true });
  for (let waits = 0; !tryTake(path, token); waits += 1) {
    if (waits === 5) onWait();
    clearDead(path);
    await sleep(POLL_MS);
  }
  const release = () => leave(path, token);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

// The lock of a clone: one process at a time, also after an owner that was killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';

const lockModule = new URL('./lock.mjs', import.meta.url).href;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coffer-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A process that takes the lock `times` times and each time holds it for `stayMs`, logging both ends. */
function contender({ times, stayMs }: { times: number; stayMs: number }) {
  const script = `
    const { withLock } = await import(${JSON.stringify(lockModule)});
    const { appendFile } = await import('node:fs/promises');
    const { setTimeout } = await import('node:timers/promises');
    for (let n = 0; n < ${times}; n += 1) {
      await withLock('lock', async () => {
        await appendFile('log', 'in ');
        await setTimeout(${stayMs});
        await appendFile('log', 'out ');
      });
    }`;
  return spawn(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder, stdio: 'inherit' });
}

const log = () => readFile(join(folder, 'log'), 'utf8');

test('processes that start together take turns', async () => {
  const contenders = Array.from({ length: 4 }, () => contender({ times: 3, stayMs: 20 }));
  const codes = await Promise.all(contenders.map((child) => once(child, 'close')));
  expect(codes.map(([code]) => code)).toEqual([0, 0, 0, 0]);
  expect(await log()).toBe('in out '.repeat(12));
}, 120_000);

test('the lock of a killed process is taken over, by one of those who wait', async () => {
  await writeFile(join(folder, 'log'), '');
  const owner = contender({ times: 1, stayMs: 60_000 });
  while ((await log()) === '') await sleep(20);
  const waiting = [contender({ times: 1, stayMs: 20 }), contender({ times: 1, stayMs: 20 })];
  await sleep(300);
  expect(await log()).toBe('in ');
  owner.kill('SIGKILL');
  await Promise.all(waiting.map((child) => once(child, 'close')));
  expect(await log()).toBe('in in out in out ');
}, 120_000);

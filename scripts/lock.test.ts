// The lock of a clone: one process at a time, also after an owner that was killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const lockModule = new URL('./lock.mjs', import.meta.url).href;

let folder = '';
const started: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coffer-lock-'));
});
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** A process that takes the lock `times` times. Each time it says `in`, and leaves when it is told to; `waits` after some tries. */
function contender(times = 1): ChildProcess {
  const script = `
    const { withLock } = await import(${JSON.stringify(lockModule)});
    const { appendFile } = await import('node:fs/promises');
    const { once } = await import('node:events');
    for (let n = 0; n < ${times}; n += 1) {
      await withLock('lock', async () => {
        await appendFile('log', 'in ');
        process.send('in');
        await once(process, 'message');
        await appendFile('log', 'out ');
      }, () => process.send('waits'));
    }
    process.disconnect();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  started.push(child);
  return child;
}

const log = () => readFile(join(folder, 'log'), 'utf8');
const leave = (child: ChildProcess) => child.send('leave');

/** The contender that says this first. */
const firstToSay = (what: 'in' | 'waits', children: readonly ChildProcess[]) =>
  new Promise<ChildProcess>((resolve) => {
    for (const child of children) child.on('message', (said) => said === what && resolve(child));
  });
/** Once every one of them has tried in vain, again and again. */
const allWait = (children: readonly ChildProcess[]) =>
  Promise.all(children.map((child) => firstToSay('waits', [child])));
const allEnd = (children: readonly ChildProcess[]) => Promise.all(children.map((child) => once(child, 'close')));

test('processes that start together take turns', async () => {
  const contenders = Array.from({ length: 4 }, () => contender(3));
  const waiting = contenders.map((child) => firstToSay('waits', [child]));
  const ended = allEnd(contenders);
  const first = await firstToSay('in', contenders);
  await Promise.all(waiting.filter((_, nth) => contenders[nth] !== first));
  expect(await log()).toBe('in ');
  for (const child of contenders) child.on('message', (said) => said === 'in' && leave(child));
  leave(first);
  expect((await ended).map(([code]) => code)).toEqual([0, 0, 0, 0]);
  expect(await log()).toBe('in out '.repeat(12));
}, 120_000);

test('the lock of a killed process is taken over, by one of those who wait', async () => {
  const owner = contender();
  await firstToSay('in', [owner]);
  const waiting = [contender(), contender()];
  const ended = allEnd(waiting);
  const next = firstToSay('in', waiting);
  await allWait(waiting);
  expect(await log()).toBe('in ');
  owner.kill('SIGKILL');
  const heir = await next;
  // Until this one has tried in vain, the other one has too.
  const late = contender();
  await allWait([late]);
  expect(await log()).toBe('in in ');
  for (const child of [...waiting, late])
    if (child !== heir) child.on('message', (said) => said === 'in' && leave(child));
  leave(heir);
  await Promise.all([ended, once(late, 'close')]);
  expect(await log()).toBe('in in out in out in out ');
}, 120_000);

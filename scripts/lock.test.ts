// The lock of a clone: one process at a time, also after an owner that was killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../server/testing/eventually.ts';

const lockModule = new URL('./lock.mjs', import.meta.url).href;

let folder = '';
/** Every process of this test, with what it has said. */
const said = new Map<ChildProcess, unknown[]>();
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coffer-lock-'));
});
afterEach(async () => {
  for (const child of said.keys()) child.kill('SIGKILL');
  said.clear();
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
  const words: unknown[] = [];
  said.set(child, words);
  child.on('message', (word) => words.push(word));
  return child;
}

const log = () => readFile(join(folder, 'log'), 'utf8');
const leave = (child: ChildProcess) => child.send('leave');
const leaveAlways = (child: ChildProcess) => child.on('message', (said) => said === 'in' && leave(child));
const ended = (children: readonly ChildProcess[]) => Promise.all(children.map((child) => once(child, 'close')));

/** Those of them who say this, once so many have. */
async function saying(what: 'in' | 'waits', children: readonly ChildProcess[], count: number): Promise<ChildProcess[]> {
  const found = () => children.filter((child) => said.get(child)?.includes(what));
  await eventually(() => expect(found().length).toBe(count));
  return found();
}

test('processes that start together take turns', async () => {
  const contenders = Array.from({ length: 4 }, () => contender(3));
  const end = ended(contenders);
  const [first] = await saying('in', contenders, 1);
  // Each of them has tried in vain, again and again.
  await saying('waits', contenders, 3);
  expect(await log()).toBe('in ');
  for (const child of contenders) leaveAlways(child);
  if (first) leave(first);
  expect((await end).map(([code]) => code)).toEqual([0, 0, 0, 0]);
  expect(await log()).toBe('in out '.repeat(12));
});

test('the lock of a killed process is taken over, by one of those who wait', async () => {
  const owner = contender();
  await saying('in', [owner], 1);
  const waiting = [contender(), contender()];
  await saying('waits', waiting, 2);
  expect(await log()).toBe('in ');
  owner.kill('SIGKILL');
  const [heir] = await saying('in', waiting, 1);
  // Until this one has tried in vain, the other one has too.
  const late = contender();
  const end = ended([...waiting, late]);
  await saying('waits', [late], 1);
  expect(await log()).toBe('in in ');
  for (const child of [...waiting, late]) leaveAlways(child);
  if (heir) leave(heir);
  await end;
  expect(await log()).toBe('in in out in out in out ');
});

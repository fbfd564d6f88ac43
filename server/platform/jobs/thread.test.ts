// Threads that answer question after question, and those that are ended before they do.
import { execFile } from 'node:child_process';
import { constants, getPriority } from 'node:os';
import process from 'node:process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ThreadWork } from '#server/testing/thread-work.ts';
import { work as zlibWork } from '#server/testing/zlib-work.ts';
import { giveBack } from './give-back.ts';
import { movable, Thread, ThreadLimit, type ThreadOptions } from './thread.ts';

const MODULE = new URL('../../testing/thread-work.ts', import.meta.url);
/** Without what is tested here, a tenth of them is enough to fail. */
const ROUNDS = 60;
const MEGABYTE = 1024 * 1024;

const threadFor = (options?: ThreadOptions) => new Thread<ThreadWork, number>(MODULE, options);

describe('a thread', () => {
  afterEach(() => vi.useRealTimers());

  it('keeps what it knows from one question to the next', async () => {
    await using thread = threadFor();
    expect([await thread.ask('count'), await thread.ask('count')]).toEqual([1, 2]);
    await using another = threadFor();
    expect(await another.ask('count')).toBe(1);
  });

  it('answers on after a question it could not answer', async () => {
    await using thread = threadFor();
    await expect(thread.ask('throw')).rejects.toThrow('This is not to be done');
    expect(await thread.ask('count')).toBe(2);
  });

  it('says when it has begun, and that it never will', async () => {
    const abort = new AbortController();
    await using thread = threadFor();
    await thread.begun();
    expect(await thread.ask('count')).toBe(1);
    await thread.begun();
    await using ended = threadFor({ signal: abort.signal });
    abort.abort(new Error('Nobody waits any more'));
    await expect(ended.begun()).rejects.toThrow('Nobody waits any more');
  });

  it('moves what its module says of an answer', async () => {
    await using thread = new Thread<ThreadWork, number | Uint8Array>(MODULE);
    expect(await thread.ask('bytes')).toEqual(Uint8Array.of(1, 2, 3));
    expect(await thread.ask('bytes left')).toBe(0);
  });

  it('that dies says so, and to whoever asks afterwards', async () => {
    await using thread = threadFor();
    await expect(thread.ask('exit')).rejects.toThrow('The thread ended with 7');
    await expect(thread.ask('count')).rejects.toThrow('The thread ended with 7');
  });

  it('is ended when it does not answer in time', async () => {
    await using thread = threadFor();
    expect(await thread.ask('count', { withinMs: 30_000 })).toBe(1);
    await expect(thread.ask('endless', { withinMs: 100 })).rejects.toThrow(ThreadLimit);
  });

  it('that has not used its time is waited for, though not for ever', async () => {
    await using thread = threadFor();
    await thread.ask('count');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const answer = expect(thread.ask('silent', { processorMs: 100_000 })).rejects.toThrow(ThreadLimit);
    vi.advanceTimersByTime(100_000);
    // It is looked at again, and there is an end.
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(2));
    vi.advanceTimersByTime(400_000);
    await answer;
  });

  it.each(['heap', 'buffers'] as const)('is ended when its %s grow beyond what it was given', async (kind) => {
    await using thread = threadFor({ memoryBytes: 100 * MEGABYTE });
    await expect(thread.ask(kind)).rejects.toThrow(ThreadLimit);
  });

  it.runIf(process.platform === 'linux')(
    'gives way to the event loop, and less so where somebody waits for it',
    async () => {
      const { givesWay } = Thread;
      onTestFinished(() => void Object.assign(Thread, { givesWay }));
      Thread.givesWay = true;
      await using thread = threadFor();
      await using awaited = threadFor({ isAwaited: true });
      // A run of the tests may give way to others itself, and nothing is lower than the lowest.
      const lower = [10, 5].map((by) => Math.min(getPriority() + by, constants.priority.PRIORITY_LOW));
      expect([await thread.ask('priority'), await awaited.ask('priority')]).toEqual(lower);
    },
  );

  it('is ended wherever it is when the signal says so', async () => {
    const abort = new AbortController();
    await using thread = threadFor({ signal: abort.signal });
    await thread.ask('count');
    const answer = thread.ask('endless');
    abort.abort(new Error('Nobody waits any more'));
    await expect(answer).rejects.toThrow('Nobody waits any more');
    expect(() => threadFor({ signal: abort.signal })).toThrow('Nobody waits any more');
  });
});

describe('zlib in a thread', () => {
  it('works as outside, by every way', async () => {
    await using thread = new Thread<null, object>(new URL('../../testing/zlib-work.ts', import.meta.url));
    expect(await thread.ask(null)).toEqual(await zlibWork());
  });

  // In a process of its own, since a thread that is ended between the two steps of a handle would take this one with it.
  it.each(['streams', 'buffers inflated'] as const satisfies readonly ThreadWork[])(
    'G115: lets a thread that makes endless %s be ended at any moment',
    async (kind) => {
      const script = `(async () => {
        const { Thread } = await import(${JSON.stringify(new URL('./thread.ts', import.meta.url).href)});
        for (let round = 0; round < ${ROUNDS}; round += 1) {
          await using thread = new Thread(new URL(${JSON.stringify(MODULE.href)}));
          await thread.ask('count');
          await thread.ask(${JSON.stringify(kind)}, { withinMs: 1 + (round % 5) }).catch(() => {});
        }
        console.log('all ended');
      })()`;
      const { stdout } = await promisify(execFile)(process.execPath, ['--eval', script]);
      expect(stdout).toBe('all ended\n');
    },
  );
});

describe('a thread that is kept', () => {
  const KEPT: ThreadOptions = { isKept: true };
  afterEach(async () => {
    vi.useRealTimers();
    // Nothing waits for the next test.
    await using thread = threadFor(KEPT);
    await thread.ask('fault');
  });

  async function use(kind: ThreadWork, options: ThreadOptions = KEPT): Promise<void> {
    await using thread = threadFor(options);
    await thread.ask(kind);
  }
  async function usersBefore(options: ThreadOptions = KEPT): Promise<number> {
    await using thread = threadFor(options);
    return await thread.ask('users');
  }

  it('is found by the next user, and knows nothing of the one before', async () => {
    await use('count');
    await using thread = threadFor(KEPT);
    expect([await thread.ask('count'), await thread.ask('users')]).toEqual([1, 1]);
  });

  it('serves one user at a time, and others of its kind alone', async () => {
    await use('count');
    await using one = threadFor(KEPT);
    expect(await one.ask('users')).toBe(1);
    expect(await usersBefore()).toBe(0);
    expect(await usersBefore({ isAwaited: true, ...KEPT })).toBe(0);
    expect(await usersBefore({})).toBe(0);
  });

  it('is one of those that were used at once', async () => {
    {
      await using one = threadFor(KEPT);
      await using another = threadFor(KEPT);
      await Promise.all([one.ask('count'), another.ask('count')]);
    }
    await using first = threadFor(KEPT);
    await using second = threadFor(KEPT);
    expect([await first.ask('users'), await second.ask('users')]).toEqual([1, 0]);
  });

  it.each(['fault', 'throw', 'exit', 'large'] as const)('is ended after a question of the kind %s', async (kind) => {
    await use(kind).catch(() => {});
    expect(await usersBefore()).toBe(0);
  });

  it.each<[what: string, use: () => Promise<unknown>]>([
    ['was not used', async () => threadFor(KEPT)[Symbol.asyncDispose]()],
    ['took more memory than it was given', () => use('heap', { memoryBytes: 100 * MEGABYTE, ...KEPT })],
    [
      'did not answer in time',
      async () => {
        await using thread = threadFor(KEPT);
        await thread.ask('endless', { withinMs: 100 });
      },
    ],
    [
      'was left with a question open',
      async () => {
        await using thread = threadFor(KEPT);
        thread.ask('count').catch(() => {});
      },
    ],
    [
      'was aborted',
      async () => {
        const abort = new AbortController();
        await using thread = threadFor({ signal: abort.signal, ...KEPT });
        await thread.ask('count');
        abort.abort();
      },
    ],
  ])('is ended where it %s', async (_what, work) => {
    await work().catch(() => {});
    expect(await usersBefore()).toBe(0);
  });

  it('has the bounds of its user, and ends with the signal of no other', async () => {
    const abort = new AbortController();
    await use('count', { signal: abort.signal, memoryBytes: 1_000 * MEGABYTE, ...KEPT });
    await using thread = threadFor({ memoryBytes: 100 * MEGABYTE, ...KEPT });
    expect(await thread.ask('users')).toBe(1);
    abort.abort();
    expect(await thread.ask('count')).toBe(2);
    await expect(thread.ask('buffers')).rejects.toThrow(ThreadLimit);
  });

  it('keeps no process from ending', async () => {
    const script = `(async () => {
      const { Thread } = await import(${JSON.stringify(new URL('./thread.ts', import.meta.url).href)});
      await using thread = new Thread(new URL(${JSON.stringify(MODULE.href)}), { isKept: true });
      console.log(await thread.ask('count'));
    })()`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--eval', script]);
    expect(stdout).toBe('1\n');
  });

  it('makes way for whoever is about to take much', async () => {
    await use('count');
    await using inUse = threadFor({ isAwaited: true, ...KEPT });
    await inUse.ask('count');
    Thread.makeRoom();
    expect(await usersBefore()).toBe(0);
    expect(await inUse.ask('count')).toBe(2);
  });

  it('ends by itself when nobody uses it for some seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await use('count');
    vi.advanceTimersByTime(4_999);
    expect(await usersBefore()).toBe(1);
    vi.advanceTimersByTime(Thread.keptMs);
    vi.useRealTimers();
    expect(await usersBefore()).toBe(0);
  });
});

describe('bytes that are to move', () => {
  it('stay where they are when the memory is theirs alone, and are copied out of memory that others share', () => {
    const alone = Uint8Array.of(1, 2, 3);
    expect(movable(alone).buffer).toBe(alone.buffer);
    const shared = Uint8Array.of(1, 2, 3, 4).subarray(1, 3);
    expect([...movable(shared)]).toEqual([2, 3]);
    expect(movable(shared).buffer).not.toBe(shared.buffer);
  });
});

describe('bytes that are given back', () => {
  it('are gone at once where the memory is theirs alone, and stay where others have some of it', () => {
    const alone = Uint8Array.of(1, 2, 3);
    giveBack(alone);
    expect([alone.length, alone.buffer.detached]).toEqual([0, true]);
    giveBack(alone);
    const shared = Uint8Array.of(1, 2, 3, 4).subarray(1, 3);
    giveBack(shared);
    expect([...shared]).toEqual([2, 3]);
  });
});

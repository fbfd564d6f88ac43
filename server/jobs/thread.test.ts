// Threads that answer question after question, and those that are ended before they do.
import { describe, expect, it } from 'vitest';
import type { ThreadWork } from '#server/testing/thread-work.ts';
import { movable, Thread, ThreadLimit, type ThreadOptions } from './thread.ts';

const MODULE = new URL('../testing/thread-work.ts', import.meta.url);
const MEGABYTE = 1024 * 1024;

const threadFor = (options?: ThreadOptions) => new Thread<ThreadWork, number>(MODULE, options);

describe('a thread', () => {
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

  it.each(['heap', 'buffers'] as const)('is ended when its %s grow beyond what it was given', async (kind) => {
    await using thread = threadFor({ memoryBytes: 100 * MEGABYTE });
    await expect(thread.ask(kind)).rejects.toThrow(ThreadLimit);
  });

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

describe('bytes that are to move', () => {
  it('stay where they are when the memory is theirs alone, and are copied out of memory that others share', () => {
    const alone = Uint8Array.of(1, 2, 3);
    expect(movable(alone).buffer).toBe(alone.buffer);
    const shared = Uint8Array.of(1, 2, 3, 4).subarray(1, 3);
    expect([...movable(shared)]).toEqual([2, 3]);
    expect(movable(shared).buffer).not.toBe(shared.buffer);
  });
});

// How much memory a thread takes that asks for more than it was given.
import { expect, it } from 'vitest';
import { memoryPeakBytes } from '../../testing/measure.ts';
import type { ThreadWork } from '../../testing/thread-work.ts';
import { Thread } from './thread.ts';

const MODULE = new URL('../../testing/thread-work.ts', import.meta.url);
const MEGABYTE = 1024 * 1024;

it.each(['heap', 'buffers'] as const)(
  'a thread is ended before its %s take much more than it was given',
  async (kind) => {
    await using thread = new Thread<ThreadWork, number>(MODULE, { memoryBytes: 100 * MEGABYTE });
    const peak = await memoryPeakBytes(() => expect(thread.ask(kind)).rejects.toThrow());
    expect(peak).toBeLessThan(500 * MEGABYTE);
  },
);

// The order in which keys have their turns, and what is refused, forgotten and let go.
import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { FairTurns, type Share } from './fair-turns.ts';

class Line extends EventEmitter {
  destroyed = false;
  leave(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

/** Work that ends when it is told to, and notes when it begins. */
function workshop(share: Partial<Share>) {
  const turns = new FairTurns({ atOnce: 2, atOnceOfOne: 2, waitingOfOne: 10, waiting: 20, ...share });
  const begun: string[] = [];
  const running = new Map<string, PromiseWithResolvers<void>>();
  return {
    turns,
    begun,
    /** `name` begins with its key, as in `anna 1`. */
    ask(name: string, line = new Line()): Promise<boolean> {
      return turns.run(name.split(' ')[0] ?? '', line, async (waited) => {
        begun.push(name);
        const ends = Promise.withResolvers<void>();
        running.set(name, ends);
        await ends.promise;
        return waited;
      });
    },
    async end(name: string): Promise<void> {
      running.get(name)?.resolve();
      await new Promise(setImmediate);
    },
    async fail(name: string): Promise<void> {
      running.get(name)?.reject(new Error('broken'));
      await new Promise(setImmediate);
    },
  };
}

describe('fair turns', () => {
  it('serve a key that asks little next, however much another asked before it', async () => {
    const { ask, begun, end } = workshop({});
    for (let nth = 1; nth <= 6; nth += 1) void ask(`anna ${nth}`);
    void ask('bert 1');
    void ask('carl 1');
    expect(begun).toEqual(['anna 1', 'anna 2']);
    await end('anna 1');
    await end('anna 2');
    expect(begun.slice(2)).toEqual(['bert 1', 'carl 1']);
    await end('bert 1');
    await end('carl 1');
    expect(begun.slice(4)).toEqual(['anna 3', 'anna 4']);
  });

  it('leave places to others where one key asks for all of them', async () => {
    const { ask, begun } = workshop({ atOnce: 4, atOnceOfOne: 3 });
    for (let nth = 1; nth <= 6; nth += 1) void ask(`anna ${nth}`);
    void ask('bert 1');
    expect(begun).toEqual(['anna 1', 'anna 2', 'anna 3', 'bert 1']);
  });

  it('keep the order within a key, and tell who had to wait', async () => {
    const { ask, begun, end } = workshop({ atOnce: 1 });
    const [first, second] = [ask('anna 1'), ask('anna 2'), ask('anna 3')];
    await end('anna 1');
    // Comes as a place gets free: those who wait go first.
    void ask('anna 4');
    await end('anna 2');
    await end('anna 3');
    expect(begun).toEqual(['anna 1', 'anna 2', 'anna 3', 'anna 4']);
    expect([await first, await second]).toEqual([false, true]);
  });

  it('refuse at once what one key wants on top of its waiting work, and nobody else', async () => {
    const { ask, turns } = workshop({ atOnce: 1, waitingOfOne: 2 });
    for (let nth = 1; nth <= 3; nth += 1) void ask(`anna ${nth}`);
    await expect(ask('anna 4')).rejects.toMatchObject({ code: 'busy', retryAfterSeconds: 1 });
    void ask('bert 1');
    expect(turns.waiting).toBe(3);
  });

  it('refuse what comes on top of all that waits', async () => {
    const { ask, turns } = workshop({ atOnce: 1, waiting: 2 });
    for (const name of ['anna', 'bert', 'carl']) void ask(`${name} 1`);
    await expect(ask('dora 1')).rejects.toMatchObject({ code: 'busy' });
    expect(turns.waiting).toBe(2);
  });

  it('never begin the work of somebody who has left, and listen to nobody whose work has begun', async () => {
    const { ask, begun, end, turns } = workshop({ atOnce: 1 });
    const stays = new Line();
    const leaves = new Line();
    void ask('anna 1');
    const left = ask('anna 2', leaves);
    void ask('anna 3', stays);
    leaves.leave();
    await expect(left).rejects.toMatchObject({ code: 'busy' });
    expect(turns.waiting).toBe(1);
    await end('anna 1');
    expect(begun).toEqual(['anna 1', 'anna 3']);
    expect(stays.listenerCount('close')).toBe(0);
    await expect(ask('anna 4', leaves)).rejects.toMatchObject({ code: 'busy' });
  });

  it('give the place of work that fails to the next', async () => {
    const { ask, begun, fail } = workshop({ atOnce: 1 });
    const first = ask('anna 1');
    void ask('bert 1');
    await Promise.all([expect(first).rejects.toThrow('broken'), fail('anna 1')]);
    expect(begun).toEqual(['anna 1', 'bert 1']);
  });
});

// Acts on many, one after the other: which faults leave the rest, and which are of one alone.
import { describe, expect, it } from 'vitest';
import { ApiFault } from '#web/lib/api-fault.ts';
import { oneByOne } from './one-by-one.ts';

describe('the rest, where one fails', () => {
  it.each([
    ['goes on after a fault of that one', new ApiFault(403, 'No.', { code: 'forbidden' }), ['a', 'b', 'c'], ['b']],
    ['is left without an answer', new ApiFault(0, 'Away.'), ['a', 'b'], ['b', 'c']],
    [
      'is left where the second factor is not shown: it would be asked for again for each',
      new ApiFault(403, 'Please confirm.', { code: 'reauth_required' }),
      ['a', 'b'],
      ['b', 'c'],
    ],
  ])('%s', async (_, fault, tried, failed) => {
    const asked: string[] = [];
    const act = async (file: string) => {
      asked.push(file);
      if (file === 'b') throw fault;
    };
    const { failures } = await oneByOne(['a', 'b', 'c'], act, () => undefined);
    expect(asked).toEqual(tried);
    expect(failures).toEqual(failed.map((file) => ({ file, error: fault })));
  });
});

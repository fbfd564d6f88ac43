// A line that was taken out of a request while the client answered it.
import { expect, test } from 'vitest';
import type { ItemState } from '#contract/request-words.ts';
import { withAnswered } from './with-answered.ts';

const item = (id: number, state: ItemState = 'open') => ({ id, name: `Item ${id}`, note: 'All', state, files: [] });
const line = (id: number, name = `Item ${id}`) => ({ id, name, note: 'All' });

test('what was answered is back in its place, and what else was typed stays', () => {
  const typed = [line(2, 'Reworded'), { name: 'New', note: '' }];
  expect(withAnswered(typed, [item(1, 'sent'), item(2), item(3)])).toEqual([line(1), ...typed]);
  expect(withAnswered(typed, [item(2), item(3, 'doesNotApply')])).toEqual([typed[0], line(3), typed[1]]);
  expect(withAnswered([], [item(1), item(2), item(3, 'accepted')])).toEqual([line(3)]);
  // What nobody answered is left out, and what is there is there once.
  expect(withAnswered(typed, [item(1), item(2, 'sentBack')])).toEqual(typed);
});

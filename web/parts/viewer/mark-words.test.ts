import { expect, it } from 'vitest';
import { textMarker } from './mark-words.ts';

it('marks what begins with a word of the search, and lets no markup of a file through', () => {
  const mark = textMarker('garnish lopez');
  expect(mark?.({ str: 'Garnishment of López <b>' })).toBe('<mark>Garnishment</mark> of <mark>López</mark> &lt;b&gt;');
  expect(mark?.({ str: 'nothing here' })).toBe('nothing here');
  expect(textMarker(' - ')).toBeNull();
});

import { expect, it } from 'vitest';
import { textMarker } from './mark-words.ts';

it('marks what begins with a word of the search, and lets no markup of a file through', () => {
  const mark = textMarker('garnish lopez');
  expect(mark?.({ str: 'Garnishment of López <b>' })).toBe('<mark>Garnishment</mark> of <mark>López</mark> &lt;b&gt;');
  expect(mark?.({ str: 'nothing here' })).toBe('nothing here');
  expect(textMarker(' - ')).toBeNull();
});

it.each([
  ['brien', "Pat O'Brien", "Pat <mark>O'Brien</mark>"],
  ["o'brien", 'of OBrien', 'of <mark>OBrien</mark>'],
  ['smith-jones', 'Smith Jones & Sons', '<mark>Smith</mark> <mark>Jones</mark> &amp; Sons'],
  ['acme.com', 'pay@acme.com', '<mark>pay@acme.com</mark>'],
  ['123456789', 'EIN 12-3456789', 'EIN <mark>12-3456789</mark>'],
])('%j marks what the page was found by in %j', (search, text, marked) => {
  expect(textMarker(search)?.({ str: text })).toBe(marked);
});

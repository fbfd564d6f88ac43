// Searches: every word in any order, and whatever a plain substring finds.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldKey, SearchText } from './fields.ts';
import { matchesSearch, searchable, searchForm, searchWords } from './search.ts';

it.each([
  ['harbor pine', ['Harbor & Pine Bakery LLC']],
  ['pine harbor', ['Harbor & Pine Bakery LLC']],
  ['harbor 941', ['2025Q1_941.pdf', 'Harbor & Pine Bakery LLC']],
  ['q3 941', ['941-X_2024Q3_amended.pdf']],
  ['941-X', ['941-X_2024Q3_amended.pdf']],
  ['123456789', ['12-3456789']],
  ['12-3456789', ['12-3456789']],
  ['(207)-555-0142', ['(207)-555-0142']],
  ['obrien', ["O'Brien"]],
  ["o'brien", ['OBrien']],
  ['cafe', ['Café Zoë']],
  ['zoë', ['CAFE ZOE']],
  ['lodz', ['Łódź']],
  ['strasse', ['Straße']],
  ['ａｃｍｅ 941', ['Acme 941.pdf']],
  ['acme', ['ＡＣＭＥ Ｌｔｄ']],
  ['שלום', ['\u200fשָׁלוֹם בע״מ']],
  ['&', ['Harbor & Pine']],
])('%j finds %j', (search, texts) => {
  expect(matchesSearch(search, texts)).toBe(true);
});

it.each([
  ['harbor 940', ['2025Q1_941.pdf', 'Harbor & Pine Bakery LLC']],
  ['pines', ['Harbor & Pine']],
  ['%', ['Harbor & Pine']],
  ['llcq', ['Harbor LLC', 'Q1.pdf']],
])('%j does not find %j', (search, texts) => {
  expect(matchesSearch(search, texts)).toBe(false);
});

it('asks for each word once, and for none that another one holds', () => {
  expect(searchWords('Harbor har HARBOR 41 941')).toEqual(['harbor', '941']);
  expect(searchWords(' & -')).toEqual([]);
  expect(searchWords('Register 3-14-25')).toEqual(['register', '31425']);
});

it('makes a search that the server takes of anything that is typed or pasted', () => {
  expect(searchable('\u202a(207)-555-0142\u202c')).toBe('(207)-555-0142');
  expect(searchable('Harbor\tPine')).toBe('Harbor Pine');
  const pasted = fc.string({ unit: 'binary', maxLength: 400 });
  const cut = fc.constantFrom(`${'a'.repeat(199)}\u{1f600}`, '\ud800', '\u2028\u2066');
  fc.assert(
    fc.property(fc.oneof(pasted, cut), (text) => {
      expect(SearchText.safeParse(searchable(text)).success).toBe(true);
    }),
  );
});

it('finds whatever a substring of the folded text finds', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
      fc.nat(),
      fc.nat(),
      (text, one, other) => {
        const folded = foldKey(text);
        const [start, end] = [one % (folded.length + 1), other % (folded.length + 1)].sort((a, b) => a - b);
        const part = folded.slice(start, end).trim();
        fc.pre(part !== '' && part.isWellFormed());
        for (const word of searchWords(part)) expect(searchForm(text)).toContain(word);
        expect(searchForm(foldKey(text))).toBe(searchForm(text));
      },
    ),
    { numRuns: 3_000 },
  );
});

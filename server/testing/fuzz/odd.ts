// Odd JSON values as short recipes: they print small when a property fails, shrink fast, and express what JSON itself cannot hold.
import fc from 'fast-check';

/** A recipe of JSON text, which need not be valid JSON. */
export type Odd =
  | { readonly json: unknown }
  /** This value. */
  | { readonly raw: string }
  /** This many arrays or objects, nested. */
  | { readonly deep: number; readonly of: '[' | '{' }
  /** An object of this many keys, or of one key this many times. */
  | { readonly keys: number; readonly named: string; readonly distinct: boolean }
  /** A list of this many entries; `#` in an entry is its number. */
  | { readonly entries: number; readonly of: string }
  /** A text repeated this many times. */
  | { readonly times: number; readonly of: string };

/** The JSON text that a recipe describes. */
export function jsonText(odd: Odd): string {
  if ('json' in odd) return JSON.stringify(odd.json) ?? 'null';
  if ('raw' in odd) return odd.raw;
  if ('deep' in odd) {
    return odd.of === '['
      ? '['.repeat(odd.deep) + ']'.repeat(odd.deep)
      : `${'{"a":'.repeat(odd.deep)}0${'}'.repeat(odd.deep)}`;
  }
  if ('keys' in odd) {
    const key = (nth: number) => JSON.stringify(odd.distinct ? odd.named + nth.toString(36) : odd.named);
    return `{${Array.from({ length: odd.keys }, (_, nth) => `${key(nth)}:0`).join(',')}}`;
  }
  if ('entries' in odd) {
    return `[${Array.from({ length: odd.entries }, (_, nth) => odd.of.replaceAll('#', String(nth + 1))).join(',')}]`;
  }
  return JSON.stringify(odd.of.repeat(odd.times));
}

/** Keys that programs inherit, and keys that no table has. */
export const ODD_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'toJSON',
  'then',
  'length',
  '',
  ' ',
  '0',
  '-1',
  '4294967295',
  'a.b',
  'a[0]',
  '$ne',
  'isAdmin',
  '\u0000',
  '\ud800',
  '\u202e',
  'k'.repeat(5_000),
];

/** Texts that parsers, databases, patterns, calendars and markup treat specially. */
const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff x',
  '\u202e\u2066',
  '\u200b\u00ad\u3164',
  '\ufeff',
  '\ufffd',
  'ﷺ'.repeat(18),
  'İ'.repeat(64),
  'e\u0301'.repeat(60),
  '\u{1F469}\u200d\u{1F469}\u200d\u{1F467}'.repeat(8),
  '%',
  '_',
  '\\',
  "' or 1=1 --",
  '"',
  '$1',
  '{{x}}',
  '<img src=x onerror=x>',
  '=1+1',
  '../../etc/passwd',
  'null',
  'true',
  'NaN',
  '1e999',
  '0x10',
  '-0',
  '9007199254740993',
  '9223372036854775808',
  '٣',
  '2026-02-30',
  '0000-01-01',
  '1900-01-01',
  '2199-12-31',
  '9999-12-31T23:59:59.999999999+23:59',
  '0000-01-01T00:00:00-23:59',
  '+275760-09-13T00:00:00.001Z',
  '2016-12-31T23:59:60Z',
  'utc',
  'eTc/gMt+12',
  '+23:59',
];

const RAW_TOKENS = [
  '1e400',
  '-1e400',
  '1e-400',
  '-0',
  '0.1e1',
  '12345678901234567890',
  '1'.repeat(400),
  'NaN',
  'Infinity',
  'undefined',
  '0x10',
  '01',
  '+1',
  '.5',
  "'a'",
  '"\\ud800"',
  '"\\u0000"',
  '"\\x41"',
  '"\n"',
  '{"a":1,"a":2}',
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '[,]',
  '[1,]',
  '{,}',
  '/**/1',
  '"',
  '{',
  '',
];

const sizes = fc.oneof(
  { weight: 12, arbitrary: fc.nat(40) },
  { weight: 2, arbitrary: fc.nat(2_000) },
  { weight: 1, arbitrary: fc.constantFrom(9_999, 10_000, 10_001, 30_000) },
);

/** Any text: from the list, any of Unicode, or one of them very long. */
export const oddText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(sizes, fc.constantFrom('a', 'é', '\u{1F600}', ' ', '9')).map(([n, c]) => c.repeat(n)),
  },
);

/** An odd value for one field of a body, or for all of it. */
export const oddValue: fc.Arbitrary<Odd> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...RAW_TOKENS).map((raw) => ({ raw })) },
  { weight: 4, arbitrary: oddText.map((json) => ({ json })) },
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((json) => ({ json })) },
  {
    weight: 2,
    arbitrary: fc
      .oneof(fc.integer(), fc.double(), fc.maxSafeInteger(), fc.constantFrom(0, -1, 1, 2 ** 31, 2 ** 53))
      .map((json) => ({ json })),
  },
  { weight: 1, arbitrary: fc.record({ deep: sizes, of: fc.constantFrom('[', '{') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      keys: sizes,
      named: fc.constantFrom('', 'k', ...ODD_KEYS.slice(0, 10)),
      distinct: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      entries: sizes,
      of: fc.constantFrom('1', '#', '-#', '#.5', '9007199254740991', '"#"', 'null', '{}', '[#]', '"__proto__"', '1e15'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ times: sizes, of: fc.constantFrom('a', '\u0000', '\u200b', '(207)-555-0142') }) },
);

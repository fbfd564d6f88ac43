// How every search matches: each word of it, in any order, whatever its case, accents and punctuation.

/** The longest search that the server takes. */
const SEARCH_LENGTH_MAX = 200;

/** A search as the server takes it: one line, without the invisible characters that come along with what is copied elsewhere. */
export const searchable = (text: string) =>
  text
    .slice(0, SEARCH_LENGTH_MAX)
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/[\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, '');

/** Letters that Unicode does not take apart into a plain letter and a mark. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');
const MARKS = /\p{M}+/gu;
const PUNCTUATION = /[^\p{L}\p{N}\s]+/gu;

/** A text in plain small letters, with its digits and signs: what every search compares, here and inside documents. */
export const plainLetters = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(MARKS, '')
    .replace(NOT_PLAIN, (letter) => PLAIN[letter] ?? letter);

/**
 * A text as it is searched: plain small letters, digits and single spaces. Punctuation is left out and not replaced, so that
 * 123456789 is found in 12-3456789 and obrien in O'Brien.
 */
export function searchForm(text: string): string {
  return plainLetters(text).replace(PUNCTUATION, '').replace(/\s+/g, ' ').trim();
}

/**
 * The words that a search asks for, without those that another one holds: what stands between spaces, so that 3-14-25 is looked
 * for as one. None where it has neither letter nor digit.
 */
export function searchWords(search: string): readonly string[] {
  const words = [...new Set(searchForm(search).split(' '))].filter((word) => word !== '');
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)));
}

/** Whether one of `texts` holds each word; where there is no word, whether one of them holds the search as it is. */
export function matchesSearch(search: string, texts: readonly string[]): boolean {
  const words = searchWords(search);
  if (words.length === 0) return texts.some((text) => text.includes(search.trim()));
  const forms = texts.map(searchForm);
  return words.every((word) => forms.some((form) => form.includes(word)));
}

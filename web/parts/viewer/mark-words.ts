// The words of a search in the text of a PDF's page, marked.
import { plainLetters, searchForm, searchWords } from '#contract/search.ts';

/** What is between signs: a page is found by these too (server/files/texts/words.ts). */
const piecesOf = (text: string) => plainLetters(text).match(/[\p{L}\p{N}]+/gu) ?? [];
/** Words that begin with fewer letters are on every page. */
const PIECE_MIN = 3;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => escapes[letter] ?? letter);

/** Makes HTML of one run of text, in which what begins with a word of `search` is marked; null where there is no word. */
export function textMarker(search: string): ((run: { readonly str: string }) => string) | null {
  const words = [...searchWords(search), ...piecesOf(search).filter((piece) => piece.length >= PIECE_MIN)];
  if (words.length === 0) return null;
  const isFound = (text: string) =>
    [searchForm(text), ...piecesOf(text)].some((form) => words.some((word) => form.startsWith(word)));
  return ({ str }) =>
    str
      .split(/(\s+)/u)
      .map((part) => (isFound(part) ? `<mark>${escaped(part)}</mark>` : escaped(part)))
      .join('');
}

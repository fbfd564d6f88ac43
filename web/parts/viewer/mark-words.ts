// The words of a search in the text of a PDF's page, marked.
import { searchForm, searchWords } from '#contract/search.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => escapes[letter] ?? letter);

/** Makes HTML of one run of text, in which what begins with a word of `search` is marked; null where there is no word. */
export function textMarker(search: string): ((run: { readonly str: string }) => string) | null {
  const words = searchWords(search);
  if (words.length === 0) return null;
  const isFound = (text: string) => {
    const form = searchForm(text);
    return words.some((word) => form.startsWith(word));
  };
  return ({ str }) =>
    str
      .split(/(\s+)/u)
      .map((part) => (isFound(part) ? `<mark>${escaped(part)}</mark>` : escaped(part)))
      .join('');
}

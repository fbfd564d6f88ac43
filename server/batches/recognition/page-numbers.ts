// What a page says about its place: 'Page 2 of 3'.
import type { PageWords } from './page-words.ts';

export interface PageNumber {
  readonly number: number;
  /** Null where it does not say. */
  readonly of: number | null;
}

const PAGE_OF = /\b(?:page|pg\.?|sheet)\s*[:#]?\s*(\d{1,4})\s*(?:of|\/)\s*(\d{1,4})\b/i;
const PAGE = /^(?:.*[|·•–—-]\s*)?(?:page|pg\.?)\s*[:#]?\s*(\d{1,4})(?:\s*[|·•–—-].*)?$/i;
const BARE_OF = /^(\d{1,4}) of (\d{1,4})$/i;

/** In letters: no line that numbers a page is longer. */
const LONGEST = 200;
const MOST_CELLS = 20;

/** The page number that a page prints; null where it prints none, or several. */
export function pageNumberOf(page: PageWords): PageNumber | null {
  const found = new Map<string, PageNumber>();
  for (const line of page.lines) {
    // A label and its number may stand apart.
    const texts = line.map(({ text }) => text);
    if (texts.length > 1 && texts.length < MOST_CELLS) texts.push(texts.join(' '));
    for (const text of texts) {
      if (text.length > LONGEST) continue;
      const match = PAGE_OF.exec(text) ?? BARE_OF.exec(text);
      const plain = match === null ? PAGE.exec(text) : null;
      const number = Number((match ?? plain)?.[1]);
      const of = match === null ? null : Number(match[2]);
      if (number > 0 && (of === null || number <= of)) found.set(`${number}/${of}`, { number, of });
    }
  }
  const counted = [...found.values()].filter(({ of }) => of !== null);
  const those = counted.length > 0 ? counted : [...found.values()];
  return those.length === 1 ? (those[0] ?? null) : null;
}

// The part of a page around the words that were found.
import type { InsideHit } from '#contract/inside.ts';
import { placesSought, type Sought } from './words.ts';

/** How much is shown before the first word that was found, and in all. */
const BEFORE = 50;
const LENGTH = 170;

export function snippetOf(text: string, sought: Sought): Pick<InsideHit, 'snippet' | 'marks'> {
  const line = text.replace(/\s+/g, ' ').trim();
  const found = placesSought(line, sought);
  const start = startOf(line, found[0]?.from ?? 0);
  const end = line.length - start <= LENGTH ? line.length : Math.max(line.lastIndexOf(' ', start + LENGTH), start + 1);
  const [before, after] = [start > 0 ? '… ' : '', end < line.length ? ' …' : ''];
  const marks = found
    .filter(({ from, to }) => from >= start && to <= end)
    .map(({ from, to }) => ({ from: from - start + before.length, to: to - start + before.length }));
  return { snippet: `${before}${line.slice(start, end)}${after}`, marks };
}

/** At a word. */
function startOf(line: string, first: number): number {
  if (first <= BEFORE) return 0;
  const space = line.indexOf(' ', first - BEFORE);
  return space === -1 || space >= first ? first : space + 1;
}

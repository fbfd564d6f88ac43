// The words of a text as they are searched: in plain letters, as every other search; an id with dashes, and a name with an apostrophe,
// also as one word; an amount is looked for as pages write it, with its commas and without.
import { plainLetters } from '#contract/search.ts';

/** With the marks over letters that are written apart from them, and whatever is used for a dash. */
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[-\u2010-\u2015\u2212]\p{N}+|['’ʼ]\p{L}[\p{L}\p{M}]*)*/gu;
const PARTS = /[\p{L}\p{N}]+/gu;
/** Longer ones are no words. */
const LENGTH_MAX = 64;
/** Of one page. */
const WORDS_MAX = 5_000;
/** Of one search: what is pasted whole finds nothing more by its last words. */
const SOUGHT_MAX = 16;

/** Where something stands in a text. */
interface Place {
  readonly from: number;
  readonly to: number;
}

interface Word extends Place {
  /** As it is searched; 12-3456789 and O'Brien by their parts and as a whole. */
  readonly forms: readonly string[];
}

function* wordsOf(text: string): Generator<Word> {
  for (const { 0: found, index } of text.matchAll(WORDS)) {
    const parts = plainLetters(found).match(PARTS) ?? [];
    const forms = parts.length > 1 ? [...parts, parts.join('')] : parts;
    const short = forms.filter((form) => form.length <= LENGTH_MAX);
    if (short.length > 0) yield { forms: short, from: index, to: index + found.length };
  }
}

/** Each word of a page once. */
export function distinctWords(text: string): string[] {
  const all = new Set<string>();
  for (const { forms } of wordsOf(text)) {
    for (const form of forms) all.add(form);
    if (all.size >= WORDS_MAX) break;
  }
  return [...all];
}

/** An amount, with its thousands parted or not: a page may write it either way. */
interface Amount {
  /** The words of each way. */
  readonly spellings: readonly (readonly string[])[];
  /** The whole of it; on forms its cents stand apart. */
  readonly written: RegExp;
}

/** What somebody looks for: pages with all of `whole` and `amounts`, and a word that begins with `begun`, which may still be typed. */
export interface Sought {
  readonly whole: readonly string[];
  readonly amounts: readonly Amount[];
  /** Null where the last word is too short: half of all words begin with a letter or two. */
  readonly begun: string | null;
}

const BEGUN_MIN = 3;
const BEFORE_AMOUNT = '(?<![\\p{L}\\p{N}]|\\p{N}[.,])';
/** 1234.56, 1,234.56 and 1,234; four digits alone are a year, or anything. */
const AMOUNT = `${BEFORE_AMOUNT}(?:\\d{4,}\\.\\d\\d|\\d{1,3}(?:,\\d{3})+(?:\\.\\d\\d)?)(?![\\p{L}\\p{N}]|[.,]\\p{N})`;
const SOUGHT = new RegExp(`${AMOUNT}|${PARTS.source}`, 'gu');
const isAmount = (part: string) => /[.,]/.test(part);

function amountOf(text: string): Amount {
  const [dollars = '', ...cents] = text.replaceAll(',', '').split('.');
  const thousands = dollars.replace(/\B(?=(?:\d{3})+$)/g, ',').split(',');
  const parts = [thousands.join(',?'), ...cents];
  return {
    spellings: [
      [dollars, ...cents],
      [...thousands, ...cents],
    ],
    written: new RegExp(`${BEFORE_AMOUNT}${parts.join('[ .]{1,3}')}(?![\\p{L}\\p{N}])`, 'gu'),
  };
}

/** Null where there is no letter or digit in it. */
export function soughtIn(q: string): Sought | null {
  const parts = (plainLetters(q).match(SOUGHT) ?? []).filter((part) => part.length <= LENGTH_MAX).slice(0, SOUGHT_MAX);
  if (parts.length === 0) return null;
  const last = parts.at(-1) as string;
  const begun = isAmount(last) || [...last].length < BEGUN_MIN ? null : last;
  const whole = (begun === null ? parts : parts.slice(0, -1)).filter((part) => !isAmount(part));
  return { whole: [...new Set(whole)], amounts: parts.filter(isAmount).map(amountOf), begun };
}

/** Where what is sought stands in a text, in its order; an amount is one. */
export function placesSought(text: string, { whole, amounts, begun }: Sought): readonly Place[] {
  const isSought = ({ forms }: Word) =>
    forms.some((form) => whole.includes(form) || (begun !== null && form.startsWith(begun)));
  const words = [...wordsOf(text)].filter(isSought);
  const written = amounts.flatMap((amount) =>
    [...text.matchAll(amount.written)].map(({ 0: found, index }) => ({ from: index, to: index + found.length })),
  );
  const places: Place[] = [];
  for (const { from, to } of [...words, ...written].sort((one, other) => one.from - other.from || other.to - one.to)) {
    if (from >= (places.at(-1)?.to ?? 0)) places.push({ from, to });
  }
  return places;
}

/** For private use: both engines keep it in a word, and as neither letter nor digit it comes from no page and no search. */
const PLACE = '\u{e000}';

/** What stands among the words of each page, beside its text: a search within some places passes over all other pages. */
export const clientWord = (clientId: number) => `${PLACE}client${clientId}`;
export const typeWord = (reportTypeId: number) => `${PLACE}type${reportTypeId}`;
export const DOCUMENT_WORD = `${PLACE}document`;
/** A report without a type is seen by whoever uploaded it. */
export const ownWord = (userId: number) => `${PLACE}own${userId}`;

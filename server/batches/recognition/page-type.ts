// What a page is: the forms' titles and the firm's phrases on it, and how much the place where they stand says.
import { FORMS } from './forms/all.ts';
import type { Form } from './forms/form.ts';
import { BESIDE_NAMES, isJoiner, PARTS, suffixOf } from './name-words.ts';
import { type Box, boxAround, type Cell, type PageWords, textOf, type Word } from './page-words.ts';
import type { Phrase, TypeIndex } from './type-index.ts';

/** How sure a place makes: an official title, what heads a page, and what is only mentioned. */
export type Rank = 3 | 2 | 1;

export interface TypeHit {
  readonly form: Form | null;
  readonly reportTypeId: number | null;
  readonly kind: 'form' | 'phrase';
  readonly rank: Rank;
  /** The title of a first page, rather than what heads every page. */
  readonly isTitle: boolean;
  /** The firm says what pages are that are headed so. */
  readonly isFirms: boolean;
  readonly laterPage: boolean;
  readonly line: number;
  readonly text: string;
  readonly box: Box;
  readonly score: number;
}

/** Share of the page's height in which titles stand. */
const TOP = 0.4;
/** How much larger than other text a heading is that has more words beside it. */
const LARGE = 1.25;
/** From so many cells on, a line may be a row of a table. */
const TABLE_CELLS = 4;
/** The page's own head is in its first lines, however many cells these have. */
const HEAD_LINES = 2;
/** A heading this short is one only where nothing else stands in its cell. */
const SHORT = 5;

interface Found {
  readonly from: number;
  readonly to: number;
  readonly length: number;
  readonly phrases: readonly Phrase[];
}

function phrasesIn({ words }: Cell, index: TypeIndex): Found[] {
  const found: Found[] = [];
  let reached = 0;
  for (let from = 0; from < words.length; from += 1) {
    if (isJoiner(words[from]?.plain ?? '')) continue;
    let key = '';
    let best: Found | null = null;
    for (let to = from; to < words.length; to += 1) {
      const { plain } = words[to] as Word;
      if (isJoiner(plain)) continue;
      key += plain;
      if (!index.mayBegin(key)) break;
      const phrases = index.find(key);
      if (phrases.length > 0) best = { from, to: to + 1, length: key.length, phrases };
    }
    if (best !== null && best.to > reached) {
      found.push(best);
      reached = best.to;
    }
  }
  return found;
}

const lettersOf = (words: readonly Word[]) => words.reduce((sum, { plain }) => sum + plain.length, 0);
const isParting = (word: Word | undefined) =>
  word === undefined || PARTS.has(word.text) || (word.text === '-' && word.spaced);
const isNumber = ({ plain }: Word) => /^\d+$/.test(plain);

/** How much of what stands around a phrase, up to the next parting sign, the phrase is; 1 where the rest is labels and numbers. */
function coverage(cell: Cell, { from, to, length }: Found): number {
  const { words } = cell;
  let first = from;
  while (first > 0 && !isParting(words[first - 1])) first -= 1;
  let end = to;
  while (end < words.length && !isParting(words[end])) end += 1;
  const before = words.slice(first, from);
  const after = words.slice(to, end);
  const isBeside = (word: Word) => BESIDE_NAMES.has(word.plain) || isJoiner(word.plain) || isNumber(word);
  const afterName =
    before.some(({ plain }) => suffixOf(plain) !== null) && suffixOf(before.at(-1)?.plain ?? '') !== null;
  if ((before.length === 0 || afterName) && after.every(isBeside)) return 1;
  return length / Math.max(1, lettersOf(words.slice(first, end)));
}

/** Heads of columns, with a row of as many cells below them, are no headings of the page. */
function isTableHead({ lines }: PageWords, line: number): boolean {
  const isRow = (at: number) => (lines[at]?.length ?? 0) >= TABLE_CELLS;
  return line >= HEAD_LINES && isRow(line) && isRow(line + 1);
}

/** Of the same words, what the firm says goes before what forms and names of types say; of what form they are stays known. */
function withFirmsWord(phrases: readonly Phrase[]): readonly (Phrase & { readonly isFirms: boolean })[] {
  const firms = phrases.find(({ kind }) => kind === 'firmPhrase');
  return phrases
    .filter((phrase) => firms === undefined || phrase.form !== null || phrase.kind === 'firmPhrase')
    .map((phrase) => ({ ...phrase, ...(firms && { reportTypeId: firms.reportTypeId }), isFirms: firms !== undefined }));
}

function hitOf(
  page: PageWords,
  cell: Cell,
  found: Found,
  phrase: Phrase & { readonly isFirms: boolean },
): TypeHit | null {
  const { form, kind, isFirms } = phrase;
  const words = cell.words.slice(found.from, found.to);
  const box = boxAround(words);
  const share = coverage(cell, found);
  const large = box.height >= LARGE * page.usualHeight;
  const inTable = !large && isTableHead(page, cell.line);
  const inPlace = box.y < page.height * TOP || form?.anywhere === true || kind === 'firmPhrase';
  const wholeCell = found.length === lettersOf(cell.words);
  const heads =
    inPlace &&
    !inTable &&
    (found.length < SHORT
      ? wholeCell || (large && share === 1)
      : share >= 0.5 || (large && found.from === 0 && share >= 0.25));
  if (!heads && kind !== 'firmPhrase') return null;
  const rank = !heads ? 1 : kind === 'title' || kind === 'laterPage' ? 3 : 2;
  const size = Math.min(3, box.height / Math.max(1, page.usualHeight));
  return {
    form,
    reportTypeId: phrase.reportTypeId,
    kind: form === null ? 'phrase' : 'form',
    rank,
    isTitle: kind === 'title',
    isFirms: isFirms && heads && box.y < page.height * TOP,
    laterPage: kind === 'laterPage',
    line: cell.line,
    text: textOf(words),
    box,
    score: rank * 100 + size * 10 + (1 - box.y / page.height) * 5 + share * 5,
  };
}

/** A notice's number, such as CP134B or CP 575, on a line that says that it is a notice. */
function codeHits(page: PageWords, index: TypeIndex): TypeHit[] {
  return FORMS.flatMap((form) => {
    const { codes } = form;
    if (codes === undefined) return [];
    return page.lines.flatMap((line) =>
      line.flatMap((cell) => {
        if (cell.y > page.height * TOP) return [];
        const at = cell.words.findIndex(
          ({ plain }, place) => codes.test(plain) || codes.test(plain + (cell.words[place + 1]?.plain ?? '')),
        );
        if (at < 0 || !line.some((other) => other.words.some(({ plain }) => plain === 'notice'))) return [];
        const pair = codes.test(cell.words[at]?.plain ?? '') ? 1 : 2;
        const words = cell.words.slice(at, at + pair);
        const box = boxAround(words);
        const reportTypeId = index.reportTypeOf(form);
        const place = {
          kind: 'form',
          rank: 3,
          isTitle: false,
          isFirms: false,
          laterPage: false,
          line: cell.line,
          box,
        } as const;
        return [{ form, reportTypeId, ...place, text: textOf(words), score: 320 + (1 - box.y / page.height) * 5 }];
      }),
    );
  });
}

/** What speaks for types on a page, the surest first. */
export function findTypes(page: PageWords, index: TypeIndex): TypeHit[] {
  const hits = page.cells.flatMap((cell) =>
    phrasesIn(cell, index).flatMap((found) =>
      withFirmsWord(found.phrases).flatMap((phrase) => hitOf(page, cell, found, phrase) ?? []),
    ),
  );
  return [...hits, ...codeHits(page, index)].sort((one, other) => other.score - one.score);
}

// What a page is: the forms' titles and the firm's phrases on it, and how much the place where they stand says.
import type { FoundName } from './client-names.ts';
import { FORMS } from './forms/all.ts';
import { type Form, isReturn } from './forms/form.ts';
import { stateQuarterly } from './forms/state-quarterly.ts';
import { BESIDE_NAMES, isJoiner, isSureSuffix, PARTS, suffixOf } from './name-words.ts';
import { isAnother, isBesideForm, isFederal, isNotFinal, isValue, numberOf } from './other-papers.ts';
import { type Box, boxAround, type Cell, type PageWords, textOf, type Word } from './page-words.ts';
import { type Phrase, phraseKey, type TypeIndex } from './type-index.ts';

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
  /** It is headed as a correction of another one. */
  readonly isCorrection?: boolean;
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

/** Words at the beginning of a heading by which it is a correction: 'Amended Form 941'. */
const CORRECTING = new Set(['amended', 'corrected']);
const isCorrecting = ({ words }: Cell, { from }: Found) => from === 1 && CORRECTING.has(words[0]?.plain ?? '');

/** How much of what stands around a phrase, up to the next parting sign, the phrase is; 1 where the rest is labels and numbers. */
function coverage({ words }: Cell, { from, to, length }: Found, isCorrection: boolean): number {
  let first = from;
  while (first > 0 && !isParting(words[first - 1])) first -= 1;
  let end = to;
  while (end < words.length && !isParting(words[end])) end += 1;
  const before = words.slice(first, from);
  const after = words.slice(to, end);
  const isBeside = (word: Word) => BESIDE_NAMES.has(word.plain) || isJoiner(word.plain) || isNumber(word);
  const afterName =
    before.some(({ plain }) => suffixOf(plain) !== null) && suffixOf(before.at(-1)?.plain ?? '') !== null;
  const isWhole = before.length === 0 || afterName || isCorrection;
  if (isWhole && after.every(isBeside)) return 1;
  return length / Math.max(1, lettersOf(words.slice(first, end)));
}

/** What the head of a page has beside its heading, and a row of a table has not: 'Page 1', 'Pay date', 'Time: 10:12'. */
const HEAD_LABEL = /:|^page\b|\bdate$/i;

/** Heads of columns, with a row of as many cells below them, and the rows are no headings of the page. */
function isInTable({ lines }: PageWords, line: number, form: Form | null): boolean {
  const isRow = (at: number) => (lines[at]?.length ?? 0) >= TABLE_CELLS;
  if (line < HEAD_LINES || !isRow(line)) return false;
  // What may stand anywhere stands among the boxes of a form.
  const mayBeLast = form?.anywhere !== true && !lines[line]?.some(({ text }) => HEAD_LABEL.test(text));
  return isRow(line + 1) || (mayBeLast && isRow(line - 1));
}

/** An amount, or what became of something: what stands before it is an item of a list. */
const OF_A_LIST =
  /^(?:[$(\s]*[\d,]*\.\d\d\)?$|(?:e-?filed|filed|accepted|rejected|pending|enclosed|attached|on file)\b|(?:yes|no|paid)$)/i;

const isListed = (cell: Cell, next: Cell | undefined): boolean => next?.line === cell.line && OF_A_LIST.test(next.text);

/** What letters, lists and returns are titled with that a smaller heading below only has a part in. */
const TITLE_WORDS =
  /\b(?:reports?|registers?|summary|statements?|details?|records?|requirements?|instructions|returns|filings|certificates?|notices?|list(?:ing)?s?|journal|package|packet|invoice|confirmation|authorization|reconciliation|compensation|distribution|accruals?|status|letter|contributions?|checklist|worksheet|stubs?|analysis|history|roster|census|directory)\b/i;
/** A return is titled with others of these, such as report: with none of the following. */
const NO_RETURN =
  /\b(?:filing instructions|returns|package|packet|invoice|status|letter|checklist|deposits and filings|confirmation(?! (?:no\b|number|#|code)))\b/i;

/** Whether a larger title of something that is not known stands above: then what stands below is a section of it, or an item. */
function isBelowTitle({ form, isTitle, line, box }: TypeHit, titles: readonly Cell[]): boolean {
  return titles.some(
    (title) =>
      title.line < line &&
      title.height >= LARGE * box.height &&
      ((form !== stateQuarterly && !isTitle) || NO_RETURN.test(title.text)),
  );
}

/** Whether a hit may be of what only speaks of it: a heading, or the official title of a return, which instructions and letters name. */
const maySpeakOf = ({ form, rank, isTitle, isFirms }: TypeHit): boolean =>
  !isFirms && (rank === 2 || (isTitle && isReturn(form) && form.anywhere !== true));

/** Other papers of a payroll, which programs that print in one size title in letters no larger than the rest. */
const OTHER_REPORT =
  /^(?:cash requirements?|labor distribution|statistical summary|check reconciliation)(?: (?:report|summary|statement|register))?$|^(?:job cost(?:ing)?|new hires?|workers[’']? comp(?:ensation)?) (?:report|summary|register|listing)$/i;
/** In lines: those titles stand no lower. */
const TITLE_LINES = 5;

const otherReports = ({ lines }: PageWords): readonly string[] =>
  lines
    .slice(0, TITLE_LINES)
    .filter(({ length }) => length < TABLE_CELLS)
    .flatMap((line) => line.flatMap(({ text }) => (OTHER_REPORT.test(text) ? [text] : [])));

/** Whether a client's name stands in a cell. */
const isNamed = ({ x, y, width, height }: Cell, names: readonly FoundName[]): boolean =>
  names.some(
    ({ how, box }) =>
      how !== 'part' && box.y < y + height && box.y + box.height > y && box.x < x + width && box.x + box.width > x,
  );

/** The larger titles in the upper part of a page that are no company, and by which nothing is recognised. */
function unknownTitles(page: PageWords, hits: readonly TypeHit[], names: readonly FoundName[]): Cell[] {
  const known = new Set(hits.filter(({ rank }) => rank > 1).map(({ line }) => line));
  return page.cells.filter(
    (cell) =>
      cell.y < page.height * TOP &&
      cell.height >= LARGE * page.usualHeight &&
      TITLE_WORDS.test(cell.text) &&
      !known.has(cell.line) &&
      !cell.words.some(({ plain }) => isSureSuffix(plain)) &&
      !isNamed(cell, names),
  );
}

/** Share of the page's height in which who made a form says so. */
const MAKERS = 0.25;
const STATE_OR_CITY =
  /\b(?:state|city|commonwealth|village|township|borough) of \p{L}|\bdepartment of (?:revenue|taxation|labor|workforce|employment)\b|\b(?:revenue|taxation|income tax) (?:department|division|administration|commission|services)\b|\bdivision of (?:taxation|revenue|income tax)\b/iu;

/** States and cities number their own forms as the federal ones are: a city's W-3, a 941 of Maine. */
const isOfStateOrCity = (page: PageWords, names: readonly FoundName[]): boolean =>
  page.cells.some((cell) => cell.y < page.height * MAKERS && STATE_OR_CITY.test(cell.text) && !isNamed(cell, names)) &&
  !page.cells.some(({ text }) => /internal revenue service/i.test(text));

/** Of the same words, what the firm says goes before what forms and names of types say; of what form they are stays known. */
function withFirmsWord(phrases: readonly Phrase[]): readonly (Phrase & { readonly isFirms: boolean })[] {
  const firms = phrases.find(({ kind }) => kind === 'firmPhrase');
  return phrases
    .filter((phrase) => firms === undefined || phrase.form !== null || phrase.kind === 'firmPhrase')
    .map((phrase) => ({ ...phrase, ...(firms && { reportTypeId: firms.reportTypeId }), isFirms: firms !== undefined }));
}

/** A cell and those that are read before and behind it. */
interface CellAmong {
  readonly cell: Cell;
  readonly before: Cell | undefined;
  readonly next: Cell | undefined;
}

/** `other` for what is written as a heading, and is that of another paper. */
function hitOf(
  page: PageWords,
  { cell, before, next }: CellAmong,
  found: Found,
  phrase: Phrase & { readonly isFirms: boolean },
): TypeHit | 'other' | null {
  const { form, kind, isFirms } = phrase;
  const words = cell.words.slice(found.from, found.to);
  const box = boxAround(words);
  // A form that stands anywhere has 'CORRECTED' as a box to tick.
  const isCorrection = form?.anywhere !== true && isCorrecting(cell, found);
  const share = coverage(cell, found, isCorrection);
  const large = box.height >= LARGE * page.usualHeight;
  const inTable = !large && (isInTable(page, cell.line, form) || isListed(cell, next));
  const inPlace = box.y < page.height * TOP || form?.anywhere === true || kind === 'firmPhrase';
  const wholeCell = found.length === lettersOf(cell.words);
  // A small number by itself may be a company's, or anything.
  const isShortHeading = words.every(isNumber) ? wholeCell && large : wholeCell || (large && share === 1);
  const heads =
    inPlace &&
    !inTable &&
    (found.length < SHORT ? isShortHeading : share >= 0.5 || (large && found.from === 0 && share >= 0.25));
  if (!heads && kind !== 'firmPhrase') return null;
  if (kind !== 'firmPhrase' && kind !== 'laterPage') {
    if (isValue(cell, found, before) || isBesideForm(cell, found, form)) return null;
    if (isAnother(cell, found, form)) return 'other';
  }
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
    isCorrection: heads && isCorrection,
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

/** Whether a heading is one that other papers have too, and the page says nothing besides that only its own kind does. */
function lacksWords(page: PageWords, { form, text }: TypeHit): boolean {
  const shared = form?.shared;
  if (shared === undefined || !shared.headings.some((heading) => phraseKey(heading) === phraseKey(text))) return false;
  return !page.cells.some((cell) => shared.words.test(cell.text));
}

const titleKey = (text: string): string => phraseKey(text).replace(/\d+/g, '');

interface TypesOnPage {
  /** What speaks for types, the surest first. */
  readonly types: readonly TypeHit[];
  /** Titles of what is not known, or of another paper than they seem, in plain letters without digits. */
  readonly otherTitles: readonly string[];
}

/** `names`: the clients' that stand on the page. */
export function findTypes(page: PageWords, index: TypeIndex, names: readonly FoundName[]): TypesOnPage {
  const others: string[] = [];
  const hits = page.cells.flatMap((cell, at) => {
    const among = { cell, before: page.cells[at - 1], next: page.cells[at + 1] };
    return phrasesIn(cell, index).flatMap((found) =>
      withFirmsWord(found.phrases).flatMap((phrase) => {
        const hit = hitOf(page, among, found, phrase);
        if (hit === 'other' && cell.y < page.height * TOP) others.push(cell.text);
        return hit === 'other' ? [] : (hit ?? []);
      }),
    );
  });
  const titles = unknownTitles(page, hits, names);
  const isForeign = hits.length > 0 && isOfStateOrCity(page, names);
  const sure = hits.filter((hit) => {
    if (!maySpeakOf(hit)) return true;
    const isOther = !hit.isTitle && ((isForeign && isFederal(numberOf(hit.form, hit.text))) || lacksWords(page, hit));
    if (isOther) others.push(hit.text);
    return !isOther && !isBelowTitle(hit, titles);
  });
  // What is not final yet is of no type, and no part of what is.
  const isDraft = sure.length > 0 && isNotFinal(page, page.height * TOP);
  const told = sure.map((hit) =>
    isDraft && !hit.isFirms && !hit.laterPage ? { ...hit, form: null, reportTypeId: null } : hit,
  );
  return {
    types: [...told, ...codeHits(page, index)].sort((one, other) => other.score - one.score),
    otherTitles: [...new Set([...others, ...titles.map(({ text }) => text), ...otherReports(page)].map(titleKey))],
  };
}

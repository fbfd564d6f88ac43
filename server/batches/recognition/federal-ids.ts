// The federal ids on a page, as they are printed: 12-3456789, nine digits after a label, or one digit to a box.
import { isInFooter, isLow, type Role, roleOf, type Zone } from './labels.ts';
import { type Box, boxAround, type Cell, type PageWords, textOf, type Word } from './page-words.ts';

export interface FoundId {
  /** Nine digits. */
  readonly digits: string;
  readonly text: string;
  readonly box: Box;
  readonly role: Role;
  readonly inFooter: boolean;
  /** In the lower part of the page. */
  readonly isLow: boolean;
  /** Written as a federal id is, with two digits apart: nine digits in a row may be any number. */
  readonly hyphened: boolean;
}

export const digitsOf = (federalId: string) => federalId.replace(/\D/g, '');

const DIGITS = /^\d+$/;
const HYPHENS = new Set(['-', '–', '—', '‐', '‑', '−']);
/** In points: how far apart boxes of one number stand, and those between which a hyphen is printed, maybe a little higher. */
const BOX_GAP = 32;
const HYPHEN_GAP = 60;

/** Nine boxes and the hyphens around them. */
const MOST_PIECES = 12;

interface Group {
  readonly cell: Cell;
  readonly from: number;
  readonly words: Word[];
}

/** The two digits that a federal id begins with. */
const isPrefix = (words: readonly Word[]) => words.length < 3 && words.map(({ text }) => text).join('').length === 2;

/** Digits and hyphens that follow each other on a line, in whatever cells. */
function groupsOf(line: readonly Cell[]): Group[] {
  const groups: Group[] = [];
  let open: Group | null = null;
  let end = 0;
  for (const cell of line) {
    for (const [index, word] of cell.words.entries()) {
      const fits = DIGITS.test(word.text) || HYPHENS.has(word.text);
      if (!fits) {
        open = null;
      } else if (open === null || word.x - end > (isPrefix(open.words) ? HYPHEN_GAP : BOX_GAP)) {
        open = { cell, from: index, words: [word] };
        groups.push(open);
      } else {
        open.words.push(word);
      }
      end = word.x + word.width;
    }
  }
  return groups;
}

interface Number {
  readonly digits: string;
  readonly words: readonly Word[];
  readonly hyphened: boolean;
}

/** The number that a group is, if it has the form of a federal id: two digits, seven digits. */
function numberOf(words: readonly Word[]): Number | null {
  if (words.length > MOST_PIECES) return null;
  const marks = words.map(({ text }) => text);
  const digits = marks.filter((text) => DIGITS.test(text));
  const all = digits.join('');
  if (all.length !== 9) return null;
  const hyphens = marks.flatMap((text, index) => (HYPHENS.has(text) ? [marks.slice(0, index)] : []));
  const before = hyphens.map((part) => part.filter((text) => DIGITS.test(text)).join('').length);
  if (before.length > 1 || (before.length === 1 && before[0] !== 2)) return null;
  // 123 45 6789 is a social security number.
  let length = 0;
  const ends = digits.map((text) => (length += text.length));
  if (digits.length > 1 && !ends.includes(2)) return null;
  return { digits: all, words, hyphened: before.length === 1 };
}

/** The numbers in a group; a page number or an amount may stand beside the nine digits. */
function numbersOf(group: Group): { readonly number: Number; readonly at: number }[] {
  const { words } = group;
  const whole = numberOf(words);
  if (whole !== null) return [{ number: whole, at: group.from }];
  const found: { number: Number; at: number }[] = [];
  for (let from = 0; from < words.length; from += 1) {
    // What touches another sign is part of a longer number, such as 012-34-5678.
    if (HYPHENS.has(words[from]?.text ?? '')) continue;
    if (from > 0 && words[from]?.spaced === false && HYPHENS.has(words[from - 1]?.text ?? '')) continue;
    const part = words.slice(from, from + 3);
    const number = part.length === 3 ? numberOf(part) : null;
    const next = words[from + 3];
    if (number?.hyphened !== true || number.words[0]?.text.length !== 2) continue;
    if (next !== undefined && !next.spaced && HYPHENS.has(next.text)) continue;
    found.push({ number, at: group.from + from });
    from += 2;
  }
  return found;
}

export function findFederalIds(page: PageWords, zones: readonly Zone[]): FoundId[] {
  return page.lines.flatMap((line) =>
    groupsOf(line).flatMap((group) =>
      numbersOf(group).map(({ number, at }) => {
        const box = boxAround(number.words);
        const { digits, hyphened } = number;
        return {
          digits,
          hyphened,
          text: textOf(number.words),
          box,
          role: roleOf(page, zones, group.cell, at, box),
          inFooter: isInFooter(page, box),
          isLow: isLow(page, box),
        };
      }),
    ),
  );
}

/** A federal id of which only the end is printed: 'XX-XXX6702'. */
export interface FoundMask {
  /** Four digits. */
  readonly ending: string;
}

/** Of a social security number the signs stand elsewhere: 'XXX-XX-6702'. */
const MASKED = /^(?:[Xx]{2}[-–—‐‑−][Xx]{3}|\*{2}[-–—‐‑−]\*{3})(\d{4})$/;
/** In words: letters stand together, and each star by itself. */
const MASK_WORDS = [3, 7];

const goesOn = (word: Word | undefined) => word?.spaced === false && (HYPHENS.has(word.text) || word.text === '*');
const begins = (words: readonly Word[], from: number) =>
  words[from]?.spaced !== false || !/^[\p{L}\p{N}*]|[-–—‐‑−]$/u.test(words[from - 1]?.text ?? '');

/** Those that are said to be the company's, in the upper part of a page. */
export function findMaskedIds(page: PageWords, zones: readonly Zone[]): FoundMask[] {
  return page.cells.flatMap((cell) =>
    cell.words.flatMap(({ text }, last) => {
      if (!/\d{4}$/.test(text) || goesOn(cell.words[last + 1])) return [];
      return MASK_WORDS.flatMap((count) => {
        const from = last + 1 - count;
        if (from < 0 || !begins(cell.words, from)) return [];
        const words = cell.words.slice(from, last + 1);
        const ending = MASKED.exec(textOf(words))?.[1];
        if (ending === undefined) return [];
        const box = boxAround(words);
        const isCompany = roleOf(page, zones, cell, from, box) === 'company';
        return isCompany && !isInFooter(page, box) && !isLow(page, box) ? [{ ending }] : [];
      });
    }),
  );
}

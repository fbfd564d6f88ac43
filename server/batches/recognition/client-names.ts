// The names of companies on a page: clients', whole or doubtful, and names of companies that nobody knows.
import { isInFooter, isLow, labelledName, type Role, roleOf, type Zone } from './labels.ts';
import { type KnownName, type NameIndex, SHORTEST_CUT, SHORTEST_WORD } from './name-index.ts';
import { BESIDE_NAMES, GOES_ON, isJoiner, isSureSuffix, PARTS, suffixOf } from './name-words.ts';
import { type Box, boxAround, type Cell, type PageWords, textOf, type Word } from './page-words.ts';

interface FoundWords {
  readonly text: string;
  readonly box: Box;
  readonly role: Role;
  readonly inFooter: boolean;
  /** In the lower part of the page. */
  readonly isLow: boolean;
}

/** Where words stand is added to what they are. */
type Placed = 'role' | 'inFooter' | 'isLow';

export interface FoundName extends FoundWords {
  /** Those that the words may mean: several where clients share a name. */
  readonly names: readonly KnownName[];
  /**
   * `whole`: it begins and ends where the name does. `part`: more words belong to it, so that it is another name. `otherKind`: the
   * same words, and another kind of company. `cut`: the place was too short for it.
   */
  readonly how: 'whole' | 'part' | 'otherKind' | 'cut';
}

/** A company's name, by its ending, that is no client's. */
export interface FoundStranger extends FoundWords {
  readonly key: string;
}

interface Span {
  readonly from: number;
  /** After its last word. */
  readonly to: number;
  readonly names: readonly KnownName[];
}

/** In letters: 'S corporation' is no name. */
const SHORTEST_STRANGER = 4;
/** In words and signs: what a cut name has at most. */
const LONGEST_NAME = 16;
/** How far a name is looked ahead for its ending. */
const LOOK_AHEAD = 6;

function spansOf({ words }: Cell, index: NameIndex): Span[] {
  const spans: Span[] = [];
  let reached = 0;
  for (let from = 0; from < words.length; from += 1) {
    const first = words[from]?.plain ?? '';
    if (isJoiner(first) || !index.mayBegin(first)) continue;
    let core = '';
    let best: Span | null = null;
    for (let to = from; to < words.length; to += 1) {
      const word = words[to] as Word;
      if (PARTS.has(word.text)) break;
      if (isJoiner(word.plain)) continue;
      core += word.plain;
      if (core.length > index.longest || !index.mayBegin(core)) break;
      const names = index.find(core);
      if (names.length > 0) best = { from, to: to + 1, names };
    }
    // The longer name covers the shorter ones in it.
    if (best !== null && best.to > reached) {
      spans.push(best);
      reached = best.to;
    }
  }
  return spans;
}

const startsSmall = (word: Word) => /^\p{Ll}/u.test(word.text);
const isLongNumber = ({ plain }: Word) => /^\d{3,}$/.test(plain);

/** Whether a company's ending follows within a few words that nothing parts: then they are all one name. */
function endingFollows(words: readonly Word[], from: number): boolean {
  for (const word of words.slice(from, from + LOOK_AHEAD)) {
    if (PARTS.has(word.text)) return false;
    if (isSureSuffix(word.plain)) return true;
  }
  return false;
}

function isOpen(words: readonly Word[], from: number): boolean {
  let at = from - 1;
  while (at >= 0 && words[at]?.plain === 'the') at -= 1;
  const before = words[at];
  if (before === undefined || PARTS.has(before.text)) return true;
  if (before.text === '-') return before.spaced;
  if (before.text === '#' || isLongNumber(before)) return true;
  if (GOES_ON.has(before.plain)) {
    const earlier = words[at - 1];
    return earlier !== undefined && startsSmall(earlier) && startsSmall(before);
  }
  // The end of a sentence, or of a short word that is part of the name: 'St. Brannoc'.
  if (before.text === '.') return (words[at - 1]?.text.length ?? 0) > 3;
  return BESIDE_NAMES.has(before.plain) || (startsSmall(before) && !startsSmall(words[from] as Word));
}

function isClosed(words: readonly Word[], last: Word, to: number, withSuffix: boolean): boolean {
  const stops = words[to]?.text === '.';
  const next = words[stops ? to + 1 : to];
  if (next === undefined || PARTS.has(next.text)) return true;
  if (next.text === '-') return next.spaced && words[to + 1]?.spaced !== false;
  if (GOES_ON.has(next.plain)) return false;
  if (next.text === ',') return withSuffix || words[to + 1] === undefined || isLongNumber(words[to + 1] as Word);
  if (next.text === '’' || next.text === "'") return true;
  if (stops && (withSuffix || last.text.length > 3)) return true;
  if (!withSuffix && endingFollows(words, to)) return false;
  if (isLongNumber(next) || BESIDE_NAMES.has(next.plain)) return true;
  return startsSmall(next) && !startsSmall(last);
}

interface Ending {
  readonly suffixes: readonly string[];
  readonly to: number;
}

/** The suffixes that follow a name, with the commas between. */
function endingAt(words: readonly Word[], from: number): Ending {
  const suffixes: string[] = [];
  let end = from;
  for (let at = from; at < words.length; at += 1) {
    const word = words[at] as Word;
    const suffix = suffixOf(word.plain);
    if (suffix !== null) {
      suffixes.push(suffix);
      end = at + 1;
    } else if (word.text !== ',' && word.text !== '.') {
      break;
    }
  }
  return { suffixes, to: end };
}

/** Whether one of the two says no more than the other: 'Co.' and 'Co., Inc.', or nothing at all. */
function agree(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return short.every((suffix) => long.includes(suffix));
}

/** Whether a cell ended within the suffix: 'Larkspur Dental Group LL'. */
function isBeginning(word: Word | undefined, all: readonly string[], printed: readonly string[]): boolean {
  const suffix = all[printed.length] ?? '';
  return word !== undefined && suffix.length > word.plain.length && word.plain !== '' && suffix.startsWith(word.plain);
}

/** In points: how far apart the left ends or middles of two lines of one name are. */
const ALIGNED = 4;

/**
 * Whether a name that ends with its line goes on in the next one: 'Acme Plumbing' over 'of Ohio Inc.', or over what makes it the name
 * of another client.
 */
function wraps(page: PageWords, cell: Cell, names: readonly KnownName[], index: NameIndex): boolean {
  const below = page.lines[cell.line + 1]?.find(
    (other) => other.x < cell.x + cell.width && other.x + other.width > cell.x,
  );
  const first = below?.words[0];
  if (below === undefined || first === undefined) return false;
  if (below.y - cell.y > 1.8 * Math.max(cell.height, below.height)) return false;
  const isBelowStart = Math.abs(below.x - cell.x) < ALIGNED;
  const isCentered = Math.abs(below.x + below.width / 2 - cell.x - cell.width / 2) < ALIGNED;
  // 'Las Vegas' below the middle of a name is a place.
  if (GOES_ON.has(first.plain) && (isBelowStart || first.plain === 'of' || startsSmall(first))) return true;
  // A sign goes on with no name: a telephone number's bracket.
  const next = below.words.find(({ plain }) => !isJoiner(plain))?.plain ?? '';
  const longer = (names[0]?.core ?? '') + next;
  const others = next === '' ? [] : [...index.find(longer), ...index.findCut(longer)];
  if (others.some((other) => names.every(({ clientId }) => clientId !== other.clientId))) return true;
  return (isBelowStart || isCentered) && endingFollows(below.words, 0);
}

function readSpan(page: PageWords, cell: Cell, span: Span, index: NameIndex): Omit<FoundName, Placed> {
  const { words } = cell;
  const ending = endingAt(words, span.to);
  const found = words.slice(span.from, ending.to);
  const shape = { text: textOf(found), box: boxAround(found) };
  const last = found.at(-1) as Word;
  const kin = span.names.filter(({ suffixes }) => agree(suffixes, ending.suffixes));
  if (kin.length === 0) return { ...shape, names: span.names, how: 'otherKind' };
  const rest = words.slice(ending.to).filter(({ text }) => text !== ',');
  const cut = rest.length === 1 ? kin.filter(({ suffixes }) => isBeginning(rest[0], suffixes, ending.suffixes)) : [];
  if (cut.length > 0 && isOpen(words, span.from)) return { ...shape, names: cut, how: 'cut' };
  const closed = isClosed(words, last, ending.to, ending.suffixes.length > 0);
  const goesOn = ending.suffixes.length === 0 && ending.to === words.length && wraps(page, cell, span.names, index);
  if (!isOpen(words, span.from) || !closed || goesOn) return { ...shape, names: kin, how: 'part' };
  // Where the ending is printed, who has the very same goes before who has none.
  const same = kin.filter(({ suffixes }) => suffixes.join() === ending.suffixes.join());
  const names = same.length > 0 && ending.suffixes.length > 0 ? same : kin;
  const isWholeCell = span.from === 0 && ending.to === words.length;
  // A single plain word is a name where it stands alone or has its ending.
  const tells = names.filter(
    ({ count, core }) => count > 1 || ending.suffixes.length > 0 || (core.length >= SHORTEST_WORD && isWholeCell),
  );
  return tells.length > 0 ? { ...shape, names: tells, how: 'whole' } : { ...shape, names, how: 'part' };
}

/** A cell that ends in the middle of a name. */
function cutOf(cell: Cell, index: NameIndex): Omit<FoundName, Placed> | null {
  const words = cell.words.filter(({ text }) => !/^[.…]+$/.test(text));
  for (let from = Math.max(0, words.length - LONGEST_NAME); from < words.length; from += 1) {
    if (!index.mayBegin(words[from]?.plain ?? '') || !isOpen(words, from)) continue;
    const core = words
      .slice(from)
      .map(({ plain }) => (isJoiner(plain) ? '' : plain))
      .join('');
    if (core.length < SHORTEST_CUT) return null;
    const names = index.findCut(core);
    if (names.length > 0) {
      const found = words.slice(from);
      return { text: textOf(found), box: boxAround(found), names, how: 'cut' };
    }
  }
  return null;
}

/** 'Co.' at the end of a name; 'CO' is a state as well. */
function isCo(words: readonly Word[], at: number): boolean {
  const [word, next] = [words[at], words[at + 1]];
  if (word?.plain !== 'co' || (word.text === 'CO' && words[at - 1]?.text === ',')) return false;
  return next?.text === '.' ? !isLongNumber(words[at + 2] ?? next) : word.text === 'Co';
}

/** A name that ends as companies' names do and is no client's: 'Zenith Foods LLC'. */
function strangerOf(cell: Cell, taken: readonly Box[]): Omit<FoundStranger, Placed> | null {
  const { words } = cell;
  const at = words.findIndex(({ plain }, index) => isSureSuffix(plain) || isCo(words, index));
  if (at < 1) return null;
  let from = at;
  while (from > 0) {
    const before = words[from - 1] as Word;
    if (PARTS.has(before.text) || (BESIDE_NAMES.has(before.plain) && before.plain !== 'the')) break;
    if (startsSmall(before) && !GOES_ON.has(before.plain)) break;
    from -= 1;
  }
  while (from < at && (GOES_ON.has(words[from]?.plain ?? '') || words[from]?.plain === '')) from += 1;
  if (words.slice(from, at).reduce((sum, { plain }) => sum + plain.length, 0) < SHORTEST_STRANGER) return null;
  const found = words.slice(from, endingAt(words, at).to);
  const box = boxAround(found);
  if (taken.some((other) => other.x < box.x + box.width && other.x + other.width > box.x)) return null;
  const key = found.map(({ plain }) => (isJoiner(plain) ? '' : plain)).join('');
  return { key, text: textOf(found), box };
}

/** The letters that a name has at least. */
const hasName = (words: readonly Word[]) => words.some(({ plain }) => /\p{L}{3}/u.test(plain));

/** What stands where the form or report names its company, and is no client's name. */
function labelledStrangers(page: PageWords, zones: readonly Zone[], clients: readonly FoundName[]): FoundStranger[] {
  return page.cells.flatMap((cell) => {
    const value = labelledName(page, cell);
    if (value === null) return [];
    const words = value.cell.words.slice(value.from);
    if (!hasName(words)) return [];
    const box = boxAround(words);
    const isKnown = clients.some(
      ({ how, box: other }) =>
        how !== 'part' && other.y === box.y && other.x < box.x + box.width && other.x + other.width > box.x,
    );
    if (isKnown || roleOf(page, zones, value.cell, value.from, box) === 'thirdParty') return [];
    const key = words.map(({ plain }) => (isJoiner(plain) ? '' : plain)).join('');
    const place = { role: 'company', inFooter: isInFooter(page, box), isLow: isLow(page, box) } as const;
    return [{ key, text: textOf(words), box, ...place }];
  });
}

export interface NamesOnPage {
  readonly clients: readonly FoundName[];
  readonly strangers: readonly FoundStranger[];
}

export function findNames(page: PageWords, zones: readonly Zone[], index: NameIndex): NamesOnPage {
  const clients: FoundName[] = [];
  const strangers: FoundStranger[] = [];
  for (const cell of page.cells) {
    const place = (box: Box) => ({
      role: roleOf(
        page,
        zones,
        cell,
        cell.words.findIndex((word) => word.x >= box.x - 0.01),
        box,
      ),
      inFooter: isInFooter(page, box),
      isLow: isLow(page, box),
    });
    const spans = spansOf(cell, index).map((span) => readSpan(page, cell, span, index));
    const cut = spans.some(({ how }) => how === 'whole') ? null : cutOf(cell, index);
    // What is cut is longer than what was found whole in it.
    const found = cut === null ? spans : [cut];
    for (const each of found) clients.push({ ...each, ...place(each.box) });
    const whole = found.filter(({ how }) => how === 'whole' || how === 'cut').map(({ box }) => box);
    const stranger = strangerOf(cell, whole);
    if (stranger !== null) strangers.push({ ...stranger, ...place(stranger.box) });
  }
  strangers.push(...labelledStrangers(page, zones, clients));
  return { clients, strangers };
}

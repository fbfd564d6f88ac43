// Clients' state ids on a page. They have no form of their own, so that only those are found that the firm wrote down.
import { digitsOf } from './federal-ids.ts';
import { isInFooter, isLow, type Role, roleOf, type Zone } from './labels.ts';
import { type Box, boxAround, type Cell, type PageWords, textOf, type Word } from './page-words.ts';
import type { KnownClient } from './proposal.ts';

export interface FoundStateId {
  readonly clientId: number;
  readonly text: string;
  readonly box: Box;
  readonly role: Role;
}

/** What is shorter is found in too much. */
const SHORTEST = 6;
const FEWEST_DIGITS = 5;
/** In letters and digits. */
const LONGEST = 64;
/** In points: how far apart the boxes or groups of one number stand. */
const GAP = 32;
/** Signs inside a number. Any other one parts two: a comma stands in amounts. */
const INSIDE = new Set(['-', '–', '—', '‐', '‑', '−', '/', '.', '#']);
/** The end of an amount: '1,234.56'. */
const CENTS = /\.\d\d$/;

/** The state before its own number: 'OH 52-118830'. */
const STATE = /^\p{L}{2}[^\p{L}\p{N}]+/u;

const isLongEnough = (key: string) =>
  key.length >= SHORTEST && key.length <= LONGEST && key.replace(/\D/g, '').length >= FEWEST_DIGITS;

/** What a state id is compared by: its letters and digits without signs, with the state before them and without. None where that tells nobody. */
function keysOf(stateId: string): string[] {
  const written = stateId.normalize('NFKC').trim().toLowerCase();
  const keys = [written, written.replace(STATE, '')].map((text) => text.replace(/[^\p{L}\p{N}]/gu, ''));
  return [...new Set(keys)].filter(isLongEnough);
}

/** The state ids that one client alone has, by what they are compared by. */
export class StateIdIndex {
  readonly #clients = new Map<string, number | null>();
  readonly #starts = new Set<string>();

  constructor(clients: readonly KnownClient[]) {
    const federalIds = new Set(clients.map(({ federalId }) => digitsOf(federalId)).filter((digits) => digits !== ''));
    for (const { id, federalId, stateId } of clients) {
      const own = digitsOf(federalId);
      for (const key of keysOf(stateId)) {
        // Some states go by the federal id: found once, it must not speak twice.
        if (federalIds.has(key) || (own !== '' && key.includes(own))) continue;
        this.#clients.set(key, this.#clients.has(key) ? null : id);
        for (let length = 1; length <= key.length; length += 1) this.#starts.add(key.slice(0, length));
      }
    }
  }

  mayBegin(text: string): boolean {
    return this.#starts.has(text);
  }

  find(key: string): number | null {
    return this.#clients.get(key) ?? null;
  }
}

interface Placed {
  readonly cell: Cell;
  /** In its cell. */
  readonly at: number;
  readonly word: Word;
}

const gapBefore = ({ word }: Placed, before: Placed | undefined): number =>
  before === undefined ? Number.POSITIVE_INFINITY : word.x - before.word.x - before.word.width;

/** Whether two neighbours are printed as one number: nothing between them, or single digits in boxes. */
function areJoined(before: Placed | undefined, after: Placed | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  const gap = gapBefore(after, before);
  if (gap > GAP) return false;
  const single = before.word.text.length === 1 && after.word.text.length === 1;
  const digits = /^\d$/.test(before.word.text) && /^\d$/.test(after.word.text);
  const touches = before.cell === after.cell && !after.word.spaced;
  return (single && digits) || (touches && [before, after].some(({ word }) => /[\p{L}\p{N}]$/u.test(word.text)));
}

/** A sign beside a number that is no part of a longer one: 'No:123456', '(123456)', '123456,'. */
const isApart = (placed: Placed | undefined): boolean =>
  placed !== undefined && placed.word.plain === '' && !INSIDE.has(placed.word.text);

interface Match {
  readonly clientId: number;
  readonly to: number;
}

/** The longest state id that begins with a word and ends with one. */
function matchAt(line: readonly Placed[], from: number, index: StateIdIndex): Match | null {
  let key = '';
  let best: Match | null = null;
  for (let to = from; to < line.length; to += 1) {
    const placed = line[to] as Placed;
    const { word } = placed;
    if (to > from && gapBefore(placed, line[to - 1]) > GAP) break;
    if (word.plain === '') {
      if (to === from || !INSIDE.has(word.text)) break;
      continue;
    }
    if (CENTS.test(word.text)) break;
    key += word.plain;
    if (!index.mayBegin(key)) break;
    const clientId = index.find(key);
    const next = line[to + 1];
    const sign = next?.word.plain === '' ? line[to + 2] : undefined;
    // A full stop or hyphen goes on with the number where more of it follows.
    const goesOn = areJoined(placed, next) && !isApart(next) && (next?.word.plain !== '' || areJoined(next, sign));
    if (clientId !== null && !goesOn) best = { clientId, to: to + 1 };
  }
  return best;
}

/** Those in the upper part of a page that are not said to be somebody else's. */
export function findStateIds(page: PageWords, zones: readonly Zone[], index: StateIdIndex): FoundStateId[] {
  return page.lines.flatMap((cells) => {
    // Most lines hold nothing that any state id begins with.
    if (!cells.some(({ words }) => words.some(({ plain }) => plain !== '' && index.mayBegin(plain)))) return [];
    const line = cells.flatMap((cell) => cell.words.map((word, at): Placed => ({ cell, at, word })));
    const found: FoundStateId[] = [];
    let from = 0;
    while (from < line.length) {
      const first = line[from] as Placed;
      const before = line[from - 1];
      const begins = first.word.plain !== '' && (!areJoined(before, first) || isApart(before));
      const match = begins ? matchAt(line, from, index) : null;
      if (match === null) {
        from += 1;
        continue;
      }
      const words = line.slice(from, match.to).map(({ word }) => word);
      const box = boxAround(words);
      const role = roleOf(page, zones, first.cell, first.at, box);
      if (role !== 'thirdParty' && !isInFooter(page, box) && !isLow(page, box)) {
        found.push({ clientId: match.clientId, text: textOf(words), box, role });
      }
      from = match.to;
    }
    return found;
  });
}

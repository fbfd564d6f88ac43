// What heads a page, for a person to say what pages with that heading are: the largest words of its head that name nobody.
import { hasPhraseLetters, PHRASE_LENGTH } from '#contract/phrase-words.ts';
import type { FoundName, FoundStranger } from './client-names.ts';
import { roleOf, type Zone } from './labels.ts';
import { isJoiner, PARTS } from './name-words.ts';
import type { TypeHit } from './page-type.ts';
import { type Box, type Cell, type PageWords, textOf, type Word } from './page-words.ts';

/** Share of the page's height in which it stands. */
const TOP = 0.4;
/** Lines with as many cells are rows of a table. */
const TABLE_CELLS = 4;
/** Of two sizes nearer to each other than this, the upper one is the heading. */
const ALIKE = 0.9;
/** How much smaller than the largest words those may be that a page was recognised by. */
const FAR = 0.75;
/** The end of a heading that is another one on the next page: 'for the week ending March'. */
const DATING = new Set(
  (
    'for of as the at to from through thru in on by and this week weeks month quarter qtr year period pay ended ending begin beginning date dated ' +
    'january february march april may june july august september october november december ' +
    'jan feb mar apr jun jul aug sep sept oct nov dec q1 q2 q3 q4 page no number'
  ).split(' '),
);
/** Says nothing where nothing else stands beside it. */
const NOTHING_ALONE = new Set(
  'report form page summary statement copy confidential draft original duplicate date total totals attention notice invoice final continued'.split(
    ' ',
  ),
);
/** 'Dayton, OH 45402' */
const PLACE = /\b[A-Z]{2}\.?\s+\d{5}\b/;
/** Cut letters of one heading are no words: 'R e p o r t'. */
const LETTERS_OF_A_WORD = 2;

const meets = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  one.x + one.width > other.x &&
  one.y < other.y + other.height &&
  one.y + one.height > other.y;

const isParting = ({ text, spaced }: Word) => PARTS.has(text) || (text === '-' && spaced);
const hasDigit = ({ text }: Word) => /\p{N}/u.test(text);

/** The words of a cell that are the same on the next page too; none where it is a label, an address or a number. */
function lastingWords({ words, text }: Cell): readonly Word[] {
  if (PLACE.test(text) || words.some((word) => word.text === ':' || word.text === '@')) return [];
  const end = words.findIndex((word) => isParting(word) || hasDigit(word));
  let lasting = end < 0 ? [...words] : words.slice(0, end);
  while (lasting.length > 0) {
    const last = lasting.at(-1) as Word;
    const isCutOff = last.plain === '' || (end >= 0 && DATING.has(last.plain)) || isJoiner(last.plain);
    if (!isCutOff) break;
    lasting = lasting.slice(0, -1);
  }
  return lasting;
}

function isHeading(words: readonly Word[]): boolean {
  const told = words.filter(({ plain }) => plain.length >= LETTERS_OF_A_WORD && !isJoiner(plain));
  const [only] = told;
  return isHeadingText(textOf(words)) && only !== undefined && (told.length > 1 || !NOTHING_ALONE.has(only.plain));
}

const isHeadingText = (text: string) =>
  text.length >= PHRASE_LENGTH.min && text.length <= PHRASE_LENGTH.max && hasPhraseLetters(text);

interface Heading {
  readonly height: number;
  readonly text: string;
}

/** What a page was recognised by, as far as that is words: with those beside them that are the same on the next page too. */
function recognisedBy(page: PageWords, hits: readonly TypeHit[]): (Heading & Pick<TypeHit, 'rank'>) | null {
  const hit = hits.find(({ rank, text }) => rank > 1 && isHeadingText(text));
  if (hit === undefined) return null;
  const cell = page.lines[hit.line]?.find((other) => meets(other, hit.box));
  const whole = cell === undefined ? '' : textOf(lastingWords(cell));
  return {
    rank: hit.rank,
    height: hit.box.height,
    text: whole.includes(hit.text) && isHeadingText(whole) ? whole : hit.text,
  };
}

function largest(page: PageWords, zones: readonly Zone[], named: readonly Box[], bottom: number): Heading | null {
  let best: Heading | null = null;
  for (const line of page.lines) {
    if (line.length >= TABLE_CELLS) continue;
    for (const cell of line) {
      if (cell.y > page.height * TOP || cell.y >= bottom || named.some((box) => meets(box, cell))) continue;
      const words = lastingWords(cell);
      if (!isHeading(words) || roleOf(page, zones, cell, 0, cell) === 'thirdParty') continue;
      const height = Math.max(...words.map((word) => word.height));
      if (best === null || best.height < ALIKE * height) best = { height, text: textOf(words) };
    }
  }
  return best;
}

/**
 * The heading of a page whose companies and types were found; null where it has none that could be told again. What it was
 * recognised by goes before the rest, unless something far larger stands there. Of a file that is a table only
 * what stands above it is a heading: nobody knows pages by the heads of their columns.
 */
export function headingOf(
  page: PageWords,
  zones: readonly Zone[],
  found: {
    readonly clients: readonly FoundName[];
    readonly strangers: readonly FoundStranger[];
    readonly types: readonly TypeHit[];
  },
  tableTop: number | undefined,
): string | null {
  const bottom = tableTop ?? Number.POSITIVE_INFINITY;
  const recognised = recognisedBy(
    page,
    found.types.filter(({ box }) => box.y < bottom),
  );
  const all = largest(
    page,
    zones,
    [...found.clients, ...found.strangers].map(({ box }) => box),
    bottom,
  );
  if (recognised === null) return all?.text ?? null;
  const isLarge = all === null || recognised.rank === 3 || recognised.height >= FAR * all.height;
  return isLarge ? recognised.text : all.text;
}

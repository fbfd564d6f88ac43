// Whose a name or a number is, by the words beside it: the company's that the page is about, or somebody else's who is named too.
import { type Box, type Cell, type PageWords, plainWords, type Word } from './page-words.ts';

/** `other` is a number of another kind: of a state, an account, a person. */
export type Role = 'company' | 'thirdParty' | 'other' | 'plain';

/** Words that introduce somebody who is not the company; they outweigh the company's. */
const THIRD_PARTY = new Set(
  'designee designees preparer preparers prepared processed provider bureau agent agents agency bank banks routing firms recipient recipients employee employees payee payees contractor contractors creditor remit administrator transmitter transmitters carrier beneficiary intermediary depository vendor accountant cpa'.split(
    ' ',
  ),
);
/** Words that introduce the company. */
const COMPANY = new Set(
  'employer employers ein fein federal irs company client business taxpayer taxpayers payer payers legal tin employing filer filers'.split(
    ' ',
  ),
);
/** Words that introduce another kind of number. */
const OTHER_NUMBER = new Set(
  'state suta sui sit unemployment withholding account ssn social security phone telephone fax control document invoice check trace confirmation acknowledgement acknowledgment dln ptin pin caf license policy seid zip'.split(
    ' ',
  ),
);
/** What else labels hold. */
const LABEL_WORDS = new Set(
  'name names number no id identification identity tax trade your not the of and or number s address code if any for to by in on first last use only see instructions a b c d e f 1 2 3 4 5 account statement period'.split(
    ' ',
  ),
);

/** Lines under which somebody else is spoken of, until the form's next part. */
const THIRD_PARTY_ZONES = [
  'paid preparer',
  'preparer use only',
  'preparers use only',
  'third party designee',
  'thirdparty designee',
  'reporting agent',
].map((phrase) => plainWords(phrase).join(''));
const ZONE_ENDS = new Set(['part', 'section']);
/** In points: no such block is higher. */
const ZONE_HEIGHT = 150;
/** In points: what stands farther to the left is another column. */
const LEFT_REACH = 190;
/** Share of the page's height that its footer takes at most. */
const FOOTER = 0.06;

export interface Zone {
  readonly from: number;
  readonly to: number;
}

/** Where a page speaks of a preparer or designee. */
export function thirdPartyZones(page: PageWords): Zone[] {
  const zones: { from: number; to: number }[] = [];
  for (const line of page.lines) {
    const [first] = line;
    if (first === undefined) continue;
    const text = line.map((cell) => cell.words.map((word) => word.plain).join('')).join('');
    const open = zones.at(-1);
    if (text.length < 120 && THIRD_PARTY_ZONES.some((phrase) => text.includes(phrase))) {
      zones.push({ from: first.y - 1, to: first.y + ZONE_HEIGHT });
    } else if (open !== undefined && first.y < open.to && ZONE_ENDS.has(first.words[0]?.plain ?? '')) {
      open.to = first.y - 1;
    }
  }
  return zones;
}

/** Share of the page's height above which its own company stands; what only stands lower is whoever prepared it. */
const UPPER = 0.6;

export const isLow = (page: PageWords, box: Box): boolean => box.y > page.height * UPPER;

/** In points: where a page's own company stands. A name farther down is one that the company deals with. */
const HEAD = 200;

export const isInHead = (box: Box): boolean => box.y < HEAD;

export const isInFooter = (page: PageWords, box: Box): boolean => box.y > page.height * (1 - FOOTER);

function roleOfWords(words: readonly Word[]): Role {
  const plain = words.map((word) => word.plain);
  if (plain.some((word) => THIRD_PARTY.has(word))) return 'thirdParty';
  // 'Employee's social security number' is a person's, 'State employer account' is the state's.
  if (plain.some((word) => OTHER_NUMBER.has(word)) && !plain.some((word) => word === 'federal' || word === 'ein')) {
    return 'other';
  }
  return plain.some((word) => COMPANY.has(word)) ? 'company' : 'plain';
}

const isLabelWord = ({ plain }: Word) =>
  THIRD_PARTY.has(plain) || COMPANY.has(plain) || OTHER_NUMBER.has(plain) || LABEL_WORDS.has(plain);

/** Whether a cell is a label rather than a value: most of its words are words of labels. */
function isLabel({ words }: Cell): boolean {
  const told = words.filter((word) => word.plain !== '');
  return told.length > 0 && told.filter(isLabelWord).length * 2 >= told.length;
}

/** Whether a label has its value in its own cell: 'Prepared by Cedar Payroll' says nothing of who stands below it. */
function hasOwnValue({ words }: Cell): boolean {
  const at = words.findIndex(({ text, plain }) => text === ':' || plain === 'by');
  return at >= 0 && words.slice(at + 1).some(({ plain }) => plain !== '');
}

/** How many words before a name or number may introduce it. */
const WORDS_BEFORE = 6;

/** The words before `from` in its cell, back to the last sign that parts them. */
function wordsBefore(cell: Cell, from: number): Word[] {
  const before = cell.words.slice(Math.max(0, from - WORDS_BEFORE), from);
  const sign = before.findLastIndex(({ text, spaced }) => '|·•–—;'.includes(text) || (text === '-' && spaced));
  return before.slice(sign + 1);
}

/** What stands before a company's name; of these, some say so only with a colon, since columns are headed by them too. */
const NAME_LABELS = new Set(
  'companyname clientname employername employersname businessname legalname taxpayername payersname payername preparedfor namenotyourtradename cemployersnameaddresszipcode employersnameaddresszipcode customername nameofemployer nameofcompany'.split(
    ' ',
  ),
);
const COLON_LABELS = new Set([...NAME_LABELS, 'company', 'client', 'employer', 'customer', 'taxpayer', 'payer', 'for']);

const joinedWords = (words: readonly Word[]) =>
  words
    .map(({ plain }) => plain)
    .filter((plain) => plain !== 'and')
    .join('');

/** Where the name that a label introduces begins: in the label's own cell, in the next one, or in the one below. */
export function labelledName(page: PageWords, cell: Cell): { readonly cell: Cell; readonly from: number } | null {
  const colon = cell.words.findIndex(({ text }) => text === ':');
  const label = joinedWords(colon < 0 ? cell.words : cell.words.slice(0, colon));
  if (!(colon < 0 ? NAME_LABELS : COLON_LABELS).has(label)) return null;
  if (colon >= 0 && colon < cell.words.length - 1) return { cell, from: colon + 1 };
  const line = page.lines[cell.line] ?? [];
  const next = line[line.indexOf(cell) + 1];
  if (next !== undefined && next.x - cell.x - cell.width < LEFT_REACH && !isLabel(next)) return { cell: next, from: 0 };
  if (colon >= 0) return null;
  const below = page.lines[cell.line + 1]?.find(
    (other) => other.x < cell.x + cell.width && other.x + other.width > cell.x,
  );
  return below === undefined || isLabel(below) ? null : { cell: below, from: 0 };
}

function nearestLeft(page: PageWords, cell: Cell): Cell | undefined {
  const line = page.lines[cell.line] ?? [];
  const left = line[line.indexOf(cell) - 1];
  return left !== undefined && cell.x - left.x - left.width < LEFT_REACH ? left : undefined;
}

/** The nearest cell above, which begins at about the same place or stands over it. */
function nearestAbove(page: PageWords, cell: Cell, box: Box): Cell | undefined {
  for (let line = cell.line - 1; line >= 0; line -= 1) {
    const cells = page.lines[line] ?? [];
    const bottom = cells.reduce((lowest, { y, height }) => Math.max(lowest, y + height), 0);
    if (box.y - bottom > 2.2 * Math.max(box.height, 8)) return undefined;
    const over = cells.find((other) => other.x < box.x + box.width && other.x + other.width > box.x - 4);
    if (over !== undefined) return over;
  }
  return undefined;
}

/**
 * Whose the words of a cell are that begin at `from`: what stands before them in the cell says most, then what stands to the left,
 * then what stands above.
 */
export function roleOf(page: PageWords, zones: readonly Zone[], cell: Cell, from: number, box: Box): Role {
  if (zones.some((zone) => box.y >= zone.from && box.y <= zone.to)) return 'thirdParty';
  const before = roleOfWords(wordsBefore(cell, from));
  if (before !== 'plain') return before;
  const above = nearestAbove(page, cell, box);
  for (const beside of [nearestLeft(page, cell), above]) {
    if (beside === undefined || !isLabel(beside) || (beside === above && hasOwnValue(beside))) continue;
    const role = roleOfWords(beside.words);
    if (role !== 'plain') return role;
  }
  return 'plain';
}

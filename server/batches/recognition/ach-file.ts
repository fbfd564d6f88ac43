// ACH files (NACHA): what the headers of their batches say. All else in them is the bank's, the sender's, or of people and their accounts.
import { periodKindOf } from '#contract/period.ts';
import { mayBeAchFile, type PageText, type TextRun } from '../reading/page-text.ts';
import { linesOfText, placeInText } from '../reading/text-file.ts';
import { type FoundName, type FoundStranger, findNames } from './client-names.ts';
import type { FoundId } from './federal-ids.ts';
import { directDeposit } from './forms/direct-deposit.ts';
import type { FoundPeriods } from './found-periods.ts';
import type { NameIndex } from './name-index.ts';
import { isJoiner } from './name-words.ts';
import type { PageNumber } from './page-numbers.ts';
import type { TypeHit } from './page-type.ts';
import { plainWords, readWords } from './page-words.ts';
import type { TypeIndex } from './type-index.ts';

const RECORD_LENGTH = 94;
const FILE_HEADER = /^101.{31}094101/;
/** Up to the number of the batch, in the last columns. */
const BATCH_HEADER = /^5(?:200|220|225|280).{46}[a-z]{3}.{34}\d{7}$/i;
/** Entries, their addenda, the ends of batches and of the file, and the header of another file behind this one. */
const OTHER_RECORD = /^[16-9]/;

interface Line {
  readonly text: string;
  readonly y: number;
  /** Where it begins in the line of the file: some have no line ends. */
  readonly column: number;
}

/** What stands in columns of a record, which are counted from 1. */
function fieldOf({ text, y, column }: Line, from: number, to: number): TextRun {
  const whole = text.slice(from - 1, to);
  return { text: whole.trim().replace(/\s+/g, ' '), ...placeInText(y, column + from - 1, whole.length) };
}

/** In letters: a company's name has 16, of which the last may have been a blank. */
const CUT_NAME = 15;
/** A file of more companies is nobody's, whoever the rest are. */
const MOST_COMPANIES = 50;

/** The records of a page that was an ACH file; null where it was none. */
function recordsOf(text: PageText): Line[] | null {
  if (!mayBeAchFile(text)) return null;
  const [first, ...others] = (linesOfText(text) ?? []).map((line): Line => ({ ...line, column: 0 }));
  if (first === undefined || !FILE_HEADER.test(first.text)) return null;
  const records: Line[] = [];
  for (let column = 0; column < first.text.length; column += RECORD_LENGTH)
    records.push({ text: first.text.slice(column, column + RECORD_LENGTH), y: first.y, column });
  records.push(...others);
  // The last one is cut where the file is longer than what is read of it.
  const areRecords = records.every(
    (record, index) =>
      record.text.length <= RECORD_LENGTH &&
      (index === records.length - 1 || BATCH_HEADER.test(record.text) || OTHER_RECORD.test(record.text)),
  );
  return areRecords ? records : null;
}

/** The first digit says what the nine behind it are: 1 that they are a federal id, 9 that the bank chose them, often that id again. */
const COMPANY_ID = /^(?:[ 019]\d{9}|\d{9} |\d{2}-\d{7})$/;
const IS_FEDERAL_ID = /^(?:1\d{9}|\d{2}-\d{7})$/;

const PLACE = { inFooter: false, isLow: false } as const;

function idsOf(headers: readonly Line[]): FoundId[] {
  const found = headers.map((header) => {
    const whole = header.text.slice(40, 50);
    const field = fieldOf(header, 41, 50);
    const digits = COMPANY_ID.test(whole) ? whole.replace(/\D/g, '').slice(-9) : field.text;
    return { ...PLACE, digits, text: field.text, box: field, isFederalId: IS_FEDERAL_ID.test(whole) };
  });
  // Whatever they are, companies are told apart by them.
  const several = new Set(found.map(({ digits }) => digits)).size > 1;
  return found.map(({ isFederalId, ...id }) => ({
    ...id,
    role: isFederalId || several ? 'company' : 'plain',
    hyphened: false,
  }));
}

interface Names {
  readonly names: readonly FoundName[];
  readonly strangers: readonly FoundStranger[];
}

/** The clients that a header may mean: several where their names are alike as far as its field goes. */
function namesOf(header: Line, index: NameIndex): Names {
  const field = fieldOf(header, 5, 20);
  const place = { ...PLACE, role: 'company', text: field.text, box: field } as const;
  const found = findNames(readWords({ ...field, runs: [field] }), [], index).clients.map((name) => ({
    ...name,
    ...place,
  }));
  const words = plainWords(field.text).filter((word) => !isJoiner(word));
  const key = (words[0] === 'the' ? words.slice(1) : words).join('');
  const whole = found.filter(({ how }) => how === 'whole').flatMap(({ names }) => names);
  const begun = field.text.length < CUT_NAME ? [] : index.beginningWith(key);
  if (begun.some((name) => !whole.includes(name)))
    return { names: [{ ...place, how: 'cut', names: [...new Set([...whole, ...begun])] }], strangers: [] };
  const isNamed = found.some(({ how }) => how !== 'part') || !/\p{L}{3}/u.test(field.text);
  return { names: found, strangers: isNamed ? [] : [{ ...place, key }] };
}

/** Which pay went to which account: entries of persons that are no debits, and take nothing back. */
function isPay({ text }: Line): boolean {
  const [service, entryClass] = [text.slice(1, 4), text.slice(50, 53).toUpperCase()];
  return entryClass === 'PPD' && service !== '225' && text.slice(53, 63).trim().toUpperCase() !== 'REVERSAL';
}

function typeOf(header: Line, types: TypeIndex): TypeHit {
  const box = fieldOf(header, 51, 63);
  const text = `${fieldOf(header, 51, 53).text} ${fieldOf(header, 54, 63).text}`.trim();
  const place = { isTitle: false, isFirms: false, laterPage: false, line: 0, text, box } as const;
  const reportTypeId = types.reportTypeOf(directDeposit);
  return { form: directDeposit, reportTypeId, kind: 'form', rank: 3, score: 300, ...place };
}

function periodsOf(headers: readonly Line[]): FoundPeriods {
  const days = headers.map((header) => {
    const box = fieldOf(header, 70, 75);
    const period = box.text.replace(/^(\d\d)(\d\d)(\d\d)$/, '20$1-$2-$3');
    return { period, kind: 'payDate', text: `Effective entry date ${box.text}`, box } as const;
  });
  const isDay = ({ period }: { readonly period: string }) => periodKindOf(period) === 'payDate';
  return { periods: days.filter(isDay), unread: days.filter((day) => !isDay(day)), isPartial: false };
}

/** Whether the file ends as it says: with as many batches as its last record counts. */
function isWhole(records: readonly Line[], batches: number): boolean {
  const control = records.find(({ text }) => text.startsWith('9'));
  return records.some(({ text }) => text.startsWith('8')) && Number(control?.text.slice(1, 7)) === batches;
}

interface AchFacts extends Names, FoundPeriods {
  readonly ids: readonly FoundId[];
  readonly types: readonly TypeHit[];
  readonly pageNumber: PageNumber | null;
}

/** What an ACH file says of itself; null for any other page. */
export function readAchFile(text: PageText, names: NameIndex, types: TypeIndex): AchFacts | null {
  const records = recordsOf(text) ?? [];
  const headers = records.filter((record) => BATCH_HEADER.test(record.text));
  const [first] = headers;
  if (first === undefined) return null;
  const companies = Map.groupBy(headers, (header) => header.text.slice(4, 20) + header.text.slice(40, 50));
  const named = [...companies.values()].slice(0, MOST_COMPANIES).flatMap(([header]) => header ?? []);
  const found = named.map((header) => namesOf(header, names));
  return {
    ids: idsOf(named),
    names: found.flatMap((each) => each.names),
    strangers: found.flatMap((each) => each.strangers),
    types: headers.every(isPay) ? [typeOf(first, types)] : [],
    ...periodsOf(headers),
    // Without its end, whose batches are missing nobody knows.
    pageNumber: isWhole(records, headers.length) ? null : { number: 1, of: 2 },
  };
}

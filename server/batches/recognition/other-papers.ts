// What makes a heading that of another paper: the words around it, the label before it, or a page that says that it is not final.
import { depositConfirmation } from './forms/deposit-confirmation.ts';
import { type Form, isReturn } from './forms/form.ts';
import { stateQuarterly } from './forms/state-quarterly.ts';
import { suffixOf } from './name-words.ts';
import { type Cell, type PageWords, textOf, type Word } from './page-words.ts';

/** Where a heading stands among the words of its cell. */
interface Place {
  readonly from: number;
  readonly to: number;
}

/** Words right before a heading that make it one of something else: a sales tax, a vendor's check. */
const OF_ANOTHER =
  /(?<!\p{L})(?:sales|use|vendors?|payables?|a\/?p|excise|property|franchise|support|premium|loan|rent|invoice|reimbursement)\s*$/iu;
/** A heading that begins so is of a payroll all the same: such words before it end a company's name. */
const OF_PAYROLL = new Set(['payroll', 'employee']);
/** Before a payroll: that it is told for an insurance, a plan or an agency. */
const OF_ANOTHER_PAYROLL = /(?<!\p{L})(?:comp(?:ensation)?|401\s?\(?k\)?|retirement|pension|plan|certified)\s*$/iu;
/** Before a payment or deposit that is confirmed: that it is one of taxes, or nothing of it. */
const OF_TAXES =
  /(?:^|[|·•–—;:(/-]|(?<!\p{L})(?:tax(?:es)?|eft(?:ps)?|irs|federal|state|electronic|withholding|94\d)\)?)\s*$/iu;
/** Words right before it that make it one that is only spoken of, or not done yet. */
const NOT_YET =
  /(?<!\p{L})(?:your|pre-?|pre-?process(?:ing|ed)?|preview|preliminary|draft|proof|trial|estimated|projected|unposted|unapproved|pro forma)\s*-?\s*$/iu;
/** Words right before a report's heading that make it one of checks that nobody was paid by. */
const VOIDED = /(?<!\p{L})(?:void(?:ed)?|reversed|reversals?)\s*-?\s*$/iu;
/** Words behind a heading, before a sign parts them from it. */
const behind = (words: string) => new RegExp(`^(?:[^|·•–—;:()[\\]/]*\\s)?(?:${words})(?![\\p{L}\\d])`, 'iu');
/** Behind a payroll: that it is told for an insurance; by department, or by class, it is the same report. */
const BY_CLASS_CODE = behind("workers?[’']?s?[’']? comp(?:ensation)?|wc (?:class|codes?)|class codes?");
/** These make it one of something else. */
const SOMETHING_ELSE = behind(
  'authori[sz]ations?|enroll?ment|requests?|application|agreement|instructions?|worksheets?|checklist|template|advices?|stubs?|vouchers?',
);
const NOT_FINAL =
  /(?<!\p{L})(?:pre-?process(?:ing)?|preview|preliminary|draft|not final|unposted|unapproved|pro forma|proof(?=\W*$))(?!\p{L})/iu;
/** The same in a cell of its own. */
const NOT_FINAL_CELL =
  /^[^\p{L}]*(?:pre-?process(?:ing)?|preview|preliminary|draft|proof|not final|unposted|unapproved|pro forma)(?:[^\p{L}]+(?:copy|only|report|register|version|run|payroll|not final|for review|do not (?:file|distribute)))*[^\p{L}]*$/iu;
/** Behind the number of a form: what is filed with it, or comes back for it. */
const BESIDE_FORM = behind('schedule|confirmation|acknowledge?ments?|acceptance|reconciliation|status|voucher');
/** Behind the title of a return: that it was taken, and not the number that a filed one has of it. */
const TAKEN = behind('(?:confirmation|acknowledge?ment)s?(?!\\s*(?:no\\b|number|#|code))|acceptance');
/** Behind that of a federal return, or of a form for each person: what a report tells of it. */
const OF_RETURN = behind(
  'liabilit(?:y|ies)|deposits?|payments?|summary|register|report|listing|details?|history|audit|estimates?|balances?|totals?|letters?|reminders?',
);
/** Forms of which each person has one, as they are numbered. */
const OF_PERSON = /^(?:w-2|1099)/i;
/** Behind deposits: they are still to be made. */
const TO_COME = behind('due|required|scheduled|upcoming');
/** A label of what the page speaks of, and not of what it is: 'Tax Form: 941', 'Tax Type', 'Pay Method: Direct Deposit'. */
const VALUE_LABEL = /(?<!\p{L})(?:(?<!(?:report|document) )type\s*:?|method\s*:?|form\s*:)\s*$/iu;
const LABELLED_FORM = /^form\s*:/i;
/** In words: how far around a heading these are looked for. */
const AROUND = 12;
const HYPHEN = /^[-‐‑–]$/;

/** What a return is numbered as, by the form that it is or by a type's name: '941'. */
export const numberOf = (form: Form | null, text: string): string => form?.name ?? text.replace(/^form\s+/i, '');

/** The numbers of federal returns of a company. */
export const isFederal = (name: string): boolean => /^(?:94\d|w-3)/i.test(name);

/** Whether a number goes on: 943-A is no 943, and MO-941 no 941. A state's own may have the state before it: TN-LB-0456. */
function isLongerNumber({ words }: Cell, { from, to }: Place, form: Form | null): boolean {
  const [hyphen, after] = [words[to], words[to + 1]];
  const [mark, before] = [words[from - 1], words[from - 2]];
  const goesOn =
    HYPHEN.test(hyphen?.text ?? '') && !hyphen?.spaced && !after?.spaced && /^[a-z]{1,3}$/.test(after?.plain ?? '');
  const isEnd =
    HYPHEN.test(mark?.text ?? '') && !words[from]?.spaced && !mark?.spaced && /^[a-z]+$/.test(before?.plain ?? '');
  return goesOn || (isEnd && form !== stateQuarterly);
}

/** Whether a heading says that something was paid, and not that it was a tax: 'Garnishment Payment Confirmation'. */
function isOtherPayment({ words }: Cell, { from }: Place, form: Form | null, before: string): boolean {
  if (form !== depositConfirmation || !/^(?:deposit|payment)$/.test(words[from]?.plain ?? '')) return false;
  return !OF_TAXES.test(before) && suffixOf(words[from - 1]?.plain ?? '') === null;
}

interface Around {
  readonly wordsBefore: readonly Word[];
  readonly words: readonly Word[];
  readonly after: string;
}

const aroundOf = ({ words }: Cell, { from, to }: Place): Around => ({
  wordsBefore: words.slice(Math.max(0, from - AROUND), from),
  words: words.slice(from, to),
  after: textOf(words.slice(to, to + AROUND)),
});

/** Whether a heading is what a label says, in its own cell or in the one that is read before it. */
export function isValue(cell: Cell, place: Place, left: Cell | undefined): boolean {
  const { wordsBefore, words } = aroundOf(cell, place);
  const label = wordsBefore.length === 0 && left?.line === cell.line ? left.text : textOf(wordsBefore);
  return VALUE_LABEL.test(label) || LABELLED_FORM.test(textOf(words));
}

/** Whether a heading is the number of a form that something is filed with, or of another form: 'Schedule R (Form 941)', 943-A. */
export function isBesideForm(cell: Cell, place: Place, form: Form | null): boolean {
  const { wordsBefore, words, after } = aroundOf(cell, place);
  if (!words.some(({ plain }) => /\d/.test(plain))) return false;
  const isSchedule = BESIDE_FORM.test(after) || wordsBefore.some(({ plain }) => plain === 'schedule');
  return isSchedule || isLongerNumber(cell, place, form);
}

/** Whether the words around a heading make it that of another paper: 'Direct Deposit Authorization', 'Form 941 Deposit Summary'. */
export function isAnother(cell: Cell, place: Place, form: Form | null): boolean {
  const { wordsBefore, words, after } = aroundOf(cell, place);
  const before = textOf(wordsBefore);
  if (NOT_YET.test(before) || NOT_FINAL.test(after) || SOMETHING_ELSE.test(after)) return true;
  // A form that stands anywhere has 'VOID' as a box to tick.
  if (form?.anywhere !== true && VOIDED.test(before)) return true;
  const first = words[0]?.plain ?? '';
  if (OF_ANOTHER.test(before) && !OF_PAYROLL.has(first)) return true;
  if (first === 'payroll' && (OF_ANOTHER_PAYROLL.test(before) || BY_CLASS_CODE.test(after))) return true;
  if (isOtherPayment(cell, place, form, before)) return true;
  if (isReturn(form) && TAKEN.test(after)) return true;
  if (words.at(-1)?.plain === 'deposits' && TO_COME.test(after)) return true;
  const number = numberOf(form, textOf(words));
  const isNumbered = words.some(({ plain }) => /\d/.test(plain)) && (isFederal(number) || OF_PERSON.test(number));
  return isNumbered && OF_RETURN.test(after);
}

/** Whether a page says above `bottom`, in a place of its own, that it is not the final one. */
export const isNotFinal = ({ cells }: PageWords, bottom: number): boolean =>
  cells.some(({ y, text }) => y < bottom && NOT_FINAL_CELL.test(text));

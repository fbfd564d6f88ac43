// The fields that both sides read the same way, each with the sentence a person sees when it is wrong (docs/behaviour.md, Fields).
import { z } from 'zod';
import { isCalendarDate } from './calendar-date.ts';
import { PAGE_LIMIT_MAX, ROWS_PAGED_MAX } from './paging.ts';
import { isTimeZone } from './time-zones.ts';

// For faults that a field has no message of its own for: never the validator's own words.
z.config({
  customError: (issue) => {
    if (issue.input === undefined) return 'Is required';
    switch (issue.code) {
      case 'invalid_type':
        return `Must be ${issue.expected === 'array' ? 'a list' : issue.expected === 'string' ? 'text' : `of type ${issue.expected}`}`;
      case 'too_big':
        return `Must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`;
      case 'too_small':
        return `Must be at least ${issue.minimum}${issue.origin === 'string' ? ' characters' : ''}`;
      case 'invalid_value':
        return `Must be one of ${issue.values.join(', ')}`;
      default:
        return 'Is not valid';
    }
  },
});

/** What no single-line field may hold: C0 and C1 controls, line and paragraph separators, bidirectional overrides. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: naming control characters is the purpose of this pattern
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

const NO_CONTROL_CHARACTERS = 'Must not contain control characters';

/**
 * Characters that are invisible or turn the direction of writing, so that two different names look the same;
 * the blanks of braille and of music are two that Unicode's own lists leave out.
 */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800\u{1d159}]/u;
const NOTHING_UNSEEN = 'Must not contain invisible characters. Please type it again instead of pasting it.';
/** Marks alone, spaces, and code points that no font shows are none of these. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
const SOMETHING_VISIBLE = 'Must contain at least one letter, digit or other visible character';

interface LineLimits {
  readonly min: number;
  readonly max: number;
  readonly message: string;
}

/**
 * A line that repeats what was stored before, such as the user name at sign-in: stored names may be older
 * than the rules of `textLine`. `min` and `max` are UTF-16 units; `message` answers everything shorter, missing or not text.
 */
export function storedTextLine(limits: LineLimits) {
  return z
    .string({ error: limits.message })
    .max(limits.max, { error: `Must be at most ${limits.max} characters`, abort: true })
    .refine((value) => !CONTROL_CHARACTERS.test(value) && !LONE_SURROGATE.test(value), {
      error: NO_CONTROL_CHARACTERS,
      abort: true,
    })
    .trim()
    .min(limits.min, { error: limits.message, abort: true });
}

/** One trimmed line of text in which every character can be seen, with the same limits. */
export function textLine(limits: LineLimits) {
  return storedTextLine(limits)
    .refine((value) => !UNSEEN.test(value), { error: NOTHING_UNSEEN, abort: true })
    .refine((value) => VISIBLE.test(value), SOMETHING_VISIBLE);
}

/** The same where there may be none: blank means none. */
export function textLineOrNone(max: number) {
  return storedTextLine({ min: 0, max, message: 'Must be text' })
    .refine((value) => !UNSEEN.test(value), { error: NOTHING_UNSEEN, abort: true })
    .refine((value) => value === '' || VISIBLE.test(value), SOMETHING_VISIBLE);
}

interface TextLimits {
  readonly characters: number;
  readonly lines: number;
}

/** Plain text of several lines, trimmed, with its line breaks as `\n`; it may be empty. Characters are UTF-16 units. */
export function textLines({ characters, lines }: TextLimits) {
  return z
    .string({ error: 'Must be text' })
    .max(2 * characters, { error: `Must be at most ${characters} characters`, abort: true })
    .transform((text) =>
      text
        .split(/\r\n|\r|\n/)
        .map((line) => line.trimEnd())
        .join('\n')
        .trim(),
    )
    .refine((text) => text.split('\n').every((line) => !CONTROL_CHARACTERS.test(line) && !LONE_SURROGATE.test(line)), {
      error: NO_CONTROL_CHARACTERS,
      abort: true,
    })
    .refine((text) => text.length <= characters, { error: `Must be at most ${characters} characters`, abort: true })
    .refine((text) => text.split('\n').length <= lines, `Must be at most ${lines} lines`);
}

/** A row's id in JSON. Ids are positive, safe integers and are never reused. */
export const Id = z.int({ error: 'Must be a whole number' }).min(1, 'Must be at least 1');

const ID_TEXT = /^[1-9]\d{0,15}$/;
const ID_MESSAGE = 'Must be a positive whole number';

/** A row's id where only text can travel: in a path, a query or a multipart field. */
export const IdText = z
  .string({ error: ID_MESSAGE })
  .max(16, { error: ID_MESSAGE, abort: true })
  .regex(ID_TEXT, { error: ID_MESSAGE, abort: true })
  .transform(Number)
  .pipe(z.int(ID_MESSAGE).min(1));

/** An optional list of ids as the user form sends it: null, absent and empty mean the same, nothing. */
export const IdList = z
  .array(Id)
  .max(10_000, 'Must name at most 10,000 entries')
  .nullish()
  .transform((ids) => [...new Set(ids ?? [])]);

export const Phone = z
  .string({ error: 'Phone must be in format: (XXX)-XXX-XXXX' })
  .max(14, { error: 'Phone must be in format: (XXX)-XXX-XXXX', abort: true })
  .regex(/^\(\d{3}\)-\d{3}-\d{4}$/, 'Phone must be in format: (XXX)-XXX-XXXX');

export const FederalId = z
  .string({ error: 'Federal ID must be in format: XX-XXXXXXX' })
  .max(10, { error: 'Federal ID must be in format: XX-XXXXXXX', abort: true })
  .regex(/^\d{2}-\d{7}$/, 'Federal ID must be in format: XX-XXXXXXX');

/** A domain in another script in its ASCII form: пример.рф is xn--e1afmkfd.xn--p1ai. Some browsers send it so from a form, and no CSV has it so. */
function withAsciiDomain(address: string): string {
  const [, name = '', domain = ''] = /^([^@]*@)([\p{L}\p{M}\p{N}.-]+)$/u.exec(address) ?? [];
  if (!/\P{ASCII}/u.test(domain) || !URL.canParse(`https://${domain}`)) return address;
  return name + new URL(`https://${domain}`).hostname;
}

/** The validator's own, but with the ASCII form of endings in another script too. */
const ADDRESS = /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+(?:[A-Za-z]{2,}|xn--[A-Za-z0-9-]+)$/;

export const Email = z
  .string({ error: 'Invalid email address' })
  .max(254, { error: 'Invalid email address', abort: true })
  .trim()
  .overwrite(withAsciiDomain)
  .pipe(z.email({ pattern: ADDRESS, error: 'Invalid email address' }).max(254, 'Invalid email address'));

const EMPLOYEES_MAX = 10_000_000;
const EMPLOYEE_COUNT_MESSAGE = 'Employee count must be a positive number';
const EMPLOYEE_COUNT_LIMIT = `Employee count must be at most ${EMPLOYEES_MAX}`;

const PeopleCount = z
  .int(EMPLOYEE_COUNT_MESSAGE)
  .min(0, EMPLOYEE_COUNT_MESSAGE)
  .max(EMPLOYEES_MAX, EMPLOYEE_COUNT_LIMIT);

/** The same where there may be none: blank means none. */
export const EmailOrNone = z
  .string({ error: 'Must be an email address, or empty' })
  .max(254, { error: 'Must be at most 254 characters', abort: true })
  .trim()
  .pipe(z.union([z.literal(''), Email], { error: 'Must be an email address, or empty' }));

/** A count of people: a whole number, or its digits as a form sends them. */
export const EmployeeCount = z.union(
  [
    PeopleCount,
    z
      .string()
      .max(8, EMPLOYEE_COUNT_LIMIT)
      .regex(/^\d+$/, { error: EMPLOYEE_COUNT_MESSAGE, abort: true })
      .transform(Number)
      .pipe(PeopleCount),
  ],
  { error: EMPLOYEE_COUNT_MESSAGE },
);

/** A calendar day without time or zone, YYYY-MM-DD. */
export function dateOnly(missing: string) {
  return z
    .string({ error: missing })
    .min(1, { error: missing, abort: true })
    .max(10, { error: 'Must be a date like 2026-01-31', abort: true })
    .refine(isCalendarDate, 'Must be a date like 2026-01-31');
}

/** One end of a date filter: a whole local day (with `timeZone`) or an instant with its offset. */
export const DayOrInstant = z
  .string({ error: 'Must be a date like 2026-01-31' })
  .max(35, { error: 'Must be a date like 2026-01-31', abort: true })
  .refine(
    (text) => isCalendarDate(text) || z.iso.datetime({ offset: true }).safeParse(text).success,
    'Must be a date like 2026-01-31 or an instant like 2026-01-31T15:00:00Z',
  );

/** A time zone that this runtime knows: an IANA name or an offset such as +05:30. */
export const TimeZone = z
  .string()
  .max(64, { error: 'Unknown time zone', abort: true })
  .refine(isTimeZone, 'Unknown time zone');

/** A moment in an answer: ISO 8601 in UTC with milliseconds. */
export const Instant = z.string().meta({ format: 'date-time' });

/** Another one after each change of the row. Sent back as `If-Match`, it makes sure that no change of somebody else is overwritten. */
export const Version = z.string();

/** A whole number where only text can travel. What it becomes has a schema, which describes it to callers. */
export const wholeNumberText = (min: 0 | 1, max: number, tooLarge = `Must be a whole number up to ${max}`) =>
  z
    .string({ error: `Must be a whole number up to ${max}` })
    .max(10, { error: `Must be a whole number up to ${max}`, abort: true })
    .regex(/^(0|[1-9]\d*)$/, { error: `Must be a whole number up to ${max}`, abort: true })
    .transform(Number)
    .pipe(z.int().min(min, `Must be at least ${min}`).max(max, tooLarge));

const TOO_FAR_DOWN = `Only the first ${ROWS_PAGED_MAX.toLocaleString('en-US')} rows are shown page by page. Narrow the list, or export it.`;

/** What a free-text search may hold. Empty means no search. */
export const SearchText = z
  .string({ error: 'Must be text' })
  .max(200, { error: 'Must be at most 200 characters', abort: true })
  .refine((value) => !CONTROL_CHARACTERS.test(value) && !LONE_SURROGATE.test(value), NO_CONTROL_CHARACTERS)
  .transform((value) => value.trim());

/** Query keys every list understands: a page, a search, and a timestamp against caches, which means nothing (docs/behaviour.md, Lists). */
export const pageQuery = {
  limit: wholeNumberText(1, PAGE_LIMIT_MAX).optional(),
  offset: wholeNumberText(0, 100_000_000).optional(),
  q: SearchText.optional(),
  t: z.string().max(40).optional(),
  _: z.string().max(40).optional(),
};

/** The same for lists that grow without end. */
export const longPageQuery = {
  ...pageQuery,
  offset: wholeNumberText(0, ROWS_PAGED_MAX, TOO_FAR_DOWN).optional(),
};

/** A sort key of a list: a column's name, or the name behind a minus for the other direction. */
export function sortQuery<const Columns extends readonly [string, ...string[]]>(columns: Columns) {
  const keys = columns.flatMap((column) => [column, `-${column}`]);
  return z
    .enum(keys as [SortKey<Columns[number]>, ...SortKey<Columns[number]>[]], {
      error: `Must be one of ${keys.join(', ')}`,
    })
    .optional();
}

export type SortKey<Column extends string> = Column | `-${Column}`;

/** The form under which names are compared and searched: composed, without outer space, without case. */
export function foldKey(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

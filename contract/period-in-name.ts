// The period that a file's name speaks of. Where a name says less than a year in a way that is not understood, it says nothing.
import { isWithinPeriod, periodKindOf, quarterOf } from './period.ts';
import { datesIn, MONTH_NAME, monthNumber, YEAR_DIGITS } from './written-dates.ts';

/** Between the parts of a period in a name. */
const BETWEEN = "[-_., '’]{0,3}";
const QUARTER_WORD = '(?:quarter|qtr|q)';
const ORDINALS = '(?:1st|2nd|3rd|4th|first|second|third|fourth)';
const AND = '\\s?(?:-|–|_|&|\\+|,|and|to|thru|through)\\s?';
/** The 2 of 'W-2 Q1' counts no quarter. */
const COUNTED = `(?<![a-z\\d]|(?<!\\d)[a-z]-)(${ORDINALS}|iv|i{1,3}|[1-4])[-_. ]?(?:calendar )?${QUARTER_WORD}(?![a-z]|${BETWEEN}[1-4](?![a-z\\d]))`;
const NUMBERED = `(?<![a-z])${QUARTER_WORD}${BETWEEN}([1-4]|(?:one|two|three|four|iv|i{1,3})(?![a-z]))`;
const YEAR_OF_QUARTER = `(?:${BETWEEN}(?:of )?${YEAR_DIGITS}(?!\\d)|[-_. '’]{0,2}(\\d{2})(?![a-z\\d]))`;

const QUARTERS = ['1st first one i', '2nd second two ii', '3rd third three iii', '4th fourth four iv'].map((words) =>
  words.split(' '),
);
const quarterNumber = (text: string) =>
  /\d/.exec(text)?.[0] ?? QUARTERS.findIndex((words) => words.includes(text.toLowerCase())) + 1;
const quarterIn = (year: string, quarter: string) =>
  `${year.length === 2 ? `20${year}` : year}-Q${quarterNumber(quarter)}`;

/** The month, the quarter or the year that months bound, by their names; null for any other months. */
export function monthsPeriod(year: string, first: string, last: string): string | null {
  const [from, to] = [monthNumber(first), monthNumber(last)];
  if (from === to) return `${year}-${String(from).padStart(2, '0')}`;
  if (from % 3 === 1 && to === from + 2) return `${year}-Q${to / 3}`;
  return from === 1 && to === 12 ? year : null;
}

type Parts = readonly (string | undefined)[];
const writing = (source: string, read: (parts: Parts) => string | null) => ({
  pattern: new RegExp(source, 'gi'),
  read,
});

/** How names write quarters and months: null for months and quarters that are no period, and for a day without a year. */
const writings = [
  // Jan-Mar 2025
  writing(
    `${MONTH_NAME}\\s?(?:-|–|_|to|thru|through)\\s?${MONTH_NAME}${BETWEEN}${YEAR_DIGITS}(?!\\d)`,
    ([first = '', last = '', year = '']) => monthsPeriod(year, first, last),
  ),
  // 2025 Jan-Mar
  writing(
    `(?<!\\d)${YEAR_DIGITS}${BETWEEN}${MONTH_NAME}\\s?(?:-|–|_|to|thru|through)\\s?${MONTH_NAME}`,
    ([year = '', first = '', last = '']) => monthsPeriod(year, first, last),
  ),
  // Q1-3 2025, 1st and 2nd Quarter
  writing(`${NUMBERED}${AND}[1-4](?![a-z\\d])`, () => null),
  writing(`(?<![a-z\\d])${ORDINALS}${AND}${COUNTED}`, () => null),
  // 2025Q1, 2025-Q1, 2025 Qtr 1
  writing(`(?<!\\d)${YEAR_DIGITS}${BETWEEN}${NUMBERED}(?!\\d)`, ([year = '', quarter = '']) =>
    quarterIn(year, quarter),
  ),
  // Q1 2025, Qtr 1 2025, Quarter I, 2025, Q1 25
  writing(`${NUMBERED}${YEAR_OF_QUARTER}`, ([quarter = '', year, short = '']) => quarterIn(year ?? short, quarter)),
  // 2025 1st Quarter, 2025-1Q
  writing(`(?<!\\d)${YEAR_DIGITS}${BETWEEN}${COUNTED}`, ([year = '', quarter = '']) => quarterIn(year, quarter)),
  // 1st Quarter 2025, First Qtr of 2025, I Quarter 2025, 1st Q 2025, 1Q25
  writing(`${COUNTED}${YEAR_OF_QUARTER}`, ([quarter = '', year, short = '']) => quarterIn(year ?? short, quarter)),
  // January 2025
  writing(`${MONTH_NAME}${BETWEEN}${YEAR_DIGITS}(?!\\d)`, ([month = '', year = '']) =>
    monthsPeriod(year, month, month),
  ),
  // 2025 Jan
  writing(`(?<!\\d)${YEAR_DIGITS}${BETWEEN}${MONTH_NAME}`, ([year = '', month = '']) =>
    monthsPeriod(year, month, month),
  ),
  // 2025-01, 2025_01; the 12 of '2024_12ee' counts people
  writing(
    `(?<!\\d)${YEAR_DIGITS}(?:[-.](0[1-9]|1[0-2])(?!\\d)|_(0[1-9]|1[0-2])(?![a-z\\d]))`,
    ([year, month, after]) => `${year}-${month ?? after}`,
  ),
  // 01-2025, 01_2025; the 10 of 'UC-10-2025' is a form's
  writing(
    `(?<![a-z\\d]|\\d-)(0[1-9]|(?<!(?<![a-z])[a-z]{1,3}-)1[0-2])[-._/]${YEAR_DIGITS}(?!\\d)`,
    ([month, year]) => `${year}-${month}`,
  ),
  // March 14, without a year
  writing(`${MONTH_NAME}[-_. ]?\\d{1,2}(?:st|nd|rd|th)?(?!\\d)`, () => null),
];
/** A quarter by itself, whose year stands elsewhere: '2025 Form 941 Q1'. */
const QUARTER_ALONE = new RegExp(`${NUMBERED}(?![a-z\\d])|${COUNTED}`, 'gi');
const YEAR_ALONE = new RegExp(`(?<!\\d)${YEAR_DIGITS}(?!\\d)`, 'g');

const anyOf = (...sources: readonly string[]) => new RegExp(sources.join('|'), 'i');
const NUMBER = '[-_. #]{0,3}(?:no\\.? ?)?\\d{1,2}(?!\\d)';
const SIGNS = '[-._/# ]{1,3}';
/** The number that follows is not that of a form: 'W-2 2025', 'W 2 2025', 'NYS-45 2025'. */
const OF_NO_FORM = '(?<!(?<![a-z])(?:[a-z]{1,3}-(?=\\d(?!\\d)|\\d\\d[_ ])|(?:[a-z]|de)[_. ](?=\\d(?!\\d))))';
const A_RUN = 'half|payroll|pay|check|run|period|week|wk|cycle|month|semester|bi-?weekly';

/** Pay periods, weeks and runs: of them only a pay date says as much. */
const LESS_THAN_A_MONTH = anyOf(
  `(?<![a-z])(?:ppe?|period|pay ?run|run|cycle|bw|bi-?week(?:ly)?|semi-?monthly)${NUMBER}`,
  '(?<![a-z])w[ -]?(?:0[1-9]|[1-4]\\d|5[0-3])(?!\\d)',
  '(?<![a-z])(?:weeks?|wks?|pay[-_ ]?periods?)(?![a-z])',
  `(?<![a-z\\d])(?:\\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|last)[-_ ]?(?:${A_RUN})(?![a-z])`,
);
/**
 * In what was not read, as all below: before a day or month that was, another of its days, as in '3-1 to 3-14-2025', '1 to 14 March
 * 2025' and '7 March, 21 March 2025'.
 */
const SEVERAL_DAYS = anyOf(
  '(?<![a-z\\d-])\\d{1,2}[-._/]\\d{1,2}\\s?(?:[-–_&,]|to|thru|through|and)\\s{0,2}\\|',
  `(?<![a-z\\d-])\\d{1,2}(?:st|nd|rd|th)?\\s(?:to|thru|through|and|&)\\s{1,2}\\|`,
  `(?<![a-z\\d-])\\d{1,2}(?:st|nd|rd|th)?[-_. ]?${MONTH_NAME}\\s?(?:[-–_&,]|to|thru|through|and)\\s{0,2}\\|`,
);
/** Before a month: '1-14 Mar 2025'. Before a day they may number anything. */
const DAYS_OF_MONTH = anyOf(
  '(?<![a-z\\d-])\\d{1,2}(?:st|nd|rd|th)?\\s?(?:[-–&]|to|thru|through|and)\\s?\\d{1,2}(?:st|nd|rd|th)?\\s{0,3}\\|',
);
/** A time of day, and what tells copies apart. */
const TIME_OR_COPY = '(?:[-_.,:()\\d\\s]|at|[ap]m)*$';
/** As cameras, screens, scanners and messengers call what they make: the day in it is that of the picture. */
const OF_A_PICTURE = anyOf(
  '^(?:(?:mv)?img|pxl|screen[-_ ]?shot|whats ?app image)[-_, ]*\\|',
  `^(?:image|photo|picture|(?:adobe |cam ?|genius )?scan(?:ner|ned)?)[-_, ]*\\|${TIME_OR_COPY}`,
  '\\| -wa\\d{4}(?!\\d)',
);
/** A day and a time to the second, and no word: '20260315_142233'. */
const A_MOMENT = /^20\d{6}[-_](?:[01]\d|2[0-3])(?:[0-5]\d){2}(?![\da-z])[^a-z]*$/i;
const FISCAL = anyOf('(?<![a-z])(?:fiscal|fye?)(?![a-z])');
/** A time up to a day. */
const UP_TO = anyOf('(?<![a-z])(?:ytd|(?:year[-_ ])?to[-_ ]date|thru|through|until)(?![a-z])');
/** Another month, or a quarter without its number. */
const NO_MONTH_OR_YEAR = anyOf(MONTH_NAME, '(?<![a-z])(?:quarter|qtr)(?:s|ly|lies)?(?![a-z])');
/** Parts of a year that are not understood. */
const PART_OF_YEAR = anyOf(
  `(?<![a-z])(?:payroll|pay|pr|pd?|month|mo?|check|chk)${NUMBER}`,
  '(?<![a-z])hy?[-_ ]?[12](?![a-z\\d])|(?<!\\d)[12]h(?![a-z])|(?<![a-z])(?:mid|half)[-_ ]?year(?![a-z])',
  `(?<![a-z])half(?:[-_ ]?(?:[12]|one|two)(?![a-z\\d])|${BETWEEN}(?:of )?${YEAR_DIGITS})|${YEAR_DIGITS}${BETWEEN}half(?![a-z])`,
  '(?<![a-z])(?:(?:bi|semi)?[-_ ]?(?:weekly|monthly)|(?:bi|semi)[-_ ]?annual)',
  '(?<![a-z\\d])(?:q\\d|\\dq)',
  '(?<![a-z\\d])\\d{1,2}[-./]\\d{1,2}(?!\\d)',
  `(?<![a-z\\d])${OF_NO_FORM}\\d{1,2}(?:st|nd|rd|th)?${SIGNS}(?:of )?${YEAR_DIGITS}(?!\\d)`,
  `(?<!\\d)${YEAR_DIGITS}${SIGNS}(?:0\\d|\\d{1,2}(?![a-z\\d]))`,
);

/** Whether a name speaks of less than the period that was read in it, or of a day that is nobody's pay date. `left` is what was not read. */
function saysLess(period: string, name: string, left: string): boolean {
  const kind = periodKindOf(period);
  if (kind === 'payDate') return SEVERAL_DAYS.test(left) || OF_A_PICTURE.test(left) || A_MOMENT.test(name);
  if (LESS_THAN_A_MONTH.test(name) || UP_TO.test(left) || FISCAL.test(left)) return true;
  if (kind === 'month' && (SEVERAL_DAYS.test(left) || DAYS_OF_MONTH.test(left))) return true;
  return kind !== 'quarter' && (NO_MONTH_OR_YEAR.test(left) || (kind === 'year' && PART_OF_YEAR.test(left)));
}

const QUARTER_ENDS = anyOf('(?<![a-z])(?:q[-/]?e|(?:quarter|qtr)[-_. ]?end(?:ed|ing)?)(?![a-z])');

/** The quarter that a name says it is the end of; null where no quarter ends then. */
function quarterEnded(end: string): string | null {
  return /-(?:03-31|06-30|09-30|12-31)$|-(?:03|06|09|12)$/.test(end) ? quarterOf(end) : null;
}

/** What was read is not read again by what comes later. */
const READ = ' | ';

/**
 * The period that a file's name speaks of; null where it names none, several that are not within one another, or something that is
 * no period, such as two months. Never less exact than what stands there. The extension is not read.
 */
export function proposePeriod(fileName: string): string | null {
  const name = fileName
    .normalize('NFKC')
    .replace(/\.[a-z\d]{1,5}$/i, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    // A federal id.
    .replace(/(?<!\d)\d{2}-\d{7}(?!\d)/g, READ);
  let text = name;
  const found = new Set<string | null>();
  for (const { date, from, to } of datesIn(text).reverse()) {
    found.add(date);
    text = text.slice(0, from) + READ + text.slice(to);
  }
  for (const { pattern, read } of writings) {
    text = text.replace(pattern, (_whole, ...rest) => {
      found.add(
        read(
          rest.slice(
            0,
            rest.findIndex((part) => typeof part === 'number'),
          ) as Parts,
        ),
      );
      return READ;
    });
  }
  const quarters = new Set(
    [...text.matchAll(QUARTER_ALONE)].map(([, first, second]) => quarterNumber(first ?? second ?? '')),
  );
  const years = [...text.matchAll(YEAR_ALONE)].map(([year]) => year);
  const namesYears = new Set([...years, ...[...found].flatMap((period) => period?.slice(0, 4) ?? [])]);
  if (quarters.size > 0)
    for (const year of namesYears) for (const quarter of quarters) found.add(`${year}-Q${quarter}`);
  for (const year of years) found.add(year);
  const periods = [...found].flatMap((period) => period ?? []);
  if (periods.length < found.size) return null;
  const narrowest = periods.find((period) => periods.every((other) => isWithinPeriod(period, other))) ?? null;
  if (narrowest === null || saysLess(narrowest, name, text)) return null;
  const kind = periodKindOf(narrowest);
  const isEnd = (kind === 'payDate' || kind === 'month') && QUARTER_ENDS.test(text);
  return isEnd ? quarterEnded(narrowest) : narrowest;
}

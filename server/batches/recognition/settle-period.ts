// The period of a document, by what its kind of document is for.
import { isWithinPeriod, type PeriodKind, periodKindOf, periodRange } from '#contract/period.ts';
import { proposePeriod } from '#contract/period-in-name.ts';
import type { ReasonKind } from '#contract/recognition-words.ts';
import { type Form, isReturn } from './forms/form.ts';
import type { FoundPeriod } from './found-periods.ts';
import { isInHead } from './labels.ts';
import type { Signal } from './proposal.ts';
import type { PageOfFile } from './separate.ts';

export interface SettledPeriod {
  readonly period: string | null;
  readonly signals: readonly Signal[];
  /** What is wrong with it, where such a document usually has a period. */
  readonly reasons: readonly ReasonKind[];
}

const KINDS: readonly PeriodKind[] = ['payDate', 'month', 'quarter', 'year'];

/** The kinds that a document may be for, the likeliest first. A return of one kind of period is for no other. */
function kindsFor(form: Form | null, usual: PeriodKind | null, isYearly: boolean): readonly PeriodKind[] {
  if (isYearly) return ['year'];
  if (isReturn(form)) return [form.period];
  // A letter of an agency is not for the day of a payment that it speaks of.
  if (form?.codes !== undefined) return ['quarter', 'month', 'year'];
  if (form?.period === 'quarter') return ['quarter', 'month', 'year', 'payDate'];
  if (form?.period === 'year') return ['year', 'quarter'];
  return usual === null ? KINDS : [usual, ...KINDS.filter((kind) => kind !== usual)];
}

/** Whether the day on which its period ends says which quarter such a document is for: of a quarterly return, or a letter about one. */
const goesByItsEnd = (form: Form | null, saysQuarter: boolean): boolean =>
  form?.period === 'quarter' &&
  (isReturn(form) || form.codes !== undefined) &&
  (form.orMonthly !== true || saysQuarter);

/** The one wider period on a page that all of `periods` lie in: a summary of a quarter has its check dates too. */
function holding(periods: ReadonlySet<string>, found: readonly FoundPeriod[]): FoundPeriod | null {
  const wider = found.filter(({ period, kind }) => {
    const { from, before } = periodRange(period);
    return kind !== 'payDate' && !periods.has(period) && [...periods].every((each) => from <= each && each < before);
  });
  const [first] = wider;
  return first !== undefined && wider.every(({ period }) => period === first.period) ? first : null;
}

/**
 * What a report with a year is for: the one quarter or month of that year which its head names too, and else the year. A month beside
 * what a phrase tells may be that of a letter.
 */
function withinYear(year: FoundPeriod, found: readonly FoundPeriod[], form: Form | null): FoundPeriod {
  const kinds: readonly PeriodKind[] = form === null ? ['quarter'] : ['month', 'quarter'];
  for (const kind of kinds) {
    const [first, ...others] = found.filter(
      (each) =>
        each.kind === kind &&
        each.byItsEnd === undefined &&
        isInHead(each.box) &&
        isWithinPeriod(each.period, year.period),
    );
    if (first !== undefined && others.every(({ period }) => period === first.period)) return first;
  }
  return year;
}

/** The days or months that later pages have in their heads where none of them is the first one's: pages of other runs. */
function otherRuns(
  later: readonly (readonly FoundPeriod[])[],
  kind: PeriodKind,
  periods: ReadonlySet<string>,
): readonly string[] {
  if (kind !== 'payDate' && kind !== 'month') return [];
  return later.flatMap((found) => {
    const head = found.filter((each) => each.kind === kind && isInHead(each.box)).map(({ period }) => period);
    return head.some((period) => periods.has(period)) ? [] : head;
  });
}

/** Whether it is headed as what is handed out with a pay, and has one day of pay. */
function isStub(pages: readonly PageOfFile[], form: Form | null, heading: string | null): boolean {
  if (heading === null || form?.stubs?.test(heading) !== true) return false;
  const days = pages.flatMap(({ facts }) => facts.periods.filter(({ kind }) => kind === 'payDate'));
  return new Set(days.map(({ period }) => period)).size === 1;
}

interface Question {
  readonly form: Form | null;
  /** The words that it was recognized by. */
  readonly heading: string | null;
  /** Whether such a document usually has a period; null where nobody knows: then what stands there and cannot be told is missed alone. */
  readonly wants: boolean | null;
  /** The kind of period that such documents usually have; null where nobody knows. */
  readonly usual: PeriodKind | null;
  /** Null where the file holds more than this document. */
  readonly fileName: string | null;
  /** What seems to be for a later year was misread, or is no period. */
  readonly lastYear: number;
}

/** A document whose kind usually has a period is not sure without one. */
export function settlePeriod(
  pages: readonly PageOfFile[],
  { form, heading, wants, usual: usualOfForm, fileName, lastYear }: Question,
): SettledPeriod {
  const isYearly = heading !== null && form?.yearly?.test(heading) === true;
  const usual = isYearly ? 'year' : usualOfForm;
  const isLikely = (period: string) => Number(period.slice(0, 4)) <= lastYear;
  const isMissed = (reason: ReasonKind) => wants ?? reason !== 'noPeriod';
  const none = (reason: ReasonKind): SettledPeriod => ({
    period: null,
    signals: [],
    reasons: isMissed(reason) ? [reason] : [],
  });
  // What is for a pay period or a week is for no month or year, and for a quarter only where such reports usually are.
  const isPartial = !isReturn(form) && pages.some(({ facts }) => facts.isPartial);
  const kinds = kindsFor(form, usual, isYearly).filter(
    (kind) => !isPartial || kind === 'payDate' || (kind === 'quarter' && usual === 'quarter'),
  );
  const periodsOf = ({ facts }: PageOfFile) =>
    facts.periods.filter(
      ({ kind, byItsEnd }) =>
        kinds.includes(kind) && (byItsEnd === undefined || goesByItsEnd(form, byItsEnd.saysQuarter)),
    );
  const all = pages.flatMap(periodsOf);
  // A day that cannot be read is not made up for by what else stands there, unless the document is for no day.
  const isForADay = kinds[0] === 'payDate' || (form === null && all.every(({ kind }) => kind !== kinds[0]));
  const isUnread =
    (isForADay && pages.some(({ facts }) => facts.unreadDays.length > 0)) ||
    all.some(({ period }) => !isLikely(period));
  for (const kind of isUnread ? [] : kinds) {
    for (const [at, page] of pages.entries()) {
      const ofPage = periodsOf(page);
      const found = ofPage.filter((each) => each.kind === kind);
      const periods = new Set(found.map(({ period }) => period));
      const [first] = found;
      if (first === undefined) continue;
      const runs = new Set([...periods, ...otherRuns(pages.slice(at + 1).map(periodsOf), kind, periods)]);
      const only = runs.size === 1 ? first : holding(runs, ofPage);
      if (only === null) return none('severalPeriods');
      const mayBeLess = kind === 'year' && !isYearly && !isReturn(form);
      const settled = mayBeLess ? withinYear(only, page.facts.periods, form) : only;
      if (settled.kind === 'year' && isStub(pages, form, heading)) return none('noPeriod');
      return {
        period: settled.period,
        signals: [{ kind: 'period', text: settled.text, marks: [{ page: page.facts.page, ...settled.box }] }],
        reasons: [],
      };
    }
  }
  const named = fileName === null ? null : proposePeriod(fileName);
  // The day in the name of a quarter's return is when it was filed, and the year in a register's name is wider than its period.
  const kind = named === null ? null : periodKindOf(named);
  const fits =
    (form === null && usual === null) ||
    kind === usual ||
    (usual === 'payDate' && (kind === 'quarter' || kind === 'month'));
  const without = none(isUnread ? 'unreadPeriod' : 'noPeriod');
  const isWider =
    (isPartial && kind !== null && !kinds.includes(kind)) || (kind === 'year' && isStub(pages, form, heading));
  if (fileName === null || named === null || !fits || isWider || !isLikely(named)) return without;
  return {
    period: named,
    signals: [{ kind: 'fileName', text: fileName, marks: [] }],
    reasons: isUnread ? without.reasons : [],
  };
}

// The period of a document, by what its kind of document is for.
import { type PeriodKind, periodKindOf, periodRange, proposePeriod } from '#contract/period.ts';
import type { Form } from './forms/form.ts';
import type { FoundPeriod } from './page-periods.ts';
import type { Signal } from './proposal.ts';
import type { PageOfFile } from './separate.ts';

export interface SettledPeriod {
  readonly period: string | null;
  readonly signals: readonly Signal[];
}

/** The kinds that a document may be for, the likeliest first. A return of one kind of period is for no other. */
function kindsFor(form: Form | null): readonly PeriodKind[] {
  if (form?.titles.length && form.period !== null && form.period !== 'payDate') return [form.period];
  if (form?.period === 'quarter') return ['quarter', 'year', 'payDate'];
  if (form?.period === 'year') return ['year', 'quarter'];
  return ['payDate', 'quarter', 'year'];
}

/** The one wider period on a page that all of `periods` lie in: a summary of a quarter has its check dates too. */
function holding(periods: ReadonlySet<string>, found: readonly FoundPeriod[]): FoundPeriod | null {
  const wider = found.filter(({ period, kind }) => {
    const { from, before } = periodRange(period);
    return kind !== 'payDate' && !periods.has(period) && [...periods].every((each) => from <= each && each < before);
  });
  const [first] = wider;
  return first !== undefined && wider.every(({ period }) => period === first.period) ? first : null;
}

/** `fileName` is null where the file holds more than this document. */
export function settlePeriod(pages: readonly PageOfFile[], form: Form | null, fileName: string | null): SettledPeriod {
  for (const kind of kindsFor(form)) {
    for (const { facts } of pages) {
      const found = facts.periods.filter((each) => each.kind === kind);
      const periods = new Set(found.map(({ period }) => period));
      const [first] = found;
      if (first === undefined) continue;
      const settled = periods.size === 1 ? first : holding(periods, facts.periods);
      if (settled === null) return { period: null, signals: [] };
      return {
        period: settled.period,
        signals: [{ kind: 'period', text: settled.text, marks: [{ page: facts.page, ...settled.box }] }],
      };
    }
  }
  const named = fileName === null ? null : proposePeriod(fileName);
  if (fileName === null || named === null) return { period: null, signals: [] };
  // The day in the name of a quarter's return is when it was filed, and the year in a register's name is wider than its period.
  const kind = periodKindOf(named);
  const fits = form === null || kind === form.period || (form.period === 'payDate' && kind === 'quarter');
  return fits
    ? { period: named, signals: [{ kind: 'fileName', text: fileName, marks: [] }] }
    : { period: null, signals: [] };
}

// Narrowing a list of files by period: years with their quarters and months, and files that have none.
import { Select } from '@mantine/core';
import { NO_PERIOD, periodKindOf, periodName } from '#contract/period.ts';
import { formatDate, today } from '#web/lib/format.ts';
import { typedSelect } from '#web/ui/typed-select.ts';

/** So many years are offered, from this one back; any other period may stand in an address. */
const YEARS = 8;
/** The months of so many of them. */
const YEARS_BY_MONTH = 2;

const MONTHS = Array.from({ length: 12 }, (_, index) => String(12 - index).padStart(2, '0'));

const ALL = 'all';

export const PERIOD_LABEL = 'Period';

/** What a period is called in lists and chips; 'No period' for files that have none. */
export const periodWords = (period: string) => (period === NO_PERIOD ? 'No period' : periodName(period, formatDate));

function choices(chosen: string) {
  const newest = Number(today().slice(0, 4));
  const years = Array.from({ length: YEARS }, (_, index) => {
    const year = String(newest - index);
    const quarters = [4, 3, 2, 1].map((quarter) => `${year}-Q${quarter}`);
    const months = index < YEARS_BY_MONTH ? MONTHS.map((month) => `${year}-${month}`) : [];
    const periods = [year, ...quarters, ...months];
    return { group: year, items: periods.map((value) => ({ value, label: periodWords(value) })) };
  });
  const known =
    chosen === '' || chosen === NO_PERIOD || years.some(({ items }) => items.some(({ value }) => value === chosen));
  return [
    { value: ALL, label: 'All Periods' },
    ...(known ? [] : [{ value: chosen, label: periodWords(chosen) }]),
    ...years,
    { value: NO_PERIOD, label: periodWords(NO_PERIOD) },
  ];
}

export interface PeriodSelectProps {
  /** A period or 'none'; empty for all. */
  value: string;
  onChange: (period: string) => void;
}

export function PeriodSelect({ value, onChange }: PeriodSelectProps) {
  return (
    <Select
      label={PERIOD_LABEL}
      {...typedSelect}
      allowDeselect={false}
      nothingFoundMessage="No such period"
      data={choices(value)}
      data-in-force={value === '' ? '' : periodWords(value)}
      value={value === '' ? ALL : value}
      onChange={(next) => onChange(next === null || next === ALL ? '' : next)}
      // As wide as 'September 2026' needs.
      w={{ base: '100%', xs: 158 }}
    />
  );
}

/** A period of an address; empty for anything else. */
export const readPeriod = (text: string) => (text === NO_PERIOD || periodKindOf(text) !== null ? text : '');

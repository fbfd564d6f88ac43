// What a file is for, as a field: no period, a pay date, a month, a quarter or a year.
import { Group, Input, Select } from '@mantine/core';
import dayjs from 'dayjs';
import { type ReactNode, useState } from 'react';
import { PERIOD_KINDS, type PeriodKind, periodKindNames, periodKindOf, quarterOf } from '#contract/period.ts';
import { DateField } from '#web/ui/date-field.tsx';

export interface PeriodFieldProps {
  /** '2026-01-30', '2026-01', '2026-Q1' or '2026'; null for none. */
  value: string | null;
  onChange: (value: string | null) => void;
  error?: ReactNode;
  disabled?: boolean;
  label?: string;
  /** What no period is called. */
  noneLabel?: string;
  /** Whether it has the focus first, in a dialog. */
  autofocus?: boolean;
}

const NO_KIND = 'none';
const QUARTERS = ['Q1', 'Q2', 'Q3', 'Q4'] as const;
const MONTHS = Array.from({ length: 12 }, (_, index) => {
  const value = String(index + 1).padStart(2, '0');
  return { value, label: dayjs(`2026-${value}-01`).format('MMMM') };
});
const YEARS_BACK = 15;

/** Next year and the years before it, with `chosen` among them. */
function yearsWith(chosen: string): string[] {
  const next = dayjs().year() + 1;
  const years = Array.from({ length: YEARS_BACK + 2 }, (_, back) => String(next - back));
  return years.includes(chosen) ? years : [...years, chosen].sort().reverse();
}

const isWithinQuarter = (period: string) => ['payDate', 'month'].includes(periodKindOf(period) ?? '');

/** A period of another kind that keeps what `value` already says; null for a pay date, which nothing else tells. */
function asKind(kind: PeriodKind, value: string | null): string | null {
  const today = dayjs().format('YYYY-MM-DD');
  const year = value?.slice(0, 4) ?? today.slice(0, 4);
  switch (kind) {
    case 'year':
      return year;
    case 'quarter':
      if (value === null) return quarterOf(today);
      return isWithinQuarter(value) ? quarterOf(value) : `${year}-Q1`;
    case 'month': {
      if (value === null) return today.slice(0, 7);
      if (isWithinQuarter(value)) return value.slice(0, 7);
      const last = periodKindOf(value) === 'quarter' ? Number(value.slice(6)) * 3 : 1;
      return `${year}-${String(last).padStart(2, '0')}`;
    }
    case 'payDate':
      return null;
  }
}

export function PeriodField(props: PeriodFieldProps) {
  const { value, onChange, error, disabled = false, label = 'Period', noneLabel = 'No period', autofocus } = props;
  // A pay date is asked for, and none is there yet.
  const [awaitsDay, setAwaitsDay] = useState(false);
  const kind = value === null ? (awaitsDay ? 'payDate' : null) : periodKindOf(value);

  const changeKind = (next: PeriodKind | null) => {
    setAwaitsDay(next === 'payDate');
    onChange(next === null ? null : asKind(next, value));
  };

  const year = value?.slice(0, 4) ?? '';
  const rest = value?.slice(5) ?? '';
  return (
    <Input.Wrapper error={error} labelElement="div">
      <Group gap="xs" align="flex-end" role="group" aria-label={label}>
        <Select
          label={label}
          aria-required={false}
          data-autofocus={autofocus || undefined}
          flex="1 1 8rem"
          allowDeselect={false}
          data={[
            { value: NO_KIND, label: noneLabel },
            ...PERIOD_KINDS.map((each) => ({ value: each, label: periodKindNames[each] })),
          ]}
          value={kind ?? NO_KIND}
          onChange={(next) => changeKind(PERIOD_KINDS.find((each) => each === next) ?? null)}
          error={Boolean(error)}
          disabled={disabled}
        />
        {kind === 'payDate' ? (
          <DateField
            aria-label={periodKindNames.payDate}
            flex="1 1 max(9rem, calc(var(--field-min, 0px) + 3.5rem))"
            value={value ?? ''}
            onChange={(day) => {
              setAwaitsDay(true);
              onChange(day === '' ? null : day);
            }}
            disabled={disabled}
          />
        ) : null}
        {kind === 'quarter' || kind === 'month' ? (
          <Select
            aria-label={periodKindNames[kind]}
            flex={
              kind === 'quarter'
                ? '1 1 max(4.5rem, var(--field-min, 0px))'
                : '1 1 max(7.5rem, calc(var(--field-min, 0px) + 2rem))'
            }
            allowDeselect={false}
            data={kind === 'quarter' ? QUARTERS : MONTHS}
            value={rest}
            onChange={(next) => onChange(`${year}-${next}`)}
            disabled={disabled}
          />
        ) : null}
        {kind === 'quarter' || kind === 'month' || kind === 'year' ? (
          <Select
            aria-label={periodKindNames.year}
            flex="1 1 max(5.5rem, var(--field-min, 0px))"
            allowDeselect={false}
            data={yearsWith(year)}
            value={year}
            onChange={(next) => next !== null && onChange(kind === 'year' ? next : `${next}-${rest}`)}
            disabled={disabled}
          />
        ) : null}
      </Group>
    </Input.Wrapper>
  );
}

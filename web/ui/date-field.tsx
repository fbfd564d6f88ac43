// A calendar day, typed as MM/DD/YYYY or picked; and a pair of them as a filter.
import { DateInput, type DateInputProps } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { IconCalendar } from '@tabler/icons-react';
import { type FocusEvent, useState } from 'react';
import { DATE_FORMAT, parseTypedDate } from './calendar-date.ts';

const calendarLabels = {
  nextMonth: 'Next month',
  previousMonth: 'Previous month',
  nextYear: 'Next year',
  previousYear: 'Previous year',
  nextDecade: 'Next decade',
  previousDecade: 'Previous decade',
};

export interface DateFieldProps
  extends Omit<DateInputProps, 'value' | 'defaultValue' | 'onChange' | 'dateParser' | 'valueFormat' | 'ref'> {
  /** YYYY-MM-DD; empty for none. */
  value: string;
  onChange: (value: string) => void;
}

export function DateField({ value, onChange, error, onBlur, ...rest }: DateFieldProps) {
  const [unreadable, setUnreadable] = useState(false);

  const leave = (event: FocusEvent<HTMLInputElement>) => {
    const typed = event.currentTarget.value;
    const wrong = typed.trim() !== '' && parseTypedDate(typed) === null;
    setUnreadable(wrong);
    // Unreadable text is no date: the field must not keep the previous one.
    if (wrong && value !== '') onChange('');
    onBlur?.(event);
  };

  return (
    <DateInput
      placeholder="MM/DD/YYYY"
      size="sm"
      clearable
      clearButtonProps={{ 'aria-label': 'Clear date', tabIndex: 0 }}
      leftSection={<IconCalendar size={16} aria-hidden />}
      leftSectionPointerEvents="none"
      firstDayOfWeek={0}
      highlightToday
      // Mantine's red weekends and pale neighbouring days are too faint to read.
      weekendDays={[]}
      hideOutsideDates
      ariaLabels={calendarLabels}
      {...rest}
      // Mantine's own parser rolls 02/30 over into March.
      dateParser={parseTypedDate}
      valueFormat={DATE_FORMAT}
      value={value === '' ? null : value}
      onChange={(next) => {
        setUnreadable(false);
        onChange(next ?? '');
      }}
      onBlur={leave}
      error={error ?? (unreadable ? 'Enter a date as MM/DD/YYYY' : undefined)}
    />
  );
}

export interface DateRangeProps {
  /** YYYY-MM-DD; empty for open. */
  startDate: string;
  endDate: string;
  onChange: (range: { startDate: string; endDate: string }) => void;
}

/** 'Start Date' and 'End Date'; each alone is an open range. */
export function DateRange({ startDate, endDate, onChange }: DateRangeProps) {
  const reversed = startDate !== '' && endDate !== '' && endDate < startDate;
  return (
    <>
      <DateField
        label="Start Date"
        value={startDate}
        onChange={(next) => onChange({ startDate: next, endDate })}
        w={{ base: '100%', xs: 170 }}
      />
      <DateField
        label="End Date"
        value={endDate}
        onChange={(next) => onChange({ startDate, endDate: next })}
        error={reversed ? 'Ends before it starts' : undefined}
        w={{ base: '100%', xs: 170 }}
      />
    </>
  );
}

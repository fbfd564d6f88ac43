// A calendar day, typed as MM/DD/YYYY or picked; and a pair of them as a filter.
import { ActionIcon, NativeSelect } from '@mantine/core';
import { DateInput, type DateInputProps } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { IconCalendar } from '@tabler/icons-react';
import { type FocusEvent, Fragment, useRef, useState } from 'react';
import { DATE_FORMAT, today } from '#web/lib/format.ts';
import { type DatePreset, datePresets, presetOf } from './date-presets.ts';
import { Together } from './filter-bar.tsx';
import { isUnreadableDate, parseTypedDate } from './typed-date.ts';

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

/** The calendar opens on request alone: by a click, or by Alt and the arrow down. */
export function DateField({ value, onChange, error, onBlur, ...rest }: DateFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState(false);
  const [typedUnreadable, setTypedUnreadable] = useState(false);
  const [unreadable, setUnreadable] = useState(false);
  /** The date before unreadable text, which Mantine is still given: told of none, it would empty the field. */
  const [before, setBefore] = useState('');
  const shown = value === '' && unreadable ? before : value;

  const judge = (text: string) => {
    const wrong = isUnreadableDate(text);
    setUnreadable(wrong);
    // Unreadable text is no date: the field must not keep the previous one.
    if (wrong && value !== '') {
      setBefore(value);
      onChange('');
    }
  };
  const leave = (event: FocusEvent<HTMLInputElement>) => {
    setOpened(false);
    judge(event.currentTarget.value);
    onBlur?.(event);
  };

  return (
    <DateInput
      placeholder="MM/DD/YYYY"
      size="sm"
      // So that a whole date fits between them.
      leftSectionWidth={30}
      rightSectionWidth={28}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear date', tabIndex: 0 }}
      leftSection={
        // By keyboard there is Alt and the arrow down, without one more stop for each date.
        <ActionIcon
          size={24}
          aria-label="Open calendar"
          tabIndex={-1}
          disabled={rest.disabled ?? false}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            input.current?.focus();
            setOpened(!opened);
          }}
        >
          <IconCalendar size={16} aria-hidden />
        </ActionIcon>
      }
      firstDayOfWeek={0}
      highlightToday
      // Mantine's red weekends and pale neighbouring days are too faint to read.
      weekendDays={[]}
      hideOutsideDates
      ariaLabels={calendarLabels}
      {...rest}
      ref={input}
      // Gone at once, as the lists of selects are: fading, a calendar lies over what has the focus next.
      popoverProps={{ opened, shadow: 'md', transitionProps: { duration: 0 } }}
      onClick={() => setOpened(true)}
      onInput={(event) => setTypedUnreadable(isUnreadableDate(event.currentTarget.value))}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown' && event.altKey) {
          event.preventDefault();
          setOpened(true);
        }
        if (event.key === 'Escape' || event.key === 'Enter') setOpened(false);
        if (event.key === 'Enter') judge(event.currentTarget.value);
      }}
      // Escape closes the calendar, and not the dialog around it.
      {...{ 'data-mantine-stop-propagation': opened || undefined }}
      // Text that is no date stays, with its fault.
      fixOnBlur={!typedUnreadable}
      // Mantine's own parser rolls 02/30 over into March.
      dateParser={parseTypedDate}
      valueFormat={DATE_FORMAT}
      // Text that is no date narrows nothing.
      {...(value === '' ? { 'data-in-force': '' } : {})}
      value={shown === '' ? null : shown}
      onChange={(next) => {
        setUnreadable(false);
        setTypedUnreadable(false);
        setBefore('');
        setOpened(false);
        onChange(next ?? '');
      }}
      onBlur={leave}
      error={unreadable ? 'Enter a date as MM/DD/YYYY' : error}
    />
  );
}

export interface DateRangeProps {
  /** YYYY-MM-DD; empty for open. */
  startDate: string;
  endDate: string;
  onChange: (range: { startDate: string; endDate: string }) => void;
}

/** What the list of presets says of no dates, and of dates without a name. */
const ANY = { value: '', label: 'Any Dates' };
const OTHER = { value: 'other', label: 'Other Dates' };

/** 'Start Date' and 'End Date', each alone an open range; and a list of ranges with names, which fills both. */
export function DateRange({ startDate, endDate, onChange }: DateRangeProps) {
  const isSet = startDate !== '' || endDate !== '';
  const [wasSet, setWasSet] = useState(isSet);
  const [cleared, setCleared] = useState(0);
  /** The name that was chosen last: two names may have the same days. */
  const [picked, setPicked] = useState('');
  const byHand = useRef(false);
  // Cleared from elsewhere: what is no date goes too. Emptied here, it stays to be corrected.
  if (wasSet !== isSet) {
    setWasSet(isSet);
    if (!isSet && !byHand.current) setCleared(cleared + 1);
    byHand.current = false;
  }
  const change = (range: { startDate: string; endDate: string }) => {
    byHand.current = range.startDate === '' && range.endDate === '';
    onChange(range);
  };
  const reversed = startDate !== '' && endDate !== '' && endDate < startDate;

  const presets = datePresets(today());
  const all = [...presets.near, ...presets.quarters.flatMap((of) => of.presets)];
  const isShown = (name: string) =>
    all.some((one) => one.name === name && one.startDate === startDate && one.endDate === endDate);
  const named = isShown(picked) ? picked : presetOf({ startDate, endDate }, presets)?.name;
  const optionsOf = (of: readonly DatePreset[]) => of.map(({ name }) => ({ value: name, label: name }));
  const choose = (name: string) => {
    const preset = all.find((one) => one.name === name);
    setPicked(name);
    if (preset) onChange({ startDate: preset.startDate, endDate: preset.endDate });
    else if (name === ANY.value) {
      // What is no date goes too.
      setCleared(cleared + 1);
      onChange({ startDate: '', endDate: '' });
    }
  };

  return (
    <Together>
      <NativeSelect
        label="Dates"
        data-in-force={named ?? ''}
        value={named ?? (isSet ? OTHER.value : ANY.value)}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[
          ANY,
          ...(isSet && named === undefined ? [OTHER] : []),
          ...optionsOf(presets.near),
          ...presets.quarters.map((of) => ({ group: of.year, items: optionsOf(of.presets) })),
        ]}
        w={{ base: '100%', xs: 130 }}
      />
      <Fragment key={cleared}>
        <DateField
          label="Start Date"
          value={startDate}
          onChange={(next) => change({ startDate: next, endDate })}
          w={{ base: '100%', xs: 140 }}
        />
        <DateField
          label="End Date"
          value={endDate}
          onChange={(next) => change({ startDate, endDate: next })}
          error={reversed ? 'Ends before it starts' : undefined}
          w={{ base: '100%', xs: 140 }}
        />
      </Fragment>
    </Together>
  );
}

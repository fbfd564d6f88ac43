// The period of the board: a year, the two that are due, a quarter or a month, with the one before and the one after at hand.
import { ActionIcon, Group, Select } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { boardPeriodName, shiftBoardPeriod, yearsDueNow } from '#contract/completeness-words.ts';
import { today } from '#web/lib/format.ts';
import { typedSelect } from '#web/ui/typed-select.ts';
import classes from './board.module.css';

/** So many years are offered, from next year back; any other period may stand in an address. */
const YEARS = 5;

function choices(chosen: string) {
  const newest = Number(today().slice(0, 4)) + 1;
  const groups = Array.from({ length: YEARS }, (_, back) => {
    const year = String(newest - back);
    const quarters = [4, 3, 2, 1].map((nth) => `${year}-Q${nth}`);
    const months = Array.from({ length: 12 }, (_unused, nth) => `${year}-${String(12 - nth).padStart(2, '0')}`);
    const items = [year, ...quarters, ...months].map((value) => ({ value, label: boardPeriodName(value) }));
    return { group: year, items };
  });
  const isKnown = groups.some(({ items }) => items.some(({ value }) => value === chosen));
  const due = yearsDueNow(today());
  const alone = isKnown || chosen === due ? [due] : [chosen, due];
  return [...alone.map((value) => ({ value, label: boardPeriodName(value) })), ...groups];
}

export interface PeriodChooserProps {
  value: string;
  onChange: (period: string) => void;
}

export function PeriodChooser({ value, onChange }: PeriodChooserProps) {
  const step = (by: number, label: string, Icon: typeof IconChevronLeft) => (
    <ActionIcon
      variant="default"
      size={36}
      aria-label={`${label}: ${boardPeriodName(shiftBoardPeriod(value, by))}`}
      onClick={() => onChange(shiftBoardPeriod(value, by))}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
  return (
    <Group gap={4} wrap="nowrap" align="flex-end" className={classes.chooser ?? ''}>
      {step(-1, 'Period before', IconChevronLeft)}
      <Select
        label="Period"
        {...typedSelect}
        allowDeselect={false}
        nothingFoundMessage="No such period"
        data={choices(value)}
        value={value}
        onChange={(next) => next !== null && onChange(next)}
        flex={1}
        w={{ base: 'auto', xs: 170 }}
      />
      {step(1, 'Period after', IconChevronRight)}
    </Group>
  );
}

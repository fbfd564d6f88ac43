// What a cell of the board says, in words.
import { IconCircleCheck, IconCircleDashed, IconClockExclamation, IconEye, IconFileAlert } from '@tabler/icons-react';
import type { BoardCell, BoardRow, ExpectedReport } from '#contract/completeness.ts';
import { type ExpectedState, expectedStateNames, stateOfCell } from '#contract/completeness-words.ts';
import { periodKindOf, periodName } from '#contract/period.ts';
import { formatDate } from '#web/lib/format.ts';

export const stateIcons: Record<ExpectedState, typeof IconEye> = {
  expected: IconCircleDashed,
  delivered: IconCircleCheck,
  opened: IconEye,
  late: IconClockExclamation,
  missing: IconFileAlert,
};

/** 'Q3 2026', '2026', and a window of pay dates by its days. */
export function reportPeriod({ period, from, to }: ExpectedReport): string {
  return periodKindOf(period) === 'payDate'
    ? `${formatDate(from)} to ${formatDate(to)}`
    : periodName(period, formatDate);
}

/** 'Missing, was due 10/31/2026'. */
export function reportWords({ state, dueOn, deliveredAt, openedByClient }: ExpectedReport): string {
  const due = formatDate(dueOn);
  switch (state) {
    case 'missing':
      return `Missing, was due ${due}`;
    case 'expected':
      return `Expected, due ${due}`;
    case 'late':
      return `Late: came ${formatDate(deliveredAt)}, was due ${due}${openedByClient ? ', opened by the client' : ''}`;
    case 'opened':
      return `Opened by the client, came ${formatDate(deliveredAt)}`;
    case 'delivered':
      return `Delivered ${formatDate(deliveredAt)}, not opened by the client yet`;
  }
}

/** What stands in the cell: the state, with how many of several are in it. */
export function cellWords({ state, reports }: BoardCell): string {
  const name = expectedStateNames[state];
  if (reports.length === 1) return name;
  const countOf = (wanted: ExpectedState) => reports.filter((report) => report.state === wanted).length;
  // What was opened was delivered as well: '2 of 3 delivered' would read as if one were missing.
  if (state === 'delivered') return [`${reports.length} delivered`, ...openedWords(countOf('opened'))].join(', ');
  return `${countOf(state)} of ${reports.length} ${name.toLowerCase()}`;
}

const openedWords = (n: number) => (n === 0 ? [] : [`${n} opened`]);

/** What is told of a cell on hovering, and to those who do not see it. */
export function cellDetails({ reports }: BoardCell): string {
  const [only] = reports;
  if (only !== undefined && reports.length === 1) return `${reportPeriod(only)}: ${reportWords(only)}`;
  const states = reports.map(({ state }) => state);
  const counts = [...new Set(states)].sort((a, b) => (stateOfCell([a, b]) === a ? -1 : 1));
  return counts
    .map((state) => `${states.filter((one) => one === state).length} ${expectedStateNames[state].toLowerCase()}`)
    .join(', ');
}

/** The report types of some rows, by name: the columns. */
export function columnsOf(rows: readonly BoardRow[]): { readonly id: number; readonly name: string }[] {
  const names = new Map(rows.flatMap(({ cells }) => cells.map((cell) => [cell.reportTypeId, cell.reportTypeName])));
  return [...names].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
}

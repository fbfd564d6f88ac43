// The filters of the board in its address, validated: anyone can type an address.
import { boardPeriodKind, EXPECTED_STATES, type ExpectedState, yearsDueNow } from '#contract/completeness-words.ts';
import type { ListedActor } from '#contract/policy/actor.ts';
import { reachesClient } from '#contract/policy/reach.ts';
import { today } from '#web/lib/format.ts';
import { readId } from '#web/parts/files/file-filters.ts';

export const BOARD_FILTERS = ['period', 'client', 'reportType', 'state'] as const;

export interface BoardFilters {
  /** A year, two years, a quarter or a month. */
  readonly period: string;
  readonly clientId: number | null;
  readonly reportTypeId: number | null;
  readonly state: ExpectedState | null;
}

export function readBoardFilters(
  viewer: ListedActor,
  filters: Readonly<Record<(typeof BOARD_FILTERS)[number], string>>,
): BoardFilters {
  const clientId = readId(filters.client);
  return {
    period: boardPeriodKind(filters.period) === null ? yearsDueNow(today()) : filters.period,
    clientId: clientId !== null && reachesClient(viewer, clientId) ? clientId : null,
    reportTypeId: readId(filters.reportType),
    state: EXPECTED_STATES.find((state) => state === filters.state) ?? null,
  };
}

/** As a query: filters that are not set are not sent. */
export function askedBoard({ period, clientId, reportTypeId, state }: BoardFilters) {
  return {
    period,
    ...(clientId === null ? {} : { clientId }),
    ...(reportTypeId === null ? {} : { reportTypeId }),
    ...(state === null ? {} : { state }),
  };
}

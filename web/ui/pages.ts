// How far a list can be shown page by page.
import { ROWS_PAGED_MAX } from '#contract/paging.ts';

export const PAGE_SIZES = [25, 50, 100] as const;

/** The query of a list whose address says nothing. */
export const firstPage = <Sort extends string>(sort: Sort) => ({ limit: PAGE_SIZES[0], offset: 0, sort });

const lastShownPage = (pageSize: number) => ROWS_PAGED_MAX / pageSize;

/** The last page that can be shown. */
export function lastPageOf(total: number, pageSize: number): number {
  return Math.max(1, Math.min(Math.ceil(total / pageSize), lastShownPage(pageSize)));
}

export interface ShownPage {
  readonly page: number;
  readonly pageSize: number;
  /** How many rows are on it. */
  readonly shown: number;
  readonly total: number;
  /** Whether there are more than were counted. */
  readonly more: boolean;
}

/** The number of the last row on the page. The rows of the page before, in sight until others come, may be more than this one has. */
export function lastRowOf({ page, pageSize, shown, total, more }: ShownPage): number {
  const last = (page - 1) * pageSize + Math.max(shown, 1);
  return more ? last : Math.min(last, total);
}

/** The last page as far as is known, and whether this is it although the list may go on. */
export function endOf({ page, pageSize, shown, total, more }: ShownPage): { lastPage: number; cut: boolean } {
  // Where the total is not fully counted, a full page may be followed by another one.
  const endsHere = more && shown < pageSize;
  const lastPage = endsHere ? page : more ? lastShownPage(pageSize) : lastPageOf(total, pageSize);
  const goesOn = more ? !endsHere : total > ROWS_PAGED_MAX;
  return { lastPage, cut: goesOn && page === lastShownPage(pageSize) };
}

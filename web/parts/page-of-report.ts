// The address of a page within a report.
import type { InsideHit } from '#contract/inside.ts';

/** In the address of a report, beside those of the list it was opened from, which has pages of its own. */
export const REPORT_PAGE = 'atPage';

export const pageOfReport = ({ fileId, page }: Pick<InsideHit, 'fileId' | 'page'>) => ({
  to: '/cpa-dashboard/report/$id',
  params: { id: String(fileId) } as never,
  search: { [REPORT_PAGE]: String(page) } as never,
});

/** The page that an address asks for, as anyone can type it; null for none. */
export function askedPage(place: Readonly<Record<string, string | undefined>>): number | null {
  const page = Number(place[REPORT_PAGE]);
  return Number.isSafeInteger(page) && page >= 1 ? page : null;
}

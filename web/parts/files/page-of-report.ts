// The address of a page within a report.
import type { InsideHit } from '#contract/inside.ts';
import type { Address } from '#web/ui/page-link.ts';

/** In the address of a report, beside those of the list it was opened from, which has pages of its own. */
const REPORT_PAGE = 'atPage';

/** The words by which the page was found: they are marked on it. */
const FOUND_BY = 'foundBy';

/** What the address of a report says of a page of it, and of the search that found it. */
export const placeOnPage = (page: number, search: string): Record<string, string> => ({
  [REPORT_PAGE]: String(page),
  ...(search.trim() === '' ? {} : { [FOUND_BY]: search.trim() }),
});

export const pageOfReport = ({ fileId, page }: Pick<InsideHit, 'fileId' | 'page'>, search: string) => ({
  to: '/cpa-dashboard/report/$id',
  params: { id: String(fileId) },
  search: placeOnPage(page, search),
});

/** The address of a report without its page and what found that: for another file that was opened from it. */
export const placeWithoutPage = ({ [REPORT_PAGE]: _page, [FOUND_BY]: _words, ...place }: Address): Address => place;

/** The search that an address names; empty for none. */
export const askedWords = (place: Address): string => place[FOUND_BY] ?? '';

/** The page that an address asks for, as anyone can type it; null for none. */
export function askedPage(place: Address): number | null {
  const page = Number(place[REPORT_PAGE]);
  return Number.isSafeInteger(page) && page >= 1 ? page : null;
}

// Where a file was opened from, as its address carries it: the filters of the list, and its page and order.
import { FILE_TYPES } from '#contract/file-kinds.ts';
import type { ListedActor } from '#contract/policy/actor.ts';
import type { FilesFilter } from '#web/data/files.ts';
import {
  askedFilters,
  FILE_FILTERS,
  type ReportTypeChoice,
  readFileFilters,
  readReportType,
} from '#web/parts/files/file-filters.ts';
import type { Address } from '#web/ui/page-link.ts';

/** The search narrows the list too; the rest is of no use to the file, and there so that the way back leads to the same rows. */
const STANDING = ['q', 'page', 'size', 'sort'] as const;

/** What a list of reports shows; null for all. */
export interface ShownList {
  readonly clientId: number | null;
  readonly reportTypeId: ReportTypeChoice | null;
}

/** The search part for a file opened from a list: `type` is a report type's id, or a kind of files. */
export function placeInList(address: Address, { clientId, reportTypeId }: ShownList): Record<string, string> {
  return {
    ...pick(address, [...FILE_FILTERS, ...STANDING]),
    ...(clientId === null ? {} : { client: String(clientId) }),
    type: reportTypeId === null ? 'report' : String(reportTypeId),
  };
}

/** The list's own address again, with the report type that it showed: what a person has not clicked is not remembered. */
export function addressOfList(place: Address): Record<string, string> {
  const reportTypeId = reportTypeOf(place);
  return {
    ...pick(place, [...FILE_FILTERS, ...STANDING]),
    ...(reportTypeId === null ? {} : { reportType: String(reportTypeId) }),
  };
}

function pick(address: Address, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (address[name] ? [[name, address[name]]] : [])));
}

/** The report type that the list showed; null for none or all. */
function reportTypeOf(place: Address): ReportTypeChoice | null {
  return readReportType(place.type ?? '');
}

/** The list as a query for the server, validated: anyone can type an address. */
export function listOf(viewer: ListedActor, place: Address): Omit<FilesFilter, 'limit' | 'offset' | 'sort'> {
  const reportTypeId = reportTypeOf(place);
  const fileType = reportTypeId === null ? FILE_TYPES.find((type) => type === place.type) : 'report';
  return {
    ...askedFilters(readFileFilters(viewer, Object.fromEntries(FILE_FILTERS.map((name) => [name, place[name] ?? ''])))),
    ...(place.q ? { q: place.q } : {}),
    ...(reportTypeId === null ? {} : { reportTypeId }),
    ...(fileType === undefined ? {} : { fileType }),
  };
}

// Where a file was opened from, as its address carries it: the filters of the list, and its page and order.
import { FILE_TYPES, type FileType } from '#contract/file-kinds.ts';
import type { ListedActor } from '#contract/policy/actor.ts';
import { searchable } from '#contract/search.ts';
import type { FilesFilter } from '#web/data/files.ts';
import type { Address } from '#web/ui/page-link.ts';
import type { ReportTypeChoice } from '../report-types/type-selects.tsx';
import { askedFilters, FILE_FILTERS, type FileFilters, readFileFilters, readReportType } from './file-filters.ts';

/** The search narrows the list too; the rest is of no use to the file, and there so that the way back leads to the same rows. */
const STANDING = ['q', 'page', 'size', 'sort'] as const;

/** What a list of reports shows; null for all. */
export interface ShownList {
  readonly clientId: number | null;
  readonly reportTypeId: ReportTypeChoice | null;
}

/** The filters that the address has, and the client that the list shows, also where that is remembered. */
const filtersAt = (address: Address, clientId: number | null): Record<string, string> => ({
  ...pick(address, [...FILE_FILTERS, ...STANDING]),
  ...(clientId === null ? {} : { client: String(clientId) }),
});

/** The search part for a file opened from a list: `type` is a report type's id, or a kind of files. */
export const placeInList = (address: Address, { clientId, reportTypeId }: ShownList): Record<string, string> => ({
  ...filtersAt(address, clientId),
  type: reportTypeId === null ? 'report' : String(reportTypeId),
});

/** The search part for a document opened from Firm Documents. */
export const placeInDocuments = (address: Address, clientId: number | null): Record<string, string> => ({
  ...filtersAt(address, clientId),
  type: 'company_document',
});

/** What the Files screen shows: one kind of files, or those of both that name another company. */
export type Shown = FileType | 'marked';

const SHOWN: readonly Shown[] = [...FILE_TYPES, 'marked'];

/** There each kind of file has filters of its own: those of another one do not narrow it. */
export const filtersOfOthers: Record<Shown, Partial<FileFilters>> = {
  report: { documentType: null, isNew: false },
  company_document: { reportTypeId: null, isUnopened: false },
  marked: { documentType: null, reportTypeId: null, isNew: false, isUnopened: false },
};

/** The search part for a file opened from the Files screen, to which its way back leads. */
export const placeInFiles = (address: Address, shown: Shown, clientId: number | null): Record<string, string> => ({
  ...filtersAt(address, clientId),
  type: shown,
  from: 'files',
});

export const isFromFiles = (place: Address): boolean => place['from'] === 'files';

const shownIn = (place: Address): Shown | undefined => SHOWN.find((each) => each === place['type']);

/** As that screen says it in its own address: reports it shows unless it is asked for something else. */
const kindAddress: Record<Shown, Record<string, string>> = {
  report: {},
  company_document: { type: 'company_document' },
  marked: { marked: '1' },
};

/** The list's own address again, with the report type that it showed: what a person has not clicked is not remembered. */
export function addressOfList(place: Address): Record<string, string> {
  const reportTypeId = reportTypeOf(place);
  return {
    ...pick(place, [...FILE_FILTERS, ...STANDING]),
    ...(isFromFiles(place) ? kindAddress[shownIn(place) ?? 'report'] : {}),
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
  const shown = reportTypeId === null ? shownIn(place) : 'report';
  const q = searchable(place.q ?? '').trim();
  const filters = readFileFilters(viewer, Object.fromEntries(FILE_FILTERS.map((name) => [name, place[name] ?? ''])));
  return {
    ...askedFilters(isFromFiles(place) && shown !== undefined ? { ...filters, ...filtersOfOthers[shown] } : filters),
    ...(q === '' ? {} : { q }),
    ...(reportTypeId === null ? {} : { reportTypeId }),
    ...(shown === undefined ? {} : shown === 'marked' ? ({ marked: 'true' } as const) : { fileType: shown }),
  };
}

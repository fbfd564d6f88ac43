// The filters of file lists, each said once: in an address (anyone can type one), in a list query, and on a chip.
import { isCalendarDate } from '#contract/calendar-date.ts';
import { DOCUMENT_TYPES, type DocumentType, WITHOUT_TYPE } from '#contract/file-kinds.ts';
import { isClientUser, type ListedActor } from '#contract/policy/actor.ts';
import { reachesClient } from '#contract/policy/reach.ts';
import { mayAttempt } from '#contract/policy.ts';
import { formatDate } from '#web/lib/format.ts';
import { ON_HOLD } from '#web/lib/hold-messages.ts';
import { NOT_OPENED } from '#web/lib/readers-words.ts';
import { PERIOD_LABEL, periodWords, readPeriod } from '../periods/period-select.tsx';
import type { ReportTypeChoice } from '../report-types/type-selects.tsx';

export interface FileFilters {
  /** A client in reach; null for all of them. */
  clientId: number | null;
  /** 'none' for the reports without one, which no Client user sees; null for all of them. */
  reportTypeId: ReportTypeChoice | null;
  documentType: DocumentType | null;
  /** A period, 'none' for files without one, or empty for all. */
  period: string;
  /** YYYY-MM-DD; empty for open. */
  startDate: string;
  endDate: string;
  /** Those alone that are new to the viewer. */
  isNew: boolean;
  /** Reports alone that nobody of their client has opened, for whoever may know it. */
  isUnopened: boolean;
  /** Those alone that are on hold. */
  isOnHold: boolean;
}

/** How an address says that a filter is on, and that something is not. */
const ON = '1';
const NOT = 'no';

const ID = /^[1-9]\d{0,14}$/;
export const readDay = (text: string) => (isCalendarDate(text) ? text : '');

/** Whether a period or a day narrows the list. */
export const isTimeFiltered = ({ period, startDate, endDate }: FileFilters) =>
  [period, startDate, endDate].some((filter) => filter !== '');

/** An id in an address; null for anything else. */
export function readId(text: string): number | null {
  return ID.test(text) ? Number(text) : null;
}

export const readReportType = (text: string): ReportTypeChoice | null =>
  text === WITHOUT_TYPE ? WITHOUT_TYPE : readId(text);

/** What is asked of the server: filters that are not set are left out. */
interface Asked {
  readonly clientId?: number;
  readonly reportTypeId?: ReportTypeChoice;
  readonly documentType?: DocumentType;
  readonly period?: string;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly isNew?: 'true';
  readonly opened?: 'false';
  readonly onHold?: 'true';
}

/** What a client and a report type in force are called, as far as it is known. */
export interface NamesInForce {
  readonly client: string | undefined;
  readonly reportType: string | undefined;
}

/** All there is to say of one filter. */
interface FileFilter<Value> {
  /** Its name in an address. */
  readonly name: string;
  /** What it is where it is not set. */
  readonly none: Value;
  /** What the text of an address says, as far as `viewer` may use it; `none` for anything else. */
  readonly read: (text: string, viewer: ListedActor) => Value;
  readonly asks: (value: Exclude<Value, null>) => Asked;
  /** What stands on its chip. */
  readonly chip: string;
  readonly words: (value: Exclude<Value, null>, names: NamesInForce) => string | undefined;
}

type EachFilter = { readonly [Key in keyof FileFilters]: FileFilter<FileFilters[Key]> };

/** In the order of their chips. */
const FILTERS = {
  clientId: {
    name: 'client',
    none: null,
    read: (text, viewer) => {
      const id = readId(text);
      return id !== null && reachesClient(viewer, id) ? id : null;
    },
    asks: (clientId) => ({ clientId }),
    chip: 'Client',
    words: (_, { client }) => client,
  },
  reportTypeId: {
    name: 'reportType',
    none: null,
    read: (text, viewer) => (text === WITHOUT_TYPE && isClientUser(viewer) ? null : readReportType(text)),
    asks: (reportTypeId) => ({ reportTypeId }),
    chip: 'Report Type',
    words: (_, { reportType }) => reportType,
  },
  documentType: {
    name: 'documentType',
    none: null,
    read: (text) => DOCUMENT_TYPES.find((type) => type === text) ?? null,
    asks: (documentType) => ({ documentType }),
    chip: 'Document Type',
    words: (documentType) => documentType,
  },
  period: {
    name: 'period',
    none: '',
    read: readPeriod,
    asks: (period) => ({ period }),
    chip: PERIOD_LABEL,
    words: periodWords,
  },
  startDate: {
    name: 'startDate',
    none: '',
    read: readDay,
    asks: (startDate) => ({ startDate }),
    chip: 'From',
    words: formatDate,
  },
  endDate: {
    name: 'endDate',
    none: '',
    read: readDay,
    asks: (endDate) => ({ endDate }),
    chip: 'To',
    words: formatDate,
  },
  isNew: {
    name: 'new',
    none: false,
    read: (text) => text === ON,
    asks: () => ({ isNew: 'true' }),
    chip: 'Show',
    words: () => 'New only',
  },
  isUnopened: {
    name: 'opened',
    none: false,
    read: (text, viewer) => text === NOT && mayAttempt(viewer, 'files.read-readers'),
    asks: () => ({ opened: 'false' }),
    chip: 'Seen By',
    words: () => NOT_OPENED,
  },
  isOnHold: {
    name: 'hold',
    none: false,
    read: (text) => text === ON,
    asks: () => ({ onHold: 'true' }),
    chip: 'Hold',
    words: () => ON_HOLD,
  },
} as const satisfies EachFilter;

export type FileFilterName = (typeof FILTERS)[keyof FileFilters]['name'];
export type FileFilterTexts = Readonly<Record<FileFilterName, string>>;

/** The names under which `useListSearch` keeps them. */
export const FILE_FILTERS: readonly FileFilterName[] = Object.values(FILTERS).map(({ name }) => name);

/** As an address says that none is set. */
export const NO_FILTERS = Object.fromEntries(FILE_FILTERS.map((name) => [name, ''])) as FileFilterTexts;

const KEYS = Object.keys(FILTERS) as (keyof FileFilters)[];

/** The filter of `key` with its value; null where it is not set. */
function inForce<Key extends keyof FileFilters>(key: Key, filters: FileFilters) {
  const filter: FileFilter<FileFilters[Key]> = (FILTERS satisfies EachFilter as EachFilter)[key];
  const value = filters[key];
  return value === filter.none ? null : { filter, value: value as Exclude<FileFilters[Key], null> };
}

function askedOf<Key extends keyof FileFilters>(key: Key, filters: FileFilters): Asked {
  const set = inForce(key, filters);
  return set === null ? {} : set.filter.asks(set.value);
}

/** The filters of the address that `viewer` may use. */
export function readFileFilters(viewer: ListedActor, filters: Partial<FileFilterTexts>): FileFilters {
  const read = KEYS.map((key) => [key, FILTERS[key].read(filters[FILTERS[key].name] ?? '', viewer)]);
  return Object.fromEntries(read) as FileFilters;
}

/** As a list query: filters that are not set are not sent. */
export function askedFilters(filters: FileFilters): Asked {
  return Object.assign({}, ...KEYS.map((key) => askedOf(key, filters))) as Asked;
}

/** Whether a filter or the search `q` narrows the list. */
export const isNarrowing = (filters: FileFilters, q: string) =>
  q !== '' || Object.keys(askedFilters(filters)).length > 0;

/** The filters in force with what their chips say. */
export function chipsOf(
  filters: FileFilters,
  names: NamesInForce,
): { filter: FileFilterName; name: string; value: string }[] {
  const chipOf = <Key extends keyof FileFilters>(key: Key) => {
    const set = inForce(key, filters);
    const value = set?.filter.words(set.value, names);
    return value === undefined ? [] : [{ filter: FILTERS[key].name, name: FILTERS[key].chip, value }];
  };
  return KEYS.flatMap(chipOf);
}

export const onOff = (on: boolean) => (on ? ON : '');
export const notOrAny = (not: boolean) => (not ? NOT : '');

/** As an address carries it. */
export const addressOf = (id: number | string | null) => (id === null ? '' : String(id));

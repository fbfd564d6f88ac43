// The filters of file lists in an address, validated: anyone can type an address.
import { isCalendarDate } from '#contract/calendar-date.ts';
import { DOCUMENT_TYPES, type DocumentType, WITHOUT_TYPE } from '#contract/file-kinds.ts';
import { isClientUser, type ListedActor, mayAttempt, reachesClient } from '#contract/policy.ts';
import { readPeriod } from '../periods/period-select.tsx';

/** The names under which `useListSearch` keeps them. */
export const FILE_FILTERS = [
  'client',
  'reportType',
  'documentType',
  'period',
  'startDate',
  'endDate',
  'new',
  'opened',
  'hold',
] as const;
export type FileFilterName = (typeof FILE_FILTERS)[number];
export type FileFilterTexts = Readonly<Record<FileFilterName, string>>;

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

const ID = /^[1-9]\d{0,14}$/;
export const readDay = (text: string) => (isCalendarDate(text) ? text : '');

/** Whether a period or a day narrows the list. */
export const isTimeFiltered = ({ period, startDate, endDate }: FileFilters) =>
  [period, startDate, endDate].some((filter) => filter !== '');

/** An id in an address; null for anything else. */
export function readId(text: string): number | null {
  return ID.test(text) ? Number(text) : null;
}

/** A report type's id, or 'none' for the reports without one. */
export type ReportTypeChoice = number | typeof WITHOUT_TYPE;

export const readReportType = (text: string): ReportTypeChoice | null =>
  text === WITHOUT_TYPE ? WITHOUT_TYPE : readId(text);

/** The filters of the address that `viewer` may use. */
export function readFileFilters(viewer: ListedActor, filters: Partial<FileFilterTexts>): FileFilters {
  const clientId = readId(filters.client ?? '');
  const reportTypeId = readReportType(filters.reportType ?? '');
  return {
    clientId: clientId !== null && reachesClient(viewer, clientId) ? clientId : null,
    reportTypeId: reportTypeId === WITHOUT_TYPE && isClientUser(viewer) ? null : reportTypeId,
    documentType: DOCUMENT_TYPES.find((type) => type === filters.documentType) ?? null,
    period: readPeriod(filters.period ?? ''),
    startDate: readDay(filters.startDate ?? ''),
    endDate: readDay(filters.endDate ?? ''),
    isNew: filters.new === ON,
    isOnHold: filters.hold === ON,
    isUnopened: filters.opened === NOT && mayAttempt(viewer, 'files.read-readers'),
  };
}

/** As a list query: filters that are not set are not sent. */
export function askedFilters({
  clientId,
  reportTypeId,
  documentType,
  period,
  startDate,
  endDate,
  isNew,
  isUnopened,
  isOnHold,
}: FileFilters) {
  return {
    ...(clientId === null ? {} : { clientId }),
    ...(reportTypeId === null ? {} : { reportTypeId }),
    ...(documentType === null ? {} : { documentType }),
    ...(period === '' ? {} : { period }),
    ...(startDate === '' ? {} : { startDate }),
    ...(endDate === '' ? {} : { endDate }),
    ...(isNew ? ({ isNew: 'true' } as const) : {}),
    ...(isUnopened ? ({ opened: 'false' } as const) : {}),
    ...(isOnHold ? ({ onHold: 'true' } as const) : {}),
  };
}

/** How an address says that a filter is on. */
const ON = '1';
export const onOff = (on: boolean) => (on ? ON : '');
const NOT = 'no';
export const notOrAny = (not: boolean) => (not ? NOT : '');

/** As an address carries it. */
export const addressOf = (id: number | string | null) => (id === null ? '' : String(id));

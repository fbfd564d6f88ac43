// The filters of file lists in an address, validated: anyone can type an address.
import { isCalendarDate } from '#contract/fields.ts';
import { type ListedActor, reachesClient } from '#contract/policy.ts';

/** The names under which `useListSearch` keeps them. */
export const FILE_FILTERS = ['client', 'startDate', 'endDate'] as const;

export interface FileFilters {
  /** A client in reach; null for all of them. */
  clientId: number | null;
  /** YYYY-MM-DD; empty for open. */
  startDate: string;
  endDate: string;
}

const ID = /^[1-9]\d{0,14}$/;
const readDay = (text: string) => (isCalendarDate(text) ? text : '');

/** An id in an address; null for anything else. */
export function readId(text: string): number | null {
  return ID.test(text) ? Number(text) : null;
}

/** The filters of the address that `viewer` may use. */
export function readFileFilters(
  viewer: ListedActor,
  filters: Readonly<Record<(typeof FILE_FILTERS)[number], string>>,
): FileFilters {
  const clientId = readId(filters.client);
  return {
    clientId: clientId !== null && reachesClient(viewer, clientId) ? clientId : null,
    startDate: readDay(filters.startDate),
    endDate: readDay(filters.endDate),
  };
}

/** As a list query: filters that are not set are not sent. */
export function askedFilters({ clientId, startDate, endDate }: FileFilters) {
  return {
    ...(clientId === null ? {} : { clientId }),
    ...(startDate === '' ? {} : { startDate }),
    ...(endDate === '' ? {} : { endDate }),
  };
}

/** As an address carries it. */
export const addressOf = (clientId: number | null) => (clientId === null ? '' : String(clientId));

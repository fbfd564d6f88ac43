// The searchable text of a row: its fields as they are searched, one a line, so that no word runs from one field into the next.
import type { ClientInput } from '#contract/clients.ts';
import { searchForm } from '#contract/search.ts';

const lines = (fields: readonly string[]) => fields.map(searchForm).join('\n');

/** The fields of the client search (docs/behaviour.md, Lists). */
export function clientSearchText(client: Omit<ClientInput, 'employeeCount' | 'startDate'>): string {
  const { name, email, phone, federalId, stateId, address, otherNames = [] } = client;
  return lines([name, email, phone, federalId, stateId, address, ...otherNames]);
}

/** What the log says about an act and its people. */
export function activitySearchText(entry: {
  readonly details: string;
  readonly fileName: string | undefined;
  readonly userName: string;
  readonly clientName: string | undefined;
}): string {
  return lines([entry.details, entry.fileName ?? '', entry.userName, entry.clientName ?? '']);
}

// The searchable text of a row: fields folded, one a line, so that no match runs from one field into the next.
import type { ClientInput } from '#contract/clients.ts';
import { foldKey } from '#contract/fields.ts';

const lines = (fields: readonly string[]) => fields.map(foldKey).join('\n');

/** The fields of the client search (docs/behaviour.md, Lists). */
export function clientSearchText(client: Omit<ClientInput, 'employeeCount' | 'startDate'>): string {
  return lines([client.name, client.email, client.phone, client.federalId, client.stateId, client.address]);
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

// The other names of a client in its row: as a list, and in the text by which the client is found.
import type { ClientInput } from '#contract/clients.ts';
import { clientSearchText } from '../../platform/names/search-text.ts';

/** The columns that hold them; the search text has the client's other fields in it too. */
export function otherNameColumns(client: Omit<ClientInput, 'employeeCount' | 'startDate'>) {
  return { other_names: JSON.stringify(client.otherNames ?? []), search_text: clientSearchText(client) };
}

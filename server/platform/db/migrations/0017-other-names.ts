// The other names of a client.
import { statements } from './dialect.ts';

export const otherNames = statements(({ text }) => [
  // A JSON list: it is read and written with its client, and searched in the client's search text.
  `alter table clients add column other_names ${text} not null default '[]'`,
]);

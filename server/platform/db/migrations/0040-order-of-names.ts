// Names stand where a reader of English looks for them: by their plain letters.
import { statements } from './dialect.ts';

export const orderOfNames = statements(() => [
  'drop index clients_name',
  'create index clients_name on clients (search_name, id)',
  'drop index users_full_name',
  'create index users_full_name on users (search_name, id)',
]);

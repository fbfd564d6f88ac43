// Of whom a document of a batch was, where whoever's batch it is did not reach that client or report type when it was deleted.
import { statements } from './dialect.ts';

export const lostDocuments = statements(() => [
  'alter table batch_documents add column lost_client_id bigint',
  'alter table batch_documents add column lost_type_id bigint',
]);

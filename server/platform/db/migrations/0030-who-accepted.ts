// Who accepted a document of a batch, apart from who changed it. What was accepted before is not known to be anybody's.
import { statements } from './dialect.ts';

export const whoAccepted = statements(() => ['alter table batch_documents add column accepted_by_id bigint']);

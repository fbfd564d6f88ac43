// Documents of a client or report type that is being deleted, which takes it off them.
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../platform/db/schema.ts';
import { TO_CHECK } from './document-rows.ts';

export const INCOMPLETE = 'Its client or report type was deleted. Select another one.';

const COLUMNS = {
  client: { of: 'client_id', lost: 'lost_client_id', lists: 'user_clients' },
  type: { of: 'report_type_id', lost: 'lost_type_id', lists: 'user_report_types' },
} as const;

/**
 * Notes of whom they were, before the deletion: to whoever's batch they are in and who does not have it in the lists, they stay closed
 * (`isReachedDocument`). Who reaches everything is not asked for, and chooses another. What was ready or accepted is to be checked: among
 * others that are accepted at once, one without a client or type has all of them refused.
 */
export async function noteLostDocuments(tx: Kysely<Schema>, kind: keyof typeof COLUMNS, id: number): Promise<void> {
  const { of, lost, lists } = COLUMNS[kind];
  await sql`update batch_documents set ${sql.ref(lost)} = ${sql.ref(of)} where ${sql.ref(of)} = ${id}
    and not exists (select 1 from batches join ${sql.table(lists)} as listed on listed.user_id = batches.owner_id
      where batches.id = batch_documents.batch_id and ${sql.ref(`listed.${of}`)} = ${id})`.execute(tx);
  await tx
    .updateTable('batch_documents')
    .set(({ eb }) => ({ ...TO_CHECK, fault: INCOMPLETE, version: eb('version', '+', 1) }))
    .where(of, '=', id)
    .where('state', 'in', ['ready', 'accepted'])
    .execute();
}

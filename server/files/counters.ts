// The counters of files: how many stand under each client, report type and kind, moved in the transaction that moves the file.
import { type Kysely, sql } from 'kysely';
import { NONE } from '../audit/record.ts';
import type { Schema } from '../db/schema.ts';

/** Moves the counter of a client's files by `by`. */
export async function countFile(
  tx: Kysely<Schema>,
  file: { clientId: number; reportTypeId: number | null; fileType: 'report' | 'company_document' },
  by: 1 | -1,
): Promise<void> {
  const key = { client_id: file.clientId, report_type_id: file.reportTypeId ?? NONE, file_type: file.fileType };
  if (by === 1) {
    await tx
      .insertInto('file_counts')
      .values({ ...key, n: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(['client_id', 'report_type_id', 'file_type'])
          .doUpdateSet({ n: sql<number>`file_counts.n + 1` }),
      )
      .execute();
    return;
  }
  await tx
    .updateTable('file_counts')
    .set({ n: sql<number>`n - 1` })
    .where('client_id', '=', key.client_id)
    .where('report_type_id', '=', key.report_type_id)
    .where('file_type', '=', key.file_type)
    .execute();
}

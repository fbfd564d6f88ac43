// Puts a firm into a database whose tables it clears, each row with the id that its place gives it.
import { type Insertable, type Kysely, sql } from 'kysely';
import { searchForm } from '#contract/search.ts';
import { insertActivity } from '../../audit/record.ts';
import { fileNameColumns, periodColumns } from '../../files/file-columns.ts';
import type { DatabaseKind } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { nameColumns, userNameColumns } from '../../platform/names/name-forms.ts';
import type { TestDatabase } from '../test-database.ts';
import { EPOCH, type Firm, withIds } from './random-firms.ts';

const CLEARED: readonly (keyof Schema)[] = [
  'activity',
  'activity_counts',
  'file_counts',
  'files',
  'user_clients',
  'blobs',
  'user_report_types',
  'users',
  'role_capabilities',
  'roles',
  'clients',
  'report_types',
];

/** Inserts rows in order, so that the first gets id 1; there may be none, which `values ()` could not express. */
async function insertAll<Table extends keyof Schema>(
  tx: Kysely<Schema>,
  table: Table,
  rows: readonly Insertable<Schema[Table]>[],
): Promise<void> {
  if (rows.length > 0) await tx.insertInto(table).values(rows).execute();
}

async function clearTables(tx: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  // Ids start again at 1: the plan of a list depends on how high they are.
  if (kind === 'sqlite') {
    for (const table of CLEARED) await tx.deleteFrom(table).execute();
    await sql`delete from sqlite_sequence`.execute(tx);
  } else {
    await sql`truncate ${sql.join(CLEARED.map((table) => sql.table(table)))} restart identity cascade`.execute(tx);
  }
}

/** The clients, each with a request, and the report types. */
async function insertClients(tx: Kysely<Schema>, firm: Firm): Promise<void> {
  await insertAll(
    tx,
    'clients',
    firm.clients.map((clientName) => ({
      ...nameColumns(clientName),
      address: 'Somewhere',
      phone: '(207)-555-0142',
      email: 'office@example.com',
      federal_id: '00-1234567',
      state_id: 'ME',
      employee_count: 1,
      start_date: '2024-01-01',
      search_text: searchForm(clientName),
      created_at: EPOCH,
    })),
  );
  await insertAll(
    tx,
    'requests',
    withIds(firm.clients.map((clientName) => ({ clientName }))).map(({ id }) => ({
      client_id: id,
      title: 'Year-end package',
      message: '',
      due_on: null,
      state: 'open' as const,
      items: 0,
      owed: 0,
      to_review: 0,
      asked_by_id: 1,
      asked_by_name: 'Somebody',
      created_at: EPOCH,
      changed_at: EPOCH,
    })),
  );
  await insertAll(
    tx,
    'report_types',
    firm.reportTypes.map((typeName) => ({ ...nameColumns(typeName), created_at: EPOCH })),
  );
}

async function insertPeople(tx: Kysely<Schema>, firm: Firm): Promise<void> {
  await insertAll(
    tx,
    'roles',
    firm.roles.map(({ systemKey, reach }, index) => ({
      ...nameColumns(`role ${index}`),
      system_key: systemKey,
      reach,
      created_at: EPOCH,
    })),
  );
  await insertAll(
    tx,
    'users',
    firm.users.map(({ role }, index) => ({
      ...userNameColumns({ username: `user ${index}`, fullName: `User ${index}` }),
      password_hash: '$argon2id$nobody',
      role_id: role,
      created_at: EPOCH,
    })),
  );
  for (const { id, clientIds, reportTypeIds } of withIds(firm.users)) {
    await insertAll(
      tx,
      'user_clients',
      clientIds.map((clientId) => ({ user_id: id, client_id: clientId })),
    );
    await insertAll(
      tx,
      'user_report_types',
      reportTypeIds.map((reportTypeId) => ({ user_id: id, report_type_id: reportTypeId })),
    );
  }
}

async function insertFiles(tx: Kysely<Schema>, firm: Firm): Promise<void> {
  await insertAll(
    tx,
    'blobs',
    withIds(firm.files).map((file) => ({
      storage_key: String(file.id).padStart(32, '0'),
      size_bytes: file.sizeBytes,
      sha256: '0'.repeat(64),
      state: 'live' as const,
      purpose: 'file' as const,
      created_at: EPOCH,
    })),
  );
  await insertAll(
    tx,
    'files',
    withIds(firm.files).map((file) => ({
      ...fileNameColumns(file.name),
      storage_key: String(file.id).padStart(32, '0'),
      size_bytes: file.sizeBytes,
      sha256: '0'.repeat(64),
      content_type: 'application/pdf',
      file_type: file.fileType,
      document_type: file.documentType,
      client_id: file.clientId,
      report_type_id: file.reportTypeId,
      uploaded_by_id: file.uploadedById,
      uploader_name: 'Somebody',
      uploaded_at: file.at,
      ...periodColumns(file.period, file.at),
      idempotency_key: null,
    })),
  );
}

export async function insertFirm({ database }: TestDatabase, firm: Firm): Promise<void> {
  await database.transaction(async (tx) => {
    await clearTables(tx, database.kind);
    await insertClients(tx, firm);
    await insertPeople(tx, firm);
    await insertFiles(tx, firm);
    for (const { action, actor, client, file, details, at } of firm.activity) {
      await insertActivity(
        tx,
        actor,
        { action, details, ...(client ? { client } : {}), ...(file ? { file } : {}) },
        at,
      );
    }
  });
}

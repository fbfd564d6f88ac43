// Writes a planned firm into the stores: bytes through the blob store, rows in a few large transactions, with their counters.

import { Readable } from 'node:stream';
import { foldKey } from '#contract/fields.ts';
import { proposePeriod } from '#contract/period-in-name.ts';
import { phaseOf } from '#server/files/completeness/windows.ts';
import { fileNameColumns, periodColumns } from '#server/files/file-columns.ts';
import { createBuiltInRoles } from '#server/people/auth/first-start.ts';
import type { PasswordHasher } from '#server/people/auth/password-hasher.ts';
import type { BlobStore } from '#server/platform/blobs/blob-store.ts';
import { decideContentType } from '#server/platform/blobs/content-type.ts';
import type { Database } from '#server/platform/db/database.ts';
import { nameColumns, userNameColumns } from '#server/platform/names/name-forms.ts';
import { clientSearchText } from '#server/platform/names/search-text.ts';
import type { FirmPlan, PlannedFile } from './plan.ts';
import { renderAll } from './render-all.ts';
import { insertActivity, servedAt } from './seed-activity.ts';
import { insertRequests } from './seed-requests.ts';
import { at, inChunks, type MadeRows, NONE, type Transaction } from './seed-rows.ts';
import { OPENING_MS } from './staff.ts';

export interface SeedStores {
  /** Migrated, and without users. */
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly passwords: Pick<PasswordHasher, 'hash'>;
}

export interface SeededFirm extends MadeRows {
  readonly reportTypeIds: readonly number[];
  readonly fileIds: readonly number[];
  readonly sizeBytes: number;
}

const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

interface StoredDocument {
  readonly storageKey: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly contentType: string;
}

/** Fills empty stores with `plan`; `onStored` hears how many files have their bytes in place. */
export async function seedFirm(
  plan: FirmPlan,
  stores: SeedStores,
  onStored: (count: number) => void = () => {},
): Promise<SeededFirm> {
  const passwordHash = await stores.passwords.hash(plan.password);
  const documents = await storeDocuments(plan.files, stores.blobs, onStored);
  await createBuiltInRoles(stores.database, OPENING_MS);
  return stores.database.transaction(async (tx) => {
    // Nobody is led through a firm that is full.
    await tx.insertInto('firm_settings').values({ id: 1, four_eyes: 0, first_steps_dismissed: 1 }).execute();
    const roleIds = await insertRoles(tx, plan);
    const clientIds = await insertClients(tx, plan);
    const reportTypeIds = await insertReportTypes(tx, plan);
    const userIds = await insertUsers(tx, plan, { roleIds, clientIds, reportTypeIds, passwordHash });
    const fileIds = await insertFiles(tx, plan, documents, { clientIds, reportTypeIds, userIds });
    await insertExpectations(tx, plan, { clientIds, reportTypeIds });
    await insertRequests(tx, plan, { clientIds, userIds });
    await insertActivity(tx, plan, { clientIds, userIds, fileIds });
    const sizeBytes = documents.reduce((sum, document) => sum + document.sizeBytes, 0);
    return { clientIds, userIds, reportTypeIds, fileIds, sizeBytes };
  });
}

async function storeDocuments(
  files: readonly PlannedFile[],
  blobs: BlobStore,
  onStored: (count: number) => void,
): Promise<StoredDocument[]> {
  const stored: StoredDocument[] = new Array(files.length);
  let count = 0;
  await renderAll(
    files.map((file) => file.document),
    async (index, bytes) => {
      const staged = await blobs.stage(Readable.from(bytes.length === 0 ? [] : [Buffer.from(bytes)]), {
        maxBytes: MAX_DOCUMENT_BYTES,
      });
      const { sizeBytes, sha256, head } = staged;
      const contentType = await decideContentType(head, sizeBytes, at(files, index).originalName);
      stored[index] = { storageKey: await staged.publish(), sizeBytes, sha256, contentType };
      count += 1;
      onStored(count);
    },
  );
  return stored;
}

/** The ids of rows in the order of `keys`, whatever order the engine returned them in. */
function idsByKey(keys: readonly string[], rows: readonly { id: number; key: string }[]): number[] {
  const ids = new Map(rows.map(({ id, key }) => [key, id]));
  return keys.map((key) => {
    const id = ids.get(key);
    if (id === undefined) throw new Error(`No row came back for ${key}`);
    return id;
  });
}

/** Adds the custom roles and returns the ids of all roles by name. */
async function insertRoles(tx: Transaction, plan: FirmPlan): Promise<ReadonlyMap<string, number>> {
  for (const { name, reach, capabilities } of plan.roles) {
    const { id } = await tx
      .insertInto('roles')
      .values({ ...nameColumns(name), system_key: null, reach, created_at: OPENING_MS })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (capabilities.length === 0) continue;
    await tx
      .insertInto('role_capabilities')
      .values(capabilities.map((capability) => ({ role_id: id, capability })))
      .execute();
  }
  const rows = await tx.selectFrom('roles').select(['id', 'name']).execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

async function insertClients(tx: Transaction, plan: FirmPlan): Promise<number[]> {
  const rows = await tx
    .insertInto('clients')
    .values(
      plan.clients.map((client) => ({
        ...nameColumns(client.name),
        address: client.address,
        phone: client.phone,
        email: client.email,
        federal_id: client.federalId,
        state_id: client.stateId,
        employee_count: client.employeeCount,
        start_date: client.startDate,
        other_names: JSON.stringify(client.otherNames ?? []),
        search_text: clientSearchText(client),
        created_at: client.createdAtMs,
      })),
    )
    .returning(['id', 'name_key as key'])
    .execute();
  return idsByKey(
    plan.clients.map((client) => foldKey(client.name)),
    rows,
  );
}

async function insertReportTypes(tx: Transaction, plan: FirmPlan): Promise<number[]> {
  const rows = await tx
    .insertInto('report_types')
    .values(plan.reportTypes.map((name) => ({ ...nameColumns(name), created_at: OPENING_MS })))
    .returning(['id', 'name_key as key'])
    .execute();
  return idsByKey(plan.reportTypes.map(foldKey), rows);
}

async function insertUsers(
  tx: Transaction,
  plan: FirmPlan,
  made: {
    roleIds: ReadonlyMap<string, number>;
    clientIds: readonly number[];
    reportTypeIds: readonly number[];
    passwordHash: string;
  },
): Promise<(number | null)[]> {
  const present = plan.users.filter((user) => !user.former);
  const rows = await tx
    .insertInto('users')
    .values(
      present.map((user) => {
        const roleId = made.roleIds.get(user.roleName);
        if (roleId === undefined) throw new Error(`No role is called ${user.roleName}`);
        return {
          ...userNameColumns(user),
          password_hash: made.passwordHash,
          role_id: roleId,
          created_at: user.createdAtMs,
        };
      }),
    )
    .returning(['id', 'username_key as key'])
    .execute();
  const ids = idsByKey(
    present.map((user) => foldKey(user.username)),
    rows,
  );
  const idOf = new Map(present.map((user, index) => [user, at(ids, index)]));
  const listed = present.map((user) => ({ user, id: idOf.get(user) ?? NONE }));
  await inChunks(
    listed.flatMap(({ user, id }) =>
      user.clientIndexes.map((index) => ({ user_id: id, client_id: at(made.clientIds, index) })),
    ),
    async (chunk) => {
      await tx.insertInto('user_clients').values(chunk).execute();
    },
  );
  await inChunks(
    listed.flatMap(({ user, id }) =>
      user.reportTypeIndexes.map((index) => ({ user_id: id, report_type_id: at(made.reportTypeIds, index) })),
    ),
    async (chunk) => {
      await tx.insertInto('user_report_types').values(chunk).execute();
    },
  );
  return plan.users.map((user) => idOf.get(user) ?? null);
}

async function insertFiles(
  tx: Transaction,
  plan: FirmPlan,
  documents: readonly StoredDocument[],
  made: MadeRows & { reportTypeIds: readonly number[] },
): Promise<number[]> {
  const openedAt = openedByClient(plan);
  const rows = plan.files.map((file, index) => {
    const document = at(documents, index);
    return {
      ...fileNameColumns(file.originalName),
      storage_key: document.storageKey,
      size_bytes: document.sizeBytes,
      sha256: document.sha256,
      content_type: document.contentType,
      file_type: file.fileType,
      document_type: file.documentType,
      client_id: at(made.clientIds, file.clientIndex),
      report_type_id:
        file.reportTypeName === null ? null : at(made.reportTypeIds, plan.reportTypes.indexOf(file.reportTypeName)),
      uploaded_by_id: at(made.userIds, file.uploaderIndex),
      uploader_name: at(plan.users, file.uploaderIndex).fullName,
      uploaded_at: file.uploadedAtMs,
      sent_by_client: at(plan.users, file.uploaderIndex).roleName === 'Client' ? (1 as const) : (0 as const),
      opened_by_client_at: openedAt.get(index) ?? null,
      ...periodColumns(proposePeriod(file.originalName), file.uploadedAtMs),
      idempotency_key: null,
    };
  });
  const blobs = rows.map(({ storage_key, size_bytes, sha256, uploaded_at }) => ({
    storage_key,
    size_bytes,
    sha256,
    state: 'live' as const,
    purpose: 'file' as const,
    created_at: uploaded_at,
  }));
  await inChunks(blobs, async (chunk) => {
    await tx.insertInto('blobs').values(chunk).execute();
  });
  const returned: { id: number; key: string }[] = [];
  await inChunks(rows, async (chunk) => {
    returned.push(...(await tx.insertInto('files').values(chunk).returning(['id', 'storage_key as key']).execute()));
  });

  return idsByKey(
    rows.map((row) => row.storage_key),
    returned,
  );
}

/** When people of its client last opened a file, by the index of the file: the log of the plan is in the order of time. */
function openedByClient(plan: FirmPlan): ReadonlyMap<number, number> {
  return new Map(
    plan.activity.flatMap((entry) => {
      const { fileIndex, userIndex, atMs } = entry;
      if (servedAt(entry) === null || fileIndex === null) return [];
      const isOfClient = at(plan.users, userIndex).roleName === 'Client';
      return isOfClient && at(plan.files, fileIndex).uploaderIndex !== userIndex ? [[fileIndex, atMs]] : [];
    }),
  );
}

async function insertExpectations(
  tx: Transaction,
  plan: FirmPlan,
  made: Pick<SeededFirm, 'clientIds' | 'reportTypeIds'>,
): Promise<void> {
  const rows = plan.expectations.map(({ clientIndex, reportTypeName, frequency, dueDays, starts }) => ({
    client_id: at(made.clientIds, clientIndex),
    report_type_id: at(made.reportTypeIds, plan.reportTypes.indexOf(reportTypeName)),
    frequency,
    due_days: dueDays,
    starts,
    phase: phaseOf(frequency, starts),
  }));
  await inChunks(rows, async (chunk) => {
    await tx.insertInto('expectations').values(chunk).execute();
  });
}

// The small firm with a row in every table, odd names and ids of deleted rows: everything a move has to copy.
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FileRow } from '#contract/files.ts';
import { enterBlob } from '../platform/blobs/blob-rows.ts';
import { tablesOf } from '../platform/db/tables.ts';
import { dump } from './dump.ts';
import { clientInput, type Firm, makeFirm } from './firm.ts';
import { insertRow } from './insert-row.ts';
import { goodRows } from './table-rows.ts';
import type { TestApp } from './test-app.ts';
import { insertTestBatch } from './test-batch.ts';
import { insertTestRequest } from './test-request.ts';

const ODD_NAMES = [
  'Zürich \u201c2026\u201d \u2013 Lohn \u{1f600}.txt',
  'O\'Brien {"a": [1]} $1 %s.csv',
  'e\u0301 and \u00e9, \u0130\u0131 \u00df.txt',
  '\u7d66\u4e0e\u660e\u7d30 \u05d7\u05e9\u05d1\u05d5\u05df.txt',
];

/** Longer than what a store reads at once. */
const LARGE_BYTES = 700_000;

export interface FullFirm extends Firm {
  /** What was uploaded last and deleted again. */
  readonly deletedFileId: number;
  readonly oddFiles: readonly FileRow[];
  readonly largeFile: FileRow;
  readonly largeBytes: Buffer;
}

export async function makeFullFirm(app: TestApp): Promise<FullFirm> {
  const firm = await makeFirm(app);
  const [clientId] = firm.clients;
  const upload = async (name: string, bytes: Uint8Array | string, replaces?: number) => {
    const { status, body } = await app.admin.upload<FileRow>({
      name,
      bytes,
      fields: {
        clientId,
        fileType: 'report',
        reportTypeId: firm.reportTypes[0],
        ...(replaces === undefined ? {} : { replaces }),
      },
    });
    if (status !== 201) throw new Error(`${name} was not taken: ${JSON.stringify(body)}`);
    return body;
  };
  await app.admin.put(
    `/api/clients/${firm.clients[2]}`,
    clientInput(`Caf\u00e9 \u201cD\u2019or\u201d \\ {"x"} \u{1f4bc}`),
  );
  const oddFiles = [];
  for (const name of ODD_NAMES) oddFiles.push(await upload(name, `bytes of ${name}`));
  const largeBytes = randomBytes(LARGE_BYTES);
  const largeFile = await upload('large.bin', largeBytes);
  // The one that was there first corrects the one that came last: their order is no matter.
  const said = await app.admin.put(`/api/files/${firm.files.f1.id}`, { corrects: largeFile.id });
  if (said.status !== 200) throw new Error('What a file corrects was not taken');
  await upload('final.txt', 'final', (await upload('draft.txt', 'draft')).id);
  const { id: deletedFileId } = await upload('gone.txt', 'gone');
  await app.admin.delete(`/api/files/${deletedFileId}`);
  await insertTestBatch(app, {
    ownerId: firm.users.cpa,
    state: 'review',
    documents: [{ from: 1, to: 4, state: 'accepted', clientId, reportTypeId: firm.reportTypes[0], period: '2026-Q1' }],
  });
  await fillEmptyTables(app, firm);
  return { ...firm, deletedFileId, oddFiles, largeFile, largeBytes };
}

/** Bytes that no row has claimed yet: of the original of a file, the one table of bytes that is empty by then. */
async function stageBlob({ context, database, now }: TestApp): Promise<string> {
  const bytes = Buffer.from('bytes as they were dropped');
  const staged = await context.services.blobs.stage(Readable.from([bytes]), { maxBytes: bytes.length });
  const storageKey = await staged.publish();
  await database.transaction((tx) => enterBlob(tx, { ...staged, storageKey }, { purpose: 'batch', at: now() }));
  return storageKey;
}

async function fillEmptyTables(app: TestApp, firm: Firm): Promise<void> {
  const { database } = app;
  const blobs = [await stageBlob(app)];
  const { id: session } = await database.reader.selectFrom('sessions').select('id').executeTakeFirstOrThrow();
  const { id: trash } = await database.reader.selectFrom('trash').select('id').executeTakeFirstOrThrow();
  const batchFile = await database.reader
    .selectFrom('batch_files')
    .select(['id', 'batch_id'])
    .executeTakeFirstOrThrow();
  const { id: request, itemIds } = await insertTestRequest(app, { clientId: firm.clients[0] });
  const rows: Readonly<Record<string, () => Record<string, unknown>>> = goodRows({
    role: firm.roles.bookkeeper,
    user: firm.users.listless,
    client: firm.clients[0],
    type: firm.reportTypes[0],
    file: firm.files.f1.id,
    session,
    trash,
    batch: batchFile.batch_id,
    batchFile: batchFile.id,
    request,
    requestItem: itemIds[0],
    // The first of a firm that has none.
    disposal: 1,
    claimableBlob: () => {
      const storageKey = blobs.pop();
      if (storageKey === undefined) throw new Error('Files and batches are there already');
      return storageKey;
    },
  });
  for (const { name } of await tablesOf(database.reader, database.kind)) {
    const some = await database.reader.selectFrom(name).selectAll().limit(1).execute();
    const row = rows[name];
    if (some.length > 0 || row === undefined) continue;
    await database.transaction((tx) => insertRow(tx, name, row()));
  }
}

/** The data of a firm, the same on both engines: rows by table, without what an engine maintains for itself. */
export async function firmRows(database: TestApp['database']): Promise<Record<string, string[]>> {
  const all = await dump(database);
  const rows: Record<string, string[]> = {};
  for (const { name } of await tablesOf(database.reader, database.kind)) {
    rows[name] = (all[name] ?? [])
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      // A counter that has come down to nothing means the same as none.
      .filter((row) => name !== 'file_counts' || row['n'] !== 0)
      .map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))
      .sort();
  }
  return rows;
}

/** Rows of `files` without when they last came to other people, which a restore may change (`server/files/came.ts`). */
export const apartFromComing = (rows: readonly string[] = []) =>
  rows
    .map((row) => (JSON.parse(row) as [string, unknown][]).filter(([name]) => !name.startsWith('came_')))
    .map((row) => JSON.stringify(row))
    .sort();

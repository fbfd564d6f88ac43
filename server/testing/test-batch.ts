// A batch as it is after its files were read, without the jobs that read and release it, for tests of those who work on one.
import { Readable } from 'node:stream';
import type { BatchState, DocumentState } from '#contract/batch-words.ts';
import { NO_PROPOSAL, type StoredProposal } from '../batches/document-rows.ts';
import { enterBlob } from '../platform/blobs/blob-rows.ts';
import { printFile } from './print-file.ts';
import type { TestApp } from './test-app.ts';

export interface TestDocument {
  readonly from: number;
  readonly to: number;
  readonly state: DocumentState;
  readonly clientId?: number;
  readonly reportTypeId?: number;
  readonly period?: string;
  readonly releasedFileId?: number;
  readonly proposal?: Partial<StoredProposal>;
}

export interface TestBatch {
  readonly ownerId: number;
  readonly state: BatchState;
  readonly name?: string;
  readonly fileName?: string;
  readonly bytes?: Uint8Array | string;
  readonly contentType?: string;
  /** Its file asks for a password. */
  readonly locked?: boolean;
  /** Of the file. */
  readonly pages?: number;
  readonly documents?: readonly TestDocument[];
}

/** What makes a file one that asks for `password`. */
export async function lockedFile(password: string): Promise<Partial<TestBatch>> {
  const bytes = await printFile({ pages: 1, password });
  return { fileName: 'locked.pdf', contentType: 'application/pdf', locked: true, bytes };
}

export interface InsertedBatch {
  readonly id: number;
  readonly fileId: number;
  readonly documentIds: readonly number[];
}

/** One with one file; it has another content in each. What is accepted in it, its owner accepted. */
export async function insertTestBatch(
  { context, database, now }: TestApp,
  {
    ownerId,
    state,
    name = 'Pay run',
    fileName = 'payrun.txt',
    bytes = `A print file of ${Math.random()}`,
    contentType = 'text/plain',
    locked = false,
    pages = 4,
    documents = [],
  }: TestBatch,
): Promise<InsertedBatch> {
  const at = now();
  const content = Buffer.from(bytes);
  const staged = await context.services.blobs.stage(Readable.from([content]), { maxBytes: content.length });
  const storageKey = await staged.publish();
  return database.transaction(async (tx) => {
    await enterBlob(tx, { ...staged, storageKey }, { purpose: 'batch', at });
    const { id } = await tx
      .insertInto('batches')
      .values({ name, owner_id: ownerId, owner_name: 'Somebody', state, created_at: at })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id: fileId } = await tx
      .insertInto('batch_files')
      .values({
        batch_id: id,
        name: fileName,
        content_type: contentType,
        size_bytes: staged.sizeBytes,
        sha256: staged.sha256,
        storage_key: storageKey,
        state: locked ? 'unreadable' : state === 'adding' ? 'waiting' : 'read',
        unreadable: locked ? 'password' : null,
        pages: locked || state === 'adding' ? null : pages,
        created_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const documentIds: number[] = [];
    for (const document of documents) {
      const row = await tx
        .insertInto('batch_documents')
        .values({
          batch_id: id,
          batch_file_id: fileId,
          from_page: document.from,
          to_page: document.to,
          state: document.state,
          client_id: document.clientId ?? null,
          report_type_id: document.reportTypeId ?? null,
          period: document.period ?? null,
          correction: 0,
          proposal: JSON.stringify({ ...NO_PROPOSAL, ...document.proposal }),
          accepted_by_id: document.state === 'accepted' || document.state === 'releasing' ? ownerId : null,
          releasing_by_id: document.state === 'releasing' ? ownerId : null,
          released_file_id: document.releasedFileId ?? null,
          version: 1,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      documentIds.push(row.id);
    }
    return { id, fileId, documentIds };
  });
}

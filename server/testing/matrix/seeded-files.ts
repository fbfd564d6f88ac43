// Files in the firm of the table of rights, entered past the API: one for each call that changes what it is about.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { fileNameColumns, periodColumns } from '../../files/file-columns.ts';
import { trashFile } from '../../files/trash/trashed-files.ts';
import { enterBlob } from '../../platform/blobs/blob-rows.ts';
import type { RightsFirm } from './rights-firm.ts';
import type { ViewerName } from './viewers.ts';

export function seededFiles({ app, bystander, clients, kind, types, userIds }: RightsFirm) {
  /** Enters a file without bytes, past the API. */
  function seedFile(file: { client: number; type?: number; document?: boolean; by: number }): Promise<number> {
    const fileType = file.document ? 'company_document' : 'report';
    const reportTypeId = file.type ?? null;
    const blob = { storageKey: randomBytes(16).toString('hex'), sizeBytes: 4, sha256: '0'.repeat(64) };
    return app.database.transaction(async (tx) => {
      await enterBlob(tx, blob, { purpose: 'file', at: Date.now() });
      const { id } = await tx
        .insertInto('files')
        .values({
          ...fileNameColumns('seeded.txt'),
          storage_key: blob.storageKey,
          size_bytes: blob.sizeBytes,
          sha256: blob.sha256,
          content_type: 'text/plain',
          file_type: fileType,
          document_type: null,
          client_id: file.client,
          report_type_id: reportTypeId,
          uploaded_by_id: file.by === 0 ? null : file.by,
          uploader_name: 'Somebody',
          uploaded_at: Date.now(),
          ...periodColumns(null, Date.now()),
          idempotency_key: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    });
  }

  const fileIn =
    (file: () => Omit<Parameters<typeof seedFile>[0], 'by'>, by: 'own' | 'another') => (viewer: ViewerName) =>
      seedFile({ ...file(), by: by === 'own' ? userIds[viewer] : bystander.id });
  /** Puts a file into the trash as `deleterId` would have, past the API. */
  const aTrashedFile =
    (file: () => Omit<Parameters<typeof seedFile>[0], 'by'>, by: 'own' | 'another', deleterId: number) =>
    async (viewer: ViewerName) => {
      const id = await fileIn(file, by)(viewer);
      await app.database.transaction((tx) =>
        trashFile({ db: tx, engine: kind }, id, sql`1 = 1`, deletionAs(deleterId)),
      );
      return id;
    };
  const nearReport = () => ({ client: clients.near, type: types.known });
  const nearUntyped = () => ({ client: clients.near });
  const nearDocument = () => ({ client: clients.near, document: true });
  const nearOtherType = () => ({ client: clients.near, type: types.other });
  const farReport = () => ({ client: clients.far, type: types.known });
  const farDocument = () => ({ client: clients.far, document: true });

  return {
    seedFile,
    fileIn,
    aTrashedFile,
    nearReport,
    nearUntyped,
    nearDocument,
    nearOtherType,
    farReport,
    farDocument,
  };
}

/** As whom and when something went into the trash. */
export const deletionAs = (id: number) => ({ at: Date.now(), trashDays: 30, by: { id, fullName: 'Somebody' } });

// Batches over HTTP: filled, read, reviewed, released, recalled.

import { Readable } from 'node:stream';
import { removeReleased } from '../api/remove-released.ts';
import type { Handlers } from '../api/route.ts';
import { sendDocument } from '../api/send-document.ts';
import type { Config } from '../config.ts';
import type { FirmFace } from '../people/access/firm-settings.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import { cleanFileName } from '../platform/blobs/clean-file-name.ts';
import type { Clock, Now } from '../platform/clock.ts';
import { jsonPieces } from '../platform/http/json-pieces.ts';
import type { JobOrders } from '../platform/jobs/kinds.ts';
import { findDetails } from './batch-files.repo.ts';
import { assertBatch, createBatch, discardBatch, listBatches, readBatch, releaseBatch } from './batches.repo.ts';
import { readCertificate, recordCertificate } from './certificate/certificate.repo.ts';
import { CertificatePress } from './certificate/certificate-press.ts';
import { decide } from './document-decisions.repo.ts';
import { join, split } from './document-pages.repo.ts';
import { listDocuments } from './documents.repo.ts';
import { GuessPace } from './guess-pace.ts';
import type { BatchJobs } from './jobs.ts';
import { tellLeftOut } from './left-out.repo.ts';
import { OpenFile } from './open-file.ts';
import { listAccesses, recall } from './recall.repo.ts';
import { receiveBatchFile } from './receive-file.ts';
import { unlockFile } from './unlock-file.ts';

export function batchRoutes(
  services: Now & {
    readonly config: Config;
    readonly clock: Clock;
    readonly blobs: BlobStore;
    readonly face: FirmFace;
    readonly jobs: JobOrders<BatchJobs>;
  },
): Handlers<'batches'> {
  const { blobs, now, face } = services;
  const pace = new GuessPace(now);
  const press = new CertificatePress();
  const opened = new OpenFile(services);
  return {
    'batches.list': ({ read, input }) => listBatches(read, input.query),

    'batches.create': ({ input, change }) =>
      change((scope) => createBatch(scope, scope.authorize('batches.use'), input.body.name, now())),

    'batches.get': ({ read, input }) => findDetails(read, input.params.id),

    'batches.add-file': (call) => receiveBatchFile(call, services),

    'batches.leave-out': ({ input, change }) =>
      change((scope) => tellLeftOut(scope, scope.authorize('batches.use'), input.params.id, input.body)),

    'batches.unlock-file': (call) => unlockFile(call, services, pace),

    'batches.read': ({ input, change }) =>
      change((scope) => readBatch(scope, scope.authorize('batches.use'), input.params.id, services)),

    'batches.documents': async ({ read, input }) => {
      await assertBatch(read, input.params.id);
      return listDocuments(read, input.params.id, input.query);
    },

    'batches.decide': ({ input, change }) =>
      change((scope) => decide(scope, scope.authorize('batches.use'), input.params.id, input.body, now())),

    'batches.split': ({ input, change }) =>
      change((scope) => split(scope, scope.authorize('batches.use'), input.params.id, input.body)),

    'batches.join': ({ input, change }) =>
      change((scope) => join(scope, scope.authorize('batches.use'), input.params.id, input.body.documentId)),

    'batches.open-file': (call) => opened.answer(call),

    'batches.release': ({ input, change }) =>
      change((scope) =>
        releaseBatch(scope, scope.authorize('batches.release'), input.params.id, input.body.ids, services),
      ),

    'batches.recall': async ({ read, input, change }) => {
      const { id } = input.params;
      const { documents, ...done } = await change((scope) =>
        recall(scope, scope.authorize('batches.recall'), id, input.body, services),
      );
      return { ...done, accesses: await listAccesses(read, id, documents) };
    },

    'batches.accesses': async ({ read, input }) => {
      await assertBatch(read, input.params.id);
      const rows = await listAccesses(read, input.params.id);
      return { rows, total: rows.length };
    },

    'batches.certificate': async ({ read, change, reply, input }) => {
      const at = now();
      const { name: firmName } = await face.get();
      const certificate = await readCertificate(read, input.params.id, { firmName, at });
      const [content, contentType, extension] =
        input.query.format === 'json'
          ? ([jsonPieces(certificate), 'application/json; charset=utf-8', 'json'] as const)
          : ([[Buffer.from(await press.pdfOf(certificate))], 'application/pdf', 'pdf'] as const);
      await change((scope) => recordCertificate(scope, scope.authorize('batches.use'), certificate.batchName, at));
      // Batches are called after files.
      const batchName = certificate.batchName.replace(/\.[a-z][a-z0-9]{1,3}$/i, '');
      const fileName = cleanFileName(`Certificate of ${batchName}.${extension}`);
      sendDocument(reply, { contentType, fileName, content: Readable.from(content) });
    },

    'batches.discard': async ({ request, input, change }) => {
      const keys = await change((scope) =>
        discardBatch(scope, scope.authorize('batches.discard'), input.params.id, now()),
      );
      await removeReleased(request, blobs, keys);
    },
  };
}

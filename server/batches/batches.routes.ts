// Batches over HTTP: filled, read, reviewed, released, recalled.

import { Readable } from 'node:stream';
import { leftForSweep } from '../api/left-for-sweep.ts';
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
import {
  createBatch,
  decideDocuments,
  discardBatch,
  joinDocument,
  leaveOut,
  noteCertificateTaken,
  readBatch,
  recallDocuments,
  releaseBatch,
  splitDocument,
  stopRelease,
} from './batches.acts.ts';
import { assertBatch, listBatches } from './batches.repo.ts';
import { readCertificate } from './certificate/certificate.repo.ts';
import { CertificatePress } from './certificate/certificate-press.ts';
import { listDocuments } from './documents.repo.ts';
import { GuessPace } from './guess-pace.ts';
import type { BatchJobs } from './jobs.ts';
import { OpenFile } from './open-file.ts';
import { listAccesses } from './recall.repo.ts';
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

    'batches.create': ({ principal, input }) => createBatch(principal, input.body.name, services),

    'batches.get': ({ read, input }) => findDetails(read, input.params.id),

    'batches.add-file': (call) => receiveBatchFile(call, services),

    'batches.leave-out': ({ principal, input }) => leaveOut(principal, input.params.id, input.body),

    'batches.unlock-file': ({ principal, input }) =>
      unlockFile(principal, { batchId: input.params.id, ...input.body }, services, pace),

    'batches.read': ({ principal, input }) => readBatch(principal, input.params.id, services),

    'batches.documents': async ({ read, input }) => {
      await assertBatch(read, input.params.id);
      return listDocuments(read, input.params.id, input.query);
    },

    'batches.decide': ({ principal, input }) => decideDocuments(principal, input.params.id, input.body, services),

    'batches.split': ({ principal, input }) => splitDocument(principal, input.params.id, input.body),

    'batches.join': ({ principal, input }) => joinDocument(principal, input.params.id, input.body),

    'batches.open-file': (call) => opened.answer(call),

    'batches.release': ({ principal, input }) => releaseBatch(principal, input.params.id, input.body.ids, services),

    'batches.stop': ({ principal, input }) => stopRelease(principal, input.params.id, services),

    'batches.recall': ({ principal, input }) => recallDocuments(principal, input.params.id, input.body, services),

    'batches.accesses': async ({ read, input }) => {
      await assertBatch(read, input.params.id);
      const rows = await listAccesses(read, input.params.id);
      return { rows, total: rows.length };
    },

    'batches.certificate': async ({ read, principal, reply, input }) => {
      const at = now();
      const { name: firmName } = await face.get();
      const certificate = await readCertificate(read, input.params.id, { firmName, at });
      const [content, contentType, extension] =
        input.query.format === 'json'
          ? ([jsonPieces(certificate), 'application/json; charset=utf-8', 'json'] as const)
          : ([[Buffer.from(await press.pdfOf(certificate))], 'application/pdf', 'pdf'] as const);
      await noteCertificateTaken(principal, { batchName: certificate.batchName, at });
      // Batches are called after files.
      const batchName = certificate.batchName.replace(/\.[a-z][a-z0-9]{1,3}$/i, '');
      const fileName = cleanFileName(`Certificate of ${batchName}.${extension}`);
      sendDocument(reply, { contentType, fileName, content: Readable.from(content) });
    },

    'batches.discard': ({ principal, input, request }) =>
      discardBatch(principal, input.params.id, { blobs, now, onLeft: leftForSweep(request) }),
  };
}

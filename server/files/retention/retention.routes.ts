// Retention over HTTP: years, what is due, and the certificates of what was disposed of.

import { Readable } from 'node:stream';
import { disposalCertificateDetails } from '#contract/activity-words.ts';
import type { Proof } from '#contract/policy.ts';
import type { Handlers } from '../../api/route.ts';
import { sendDocument } from '../../api/send-document.ts';
import { record } from '../../audit/record.ts';
import type { WriteScope } from '../../people/access/scope.ts';
import type { Now } from '../../platform/clock.ts';
import { csvChunks } from '../../platform/csv.ts';
import { jsonPieces } from '../../platform/http/json-pieces.ts';
import type { JobOrders } from '../../platform/jobs/kinds.ts';
import type { FileJobs } from '../jobs.ts';
import { disposalPdf } from './disposal-pdf.ts';
import {
  decideRest,
  findOrdered,
  listDisposals,
  listDue,
  orderDisposal,
  readCertificate,
  readRules,
  saveRule,
} from './retention.repo.ts';

const HEADER = [
  'File ID',
  'File Name',
  'Client',
  'Type',
  'Period',
  'Size (bytes)',
  'SHA-256',
  'Uploaded',
  'Due On',
  'Rule',
  'Outcome',
  'Reason',
  'Decided',
  'Ordered By',
] as const;

export function retentionRoutes({ jobs, now }: Now & { readonly jobs: JobOrders<FileJobs> }): Handlers<'retention'> {
  /** Before the first byte leaves. */
  const noted = (scope: WriteScope, id: number) => {
    const proof: Proof = scope.authorize('retention.read');
    return record(scope, proof, { action: 'download', details: disposalCertificateDetails(id) }, now());
  };
  return {
    'retention.list': ({ read, input }) => {
      read.authorize('retention.read');
      return listDue(read, input.query, now());
    },

    'retention.rules': ({ read }) => {
      read.authorize('retention.read');
      return readRules(read);
    },

    'retention.save-rule': ({ input, change }) =>
      change((scope) => saveRule(scope, scope.authorize('retention.manage'), input.body, now())),

    'retention.dispose': async ({ read, input, change }) => {
      const { expected } = input.body;
      read.authorize('retention.manage');
      const ids = await findOrdered(read, input.body, now());
      return change((scope) =>
        orderDisposal(scope, scope.authorize('retention.manage'), { ids, expected }, { jobs, now }),
      );
    },

    'retention.disposals': ({ read, input }) => {
      read.authorize('retention.read');
      return listDisposals(read, input.query);
    },

    'retention.decide-rest': ({ input, change }) =>
      change((scope) =>
        decideRest(scope, scope.authorize('retention.manage'), { ...input.params, ...input.body }, { jobs, now }),
      ),

    'retention.certificate': async ({ read, change, reply, input }) => {
      read.authorize('retention.read');
      const certificate = await readCertificate(read, input.params.id, now());
      const [content, contentType, extension] =
        input.query.format === 'json'
          ? ([jsonPieces(certificate), 'application/json; charset=utf-8', 'json'] as const)
          : ([[Buffer.from(await disposalPdf(certificate))], 'application/pdf', 'pdf'] as const);
      await change((scope) => noted(scope, certificate.id));
      const fileName = `Certificate of disposal ${certificate.id}.${extension}`;
      sendDocument(reply, { contentType, fileName, content: Readable.from(content) });
    },

    'retention.export': async ({ read, change, reply, input }) => {
      read.authorize('retention.read');
      const { id, orderedByName, files } = await readCertificate(read, input.params.id, now());
      await change((scope) => noted(scope, id));
      const rows = files.map((file) => [
        file.fileId,
        file.name,
        file.clientName,
        file.typeName,
        file.period,
        file.size,
        file.sha256,
        file.uploadedAt,
        file.dueOn,
        file.rule,
        file.outcome,
        file.reason,
        file.decidedAt,
        orderedByName,
      ]);
      sendDocument(reply, {
        contentType: 'text/csv; charset=utf-8',
        fileName: `Certificate of disposal ${id}.csv`,
        content: Readable.from(csvChunks(HEADER, [rows])),
      });
    },
  };
}

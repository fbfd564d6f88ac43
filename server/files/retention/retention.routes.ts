// Retention over HTTP: years, what is due, and the certificates of what was disposed of.

import { Readable } from 'node:stream';
import { expectedVersions } from '../../api/if-match.ts';
import type { Handlers } from '../../api/route.ts';
import { sendDocument } from '../../api/send-document.ts';
import type { FirmFace } from '../../people/access/firm-settings.ts';
import type { Now } from '../../platform/clock.ts';
import { csvChunks } from '../../platform/csv.ts';
import { jsonPieces } from '../../platform/http/json-pieces.ts';
import type { JobOrders } from '../../platform/jobs/kinds.ts';
import type { FileJobs } from '../jobs.ts';
import { disposalPdf } from './disposal-pdf.ts';
import { changeRetentionRule, decideDisposal, disposeFiles, noteCertificateTaken } from './retention.acts.ts';
import { listDisposals, listDue, readCertificate } from './retention.repo.ts';
import { readRules } from './rules.repo.ts';

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

export function retentionRoutes(
  services: Now & { readonly jobs: JobOrders<FileJobs>; readonly face: Pick<FirmFace, 'get'> },
): Handlers<'retention'> {
  const { now, face } = services;
  const certificateOf = async (read: Parameters<typeof readCertificate>[0], id: number) => {
    const { name: firmName } = await face.get();
    return readCertificate(read, id, { firmName, at: now() });
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

    'retention.save-rule': ({ principal, input, request }) =>
      changeRetentionRule(principal, { ...input.body, expected: expectedVersions(request) }, services),

    'retention.dispose': ({ principal, input }) => disposeFiles(principal, input.body, services),

    'retention.disposals': ({ read, input }) => {
      read.authorize('retention.read');
      return listDisposals(read, input.query);
    },

    'retention.decide-rest': ({ principal, input }) =>
      decideDisposal(principal, { ...input.params, ...input.body }, services),

    'retention.certificate': async ({ read, principal, reply, input }) => {
      read.authorize('retention.read');
      const certificate = await certificateOf(read, input.params.id);
      const [content, contentType, extension] =
        input.query.format === 'json'
          ? ([jsonPieces(certificate), 'application/json; charset=utf-8', 'json'] as const)
          : ([[Buffer.from(await disposalPdf(certificate))], 'application/pdf', 'pdf'] as const);
      await noteCertificateTaken(principal, certificate.id, services);
      const fileName = `Certificate of disposal ${certificate.id}.${extension}`;
      sendDocument(reply, { contentType, fileName, content: Readable.from(content) });
    },

    'retention.export': async ({ read, principal, reply, input }) => {
      read.authorize('retention.read');
      const { id, orderedByName, files } = await certificateOf(read, input.params.id);
      await noteCertificateTaken(principal, id, services);
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

// A batch's certificate as a document to be kept: what it says, in which order and in which words.
import type { BatchCertificate, CertifiedDocument } from '#contract/batch-certificate.ts';
import { periodName } from '#contract/period.ts';
import { counted, inFigures } from '#contract/plain-words.ts';
import { utcMoment } from '../../platform/instant.ts';
import { INDENTED, PdfSheet } from '../../platform/pdf-sheet.ts';

const bytes = (size: number | null) =>
  size === null ? 'size not known any more' : `${size.toLocaleString('en-US')} bytes`;
const type = (name: string | null) => name ?? 'a report type that was deleted';

const HEADING = { size: 12, bold: true } as const;

export async function certificatePdf(certificate: BatchCertificate): Promise<Uint8Array> {
  const { batchName, firmName, madeAt, madeForName } = certificate;
  const title = `Certificate of release: ${batchName}`;
  const sheet = await PdfSheet.open({ title, at: Date.parse(madeAt) });
  sheet.line(firmName);
  sheet.space(6);
  sheet.line('Certificate of release', { size: 18, bold: true });
  sheet.space(4);
  sheet.line(batchName, HEADING);
  sheet.space(6);
  for (const said of factsOf(certificate)) sheet.line(said);
  sheet.heading('Released, by client and report type');
  if (certificate.counts.length === 0) sheet.line('Nothing of it is released now.');
  for (const { clientName, reportTypeName, documents } of certificate.counts) {
    sheet.line(`${counted(documents, 'document')}: ${clientName}, ${type(reportTypeName)}`, INDENTED);
  }
  await sheet.each('Documents', certificate.documents, (document) => drawDocument(sheet, document));
  await sheet.each('Files they were taken from', certificate.originals, ({ name, size, sha256, pages }) => {
    sheet.keep(3);
    sheet.line(name, { bold: true });
    sheet.line([...(pages === null ? [] : [counted(pages, 'page')]), bytes(size)].join(', '), INDENTED);
    sheet.line(`SHA-256 ${sha256}`, INDENTED);
  });
  // What is recalled now says so at its document.
  const told = new Set(certificate.documents.flatMap(({ recall, fileId }) => (recall === null ? [] : [fileId])));
  const others = certificate.recalls.filter(({ fileId }) => !told.has(fileId));
  await sheet.each(
    'Recalled before, and released or under review again',
    others,
    ({ fileId, fileName, clientName, at, byName, reason }) => {
      sheet.keep(3);
      sheet.line(`${fileName} (file ${fileId})`, { bold: true });
      sheet.line(`Taken from ${clientName} by ${byName}, ${utcMoment(at)}`, INDENTED);
      sheet.line(`Reason: ${reason}`, INDENTED);
    },
  );
  return sheet.bytes(`Certificate of release, made ${utcMoment(madeAt)} for ${madeForName}`);
}

function* factsOf(certificate: BatchCertificate): Generator<string> {
  const { batchId, ownerName, madeAt, madeForName, leftOut, released, recalled, documents } = certificate;
  const restored = documents.filter((document) => document.restored).length;
  yield `Batch ${batchId}, begun by ${ownerName}.`;
  yield `Made ${utcMoment(madeAt)} for ${madeForName}.`;
  yield `${counted(released, 'document')} released${recalled === 0 ? '' : `, ${inFigures(recalled)} recalled since`}.`;
  if (restored > 0) yield `Of these, ${inFigures(restored)} restored from the trash after the recall.`;
  if (leftOut > 0) {
    yield `This is as far as ${madeForName} may see: ${counted(leftOut, 'document')} of other clients or report types ${leftOut === 1 ? 'is' : 'are'} left out.`;
  }
  yield 'Letters that this document cannot show are without their accents, or a question mark. The same as JSON has every name as it is.';
}

function pagesOf({ fromPage, toPage, originalName }: CertifiedDocument): string {
  if (fromPage === 0) return `The whole of ${originalName}`;
  return `${fromPage === toPage ? `Page ${fromPage}` : `Pages ${fromPage} to ${toPage}`} of ${originalName}`;
}

function drawDocument(sheet: PdfSheet, document: CertifiedDocument): void {
  const { fileName, fileId, clientName, reportTypeName, period, size, sha256, state } = document;
  const { releasedAt, releasedByName, reviewedByName, recall } = document;
  sheet.keep(8);
  sheet.line(fileName, { bold: true });
  const when = period === null ? '' : `, ${periodName(period, (day) => day)}`;
  sheet.line(`${clientName}, ${type(reportTypeName)}${when}`, INDENTED);
  sheet.line(`${pagesOf(document)}; ${bytes(size)}; file ${fileId}`, INDENTED);
  sheet.line(sha256 === null ? 'Its bytes were purged from the trash' : `SHA-256 ${sha256}`, INDENTED);
  const released = releasedAt === null ? 'Released' : `Released ${utcMoment(releasedAt)}`;
  const by = releasedByName === null ? '' : ` by ${releasedByName}`;
  const reviewed = reviewedByName === null ? '' : `, reviewed by ${reviewedByName}`;
  sheet.line(`${released}${by}${reviewed}${state === 'recalled' ? '; recalled since' : ''}`, INDENTED);
  if (recall === null) return;
  sheet.line(`Recalled ${utcMoment(recall.at)} by ${recall.byName}`, INDENTED);
  sheet.line(`Reason: ${recall.reason}`, INDENTED);
  if (document.restored) sheet.line('Restored from the trash after that: it is in the lists again', INDENTED);
}

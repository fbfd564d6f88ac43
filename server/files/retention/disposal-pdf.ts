// A certificate of disposal as a document to be kept: what it says, in which order and in which words.
import { periodName } from '#contract/period.ts';
import { counted, inFigures } from '#contract/plain-words.ts';
import type { DisposalCertificate, DisposedFile } from '#contract/retention.ts';
import { LATE_PAYMENT } from '#contract/retention-words.ts';
import { utcMoment } from '../../platform/instant.ts';
import { INDENTED, PdfSheet } from '../../platform/pdf-sheet.ts';

export async function disposalPdf(certificate: DisposalCertificate): Promise<Uint8Array> {
  const { id, firmName, orderedByName, orderedAt, endedAt, files } = certificate;
  const { purged, left, waiting, madeAt, madeForName } = certificate;
  const sheet = await PdfSheet.open({ title: `Certificate of disposal ${id}`, at: Date.parse(madeAt) });
  sheet.line(firmName);
  sheet.space(6);
  sheet.line('Certificate of disposal', { size: 18, bold: true });
  sheet.space(6);
  sheet.line(`Disposal ${id}, ordered by ${orderedByName}, ${utcMoment(orderedAt)}.`);
  sheet.line(
    endedAt === null ? `${counted(waiting, 'file')} still to be decided about.` : `Ended ${utcMoment(endedAt)}.`,
  );
  sheet.line(`${counted(purged, 'file')} disposed of, ${inFigures(left)} left.`);
  sheet.line(`Made ${utcMoment(madeAt)} for ${madeForName}.`);
  sheet.line(LATE_PAYMENT);
  sheet.line(
    'Letters that this document cannot show are without their accents, or a question mark. The same as CSV has every name as it is.',
  );
  const drawn = { purged: 'Disposed of', left: 'Left where they are', waiting: 'Not decided about yet' } as const;
  for (const [outcome, title] of Object.entries(drawn)) {
    const some = files.filter((file) => file.outcome === outcome);
    await sheet.each(title, some, (file) => drawFile(sheet, file));
  }
  return sheet.bytes(`Certificate of disposal ${id}, made ${utcMoment(madeAt)} for ${madeForName}`);
}

function drawFile(sheet: PdfSheet, file: DisposedFile): void {
  const { fileId, name, clientName, typeName, period, size, sha256, uploadedAt, dueOn, rule, reason, decidedAt } = file;
  sheet.keep(7);
  sheet.line(`${name} (file ${fileId})`, { bold: true });
  const type = typeName === '' ? 'without a type' : typeName;
  const when = period === null ? '' : `, ${periodName(period, (day) => day)}`;
  sheet.line(`${clientName}, ${type}${when}`, INDENTED);
  sheet.line(`Uploaded ${utcMoment(uploadedAt)}; ${size.toLocaleString('en-US')} bytes`, INDENTED);
  sheet.line(`SHA-256 ${sha256}`, INDENTED);
  sheet.line(`Due ${dueOn}: ${rule}`, INDENTED);
  if (decidedAt === null) return;
  sheet.line(reason === null ? `Purged ${utcMoment(decidedAt)}` : `Left ${utcMoment(decidedAt)}: ${reason}`, INDENTED);
}

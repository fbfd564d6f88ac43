// A certificate of disposal as a document to be kept: what it says, in which order and in which words.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { periodName } from '#contract/period.ts';
import { counted, inFigures } from '#contract/plain-words.ts';
import type { DisposalCertificate, DisposedFile } from '#contract/retention.ts';
import { LATE_PAYMENT } from '#contract/retention-words.ts';
import { PdfSheet } from '../../platform/pdf-sheet.ts';

const moment = (at: string) => `${at.slice(0, 19).replace('T', ' ')} UTC`;

const INDENTED = { indent: 12 } as const;
/** Drawing a file takes some 50 µs: others wait a few milliseconds at most. */
const DRAWN_AT_ONCE = 40;

export async function disposalPdf(certificate: DisposalCertificate): Promise<Uint8Array> {
  const { id, firmName, orderedByName, orderedAt, endedAt, files } = certificate;
  const { purged, left, waiting, madeAt, madeForName } = certificate;
  const sheet = await PdfSheet.open({ title: `Certificate of disposal ${id}`, at: Date.parse(madeAt) });
  sheet.line(firmName);
  sheet.space(6);
  sheet.line('Certificate of disposal', { size: 18, bold: true });
  sheet.space(6);
  sheet.line(`Disposal ${id}, ordered by ${orderedByName}, ${moment(orderedAt)}.`);
  sheet.line(endedAt === null ? `${counted(waiting, 'file')} still to be decided about.` : `Ended ${moment(endedAt)}.`);
  sheet.line(`${counted(purged, 'file')} disposed of, ${inFigures(left)} left.`);
  sheet.line(`Made ${moment(madeAt)} for ${madeForName}.`);
  sheet.line(LATE_PAYMENT);
  sheet.line(
    'Letters that this document cannot show are without their accents, or a question mark. The same as CSV has every name as it is.',
  );
  const drawn = { purged: 'Disposed of', left: 'Left where they are', waiting: 'Not decided about yet' } as const;
  for (const [outcome, title] of Object.entries(drawn)) {
    await drawEach(
      sheet,
      title,
      files.filter((file) => file.outcome === outcome),
    );
  }
  return sheet.bytes(`Certificate of disposal ${id}, made ${moment(madeAt)} for ${madeForName}`);
}

async function drawEach(sheet: PdfSheet, title: string, files: readonly DisposedFile[]): Promise<void> {
  if (files.length === 0) return;
  sheet.heading(title);
  for (const [index, file] of files.entries()) {
    if (index % DRAWN_AT_ONCE === DRAWN_AT_ONCE - 1) await nextTurn();
    drawFile(sheet, file);
    sheet.space(5);
  }
}

function drawFile(sheet: PdfSheet, file: DisposedFile): void {
  const { fileId, name, clientName, typeName, period, size, sha256, uploadedAt, dueOn, rule, reason, decidedAt } = file;
  sheet.keep(7);
  sheet.line(`${name} (file ${fileId})`, { bold: true });
  const type = typeName === '' ? 'without a type' : typeName;
  const when = period === null ? '' : `, ${periodName(period, (day) => day)}`;
  sheet.line(`${clientName}, ${type}${when}`, INDENTED);
  sheet.line(`Uploaded ${moment(uploadedAt)}; ${size.toLocaleString('en-US')} bytes`, INDENTED);
  sheet.line(`SHA-256 ${sha256}`, INDENTED);
  sheet.line(`Due ${dueOn}: ${rule}`, INDENTED);
  if (decidedAt === null) return;
  sheet.line(reason === null ? `Purged ${moment(decidedAt)}` : `Left ${moment(decidedAt)}: ${reason}`, INDENTED);
}

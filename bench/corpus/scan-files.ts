// The corpus as scans: each file a PDF of pictures that lie one way and another, read back with recognition by the readers of the batches.
import { degrees, PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { readBatchFile } from '#server/batches/batch-reading.ts';
import type { PageText } from '#server/batches/reading/page-text.ts';
import type { ReadFile } from '#server/batches/recognition/proposal.ts';
import { pngOf } from '#server/testing/bitmap-page.ts';
import { createRandom, type Random } from '../../demo/random.ts';
import { type Corpus, makeCorpus } from './corpus.ts';
import { scanned } from './scanner.ts';

/** How a sheet came: askew by one to two degrees, on their side, head down, or by fax, which leaves a line of text over each picture. */
const WAYS = ['askew', 'askew', 'on its side', 'head down', 'faxed'] as const;

const SKEW_TENTHS = { min: 10, max: 20 } as const;
const HEAD_DOWN = 180;

/** Pages as pictures in a PDF, each lying one way or another. */
export async function scanPdf(pages: readonly PageText[], random: Random): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const [index, text] of pages.entries()) {
    const { width, height } = text;
    const way = random.pick(WAYS);
    const skew = (random.int(SKEW_TENTHS.min, SKEW_TENTHS.max) / 10) * (random.chance(0.5) ? 1 : -1);
    const degreesAskew = way === 'askew' ? skew : way === 'head down' ? HEAD_DOWN : 0;
    const image = await document.embedPng(pngOf(scanned(text, degreesAskew, random)));
    if (way === 'on its side') {
      const page = document.addPage([height, width]);
      page.drawImage(image, { x: height, y: 0, width, height, rotate: degrees(90) });
      continue;
    }
    const page = document.addPage([width, height]);
    page.drawImage(image, { x: 0, y: 0, width, height });
    if (way === 'faxed') {
      const line = `03/02/2026 09:14  FAX 614-555-0139   P. ${index + 1}/${pages.length}`;
      page.drawText(line, { x: width / 2, y: height - 12, size: 7, font });
    }
  }
  return await document.save();
}

/** The file with its pages as the readers of batches recognise them. */
export async function readScans<F extends Pick<ReadFile, 'name'>>(file: F, bytes: Buffer) {
  const { signal } = new AbortController();
  const stored = { ...file, contentType: 'application/pdf', storageKey: '', sha256: '', sizeBytes: bytes.length };
  const limits = { pagesMost: 1_000, piecesMost: 1_000_000, ocr: true, turn: '', signal, onProgress: () => {} };
  const { pages, unreadable } = await readBatchFile({ read: async () => bytes }, stored, limits);
  if (unreadable !== null) throw new Error(`${file.name} cannot be read: ${unreadable}`);
  return { ...file, pages, bookmarks: [] };
}

/** A corpus whose files were scanned, and the pages that this made: the first `most` documents alone. Each page takes seconds. */
export async function makeScanCorpus(seed: string, count: number, most = Number.POSITIVE_INFINITY): Promise<Corpus> {
  const random = createRandom('scans', seed);
  const corpus = makeCorpus(seed, count);
  const truths = corpus.truths.slice(0, most);
  const files: ReadFile[] = [];
  for (const file of corpus.files) {
    const last = truths.findLast(({ fileKey }) => fileKey === file.key);
    if (last === undefined) continue;
    const bytes = Buffer.from(await scanPdf(file.pages.slice(0, last.toPage), random));
    files.push(await readScans(file, bytes));
  }
  return { ...corpus, files, truths };
}

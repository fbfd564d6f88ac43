// The corpus as scans: each file a PDF of pictures that lie one way and another, or an image, read back with recognition by the readers of
// the batches.
import { degrees, PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { readBatchFile } from '#server/batches/batch-reading.ts';
import { pageIn } from '#server/batches/reading/packed-page.ts';
import type { PageText } from '#server/batches/reading/page-text.ts';
import type { ReadFile } from '#server/batches/recognition/proposal.ts';
import { pngOf, turnedBitmap } from '#server/testing/bitmap-page.ts';
import { createRandom, type Random } from '../../demo/random.ts';
import { type Corpus, makeCorpus, type Truth } from './corpus.ts';
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
export async function readScans<F extends Pick<ReadFile, 'name'>>(
  file: F,
  bytes: Buffer,
  contentType: 'application/pdf' | 'image/png' = 'application/pdf',
) {
  const { signal } = new AbortController();
  const stored = { ...file, contentType, storageKey: '', sha256: '', sizeBytes: bytes.length };
  const limits = { pagesMost: 1_000, piecesMost: 1_000_000, ocr: true, turn: '', signal, onProgress: () => {} };
  const { pages, unreadable } = await readBatchFile({ read: async () => bytes }, stored, limits);
  if (unreadable !== null) throw new Error(`${file.name} cannot be read: ${unreadable}`);
  return { ...file, pages: pages.map(pageIn), bookmarks: [] };
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

/** How images lie, by the quarters that they are turned to the right. */
const IMAGES_LIE = ['upright', 'on its right side', 'upside down', 'on its left side'] as const;
/** In degrees: a sheet lies straighter on a table than in a feeder. */
const IMAGE_SKEW = 0.5;

/** `count` documents of one page as images, each lying another way than the one before, which is told as their layout. */
export async function makeImageCorpus(seed: string, count: number): Promise<Corpus> {
  const random = createRandom('images', seed);
  const corpus = makeCorpus(seed, 3 * count);
  const files: ReadFile[] = [];
  const truths: Truth[] = [];
  for (const truth of corpus.truths) {
    const page = corpus.files.find(({ key }) => key === truth.fileKey)?.pages[truth.fromPage - 1];
    const isImage = page !== undefined && page.runs.length > 0 && truth.fromPage === truth.toPage;
    if (!isImage || files.length === count) continue;
    const key = files.length + 1;
    const quarters = files.length % IMAGES_LIE.length;
    const sheet = scanned(page, random.pick([-IMAGE_SKEW, 0, IMAGE_SKEW]), random);
    const bytes = Buffer.from(pngOf(turnedBitmap(sheet, quarters)));
    files.push(await readScans({ key, name: `IMG_${1_000 + key}.png` }, bytes, 'image/png'));
    truths.push({ ...truth, fileKey: key, fromPage: 1, toPage: 1, layout: IMAGES_LIE[quarters] ?? '' });
  }
  return { ...corpus, files, truths };
}

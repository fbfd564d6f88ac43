// The corpus as bytes: each file a PDF as programs, printers and scanners leave it, read back by the readers of the batches.
import { degrees, PDFDocument, type PDFFont, type PDFPage, StandardFonts } from '@cantoo/pdf-lib';
import { pageIn } from '#server/batches/reading/packed-page.ts';
import type { PageText, TextRun } from '#server/batches/reading/page-text.ts';
import { readDocument } from '#server/batches/reading/read-document.ts';
import type { ReadFile } from '#server/batches/recognition/proposal.ts';
import { createRandom } from '../../demo/random.ts';
import { type Corpus, makeCorpus } from './corpus.ts';

/**
 * How a file lies: upright, turned by the file and back by its page, a little askew with its text, as scanners with recognition leave it,
 * or with its text drawn so on pages that are not turned, as some printers leave what is wider than high.
 */
type Lie = 'upright' | 'turned' | 'askew' | 'on its left side' | 'on its right side' | 'upside down';

const USUAL: readonly Lie[] = ['upright', 'upright', 'upright', 'turned', 'askew'];
export const LYING: readonly Lie[] = ['on its left side', 'on its right side', 'upside down'];
const ON_SIDES: ReadonlySet<Lie> = new Set(['turned', 'on its left side', 'on its right side']);

interface Drawn {
  readonly lie: Lie;
  readonly stamp: string | null;
}

/** The share of a line's height above its baseline. */
const BASELINE = 0.8;
const SKEW = 1.6;

function drawRun(page: PDFPage, font: PDFFont, run: TextRun, size: Pick<PageText, 'width' | 'height'>, lie: Lie): void {
  const baseline = run.y + run.height * BASELINE;
  const [fromRight, fromBottom] = [size.width - run.x, size.height - baseline];
  const place = { size: run.height, font };
  if (lie === 'turned' || lie === 'on its left side') {
    page.drawText(run.text, { ...place, x: baseline, y: run.x, rotate: degrees(90) });
  } else if (lie === 'on its right side') {
    page.drawText(run.text, { ...place, x: fromBottom, y: fromRight, rotate: degrees(-90) });
  } else if (lie === 'upside down') {
    page.drawText(run.text, { ...place, x: fromRight, y: baseline, rotate: degrees(180) });
  } else if (lie === 'upright') page.drawText(run.text, { ...place, x: run.x, y: fromBottom });
  else {
    const turn = (SKEW * Math.PI) / 180;
    const [x, y] = [run.x - size.width / 2, size.height / 2 - baseline];
    page.drawText(run.text, {
      ...place,
      x: size.width / 2 + x * Math.cos(turn) - y * Math.sin(turn),
      y: size.height / 2 + x * Math.sin(turn) + y * Math.cos(turn),
      rotate: degrees(SKEW),
    });
  }
}

/** What the fonts of every reader can show. */
const shown = (text: string) => text.replace(/[^\u0020-\u007e\u00a0-\u00ff‘’“”–—•]/gu, '-');

/** A PDF of these pages. A lone X in an upright file is the ticked box of a form that was filled in. */
async function pdfOf(pages: readonly PageText[], { lie, stamp }: Drawn): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const form = document.getForm();
  for (const [index, { width, height, runs }] of pages.entries()) {
    const page = document.addPage(ON_SIDES.has(lie) ? [height, width] : [width, height]);
    if (lie === 'turned') page.setRotation(degrees(90));
    for (const [nth, run] of runs.entries()) {
      if (run.text === 'X' && lie === 'upright') {
        const box = form.createCheckBox(`box ${index} ${nth}`);
        box.addToPage(page, { x: run.x, y: height - run.y - run.height, width: run.height, height: run.height });
        box.check();
      } else drawRun(page, font, { ...run, text: shown(run.text) }, { width, height }, lie);
    }
    if (stamp !== null && runs.length > 0)
      drawRun(page, font, { text: stamp, x: width / 2, y: 12, width: 0, height: 7 }, { width, height }, lie);
  }
  return await document.save();
}

async function readBack(file: ReadFile, drawn: Drawn): Promise<ReadFile> {
  const bytes = await pdfOf(file.pages, drawn);
  const { signal } = new AbortController();
  const reading = await readDocument(bytes, { contentType: 'application/pdf', signal });
  if ('unreadable' in reading) throw new Error(`${file.name} cannot be read: ${reading.unreadable}`);
  return { ...file, pages: reading.document.pages.map(({ packed }) => pageIn(packed)) };
}

/** A corpus whose files were PDFs that lie as `lies` says: most upright, some turned or askew, some with a stamp of a fax or a date over them. */
export async function makePdfCorpus(seed: string, count: number, lies = USUAL): Promise<Corpus> {
  const random = createRandom('pdf files', seed);
  const corpus = makeCorpus(seed, count);
  const files: ReadFile[] = [];
  for (const file of corpus.files) {
    const lie = random.pick(lies);
    const stamp = random.chance(0.25)
      ? random.pick(['RECEIVED 03/02/2026', 'FAX 614-555-0139  P. 2', 'Scanned 2026-03-02 09:14'])
      : null;
    files.push(await readBack(file, { lie, stamp }));
  }
  return { ...corpus, files };
}

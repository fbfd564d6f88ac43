// TIFFs: their pages as PDFs, whatever they are packed as, and those that are there to do harm.
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bitmapPage } from '#server/testing/bitmap-page.ts';
import { breadth } from '#server/testing/breadth.ts';
import { plainTiff, TIFF_PACKINGS, type TiffPacking, type TiffTags, tiffPage } from '#server/testing/tiff-page.ts';
import { recognizeScans } from './ocr.ts';
import { pageIn } from './packed-page.ts';
import { readDocument } from './read-document.ts';
import { type TiffPages, tiffPages } from './tiff-pages.ts';
import { tiffToPdf } from './tiff-pdf.ts';

const { signal } = new AbortController();
const WORDS = ['HARBOR', 'PAYROLL', 'TOTAL', 'PAY'];
const sheet = bitmapPage(['HARBOR PAYROLL', 'TOTAL PAY']);

async function pdfOf(bytes: Uint8Array): Promise<Uint8Array> {
  const made = await tiffPages(bytes, signal);
  if (!('pdf' in made)) throw new Error(`It is ${made.unreadable}`);
  return made.pdf;
}

/** What is read on each of its pages, and how large they are. */
async function read(bytes: Uint8Array) {
  const pdf = await pdfOf(bytes);
  const reading = await readDocument(new Uint8Array(pdf), { contentType: 'application/pdf', signal });
  if (!('document' in reading)) throw new Error(reading.unreadable);
  const pages: { words: string[]; size: number[] }[] = [];
  for await (const { text } of recognizeScans(async () => new Uint8Array(pdf), reading.document.withoutText, {
    signal,
  })) {
    pages.push({ words: text.runs.map((run) => run.text), size: [text.width, text.height].map(Math.round) });
  }
  return pages;
}

describe('a TIFF', () => {
  const single = TIFF_PACKINGS.filter((packing) => packing !== 'fax4Twice').map((packing): [TiffPacking] => [packing]);
  it.each(breadth<[TiffPacking][]>([['fax4']], single))('packed as %s is read as what it shows', async (packing) => {
    expect(await read(tiffPage(packing))).toEqual([
      // A sheet of 850 by 1,100 points, 100 to an inch; the one that is half as fine says so of itself.
      { words: WORDS, size: packing === 'jpeg' ? [306, 396] : [612, 792] },
    ]);
  });

  it('has all of its pages, in their order', async () => {
    expect((await read(tiffPage('fax4Twice'))).map(({ words }) => words)).toEqual([
      WORDS,
      ['OTHER', 'HARBOR', 'PARTLY', 'HOTEL'],
    ]);
  });

  it('that does not say how fine it is has the width of a letter, whichever byte of a number is first', async () => {
    expect(await read(plainTiff(sheet))).toEqual([{ words: WORDS, size: [612, 792] }]);
  });

  it('with black and white the other way round, or its bits in the other order, shows the same', async () => {
    const inverted = bitmapPage(['HARBOR PAYROLL', 'TOTAL PAY']);
    for (const [at, shade] of inverted.gray.entries()) inverted.gray[at] = 255 - shade;
    expect((await read(plainTiff(inverted, { tags: { 262: 0 } })))[0]?.words).toEqual(WORDS);
  });

  it('lies as its program says', async () => {
    const pdf = await pdfOf(plainTiff(sheet, { tags: { 274: 6 } }));
    const reading = await readDocument(new Uint8Array(pdf), { contentType: 'application/pdf', signal });
    const pages = 'document' in reading ? reading.document.pages.map(({ packed }) => pageIn(packed)) : [];
    expect(pages).toMatchObject([{ width: 792, height: 612 }]);
  });

  it('of the same pages with other notes is another PDF', async () => {
    const [one, other] = [await pdfOf(plainTiff(sheet)), await pdfOf(plainTiff(sheet, { tags: { 305: 7 } }))];
    expect(Buffer.from(one).equals(Buffer.from(other))).toBe(false);
    expect(Buffer.from(one).equals(Buffer.from(await pdfOf(plainTiff(sheet))))).toBe(true);
  });
});

describe('a TIFF that cannot be read', () => {
  const first = plainTiff(sheet).length - 4 - 9 * 12 - 2;
  const spoiled = (tags: TiffTags) => plainTiff(sheet, { tags });
  /** Its strip is what is inflated to more than a sheet holds. */
  const bomb = () => {
    const packed = deflateSync(Buffer.alloc(64 * 1024 * 1024));
    const whole = Buffer.concat([plainTiff(sheet, { tags: { 259: 8, 279: packed.length } }), packed]);
    const offset = whole.length - packed.length;
    return new Uint8Array(
      Buffer.concat([plainTiff(sheet, { tags: { 259: 8, 273: offset, 279: packed.length } }), packed]),
    );
  };
  const damaged: TiffPages = { unreadable: 'damaged' };
  const BAD: [string, () => Uint8Array][] = [
    ['whose pages go in a circle', () => plainTiff(sheet, { next: first })],
    ['whose next page lies beyond its end', () => plainTiff(sheet, { next: 0x7fff_ffff })],
    ['whose strip lies beyond its end', () => spoiled({ 273: 0xffff_0000 })],
    ['whose strip is longer than it', () => spoiled({ 279: 0xffff_ffff })],
    ['whose strip ends before its last row', () => spoiled({ 279: 10 })],
    ['of no width', () => spoiled({ 256: 0 })],
    ['larger than any sheet', () => spoiled({ 256: 60_000, 257: 60_000 })],
    ['of more rows than it has strips for', () => spoiled({ 278: 1 })],
    ['with no row in a strip', () => spoiled({ 278: 0 })],
    ['that inflates without end', bomb],
    ['of codes that mean nothing', () => spoiled({ 259: 5 })],
    ['that says it is a JPEG', () => spoiled({ 259: 7 })],
    ['without a page', () => new Uint8Array(Buffer.from('4d4d002a00000000', 'hex'))],
    ['that ends in its head', () => new Uint8Array(Buffer.from('4d4d002a', 'hex'))],
  ];
  it.each(BAD)('G113: %s is damaged', async (_, make) => {
    expect(await tiffPages(make(), signal)).toEqual(damaged);
  });

  const OTHER_KINDS: [string, () => Uint8Array][] = [
    ['in tiles', () => spoiled({ 322: 64 })],
    ['in planes', () => spoiled({ 258: 8, 277: 3, 284: 2 })],
    ['of sixteen bits', () => spoiled({ 258: 16 })],
    ['of twelve bits, in three colours', () => spoiled({ 258: 12, 277: 3 })],
    ['of a JPEG as it was written before 1995', () => spoiled({ 259: 6 })],
    ['packed in a way that nobody knows', () => spoiled({ 259: 34_712 })],
    ['of colours that several points share', () => spoiled({ 258: 8, 277: 3, 262: 6 })],
    ['of more than 4 GB', () => new Uint8Array(Buffer.from('4d4d002b0008000000000000', 'hex'))],
  ];
  it.each(OTHER_KINDS)('%s is of a kind that is not read, and no damaged one', async (_, make) => {
    const unsupported: TiffPages = { unreadable: 'unsupportedTiff' };
    expect(await tiffPages(make(), signal)).toEqual(unsupported);
  });

  it('in planes of which there is one is like any other', async () => {
    expect((await read(spoiled({ 284: 2 })))[0]?.words).toEqual(WORDS);
  });

  it('G113: is damaged wherever it is cut, or shows the pages that are whole', async () => {
    const whole = tiffPage('fax4Twice');
    for (let length = 0; length < whole.length; length += 37) {
      const made = await tiffToPdf(whole.slice(0, length)).catch((fault: unknown) => fault);
      if (!(typeof made === 'object' && made !== null && 'pdf' in made))
        expect(made).toMatchObject({ name: 'TiffFault', reason: 'damaged' });
    }
  });
});

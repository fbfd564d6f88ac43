// Marks of pages that were read turned, on the page as it is looked at; pages that lie; and scans that take too long.
import { describe, expect, it, vi } from 'vitest';
import { Thread } from '../platform/jobs/thread.ts';
import { bitmapPage, pngOf } from '../testing/bitmap-page.ts';
import { rawPages, textAt } from '../testing/raw-pdf.ts';
import { type FileReading, readBatchFile } from './batch-reading.ts';
import { asLookedAt } from './reading/looked-at.ts';
import type { OcrAnswer, OcrQuestion } from './reading/ocr-thread.ts';
import { pageIn } from './reading/packed-page.ts';

const pagesOf = ({ pages }: FileReading) => pages.map(pageIn);

/** Turns a point of a page to the right by quarters, as the page is turned. */
function turnedRight([x, y]: readonly [number, number], size: { width: number; height: number }, degrees: number) {
  let [at, page] = [[x, y] as const, size];
  for (let turned = 0; turned < degrees; turned += 90) {
    at = [page.height - at[1], at[0]];
    page = { width: page.height, height: page.width };
  }
  return { at, page };
}

describe('marks of a page that was read turned', () => {
  it.each([0, 90, 180, 270])('by %i degrees stand where the words are on the page', (degrees) => {
    const size = { width: 612, height: 792 };
    const there = { page: 3, x: 100, y: 50, width: 200, height: 12 };
    const corners = [
      turnedRight([there.x, there.y], size, degrees),
      turnedRight([there.x + there.width, there.y + there.height], size, degrees),
    ];
    const [xs, ys] = [corners.map(({ at }) => at[0]), corners.map(({ at }) => at[1])];
    const read = {
      page: 3,
      x: Math.min(...xs),
      y: Math.min(...ys),
      width: Math.max(...xs) - Math.min(...xs),
      height: Math.max(...ys) - Math.min(...ys),
    };
    expect(asLookedAt(read, corners[0]?.page ?? size, degrees)).toEqual(there);
  });
});

describe('scans that take longer than a file may', () => {
  it('are read in part, and the file says so', async () => {
    const { width, height, gray } = bitmapPage(['HARBOR PAYROLL', 'TOTAL PAY']);
    const page = {
      content: 'q 612 0 0 792 0 0 cm /Im Do Q',
      entries: '/Resources << /XObject << /Im 4 0 R >> >>',
    };
    const body = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`;
    const bytes = Buffer.from(rawPages([page, page, page], { further: [{ body, stream: gray }] }));
    const blobs = { read: async () => bytes };
    const file = {
      name: 'a.pdf',
      contentType: 'application/pdf',
      storageKey: 'a',
      sha256: '',
      sizeBytes: bytes.length,
    };
    const { signal } = new AbortController();
    const limits = { pagesMost: 10, piecesMost: 1_000_000, ocr: true, turn: '', signal, onProgress: () => {} };
    const part = await readBatchFile(blobs, file, { ...limits, scansMs: 0 });
    expect([part.unreadable, pagesOf(part).map(({ runs }) => runs.length > 0)]).toEqual([
      'notWhole',
      [true, false, false],
    ]);
    const whole = await readBatchFile(blobs, file, limits);
    expect([whole.unreadable, pagesOf(whole).map(({ runs }) => runs.length > 0)]).toEqual([null, [true, true, true]]);
  });
});

describe('a page with a few letters over a picture', () => {
  const { signal } = new AbortController();
  const sheet = bitmapPage(['HARBOR PAYROLL', 'TOTAL PAY']);
  const image = {
    body: `/Type /XObject /Subtype /Image /Width ${sheet.width} /Height ${sheet.height} /ColorSpace /DeviceGray /BitsPerComponent 8`,
    stream: sheet.gray,
  };
  const font = { body: '/Type /Font /Subtype /Type1 /BaseFont /Helvetica' };
  const entries = '/Resources << /XObject << /Im 4 0 R >> /Font << /F 5 0 R >> >>';
  const stamped = (content: string, stamp: string, { size = 10, y = 770, more = '' } = {}) => ({
    content: `${content} BT /F ${size} Tf 100 ${y} Td (${stamp}) Tj ET`,
    entries: `${entries} ${more}`,
  });
  const UPRIGHT = 'q 612 0 0 792 0 0 cm /Im Do Q';

  async function read(...pages: Parameters<typeof rawPages>[0][number][]) {
    const bytes = Buffer.from(rawPages(pages, { further: [image, font] }));
    const limits = { pagesMost: 10, piecesMost: 1_000_000, ocr: true, turn: '', signal, onProgress: () => {} };
    const file = {
      name: 'a.pdf',
      contentType: 'application/pdf',
      storageKey: 'a',
      sha256: '',
      sizeBytes: bytes.length,
    };
    return pagesOf(await readBatchFile({ read: async () => bytes }, file, limits));
  }
  const textsOn = (pages: Awaited<ReturnType<typeof read>>) => pages.map(({ runs }) => runs.map(({ text }) => text));

  it('is recognised too, and both are used', async () => {
    const found = await read(stamped(UPRIGHT, 'FAX 614-555-0139 P. 2'));
    expect(textsOn(found)).toEqual([['FAX 614-555-0139 P. 2', 'HARBOR', 'PAYROLL', 'TOTAL', 'PAY']]);
    expect(found[0]).toMatchObject({ width: 612, height: 792 });
  });

  it('keeps its letters where they are seen when it lies on its side', async () => {
    // The sheet lies on its side, and the stamp stands upright at the left of its top.
    const lying = stamped('q 0 612 -792 0 792 0 cm /Im Do Q', 'FAX P. 2', { y: 590, more: '/MediaBox [0 0 792 612]' });
    const [page] = await read(lying);
    const [stamp, ...words] = page?.runs ?? [];
    expect([stamp?.text, ...words.map(({ text }) => text)]).toEqual(['FAX P. 2', 'HARBOR', 'PAYROLL', 'TOTAL', 'PAY']);
    const degrees = page?.turned ?? 0;
    expect(degrees % 180).toBe(90);
    const size = { width: page?.width ?? 0, height: page?.height ?? 0 };
    const { text: _, ...box } = stamp ?? { text: '', x: 0, y: 0, width: 0, height: 0 };
    const seen = asLookedAt({ page: 1, ...box }, size, degrees);
    expect([Math.round(seen.x), Math.round(seen.y)]).toEqual([100, 14]);
  });

  it('keeps letters that were drawn on their side where they are seen when it stands upright', async () => {
    const upwards = 'BT /F 8 Tf 0 1 -1 0 30 100 Tm (RECEIVED 03/02/2026 BY FAX 614-555-0139) Tj ET';
    const found = await read(stamped(`${UPRIGHT} ${upwards}`, ''));
    expect(textsOn(found)).toEqual([['RECEIVED 03/02/2026 BY FAX 614-555-0139', 'HARBOR', 'PAYROLL', 'TOTAL', 'PAY']]);
    expect([found[0]?.width, found[0]?.height, found[0]?.turned]).toEqual([612, 792, undefined]);
    const stamp = found[0]?.runs[0] ?? { x: 0, y: 0, width: 0, height: 0 };
    expect([stamp.x, stamp.width, stamp.y + stamp.height].map(Math.round)).toEqual([24, 8, 692]);
    expect(stamp.height).toBeGreaterThan(100);
  });

  it('is a page of text where no picture fills it, or there are more than a few letters', async () => {
    const logo = stamped('q 100 0 0 60 40 700 cm /Im Do Q', 'Harbor letter');
    const long = stamped(UPRIGHT, 'Wages and taxes of this quarter '.repeat(10).trim(), { size: 2 });
    expect(textsOn(await read(logo, long)).map(([first, ...more]) => [first?.slice(0, 6), more])).toEqual([
      ['Harbor', []],
      ['Wages ', []],
    ]);
  });
});

describe('a page that lies', () => {
  const { signal } = new AbortController();
  const limits = { pagesMost: 10, piecesMost: 1_000_000, ocr: true, turn: '', signal, onProgress: () => {} };
  const fileOf = (contentType: string, { length: sizeBytes }: Uint8Array) => ({
    name: 'a',
    contentType,
    storageKey: 'a',
    sha256: '',
    sizeBytes,
  });

  it('by its text is read upright, and the text is marked where it is seen', async () => {
    const upwards = 'BT /F1 12 Tf 0 1 -1 0 100 300 Tm (Harbor & Pine Bakery LLC, Payroll Register) Tj ET';
    const bytes = Buffer.from(rawPages([{ content: textAt('Page 1 of 2', 36, 700) }, { content: upwards }]));
    const file = fileOf('application/pdf', bytes);
    const pages = pagesOf(await readBatchFile({ read: async () => bytes }, file, limits));
    expect(pages.map(({ turned }) => turned)).toEqual([undefined, 90]);
    const page = pages[1] ?? { width: 0, height: 0, runs: [] };
    const { x, y, width, height } = page.runs[0] ?? { x: 0, y: 0, width: 0, height: 0 };
    const seen = asLookedAt({ page: 2, x, y, width, height }, page, 90);
    expect([seen.x, seen.width, seen.y + seen.height].map(Math.round)).toEqual([90, 12, 492]);
  });

  it('as an image is read upright, and says how it was turned', async () => {
    const words = (count: number, confidence: number): OcrAnswer =>
      Array.from({ length: count }, () => ({ text: 'Harbor', confidence, x: 9, y: 9, width: 60, height: 24 }));
    vi.spyOn(Thread.prototype, 'ask').mockImplementation(async (asked) =>
      (asked as OcrQuestion).orientation === 3 ? words(9, 95) : words(3, 60),
    );
    const bytes = Buffer.from(pngOf(bitmapPage([])));
    const file = fileOf('image/png', bytes);
    const pages = pagesOf(await readBatchFile({ read: async () => bytes }, file, limits));
    expect(pages.map(({ runs, turned }) => [runs.length, turned])).toEqual([[9, 180]]);
  });
});

describe('a text of more than is recognised', () => {
  const TEXT = Array.from({ length: 5_000 }, (_, nth) => `${nth}`.padStart(20, '-')).join('\n');

  it.each([
    ['is kept as far as it is, and counted whole', TEXT, 3_000],
    ['is kept whole where it may be an ACH file', `101${TEXT.slice(3)}`, 5_000],
  ])('%s', async (_, text, kept) => {
    const bytes = Buffer.from(text);
    const file = { name: 'a.txt', contentType: 'text/plain', storageKey: 'a', sha256: '', sizeBytes: bytes.length };
    const { signal } = new AbortController();
    const limits = { pagesMost: 10, piecesMost: 1_000_000, ocr: false, turn: '', signal, onProgress: () => {} };
    const reading = await readBatchFile({ read: async () => bytes }, file, limits);
    expect([pagesOf(reading).map(({ runs }) => runs.length), reading.pieces]).toEqual([[kept], 5_000]);
  });
});

// Marks of pages that were read turned, on the page as it is looked at; and scans that take too long.
import { describe, expect, it } from 'vitest';
import { bitmapPage } from '../testing/bitmap-page.ts';
import { rawPages } from '../testing/raw-pdf.ts';
import { asLookedAt, readBatchFile } from './batch-reading.ts';

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
    expect([part.unreadable, part.pages.map(({ runs }) => runs.length > 0)]).toEqual([
      'notWhole',
      [true, false, false],
    ]);
    const whole = await readBatchFile(blobs, file, limits);
    expect([whole.unreadable, whole.pages.map(({ runs }) => runs.length > 0)]).toEqual([null, [true, true, true]]);
  });
});

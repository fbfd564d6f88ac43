// What is read of honest documents, and what is said of those that are not.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Thread } from '#server/platform/jobs/thread.ts';
import { breadth } from '#server/testing/breadth.ts';
import { itInFull } from '#server/testing/narrowed.ts';
import { BOMB_LIMITS, pdfBombs } from '#server/testing/pdf-bombs.ts';
import { companyOn, printFile } from '#server/testing/print-file.ts';
import { type RawObject, rawPages, rawPdf, textAt } from '#server/testing/raw-pdf.ts';
import { testPdf } from '#server/testing/test-pdf.ts';
import { pageIn } from './packed-page.ts';
import type { TextRun } from './page-text.ts';
import { PAGES_MAX, type Reading, type ReadOptions, readDocument } from './read-document.ts';

const read = (bytes: Uint8Array, options: Partial<ReadOptions> = {}): Promise<Reading> =>
  readDocument(bytes, { contentType: 'application/pdf', signal: new AbortController().signal, ...options });

/** With its pages unpacked. */
async function documentIn(bytes: Uint8Array, options: Partial<ReadOptions> = {}) {
  const reading = await read(bytes, options);
  if (!('document' in reading)) throw new Error(`It is unreadable: ${reading.unreadable}`);
  const { pages, ...said } = reading.document;
  return { ...said, pages: pages.map(({ packed }) => pageIn(packed)) };
}

async function runsIn(bytes: Uint8Array, options: Partial<ReadOptions> = {}): Promise<readonly TextRun[]> {
  return (await documentIn(bytes, options)).pages.flatMap(({ runs }) => runs);
}

const textsIn = async (bytes: Uint8Array, options: Partial<ReadOptions> = {}) =>
  (await runsIn(bytes, options)).map(({ text }) => text);

const text = (content: string) => new TextEncoder().encode(content);

describe('a print file', () => {
  it('is read page by page, with progress and its bookmarks', async () => {
    const progress: string[] = [];
    const bytes = await printFile({ pages: 7, bookmarks: true });
    const document = await documentIn(bytes, { onProgress: (page, pages) => progress.push(`${page} of ${pages}`) });
    const heads = document.pages.map(({ runs }) => [runs[0]?.text, runs[1]?.text]);
    expect(heads).toEqual([1, 2, 3, 4, 5, 6, 7].map((page) => [companyOn(page), `Page ${((page - 1) % 3) + 1} of 3`]));
    expect(progress).toEqual(['1 of 7', '2 of 7', '3 of 7', '4 of 7', '5 of 7', '6 of 7', '7 of 7']);
    expect(document.bookmarks).toEqual([1, 4, 7].map((page) => ({ title: companyOn(page), page, depth: 0 })));
    expect(document.withoutText).toEqual([]);
  });

  it('has every piece of a page of more than are packed at once, and the pages after it', async () => {
    const numbers = Array.from({ length: 5_200 }, (_, nth) => `${nth + 1}`);
    const lines = numbers.map((number, nth) => textAt(number, 100, 14_000 - 2.5 * nth, 2));
    const entries = '/MediaBox [0 0 14400 14400]';
    const asked = vi.spyOn(Thread.prototype, 'ask');
    onTestFinished(() => asked.mockRestore());
    const { pages } = await documentIn(
      rawPages([{ content: lines.join('\n'), entries }, { content: textAt('After', 36, 700) }]),
    );
    const questions = asked.mock.calls.map(([question]) => Object.keys(question as object)[0]);
    expect(questions).toEqual(['open', 'packed', 'packed']);
    expect(pages.map(({ runs }) => runs.map(({ text: told }) => told))).toEqual([numbers, ['After']]);
    expect(pages[0]).toMatchObject({ width: 14_400, height: 14_400 });
  });

  it('says where each text stands, from the top left corner', async () => {
    const { pages } = await documentIn(await printFile({ pages: 1 }));
    expect(pages[0]).toMatchObject({ width: 612, height: 792 });
    const [company] = pages[0]?.runs ?? [];
    expect(company).toMatchObject({ x: 36, height: 12 });
    expect(company?.y).toBeCloseTo(36, -1);
    expect(company?.width).toBeCloseTo(186.4, 0);
  });
});

describe('where a text stands', () => {
  const letters = { width: expect.any(Number), height: 12 };

  it.each([
    ['not turned', '', { x: 100, y: 792 - 700 - 9.6, ...letters }],
    ['upside down', '/Rotate 180', { x: expect.any(Number), y: 700 - 2.4, ...letters }],
    ['turned to the right', '/Rotate 90', { x: 700 - 2.4, y: 100, width: 12, height: expect.any(Number) }],
    [
      'turned to the left',
      '/Rotate 270',
      { x: 792 - 700 - 9.6, y: expect.any(Number), width: 12, height: expect.any(Number) },
    ],
    ['beginning elsewhere than at 0', '/MediaBox [50 100 662 892]', { x: 50, y: 892 - 700 - 9.6, ...letters }],
    ['in larger units', '/UserUnit 2', { x: 200, y: 2 * (792 - 700 - 9.6), width: expect.any(Number), height: 24 }],
  ])('on a page %s', async (_, entries, place) => {
    const bytes = rawPages([{ content: textAt('Harbor & Pine', 100, 700), entries }]);
    const [run] = await runsIn(bytes);
    expect(run).toMatchObject({ text: 'Harbor & Pine', ...place });
  });

  it('on a page that is turned because its text was: as it is looked at', async () => {
    const upwards = 'BT /F1 12 Tf 0 1 -1 0 100 300 Tm (Harbor & Pine) Tj ET';
    const { pages } = await documentIn(rawPages([{ content: upwards, entries: '/Rotate 90' }]));
    expect(pages[0]).toMatchObject({ width: 792, height: 612 });
    expect(pages[0]?.runs).toMatchObject([{ text: 'Harbor & Pine', x: 300, y: 100 - 9.6, height: 12 }]);
    expect(pages[0]?.runs[0]?.width).toBeGreaterThan(60);
  });

  const LONG = 'Harbor & Pine Bakery LLC, Payroll Register';

  it.each([
    ['upwards', '0 1 -1 0 100 300', { width: 792, height: 612, turned: 90 }, { x: 300, y: 100 - 9.6 }],
    ['upside down', '-1 0 0 -1 500 100', { width: 612, height: 792, turned: 180 }, { x: 112, y: 100 - 9.6 }],
    ['downwards', '0 -1 1 0 100 300', { width: 792, height: 612, turned: 270 }, { x: 492, y: 512 - 9.6 }],
  ])('on a page whose text is drawn %s: as it is read', async (_, matrix, page, place) => {
    const content = `BT /F1 12 Tf ${matrix} Tm (${LONG}) Tj ET`;
    const { pages } = await documentIn(rawPages([{ content }]));
    expect(pages).toMatchObject([{ ...page, runs: [{ text: LONG, ...place, height: 12 }] }]);
    expect(pages[0]?.runs[0]?.width).toBeGreaterThan(200);
  });

  it('on a page of which less than most is drawn on its side: as it is looked at', async () => {
    const upwards = `BT /F1 12 Tf 0 1 -1 0 30 300 Tm (${LONG}) Tj ET`;
    const { pages } = await documentIn(rawPages([{ content: `${textAt(LONG, 100, 700)} ${upwards}` }]));
    expect(pages).toMatchObject([{ width: 612, runs: [{ x: 100, height: 12 }, { width: 12 }] }]);
    expect(pages[0]?.turned).toBeUndefined();
  });

  it('in a field of a page whose text is drawn on its side: beside its label', async () => {
    const label = `BT /F1 12 Tf 0 1 -1 0 100 100 Tm (${LONG}) Tj ET`;
    const field = '<< /Type /Annot /Subtype /Widget /FT /Tx /T (f) /V (09-1234567) /Rect [88 500 104 600] /F 4 >>';
    const { pages } = await documentIn(
      rawPages([{ content: label, entries: '/Annots [4 0 R]' }], {
        catalog: '/AcroForm << /Fields [4 0 R] >>',
        further: [field],
      }),
    );
    expect(pages[0]?.runs).toMatchObject([
      { text: LONG },
      { text: '09-1234567', x: 500, y: 88, width: 100, height: 16 },
    ]);
  });

  it('on a page of five meters', async () => {
    const entries = '/MediaBox [0 0 14173 14173]';
    const { pages } = await documentIn(rawPages([{ content: textAt('Wall chart', 9_000, 9_000, 200), entries }]));
    expect(pages).toMatchObject([{ width: 14_173, height: 14_173, runs: [{ text: 'Wall chart', x: 9_000 }] }]);
  });
});

describe('text that is not printed on the page', () => {
  it('is read where it was filled into a form or written over the page, unless it is hidden', async () => {
    const field = (value: string, rect: string, more = '') =>
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (f) /V (${value}) /Rect [${rect}] /F 4 ${more} >>`;
    const bytes = rawPages(
      [{ content: textAt('Employer identification number', 36, 700), entries: '/Annots [4 0 R 5 0 R 6 0 R]' }],
      {
        catalog: '/AcroForm << /Fields [4 0 R 5 0 R] >>',
        further: [
          field('09-1234567', '200 690 300 710'),
          field('secret', '200 600 300 620').replace('/F 4', '/F 2'),
          '<< /Type /Annot /Subtype /FreeText /Contents (Corrected) /Rect [36 100 136 120] /DA (/F1 9 Tf) >>',
        ],
      },
    );
    const runs = await runsIn(bytes);
    expect(runs.map((run) => run.text)).toEqual(['Employer identification number', 'Corrected', '09-1234567']);
    expect(runs[2]).toMatchObject({ x: 200, y: 82, width: 100, height: 20 });
  });

  it('in a script or an attachment is not read', async () => {
    const bytes = rawPages([{ content: textAt('Seen', 36, 700) }], {
      catalog: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>',
    });
    expect(await textsIn(bytes)).toEqual(['Seen']);
  });
});

describe('a font without Unicode', () => {
  const withFont = (font: string, more: readonly (string | RawObject)[] = []) =>
    rawPages(
      [
        {
          content: `BT /F2 12 Tf 36 700 Td (\\001\\002AB) Tj ET ${textAt('Known', 36, 600)}`,
          entries: '/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >>',
        },
      ],
      { further: [font, ...more] },
    );

  it.each([
    [
      'drawn by the page',
      withFont(
        '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 0 /LastChar 2 /Widths [1 1 1] /CharProcs << /x1 5 0 R >> /Encoding << /Differences [1 /x1] >> >>',
        [{ body: '', stream: '1 0 d0 0 0 1 1 re f' }],
      ),
    ],
    [
      'numbered by its maker',
      withFont('<< /Type /Font /Subtype /Type0 /BaseFont /Odd /Encoding /Identity-H /DescendantFonts [5 0 R] >>', [
        '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Odd /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>',
      ]),
    ],
    ['that is not there', withFont('null')],
  ])('%s leaves the rest of the page readable', async (_, bytes) => {
    expect(await textsIn(bytes)).toContain('Known');
  });
});

describe('pages without text', () => {
  it('are named, blank ones and those with nothing but marks', async () => {
    const bytes = rawPages([
      { content: textAt('A letter', 36, 700) },
      { content: '' },
      { content: textAt('--- . ---', 36, 700) },
      { content: '0 0 100 100 re f' },
    ]);
    expect((await documentIn(bytes)).withoutText).toEqual([2, 3, 4]);
  });
});

describe('a locked PDF', () => {
  it.each(breadth(['1.4', '1.7ext3'] as const, ['1.3', '1.4', '1.6', '1.7', '1.7ext3'] as const))(
    'of version %s asks for its password',
    async (pdfVersion) => {
      const locked = () => printFile({ pages: 1, password: 'sesame', pdfVersion });
      expect(await read(await locked())).toEqual({ unreadable: 'password' });
      expect(await read(await locked(), { password: 'simsalabim' })).toEqual({ unreadable: 'password' });
      expect(await textsIn(await locked(), { password: 'sesame' })).toContain(companyOn(1));
    },
  );

  it('that anybody may open is read, whatever password is given', async () => {
    const open = () => printFile({ pages: 1, password: '' });
    expect(await textsIn(await open())).toContain(companyOn(1));
    expect(await textsIn(await open(), { password: 'sesame' })).toContain(companyOn(1));
  });
});

it('a PDF without pages is said to have none', async () => {
  expect(await read(await testPdf([]))).toEqual({ unreadable: 'noPages' });
});

describe('a damaged PDF', () => {
  const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>';
  const tree = (kids: string, count: number, ...more: string[]) =>
    rawPdf(['<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`, ...more]);
  const deep = Array.from(
    { length: 20_000 },
    (_, level) => `<< /Type /Pages /Count 1 /Parent ${level + 2} 0 R /Kids [${level + 4} 0 R] >>`,
  );

  it.each([
    ['without anything that is one', text('%PDF-1.7\nIt was cut off')],
    ['that is empty', text('')],
    ['whose pages lead to themselves', tree('2 0 R', 3)],
    ['one of whose pages leads back', tree('3 0 R 2 0 R', 3, PAGE)],
    ['that is a tree without an end', tree('3 0 R', 1, ...deep)],
  ])('%s is said to be one', async (_, bytes) => {
    expect(await read(bytes)).toEqual({ unreadable: 'damaged' });
  });

  it('that was cut is said to be one, or its pages are read', async () => {
    const bytes = await printFile({ pages: 3 });
    expect(await read(bytes.slice(0, bytes.length / 2))).toEqual({ unreadable: 'damaged' });
    const withoutTable = bytes.slice(0, bytes.lastIndexOf(120) - 10);
    expect((await documentIn(withoutTable)).pages).toHaveLength(3);
  });
});

describe('a file that is made to fill the machine', () => {
  const blankPages = (count: number) => rawPages(Array.from({ length: count }, () => ({ content: '' })));

  it.each(pdfBombs())('with %s is not read to its end', async (_, bytes) => {
    expect(await read(bytes, { limits: BOMB_LIMITS })).toEqual({ unreadable: 'tooLong' });
  });

  it('with 10,000 pages is not read at all', async () => {
    expect(await read(blankPages(10_000))).toEqual({ unreadable: 'tooManyPages' });
  });

  itInFull('with as many pages as may be is read', async () => {
    expect((await documentIn(blankPages(PAGES_MAX))).pages).toHaveLength(PAGES_MAX);
  });

  it('is given up when the whole takes too long, however quick its pages are', async () => {
    const wholeMs = 300_000;
    const bytes = await printFile({ pages: 300 });
    const over = Date.now() + 2 * wholeMs;
    const now = vi.spyOn(Date, 'now');
    const onProgress = (page: number) => {
      if (page === 3) now.mockReturnValue(over);
    };
    const limits = { ...BOMB_LIMITS, wholeMs };
    expect(await read(bytes, { limits, onProgress })).toEqual({ unreadable: 'tooLong' });
  });
});

describe('reading that nobody waits for', () => {
  it('ends', async () => {
    const abort = new AbortController();
    const onProgress = (page: number) => {
      if (page === 3) abort.abort(new Error('The batch was discarded'));
    };
    const bytes = await printFile({ pages: 50 });
    await expect(read(bytes, { signal: abort.signal, onProgress })).rejects.toThrow('The batch was discarded');
    await expect(read(text('a'), { signal: abort.signal, contentType: 'text/plain' })).rejects.toThrow('discarded');
  });
});

describe('a text file', () => {
  it('is one page, its columns set apart', async () => {
    const bytes = text('Harbor & Pine Bakery LLC    09-1234567\r\n\r\n\tTotal\t1,200.50\r\n');
    const runs = await runsIn(bytes, { contentType: 'text/plain' });
    expect(runs.map((run) => run.text)).toEqual(['Harbor & Pine Bakery LLC', '09-1234567', 'Total', '1,200.50']);
    expect(runs.map(({ y }) => y)).toEqual([0, 0, 24, 24]);
    expect(runs[1]?.x).toBeCloseTo(28 * 7.2);
  });

  it('is read by its cells when it is a CSV', async () => {
    const bytes = text('Company,EIN\n"Harbor, Pine ""and"" Co",09-1234567\n');
    const cells = ['Company', 'EIN', 'Harbor, Pine "and" Co', '09-1234567'];
    expect(await textsIn(bytes, { contentType: 'text/csv' })).toEqual(cells);
  });

  it('may be written as Windows did, or with a mark at its beginning', async () => {
    const options = { contentType: 'text/plain' };
    expect(await textsIn(Uint8Array.of(67, 97, 102, 0xe9), options)).toEqual(['Café']);
    expect(await textsIn(text('\ufeffCafé'), options)).toEqual(['Café']);
    expect(await textsIn(Uint8Array.of(0xff, 0xfe, 67, 0, 97, 0, 9, 0, 0xe9, 0), options)).toEqual(['Ca', 'é']);
    expect(await textsIn(Uint8Array.of(0xfe, 0xff, 0, 67, 0, 97, 0, 9, 0, 0xe9), options)).toEqual(['Ca', 'é']);
  });

  it('of any size is read in a moment', async () => {
    const runs = await runsIn(text('a  b\n'.repeat(5_000_000)), { contentType: 'text/plain' });
    expect(runs).toHaveLength(50_000);
    const wide = Uint8Array.from(Buffer.from(`\ufeff${'a  b\n'.repeat(2_000_000)}`, 'utf16le'));
    expect(await runsIn(wide, { contentType: 'text/plain' })).toHaveLength(50_000);
  });

  it('of many pieces is read while others have their turn', async () => {
    let turns = 0;
    let isRead = false;
    const others = (async () => {
      while (!isRead) {
        await nextTurn();
        turns += 1;
      }
    })();
    await documentIn(text('a  b\n'.repeat(30_000)), { contentType: 'text/plain' });
    isRead = true;
    await others;
    expect(turns).toBeGreaterThan(20);
  });

  it('without a letter is a page without text', async () => {
    expect((await documentIn(text('\n\n'), { contentType: 'text/plain' })).withoutText).toEqual([1]);
  });
});

describe('any other file', () => {
  it('has no pages', async () => {
    const document = await documentIn(text('PK'), { contentType: 'application/zip' });
    expect(document).toEqual({ pages: [], bookmarks: [], withoutText: [], withFewLetters: [] });
  });

  it('ends with the page that brings more pieces of text than are asked for', async () => {
    const bytes = await testPdf([['one', 'two'], ['three', 'four'], ['five']]);
    expect(await read(Uint8Array.from(bytes), { piecesMost: 3 })).toEqual({ unreadable: 'tooLong' });
    expect(await read(Uint8Array.from(bytes), { piecesMost: 5 })).toHaveProperty('document');
    const long = await testPdf([['x'.repeat(70)]]);
    expect(await read(Uint8Array.from(long), { piecesMost: 3 })).toEqual({ unreadable: 'tooLong' });
  });
});

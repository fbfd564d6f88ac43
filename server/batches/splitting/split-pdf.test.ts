// Pieces of print files: the same pages, and nothing that is not theirs.
import { Worker } from 'node:worker_threads';
import { inflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import { describe, expect, it, vi } from 'vitest';
import { breadth } from '#server/testing/breadth.ts';
import { itInFull } from '#server/testing/narrowed.ts';
import { companyOn, type PrintFile, printFile } from '#server/testing/print-file.ts';
import { HELVETICA, type RawObject, rawPages, rawPdf, textAt } from '#server/testing/raw-pdf.ts';
import { pageIn } from '../reading/packed-page.ts';
import type { PageText } from '../reading/page-text.ts';
import { openPdf } from '../reading/pdfjs.ts';
import { readDocument } from '../reading/read-document.ts';
import { isSame, type PageRange, printedOn } from './piece-check.ts';
import { CannotSplit, type SplitOptions, splitPdf } from './split-pdf.ts';
import { unlockPdf } from './unlock-pdf.ts';

const { signal } = new AbortController();

async function split(bytes: Uint8Array, ranges: readonly PageRange[], options: Partial<SplitOptions> = {}) {
  const pieces: Uint8Array[] = [];
  for await (const piece of splitPdf(bytes, ranges, { signal, ...options })) pieces.push(piece);
  return pieces;
}

/** The only piece of the first page, or of the pages of `range`. */
async function pieceOf(bytes: Uint8Array, range: PageRange = { from: 1, to: 1 }, options: Partial<SplitOptions> = {}) {
  const [piece] = await split(bytes, [range], options);
  if (piece === undefined) throw new Error('There is no piece');
  return piece;
}

async function pagesOf(bytes: Uint8Array, password?: string): Promise<readonly PageText[]> {
  const reading = await readDocument(bytes.slice(), { contentType: 'application/pdf', signal, password });
  if (!('document' in reading)) throw new Error(`It is unreadable: ${reading.unreadable}`);
  return reading.document.pages.map(({ packed }) => pageIn(packed));
}

const textsOf = async (bytes: Uint8Array) => (await pagesOf(bytes)).flatMap(({ runs }) => runs.map(({ text }) => text));

/** In turn, so that one thread reads them. */
async function pagesOfAll(pieces: readonly Uint8Array[]): Promise<(readonly PageText[])[]> {
  const pages: (readonly PageText[])[] = [];
  for (const piece of pieces) pages.push(await pagesOf(piece));
  return pages;
}

/** Every byte of a PDF as text, compressed ones too. */
function everythingIn(bytes: Uint8Array): string {
  const raw = Buffer.from(bytes).toString('latin1');
  const streams = Array.from(raw.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g), ([, data = '']) => {
    try {
      return inflateSync(Buffer.from(data, 'latin1')).toString('latin1');
    } catch {
      return '';
    }
  });
  return [raw, ...streams].join('\n');
}

/** Ranges of `each` pages that cover all `pages`. */
const ranges = (pages: number, each: number): PageRange[] =>
  Array.from({ length: Math.ceil(pages / each) }, (_, index) => ({
    from: index * each + 1,
    to: Math.min(pages, (index + 1) * each),
  }));

describe('a print file', () => {
  it('becomes pieces that hold the pages as they were', async () => {
    const bytes = await printFile({ pages: 10 });
    const pages = await pagesOf(bytes);
    const pieces = await split(bytes, [...ranges(10, 3), { from: 2, to: 9 }]);
    const cut = [pages.slice(0, 3), pages.slice(3, 6), pages.slice(6, 9), pages.slice(9), pages.slice(1, 9)];
    expect(await pagesOfAll(pieces)).toEqual(cut);
  });

  it('of many pages becomes as many pieces, none much larger than its page', async () => {
    const pages = breadth(20, 300);
    const bytes = await printFile({ pages, lines: 40 });
    const perPage = bytes.length / pages;
    const pieces = await split(bytes, ranges(pages, 1));
    expect(pieces).toHaveLength(pages);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(perPage + 2_000);
  });

  it('is split into the same bytes each time', async () => {
    const bytes = await printFile({ pages: 6 });
    const [first, second] = [await split(bytes.slice(), ranges(6, 2)), await split(bytes, ranges(6, 2))];
    expect(second).toEqual(first);
  });

  it('keeps how its pages are turned and cut, and what they have from the tree they hang in', async () => {
    const bytes = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [4 0 R] /Count 1 /Rotate 90 /MediaBox [0 0 300 400] /Resources << /Font << /F1 3 0 R >> >> >>',
      HELVETICA,
      '<< /Type /Pages /Parent 2 0 R /Kids [5 0 R] /Count 1 /CropBox [20 20 280 380] >>',
      '<< /Type /Page /Parent 4 0 R /Contents [6 0 R 7 0 R] /UserUnit 2 >>',
      { body: '', stream: 'BT /F1 12 Tf 100 200 Td' },
      { body: '', stream: '(Two parts) Tj ET' },
    ]);
    const before = await pagesOf(bytes);
    expect(before[0]?.runs).toMatchObject([{ text: 'Two parts' }]);
    expect(await pagesOf(await pieceOf(bytes))).toEqual(before);
  });
});

describe('a piece', () => {
  /** Three companies' pages, which all share one list of every picture and font in the file. */
  function sharedFile(): Uint8Array<ArrayBuffer> {
    const picture = (name: string): RawObject => ({
      body: '/Type /XObject /Subtype /Image /Width 60 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
      stream: name.padEnd(60),
    });
    const page = (company: number): RawObject | string =>
      `<< /Type /Page /Parent 2 0 R /Contents ${10 + company} 0 R /Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /P ${7 + company} 0 R /Dest [${7 + ((company + 1) % 3)} 0 R /Fit] >>] >>`;
    const content = (company: number): RawObject => ({
      body: '',
      stream: `/OC /Seen BDC q /Im${company} Do Q EMC ${textAt(`Page of company ${company}`, 36, 700)}`,
    });
    return rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [7 0 R 8 0 R 9 0 R] /Count 3 /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> /XObject << /Im0 4 0 R /Im#31 5 0 R /Im2 6 0 R >> /Properties << /Seen << /Next 7 0 R /Page [8 0 R 9 0 R] >> >> >> >>',
      HELVETICA,
      ...['logo of company 0', 'logo of company 1', 'logo of company 2'].map(picture),
      ...[0, 1, 2].map(page),
      ...[0, 1, 2].map(content),
    ]);
  }

  it('G32: holds nothing of the pages beside it: no text, no picture, no link', async () => {
    const everything = everythingIn(await pieceOf(sharedFile(), { from: 2, to: 2 }));
    expect(everything).toContain('Page of company 1');
    expect(everything).toContain('logo of company 1');
    expect(everything).not.toMatch(/company [02]/);
    expect(everything.match(/\/Type \/Page\b/g)).toHaveLength(1);
    expect(everything).not.toContain('/Annot');
  });

  it('keeps what an old drawing uses without a list of its own', async () => {
    const bytes = rawPages(
      [
        {
          content: '/Old Do',
          entries: '/Resources << /Font << /F1 3 0 R >> /XObject << /Old 4 0 R >> >>',
        },
      ],
      {
        further: [{ body: '/Type /XObject /Subtype /Form /BBox [0 0 612 792]', stream: textAt('Letterhead', 36, 700) }],
      },
    );
    expect(await textsOf(await pieceOf(bytes))).toEqual(['Letterhead']);
  });

  it('carries no script, no attached file, no action and no notes of other programs', async () => {
    const script = '<< /S /JavaScript /JS (app.alert\\("trap"\\)) >>';
    const attached = '<< /Type /Filespec /F (trap.exe) /EF << /F 4 0 R >> >>';
    const link = (rest: string) => `<< /Type /Annot /Subtype /Link /Rect [0 0 99 99] ${rest} >>`;
    const bytes = rawPages(
      [
        {
          content: `/OC /Trap BDC ${textAt('Plain page', 36, 700)} EMC`,
          entries: [
            '/AA << /O 5 0 R >> /Metadata 7 0 R /PieceInfo << /Trap << /Private (trap) >> >> /AF [6 0 R] /Thumb 4 0 R',
            '/Resources << /Font << /F1 3 0 R >> /Properties << /Trap << /Type /OCG /Name (x) /AF [6 0 R] /Metadata 7 0 R >> >> >>',
            `/Annots [${[
              link('/A 5 0 R'),
              link('/A << /S /Launch /F (trap.exe) >>'),
              link('/A << /S /GoToR /F (trap.pdf) /D [0 /Fit] >>'),
              link('/A << /S /URI /URI (javascript:trap\\(\\)) >>'),
              link('/A << /S /URI /URI (https://portal.example.com/help) /Next 5 0 R >> /AA << /E 5 0 R >>'),
              '<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS 6 0 R >>',
              '<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (trap) >>',
              '<< /Type /Annot /Subtype /Widget /FT /Btn /Rect [0 0 9 9] /A << /S /SubmitForm /F (http://trap.example.com) >> /AP << /N 8 0 R >> /F 4 >>',
            ].join(' ')}]`,
          ].join(' '),
        },
      ],
      {
        catalog:
          '/OpenAction 5 0 R /AA << /WC 5 0 R >> /Names << /JavaScript << /Names [(a) 5 0 R] >> /EmbeddedFiles << /Names [(trap) 6 0 R] >> >> /AF [6 0 R] /Outlines << /First << /Title (trap) /A 5 0 R >> >>',
        further: [
          { body: '/Type /EmbeddedFile', stream: 'trap in a file' },
          script,
          attached,
          { body: '/Type /Metadata /Subtype /XML', stream: '<trap/>' },
          {
            body: '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Metadata 7 0 R /AF [6 0 R] /OPI << /F (trap) >>',
            stream: '0 0 9 9 re S',
          },
        ],
      },
    );
    const piece = await pieceOf(bytes);
    const everything = everythingIn(piece);
    expect(everything.replace('/OC /Trap BDC', '').replace('/Trap 1', '')).not.toMatch(
      /trap\b(?! \d+ 0 R)|JavaScript|\/JS|\/AA|\/EF|Launch|SubmitForm|GoToR|OpenAction|Metadata|PieceInfo|Filespec|EmbeddedFile|\/Next/,
    );
    expect(everything).toContain('(https://portal.example.com/help)');
    expect(await textsOf(piece)).toEqual(['Plain page']);
  });

  it('shows what was filled in, which nobody can change any more', async () => {
    const appearance = (content: string): RawObject => ({
      body: '/Type /XObject /Subtype /Form /BBox [0 0 50 10] /Resources << /Font << /F1 3 0 R >> >>',
      stream: content,
    });
    const field = (rect: string, rest: string) => `<< /Type /Annot /Subtype /Widget /Rect [${rect}] /F 4 ${rest} >>`;
    const bytes = rawPages([{ content: textAt('EIN', 36, 700), entries: '/Annots [6 0 R 7 0 R 8 0 R 9 0 R]' }], {
      catalog: '/AcroForm << /Fields [6 0 R 7 0 R 8 0 R 9 0 R] /DA (/F1 10 Tf 0 g) /DR << /Font << /F1 3 0 R >> >> >>',
      further: [
        appearance(textAt('09-1234567', 0, 0, 10)),
        appearance(textAt('X', 0, 0, 10)),
        field('200 690 300 710', '/FT /Tx /T (ein) /V (09-1234567) /AP << /N 4 0 R >>'),
        field('200 600 250 610', '/FT /Btn /T (box) /AS /Yes /AP << /N << /Yes 5 0 R /Off 4 0 R >> >>'),
        field('200 500 300 520', '/FT /Tx /T (name) /DA (/F1 10 Tf 0 g) /V (Left to the viewer)'),
        field('200 400 300 420', '/FT /Tx /T (hidden) /V (Hidden) /AP << /N 4 0 R >>').replace('/F 4', '/F 2'),
      ],
    });
    const piece = await pieceOf(bytes);
    const runs = (await pagesOf(piece)).flatMap((page) => page.runs);
    expect(runs.map(({ text }) => text)).toEqual(['EIN', '09-1234567', 'X', 'Left to the viewer']);
    // Twice as large as drawn, as its field is.
    expect(runs[1]).toMatchObject({ x: 200, height: 20 });
    expect(runs[2]).toMatchObject({ x: 200, height: 10 });
    expect(everythingIn(piece)).not.toMatch(/Widget|AcroForm/);
  });

  it('hides the layers that were hidden', async () => {
    const bytes = rawPages(
      [
        {
          content: `/OC /Draft BDC ${textAt('Draft', 36, 700)} EMC /OC /Final BDC ${textAt('Final', 36, 600)} EMC`,
          entries: '/Resources << /Font << /F1 3 0 R >> /Properties << /Draft 4 0 R /Final 5 0 R >> >>',
        },
      ],
      {
        catalog: '/OCProperties << /OCGs [4 0 R 5 0 R 6 0 R] /D << /OFF [4 0 R] /Order [4 0 R 5 0 R] >> >>',
        further: ['Draft', 'Final', 'Unused'].map((name) => `<< /Type /OCG /Name (${name}) >>`),
      },
    );
    const everything = everythingIn(await pieceOf(bytes));
    const [, draft] = /(\d+) 0 obj\s*<<[^>]*\/Name \(Draft\)/.exec(everything) ?? [];
    expect(everything).toMatch(new RegExp(`/OFF \\[ ${draft} 0 R \\]`));
    expect(everything).not.toContain('Unused');
  });
});

describe('a locked PDF', () => {
  const locked = (pdfVersion: PrintFile['pdfVersion']) =>
    printFile({ pages: 3, password: 'sesame', ...(pdfVersion === undefined ? {} : { pdfVersion }) });

  it.each(breadth(['1.7ext3'] as const, ['1.3', '1.4', '1.6', '1.7', '1.7ext3'] as const))(
    'of version %s becomes open pieces',
    async (version) => {
      const bytes = await locked(version);
      const pages = await pagesOf(bytes, 'sesame');
      const piece = await pieceOf(bytes, { from: 2, to: 3 }, { password: 'sesame', pages: 3 });
      expect(await pagesOf(piece)).toEqual(pages.slice(1));
      expect(everythingIn(piece)).not.toContain('/Encrypt');
    },
  );

  /** Most programs keep the objects of a file in streams, and lock those. */
  async function lockedInStreams(userPassword: string): Promise<Uint8Array<ArrayBuffer>> {
    const document = await PDFDocument.load(await printFile({ pages: 3 }));
    document.encrypt({ userPassword, ownerPassword: 'another', permissions: {} });
    return new Uint8Array(await document.save());
  }

  itInFull('whose objects are in streams becomes open pieces', async () => {
    const bytes = await lockedInStreams('sesame');
    const pages = await pagesOf(bytes, 'sesame');
    const piece = await pieceOf(bytes, { from: 2, to: 3 }, { password: 'sesame', pages: 3 });
    expect(await pagesOf(piece)).toEqual(pages.slice(1));
    const open = await lockedInStreams('');
    expect(await pagesOf(await pieceOf(open, { from: 1, to: 3 }, { pages: 3 }))).toEqual(pages);
  });

  it('whose objects are in streams is kept without its password, and without what a guess could be tried at', async () => {
    const bytes = await lockedInStreams('sesame');
    const pages = await pagesOf(bytes, 'sesame');
    expect(await unlockPdf(bytes.slice(), 'wrong')).toEqual({ cannot: 'password' });
    for (const password of ['sesame', 'another']) {
      const unlocked = await unlockPdf(bytes.slice(), password);
      if (!('copy' in unlocked)) throw new Error(`It is not kept: ${unlocked.cannot}`);
      const copy = new Uint8Array(unlocked.copy);
      expect(await pagesOf(copy)).toEqual(pages);
      expect(everythingIn(copy)).not.toMatch(/\/Encrypt|\/Filter \/Standard/);
    }
  });

  it('that was cut off stays as it is', async () => {
    const bytes = await lockedInStreams('sesame');
    expect(await unlockPdf(bytes.slice(0, -40), 'sesame')).toEqual({ cannot: 'damaged' });
  });

  it('is not split without its password', async () => {
    const refusal = { name: 'CannotSplit', reason: 'password' };
    await expect(pieceOf(await locked('1.4'))).rejects.toMatchObject(refusal);
    await expect(pieceOf(await locked('1.4'), undefined, { password: 'no' })).rejects.toMatchObject(refusal);
  });

  it('that anybody may open needs none', async () => {
    const bytes = await printFile({ pages: 1, password: '' });
    expect(await textsOf(await pieceOf(bytes, undefined, { password: 'sesame' }))).toContain(companyOn(1));
  });
});

describe('a PDF that programs disagree about', () => {
  const page = (name: string, rest = '/Type /Page') =>
    `<< ${rest} /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${name} 0 R >>`;
  const file = (kids: string, count: number, ...more: (string | RawObject)[]) =>
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
      HELVETICA,
      ...more,
    ]);
  const content = (text: string): RawObject => ({ body: '', stream: textAt(text, 36, 700) });

  it.each([
    [
      'has pages that are not said to be pages',
      file('4 0 R 5 0 R', 2, page('6', ''), page('7', ''), content('A'), content('B')),
    ],
    ['has pages within the list of pages', file(`${page('4')} ${page('5')}`, 2, content('A'), content('B'))],
  ])('because it %s becomes pieces of the pages that were read', async (_, bytes) => {
    const pages = await pagesOf(bytes);
    expect(pages).toHaveLength(2);
    const pieces = await split(bytes, ranges(2, 1), { pages: 2 });
    expect(await pagesOfAll(pieces)).toEqual([pages.slice(0, 1), pages.slice(1)]);
  });

  it('because another page was put behind its end becomes pieces of the pages that were read', async () => {
    const bytes = rawPages(['Harbor', 'Acme'].map((name) => ({ content: textAt(name, 36, 700) })));
    const other = Buffer.from(
      '5 0 obj\n<< /Length 36 >>\nstream\nBT /F1 12 Tf 36 700 Td (Other) Tj ET \nendstream\nendobj\n',
    );
    const shadowed = new Uint8Array(Buffer.concat([bytes, other]));
    expect(await textsOf(shadowed)).toEqual(['Harbor', 'Acme']);
    expect(await textsOf(await pieceOf(shadowed, undefined, { pages: 2 }))).toEqual(['Harbor']);
  });

  it('is not split when other pages are seen than were read', async () => {
    const bytes = await printFile({ pages: 3 });
    await expect(pieceOf(bytes, undefined, { pages: 4 })).rejects.toMatchObject({ reason: 'damaged' });
  });
});

describe('a piece that is not what was read', () => {
  it('G32: is told from one that is, by its pages and by what stands on the first and the last', async () => {
    const bytes = await printFile({ pages: 9 });
    const [piece, other, shorter] = await split(bytes.slice(), [
      { from: 2, to: 4 },
      { from: 2, to: 5 },
      { from: 3, to: 4 },
    ]);
    const original = await openPdf(bytes.slice(), undefined).promise;
    const holds = async (made: Uint8Array | undefined, from: number, to: number) => {
      const piece = await openPdf((made ?? bytes).slice() as Uint8Array<ArrayBuffer>, undefined).promise;
      return isSame(await printedOn(piece, { from: 1, to: piece.numPages }), await printedOn(original, { from, to }));
    };
    expect(await holds(piece, 2, 4)).toBe(true);
    expect(await holds(other, 2, 4)).toBe(false);
    expect(await holds(shorter, 2, 4)).toBe(false);
    expect(await holds(piece, 3, 5)).toBe(false);
    expect(await holds(piece, 5, 7)).toBe(false);
  });
});

describe('what cannot be split', () => {
  it('is said to be damaged', async () => {
    const bytes = new TextEncoder().encode('%PDF-1.7\nIt was cut off');
    await expect(pieceOf(bytes)).rejects.toEqual(new CannotSplit('damaged'));
  });

  it('is said to be damaged when what a page is drawn with has no end', async () => {
    const further = Array.from({ length: 20_000 }, (_, at) => `<< /Next ${at + 5} 0 R >>`);
    const bytes = rawPages([{ content: '', entries: '/Group 4 0 R' }], { further });
    await expect(pieceOf(bytes)).rejects.toEqual(new CannotSplit('damaged'));
  });

  it('is given up when it fills the memory', async () => {
    const pictures = Array.from({ length: 100_000 }, (_, at) => `<< /A ${at} >>`);
    const bytes = rawPages([{ content: '' }], { further: pictures });
    await expect(pieceOf(bytes, undefined, { memoryBytes: 25 * 1024 * 1024 })).rejects.toEqual(
      new CannotSplit('tooLong'),
    );
  });

  it('is refused for pages that are not there', async () => {
    const bytes = await printFile({ pages: 3 });
    await expect(pieceOf(bytes, { from: 3, to: 4 })).rejects.toThrow('Pages 3 to 4 of 3');
  });
});

describe('splitting that nobody waits for', () => {
  it('ends', async () => {
    const abort = new AbortController();
    const pieces = splitPdf(await printFile({ pages: 20 }), ranges(20, 1), { signal: abort.signal });
    await pieces.next();
    abort.abort(new Error('The batch was discarded'));
    await expect(pieces.next()).rejects.toThrow('The batch was discarded');
  });

  it('ends when its pieces are no longer taken', async () => {
    const ended = vi.spyOn(Worker.prototype, 'terminate');
    const asked = vi.spyOn(Worker.prototype, 'postMessage');
    for await (const piece of splitPdf(await printFile({ pages: 20 }), ranges(20, 1), { signal })) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    // One of the two that splits or reads on is ended; the other may have answered all that it was asked, and is kept.
    expect(asked.mock.contexts.filter((thread) => ended.mock.contexts.includes(thread))).not.toEqual([]);
  });
});

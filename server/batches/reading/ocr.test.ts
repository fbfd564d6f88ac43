// Words of pictures: scans that lie any way in a PDF, and image files.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Thread, ThreadLimit } from '#server/platform/jobs/thread.ts';
import { type Bitmap, bitmapPage, bitsOf, gifOf, pngOf, WEBP_PAGE } from '#server/testing/bitmap-page.ts';
import { breadth } from '#server/testing/breadth.ts';
import { itInFull } from '#server/testing/narrowed.ts';
import { pictureBomb } from '#server/testing/pdf-bombs.ts';
import { type RawObject, rawPages } from '#server/testing/raw-pdf.ts';
import { imageHead } from './image-head.ts';
import { type RecognizedPage, recognizeImage, recognizeScans } from './ocr.ts';
import type { OcrAnswer, OcrQuestion, Word } from './ocr-thread.ts';
import type { PageText, PictureFault, TextRun } from './page-text.ts';
import { readDocument } from './read-document.ts';
import { WordReader } from './word-reader.ts';

const { signal } = new AbortController();
const LINES = ['HARBOR PAYROLL', 'TOTAL PAY', 'OTHER HARBOR', 'PARTLY HOTEL'];
const WORDS = ['HARBOR', 'PAYROLL', 'TOTAL', 'PAY', 'OTHER', 'HARBOR', 'PARTLY', 'HOTEL'];
const sheet = bitmapPage(LINES);
/** A GIF whose first frame, a sheet of 850 by 1,100 points, fills a part of its screen. */
const FRAMED = { screen: { width: 1_100, height: 1_500 }, left: 200, top: 300 };

const grayImage = ({ width, height, gray }: Bitmap): RawObject => ({
  body: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`,
  stream: gray,
});
const stencil = (bitmap: Bitmap): RawObject => ({
  body: `/Type /XObject /Subtype /Image /Width ${bitmap.width} /Height ${bitmap.height} /ImageMask true /BitsPerComponent 1`,
  stream: bitsOf(bitmap),
});
const bits = (bitmap: Bitmap): RawObject => ({
  body: `/Type /XObject /Subtype /Image /Width ${bitmap.width} /Height ${bitmap.height} /ColorSpace /DeviceGray /BitsPerComponent 1`,
  stream: bitsOf(bitmap),
});

const UPRIGHT = 'q 612 0 0 792 0 0 cm /Im Do Q';

/** A PDF of one page that draws the picture as `content` says. */
const scanned = (picture: RawObject, content = UPRIGHT, entries = '') =>
  rawPages([{ content, entries: `/Resources << /XObject << /Im 4 0 R >> >> ${entries}` }], { further: [picture] });

async function recognised(bytes: Uint8Array, pages: readonly number[] = [1]): Promise<RecognizedPage[]> {
  const found: RecognizedPage[] = [];
  for await (const page of recognizeScans(async () => bytes.slice(), pages, { signal })) found.push(page);
  return found;
}

async function onlyPage(bytes: Uint8Array): Promise<RecognizedPage> {
  const [page] = await recognised(bytes);
  if (page === undefined) throw new Error('There is no page');
  return page;
}

const textsOf = (runs: readonly TextRun[] | undefined) => (runs ?? []).map(({ text }) => text);
const wordsOf = (page: PageText | PictureFault) => (typeof page === 'string' ? [] : textsOf(page.runs));

describe('a scanned page', () => {
  const PICTURES: [string, RawObject][] = [
    ['in gray', grayImage(sheet)],
    ['as a stencil', stencil(sheet)],
    ['in black and white', bits(sheet)],
  ];
  it.each(breadth(PICTURES.slice(0, 1), PICTURES))(
    '%s is read, and its words stand where they are seen',
    async (_, picture) => {
      const bytes = scanned(picture);
      const reading = await readDocument(bytes.slice(), { contentType: 'application/pdf', signal });
      expect(reading).toMatchObject({ document: { withoutText: [1] } });
      const { text, turned } = await onlyPage(bytes);
      expect(textsOf(text.runs)).toEqual(WORDS);
      expect({ ...text, turned }).toMatchObject({ width: 612, height: 792, turned: 0 });
      // Drawn from 60 and 80 points at 100 to an inch, 28 points high.
      expect(text.runs[0]?.x).toBeCloseTo(43.2, -0.5);
      expect(text.runs[0]?.y).toBeCloseTo(57.6, -0.5);
      expect(text.runs[0]?.height).toBeCloseTo(20.2, -0.5);
    },
  );

  it('is read from the pieces in which the scanner left it', async () => {
    const [top, bottom] = [0, 1].map((half) => ({
      width: sheet.width,
      height: sheet.height / 2,
      gray: sheet.gray.subarray((half * sheet.gray.length) / 2, ((half + 1) * sheet.gray.length) / 2),
    })) as [Bitmap, Bitmap];
    const content = 'q 612 0 0 396 0 396 cm /Im Do Q q 612 0 0 396 0 0 cm /Below Do Q';
    const bytes = rawPages([{ content, entries: '/Resources << /XObject << /Im 4 0 R /Below 5 0 R >> >>' }], {
      further: [grayImage(top), grayImage(bottom)],
    });
    expect(textsOf((await onlyPage(bytes)).text.runs)).toEqual(WORDS);
  });

  const LAID: [string, string, string, number][] = [
    ['that the file turns upright', 'q 0 612 -792 0 792 0 cm /Im Do Q', '/MediaBox [0 0 792 612] /Rotate 90', 0],
    ['on its side', 'q 0 612 -792 0 792 0 cm /Im Do Q', '/MediaBox [0 0 792 612]', 90],
    ['on its other side', 'q 0 -612 792 0 0 612 cm /Im Do Q', '/MediaBox [0 0 792 612]', 270],
    ['upside down', 'q -612 0 0 -792 612 792 cm /Im Do Q', '', 180],
  ];
  it.each(breadth(LAID.slice(1, 2), LAID))('%s is read upright', async (_, content, entries, turned) => {
    const page = await onlyPage(scanned(grayImage(sheet), content, entries));
    expect({ ...page.text, turned: page.turned }).toMatchObject({ width: 612, height: 792, turned });
    expect(textsOf(page.text.runs)).toEqual(WORDS);
    expect(page.text.runs[0]?.x).toBeCloseTo(43.2, -0.5);
    expect(page.text.runs[0]?.y).toBeCloseTo(57.6, -0.5);
  });

  it('without a word has none, nor has a page without a picture', async () => {
    const blank = scanned(grayImage(bitmapPage([])));
    expect((await onlyPage(blank)).text).toEqual({ width: 612, height: 792, runs: [], blank: true });
    // Drawn, and no picture: something stands there.
    expect((await onlyPage(rawPages([{ content: '10 10 100 100 re f' }]))).text.blank).toBeUndefined();
    expect((await onlyPage(rawPages([{ content: '' }]))).text.runs).toEqual([]);
  });

  it('that cannot be decoded has no words, and the pages after it are read', async () => {
    const further: RawObject[] = [
      { ...grayImage(sheet), stream: 'cut', body: `${grayImage(sheet).body} /Filter /DCTDecode` },
    ];
    const bytes = rawPages(
      [4, 5].map((at) => ({ content: UPRIGHT, entries: `/Resources << /XObject << /Im ${at} 0 R >> >>` })),
      { further: [...further, grayImage(sheet)] },
    );
    const [first, second] = await recognised(bytes, [1, 2]);
    expect([textsOf(first?.text.runs), textsOf(second?.text.runs)]).toEqual([[], WORDS]);
    // Nobody knows what stands on it.
    expect(first?.text.blank).toBeUndefined();
  });

  itInFull('is looked at from one side where the pages before it could be read from none, until one can', async () => {
    const tries = vi.spyOn(WordReader.prototype, 'in');
    const bytes = rawPages(
      [4, 4, 4, 5, 4].map((at) => ({ content: UPRIGHT, entries: `/Resources << /XObject << /Im ${at} 0 R >> >>` })),
      { further: [grayImage(bitmapPage(['TOTAL'])), grayImage(sheet)] },
    );
    const counts: number[] = [];
    for await (const _ of recognizeScans(async () => bytes.slice(), [1, 2, 3, 4, 5], { signal }))
      counts.push(tries.mock.calls.length);
    tries.mockRestore();
    expect(counts).toEqual([4, 8, 9, 10, 14]);
  });

  it('is read no further when nobody waits for it', async () => {
    const abort = new AbortController();
    const pages = recognizeScans(async () => scanned(grayImage(sheet)), [1, 1], { signal: abort.signal });
    await pages.next();
    const next = pages.next();
    abort.abort(new Error('The batch was discarded'));
    await expect(next).rejects.toThrow('The batch was discarded');
    expect(textsOf((await onlyPage(scanned(grayImage(sheet)))).text.runs)).toEqual(WORDS);
  });
});

/** Pages that each draw the object of that number; the first picture is object 4. */
const scans = (pictures: readonly RawObject[], drawn: readonly number[]) =>
  rawPages(
    drawn.map((at) => ({ content: UPRIGHT, entries: `/Resources << /XObject << /Im ${at} 0 R >> >>` })),
    { further: pictures },
  );
const outcome = ({ text }: RecognizedPage) => text.unread ?? textsOf(text.runs).length;

/** Has the limit of time passed for some of what threads are asked, on the spot. */
function lateWhere(isLate: (asked: unknown) => boolean): void {
  const { ask } = Thread.prototype;
  vi.spyOn(Thread.prototype, 'ask').mockImplementation(async function (this: Thread<unknown, unknown>, input, options) {
    if (!isLate(input)) return ask.call(this, input, options);
    // A thread that is kept may answer within the shortest of limits.
    await ask.call(this, input, { ...options, withinMs: 0 }).catch(() => {});
    throw new ThreadLimit('time');
  });
}

describe('a page that cannot be recognised', () => {
  afterEach(() => vi.restoreAllMocks());

  it('G64: because it unpacks to more than any honest one, says so, and those around it are read', async () => {
    const bytes = scans([pictureBomb(), grayImage(sheet)], [5, 4, 5]);
    expect(bytes.length).toBeLessThan(100_000);
    expect((await recognised(bytes, [1, 2, 3])).map(outcome)).toEqual([8, 'tooLong', 8]);
  });

  itInFull(
    'G64: because its picture takes too long to unpack or to read, says so, and those around it are read',
    async () => {
      const bytes = scans([grayImage(sheet)], [4, 4, 4]);
      lateWhere((asked) => (asked as { scan?: number }).scan === 2);
      expect((await recognised(bytes, [1, 2, 3])).map(outcome)).toEqual([8, 'tooLong', 8]);
      vi.restoreAllMocks();
      let pictures = 0;
      lateWhere((asked) => {
        const isPicture = asked !== null && typeof asked === 'object' && 'sheet' in asked;
        pictures += Number(isPicture);
        return isPicture && pictures === 2;
      });
      // It is not looked at from its other sides as well.
      expect([(await recognised(bytes, [1, 2, 3])).map(outcome), pictures]).toEqual([[8, 'tooLong', 8], 3]);
    },
  );

  it('G64: in a file that takes too long to open is asked for once, and not for each page', async () => {
    let opened = 0;
    lateWhere((asked) => {
      const opens = asked !== null && typeof asked === 'object' && 'open' in asked;
      opened += Number(opens);
      return opens;
    });
    expect((await recognised(scans([grayImage(sheet)], [4, 4]), [1, 2])).map(outcome)).toEqual(['tooLong', 'tooLong']);
    expect(opened).toBe(1);
  });

  it('because nobody can open its file says that it is damaged', async () => {
    expect((await recognised(new TextEncoder().encode('%PDF-1.7 and no more'), [1])).map(outcome)).toEqual(['damaged']);
  });
});

describe('the thread of recognition', () => {
  it('G65: is ended where it takes more memory than it was given', async () => {
    const url = new URL('./ocr-thread.ts', import.meta.url);
    await using thread = new Thread<OcrQuestion, OcrAnswer>(url, { memoryBytes: 20 * 1024 * 1024 });
    await expect(thread.ask({ image: pngOf(sheet), orientation: 1 })).rejects.toThrow(ThreadLimit);
  });

  it('keeps the letters of a name that it is not sure of beside those that it is, never digits, and no specks', async () => {
    const word = (text: string, confidence: number, x: number, y = 100) => ({
      text,
      confidence,
      x,
      y,
      width: 60,
      height: 24,
    });
    vi.spyOn(Thread.prototype, 'ask').mockResolvedValue([
      word('Redtail', 17, 100),
      word('Solar', 97, 170),
      word('Installers', 96, 240),
      word('Co', 8, 310),
      word('smudge', 12, 700),
      word('11/27/2026', 30, 100, 160),
      word('Paid', 95, 170, 160),
      word('aw', 20, 600, 300),
      word('|', 92, 650, 300),
    ]);
    await using reader = new WordReader('one');
    const words = await reader.in({ image: new Uint8Array(1), orientation: 1 }, signal);
    vi.restoreAllMocks();
    expect(typeof words === 'string' ? words : words.map(({ text }) => text)).toEqual([
      'Redtail',
      'Solar',
      'Installers',
      'Co',
      'Paid',
    ]);
  });

  it('G65: takes the pictures of one who waits before the others of one who has many', async () => {
    const { ask } = Thread.prototype;
    const order: string[] = [];
    vi.spyOn(Thread.prototype, 'ask').mockImplementation(async (asked) => {
      order.push(new TextDecoder().decode((asked as OcrQuestion).image));
      return [];
    });
    await using hog = new WordReader('hog');
    await using other = new WordReader('other');
    const send = (by: WordReader, image: string) =>
      by.in({ image: new TextEncoder().encode(image), orientation: 1 }, signal);
    await Promise.all([...Array.from({ length: 40 }, (_, nth) => send(hog, `hog ${nth}`)), send(other, 'other')]);
    vi.restoreAllMocks();
    expect(Thread.prototype.ask).toBe(ask);
    expect(order.indexOf('other')).toBeLessThan(3);
    expect(order).toHaveLength(41);
  });
});

describe('an image file', () => {
  it('is read as a page as long as a sheet of paper, two at once one after the other', async () => {
    const [page, other] = await Promise.all([
      recognizeImage(pngOf(sheet), { signal }),
      recognizeImage(pngOf(bitmapPage(['TOTAL PAY'])), { signal }),
    ]);
    expect(page).toMatchObject({ width: 612, height: 792 });
    expect([wordsOf(page), wordsOf(other)]).toEqual([WORDS, ['TOTAL', 'PAY']]);
  });

  it('larger than any page, or that is none, is not opened', async () => {
    const huge = pngOf(sheet);
    new DataView(huge.buffer).setUint32(16, 60_000);
    expect(await recognizeImage(huge, { signal })).toBe('tooLong');
    for (const none of ['GIF89a', 'GIF89a and no picture', 'RIFF....WEBPVP9 and so on, and so on, and on', '']) {
      expect(await recognizeImage(new TextEncoder().encode(none), { signal })).toBe('damaged');
    }
  });

  itInFull('may be a GIF or a WebP', async () => {
    const whole = { width: 850, height: 1_100, points: 935_000, orientation: 1 };
    expect(imageHead(gifOf(sheet))).toEqual({ ...whole, around: [0, 0, 0, 0] });
    expect(imageHead(WEBP_PAGE)).toEqual(whole);
    const found = await recognizeImage(gifOf(sheet), { signal });
    expect(wordsOf(found)).toEqual(expect.arrayContaining(['PAYROLL', 'TOTAL', 'OTHER', 'PARTLY', 'HOTEL']));
    // The same words, from where the frame begins.
    const framed = await recognizeImage(gifOf(sheet, FRAMED), { signal });
    const pointsOf = (page: PageText | PictureFault, longer: number) =>
      (typeof page === 'string' ? [] : page.runs).map(({ text, x, y }) => [
        text,
        Math.round((x * longer) / 792),
        Math.round((y * longer) / 792),
      ]);
    expect(pointsOf(framed, 1_500)).toEqual(
      pointsOf(found, 1_100).map(([text, x, y]) => [text, Number(x) + 200, Number(y) + 300]),
    );
    expect(wordsOf(await recognizeImage(WEBP_PAGE, { signal }))).toEqual(WORDS.slice(0, 4));
  });

  it('of more frames than a page has points is not opened, however small its screen says it is', async () => {
    const frames = gifOf(bitmapPage([]), { frames: 50 });
    const view = new DataView(frames.buffer);
    view.setUint16(6, 1, true);
    view.setUint16(8, 1, true);
    expect(imageHead(frames)?.points).toBe(50 * 935_000);
    expect(await recognizeImage(frames, { signal })).toBe('tooLong');
    const wide = WEBP_PAGE.slice();
    new DataView(wide.buffer).setUint32(21, 0x0fff_ffff, true);
    expect(await recognizeImage(wide, { signal })).toBe('tooLong');
  });

  it('that is cut has no words it does not show', async () => {
    const cut = pngOf(sheet).slice(0, 60);
    expect(wordsOf(await recognizeImage(cut, { signal }))).toEqual([]);
  });
});

describe('an image file that lies', () => {
  const found = (count: number, confidence: number, text = 'Harbor'): Word[] =>
    Array.from({ length: count }, (_, nth) => ({ text, confidence, x: 100 + 70 * nth, y: 100, width: 60, height: 24 }));
  const [poor, worse, sure] = [found(10, 60), found(3, 60), found(10, 95)];
  const specks = [...found(2, 60), ...found(9, 60, 'a')];
  const png = pngOf(sheet);
  /** The head of a JPEG of 400 by 300 points, as a camera that was held so writes it, and whoever adds notes after that. */
  const photograph = (orientation: number, more = '') =>
    new Uint8Array(
      Buffer.from(`ffd8ffe1000c0112000300000001000${orientation}${more}ffc0000b08012c019001011100`, 'hex'),
    );

  /** Has these words recognised by how the picture is told to be turned, and says how it was. */
  function answering(answers: Readonly<Record<number, OcrAnswer>>): number[] {
    const asked: number[] = [];
    vi.spyOn(Thread.prototype, 'ask').mockImplementation(async (question) => {
      const { orientation } = question as OcrQuestion;
      asked.push(orientation);
      return answers[orientation] ?? [];
    });
    return asked;
  }

  const SIDES: [string, Uint8Array, Record<number, OcrAnswer>, number[], PictureFault | number][] = [
    ['that stands upright', png, { 1: sure }, [1], 0],
    ['without a word', png, {}, [1], 0],
    ['with specks alone', png, { 1: specks }, [1], 0],
    ['that is blurred', png, { 1: poor, 3: worse }, [1, 3], 0],
    ['upside down', png, { 1: worse, 3: sure }, [1, 3], 180],
    ['on its left side', png, { 1: worse, 3: worse, 6: sure }, [1, 3, 6], 90],
    ['on its right side', png, { 1: worse, 3: worse, 6: worse, 8: sure }, [1, 3, 6, 8], 270],
    ['that reads badly from all sides', png, { 1: poor, 3: poor, 6: poor, 8: poor }, [1, 3, 6, 8], 0],
    ['upside down in a camera that was on its side', photograph(6), { 6: worse, 8: sure }, [6, 8], 180],
    ['of a camera that was on its side, as a PNG', pngOf(sheet, { orientation: 6 }), { 6: sure }, [6], 0],
    ['of a camera that was on its side, with more notes', photograph(6, 'ffe10008687474703a2f'), { 6: sure }, [6], 0],
    ['on its side, and mirrored', photograph(5), { 5: worse, 7: worse, 2: worse, 4: sure }, [5, 7, 2, 4], 270],
    ['that ends what reads it from its other side', png, { 1: poor, 3: 'ended' }, [1, 3], 0],
    ['that ends what reads it', png, { 1: 'ended' }, [1], 'tooLong'],
  ];
  it.each(SIDES)('%s is looked at from no more sides than it takes', async (_, image, answers, sides, told) => {
    const asked = answering(answers);
    const page = await recognizeImage(image, { signal });
    expect([asked, typeof page === 'string' ? page : (page.turned ?? 0)]).toEqual([sides, told]);
  });

  it('by the notes of its camera is as large as browsers show it', () => {
    const shown = { width: 1_100, height: 850, points: 935_000, orientation: 8 };
    expect(imageHead(pngOf(sheet, { orientation: 8 }))).toEqual(shown);
    expect(imageHead(photograph(8))).toEqual({ width: 300, height: 400, points: 120_000, orientation: 8 });
  });

  it('on its side is a page as wide as it was high, with its words where they stand once it is turned', async () => {
    answering({ 1: worse, 3: worse, 6: sure });
    const page = await recognizeImage(png, { signal });
    expect(page).toMatchObject({ width: 792, height: 612, turned: 90 });
    const [run] = typeof page === 'string' ? [] : page.runs;
    // At 100 points, of 1,100 that are 792 of the page.
    expect([run?.text, Math.round(run?.x ?? 0), Math.round(run?.y ?? 0)]).toEqual(['Harbor', 72, 72]);
  });

  const PARTS: [string, Record<number, OcrAnswer>, number[]][] = [
    ['upright', { 1: sure }, [580.8, 792, 158.4, 211.2]],
    ['on its left side', { 1: worse, 3: worse, 6: sure }, [792, 580.8, 105.6, 158.4]],
    ['upside down', { 1: worse, 3: sure }, [580.8, 792, 79.2, 105.6]],
    ['on its right side', { 1: worse, 3: worse, 6: worse, 8: sure }, [792, 580.8, 211.2, 79.2]],
  ];
  it.each(PARTS)('%s, of a GIF that is larger, has its words where browsers show them', async (_, answers, places) => {
    const image = gifOf(sheet, FRAMED);
    const head = { width: 1_100, height: 1_500, points: 935_000, orientation: 1, around: [300, 50, 100, 200] };
    expect(imageHead(image)).toEqual(head);
    answering(answers);
    const page = await recognizeImage(image, { signal });
    if (typeof page === 'string') throw new Error(page);
    const [first] = page.runs;
    expect([page.width, page.height, first?.x, first?.y]).toEqual(places.map((place) => expect.closeTo(place)));
  });

  it('as a GIF whose screen is smaller than its first frame is as large as that frame', () => {
    const small = { ...FRAMED, screen: { width: 1, height: 1 } };
    expect(imageHead(gifOf(sheet, small))).toMatchObject({ width: 1_050, height: 1_400, around: [300, 0, 0, 200] });
  });

  it('costs one look where it is blank, dusty or a picture of something', async () => {
    const { width, height } = sheet;
    const shaded = (shade: (x: number, y: number) => number): Bitmap => {
      const gray = Uint8Array.from({ length: width * height }, (_, at) => shade(at % width, Math.floor(at / width)));
      return { width, height, gray };
    };
    let seed = 7;
    const dust = () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return (seed >>> 8) % 500 === 0 ? 0 : 255;
    };
    const hills = (x: number, y: number) => Math.round(128 + 100 * Math.sin(x / 90) * Math.cos(y / 120));
    const tries = vi.spyOn(WordReader.prototype, 'in');
    const counts: number[] = [];
    for (const bitmap of [bitmapPage([]), shaded(dust), shaded(hills)]) {
      const before = tries.mock.calls.length;
      await recognizeImage(pngOf(bitmap), { signal });
      counts.push(tries.mock.calls.length - before);
    }
    expect(counts).toEqual([1, 1, 1]);
  });
});

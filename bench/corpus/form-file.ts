// A print file of official-like forms: a blank that all of them are drawn with, fonts of its own, and a field for whatever was filled in.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  PDFArray,
  PDFDocument,
  type PDFFont,
  PDFHexString,
  PDFName,
  type PDFRef,
  PDFString,
  StandardFonts,
} from '@cantoo/pdf-lib';
import type { PageText, TextRun } from '#server/batches/reading/page-text.ts';
import { createRandom } from '../../demo/random.ts';
import { type Firm, makeWorld } from './companies.ts';
import { official941 } from './form-layouts.ts';

export const FORM_PAGES = 2;

/** As large as the official one's. */
const FONT_FILE = fileURLToPath(
  new URL('./standard_fonts/LiberationSans-Regular.ttf', import.meta.resolve('pdfjs-dist/package.json')),
);
/** What the file lists for all pages, and few of them use. */
const PICTURES = 20;
const PICTURE_SIDE = 120;
const [YEAR, QUARTER] = [2026, 3];

export type FormCompany = Pick<Firm, 'legal' | 'ein'>;

const keyOf = ({ text, x, y }: TextRun) => `${x} ${y} ${text}`;

/** The font that everything is drawn with, whole in the file. */
function embeddedFont({ context }: PDFDocument, metrics: PDFFont): PDFRef {
  const known = new Set(metrics.getCharacterSet());
  const bytes = Uint8Array.from({ length: 224 }, (_, index) => index + 32);
  const widths = [...new TextDecoder('windows-1252').decode(bytes)].map((letter) =>
    known.has(letter.codePointAt(0) ?? 0) ? Math.round(metrics.widthOfTextAtSize(letter, 1_000)) : 0,
  );
  const descriptor = context.register(
    context.obj({
      Type: 'FontDescriptor',
      FontName: 'FormSans',
      Flags: 32,
      FontBBox: [-544, -303, 1302, 980],
      ItalicAngle: 0,
      Ascent: 905,
      Descent: -212,
      CapHeight: 729,
      StemV: 80,
      FontFile2: context.register(context.flateStream(readFileSync(FONT_FILE))),
    }),
  );
  return context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'TrueType',
      BaseFont: 'FormSans',
      Encoding: 'WinAnsiEncoding',
      FirstChar: 32,
      LastChar: 255,
      Widths: widths,
      FontDescriptor: descriptor,
    }),
  );
}

/** Two pages of a form for each company, filled in. */
export async function formFile(companies: readonly FormCompany[]): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create();
  const { context } = document;
  const metrics = await document.embedFont(StandardFonts.Helvetica);
  const font = embeddedFont(document, metrics);
  const words = (text: string) => metrics.encodeText(text.replace(/[^\u0020-\u007e\u00a0-\u00ff‘’“”–—•]/gu, '-'));
  const shown = ({ text, height }: TextRun, x: number, y: number) =>
    `BT /F0 ${height} Tf ${x} ${y} Td ${words(text)} Tj ET`;

  const random = createRandom('form file');
  const { bureau, ...world } = makeWorld(random, 10);
  const drawn = companies.map(({ legal, ein }, nth) => {
    const firm = { id: nth, legal, ein, stateId: '', street: `${100 + nth} Harbor Street`, city: 'Columbus OH 43004' };
    const own = createRandom('form', `${nth}`);
    return official941.draw({
      firm,
      world: { ...world, bureau },
      random: own,
      year: YEAR,
      quarter: QUARTER,
      noId: false,
    });
  });
  const onEach = (page: number) => {
    const [one, ...others] = [drawn[0], drawn.at(-1)].map((pages) => new Set(pages?.[page]?.runs.map(keyOf)));
    return new Set([...(one ?? [])].filter((key) => others.every((other) => other.has(key))));
  };
  const printed = Array.from({ length: FORM_PAGES }, (_, page) => onEach(page));

  const blankOf = (page: PageText, keys: ReadonlySet<string>) => {
    const lines = page.runs.filter((run) => keys.has(keyOf(run)));
    const rules = Array.from({ length: 300 }, (_, line) => `36 ${30 + line * 2.4} m 576 ${30 + line * 2.4} l S`);
    const content = [
      '0.1 w 0.9 G',
      ...rules,
      ...lines.map((run) => shown(run, run.x, page.height - run.y - run.height * 0.8)),
    ].join('\n');
    const box = [0, 0, page.width, page.height];
    const resources = { Font: { F0: font } };
    return context.register(
      context.flateStream(content, { Type: 'XObject', Subtype: 'Form', BBox: box, Resources: resources }),
    );
  };
  const blanks = Object.fromEntries(
    (drawn[0] ?? []).map((page, index) => [`Blank${index}`, blankOf(page, printed[index] ?? new Set())]),
  );
  const pictures = Object.fromEntries(
    Array.from({ length: PICTURES }, (_, nth) => {
      const gray = Uint8Array.from({ length: PICTURE_SIDE ** 2 }, () => random.int(0, 255));
      const size = { Width: PICTURE_SIDE, Height: PICTURE_SIDE, BitsPerComponent: 8 };
      const dict = { Type: 'XObject', Subtype: 'Image', ColorSpace: 'DeviceGray', ...size };
      return [`Picture${nth}`, context.register(context.flateStream(gray, dict))];
    }),
  );
  const resources = context.register(context.obj({ Font: { F0: font }, XObject: { ...blanks, ...pictures } }));

  const fields = PDFArray.withContext(context);
  for (const [nth, pages] of drawn.entries()) {
    for (const [index, { width, height, runs }] of pages.entries()) {
      const page = document.addPage([width, height]);
      const filled = runs.filter((run) => !printed[index]?.has(keyOf(run)));
      const widgets = filled.map((run, field) => {
        const [left, bottom] = [run.x, height - run.y - run.height];
        const box = [0, 0, Math.max(20, run.width * 1.3), run.height * 1.3];
        const looks = context.flateStream(`/Tx BMC q ${shown(run, 0, run.height * 0.2)} Q EMC`, {
          Type: 'XObject',
          Subtype: 'Form',
          BBox: box,
          Resources: { Font: { F0: font } },
        });
        const widget = context.obj({
          Type: 'Annot',
          Subtype: 'Widget',
          FT: 'Tx',
          F: 4,
          T: PDFString.of(`form${nth}.page${index}.field${field}`),
          V: PDFHexString.fromText(run.text),
          DA: PDFString.of('/F0 9 Tf 0 g'),
          Rect: [left, bottom, left + (box[2] ?? 0), bottom + (box[3] ?? 0)],
          AP: { N: context.register(looks) },
        });
        return context.register(widget);
      });
      for (const widget of widgets) fields.push(widget);
      page.node.set(PDFName.Resources, resources);
      page.node.set(PDFName.Contents, context.register(context.flateStream(`q /Blank${index} Do Q`)));
      page.node.set(PDFName.of('Annots'), context.obj(widgets));
    }
  }
  const form = context.obj({ Fields: fields, DR: { Font: { F0: font } }, DA: PDFString.of('/F0 9 Tf 0 g') });
  document.catalog.set(PDFName.of('AcroForm'), context.register(form));
  return new Uint8Array(
    await document.save({ updateFieldAppearances: false, objectsPerTick: Number.POSITIVE_INFINITY }),
  );
}

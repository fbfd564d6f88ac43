// What lies on a page, such as filled-in fields and stamps, is drawn into its copy: it looks the same, and can do nothing any more.
import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject, type PDFRef, PDFStream } from '@cantoo/pdf-lib';
import type { CopiedObjects } from './copied-objects.ts';

const name = (text: string) => PDFName.of(text);

/** Notes, sounds, films and attached files are none of them: they are opened, and not seen. */
const DRAWN = new Set([
  ...['Widget', 'FreeText', 'Stamp', 'Ink', 'Line', 'Square', 'Circle', 'Polygon', 'PolyLine', 'Caret', 'Watermark'],
  ...['Highlight', 'Underline', 'Squiggly', 'StrikeOut', 'Redact'],
]);

/** The two flags by which an annotation is not shown. */
const NOT_SHOWN = 2 | 32;

type Box = readonly [left: number, bottom: number, right: number, top: number];

export interface DrawnAnnotation {
  readonly form: PDFRef;
  /** Where it stands on the page, as the operators of a page's content say it. */
  readonly placed: string;
}

export function shownAnnotations(page: PDFDict): PDFDict[] {
  const annotations = page.lookup(name('Annots'));
  if (!(annotations instanceof PDFArray)) return [];
  const all = annotations.asArray().map((_, index) => annotations.lookup(index));
  return all.filter(
    (annotation): annotation is PDFDict =>
      annotation instanceof PDFDict && ((numberOf(annotation.lookup(name('F'))) ?? 0) & NOT_SHOWN) === 0,
  );
}

export function drawnAnnotation(annotation: PDFDict, objects: CopiedObjects): DrawnAnnotation | undefined {
  const subtype = annotation.lookup(name('Subtype'));
  if (!(subtype instanceof PDFName) || !DRAWN.has(subtype.decodeText())) return undefined;
  const appearance = normalAppearance(annotation);
  const rect = boxOf(annotation.lookup(name('Rect')));
  const bounds = appearance === undefined ? undefined : boxOf(appearance.dict.lookup(name('BBox')));
  if (appearance === undefined || rect === undefined || bounds === undefined) return undefined;
  const placed = placing(bounds, numbersOf(appearance.dict.lookup(name('Matrix'))), rect);
  const copy = objects.copy(appearance);
  if (placed === undefined || !(copy instanceof PDFStream)) return undefined;
  copy.dict.set(name('Type'), name('XObject'));
  copy.dict.set(name('Subtype'), name('Form'));
  return { form: objects.target.register(copy), placed };
}

/** A link to a page of the web. Links within the file and to other files would lead to what is not there. */
export function webLink(annotation: PDFDict, objects: CopiedObjects): PDFDict | undefined {
  const action = annotation.lookup(name('A'));
  const uri =
    action instanceof PDFDict && action.lookup(name('S')) === name('URI') ? action.get(name('URI')) : undefined;
  const rect = boxOf(annotation.lookup(name('Rect')));
  const address = uri === undefined ? undefined : objects.copy(uri);
  if (annotation.lookup(name('Subtype')) !== name('Link') || rect === undefined || address === undefined)
    return undefined;
  if (!/^\W*(https?|mailto):/i.test(address.toString())) return undefined;
  return objects.target.obj({
    Type: 'Annot',
    Subtype: 'Link',
    Rect: [...rect],
    Border: [0, 0, 0],
    A: { S: 'URI', URI: address },
  });
}

/** How it looks when nobody touches it, in the state it is in. */
function normalAppearance(annotation: PDFDict): PDFStream | undefined {
  const appearances = annotation.lookup(name('AP'));
  const normal = appearances instanceof PDFDict ? appearances.lookup(name('N')) : undefined;
  const state = annotation.lookup(name('AS'));
  const shown = normal instanceof PDFDict && state instanceof PDFName ? normal.lookup(state) : normal;
  return shown instanceof PDFStream ? shown : undefined;
}

/** The appearance's own box, turned as its matrix says, fills the annotation's rectangle. */
function placing(bounds: Box, matrix: readonly number[] | undefined, rect: Box): string | undefined {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix ?? [];
  const [left, bottom, right, top] = bounds;
  const corners = [left, right].flatMap((x) =>
    [bottom, top].map((y) => [a * x + c * y + e, b * x + d * y + f] as const),
  );
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [x0, y0] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - x0, Math.max(...ys) - y0];
  if (width === 0 || height === 0) return undefined;
  const [across, up] = [(rect[2] - rect[0]) / width, (rect[3] - rect[1]) / height];
  return [across, 0, 0, up, rect[0] - x0 * across, rect[1] - y0 * up].map((part) => part.toFixed(4)).join(' ');
}

const numberOf = (object: PDFObject | undefined) => (object instanceof PDFNumber ? object.asNumber() : undefined);

function numbersOf(object: PDFObject | undefined): number[] | undefined {
  if (!(object instanceof PDFArray)) return undefined;
  const numbers = object.asArray().map((_, index) => numberOf(object.lookup(index)));
  return numbers.every((part) => part !== undefined) ? numbers : undefined;
}

function boxOf(object: PDFObject | undefined): Box | undefined {
  const [x1, y1, x2, y2] = numbersOf(object) ?? [];
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return undefined;
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

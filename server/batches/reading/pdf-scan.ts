// The pictures of a PDF's page, put together as they lie on it. Pages that were scanned are nothing but pictures.
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type Matrix, times } from './pdf-runs.ts';
import { OPS } from './pdfjs.ts';
import { drawn, type Picture, type PlacedPicture, type Raster } from './raster.ts';

/** The finest that recognition gains from, in points of the raster to a point of the page: 300 to an inch. */
const SCALE_MAX = 300 / 72;
const AREA_MAX = 12_000_000;

const PAINTS: ReadonlySet<number> = new Set([
  OPS.fill,
  OPS.eoFill,
  OPS.stroke,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
  OPS.shadingFill,
  OPS.showText,
  OPS.showSpacedText,
  OPS.paintImageXObjectRepeat,
  OPS.paintImageMaskXObjectGroup,
  OPS.paintImageMaskXObjectRepeat,
  OPS.paintInlineImageXObjectGroup,
  OPS.paintSolidColorImageMask,
]);

const PICTURES: ReadonlySet<number> = new Set([
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageMaskXObject,
]);

export interface Scan {
  readonly raster: Raster;
  /** How many lie on it. */
  readonly pictures: number;
  /** Points of the raster to a point of the page. */
  readonly scale: number;
  /** How much of the page they take, 1 being all of it; those that lie over one another count each. */
  readonly share: number;
}

/** Whether anything is painted on the page besides the pictures of `scan`: letters drawn as lines, frames, pictures that cannot be decoded. */
export async function paintsMore(page: PDFPageProxy, scan: Scan | undefined): Promise<boolean> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const pictures = fnArray.filter((operator) => PICTURES.has(operator)).length;
  if (pictures !== (scan?.pictures ?? 0)) return true;
  return fnArray.some((operator, index) => {
    if (operator === OPS.constructPath) return (argsArray[index] as readonly unknown[] | null)?.[0] !== OPS.endPath;
    return PAINTS.has(operator);
  });
}

/** Undefined when the page has no pictures. */
export async function scanOf(page: PDFPageProxy): Promise<Scan | undefined> {
  const view = page.getViewport({ scale: 1 });
  const pictures = await picturesOn(page, view.transform);
  if (pictures.length === 0) return undefined;
  const finest = Math.max(...pictures.map(({ picture, matrix: [a = 0, b = 0] }) => picture.width / Math.hypot(a, b)));
  const scale = Math.min(finest, SCALE_MAX, Math.sqrt(AREA_MAX / (view.width * view.height)));
  const areas = pictures.map(({ matrix: [a = 0, b = 0, c = 0, d = 0] }) => Math.abs(a * d - b * c));
  const share = areas.reduce((sum, area) => sum + area, 0) / (view.width * view.height);
  return { raster: drawn(pictures, view, scale), pictures: pictures.length, scale, share };
}

async function picturesOn(page: PDFPageProxy, view: Matrix): Promise<PlacedPicture[]> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const pictures: PlacedPicture[] = [];
  const outer: Matrix[] = [];
  let matrix = view;
  const enter = (inner: Matrix | null | undefined) => {
    outer.push(matrix);
    if (inner) matrix = times(matrix, inner);
  };
  const add = async (named: unknown, isStencil: boolean) => {
    const picture = pictureOf(typeof named === 'string' ? await decoded(page, named) : named, isStencil);
    if (picture !== undefined) pictures.push({ picture, matrix });
  };
  for (const [index, operator] of fnArray.entries()) {
    const args = argsArray[index] as readonly unknown[];
    if (operator === OPS.save) enter(undefined);
    else if (operator === OPS.paintFormXObjectBegin) enter(args[0] as Matrix | null);
    else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) matrix = outer.pop() ?? matrix;
    else if (operator === OPS.transform) matrix = times(matrix, args as Matrix);
    else if (operator === OPS.paintImageXObject || operator === OPS.paintInlineImageXObject) await add(args[0], false);
    else if (operator === OPS.paintImageMaskXObject) await add((args[0] as { data: unknown }).data ?? args[0], true);
  }
  return pictures;
}

/** Those that several pages share are kept apart. */
function decoded(page: PDFPageProxy, id: string): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  (id.startsWith('g_') ? page.commonObjs : page.objs).get(id, resolve);
  return promise;
}

const KINDS = [undefined, 'bits', 'rgb', 'rgba'] as const;

/** Undefined for what could not be decoded. */
function pictureOf(found: unknown, isStencil: boolean): Picture | undefined {
  const { width, height, data, kind } = (found ?? {}) as Partial<Picture> & { kind?: number };
  const form = isStencil ? 'stencil' : KINDS[kind ?? 0];
  if (width === undefined || height === undefined || data === undefined || form === undefined) return undefined;
  return { width, height, data, kind: form };
}

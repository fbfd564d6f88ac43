// The thread that reads one PDF: opened first, then asked for one page after another.
import type {
  PageViewport,
  PDFDocumentLoadingTask,
  PDFDocumentProxy,
  PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { packedPage, type ReadPage } from './packed-page.ts';
import type { Bookmark, PageText, TextRun } from './page-text.ts';
import { faultOfFile } from './pdf-faults.ts';
import { runIn, runOf, turnToRead } from './pdf-runs.ts';
import { paintsMore, type Scan, scanOf } from './pdf-scan.ts';
import { openPdf } from './pdfjs.ts';
import { isBare, isBlank } from './raster.ts';

export interface OpenQuestion {
  readonly open: Uint8Array;
  readonly password: string | undefined;
  readonly pagesMax: number;
}

/** `packed`: a page for whoever does not look at it. What crosses from the thread as objects is made again on the event loop. */
export type PdfQuestion =
  | OpenQuestion
  | { readonly page: number }
  | { readonly packed: number }
  | { readonly scan: number };

export interface OpenedPdf {
  readonly pages: number;
  readonly bookmarks: readonly Bookmark[];
}

export type PageSize = Pick<PageText, 'width' | 'height'>;

export type PdfAnswer =
  | { readonly opened: OpenedPdf }
  | { readonly page: PageText }
  | ReadPage
  | { readonly size: PageSize; readonly scan: Scan | undefined; readonly blank: boolean; readonly bare: boolean }
  | { readonly unreadable: 'password' | 'damaged' | 'tooManyPages' | 'tooLong' };

/** More than any table of contents that a person reads. */
const BOOKMARKS_MAX = 10_000;
/** A page of nothing but figures holds some 5,000. */
const RUNS_MAX = 50_000;

let opened: PDFDocumentLoadingTask | undefined;
let document: PDFDocumentProxy;
let isSound = true;

export async function work(question: PdfQuestion): Promise<PdfAnswer> {
  try {
    if ('open' in question) return await open(question);
    if ('packed' in question) return await packPage(question.packed);
    return 'page' in question ? await readPage(question.page) : await scanPage(question.scan);
  } catch (error) {
    isSound = false;
    return { unreadable: faultOfFile(error) };
  }
}

export async function forget(): Promise<boolean> {
  await opened?.destroy();
  opened = undefined;
  return isSound;
}

export const moved = (answer: PdfAnswer) =>
  'scan' in answer && answer.scan !== undefined ? [answer.scan.raster.gray.buffer] : [];

async function open(question: OpenQuestion): Promise<PdfAnswer> {
  // A thread that reads one PDF after another would keep them all.
  await opened?.destroy();
  opened = openPdf(question.open, question.password);
  document = await opened.promise;
  if (document.numPages > question.pagesMax) return { unreadable: 'tooManyPages' };
  return { opened: { pages: document.numPages, bookmarks: await bookmarks() } };
}

async function readPage(number: number): Promise<PdfAnswer> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  const texts = items.flatMap((item) => ('str' in item ? [item] : []));
  const seen = page.getViewport({ scale: 1 });
  const turned = turnToRead(texts, seen.transform);
  const view = turned === 0 ? seen : page.getViewport({ scale: 1, rotation: page.rotate + turned });
  const printed = texts.flatMap((text) => runOf(text, view.transform) ?? []);
  const runs = [...printed, ...(await filledIn(page, view))];
  page.cleanup();
  if (runs.length > RUNS_MAX) return { unreadable: 'tooLong' };
  const read = { width: view.width, height: view.height, runs };
  return { page: turned === 0 ? read : { ...read, turned } };
}

async function packPage(number: number): Promise<PdfAnswer> {
  const answer = await readPage(number);
  return 'page' in answer ? packedPage(answer.page) : answer;
}

async function scanPage(number: number): Promise<PdfAnswer> {
  const page = await document.getPage(number);
  const { width, height } = page.getViewport({ scale: 1 });
  const scan = await scanOf(page);
  const blank = scan === undefined || isBlank(scan.raster);
  const bare = !(await paintsMore(page, scan)) && (scan === undefined || isBare(scan.raster));
  page.cleanup();
  return { size: { width, height }, scan, blank, bare };
}

interface Annotation {
  readonly subtype?: string;
  readonly fieldType?: string;
  readonly fieldValue?: unknown;
  readonly checkBox?: boolean;
  readonly radioButton?: boolean;
  /** What the field is worth where this box of it is ticked. */
  readonly exportValue?: string;
  readonly buttonValue?: string;
  readonly contentsObj?: { readonly str: string };
  readonly annotationFlags?: number;
  readonly rect?: readonly number[];
}

/** The two flags of an annotation by which it is not shown. */
const NOT_SHOWN = 2 | 32;

/** What was typed into the page's form, or written over the page. */
async function filledIn(page: PDFPageProxy, view: PageViewport): Promise<TextRun[]> {
  const annotations = (await page.getAnnotations()) as readonly Annotation[];
  return annotations.flatMap((annotation) => {
    const text = ((annotation.annotationFlags ?? 0) & NOT_SHOWN) === 0 ? writtenIn(annotation).trim() : '';
    if (text === '' || annotation.rect === undefined) return [];
    return [runIn(annotation.rect, text, view.transform)];
  });
}

/** As a box is ticked by hand. */
const TICK = 'X';

function writtenIn(annotation: Annotation): string {
  const { subtype, fieldType, fieldValue, contentsObj } = annotation;
  if (subtype === 'FreeText') return contentsObj?.str ?? '';
  if (fieldType === 'Btn') return isTicked(annotation) ? TICK : '';
  if (fieldType !== 'Tx' && fieldType !== 'Ch') return '';
  return [fieldValue]
    .flat()
    .filter((value) => typeof value === 'string')
    .join(', ');
}

const isTicked = ({ checkBox, radioButton, fieldValue, exportValue, buttonValue }: Annotation) =>
  typeof fieldValue === 'string' &&
  ((checkBox === true && fieldValue === exportValue) || (radioButton === true && fieldValue === buttonValue));

type Outline = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>;

async function bookmarks(): Promise<Bookmark[]> {
  const found: Bookmark[] = [];
  const add = async (items: Outline, depth: number) => {
    for (const { title, dest, items: inner } of items ?? []) {
      const page = await pageOf(dest);
      if (found.length >= BOOKMARKS_MAX) return;
      if (page !== undefined) found.push({ title: title.trim(), page, depth });
      await add(inner, depth + 1);
    }
  };
  await add(await document.getOutline(), 0);
  return found;
}

type Reference = Parameters<PDFDocumentProxy['getPageIndex']>[0];

const isReference = (target: unknown): target is Reference =>
  typeof target === 'object' && target !== null && 'num' in target && 'gen' in target;

/** Undefined for what leads nowhere. */
async function pageOf(destination: string | readonly unknown[] | null): Promise<number | undefined> {
  try {
    const explicit = typeof destination === 'string' ? await document.getDestination(destination) : destination;
    const target: unknown = explicit?.[0];
    if (typeof target !== 'number' && !isReference(target)) return undefined;
    const index = typeof target === 'number' ? target : await document.getPageIndex(target);
    return index >= 0 && index < document.numPages ? index + 1 : undefined;
  } catch {
    return undefined;
  }
}

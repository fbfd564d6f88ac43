// The PDF that is split, opened so that its pages are those that were read.
import {
  ParseSpeeds,
  PDFContext,
  PDFDict,
  PDFDocument,
  PDFInvalidObject,
  PDFName,
  PDFRawStream,
  PDFTextField,
} from '@cantoo/pdf-lib';
import { DamagedPdf } from '../reading/pdf-faults.ts';
import { pagesIn } from './page-tree.ts';

export interface SourceOptions {
  readonly password: string | undefined;
  /** As many as were read of it. */
  readonly pages: number | undefined;
}

export interface SourcePdf {
  readonly catalog: PDFDict;
  readonly pages: readonly PDFDict[];
}

/** PDFs in which an object stands twice. */
const ambiguous = new WeakSet<PDFContext>();
const { assign } = PDFContext.prototype;
PDFContext.prototype.assign = function (ref, object) {
  if (this.lookup(ref) !== undefined) ambiguous.add(this);
  assign.call(this, ref, object);
};

/**
 * pdf-lib takes whatever stands last in a file, and the reader what the file's table of contents leads to. Where that may differ,
 * where an object is broken, and where pdf-lib finds other pages than were read, pdf.js, which reads, writes the file anew first.
 */
export async function openSource(bytes: Uint8Array<ArrayBuffer>, options: SourceOptions): Promise<SourcePdf> {
  const document = await loaded(bytes, options.password);
  const source = document === undefined || ambiguous.has(document.context) ? undefined : sourceOf(document, options);
  return source ?? (await rewritten(bytes, options));
}

/** The whole file without its password, which must be the right one; whatever belongs to it is in it. */
export async function unlockedCopy(bytes: Uint8Array<ArrayBuffer>, options: SourceOptions): Promise<Uint8Array> {
  const asItIs = await loaded(bytes, options.password);
  const holds = (document: PDFDocument | undefined) =>
    document !== undefined && !ambiguous.has(document.context) && pagesIn(document.catalog).length === options.pages
      ? document
      : undefined;
  const document = holds(asItIs) ?? holds(await loadedAnew(bytes, options));
  if (document === undefined) throw new DamagedPdf('It cannot be written without its password');
  forgetContainers(document.context);
  return await document.save({ updateFieldAppearances: false, objectsPerTick: Number.POSITIVE_INFINITY });
}

async function loaded(bytes: Uint8Array, given: string | undefined): Promise<PDFDocument | undefined> {
  // The empty password is that of files which anybody may open.
  for (const password of ['', ...(given === undefined ? [] : [given, asBytes(given)])]) {
    const document = (await load(bytes, password, 'whole')) ?? (await decrypted(bytes, password));
    if (document !== undefined) return document;
  }
  return undefined;
}

/** Newer files are locked by the bytes of a password, which pdf-lib takes for its letters. */
const asBytes = (password: string) => Buffer.from(password, 'utf8').toString('latin1');

async function load(bytes: Uint8Array, password: string, objects: 'whole' | 'any'): Promise<PDFDocument | undefined> {
  try {
    return await PDFDocument.load(bytes, {
      password,
      updateMetadata: false,
      preserveXFA: true,
      throwOnInvalidObject: objects === 'whole',
      parseSpeed: ParseSpeeds.Fastest,
    });
  } catch {
    // pdf.js says what is wrong with it.
    return undefined;
  }
}

/** A file that was cut off has no end. */
const END = /%%EOF\s*$/;
const END_BYTES = 1_024;
const CROSS_REFERENCES = /\/Type\s*\/XRef\b/;

/**
 * Most programs keep the objects of a locked file in streams. pdf-lib looks into them before it has the key, and takes its key to the
 * table of cross-references, which has none: whatever else is broken is broken.
 */
async function decrypted(bytes: Uint8Array, password: string): Promise<PDFDocument | undefined> {
  if (!END.test(Buffer.from(bytes.subarray(-END_BYTES)).toString('latin1'))) return undefined;
  const document = await load(bytes, password, 'any');
  if (document?.context.isDecrypted !== true) return undefined;
  for (const [ref, object] of document.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFInvalidObject)) continue;
    if (!CROSS_REFERENCES.test(writtenAs(object))) return undefined;
    document.context.delete(ref);
  }
  return document;
}

function writtenAs(object: PDFInvalidObject): string {
  const bytes = new Uint8Array(object.sizeInBytes());
  object.copyBytesInto(bytes, 0);
  return Buffer.from(bytes).toString('latin1');
}

/** Streams of objects that are objects of their own by now, tables that are written anew, and what a guess of the password is compared with. */
function forgetContainers(context: PDFContext): void {
  const is = (dict: PDFDict, key: string, value: string) => dict.get(PDFName.of(key)) === PDFName.of(value);
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    const isContainer =
      object instanceof PDFRawStream && (is(object.dict, 'Type', 'ObjStm') || is(object.dict, 'Type', 'XRef'));
    const isLock = object instanceof PDFDict && is(object, 'Filter', 'Standard') && object.has(PDFName.of('U'));
    if (isContainer || isLock) context.delete(ref);
  }
}

function sourceOf(document: PDFDocument, options: SourceOptions): SourcePdf | undefined {
  try {
    const pages = pagesIn(document.catalog);
    if (pages.length !== (options.pages ?? pages.length)) return undefined;
    drawFields(document);
    return { catalog: document.catalog, pages };
  } catch {
    return undefined;
  }
}

async function rewritten(bytes: Uint8Array<ArrayBuffer>, options: SourceOptions): Promise<SourcePdf> {
  const again = await loadedAnew(bytes, options);
  const source = again === undefined ? undefined : sourceOf(again, options);
  if (source === undefined) throw new DamagedPdf('It cannot be written anew');
  return source;
}

async function loadedAnew(bytes: Uint8Array<ArrayBuffer>, options: SourceOptions): Promise<PDFDocument | undefined> {
  // Seldom needed, and large.
  const { openPdf } = await import('../reading/pdfjs.ts');
  const task = openPdf(bytes, options.password);
  const document = await task.promise;
  // It would forget which layers are hidden.
  const hidden = Array.from(await document.getOptionalContentConfig()).some(([, { visible }]) => !visible);
  const anew = hidden ? null : await document.extractPages([{ document: null }]);
  await task.destroy();
  return anew === null ? undefined : await loaded(anew, options.password);
}

/** What the font of drawn fields has letters for. */
const NO_LETTER = /[^\x20-\x7e\n\u00a0-\u00ff]/gu;

/** Some programs fill a form in and leave it to the viewer to draw what they wrote. */
function drawFields(document: PDFDocument): void {
  if (!document.catalog.has(PDFName.of('AcroForm'))) return;
  const form = document.getForm();
  for (const field of form.getFields()) {
    if (!(field instanceof PDFTextField) || !field.needsAppearancesUpdate()) continue;
    const text = field.getText();
    if (text === undefined || text === '') continue;
    field.setText(text.replace(NO_LETTER, '?'));
    field.defaultUpdateAppearances(form.getDefaultFont());
  }
}

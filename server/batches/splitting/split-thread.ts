// The thread that splits one PDF: opened first, then asked for one range of pages after another.
import { PDFContext, PDFWriter } from '@cantoo/pdf-lib';
import { giveBack } from '#server/platform/jobs/give-back.ts';
import { faultOfFile } from '../reading/pdf-faults.ts';
import { openPdf } from '../reading/pdfjs.ts';
import { copiedLayers } from './copied-layers.ts';
import { CopiedObjects } from './copied-objects.ts';
import { copyPage } from './copied-page.ts';
import { inflateInPlace } from './inflating.ts';
import { type PageRange, type Printed, printedOn } from './piece-check.ts';
import { openSource, type SourceOptions, type SourcePdf } from './source-pdf.ts';

export type SplitQuestion = (SourceOptions & { readonly open: Uint8Array<ArrayBuffer> }) | PageRange;

export type SplitAnswer =
  | { readonly pages: number }
  | { readonly piece: Uint8Array; readonly printed: Printed }
  | { readonly unreadable: 'password' | 'damaged' };

inflateInPlace();

let source: SourcePdf | undefined;
let isSound = true;

export async function work(question: SplitQuestion): Promise<SplitAnswer> {
  try {
    if ('from' in question) {
      if (source === undefined) throw new Error('No file is open');
      const piece = await pieceOf(source, question);
      return { piece, printed: await readBack(piece) };
    }
    source = await openSource(question.open, question);
    // Its objects hold what they need of it, in copies.
    giveBack(question.open);
    return { pages: source.pages.length };
  } catch (error) {
    isSound = false;
    return { unreadable: faultOfFile(error) };
  }
}

export async function forget(): Promise<boolean> {
  source = undefined;
  return isSound;
}

export const moved = (answer: SplitAnswer) => ('piece' in answer ? [answer.piece.buffer as ArrayBuffer] : []);

async function readBack(piece: Uint8Array): Promise<Printed> {
  const task = openPdf(piece.slice(), undefined, { lettersAlone: true });
  try {
    const made = await task.promise;
    return await printedOn(made, { from: 1, to: made.numPages });
  } finally {
    await task.destroy();
  }
}

async function pieceOf({ catalog, pages }: SourcePdf, { from, to }: PageRange): Promise<Uint8Array> {
  if (from < 1 || to < from || to > pages.length) throw new RangeError(`Pages ${from} to ${to} of ${pages.length}`);
  const target = PDFContext.create();
  const objects = new CopiedObjects(catalog.context, target);
  const tree = target.nextRef();
  const kids = pages.slice(from - 1, to).map((page) => target.register(copyPage(page, tree, objects)));
  target.assign(tree, target.obj({ Type: 'Pages', Kids: kids, Count: kids.length }));
  const layers = copiedLayers(catalog, objects);
  const root = target.obj({ Type: 'Catalog', Pages: tree, ...(layers === undefined ? {} : { OCProperties: layers }) });
  target.trailerInfo.Root = target.register(root);
  return await PDFWriter.forContext(target, Number.POSITIVE_INFINITY).serializeToBuffer();
}

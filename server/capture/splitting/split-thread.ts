// The thread that splits one PDF: opened first, then asked for one range of pages after another.
import { PDFContext, PDFWriter } from '@cantoo/pdf-lib';
import { faultOfFile } from '../reading/pdf-faults.ts';
import { copiedLayers } from './copied-layers.ts';
import { CopiedObjects } from './copied-objects.ts';
import { copyPage } from './copied-page.ts';
import { PieceCheck } from './piece-check.ts';
import { openSource, type SourceOptions, type SourcePdf } from './source-pdf.ts';

export interface PageRange {
  /** The first page being 1, both inclusive. */
  readonly from: number;
  readonly to: number;
}

export type SplitQuestion = (SourceOptions & { readonly open: Uint8Array<ArrayBuffer> }) | PageRange;

export type SplitAnswer =
  | { readonly pages: number }
  | { readonly piece: Uint8Array; readonly holds: boolean }
  | { readonly unreadable: 'password' | 'damaged' };

let source: SourcePdf | undefined;
let check: PieceCheck | undefined;
let isSound = true;

export async function work(question: SplitQuestion): Promise<SplitAnswer> {
  try {
    if ('from' in question) {
      if (source === undefined || check === undefined) throw new Error('No file is open');
      const piece = await pieceOf(source, question);
      return { piece, holds: await check.holds(piece, question) };
    }
    check = new PieceCheck(question.open.slice(), question.password);
    source = await openSource(question.open, question);
    return { pages: source.pages.length };
  } catch (error) {
    isSound = false;
    return { unreadable: faultOfFile(error) };
  }
}

export async function forget(): Promise<boolean> {
  await check?.close();
  source = undefined;
  check = undefined;
  return isSound;
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

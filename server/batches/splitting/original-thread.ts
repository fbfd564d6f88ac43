// The thread that reads the file that is split, beside the one that splits it: what its pieces are compared with.
import type { PDFDocumentLoadingTask } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { faultOfFile } from '../reading/pdf-faults.ts';
import { openPdf } from '../reading/pdfjs.ts';
import { type PageRange, type Printed, printedOn } from './piece-check.ts';

export type OriginalQuestion =
  | { readonly open: Uint8Array<ArrayBuffer>; readonly password: string | undefined }
  | PageRange;

export type OriginalAnswer = { readonly printed: Printed | null } | { readonly unreadable: 'password' | 'damaged' };

let original: PDFDocumentLoadingTask | undefined;
let isSound = true;

export async function work(question: OriginalQuestion): Promise<OriginalAnswer> {
  try {
    if ('from' in question) {
      if (original === undefined) throw new Error('No file is open');
      return { printed: await printedOn(await original.promise, question) };
    }
    original = openPdf(question.open, question.password, { lettersAlone: true });
    // Whether it can be opened is asked with the first pages: until then, who splits it says what is wrong with it.
    original.promise.catch(() => {});
    return { printed: null };
  } catch (error) {
    isSound = false;
    return { unreadable: faultOfFile(error) };
  }
}

export async function forget(): Promise<boolean> {
  await original?.destroy();
  original = undefined;
  return isSound;
}

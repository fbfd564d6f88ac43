// pdf.js inside a thread: it reads and never draws, runs no script and fetches nothing.
import { fileURLToPath } from 'node:url';
import type * as PdfJs from 'pdfjs-dist/legacy/build/pdf.mjs';

/** What only drawing uses. Without them pdf.js looks for a native module and warns that there is none. */
class Unused {}
Object.assign(globalThis, { DOMMatrix: Unused, Path2D: Unused });

/**
 * As browsers get it: each thread keeps the text of both modules, at two bytes a letter, since not all of them are Latin. With comments and long names
 * that is 7 MB, without them 4.
 */
const buildOf = (name: 'pdf' | 'pdf.worker') => import.meta.resolve(`pdfjs-dist/legacy/build/${name}.min.mjs`);
const pdfJs: typeof PdfJs = await import(buildOf('pdf'));
const { getDocument, GlobalWorkerOptions, OPS, PasswordResponses, VerbosityLevel } = pdfJs;
GlobalWorkerOptions.workerSrc = buildOf('pdf.worker');

const dataOf = (folder: string) =>
  fileURLToPath(new URL(`./${folder}/`, import.meta.resolve('pdfjs-dist/package.json')));
const STANDARD_FONTS = dataOf('standard_fonts');
const CMAPS = dataOf('cmaps');
const DECODERS = dataOf('wasm');

export { OPS };

/**
 * `bytes` are gone afterwards. A password is given to files that ask for one, once. `lettersAlone`: nobody asks where they stand, nor how they are drawn, so that
 * the fonts which every reader has are not loaded; each document would load them anew.
 */
export function openPdf(
  bytes: Uint8Array,
  password: string | undefined,
  { lettersAlone = false } = {},
): PdfJs.PDFDocumentLoadingTask {
  const task = getDocument({
    data: bytes,
    verbosity: VerbosityLevel.ERRORS,
    standardFontDataUrl: STANDARD_FONTS,
    cMapUrl: CMAPS,
    wasmUrl: DECODERS,
    useWorkerFetch: false,
    disableFontFace: true,
    useSystemFonts: lettersAlone,
    enableXfa: false,
  });
  if (password !== undefined) {
    task.onPassword = (answer: (password: string | Error) => void, reason: number) =>
      answer(reason === PasswordResponses.NEED_PASSWORD ? password : new Error('The password is wrong'));
  }
  return task;
}

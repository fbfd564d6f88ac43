// pdf.js inside a thread: it reads and never draws, runs no script and fetches nothing.
import { fileURLToPath } from 'node:url';
import type { PDFDocumentLoadingTask } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** What only drawing uses. Without them pdf.js looks for a native module and warns that there is none. */
class Unused {}
Object.assign(globalThis, { DOMMatrix: Unused, Path2D: Unused });
const { getDocument, OPS, PasswordResponses, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs');

const dataOf = (folder: string) =>
  fileURLToPath(new URL(`./${folder}/`, import.meta.resolve('pdfjs-dist/package.json')));
const STANDARD_FONTS = dataOf('standard_fonts');
const CMAPS = dataOf('cmaps');
const DECODERS = dataOf('wasm');

export { OPS };

/** `bytes` are gone afterwards. A password is given to files that ask for one, once. */
export function openPdf(bytes: Uint8Array, password: string | undefined): PDFDocumentLoadingTask {
  const task = getDocument({
    data: bytes,
    verbosity: VerbosityLevel.ERRORS,
    standardFontDataUrl: STANDARD_FONTS,
    cMapUrl: CMAPS,
    wasmUrl: DECODERS,
    useWorkerFetch: false,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
  });
  if (password !== undefined) {
    task.onPassword = (answer: (password: string | Error) => void, reason: number) =>
      answer(reason === PasswordResponses.NEED_PASSWORD ? password : new Error('The password is wrong'));
  }
  return task;
}

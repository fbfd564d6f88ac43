// pdf.js inside a thread: it reads and never draws, runs no script and fetches nothing.
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { PDFDocumentLoadingTask } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** What only drawing uses. Without them pdf.js looks for a native module and warns that there is none. */
class Unused {}

/** What one stream of a PDF may grow to at once: where it grows further, pdf.js inflates it piece by piece, and its thread is watched. */
const INFLATED_MAX = 32 * 1024 * 1024;

const INFLATE = new Map([
  ['deflate-raw', inflateRawSync],
  ['brotli', brotliDecompressSync],
]);

/**
 * pdf.js inflates each stream by one of these, and a form has a hundred on a page: through the platform's, each waits for another thread,
 * and takes longer than the inflating. What throws here is inflated by pdf.js itself.
 */
class Inflating {
  readonly readable: AsyncIterable<Uint8Array>;
  readonly writable: { getWriter(): unknown };

  constructor(format: string) {
    const inflate = INFLATE.get(format) ?? inflateSync;
    const given = Promise.withResolvers<Uint8Array>();
    this.writable = {
      getWriter: () => ({
        ready: Promise.resolve(),
        write: async (bytes: Uint8Array) => given.resolve(bytes),
        close: async () => {},
      }),
    };
    this.readable = {
      async *[Symbol.asyncIterator]() {
        yield inflate(await given.promise, { maxOutputLength: INFLATED_MAX });
      },
    };
  }
}
Object.assign(globalThis, { DOMMatrix: Unused, Path2D: Unused, DecompressionStream: Inflating });
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

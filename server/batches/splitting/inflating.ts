// How pdf.js inflates in the thread that reads pieces back: in place. Through the platform's stream each waits for another thread, and a form
// has a hundred of them on a page.
import { decodePDFRawStream, PDFContext, PDFName, PDFRawStream } from '@cantoo/pdf-lib';

const context = PDFContext.create();

function inflated(bytes: Uint8Array): Uint8Array {
  const dict = context.obj({});
  dict.set(PDFName.of('Filter'), PDFName.FlateDecode);
  return decodePDFRawStream(PDFRawStream.of(dict, bytes)).decode();
}

/** As much of a `DecompressionStream` as pdf.js uses. What throws here is inflated by pdf.js itself. */
class InflatingInPlace {
  readonly writable: { getWriter(): unknown };
  readonly readable: AsyncIterable<Uint8Array>;

  constructor(format: string) {
    if (format !== 'deflate') throw new TypeError(`Inflates no ${format}`);
    const given = Promise.withResolvers<Uint8Array>();
    const write = async (bytes: Uint8Array) => given.resolve(bytes);
    this.writable = { getWriter: () => ({ ready: Promise.resolve(), write, close: async () => {} }) };
    this.readable = {
      async *[Symbol.asyncIterator]() {
        yield inflated(await given.promise);
      },
    };
  }
}

export function inflateInPlace(): void {
  Object.assign(globalThis, { DecompressionStream: InflatingInPlace });
}

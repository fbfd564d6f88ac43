// A TIFF, the format of scanners: its pages as a PDF, which is read, split, released and looked at like any other.
import { movable, Thread, ThreadLimit } from '#server/platform/jobs/thread.ts';
import type { TiffReason } from './tiff-file.ts';
import type { PdfOfTiff } from './tiff-pdf.ts';
import type { TiffAnswer } from './tiff-thread.ts';

export const TIFF = 'image/tiff';

const THREAD = new URL('./tiff-thread.ts', import.meta.url);
/** Longer than 2,000 honest pages take, which are hardly unpacked. */
const PROCESSOR_MS = 120_000;
/** Beside the bytes and what is made of them: one page unpacked, and packed again. */
const MEMORY_BYTES = 640 * 1024 * 1024;

/** `tooLong`: it takes more time or memory than any honest one. */
export type TiffPages = PdfOfTiff | { readonly unreadable: TiffReason | 'tooLong' };

/** `bytes` are gone from this side afterwards. */
export async function tiffPages(bytes: Uint8Array, signal: AbortSignal): Promise<TiffPages> {
  await using thread = new Thread<Uint8Array, TiffAnswer>(THREAD, {
    signal,
    memoryBytes: MEMORY_BYTES + 2 * bytes.length,
  });
  try {
    const sent = movable(bytes);
    return await thread.ask(sent, { processorMs: PROCESSOR_MS, transfer: [sent.buffer] });
  } catch (error) {
    if (error instanceof ThreadLimit) return { unreadable: 'tooLong' };
    throw error;
  }
}

export const pdfName = (name: string) => `${name.replace(/\.tiff?$/i, '')}.pdf`;

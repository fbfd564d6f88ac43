// The thread that writes a TIFF as a PDF.
import { TiffFault } from './tiff-file.ts';
import { tiffToPdf } from './tiff-pdf.ts';

export type TiffAnswer = { readonly pdf: Uint8Array } | { readonly unreadable: TiffFault['reason'] };

export async function work(bytes: Uint8Array): Promise<TiffAnswer> {
  try {
    return { pdf: await tiffToPdf(bytes) };
  } catch (error) {
    if (error instanceof TiffFault) return { unreadable: error.reason };
    throw error;
  }
}

// The thread that writes a TIFF as a PDF.
import { TiffFault, type TiffReason } from './tiff-file.ts';
import { type PdfOfTiff, tiffToPdf } from './tiff-pdf.ts';

export type TiffAnswer = PdfOfTiff | { readonly unreadable: TiffReason };

export async function work(bytes: Uint8Array): Promise<TiffAnswer> {
  try {
    return await tiffToPdf(bytes);
  } catch (error) {
    if (error instanceof TiffFault) return { unreadable: error.reason };
    throw error;
  }
}

// What recognition finds in files of a disk, without a server: read within the limits of batches, and proposed by what is known.
import { open, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { BATCH_PAGES_MAX, BATCH_PIECES_MAX, type UnreadableReason } from '#contract/batch-words.ts';
import { decideContentType } from '../platform/blobs/content-type.ts';
import { type FileReading, type FileToRead, NOTHING_READ, READ_BYTES_MAX, readBatchFile } from './batch-reading.ts';
import { pdfName, TIFF, type TiffPages, tiffPages } from './reading/tiff-pages.ts';
import { Recogniser } from './recogniser.ts';
import type { Known, ProposedDocument } from './recognition/proposal.ts';

/** As much of a file tells what it is. */
const HEAD_BYTES = 4_100;

export interface FoundInFile {
  readonly path: string;
  readonly pages: number;
  readonly unreadable: UnreadableReason | null;
  readonly documents: readonly ProposedDocument[];
}

/** As one batch, since what stands on most pages of all is nobody's. Rejects where a file cannot be opened. */
export async function readFiles(
  paths: readonly string[],
  known: Known,
  { ocr, signal }: { readonly ocr: boolean; readonly signal: AbortSignal },
): Promise<FoundInFile[]> {
  await using recogniser = new Recogniser(signal);
  let [pagesMost, piecesMost] = [BATCH_PAGES_MAX, BATCH_PIECES_MAX];
  const readings: FileReading[] = [];
  for (const [index, path] of paths.entries()) {
    const { file, pages } = await fileAt(path, signal);
    const blobs = { read: async () => (pages !== null && 'pdf' in pages ? Buffer.from(pages.pdf) : readFile(path)) };
    const limits = { pagesMost, piecesMost, ocr, turn: '', signal, onProgress: () => {} };
    const reading =
      pages !== null && 'unreadable' in pages
        ? { ...NOTHING_READ, unreadable: pages.unreadable }
        : await readBatchFile(blobs, file, limits);
    pagesMost -= reading.pages.length;
    piecesMost -= reading.pieces;
    await recogniser.add({ id: index, name: file.name }, reading);
    readings.push(reading);
  }
  const proposed = await recogniser.propose(known);
  return paths.map((path, index) => ({
    path,
    pages: readings[index]?.pages.length ?? 0,
    unreadable: readings[index]?.unreadable ?? null,
    documents: proposed.filter(({ fileKey }) => fileKey === index),
  }));
}

/** As a batch would have it; `pages`: of a TIFF. */
async function fileAt(
  path: string,
  signal: AbortSignal,
): Promise<{ readonly file: FileToRead; readonly pages: TiffPages | null }> {
  await using opened = await open(path);
  const { size } = await opened.stat();
  const head = Buffer.alloc(Math.min(size, HEAD_BYTES));
  await opened.read(head, 0, head.length, 0);
  const name = basename(path);
  const contentType = await decideContentType(head, size, name);
  const file = { name, contentType, sizeBytes: size, storageKey: path, sha256: '' };
  if (contentType !== TIFF || size > READ_BYTES_MAX) return { file, pages: null };
  const pages = await tiffPages(new Uint8Array(await readFile(path)), signal);
  if ('unreadable' in pages) return { file, pages };
  return {
    file: { ...file, name: pdfName(name), contentType: 'application/pdf', sizeBytes: pages.pdf.length },
    pages,
  };
}

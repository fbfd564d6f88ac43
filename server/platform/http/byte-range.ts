// Which part of a file a `Range` header asks for (RFC 9110, section 14).
import type { BlobSpan } from '../blobs/blob-store.ts';

const ONE_RANGE = /^\s*bytes\s*=\s*(?:(\d+)\s*-\s*(\d*)|-\s*(\d+))\s*$/i;

/**
 * The span asked for, cut to the file; `whole` for no range, several ranges, another unit or a faulty header, all of which
 * HTTP has answered with the whole file; `outside` when no byte of the file is in the range.
 */
export function chooseSpan(rangeHeader: string | undefined, sizeBytes: number): BlobSpan | 'whole' | 'outside' {
  const match = rangeHeader === undefined ? null : ONE_RANGE.exec(rangeHeader);
  if (!match) return 'whole';
  const [, first = '', last = '', suffix = ''] = match;
  if (suffix !== '') {
    const lengthBytes = Math.min(Number(suffix), sizeBytes);
    return lengthBytes === 0 ? 'outside' : { start: sizeBytes - lengthBytes, end: sizeBytes - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'whole';
  if (start >= sizeBytes) return 'outside';
  return { start, end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
}

// The files before and after one of a request, in the order in which its page shows them.
import type { FileDetails } from '#contract/files.ts';
import type { RequestItem } from '#contract/requests.ts';

/** What stands around a file where it was opened from. */
export type Around = Pick<FileDetails, 'place' | 'newer' | 'older'>;

/** What is gone has no page, and is passed over. */
export function aroundInRequest(items: readonly Pick<RequestItem, 'files'>[], fileId: number): Around {
  const files = items.flatMap((item) => item.files.filter(({ place }) => place !== 'gone'));
  const nth = files.findIndex((file) => file.fileId === fileId);
  if (nth === -1) return { place: null, newer: null, older: null };
  const at = (index: number) => {
    const file = files[index];
    return file === undefined ? null : { id: file.fileId, originalName: file.name };
  };
  return { place: { nth: nth + 1, total: files.length, more: false }, newer: at(nth - 1), older: at(nth + 1) };
}

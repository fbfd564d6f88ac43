// Several files as one ZIP at once: all of them in reach or none, each recorded as a download, sent as it is made.

import { refuse } from '#contract/errors.ts';
import { ARCHIVE_FILES_MAX, TOO_MANY_FILES } from '#contract/file-kinds.ts';
import type { ViewerCall } from '../../api/route.ts';
import { sendDocument } from '../../api/send-document.ts';
import type { AccessLog } from '../../audit/access-log.ts';
import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import type { Now } from '../../platform/clock.ts';
import { findFilesToServe } from '../find.ts';
import { idsAsked, RECORDED_AT_ONCE, recordDownloads } from './archive-files.ts';
import { archiveOf } from './archive-zip.ts';

/** How many blobs are checked at once before the first byte. */
const VERIFIED_AT_ONCE = 16;

/**
 * Sends the files asked for; refuses `not_found` unless all are in reach, and `integrity` before the first byte. Each file is
 * in the log before its own first byte leaves; files that a cut archive did not reach are not.
 */
export async function archiveFiles(
  { read, reply, input, onlyWhile }: ViewerCall<'files.archive'>,
  { blobs, accessLog, now }: Now & { readonly blobs: BlobStore; readonly accessLog: AccessLog },
): Promise<void> {
  const ids = await idsAsked(read, input.body, { most: ARCHIVE_FILES_MAX, tooMany: TOO_MANY_FILES });
  const files = await findFilesToServe(read, ids);
  if (files.length !== ids.length) throw refuse('not_found');
  onlyWhile(async (now) => (await findFilesToServe(now, ids)).length === ids.length);
  for (let start = 0; start < files.length; start += VERIFIED_AT_ONCE) {
    await Promise.all(files.slice(start, start + VERIFIED_AT_ONCE).map(({ blob }) => blobs.verify(blob)));
    if (reply.raw.destroyed) return;
  }
  const recordFrom = (start: number) => recordDownloads(read, files.slice(start, start + RECORDED_AT_ONCE), accessLog);
  // The first ones now: if the log cannot be written, the answer can still be a refusal.
  await recordFrom(0);

  const { name, content } = await archiveOf(
    files.map(({ row }) => row),
    async (index) => {
      if (index > 0 && index % RECORDED_AT_ONCE === 0) await recordFrom(index);
      const file = files[index];
      if (file === undefined) throw new Error(`There is no file ${index}`);
      return blobs.read(file.blob);
    },
    { at: now(), timeZone: input.body.timeZone },
  );
  sendDocument(reply, { contentType: 'application/zip', fileName: name, content });
}

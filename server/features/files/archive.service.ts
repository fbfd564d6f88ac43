// Several files as one ZIP: all of them in reach or none, each recorded as a download, sent as it is read.
import { Readable } from 'node:stream';
import filenamify from 'filenamify';
import { ZipFile } from 'yazl';
import { refuse } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { csvText } from '../../http/csv.ts';
import type { ViewerCall } from '../../http/route.ts';
import { datedName, sendDocument } from '../../http/send-document.ts';
import type { Services } from '../../services.ts';
import { fileColumns } from './export-files.ts';
import { findFilesToServe, type ServedFile } from './files.repo.ts';

const MANIFEST = 'manifest.csv';
/** How many blobs are looked at side by side before the first byte. */
const VERIFIED_AT_ONCE = 16;
const NAME_LENGTH_MAX = 200;

const inArchive = (name: string) => filenamify(name, { replacement: '_', maxLength: NAME_LENGTH_MAX }) || '_';

/** Where each file stands in the archive: a folder for each client, and a number behind a name that comes again. */
export function archivePaths(files: readonly Pick<FileRow, 'clientName' | 'originalName'>[]): string[] {
  // Some systems do not tell names apart by their case.
  const taken = new Set([MANIFEST]);
  return files.map(({ clientName, originalName }) => {
    const name = inArchive(originalName);
    const dot = name.lastIndexOf('.');
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    let path = `${inArchive(clientName)}/${name}`;
    for (let nth = 2; taken.has(path.toLowerCase()); nth += 1) {
      path = `${inArchive(clientName)}/${stem} (${nth})${extension}`;
    }
    taken.add(path.toLowerCase());
    return path;
  });
}

async function verifyAll(blobs: BlobStore, files: readonly ServedFile[]): Promise<void> {
  for (let start = 0; start < files.length; start += VERIFIED_AT_ONCE) {
    await Promise.all(files.slice(start, start + VERIFIED_AT_ONCE).map(({ blob }) => blobs.verify(blob)));
  }
}

/** The archive as a stream. A fault in any file is a fault of the stream; whoever stops reading stops the files too. */
function zipOf(
  blobs: BlobStore,
  files: readonly ServedFile[],
  manifest: (paths: readonly string[]) => string,
): Readable {
  const zip = new ZipFile();
  const content = new Readable().wrap(zip.outputStream);
  const paths = archivePaths(files.map(({ row }) => row));
  let reading: Readable | undefined;
  const fail = (error: unknown) => content.destroy(error instanceof Error ? error : new Error(String(error)));
  zip.on('error', fail);
  content.once('close', () => reading?.destroy());
  zip.addBuffer(Buffer.from(manifest(paths)), MANIFEST);
  files.forEach(({ row, blob }, index) => {
    // PDFs and images are compressed already, so the bytes are only wrapped.
    const options = { mtime: new Date(row.uploadedAt), size: row.size, compress: false };
    zip.addReadStreamLazy(paths[index] ?? String(row.id), options, (give) => {
      blobs.read(blob).then((bytes) => {
        reading = bytes instanceof Readable ? bytes : Readable.from([bytes]);
        reading.once('error', fail);
        if (content.destroyed) reading.destroy();
        else give(null, reading);
      }, fail);
    });
  });
  zip.end();
  return content;
}

/** Sends the files asked for; refuses `not_found` unless all are in reach, and `integrity` before the first byte. */
export async function archiveFiles(
  { read, reply, input, onlyWhile }: ViewerCall<'files.archive'>,
  { blobs, accessLog, now }: Services,
): Promise<void> {
  const ids = [...new Set(input.body.ids)];
  const files = await findFilesToServe(read, ids);
  if (files.length !== ids.length) throw refuse('not_found');
  onlyWhile(async (now) => (await findFilesToServe(now, ids)).length === ids.length);
  await verifyAll(blobs, files);
  const actor = { id: read.viewer.id, name: read.viewer.fullName };
  await Promise.all(
    files.map(({ row }) =>
      accessLog.record({
        action: 'download',
        actor,
        file: { id: row.id, name: row.originalName },
        client: { id: row.clientId, name: row.clientName },
        continues: false,
      }),
    ),
  );
  const { header, cells } = fileColumns('UTC');
  const content = zipOf(blobs, files, (paths) =>
    csvText(
      ['Path', ...header],
      files.map(({ row }, index) => [paths[index] ?? '', ...cells(row)]),
    ),
  );
  sendDocument(reply, { contentType: 'application/zip', fileName: datedName('files', 'zip', now()), content });
}

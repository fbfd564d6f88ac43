// Several files as one ZIP: all of them in reach or none, each recorded as a download, sent as it is read.
import { PassThrough, pipeline, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import filenamify from 'filenamify';
import { ZipFile } from 'yazl';
import { refuse } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import { findFilesToServe, type ServedFile } from '../../files/find.ts';
import { csvText } from '../../http/csv.ts';
import type { ViewerCall } from '../../http/route.ts';
import { datedName, sendDocument } from '../../http/send-document.ts';
import type { Services } from '../../services.ts';
import { fileColumns } from './export-files.ts';

const MANIFEST = 'manifest.csv';
const NAME_LENGTH_MAX = 200;
/** How many names are built before other requests get a turn: an odd one costs a quarter of a millisecond. */
const NAMED_AT_ONCE = 50;
/** How many blobs are checked at once before the first byte. */
const VERIFIED_AT_ONCE = 16;
/** How many files share one commit of the log: at most this many are recorded and not sent when an archive is cut. */
const RECORDED_AT_ONCE = 50;

const inArchive = (name: string) => filenamify(name, { replacement: '_', maxLength: NAME_LENGTH_MAX }) || '_';

/** Equal for paths that some system does not distinguish by case: over capitals, so that both small sigmas are one. */
const folded = (path: string) => path.toUpperCase().toLowerCase();

/** A client's folder: never the name of the manifest, which is next to it. */
function folderOf(clientName: string): string {
  const name = inArchive(clientName);
  return folded(name) === MANIFEST ? `_${name}` : name;
}

/** The path of each file in the archive: a folder for each client, and a number after a repeated name. */
export async function archivePaths(
  files: readonly Pick<FileRow, 'clientName' | 'originalName'>[],
): Promise<readonly string[]> {
  const folders = new Map<string, string>();
  const taken = new Set<string>();
  /** By path, the number that is tried next: those below are taken, so that no two files ask for the same one. */
  const numbers = new Map<string, number>();
  const paths: string[] = [];
  for (const { clientName, originalName } of files) {
    if (paths.length % NAMED_AT_ONCE === 0) await nextTurn();
    const folder = folders.get(clientName) ?? folderOf(clientName);
    folders.set(clientName, folder);
    const name = inArchive(originalName);
    const dot = name.lastIndexOf('.');
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    const wanted = `${folder}/${name}`;
    let path = wanted;
    let number = numbers.get(folded(wanted)) ?? 2;
    for (; taken.has(folded(path)); number += 1) path = `${folder}/${stem} (${number})${extension}`;
    numbers.set(folded(wanted), number);
    taken.add(folded(path));
    paths.push(path);
  }
  return paths;
}

interface Entry {
  readonly path: string;
  readonly row: FileRow;
  /** Called when the turn of the file has come. */
  readonly open: () => Promise<Buffer | Readable>;
}

/** The archive as a stream. A fault in any file is a fault of the stream; a reader that stops also stops reading the files. */
function zipOf(manifest: string, entries: readonly Entry[]): Readable {
  const zip = new ZipFile();
  let reading: Readable | undefined;
  const content = pipeline(zip.outputStream, new PassThrough(), () => reading?.destroy());
  const fail = (error: unknown) => content.destroy(error instanceof Error ? error : new Error(String(error)));
  zip.on('error', fail);
  zip.addBuffer(Buffer.from(manifest), MANIFEST);
  for (const { path, row, open } of entries) {
    // PDFs and images are compressed already, so the bytes are only wrapped.
    const options = { mtime: new Date(row.uploadedAt), size: row.size, compress: false };
    zip.addReadStreamLazy(path, options, (give) => {
      open().then((bytes) => {
        reading = bytes instanceof Readable ? bytes : Readable.from([bytes]);
        reading.on('error', fail);
        if (content.destroyed) reading.destroy();
        else give(null, reading);
      }, fail);
    });
  }
  zip.end();
  return content;
}

/**
 * Sends the files asked for; refuses `not_found` unless all are in reach, and `integrity` before the first byte. Each file is
 * in the log before its own first byte leaves; files that a cut archive did not reach are not.
 */
export async function archiveFiles(
  { read, reply, input, onlyWhile }: ViewerCall<'files.archive'>,
  { blobs, accessLog, now }: Services,
): Promise<void> {
  const ids = [...new Set(input.body.ids)];
  const files = await findFilesToServe(read, ids);
  if (files.length !== ids.length) throw refuse('not_found');
  onlyWhile(async (now) => (await findFilesToServe(now, ids)).length === ids.length);
  for (let start = 0; start < files.length; start += VERIFIED_AT_ONCE) {
    await Promise.all(files.slice(start, start + VERIFIED_AT_ONCE).map(({ blob }) => blobs.verify(blob)));
    if (reply.raw.destroyed) return;
  }
  const paths = await archivePaths(files.map(({ row }) => row));

  const actor = { id: read.viewer.id, name: read.viewer.fullName };
  const recordDownload = ({ row }: ServedFile) =>
    accessLog.record({
      action: 'download',
      actor,
      file: { id: row.id, name: row.originalName },
      client: { id: row.clientId, name: row.clientName },
      continues: false,
    });
  const recordFrom = (start: number) => Promise.all(files.slice(start, start + RECORDED_AT_ONCE).map(recordDownload));
  // The first ones now: if the log cannot be written, the answer can still be a refusal.
  await recordFrom(0);

  const { header, cells } = fileColumns('UTC');
  const manifest = await csvText(
    ['Path', ...header],
    files.map(({ row }, index) => [paths[index] ?? '', ...cells(row)]),
  );
  const content = zipOf(
    manifest,
    files.map(({ row, blob }, index) => ({
      path: paths[index] ?? String(row.id),
      row,
      open: async () => {
        if (index > 0 && index % RECORDED_AT_ONCE === 0) await recordFrom(index);
        return blobs.read(blob);
      },
    })),
  );
  sendDocument(reply, { contentType: 'application/zip', fileName: datedName('files', 'zip', now()), content });
}

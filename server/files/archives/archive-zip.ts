// Several files as one ZIP, made while it is read: its folders, names and manifest.
import { PassThrough, pipeline, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import filenamify from 'filenamify';
import { ZipFile } from 'yazl';
import { localDay } from '#contract/days.ts';
import { fileTypeNames } from '#contract/file-kinds.ts';
import type { FileRow } from '#contract/files.ts';
import { shorten } from '../../platform/blobs/clean-file-name.ts';
import { csvText } from '../../platform/csv.ts';
import { documentTypeOf, exportColumns } from '../list/export-columns.ts';

const MANIFEST = 'manifest.csv';
/** Disks take 255; a number may follow. */
const NAME_BYTES_MAX = 200;
/** How many names are built before other requests get a turn: an odd one costs a quarter of a millisecond. */
const NAMED_AT_ONCE = 50;
/** What an entry needs besides its bytes and its path, which stands in the archive twice. */
const ENTRY_BYTES = 256;

const inArchive = (name: string) =>
  shorten(filenamify(name, { replacement: '_', maxLength: Number.MAX_SAFE_INTEGER }), NAME_BYTES_MAX) || '_';

/** Equal for paths that some system does not distinguish by case: over capitals, so that both small sigmas are one. */
const folded = (path: string) => path.toUpperCase().toLowerCase();

/** A client's folder: never the name of the manifest, which is next to it. */
function folderOf(clientName: string): string {
  const name = inArchive(clientName);
  return folded(name) === MANIFEST ? `_${name}` : name;
}

/** What decides where a file is in an archive. */
type Placed = Pick<
  FileRow,
  'clientId' | 'clientName' | 'originalName' | 'fileType' | 'reportTypeName' | 'documentType'
>;

/** What the folder of a type within that of its client is called. */
const typeOf = (file: Placed) => file.reportTypeName ?? documentTypeOf(file) ?? fileTypeNames[file.fileType];

/** Gives each what it wants, or that with a number, so that no two get the same. */
function freeNames(): (wanted: string, numbered: (number: number) => string) => string {
  const taken = new Set<string>();
  /** By name, the number that is tried next: those below are taken, so that no two ask for the same one. */
  const numbers = new Map<string, number>();
  return (wanted, numbered) => {
    let name = wanted;
    let number = numbers.get(folded(wanted)) ?? 2;
    for (; taken.has(folded(name)); number += 1) name = numbered(number);
    numbers.set(folded(wanted), number);
    taken.add(folded(name));
    return name;
  };
}

/**
 * The path of each file in the archive: a folder for each client and within it for each type, and a number after a repeated name. Two
 * clients of one name have a folder each: whoever is handed one finds nothing of the other.
 */
export async function archivePaths(files: readonly Placed[]): Promise<readonly string[]> {
  const folders = new Map<number, string>();
  const typeFolders = new Map<string, string>();
  const [freeFolder, freePath] = [freeNames(), freeNames()];
  const paths: string[] = [];
  for (const file of files) {
    const { clientId, clientName, originalName } = file;
    if (paths.length % NAMED_AT_ONCE === 0) await nextTurn();
    let folder = folders.get(clientId);
    if (folder === undefined) {
      const own = folderOf(clientName);
      folder = freeFolder(own, (number) => `${own} (${number})`);
      folders.set(clientId, folder);
    }
    const name = inArchive(originalName);
    const dot = name.lastIndexOf('.');
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    const type = typeOf(file);
    const typeFolder = typeFolders.get(type) ?? inArchive(type);
    typeFolders.set(type, typeFolder);
    const within = `${folder}/${typeFolder}`;
    paths.push(freePath(`${within}/${name}`, (number) => `${within}/${stem} (${number})${extension}`));
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

/** '<client>-<period or day>.zip': of several clients and without a period in common it is 'files-<day>.zip'. */
function archiveName(files: readonly FileRow[], day: string): string {
  const only = <Value>(values: readonly Value[]) => (new Set(values).size === 1 ? values[0] : undefined);
  const client = only(files.map(({ clientId }) => clientId)) === undefined ? undefined : files[0]?.clientName;
  const period = only(files.map((file) => file.period)) ?? day;
  return `${client === undefined ? 'files' : inArchive(client)}-${period}.zip`;
}

export interface Archive {
  readonly name: string;
  readonly content: Readable;
  /** No archive of these files is longer. */
  readonly sizeAtMostBytes: number;
}

/**
 * The archive of `files`, one after the other, with its manifest; `open` gives the bytes of the file at a place in them, once its
 * turn has come. Its moments, and the day in its name, are told in `timeZone`.
 */
export async function archiveOf(
  files: readonly FileRow[],
  open: (index: number) => Promise<Buffer | Readable>,
  { at, timeZone = 'UTC' }: { readonly at: number; readonly timeZone: string | undefined },
): Promise<Archive> {
  const paths = await archivePaths(files);
  const { header, cells } = exportColumns(timeZone);
  const manifest = await csvText(
    ['Path', ...header],
    files.map((row, index) => [paths[index] ?? '', ...cells(row)]),
  );
  const entries = files.map((row, index) => ({ path: paths[index] ?? String(row.id), row, open: () => open(index) }));
  return {
    name: archiveName(files, localDay(at, timeZone)),
    content: zipOf(manifest, entries),
    sizeAtMostBytes: entries.reduce(
      (sum, { path, row }) => sum + row.size + 2 * Buffer.byteLength(path) + ENTRY_BYTES,
      2 * Buffer.byteLength(manifest) + ENTRY_BYTES,
    ),
  };
}

// What was read of the files of a batch, kept until its documents are proposed: reading that is ended, by whatever, goes on from there.
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/db/database.ts';
import type { Schema } from '../platform/db/schema.ts';
import type { FileReading } from './batch-reading.ts';
import { enterReading } from './document-rows.ts';
import type { RecognizedPage } from './reading/ocr.ts';
import type { PackedPage } from './reading/packed-page.ts';

type Tx = Kysely<Schema>;

/** So many go into one row. */
const PAGES_OF_ROW = 20;

/** The rows of one file: pages that were recognised one by one, while it is being read; then all of it, headed by page 0. */
const [RECOGNISED, READ] = [0, 1] as const;
const HEAD = 0;

interface Head extends Pick<FileReading, 'bookmarks' | 'unreadable'> {
  readonly pages: number;
  /** Not in what an earlier version kept. */
  readonly pieces?: number;
}

const deflated = promisify(deflateRaw);
const inflated = promisify(inflateRaw);
/** As text: both engines keep that alike. */
const textOf = (bytes: PackedPage) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
/** In memory of their own, so that no more than they are is copied into a thread. */
const bytesOf = (text: string): PackedPage => new Uint8Array(Buffer.from(text, 'base64'));
/** In threads. */
const packed = async (value: unknown) => (await deflated(JSON.stringify(value), { level: 1 })).toString('base64');
const unpacked = async <Value>(content: string) =>
  JSON.parse((await inflated(Buffer.from(content, 'base64'))).toString()) as Value;

interface Row {
  readonly stage: typeof RECOGNISED | typeof READ;
  readonly page: number;
  readonly content: string;
}

/** Nothing of a file that was discarded meanwhile. */
async function insert(tx: Tx, fileId: number, row: Row): Promise<void> {
  const file = await tx.selectFrom('batch_files').select('id').where('id', '=', fileId).executeTakeFirst();
  if (file === undefined) return;
  await tx
    .insertInto('batch_readings')
    .values({ batch_file_id: fileId, ...row })
    .onConflict((conflict) =>
      conflict.columns(['batch_file_id', 'stage', 'page']).doUpdateSet({ content: row.content }),
    )
    .execute();
}

/** Keeps a page as soon as it is recognised, which takes seconds. */
export async function keepPage(database: Database, fileId: number, page: RecognizedPage): Promise<void> {
  const row: Row = { stage: RECOGNISED, page: page.page, content: await packed(page) };
  await database.transactionFlushedBeside((tx) => insert(tx, fileId, row));
}

/** The pages of a file that were recognised before, in their order. */
export async function keptPages(database: Database, fileId: number): Promise<RecognizedPage[]> {
  const rows = await database.reader
    .selectFrom('batch_readings')
    .select('content')
    .where('batch_file_id', '=', fileId)
    .where('stage', '=', RECOGNISED)
    .orderBy('page')
    .execute();
  return Promise.all(rows.map(({ content }) => unpacked<RecognizedPage>(content)));
}

/** Keeps a file that was read, and notes what reading it came to: only then it counts as kept. */
export async function keepReading(database: Database, fileId: number, reading: FileReading): Promise<void> {
  const { pages, pieces, bookmarks, unreadable } = reading;
  for (let from = 0; from < pages.length; from += PAGES_OF_ROW) {
    const content = pages
      .slice(from, from + PAGES_OF_ROW)
      .map(textOf)
      .join('\n');
    await database.transactionFlushedBeside((tx) => insert(tx, fileId, { stage: READ, page: from + 1, content }));
  }
  const head: Head = { pages: pages.length, pieces, bookmarks, unreadable };
  const content = await packed(head);
  await database.transaction(async (tx) => {
    await insert(tx, fileId, { stage: READ, page: HEAD, content });
    await tx.deleteFrom('batch_readings').where('batch_file_id', '=', fileId).where('stage', '=', RECOGNISED).execute();
    await enterReading(tx, fileId, reading);
  });
}

/** A file as it was read before; undefined where it was not, or not whole. */
export async function keptReading(database: Database, fileId: number): Promise<FileReading | undefined> {
  const rows = await database.reader
    .selectFrom('batch_readings')
    .select(['page', 'content'])
    .where('batch_file_id', '=', fileId)
    .where('stage', '=', READ)
    .orderBy('page')
    .execute();
  const [first, ...others] = rows;
  if (first?.page !== HEAD) return undefined;
  const { pages: count, pieces, bookmarks, unreadable } = await unpacked<Head>(first.content);
  const pages = others.flatMap(({ content }) => content.split('\n')).map(bytesOf);
  // An earlier version packed several of them together: it is read anew.
  if (pages.length !== count || pieces === undefined) return undefined;
  return { pages, pieces, bookmarks, unreadable };
}

/** Once the documents of these files are proposed, nobody asks for it any more. */
export async function forgetReadings(tx: Tx, files: readonly { readonly id: number }[]): Promise<void> {
  for (const { id } of files) await tx.deleteFrom('batch_readings').where('batch_file_id', '=', id).execute();
}

// What was read of the files of a batch, kept until its documents are proposed: reading that is ended, by whatever, goes on from there.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/db/database.ts';
import type { Schema } from '../platform/db/schema.ts';
import type { FileReading } from './batch-reading.ts';
import { enterReading } from './document-rows.ts';
import type { RecognizedPage } from './reading/ocr.ts';
import { addPart, type OwnPage, type PagesPart, type PageText, partsOf, piecesOn } from './reading/page-text.ts';

type Tx = Kysely<Schema>;

/** So many go into one row. */
const PAGES_OF_ROW = 20;

/** The rows of one file: pages that were recognised one by one, while it is being read; then all of it, headed by page 0. */
const [RECOGNISED, READ] = [0, 1] as const;
const HEAD = 0;

interface Head extends Pick<FileReading, 'bookmarks' | 'unreadable'> {
  readonly pages: number;
  /** Not in what an earlier version kept, which was all that stands on the pages. */
  readonly pieces?: number;
  readonly turned: readonly (readonly [page: number, degrees: number])[];
}

const deflated = promisify(deflateRaw);
const inflated = promisify(inflateRaw);
/** In threads, and as text: both engines keep that alike. */
const packedText = async (text: string) => (await deflated(text, { level: 1 })).toString('base64');
const unpackedText = async (content: string) => (await inflated(Buffer.from(content, 'base64'))).toString();
const packed = (value: unknown) => packedText(JSON.stringify(value));
const unpacked = async <Value>(content: string) => JSON.parse(await unpackedText(content)) as Value;

/** A line for each part: a list of pages, or more of the last one. Others are served between them. */
async function packedPages(pages: readonly PageText[]): Promise<string> {
  const lines: string[] = [];
  for (const part of partsOf(pages)) {
    if (lines.length > 0) await nextTurn();
    lines.push(JSON.stringify('pages' in part ? part.pages : part));
  }
  return await packedText(lines.join('\n'));
}

async function addPacked(pages: OwnPage[], content: string): Promise<void> {
  for (const line of (await unpackedText(content)).split('\n')) {
    const part = JSON.parse(line) as readonly PageText[] | Extract<PagesPart, { readonly runs: unknown }>;
    addPart(pages, 'runs' in part ? part : { pages: part });
    await nextTurn();
  }
}

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
  const { pages, pieces, bookmarks, unreadable, turned } = reading;
  for (let from = 0; from < pages.length; from += PAGES_OF_ROW) {
    const content = await packedPages(pages.slice(from, from + PAGES_OF_ROW));
    await database.transactionFlushedBeside((tx) => insert(tx, fileId, { stage: READ, page: from + 1, content }));
  }
  const head: Head = { pages: pages.length, pieces, bookmarks, unreadable, turned: [...turned] };
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
  const { pages: count, pieces, bookmarks, unreadable, turned } = await unpacked<Head>(first.content);
  const pages: OwnPage[] = [];
  for (const { content } of others) await addPacked(pages, content);
  const read = pages.slice(0, count);
  return { pages: read, pieces: pieces ?? piecesOn(read), bookmarks, unreadable, turned: new Map(turned) };
}

/** Once the documents of these files are proposed, nobody asks for it any more. */
export async function forgetReadings(tx: Tx, files: readonly { readonly id: number }[]): Promise<void> {
  for (const { id } of files) await tx.deleteFrom('batch_readings').where('batch_file_id', '=', id).execute();
}

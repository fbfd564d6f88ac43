// What stands on the pages of files, and the words by which it is found.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { isListedId, listText } from '../../platform/db/id-list.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { isStoredSoFar, noteLeft, noteStored, type ScansLeft, type Storing } from './files-to-read.ts';
import { clientWord, DOCUMENT_WORD, distinctWords, ownWord, typeWord } from './words.ts';

interface HowStored {
  /** Null where nothing is. */
  readonly left?: ScansLeft | null;
  /** Its pages are there already: their words are made anew. */
  readonly isHeld?: boolean;
  /** How far it is kept. */
  readonly storing?: Storing | null;
  /** Ends it between two pieces. */
  readonly signal?: AbortSignal;
}

/**
 * Keeps the text of the pages that have any, and no other; the file is read then, unless scans are left. One that went to the trash
 * meanwhile has none. Others write between the pieces of a long one, of which the row of the file says how far it is kept.
 */
export async function storeTexts(
  database: Database,
  fileId: number,
  pages: readonly string[],
  { left = null, isHeld = false, storing = null, signal }: HowStored = {},
): Promise<void> {
  let kept = storing;
  do {
    signal?.throwIfAborted();
    kept = await storePiece(database, { fileId, pages, left, isHeld }, kept);
  } while (kept !== null);
}

/** Keeps the text of some pages beside what is kept already, and what is left then. */
export async function storeScans(
  database: Database,
  fileId: number,
  texts: readonly TextOfPage[],
  left: ScansLeft,
): Promise<void> {
  const found = await withWords(texts);
  await database.transactionFlushedBeside(async (tx) => {
    const file = await lockFile(tx, database.kind, fileId);
    if (file === undefined) return;
    await replacePages(tx, database.kind, { fileId, texts, found, place: placeWords(file) });
    await noteLeft(tx, fileId, left);
  });
}

interface TextOfPage {
  /** The first being 1. */
  readonly page: number;
  readonly text: string;
}

interface PageFound extends TextOfPage {
  readonly words: readonly string[];
}

/** Finding the words of so many letters takes a few milliseconds. */
const LETTERS_AT_ONCE = 20_000;

/** The pages that have any text, with their words; others are served in between. */
async function withWords(texts: readonly TextOfPage[]): Promise<PageFound[]> {
  const found: PageFound[] = [];
  let letters = 0;
  for (const { page, text } of texts) {
    if (text.trim() === '') continue;
    found.push({ page, text: storable(text), words: distinctWords(text) });
    letters += text.length;
    if (letters < LETTERS_AT_ONCE) continue;
    letters = 0;
    await nextTurn();
  }
  return found;
}

/** Keeping so many pages, or letters, takes a few milliseconds, for which nobody else writes. */
const PIECE = { pages: 50, letters: 60_000 };

/** Behind the last page of the piece that begins behind `from` pages. */
function endOfPiece(pages: readonly string[], from: number): number {
  let to = from;
  for (let letters = 0; to < pages.length && to - from < PIECE.pages && letters < PIECE.letters; to += 1) {
    letters += pages[to]?.length ?? 0;
  }
  return to;
}

interface AllPages {
  readonly fileId: number;
  readonly pages: readonly string[];
  readonly left: ScansLeft | null;
  readonly isHeld: boolean;
}

/** Keeps the pages behind those that are kept, as many as are kept at once. Null once there is nothing more to do. */
async function storePiece(
  database: Database,
  { fileId, pages, left, isHeld }: AllPages,
  kept: Storing | null,
): Promise<Storing | null> {
  const from = kept?.stored ?? 0;
  const to = endOfPiece(pages, from);
  const texts = pages.slice(from, to).map((text, index) => ({ page: from + index + 1, text }));
  // Before the transaction, which others wait for.
  const found = await withWords(texts);
  return await database.transactionFlushedBeside(async (tx) => {
    const file = await lockFile(tx, database.kind, fileId);
    if (file === undefined) return null;
    // One that was in the trash meanwhile is read again, by its new row; one that somebody else keeps too is theirs.
    if (kept !== null && !(await isStoredSoFar(tx, fileId, kept))) return null;
    const words = placeWords(file);
    const place = words.join(' ');
    const isElsewhere = kept !== null && kept.place !== place;
    if (!isElsewhere) await replacePages(tx, database.kind, { fileId, texts, found, place: words });
    if (!isElsewhere && to >= pages.length) {
      await tx.deleteFrom('document_texts').where('file_id', '=', fileId).where('page', '>', pages.length).execute();
      await noteLeft(tx, fileId, left);
      return null;
    }
    const now: Storing = { stored: isElsewhere ? 0 : to, place, isHeld };
    await noteStored(tx, { fileId, personId: file.uploaded_by_id ?? 0 }, now);
    return now;
  });
}

/** Whoever moves the file elsewhere waits, and has its words made anew. */
async function lockFile(tx: Kysely<Schema>, engine: Database['kind'], fileId: number) {
  const row = tx
    .selectFrom('files')
    .select(['client_id', 'file_type', 'report_type_id', 'uploaded_by_id'])
    .where('id', '=', fileId);
  return await (engine === 'postgres' ? row.forUpdate() : row).executeTakeFirst();
}

interface SomePages {
  readonly fileId: number;
  readonly texts: readonly TextOfPage[];
  /** Those of them that have any text. */
  readonly found: readonly PageFound[];
  readonly place: readonly string[];
}

async function replacePages(
  tx: Kysely<Schema>,
  engine: Database['kind'],
  { fileId, texts, found, place }: SomePages,
): Promise<void> {
  const ids = listText(texts.map(({ page }) => textId(fileId, page)));
  await tx.deleteFrom('document_texts').where(isListedId('id', ids)).execute();
  for (const { page, text, words } of found) {
    await insertPage(tx, engine, { fileId, page, text, words: [...words, ...place] });
  }
}

/** The words by which a search passes over what is out of reach; who sees a page is decided by the rule of all lists. */
function placeWords(
  file: Pick<Selectable<Schema['files']>, 'client_id' | 'file_type' | 'report_type_id' | 'uploaded_by_id'>,
) {
  const key =
    file.file_type === 'company_document'
      ? DOCUMENT_WORD
      : file.report_type_id === null
        ? ownWord(file.uploaded_by_id ?? 0)
        : typeWord(file.report_type_id);
  return [clientWord(file.client_id), key];
}

/** Reading the text of so many pages takes a few milliseconds. */
const HELD_AT_ONCE = 100;

/** What was read of a file before, by page; others are served in between. */
export async function textsHeld(database: Database, fileId: number): Promise<readonly string[]> {
  const held = database.reader.selectFrom('document_texts').where('file_id', '=', fileId);
  const end = await held.select('page').orderBy('page', 'desc').limit(1).executeTakeFirst();
  const pages: string[] = Array(end?.page ?? 0).fill('');
  for (let after = 0; after < pages.length; ) {
    const piece = held.select(['page', 'text']).where('page', '>', after).orderBy('page').limit(HELD_AT_ONCE);
    const rows = await piece.execute();
    const last = rows.at(-1);
    // Gone since, with what was read of it here: one that went to the trash and came back has none.
    if (last === undefined) return await textsHeld(database, fileId);
    for (const { page, text } of rows) pages[page - 1] = text;
    after = last.page;
    await nextTurn();
  }
  return pages;
}

/** More than a file has that is read. The id of a page begins with that of its file. */
export const PAGES_OF_A_FILE = 4_096;

/** Grows with the files, and within one with its pages. */
const textId = (fileId: number, page: number) => fileId * PAGES_OF_A_FILE + page;

/** PostgreSQL stores no NUL. */
const storable = (text: string) => text.replaceAll('\0', ' ');

interface NewPage {
  readonly fileId: number;
  readonly page: number;
  readonly text: string;
  readonly words: readonly string[];
}

async function insertPage(tx: Kysely<Schema>, engine: Database['kind'], { fileId, page, text, words }: NewPage) {
  const id = textId(fileId, page);
  if (engine === 'postgres') {
    await sql`insert into document_texts (id, file_id, page, text, words) values (${id}, ${fileId}, ${page}, ${text},
      array_to_tsvector(array(select json_array_elements_text(cast(${JSON.stringify(words)} as json)))))`.execute(tx);
    return;
  }
  await tx.insertInto('document_texts').values({ id, file_id: fileId, page, text }).execute();
  await sql`insert into document_words (rowid, words) values (${id}, ${words.join(' ')})`.execute(tx);
}

// Which files are still to be read, and what stood on their pages.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Effort } from '../../batches/reading/ocr.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { clientWord, DOCUMENT_WORD, distinctWords, ownWord, typeWord } from './words.ts';

/** A file that ended whoever read it so often is left unread. */
export const ATTEMPTS_MAX = 3;

/** Files that take long are read beside those that do not, so that nobody's page of text waits for somebody's scans. */
export type Pace = 'quick' | 'long';

const waiting = (database: Database, pace: Pace) =>
  database.reader
    .selectFrom('files_to_read')
    .where('files_to_read.takes_long', '=', pace === 'long' ? 1 : 0)
    .where('files_to_read.attempts', '<', ATTEMPTS_MAX);

export async function hasFilesToRead(database: Database, pace: Pace): Promise<boolean> {
  return (await waiting(database, pace).select('file_id').limit(1).executeTakeFirst()) !== undefined;
}

/** What is left to recognise of a file whose text is kept already. */
export interface ScansLeft {
  /** The first page being 1. */
  readonly pages: readonly number[];
  readonly effort: Effort;
}

/** The person with the lowest id above `id` for whom a file is to be read. */
export async function personAfter(database: Database, pace: Pace, id: number): Promise<number | null> {
  const next = waiting(database, pace).select('person_id').where('person_id', '>', id).orderBy('person_id').limit(1);
  return (await next.executeTakeFirst())?.person_id ?? null;
}

export type FileToRead = NonNullable<Awaited<ReturnType<typeof nextToRead>>>;

/** The newest of a person's files that were tried least. */
export async function nextToRead(database: Database, pace: Pace, personId: number) {
  const file = await waiting(database, pace)
    .innerJoin('files', 'files.id', 'files_to_read.file_id')
    .select([
      'files.id as id',
      'files.content_type as contentType',
      'files.storage_key as storageKey',
      'files.size_bytes as sizeBytes',
      'files.sha256 as sha256',
      'files_to_read.scans as scans',
    ])
    .where('files_to_read.person_id', '=', personId)
    .orderBy('files_to_read.attempts')
    .orderBy('files_to_read.file_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return file === undefined
    ? null
    : { ...file, scans: file.scans === null ? null : (JSON.parse(file.scans) as ScansLeft) };
}

/** Whether a file is still there, and not read. */
export async function isToRead(database: Database, fileId: number): Promise<boolean> {
  const row = database.reader.selectFrom('files_to_read').select('file_id').where('file_id', '=', fileId);
  return (await row.executeTakeFirst()) !== undefined;
}

export async function beginReading(database: Database, fileId: number): Promise<void> {
  await database.transaction((tx) =>
    tx
      .updateTable('files_to_read')
      .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
      .where('file_id', '=', fileId)
      .execute(),
  );
}

/** It was not read, through no fault of its own. */
export async function handBackReading(database: Database, fileId: number): Promise<void> {
  await database.transaction((tx) =>
    tx
      .updateTable('files_to_read')
      .set(({ eb }) => ({ attempts: eb('attempts', '-', 1) }))
      .where('file_id', '=', fileId)
      .where('attempts', '>', 0)
      .execute(),
  );
}

/** A file that was begun with the quick ones is not one of them. */
export async function leaveForLong(database: Database, fileId: number): Promise<void> {
  await database.transaction((tx) =>
    tx.updateTable('files_to_read').set({ attempts: 0, takes_long: 1 }).where('file_id', '=', fileId).execute(),
  );
}

/**
 * Keeps the text of the pages that have any, and no other; the file is read then, unless scans are left. One that went to the trash
 * meanwhile has none.
 */
export async function storeTexts(
  database: Database,
  fileId: number,
  pages: readonly string[],
  left: ScansLeft | null = null,
): Promise<void> {
  const texts = pages.map((text, index) => ({ page: index + 1, text }));
  await storePages(database, { fileId, texts, left, replaces: true });
}

/** Keeps the text of some pages beside what is kept already, and what is left then. */
export async function storeScans(
  database: Database,
  fileId: number,
  texts: readonly TextOfPage[],
  left: ScansLeft,
): Promise<void> {
  await storePages(database, { fileId, texts, left, replaces: false });
}

interface TextOfPage {
  /** The first being 1. */
  readonly page: number;
  readonly text: string;
}

interface ReadPages {
  readonly fileId: number;
  readonly texts: readonly TextOfPage[];
  /** Null where nothing is. */
  readonly left: ScansLeft | null;
  readonly replaces: boolean;
}

/** Finding the words of so many letters takes a few milliseconds. */
const LETTERS_AT_ONCE = 20_000;

/** The pages that have any text, with their words; others are served in between. */
async function withWords(texts: readonly TextOfPage[]) {
  const found: (TextOfPage & { readonly words: readonly string[] })[] = [];
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

async function storePages(database: Database, { fileId, texts, left, replaces }: ReadPages): Promise<void> {
  // Before the transaction, which others wait for.
  const found = await withWords(texts);
  await database.transaction(async (tx) => {
    const row = tx
      .selectFrom('files')
      .select(['client_id', 'file_type', 'report_type_id', 'uploaded_by_id'])
      .where('id', '=', fileId);
    // Whoever moves it elsewhere waits, and has its words made anew.
    const file = await (database.kind === 'postgres' ? row.forUpdate() : row).executeTakeFirst();
    if (file === undefined) return;
    if (replaces) await tx.deleteFrom('document_texts').where('file_id', '=', fileId).execute();
    for (const { page, text, words } of found) {
      await insertPage(tx, database.kind, { fileId, page, text, words: [...words, ...placeWords(file)] });
    }
    if (left === null) await tx.deleteFrom('files_to_read').where('file_id', '=', fileId).execute();
    else {
      const scans = JSON.stringify(left);
      await tx
        .updateTable('files_to_read')
        .set({ attempts: 0, takes_long: 1, scans })
        .where('file_id', '=', fileId)
        .execute();
    }
  });
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

/** What was read of a file before, by page. */
export async function textsHeld(database: Database, fileId: number): Promise<readonly string[]> {
  const rows = await database.reader
    .selectFrom('document_texts')
    .select(['page', 'text'])
    .where('file_id', '=', fileId)
    .orderBy('page')
    .execute();
  const pages: string[] = Array(rows.at(-1)?.page ?? 0).fill('');
  for (const { page, text } of rows) pages[page - 1] = text;
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

/** As many files are looked at in one transaction. */
const FILES_AT_ONCE = 10_000;

/** Has every file without text read again, those tried in vain too; returns how many there are. */
export async function readAllAgain(database: Database): Promise<number> {
  let count = 0;
  let after = 0;
  for (;;) {
    const last = await database.reader
      .selectFrom('files')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(1)
      .offset(FILES_AT_ONCE - 1)
      .executeTakeFirst();
    const upTo = last?.id ?? Number.MAX_SAFE_INTEGER;
    count += await database.transaction(async (tx) => {
      const { numAffectedRows } = await sql`insert into files_to_read (file_id, attempts, person_id)
        select files.id, 0, coalesce(files.uploaded_by_id, 0) from files where files.id > ${after} and files.id <= ${upTo}
          and not exists (select 1 from document_texts held where held.file_id = files.id)
        on conflict (file_id) do update set attempts = 0, scans = null, takes_long = 0`.execute(tx);
      return Number(numAffectedRows ?? 0n);
    });
    if (last === undefined) return count;
    after = upTo;
  }
}

/** Forgets what stood on the pages of all files; returns how many pages there were. */
export async function forgetTexts(database: Database): Promise<number> {
  let count = 0;
  for (;;) {
    const gone = await database.transaction(async (tx) => {
      const { numAffectedRows } = await sql`delete from document_texts where id in
        (select id from document_texts order by id limit ${sql.lit(FILES_AT_ONCE)})`.execute(tx);
      return Number(numAffectedRows ?? 0n);
    });
    if (gone === 0) return count;
    count += gone;
  }
}

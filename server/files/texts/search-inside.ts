// Finds files in reach by what stands on their pages.
import { sql } from 'kysely';
import type { InsideFound, InsideHit, InsideQuery } from '#contract/inside.ts';
import { isClientUser } from '#contract/policy/actor.ts';
import { mayAttempt } from '#contract/policy.ts';
import type { Config } from '../../config.ts';
import { everything } from '../../people/access/reach.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import { isOneOf } from '../../platform/db/engine-sql.ts';
import { isListedId, listText } from '../../platform/db/id-list.ts';
import { param } from '../../platform/db/statement.ts';
import { type FileFilters, type Narrowing, narrowingOf } from '../list/narrowing.ts';
import { newFileIds } from '../list/news.ts';
import { snippetOf } from './snippet.ts';
import { PAGES_OF_A_FILE } from './text-rows.ts';
import { clientWord, DOCUMENT_WORD, ownWord, type Sought, soughtIn, typeWord } from './words.ts';

const LIMIT = 20;
/** Pages with the words are looked at newest first: of those the first of each file, of so many files at a time, and so often at most. */
const FILES_AT_ONCE = 500;
const ROUNDS_MAX = 10;
/** Tests are bounded by fewer. */
export const bounds = {
  /** So many pages at a time: more than one file has. */
  pages: 5_000,
  /** Whoever reaches more clients, or types, than this searches the pages of all. */
  places: 300,
};
/** Where few files have them all, four times as many are looked at next, up to so many times as many: long files use up no rounds. */
const MORE_PAGES = 4;
const MOST_PAGES = 16;
const NOTHING: InsideFound = { rows: [], more: false, searched: true };
const NOT_SEARCHED: InsideFound = { ...NOTHING, searched: false };

interface FoundPage extends Omit<InsideHit, 'uploadedAt' | 'snippet' | 'marks'> {
  readonly textId: number;
  readonly uploadedAt: number;
}

/** Newest files first, each with its first page found. */
export async function searchInside(
  scope: ReadScope,
  { q = '', limit = LIMIT, ...filters }: InsideQuery,
  { searchInside: isOn }: Pick<Config, 'searchInside'>,
): Promise<InsideFound> {
  if (!isOn) return NOT_SEARCHED;
  const sought = soughtIn(q);
  if (sought === null) return NOTHING;
  const narrowing = narrowingOf(filters);
  if (narrowing === null) return NOTHING;
  // A Client user is not to learn of marks, by what a search leaves out either.
  if (filters.marked !== undefined && isClientUser(scope.viewer)) return NOTHING;
  if (filters.opened !== undefined && !mayAttempt(scope.viewer, 'files.read-readers')) return NOTHING;
  const places = [...placesNamed(filters), ...(await placesSearched(scope))];
  if (places.some((words) => words.length === 0)) return NOTHING;
  const match = matchOf(scope, sought, places);
  const found = new Map<number, FoundPage>();
  let before = Number.MAX_SAFE_INTEGER;
  let round = 0;
  let pagesMost = bounds.pages;
  for (; round < ROUNDS_MAX && found.size <= limit; round += 1) {
    const files = await filesWith(scope, { match, before, pagesMost });
    for (const page of await inReach(
      scope,
      narrowing,
      files.map(({ id }) => id),
    )) {
      const known = found.get(page.fileId);
      if (known === undefined || page.page < known.page) found.set(page.fileId, page);
    }
    const pages = files.reduce((sum, file) => sum + file.pages, 0);
    if (files.length < FILES_AT_ONCE && pages < pagesMost) break;
    const hasLongFiles = files.length < FILES_AT_ONCE;
    pagesMost = hasLongFiles ? Math.min(MORE_PAGES * pagesMost, MOST_PAGES * bounds.pages) : bounds.pages;
    before = files.at(-1)?.id ?? 0;
  }
  const shown = [...found.values()].slice(0, limit);
  const texts = await textsOf(scope, shown);
  return {
    rows: shown.map(({ textId, uploadedAt, ...page }) => ({
      ...page,
      uploadedAt: new Date(uploadedAt).toISOString(),
      ...snippetOf(texts.get(textId) ?? '', sought),
    })),
    more: found.size > limit || round === ROUNDS_MAX,
    searched: true,
  };
}

/** What the search is narrowed to, as far as words of a page name it. */
function placesNamed({ clientId, reportTypeId, fileType }: FileFilters): readonly (readonly string[])[] {
  return [
    ...(clientId === undefined ? [] : [[clientWord(clientId)]]),
    ...(typeof reportTypeId === 'number' ? [[typeWord(reportTypeId)]] : []),
    ...(fileType === 'company_document' ? [[DOCUMENT_WORD]] : []),
  ];
}

/**
 * Groups of words of which a page in reach has one each: its client, and its report type. A group of too many is left out, as the
 * rule of all lists is asked in any case.
 */
async function placesSearched(scope: ReadScope): Promise<readonly (readonly string[])[]> {
  const { viewer } = scope;
  if (viewer.reach === 'all') return [];
  const few = (query: { limit(n: number): { execute(): Promise<{ id: number }[]> } }) =>
    query.limit(bounds.places + 1).execute();
  const [clients, types] = await Promise.all([
    few(scope.clients().select('clients.id as id')),
    few(scope.reportTypes().select('report_types.id as id')),
  ]);
  const ofClients = clients.map(({ id }) => clientWord(id));
  const ofTypes = [...types.map(({ id }) => typeWord(id)), DOCUMENT_WORD, ownWord(viewer.id)];
  return [...(clients.length > bounds.places ? [] : [ofClients]), ...(types.length > bounds.places ? [] : [ofTypes])];
}

/** What the index is asked for: words of letters and digits alone, so that nothing in them means anything to an engine. */
function matchOf(
  { engine }: ReadScope,
  { whole, amounts, begun }: Sought,
  places: readonly (readonly string[])[],
): string {
  const [quote, and, or] = engine === 'postgres' ? ["'", ' & ', ' | '] : ['"', ' AND ', ' OR '];
  const quoted = (word: string) => `${quote}${word}${quote}`;
  const beginning = begun === null ? [] : [engine === 'postgres' ? `${quoted(begun)}:*` : `${quoted(begun)}*`];
  const spelled = amounts.map(
    ({ spellings }) => `(${spellings.map((words) => `(${words.map(quoted).join(and)})`).join(or)})`,
  );
  const within = places.map((words) => `(${words.map(quoted).join(or)})`);
  return [...whole.map(quoted), ...beginning, ...spelled, ...within].join(and);
}

interface FileWith {
  /** Of its first page that was looked at. */
  readonly id: number;
  readonly pages: number;
}

/**
 * The files whose pages hold the words, whoever may see them, newest first: ids alone, and shown to nobody. A file is one however many
 * of its pages hold them, so that it keeps no other one from being looked at.
 */
function filesWith(
  scope: ReadScope,
  { match, before, pagesMost }: { readonly match: string; readonly before: number; readonly pagesMost: number },
): Promise<FileWith[]> {
  return scope.prepared<FileWith>(
    `texts.files ${pagesMost}`,
    (sources) => {
      const pages =
        sources.engine === 'postgres'
          ? sql`select id from document_texts
              where words @@ cast(${param('match')} as tsquery) and id < ${param('before')}
              order by id desc limit ${sql.lit(pagesMost)}`
          : sql`select rowid as id from document_words
              where document_words match ${param('match')} and rowid < ${param('before')}
              order by rowid desc limit ${sql.lit(pagesMost)}`;
      return sources.query(sql<FileWith>`select min(id) as "id", cast(count(*) as bigint) as "pages" from (${pages}) as page
        group by id / ${sql.lit(PAGES_OF_A_FILE)} order by 1 desc limit ${sql.lit(FILES_AT_ONCE)}`);
    },
    { match, before },
    'long',
  );
}

/** Those of the pages whose files are in reach and in the list, by the predicate of every list. */
async function inReach(scope: ReadScope, narrowing: Narrowing, ids: readonly number[]): Promise<FoundPage[]> {
  if (ids.length === 0) return [];
  return scope.prepared<FoundPage>(
    `texts.in-reach ${narrowing.key}`,
    (sources) =>
      sources
        .files()
        .innerJoin('document_texts as held', 'held.file_id', 'files.id')
        .innerJoin('clients', 'clients.id', 'files.client_id')
        .leftJoin('report_types', 'report_types.id', 'files.report_type_id')
        .where(isListedId('held.id', param('ids')))
        .where(narrowing.on('files'))
        .where(
          narrowing.names.has('isNew')
            ? isOneOf(sources.engine, 'files.id', newFileIds(sources, scope.viewer))
            : everything,
        )
        .select([
          'held.id as textId',
          'held.page as page',
          'files.id as fileId',
          'files.original_name as originalName',
          'files.client_id as clientId',
          'clients.name as clientName',
          'report_types.name as reportTypeName',
          'files.uploaded_at as uploadedAt',
        ])
        .orderBy('held.id', 'desc'),
    { ...narrowing.values, ids: listText(ids) },
    'long',
  );
}

async function textsOf(scope: ReadScope, pages: readonly FoundPage[]): Promise<ReadonlyMap<number, string>> {
  if (pages.length === 0) return new Map();
  const rows = await scope
    .files()
    .innerJoin('document_texts as held', 'held.file_id', 'files.id')
    .where(isListedId('held.id', listText(pages.map(({ textId }) => textId))))
    .select(['held.id as id', 'held.text as text'])
    .execute();
  return new Map(rows.map(({ id, text }) => [id, text]));
}

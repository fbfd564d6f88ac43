// Finds files by words where these are rare: by the letters of their names, and by clients and report types of such names.
import { sql } from 'kysely';
import type { RowSource } from '../../people/access/reach.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import type { Sources } from '../../people/access/sources.ts';
import { areCommon, countInSample, SAMPLED } from '../../people/access/word-sample.ts';
import type { Search } from '../../platform/db/filters.ts';
import { param } from '../../platform/db/statement.ts';
import { idsWithWords, trigramsOf } from '../../platform/db/text-search.ts';
import { type WordMatch, wordMatch } from '../../platform/db/word-match.ts';
import { filesEver } from './counts.ts';
import { holdsWords, ofNamed } from './narrowing.ts';

/** A file looked up by its id costs about as much as two passed over on a walk. */
const LOOKUP_COST = 2;

export interface FoundFiles {
  /** Tells its statements from others. */
  readonly name: string;
  readonly source: (sources: Sources) => RowSource;
  /** The condition that one of them holds the words: some have their letters alone. */
  readonly on: Search['on'];
  readonly values: Readonly<Record<string, unknown>>;
}

/** Files in reach among those that may hold the words; null where a walk through all files is sooner at its end. */
export async function filesWithWords(scope: ReadScope, match: WordMatch): Promise<FoundFiles | null> {
  if (!scope.hasWordIndex || match.words.length === 0) return null;
  const inAll: Search['on'] = (row) => holdsWords(match, row);
  if (await areCommon(scope, 'files', 'in all', match, inAll)) return null;
  // A word that no client and no report type holds must be in the file's own name. This decides what is found, so it is asked anew.
  const named = await Promise.all(match.words.map((word) => isInNames(scope, word)));
  const ofNames = trigramsOf(
    scope.engine,
    match.words.filter((_, index) => !named[index]),
  );
  if (ofNames !== null) {
    // Where no client and no report type holds any of the words, none is asked: PostgreSQL counts the asking once for each file that it
    // looks up by id, and would read all files instead.
    const alone = !named.includes(true);
    return {
      name: alone ? 'by letters alone' : 'by letters',
      source: (sources) => sources.filesAmong(idsWithWords(sources.engine, 'files')),
      on: alone ? (row) => match.on({ forms: [`${row}.search_name`], written: [] }) : inAll,
      values: { trigrams: ofNames },
    };
  }
  const words = await Promise.all(match.words.map(async (word) => ({ word, named: await filesOfNamed(scope, word) })));
  const [rarest] = words.filter(({ word }) => [...word].length >= 3).sort((one, other) => one.named - other.named);
  if (rarest === undefined) return null;
  const found = wordMatch(rarest.word);
  const trigrams = trigramsOf(scope.engine, [rarest.word]);
  if (found === null || trigrams === null) return null;
  const ever = await scope.estimate('files.ever', () => filesEver(scope));
  const inNames = (row: string) => found.on({ forms: [`${row}.search_name`], written: [] });
  const byLetters = ((await countInSample(scope, 'files', 'in names', found, inNames)) / SAMPLED) * ever;
  if (LOOKUP_COST * (rarest.named + byLetters) >= ever) return null;
  return {
    name: 'by names',
    source: (sources) => {
      const pattern = param('named');
      return sources.filesAmong(sql`${idsWithWords(sources.engine, 'files')}
        union select of_client.id from files of_client
          where of_client.client_id in (select named.id from clients named where named.search_name like ${pattern})
        union select of_type.id from files of_type
          where of_type.access_key in (select named.id from report_types named where named.search_name like ${pattern})`);
    },
    on: inAll,
    values: { trigrams, named: `%${rarest.word}%` },
  };
}

/** Whether a client or a report type has the word in its name. */
async function isInNames(scope: ReadScope, word: string): Promise<boolean> {
  const [row] = await scope.prepared<{ n: number }>(
    'files.word-in-names',
    (sources) =>
      sources.query(sql<{ n: number }>`select case
        when exists (select 1 from clients named where named.search_name like ${param('named')}) then 1
        when exists (select 1 from report_types named where named.search_name like ${param('named')}) then 1 else 0 end as n`),
    { named: `%${word}%` },
  );
  return row?.n === 1;
}

/** How many files the clients and report types have whose names hold the word. */
function filesOfNamed(scope: ReadScope, word: string): Promise<number> {
  return scope.estimate(`files.named ${word}`, async () => {
    const [row] = await scope.prepared<{ n: number }>(
      'files.named',
      (sources) =>
        sources.query(sql<{ n: number }>`select cast(coalesce(sum(file_counts.n), 0) as bigint) as n from file_counts
          where ${ofNamed('file_counts', sql`${param('named')}`)}`),
      { named: `%${word}%` },
    );
    return row?.n ?? 0;
  });
}

// A search as conditions in SQL: every word in one of the searched texts, in any order (`contract/search.ts`).
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { searchWords } from '#contract/search.ts';
import { param } from './statement.ts';

/** The texts that a row is searched by. */
export interface SearchedTexts {
  /** Columns that hold `searchForm` of something. */
  readonly forms: readonly string[];
  /** The same as it was written: for a search without any letter or digit. */
  readonly written: readonly string[];
  /** A further way in which a row holds what `pattern` says: in another table, as it is searched or as it was written. */
  readonly further?: (pattern: RawBuilder<unknown>, as: 'form' | 'written') => RawBuilder<unknown>;
}

export interface WordMatch {
  /** The words, in small plain letters; none where the search holds neither letter nor digit. */
  readonly words: readonly string[];
  /** Part of a statement's name: how many parameters there are. */
  readonly key: string;
  readonly values: Readonly<Record<string, string>>;
  /** True for rows that the search finds. */
  on(texts: SearchedTexts): Expression<SqlBool>;
}

const anyOf = (conditions: readonly RawBuilder<unknown>[]) => sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;

/** The pattern of a text with wildcards of its own taken literally. */
const literal = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** What `search` asks for; null where it is empty. */
export function wordMatch(search: string | undefined): WordMatch | null {
  if (search === undefined || search === '') return null;
  const words = searchWords(search);
  if (words.length === 0) {
    return {
      words,
      key: 'text',
      values: { text: literal(search) },
      on: ({ written, further }) =>
        anyOf([
          ...written.map((column) => sql`${sql.ref(column)} like ${param('text')} escape '\\'`),
          ...(further === undefined ? [] : [further(sql`${param('text')}`, 'written')]),
        ]),
    };
  }
  return {
    words,
    key: `${words.length} words`,
    values: Object.fromEntries(words.map((word, index) => [`word${index}`, `%${word}%`])),
    on: ({ forms, further }) =>
      sql<SqlBool>`(${sql.join(
        words.map((_, index) => {
          const pattern = sql`${param(`word${index}`)}`;
          return anyOf([
            ...forms.map((column) => sql`${sql.ref(column)} like ${pattern}`),
            ...(further === undefined ? [] : [further(pattern, 'form')]),
          ]);
        }),
        sql` and `,
      )})`,
  };
}

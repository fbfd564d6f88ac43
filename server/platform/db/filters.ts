// The filters of a list: which of its conditions apply, with their values, in the form that prepared statements need.
import { type Expression, type SqlBool, sql } from 'kysely';
import type { WordMatch } from './word-match.ts';

/** A condition by the name of its filter; `row` is what the query calls the rows it is asked of. Each binds the parameter of its name. */
export type Conditions<Name extends string> = Readonly<Record<Name, (row: string) => Expression<SqlBool>>>;

/** What is searched for, and the condition that a row holds it. */
export interface Search {
  readonly match: WordMatch;
  readonly on: (row: string) => Expression<SqlBool>;
}

export interface Filters<Name extends string> {
  readonly names: ReadonlySet<Name>;
  /** What is searched for. */
  readonly match: WordMatch | null;
  readonly values: Readonly<Record<string, unknown>>;
  /** Part of a statement's name: different for each set of filters. */
  readonly key: string;
  /** Whether the counters can say how many rows are left. */
  readonly counted: boolean;
  /** What no counter knows has to be looked for. */
  readonly lasting: 'short' | 'long';
  /** As much of it as the counters know. */
  readonly countedPart: Filters<Name>;
  /** The same without the search. */
  readonly withoutSearch: Filters<Name>;
  /** All conditions that apply, for rows that a query calls `row`; `searched` in place of the search, where that finds the same. */
  on(row: string, searched?: Search['on']): Expression<SqlBool>;
}

/** Those of `conditions` that `given` has a value for, and the search. `counted` are those that the counters know. */
export function filtersOf<Name extends string>(
  conditions: Conditions<Name>,
  counted: readonly Name[],
  given: Record<Name, unknown>,
  search: Search | null = null,
): Filters<Name> {
  const names = (Object.keys(conditions) as Name[]).filter((name) => given[name] !== undefined);
  const isCounted = search === null && names.every((name) => counted.includes(name));
  return {
    names: new Set(names),
    match: search?.match ?? null,
    values: { ...Object.fromEntries(names.map((name) => [name, given[name]])), ...search?.match.values },
    key: [names.join(), ...(search === null ? [] : [search.match.key])].join(' '),
    counted: isCounted,
    lasting: isCounted ? 'short' : 'long',
    get countedPart() {
      const known = { ...given };
      for (const name of names) if (!counted.includes(name)) known[name] = undefined;
      return filtersOf(conditions, counted, known);
    },
    get withoutSearch() {
      return filtersOf(conditions, counted, given);
    },
    on: (row, searched = search?.on) => {
      const all = [...names.map((name) => conditions[name](row)), ...(searched === undefined ? [] : [searched(row)])];
      return all.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`(${sql.join(all, sql` and `)})`;
    },
  };
}

// The filters of a list: which of its conditions apply, with their values, in the form that prepared statements need.
import { type Expression, type SqlBool, sql } from 'kysely';

/** A condition by the name of its filter; `row` is what the query calls the rows it is asked of. Each binds the parameter of its name. */
export type Conditions<Name extends string> = Readonly<Record<Name, (row: string) => Expression<SqlBool>>>;

export interface Filters<Name extends string> {
  readonly names: ReadonlySet<Name>;
  readonly values: Readonly<Record<string, unknown>>;
  /** Part of a statement's name: different for each set of filters. */
  readonly key: string;
  /** Whether the counters can say how many rows are left. */
  readonly counted: boolean;
  /** All conditions that apply, for rows that a query calls `row`. */
  on(row: string): Expression<SqlBool>;
}

/** Those of `conditions` that `given` has a value for. `counted` are those that the counters know. */
export function filtersOf<Name extends string>(
  conditions: Conditions<Name>,
  counted: readonly Name[],
  given: Readonly<Record<Name, unknown>>,
): Filters<Name> {
  const names = (Object.keys(conditions) as Name[]).filter((name) => given[name] !== undefined);
  return {
    names: new Set(names),
    values: Object.fromEntries(names.map((name) => [name, given[name]])),
    key: names.join(),
    counted: names.every((name) => counted.includes(name)),
    on: (row) =>
      names.length === 0
        ? sql<SqlBool>`1 = 1`
        : sql<SqlBool>`(${sql.join(
            names.map((name) => conditions[name](row)),
            sql` and `,
          )})`,
  };
}

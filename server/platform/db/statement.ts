// Queries prepared once and bound many times: building one costs several times what running it does.
import { type Compilable, type CompiledQuery, type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { DatabaseKind, Statement } from './database.ts';
import type { Schema } from './schema.ts';

/** A parameter of a prepared query, bound by name at each run. */
class Param {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** The place of a value that each run brings along under `name`. */
export function param<T>(name: string): RawBuilder<T> {
  return sql<T>`${new Param(name)}`;
}

let prepared = 0;

export function prepareStatement(query: Compilable): Statement {
  const { sql: text, parameters } = query.compile();
  prepared += 1;
  return { name: `coffer_${prepared}`, sql: text, parameters };
}

/** The statement's parameters with every `param` bound from `values`. One without a value is a programming fault. */
export function bindParams(statement: Statement, values: Readonly<Record<string, unknown>>): unknown[] {
  return statement.parameters.map((parameter) => {
    if (!(parameter instanceof Param)) return parameter;
    const value = values[parameter.name];
    if (value === undefined) throw new Error(`No value for ${parameter.name} in: ${statement.sql}`);
    return value;
  });
}

interface BoundQuery<Row> extends CompiledQuery<Row> {
  readonly name: string;
}

/** The statement with its values, as Kysely runs it inside a transaction. */
export function boundQuery<Row>(statement: Statement, parameters: readonly unknown[]): BoundQuery<Row> {
  return {
    name: statement.name,
    sql: statement.sql,
    parameters,
    // Only plugins look at the tree behind a query, and there are none.
    query: { kind: 'RawNode', sqlFragments: [statement.sql], parameters: [] },
    queryId: { queryId: statement.name },
  };
}

/** The name that a query is prepared under; undefined where it was built for this run. */
export const nameOf = (query: CompiledQuery): string | undefined => (query as Partial<BoundQuery<unknown>>).name;

/** The engine that runs the queries of `db`. */
export const engineOf = (db: Pick<Kysely<Schema>, 'getExecutor'>): DatabaseKind =>
  db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';

/** A query that is always the same, prepared once for each engine. */
export function statementOfEngine(
  build: (db: Kysely<Schema>, engine: DatabaseKind) => Compilable,
): (db: Kysely<Schema>) => Statement {
  const byEngine = new Map<DatabaseKind, Statement>();
  return (db) => {
    const engine = engineOf(db);
    let statement = byEngine.get(engine);
    if (statement === undefined) {
      statement = prepareStatement(build(db, engine));
      byEngine.set(engine, statement);
    }
    return statement;
  };
}

/** A query for transactions, prepared once for each engine: `run(tx, values)`. */
export function transactionStatement<Row>(
  build: (db: Kysely<Schema>, engine: DatabaseKind) => Compilable<Row>,
): (tx: Kysely<Schema>, values: Readonly<Record<string, unknown>>) => Promise<Row[]> {
  const statementOf = statementOfEngine(build);
  return async (tx, values) => {
    const statement = statementOf(tx);
    const { rows } = await tx.executeQuery<Row>(boundQuery<Row>(statement, bindParams(statement, values)));
    return rows;
  };
}

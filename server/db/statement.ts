// Queries compiled once and bound many times: building one costs several times what running it does.
import { type Compilable, type RawBuilder, sql } from 'kysely';

/** A hole in a compiled query, filled by name at each run. */
class Hole {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

export interface Statement {
  /** Distinct for each statement of this process: the name it is prepared under. */
  readonly name: string;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The place of a value that each run brings along under `name`. */
export function hole<T>(name: string): RawBuilder<T> {
  return sql<T>`${new Hole(name)}`;
}

let compiled = 0;

export function compileStatement(query: Compilable): Statement {
  const { sql: text, parameters } = query.compile();
  compiled += 1;
  return { name: `coffer_${compiled}`, sql: text, parameters };
}

/** The statement's parameters with every hole filled from `values`. A hole without a value is a programming fault. */
export function fillHoles(statement: Statement, values: Readonly<Record<string, unknown>>): unknown[] {
  return statement.parameters.map((parameter) => {
    if (!(parameter instanceof Hole)) return parameter;
    const value = values[parameter.name];
    if (value === undefined) throw new Error(`No value for ${parameter.name} in: ${statement.sql}`);
    return value;
  });
}

// The floor's database on either engine: statements prepared once, and durable transactions.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import pg from 'pg';
import type { DatabaseKind } from '#server/platform/db/database.ts';

export interface FloorStatement {
  readonly name: string;
  /** With parameters like `:me`. */
  readonly text: string;
}

export type Values = Readonly<Record<string, string | number | null>>;
type Rows = <Row>(statement: FloorStatement, values?: Values) => Row[] | Promise<Row[]>;

export interface FloorDatabase {
  readonly kind: DatabaseKind;
  readonly rows: Rows;
  /** Committed and durable when it resolves. */
  transaction<Result>(work: (rows: Rows) => Promise<Result>): Promise<Result>;
}

/** Statements compiled once for each connection. */
function compiledBy<Compiled>(compile: (statement: FloorStatement) => Compiled) {
  const compiled = new Map<FloorStatement, Compiled>();
  return (statement: FloorStatement): Compiled => {
    let known = compiled.get(statement);
    if (known === undefined) {
      known = compile(statement);
      compiled.set(statement, known);
    }
    return known;
  };
}

function openSqlite(path: string): FloorDatabase {
  const connect = () => {
    const db = new DatabaseSync(path, { timeout: 5_000 });
    for (const pragma of ['journal_mode = wal', 'synchronous = full', 'foreign_keys = on', 'cache_size = -16000']) {
      db.exec(`pragma ${pragma}`);
    }
    const prepared = compiledBy<StatementSync>(({ text }) => db.prepare(text));
    const rows: Rows = <Row>(statement: FloorStatement, values: Values = {}) =>
      prepared(statement).all(values) as Row[];
    return { db, rows };
  };
  const [reader, writer] = [connect(), connect()];
  let last: Promise<unknown> = Promise.resolve();
  return {
    kind: 'sqlite',
    rows: reader.rows,
    transaction: (work) => {
      const result = last.then(async () => {
        writer.db.exec('begin immediate');
        try {
          const answer = await work(writer.rows);
          writer.db.exec('commit');
          return answer;
        } catch (error) {
          writer.db.exec('rollback');
          throw error;
        }
      });
      last = result.catch(() => {});
      return result;
    },
  };
}

const CONNECTIONS = 10;

function openPostgres(url: string): FloorDatabase {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
  const numbered = compiledBy(({ name, text }) => {
    const names: string[] = [];
    const withNumbers = text.replace(/(?<!:):([a-z]\w*)/gi, (_, parameter: string) => {
      if (!names.includes(parameter)) names.push(parameter);
      return `$${names.indexOf(parameter) + 1}`;
    });
    return { name, text: withNumbers, names };
  });
  const rowsOf = (connection: pg.Pool | pg.PoolClient): Rows => {
    return async <Row>(statement: FloorStatement, values: Values = {}) => {
      const { name, text, names } = numbered(statement);
      return (await connection.query({ name, text, values: names.map((key) => values[key]) })).rows as Row[];
    };
  };
  return {
    kind: 'postgres',
    rows: rowsOf(pool),
    transaction: async (work) => {
      const connection = await pool.connect();
      try {
        await connection.query('begin');
        const answer = await work(rowsOf(connection));
        await connection.query('commit');
        return answer;
      } catch (error) {
        await connection.query('rollback');
        throw error;
      } finally {
        connection.release();
      }
    },
  };
}

/** `url`: as in DATABASE_URL. */
export function openFloorDatabase(url: string): FloorDatabase {
  return url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openPostgres(url);
}

// A thread that reads an SQLite file: for queries that may take longer than others should wait for the event loop.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { GIVES_WAY_BY, giveWay } from '../give-way.ts';
import { BoundedCache } from './bounded-cache.ts';

export interface ReaderRequest {
  readonly id: number;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export type ReaderAnswer =
  | { readonly id: number; readonly rows: readonly unknown[] }
  | { readonly id: number; readonly error: Error };

const STATEMENTS_KEPT = { entries: 100, characters: 500_000, longest: 32_768 };
const CACHE_KIB = 8_000;
const BUSY_TIMEOUT_MS = 5_000;

giveWay(GIVES_WAY_BY.unawaited);

const { path } = workerData as { readonly path: string };
const file = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
for (const pragma of ['query_only = on', 'temp_store = memory', `cache_size = -${CACHE_KIB}`])
  file.exec(`pragma ${pragma}`);
const statements = new BoundedCache<StatementSync>(STATEMENTS_KEPT);

parentPort?.on('message', ({ id, sql, parameters }: ReaderRequest) => {
  try {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = file.prepare(sql);
      statements.set(sql, statement, sql);
    }
    const rows = statement.all(...(parameters as SQLInputValue[]));
    parentPort?.postMessage({ id, rows } satisfies ReaderAnswer);
  } catch (error) {
    parentPort?.postMessage({ id, error: error as Error } satisfies ReaderAnswer);
  }
});

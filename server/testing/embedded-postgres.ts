// PostgreSQL within this process, for machines where none is installed. To make an empty one takes four times as long as to copy one.
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite, types } from '@electric-sql/pglite';
import { parseInt8 } from '../platform/db/postgres.ts';
import type { Pool } from '../platform/db/postgres-driver.ts';

const commandOf = (text: string) => text.trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? '';

/** The embedded engine as a pool of one connection, lent to one holder at a time. */
function poolOf(engine: PGlite): Pool {
  let last: Promise<unknown> = Promise.resolve();
  const query = async (asked: string | { text: string; values: unknown[] }, given: readonly unknown[] = []) => {
    const { text, values } = typeof asked === 'string' ? { text: asked, values: given } : asked;
    // Several statements at once must come without values, as on a server.
    if (values.length === 0) {
      const rows = (await engine.exec(text)).map(({ rows, affectedRows }) => ({
        rows,
        count: affectedRows ?? rows.length,
      }));
      const last = rows.at(-1);
      return { command: commandOf(text), rows: rows.flatMap((one) => one.rows), rowCount: last?.count ?? 0 };
    }
    const result = await engine.query(text, [...values]);
    // The shape of pg: Kysely reads the command and the number of rows.
    return { command: commandOf(text), rows: result.rows, rowCount: result.affectedRows ?? result.rows.length };
  };
  const connect = async () => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    return { query, release: resolve };
  };
  return {
    connect,
    end: () => engine.close(),
  } as unknown as Pool;
}

/** Those that are copied again and again, by their files. */
const originals = new Map<string, Blob>();

function originalAt(path: string): Blob {
  const known = originals.get(path) ?? new Blob([readFileSync(path)]);
  originals.set(path, known);
  return known;
}

/** An empty database, or a copy of the one in the file `original`. `keep` writes all of it to a file in `folder`, and resolves to its path. */
export function openEmbedded(original: string | null) {
  const parsers = { [types.INT8]: parseInt8 };
  const engine = new PGlite(original === null ? { parsers } : { parsers, loadDataDir: originalAt(original) });
  return {
    pool: poolOf(engine),
    async keep(folder = tmpdir()): Promise<string> {
      const path = join(folder, `coffer-embedded-${randomUUID()}.tar`);
      writeFileSync(path, Buffer.from(await (await engine.dumpDataDir('none')).arrayBuffer()));
      return path;
    },
  };
}

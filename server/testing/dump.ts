// Everything the stores hold, for tests of whether something changed or is in them.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';

/** Every row of every table as JSON, by table, in an order that does not depend on the engine. */
export async function dump(database: Database): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const { name } of await database.reader.introspection.getTables()) {
    const rows = await database.reader
      .selectFrom(name as 'users')
      .selectAll()
      .execute();
    tables[name] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return tables;
}

/** The paths of all stored and staged bytes, in order. */
export function storedBlobs({ dataDir }: Pick<Config, 'dataDir'>): string[] {
  return readdirSync(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

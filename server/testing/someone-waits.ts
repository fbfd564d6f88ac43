// Waits until a transaction waits for another one, for tests of concurrency; PostgreSQL shows it.
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import type { TestApp } from './test-app.ts';

const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Resolves once `count` transactions of this database wait for another one. */
export async function someoneWaits(app: TestApp, count = 1): Promise<void> {
  await eventually(async () =>
    expect(await app.database.rows({ name: 'waiting', sql: WAITING, parameters: [] }, [])).toHaveLength(count),
  );
}

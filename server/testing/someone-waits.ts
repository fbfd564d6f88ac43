// Waits until a transaction waits for another one, for tests of concurrency; PostgreSQL shows it.
import { expect, vi } from 'vitest';
import type { TestApp } from './test-app.ts';

const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Resolves once a transaction of this database waits for another one. */
export async function someoneWaits(app: TestApp): Promise<void> {
  await vi.waitFor(
    async () => expect(await app.database.rows({ name: 'waiting', sql: WAITING, parameters: [] }, [])).toHaveLength(1),
    { timeout: 5_000, interval: 10 },
  );
}

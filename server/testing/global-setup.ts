// Before all tests: finds the PostgreSQL they run on. A named one, else an installed one, else the embedded engine.
import type { TestProject } from 'vitest/node';
import { type RunningPostgres, startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a PostgreSQL server where databases may be made, or null for the embedded engine. */
    postgresUrl: string | null;
  }
}

let started: RunningPostgres | null = null;

export async function setup(project: TestProject): Promise<void> {
  const named = process.env.TEST_DATABASE_URL;
  // `embedded` asks for the embedded engine even where a server is installed.
  started = named === undefined ? await startPostgres() : null;
  const url = named === 'embedded' ? null : (named ?? started?.url ?? null);
  project.provide('postgresUrl', url);
  process.stdout.write(`PostgreSQL tests run on ${url === null ? 'the embedded engine' : 'a real server'}\n`);
}

export async function teardown(): Promise<void> {
  await started?.stop();
}

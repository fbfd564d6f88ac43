// A second server on the database of a test's first one, as another process would be: it shares nothing in memory.
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buildApp } from '../app.ts';
import { openContext } from '../context.ts';
import { cheapPasswords } from './cheap-passwords.ts';
import { NEVER_LATE_MS, type TestApp } from './test-app.ts';
import { openTestDatabase } from './test-database.ts';

export interface SecondServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** By the first one's clock. On PostgreSQL both use one pool of connections, since the embedded engine has no second one. */
export async function startSecondServer({ database, config, now }: TestApp): Promise<SecondServer> {
  const isFile = database.kind === 'sqlite';
  const own = isFile ? await openTestDatabase('sqlite', join(config.dataDir, 'coffer.db')) : { database };
  const context = await openContext(config, { database: own.database, passwords: cheapPasswords(), now });
  const app = await buildApp(context, { lateLoopMs: NEVER_LATE_MS });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    origin: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    async close() {
      await app.close();
      if (isFile) await context.close();
    },
  };
}

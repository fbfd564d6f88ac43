// The start: reads the environment, opens the stores, listens, and shuts down in order.
import type { AddressInfo } from 'node:net';
import { buildApp } from './app.ts';
import { readConfig } from './config.ts';
import { type Context, openContext } from './context.ts';
import { endInOrder } from './end-in-order.ts';
import { newKeysLines } from './platform/blobs/encryption/firm-keys.ts';
import { ListenFault, startFault } from './start-fault.ts';

/** How long requests that run may take to end, once the server listens no more. */
const END_WITHIN_MS = 30_000;

/** Ends the process with one clear line a fault. */
function refuseToStart(error: unknown): never {
  for (const line of startFault(error)) process.stderr.write(`Coffer cannot start: ${line}\n`);
  process.exit(1);
}

async function start(): Promise<void> {
  const config = readConfig();
  const context: Context = await openContext(config);
  let hasStarted = false;
  const app = await buildApp(context, { logger: { level: config.logLevel }, hasStarted: () => hasStarted });
  try {
    await app.listen({ port: config.port, host: config.host });
  } catch (error) {
    throw new ListenFault(error);
  }
  if (config.runsJobs) await context.jobs.start(app.log);
  // Created only once nothing can stop the start any more: its password is shown only now.
  const admin = await context.makeFirstAdmin();
  hasStarted = true;

  const { address, family, port } = app.server.address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  const say = (line: string) => process.stdout.write(`${line}\n`);
  say('');
  say(`${config.productName} is serving on http://${host}:${port}`);
  if (admin) {
    say('');
    say('First start: an Admin was made. This is shown once.');
    say(`  user name  ${admin.username}`);
    say(`  password   ${admin.password ?? 'as set in ADMIN_PASSWORD'}`);
  }
  if (context.hasNewKeys) {
    say('');
    for (const line of newKeysLines(config.keyFile)) say(line);
  }
  if (!context.findsWords) {
    say(
      'Searches look at every name: PostgreSQL has no extension pg_trgm, or this account may not make it (docs/operations.md).',
    );
  }
  say(
    config.safeguards
      ? 'Second factors and the other rules of the Safeguards profile are on (SAFEGUARDS=on): the first sign-in sets one up.'
      : 'Second factors and the other rules of the Safeguards profile are off (SAFEGUARDS=off).',
  );
  say('');

  endInOrder(config.drainMs + END_WITHIN_MS, async (err) => {
    if (err) app.log.fatal({ err }, 'ending after a fault');
    await Promise.all([app.close(), context.jobs.stop()]);
    await context.close();
  });
}

start().catch(refuseToStart);

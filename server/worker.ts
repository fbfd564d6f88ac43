// A process that runs background jobs and answers nobody: on machines of their own, next to servers that share one PostgreSQL.
import Fastify from 'fastify';
import { ConfigFault, readConfig } from './config.ts';
import { openContext } from './context.ts';
import { endInOrder } from './end-in-order.ts';
import { newKeysLines } from './platform/blobs/encryption/firm-keys.ts';
import { plainLogger } from './platform/http/log-lines.ts';
import { JOBS_GRACE_MS } from './platform/jobs/jobs.ts';
import { startFault } from './start-fault.ts';

/** A little longer than running jobs have to end. */
const END_WITHIN_MS = JOBS_GRACE_MS + 10_000;

async function start(): Promise<void> {
  const config = readConfig();
  if (config.databaseUrl.startsWith('sqlite:')) {
    throw new ConfigFault(['DATABASE_URL: a worker needs PostgreSQL; with SQLite the server runs the jobs itself']);
  }
  const context = await openContext(config);
  // For its log alone, whose lines look like the server's.
  const { log } = Fastify({ logger: plainLogger({ level: config.logLevel }) });
  await context.jobs.start(log);
  // What the jobs wait with lets a process end.
  const alive = setInterval(() => {}, 60_000);
  endInOrder(END_WITHIN_MS, async (err) => {
    if (err) log.fatal({ err }, 'ending after a fault');
    clearInterval(alive);
    await context.close();
  });
  const say = (line: string) => process.stdout.write(`${line}\n`);
  say(`${config.productName} runs background jobs`);
  if (context.hasNewKeys) for (const line of newKeysLines(config.keyFile)) say(line);
}

start().catch((error) => {
  for (const line of startFault(error)) process.stderr.write(`Coffer cannot start: ${line}\n`);
  process.exit(1);
});

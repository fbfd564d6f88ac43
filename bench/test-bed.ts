// One seeded firm with the two servers on its database: the application and its floor.
import { setTimeout } from 'node:timers/promises';
import { type Server, startApplication, startFloor } from './children.ts';
import type { Engine } from './engines.ts';
import { Broken } from './load.ts';
import { say } from './report.ts';
import type { Tokens } from './scenarios.ts';
import { type Firm, PASSWORD, seed, USERS } from './seed.ts';
import type { Settings } from './settings.ts';

export interface TestBed {
  readonly firm: Firm;
  readonly application: Server;
  readonly floor: Server;
  readonly tokens: Tokens;
  stop(): Promise<void>;
}

const SIGN_IN_TRIES = 40;
const TRY_AGAIN_MS = 500;

/** A server that has just started on a busy machine may turn the first away. */
export async function signIn(server: Server, username: string, triesLeft = SIGN_IN_TRIES): Promise<string> {
  const answer = await fetch(new URL('/api/auth/login', server.origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD }),
  });
  if (answer.status === 503 && triesLeft > 0) {
    await setTimeout(TRY_AGAIN_MS);
    return signIn(server, username, triesLeft - 1);
  }
  if (answer.status !== 200) throw new Broken(`${username} could not sign in: ${await answer.text()}`);
  return ((await answer.json()) as { token: string }).token;
}

/** The server with the engine's processor time added to its own. */
function withEngine(server: Server, engine: Engine): Server {
  const processorMs = () => {
    const [own, engines] = [server.processorMs(), engine.processorMs()];
    return own === null || engines === null ? null : own + engines;
  };
  return { ...server, processorMs };
}

/** Starts application and floor on a firm that was seeded before. */
export async function startServers(
  engine: Engine,
  { databaseUrl, dataDir, plain }: Firm,
  nodeFlags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Pick<TestBed, 'application' | 'floor' | 'stop'>> {
  const application = withEngine(
    await startApplication(dataDir, nodeFlags, {
      DATABASE_URL: databaseUrl,
      ENCRYPTION: plain ? 'off' : 'on',
      ...environment,
    }),
    engine,
  );
  try {
    const floor = withEngine(await startFloor(databaseUrl, dataDir, nodeFlags, environment), engine);
    return { application, floor, stop: async () => void (await Promise.all([application.stop(), floor.stop()])) };
  } catch (error) {
    await application.stop();
    throw error;
  }
}

export async function openTestBed(
  engine: Engine,
  dataDir: string,
  fileCount: number,
  { nodeFlags, plain }: Pick<Settings, 'nodeFlags' | 'plain'>,
): Promise<TestBed> {
  const startedAt = performance.now();
  const databaseUrl = await engine.createDatabase(dataDir);
  const firm = await seed({ databaseUrl, dataDir, plain }, fileCount);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  say(`Seeded ${fileCount.toLocaleString('en-US')} files on ${engine.title} in ${seconds} s.`);
  const servers = await startServers(engine, firm, nodeFlags);
  const tokens = {
    admin: await signIn(servers.application, USERS.admin),
    cpa: await signIn(servers.application, USERS.cpa),
    client: await signIn(servers.application, USERS.client),
  };
  return { ...servers, firm, tokens };
}

// What it costs to tell 250 people of 300 new files of 100 clients, and whether anybody waits for a list meanwhile.
import { setTimeout } from 'node:timers/promises';
import { DIGEST_AUDIENCES, DIGEST_TOPICS } from '#contract/digest-words.ts';
import { ROUNDS } from '#server/mail/digests/rounds.ts';
import { openDatabase } from '#server/platform/db/connect.ts';
import type { Database } from '#server/platform/db/database.ts';
import { Jobs } from '#server/platform/jobs/jobs.ts';
import { Caller } from './caller.ts';
import { startApplication } from './children.ts';
import type { Engine } from './engines.ts';
import { Broken } from './load.ts';
import { mark, ms, sayTable } from './report.ts';
import { scenarioLoad } from './scenarios.ts';
import { seed, USERS } from './seed.ts';
import type { SeedDatabase } from './seed-database.ts';
import { loadSteadily } from './steady-load.ts';
import { signIn } from './test-bed.ts';

const FILES = 50_000;
const NEW_FILES = 300;
const CLIENTS = 100;
const PEOPLE = 250;
const CLIENTS_OF_EACH = 10;
const READS_A_SECOND = 100;
/** From the last upload until the mails are written: nothing has come for a while, the next look finds that, and the job writes them. */
const WATCHED_MS = ROUNDS.quietMs + Jobs.lookRoundEveryMs + 20_000;
const QUEUED_MS = 5_000;
const P99_MAX_MS = 100;

/** Further people with ten clients each, so that there are 250; all of them have an address. */
async function addPeople(db: SeedDatabase): Promise<void> {
  const [{ last } = { last: 0 }] = await db.rows<{ last: number | string }>('select max(id) as last from users');
  const ids = Array.from({ length: PEOPLE - Number(last) }, (_, nth) => Number(last) + 1 + nth);
  const columns =
    'username_skeleton, full_name, full_name_key, full_name_skeleton, search_name, password_hash, role_id, created_at';
  for (const id of ids) {
    await db.run(`insert into users (id, username, username_key, ${columns}) ${db.words.withIds}
      select ${id}, 'bench-more-${id}', 'bench-more-${id}', ${columns} from users where username = '${USERS.cpa}'`);
  }
  await db.insert(
    'user_clients (user_id, client_id)',
    ids.flatMap((id) => Array.from({ length: CLIENTS_OF_EACH }, (_, nth) => [id, ((id * 7 + nth * 11) % CLIENTS) + 1])),
  );
  await db.insert(
    'user_report_types (user_id, report_type_id)',
    ids.flatMap((id) => Array.from({ length: 14 }, (_, nth) => [id, nth + 1])),
  );
  await db.run("update users set email = 'person' || id || '@example.com'");
  const choice = { pace: 'atOnce', chosenAt: 0, toldUntil: 0 };
  const all = Object.fromEntries(DIGEST_TOPICS.map((topic) => [topic, choice]));
  const usual = { timeZone: 'UTC', ...Object.fromEntries(DIGEST_AUDIENCES.map((audience) => [audience, all])) };
  await db.run(`insert into firm_settings (id, four_eyes, digests) values (1, 0, '${JSON.stringify(usual)}')`);
}

const roundsOf = async ({ reader }: Database) =>
  (await reader.selectFrom('digest_rounds').selectAll().execute()).length;

/** How many mails there are, and how long the longest job took that wrote some. */
async function writtenBy({ reader }: Database): Promise<{ mails: number; longestMs: number }> {
  const mails = await reader.selectFrom('mails').select('id').where('kind', '=', 'digest').execute();
  const jobs = await reader
    .selectFrom('jobs')
    .select(['started_at as startedAt', 'ended_at as endedAt'])
    .where('kind', '=', 'mail.digests')
    .where('state', '=', 'done')
    .execute();
  const took = jobs.map(({ startedAt, endedAt }) => (endedAt ?? 0) - (startedAt ?? 0));
  return { mails: mails.length, longestMs: Math.max(0, ...took) };
}

export async function measureDigests(engine: Engine, dataDir: string): Promise<void> {
  const databaseUrl = await engine.createDatabase(dataDir);
  const firm = await seed({ databaseUrl, dataDir }, FILES, { clients: CLIENTS, clientUsers: CLIENTS }, addPeople);
  // Nothing listens there: mails are written and wait.
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'portal@example.com', PUBLIC_ORIGIN: 'http://127.0.0.1' };
  const server = await startApplication(dataDir, [], { DATABASE_URL: databaseUrl, ...mail });
  const database = await openDatabase(databaseUrl);
  try {
    const tokens = {
      admin: await signIn(server, USERS.admin),
      cpa: await signIn(server, USERS.cpa),
      client: await signIn(server, USERS.client),
    };
    for (let tries = 0; (await roundsOf(database)) === 0; tries += 1) {
      if (tries > 120) throw new Broken('No round of digests began');
      await setTimeout(500);
    }
    const admin = new Caller(server, tokens.admin);
    for (let nth = 0; nth < NEW_FILES; nth += 1) {
      const fields = { clientId: `${(nth % CLIENTS) + 1}`, fileType: 'report', reportTypeId: `${(nth % 14) + 1}` };
      const bytes = new Uint8Array(Buffer.from(`hours of run ${nth}`));
      await admin.upload('/api/files', { name: `run ${nth}.txt`, bytes }, fields);
    }
    const { requests } = scenarioLoad('scoped-list', firm, tokens);
    const waits = await loadSteadily(server, requests, READS_A_SECOND, { durationMs: WATCHED_MS, warmUpMs: 0 });
    const { mails, longestMs } = await writtenBy(database);
    if (mails === 0) throw new Broken('Nobody was told of anything');
    sayTable(
      `Digests on ${engine.title}: ${NEW_FILES} new files of ${CLIENTS} clients, ${PEOPLE} people, ${mails} mails, beside ${READS_A_SECOND} lists a second`,
      ['', 'ms', 'target', ''],
      [
        ['mails written, the longest job', ms(longestMs), `< ${QUEUED_MS}`, mark(longestMs < QUEUED_MS)],
        ['lists meanwhile, p99', ms(waits.p99Ms), `< ${P99_MAX_MS}`, mark(waits.p99Ms < P99_MAX_MS)],
        ['lists meanwhile, longest', ms(waits.longestMs), '', ''],
      ],
    );
  } finally {
    await database.close();
    await server.stop();
  }
}

// `npm run bench`: seeds two firms, measures the application beside its floor, and prints what was reached.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { startPostgres } from '#server/testing/postgres-server.ts';
import { measureReadsUnderAttack } from './attack.ts';
import { fetchLong, formAround, sendLong } from './bodies.ts';
import { ADMIN_PASSWORD, residentBytes, type Server, startApplication, startFloor, watchMemory } from './children.ts';
import { askInTurn, Broken, type Measured, median, percentile, pressInTurns } from './load.ts';
import { growthLists, narrowedLists, type Scenario, scenarios, type Tokens } from './scenarios.ts';
import { measureScreens } from './screens.ts';
import { type Firm, PASSWORD, seed, USERS } from './seed.ts';
import { measureStopper, prepareGround, type Stopped, type Stopper, stoppers } from './stoppers.ts';
import { formatTable, mark, megabytes, ms, percent, rate } from './table.ts';

const MIB = 1024 ** 2;
const P50_GROWTH_MAX = 1.5;
const LONG_UPLOAD_TARGET = 0.5;
const RESIDENT_MAX_BYTES = 200 * 1000 * 1000;
const COLD_START_MAX_MS = 1_500;
const FREE_NEEDED_BYTES = 12 * 1024 * MIB;
/** What reads may take at the slowest hundredth while somebody guesses at passwords. */
const ATTACKED_P99_MAX_MS = 200;
/** The longest that anybody may wait while somebody sends what once stopped the server. */
const STOPPED_MAX_MS = 100;
/** What a run of refused requests may leave behind: buffers and pages that are kept, nothing that grows. */
const STOPPED_GROWTH_MAX_BYTES = 50 * 1000 * 1000;
const SLOW_MS = 500;
const SETTLE_MS = 2_500;
/** Above this part of one processor the client, not the server, may set the pace. */
const CLIENT_BUSY = 0.95;

const extras = ['growth', 'long-upload', 'attack', 'memory', 'cold-start', 'screens', 'stoppers'];
/** What needs no stage of the others. */
const alone = ['cold-start', 'screens', 'stoppers'];
const names = [...scenarios.map(({ name }) => name), ...extras];

const HELP = `npm run bench [-- --quick] [-- --screens] [-- --only <name>] [-- --profile <folder>]
  --quick            fewer files and short runs, to see that it works
  --screens          the same as --only screens
  --only <name>      one or more of: ${names.join(', ')}
  --profile <folder> writes a processor profile of each server there`;

function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    screens: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const sizes = flags.quick ? { small: 10_000, large: 50_000 } : { small: 10_000, large: 1_000_000 };
const rounds = flags.quick
  ? { count: 1, stretchMs: 500, warmUpMs: 300 }
  : { count: 3, stretchMs: 2_000, warmUpMs: 1_000 };
const growthRounds = flags.quick
  ? { count: 1, countMin: 2, durationMs: 100 }
  : { count: 3, countMin: 2, durationMs: 300 };
const longUploads = flags.quick ? 2 : 5;
const longUploadBytes = 100 * 1000 * 1000;
const giantBytes = flags.quick ? 128 * MIB : 2048 * MIB;
const coldStarts = flags.quick ? 2 : 7;
const stopperRounds = flags.quick ? 1 : 3;
const stopperSizes = flags.quick
  ? { wideSignIns: 4, longLists: 20, signIns: 10, archivedFiles: 200, archives: 1 }
  : { wideSignIns: 10, longLists: 100, signIns: 40, archivedFiles: 1_000, archives: 2 };

const only = flags.screens ? [...flags.only, 'screens'] : flags.only;
const wanted = (name: string) => only.length === 0 || only.includes(name);
const nodeFlags = flags.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${flags.profile}`];

/** One firm with the two servers that stand on its database. */
interface Stage {
  readonly firm: Firm;
  readonly application: Server;
  readonly floor: Server;
  readonly tokens: Tokens;
}

async function signIn(server: Server, username: string): Promise<string> {
  const answer = await fetch(new URL('/api/auth/login', server.origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD }),
  });
  if (answer.status !== 200) throw new Broken(`${username} could not sign in: ${await answer.text()}`);
  return ((await answer.json()) as { token: string }).token;
}

async function openStage(folder: string, fileCount: number, running: Server[]): Promise<Stage> {
  const startedAt = performance.now();
  const firm = await seed(folder, fileCount);
  say(`Seeded ${fileCount.toLocaleString('en-US')} files in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
  const application = await startApplication(folder, nodeFlags);
  running.push(application);
  const floor = await startFloor(firm.databasePath, folder, nodeFlags);
  running.push(floor);
  const tokens = {
    admin: await signIn(application, USERS.admin),
    cpa: await signIn(application, USERS.cpa),
    client: await signIn(application, USERS.client),
  };
  return { firm, application, floor, tokens };
}

/** Asks both servers for each address once: the same JSON and the same total, or the comparison would be of nothing. */
async function assertSameAnswers(stage: Stage, scenario: Scenario): Promise<void> {
  for (const { path, headers } of scenario.load(stage.firm, stage.tokens, 'application').requests) {
    const [ours, theirs] = await Promise.all(
      [stage.application, stage.floor].map(async ({ origin }) => {
        const answer = await fetch(new URL(path, origin), headers ? { headers: { ...headers } } : {});
        return { status: answer.status, total: answer.headers.get('x-total-count'), body: await answer.json() };
      }),
    );
    if (!isDeepStrictEqual(ours, theirs)) {
      throw new Broken(`${path}: application and floor differ\n${JSON.stringify(ours)}\n${JSON.stringify(theirs)}`);
    }
  }
}

/** Every file to be downloaded comes whole from both servers. */
async function assertRightBytes({ firm, application, floor, tokens }: Stage): Promise<void> {
  for (const { origin } of [application, floor]) {
    for (const { id, sha256 } of firm.downloads) {
      const answer = await fetch(new URL(`/api/files/${id}/download`, origin), {
        headers: { authorization: `Bearer ${tokens.cpa}` },
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (answer.status !== 200 || createHash('sha256').update(bytes).digest('hex') !== sha256) {
        throw new Broken(`File ${id} came with wrong bytes from ${origin} (${answer.status})`);
      }
    }
  }
}

const countTitle = (count: number) => (count >= 1_000_000 ? `${count / 1_000_000}M` : `${count / 1_000}k`);

function scenarioRow(scenario: Scenario, size: string, ours: Measured, theirs: Measured): string[] {
  const ratio = median(ours.rates.map((perSecond, round) => perSecond / (theirs.rates[round] ?? Number.NaN)));
  const spent =
    ours.serverMsEach === null || theirs.serverMsEach === null ? null : theirs.serverMsEach / ours.serverMsEach;
  return [
    scenario.title,
    size,
    rate(ours.perSecond),
    `${ms(ours.p50Ms)} / ${ms(ours.p99Ms)}`,
    rate(theirs.perSecond) + (theirs.clientBusy > CLIENT_BUSY ? '*' : ''),
    `${ms(theirs.p50Ms)} / ${ms(theirs.p99Ms)}`,
    percent(ratio),
    spent === null ? '' : percent(spent),
    scenario.target === null ? '' : `>= ${percent(scenario.target)}`,
    scenario.target === null ? '' : mark(ratio >= scenario.target),
  ];
}

async function measureScenarios(small: Stage, large: Stage): Promise<void> {
  const rows: string[][] = [];
  const growth: string[][] = [];
  for (const scenario of scenarios.filter(({ name }) => wanted(name))) {
    for (const stage of [small, large]) {
      if (scenario.sameAnswer) await assertSameAnswers(stage, scenario);
      if (scenario.name === 'download') await assertRightBytes(stage);
    }
    const target = (stage: Stage, of: 'application' | 'floor') => ({
      server: stage[of],
      load: scenario.load(stage.firm, stage.tokens, of),
    });
    const measured = await pressInTurns(
      {
        smallApplication: target(small, 'application'),
        smallFloor: target(small, 'floor'),
        largeApplication: target(large, 'application'),
        largeFloor: target(large, 'floor'),
      },
      rounds,
    );
    const { smallApplication, smallFloor, largeApplication, largeFloor } = measured;
    rows.push(scenarioRow(scenario, countTitle(sizes.small), smallApplication, smallFloor));
    rows.push(scenarioRow(scenario, countTitle(sizes.large), largeApplication, largeFloor));
    if (scenario.list) growth.push(growthRow(scenario.title, smallApplication.p50Ms, largeApplication.p50Ms));
    say(`  measured: ${scenario.title}`);
  }
  if (rows.length === 0) return;
  say();
  say('Application beside its floor');
  say(
    formatTable(
      ['', 'files', 'req/s', 'p50 / p99 ms', 'floor req/s', 'p50 / p99 ms', 'of floor', 'by cpu', 'target', ''],
      rows,
    ),
  );
  say(CAPTION);
  if (growth.length > 0) sayGrowth('The measured lists as files grow (10 connections)', growth);
}

const CAPTION = `The floor is bare Fastify 5 with hand-written SQL prepared once with node:sqlite, in a process of its own on the same
database file with the same durability. It knows its viewer: every route looks the token up by its SHA-256 in the sessions,
with age and idle limits, and has the viewer's reach in its SQL. Its lists and reads answer the same JSON and X-Total-Count,
byte counts and values compared before measuring, through compiled serializers. It does not validate input, compute rights
beyond reach, set security headers, take cookies or tickets, log, or shed load. Its sign-in verifies the same Argon2id hash and
stores a session. Its download finds the file in reach and pipes createReadStream to the socket: no digest is checked, no access
is recorded. Its upload looks the token up and streams the raw body to a file: no multipart, no SHA-256, no fsync, no row.
"of floor" compares requests a second, round by round; "by cpu" compares processor time per request of the two servers, which
other work on the machine disturbs less. * marks a floor whose client was busy above ${percent(CLIENT_BUSY)} of a processor, so that the
floor itself may be faster than told.`;

function growthRow(
  title: string,
  smallP50Ms: number,
  largeP50Ms: number,
  max: number | null = P50_GROWTH_MAX,
): string[] {
  const ratio = largeP50Ms / smallP50Ms;
  const judged = max === null ? ['', ''] : [`<= ${max} x`, mark(ratio <= max)];
  return [title, ms(smallP50Ms), ms(largeP50Ms), `${ratio.toFixed(2)} x`, ...judged];
}

function sayGrowth(title: string, rows: string[][]): void {
  const columns = [`p50 ms at ${countTitle(sizes.small)}`, `at ${countTitle(sizes.large)}`, 'growth', 'target', ''];
  say();
  say(title);
  say(formatTable(['', ...columns], rows));
}

async function measureGrowth(small: Stage, large: Stage): Promise<void> {
  const measure = async (lists: typeof growthLists, max: number | null) => {
    const rows: string[][] = [];
    for (const { title, as, path } of lists) {
      await goOnWhenBroken(async () => {
        const took = await askBothSizes(small, large, as, path);
        rows.push(growthRow(`${title} (${as})`, median(took.small), median(took.large), max));
      });
    }
    return rows;
  };
  sayGrowth('Every other list as files grow (one connection)', await measure(growthLists, P50_GROWTH_MAX));
  sayGrowth(
    'Lists narrowed by days or words, which count what they find (one connection)',
    await measure(narrowedLists, null),
  );
}

async function askBothSizes(small: Stage, large: Stage, as: keyof Tokens, path: string) {
  const took = { small: [] as number[], large: [] as number[] };
  for (let round = 0; round <= growthRounds.count; round += 1) {
    for (const [size, { application, tokens }] of [
      ['small', small],
      ['large', large],
    ] as const) {
      const latencies = await askInTurn(application, path, tokens[as], growthRounds);
      // The first round warms up.
      if (round > 0) took[size].push(...latencies);
      // A list that holds the server up for so long makes it refuse what comes next; that is not what is measured here.
      if (Math.max(...latencies) > SLOW_MS) await setTimeout(SETTLE_MS);
    }
  }
  return took;
}

async function measureLongUploads({ firm, application, floor, tokens }: Stage): Promise<void> {
  const [pair] = firm.pairs;
  const form = formAround({ fileType: 'report', ...pair });
  const common = { token: tokens.cpa, sizeBytes: longUploadBytes };
  const send = async (of: 'application' | 'floor') => {
    const origin = of === 'floor' ? floor.origin : application.origin;
    const { tookMs } = await sendLong({ ...common, origin, form: of === 'floor' ? null : form, digest: false });
    return tookMs;
  };
  const took = { application: [] as number[], floor: [] as number[] };
  await send('application');
  await send('floor');
  for (let round = 0; round < longUploads; round += 1) {
    took.application.push(await send('application'));
    took.floor.push(await send('floor'));
  }
  const checked = await sendLong({ ...common, origin: application.origin, form, digest: true });
  if (checked.row.sha256 !== checked.sha256) throw new Broken('An upload of 100 MB was stored with another digest');
  const figures = Object.values(took).map((times) => {
    const sorted = times.toSorted((a, b) => a - b);
    const p50 = percentile(sorted, 0.5);
    return {
      p50,
      told: [rate(1000 / p50), `${ms(p50)} / ${ms(percentile(sorted, 0.99))}`, rate(longUploadBytes / 1000 / p50)],
    };
  });
  const [ours, theirs] = figures;
  if (ours === undefined || theirs === undefined) return;
  const ratio = theirs.p50 / ours.p50;
  say();
  say(
    `Upload of 100 MB, one at a time, ${longUploads} times in turns (p50; the application hashes and flushes to disk, the floor does not)`,
  );
  say(
    formatTable(
      ['', 'req/s', 'p50 / p99 ms', 'MB/s', 'of floor', 'target', ''],
      [
        [
          'application',
          ...ours.told,
          percent(ratio),
          `>= ${percent(LONG_UPLOAD_TARGET)}`,
          mark(ratio >= LONG_UPLOAD_TARGET),
        ],
        ['floor', ...theirs.told, '', '', ''],
      ],
    ),
  );
}

async function measureAttack({ firm, application, tokens }: Stage): Promise<void> {
  const reads = scenarios.find(({ name }) => name === 'scoped-list')?.load(firm, tokens, 'application');
  if (reads === undefined) throw new Error('The scoped list is gone');
  const { alone, attacked, guesses } = await measureReadsUnderAttack(application, reads, firm.clientUsernames, rounds);
  const refused = guesses.filter((status) => status === 429).length;
  const wrong = guesses.filter((status) => status !== 401 && status !== 429);
  if (wrong.length > 0) throw new Broken(`Guesses were answered ${[...new Set(wrong)].join(', ')}`);
  const row = (title: string, { perSecond, p50Ms, p99Ms }: Measured, told: string, target: string) => [
    title,
    rate(perSecond),
    `${ms(p50Ms)} / ${ms(p99Ms)}`,
    told,
    target,
    target === '' ? '' : mark(p99Ms < ATTACKED_P99_MAX_MS),
  ];
  const told = `${guesses.length} guesses, ${guesses.length - refused} verified, ${refused} refused at once`;
  say();
  say('Scoped lists at 200 a second, without and with ten wrong sign-ins a second beside them');
  say(
    formatTable(
      ['', 'req/s', 'p50 / p99 ms', '', 'target', ''],
      [row('alone', alone, '', ''), row('under attack', attacked, told, `p99 < ${ATTACKED_P99_MAX_MS} ms`)],
    ),
  );
}

async function measureMemory({ firm, application, tokens }: Stage): Promise<void> {
  const after = residentBytes(application.pid);
  const [pair] = firm.pairs;
  const { origin } = application;
  const up = watchMemory(application.pid);
  const sent = await sendLong({
    origin,
    token: tokens.cpa,
    sizeBytes: giantBytes,
    form: formAround({ fileType: 'report', ...pair }),
    digest: true,
  });
  const upPeak = up.stop();
  const down = watchMemory(application.pid);
  const fetched = await fetchLong(origin, tokens.cpa, sent.row.id);
  const downPeak = down.stop();
  if (sent.sha256 !== sent.row.sha256 || fetched.sha256 !== sent.sha256 || fetched.sizeBytes !== giantBytes) {
    throw new Broken(`${megabytes(giantBytes)} went up and came down as other bytes`);
  }
  const speed = (tookMs: number) => `${rate(giantBytes / 1000 / tookMs)} MB/s`;
  const row = (title: string, bytes: number | null, told: string) => [
    title,
    megabytes(bytes),
    told,
    '< 200 MB',
    bytes === null ? '' : mark(bytes < RESIDENT_MAX_BYTES),
  ];
  say();
  say(`Resident memory of the application over ${countTitle(firm.fileCount)} files`);
  say(
    formatTable(
      ['', 'resident', '', 'target', ''],
      [
        row('after the run above', after, ''),
        row(`highest while ${megabytes(giantBytes)} went up`, upPeak, speed(sent.tookMs)),
        row(`highest while ${megabytes(giantBytes)} came down`, downPeak, speed(fetched.tookMs)),
      ],
    ),
  );
}

async function measureColdStart(folder: string): Promise<void> {
  const took: number[] = [];
  for (let attempt = 0; attempt < coldStarts; attempt += 1) {
    const dataDir = join(folder, `cold-${attempt}`);
    mkdirSync(dataDir);
    const startedAt = performance.now();
    const server = await startApplication(dataDir);
    const answer = await fetch(new URL('/healthz', server.origin));
    took.push(performance.now() - startedAt);
    await server.stop();
    if (answer.status !== 200) throw new Broken(`/healthz answered ${answer.status}`);
  }
  const middle = median(took);
  say();
  say(`Cold start: empty data folder, from starting the process to the first answer of /healthz, ${coldStarts} times`);
  say(
    formatTable(
      ['', 'median ms', 'from - to', 'target', ''],
      [
        [
          'node server/main.ts',
          ms(middle),
          `${ms(Math.min(...took))} - ${ms(Math.max(...took))}`,
          `< ${COLD_START_MAX_MS.toLocaleString('en-US')}`,
          mark(middle < COLD_START_MAX_MS),
        ],
      ],
    ),
  );
}

/** The rows of one attack: the wait, and where it is judged the memory and the sign-ins. */
function stopperRows({ title, growth }: Stopper, engine: string, seen: readonly Stopped[]): string[][] {
  const waits = seen.map(({ watched }) => watched.longestMs);
  const wait = median(waits);
  const refused = seen.reduce((sum, { watched }) => sum + watched.refused, 0);
  const answers = [...new Set(seen.map((round) => round.answers))].join('; ');
  const rows = [
    [
      title,
      engine,
      `${ms(wait)} ms`,
      waits.map(ms).join(', '),
      refused === 0 ? answers : `${answers} (${refused} of /healthz refused)`,
      `<= ${STOPPED_MAX_MS} ms`,
      mark(wait <= STOPPED_MAX_MS && refused === 0),
    ],
  ];
  if (growth) {
    // All rounds together: what is bounded may fill in the first.
    const grown = seen.map(({ residentGrowthBytes }) => residentGrowthBytes ?? Number.NaN);
    const all = grown.reduce((sum, bytes) => sum + bytes, 0);
    const target = `<= ${megabytes(STOPPED_GROWTH_MAX_BYTES)}`;
    const told = grown.map((bytes) => megabytes(bytes)).join(', ');
    rows.push([
      '  growth of resident memory',
      engine,
      megabytes(all),
      told,
      '',
      target,
      mark(all <= STOPPED_GROWTH_MAX_BYTES),
    ]);
  }
  const signIns = seen.flatMap((round) => round.signIns ?? []);
  if (signIns.length > 0) {
    const turnedAway = signIns.reduce((sum, round) => sum + round.refused, 0);
    const all = signIns.reduce((sum, round) => sum + round.all, 0);
    const told = signIns.map((round) => round.refused).join(', ');
    rows.push([
      '  sign-ins turned away (503 or no answer)',
      engine,
      `${turnedAway} of ${all}`,
      told,
      '',
      'none',
      mark(turnedAway === 0),
    ]);
  }
  return rows;
}

async function measureStoppersOn(engine: string, folder: string, databaseUrl: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const server = await startApplication(folder, nodeFlags, { DATABASE_URL: databaseUrl });
  try {
    const ground = await prepareGround(server, ADMIN_PASSWORD, stopperSizes.archivedFiles);
    const rows: string[][] = [];
    for (const stopper of stoppers) {
      const seen: Stopped[] = [];
      for (let round = 0; round < stopperRounds; round += 1) {
        seen.push(await measureStopper(stopper, ground, stopperSizes));
        // What one round leaves to be done is not the next one's wait.
        await setTimeout(SETTLE_MS);
      }
      rows.push(...stopperRows(stopper, engine, seen));
      say(`  measured on ${engine}: ${stopper.title}`);
    }
    say();
    say(
      `The longest wait for /healthz beside what once stopped the server (median of ${stopperRounds} rounds, and each)`,
    );
    say(formatTable(['', 'on', 'longest', 'rounds', 'answers', 'target', ''], rows));
  } finally {
    await server.stop();
  }
}

async function measureStoppers(folder: string): Promise<void> {
  await goOnWhenBroken(() => measureStoppersOn('SQLite', join(folder, 'sqlite'), ''));
  const postgres = await startPostgres();
  if (postgres === null) return say('No PostgreSQL is installed here.');
  try {
    await goOnWhenBroken(() => measureStoppersOn('PostgreSQL', join(folder, 'postgres'), postgres.url));
  } finally {
    await postgres.stop();
  }
}

/** A part that broke fails the run, but the other parts are still worth measuring. */
async function goOnWhenBroken(measure: () => Promise<void>): Promise<void> {
  try {
    await measure();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    process.exitCode = 1;
    say();
    say(`BROKEN: ${error.message}`);
  }
}

async function bench(folder: string): Promise<void> {
  const running: Server[] = [];
  say(
    `Coffer benchmark · Node ${process.versions.node} · ${availableParallelism()} x ${cpus()[0]?.model ?? 'processor'}`,
  );
  try {
    if (wanted('cold-start')) await goOnWhenBroken(() => measureColdStart(folder));
    if (wanted('screens')) {
      await goOnWhenBroken(() => measureScreens(join(folder, 'screens'), { rounds: flags.quick ? 2 : 5, say }));
    }
    if (wanted('stoppers')) await measureStoppers(join(folder, 'stoppers'));
    if (!names.some((name) => !alone.includes(name) && wanted(name))) return;
    say();
    const small = await openStage(join(folder, 'small'), sizes.small, running);
    const large = await openStage(join(folder, 'large'), sizes.large, running);
    await goOnWhenBroken(() => measureScenarios(small, large));
    if (wanted('growth')) await goOnWhenBroken(() => measureGrowth(small, large));
    if (wanted('long-upload')) await goOnWhenBroken(() => measureLongUploads(large));
    if (wanted('attack')) await goOnWhenBroken(() => measureAttack(large));
    if (wanted('memory')) await goOnWhenBroken(() => measureMemory(large));
  } finally {
    await Promise.all(running.map((server) => server.stop()));
  }
}

async function main(): Promise<void> {
  const unknown = only.filter((name) => !names.includes(name));
  if (flags.help || unknown.length > 0) {
    say(HELP);
    process.exitCode = flags.help ? 0 : 1;
    return;
  }
  const disk = statfsSync(tmpdir());
  if (!flags.quick && disk.bavail * disk.bsize < FREE_NEEDED_BYTES) {
    say(`The benchmark needs ${megabytes(FREE_NEEDED_BYTES)} free in ${tmpdir()}.`);
    process.exitCode = 1;
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'coffer-bench-'));
  // Also when it is interrupted; the servers are ended the same way.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
  try {
    await bench(folder);
    if (process.exitCode === 1) say('\nSomething broke: see above.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();

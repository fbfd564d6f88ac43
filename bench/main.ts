// `npm run bench`: seeds two firms on the chosen engine, measures the application against its floor, and prints what was reached.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { DatabaseKind } from '#server/platform/db/database.ts';
import { measureAttack } from './attack.ts';
import { measureBackup } from './backup.ts';
import { measureBatch } from './batch.ts';
import { measureColdStart } from './cold-start.ts';
import { measureDigests } from './digests.ts';
import { type Engine, openEngine } from './engines.ts';
import { measureFirstVisits } from './first-visit.ts';
import { measureFloods } from './floods.ts';
import { measureReadingFloods } from './floods-of-reading.ts';
import { measureActs, measureGrowth, measureOpened } from './growth.ts';
import { measureGuard } from './guard.ts';
import { measureHostileRequests } from './hostile-requests.ts';
import { Broken } from './load.ts';
import { measureLongUploads, measureMemory } from './long-files.ts';
import { measureRecognition } from './recognition.ts';
import { megabytes, say } from './report.ts';
import { scenarios } from './scenarios.ts';
import { measureScreens } from './screens.ts';
import { FLOODS, neededBytes, type Settings, settingsFor } from './settings.ts';
import { openTestBed, type TestBed } from './test-bed.ts';
import { measureThroughput } from './throughput.ts';
import { measureUploadSteps } from './upload-steps.ts';
import { measureWaiting } from './waiting.ts';

const ENGINES: Readonly<Record<string, readonly DatabaseKind[]>> = {
  sqlite: ['sqlite'],
  postgres: ['postgres'],
  both: ['sqlite', 'postgres'],
};

/** What is measured on the two seeded firms besides the scenarios, in this order. */
const onFirms: Readonly<
  Record<string, (beds: Readonly<Record<'small' | 'large', TestBed>>, settings: Settings) => Promise<void>>
> = {
  growth: measureGrowth,
  'growth-of-openings': measureOpened,
  'growth-of-acts': measureActs,
  waiting: ({ large }, settings) => measureWaiting(large, settings),
  'long-upload': ({ large }, settings) => measureLongUploads(large, settings),
  attack: ({ large }, settings) => measureAttack(large, settings),
  floods: ({ large }, settings) => measureFloods(large, settings),
  memory: ({ large }, settings) => measureMemory(large, settings),
};

/** Measurements with data of their own. */
const onItsOwn: Readonly<Record<string, (engine: Engine, folder: string, settings: Settings) => Promise<void>>> = {
  'cold-start': measureColdStart,
  'first-visit': measureFirstVisits,
  screens: (engine, folder, { screenRounds }) => measureScreens(engine, folder, screenRounds),
  'hostile-requests': measureHostileRequests,
  backup: measureBackup,
  batch: measureBatch,
  guard: (engine, folder) => measureGuard(engine, folder),
  digests: (engine, folder) => measureDigests(engine, folder),
  recognition: measureRecognition,
  'floods-of-reading': measureReadingFloods,
};

const names = [...scenarios.map(({ name }) => name), ...Object.keys(onFirms), ...Object.keys(onItsOwn)];

const HELP = `npm run bench [-- <option>...]
  --engine <engine>  sqlite (the default), postgres, or both, one after the other. PostgreSQL is started from the binaries
                     installed here, durable and with 512 MB of shared buffers, or it is the server that BENCH_DATABASE_URL
                     names, where the account must be a superuser: databases are made there and dropped again
  --files <count>    files of the large firm, 1,000,000 unless given; the small one has 10,000
  --quick            a large firm of 50,000 files and short runs, to see that it works
  --plain            the two firms keep their files in plain (ENCRYPTION=off), for download and upload
  --only <name>      may be given again: ${names.join(', ')}.
                     upload also prints where the time of an upload goes; floods takes floods-of-reading in, growth
                     growth-of-openings and growth-of-acts
  --floods <names>   of floods-of-reading, some of them alone, with commas between: ${FLOODS.join(',')}
  --profile <folder> writes a processor profile of each server there`;

const { values: flags } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    files: { type: 'string' },
    quick: { type: 'boolean', default: false },
    plain: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    floods: { type: 'string', default: FLOODS.join() },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const chosen = (name: string) =>
  flags.only.length === 0 || flags.only.some((only) => name === only || name.startsWith(`${only}-of-`));

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

async function measureFirms(engine: Engine, folder: string, settings: Settings): Promise<void> {
  const { sizes } = settings;
  const open: TestBed[] = [];
  const openOne = async (size: 'small' | 'large') => {
    const bed = await openTestBed(engine, join(folder, size), sizes[size], settings);
    open.push(bed);
    return bed;
  };
  try {
    const beds = { small: await openOne('small'), large: await openOne('large') };
    await goOnWhenBroken(() => measureThroughput(beds, chosen, settings));
    if (chosen('upload')) await goOnWhenBroken(() => measureUploadSteps(engine, beds.large, settings));
    for (const [name, measure] of Object.entries(onFirms)) {
      if (chosen(name)) await goOnWhenBroken(() => measure(beds, settings));
    }
  } finally {
    await Promise.all(open.map((bed) => bed.stop()));
  }
}

async function measureEngine(kind: DatabaseKind, folder: string, settings: Settings): Promise<void> {
  const engine = await openEngine(kind, folder);
  say();
  const machine = `${availableParallelism()} x ${cpus()[0]?.model ?? 'processor'}`;
  const load = loadavg().map((average) => average.toFixed(1));
  say(`Coffer benchmark · ${engine.title} · Node ${process.versions.node} · ${machine}`);
  say(`Load of the machine over 1, 5 and 15 minutes before it: ${load.join(', ')}.`);
  try {
    for (const [name, measure] of Object.entries(onItsOwn)) {
      if (chosen(name)) await goOnWhenBroken(() => measure(engine, join(folder, name), settings));
    }
    if (names.some((name) => chosen(name) && !Object.hasOwn(onItsOwn, name))) {
      say();
      await measureFirms(engine, folder, settings);
    }
  } finally {
    await engine.stop();
  }
}

async function main(): Promise<void> {
  const kinds = ENGINES[flags.engine];
  const files = flags.files === undefined ? undefined : Number(flags.files.replaceAll(',', ''));
  const named = flags.floods.split(',');
  const floods = FLOODS.filter((flood) => named.includes(flood));
  const isRight =
    kinds !== undefined &&
    floods.length === named.length &&
    flags.only.every((name) => names.includes(name)) &&
    (files === undefined || (Number.isSafeInteger(files) && files > 0));
  if (flags.help || !isRight) {
    say(HELP);
    process.exitCode = flags.help ? 0 : 1;
    return;
  }
  const settings = settingsFor({ ...flags, files, profile: flags.profile, floods });
  const disk = statfsSync(tmpdir());
  if (disk.bavail * disk.bsize < neededBytes(settings)) {
    say(`The benchmark needs ${megabytes(neededBytes(settings))} free in ${tmpdir()}.`);
    process.exitCode = 1;
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'coffer-bench-'));
  // PostgreSQL runs under another account, with a folder in here.
  chmodSync(folder, 0o711);
  // Also when it is interrupted; the servers are ended the same way.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
  for (const kind of kinds) {
    const engineFolder = join(folder, kind);
    await goOnWhenBroken(() => measureEngine(kind, engineFolder, settings));
    rmSync(engineFolder, { recursive: true, force: true });
  }
  if (process.exitCode === 1) say('\nSomething broke: see above.');
}

await main();

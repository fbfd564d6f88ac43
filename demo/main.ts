// The command `npm run demo`: creates a demo firm in a data folder of its own and says how to open it.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { namedDataDir, readConfig } from '#server/config.ts';
import { createPasswordHasher } from '#server/people/auth/password-hasher.ts';
import { encryptionOf } from '#server/platform/blobs/encryption/firm-keys.ts';
import { openBlobStore, parseBlobUrl } from '#server/platform/blobs/open-blob-store.ts';
import { isInUse, openDatabase } from '#server/platform/db/connect.ts';
import { companiesOf, type FirmPlan, planFirm } from './plan.ts';
import { seedFirm } from './seed.ts';
import { TO_DROP, writeToDrop } from './to-drop/to-drop.ts';

/** The default folder, and the marker file that shows that this command created a folder and may replace it. */
const { folder: DEFAULT_FOLDER, marker: MARKER } = JSON.parse(
  readFileSync(new URL('./place.json', import.meta.url), 'utf8'),
) as { folder: string; marker: string };

const USAGE = `Usage: npm run demo [-- --small] [-- --dir <folder>]
  --small         6 clients and about 80 files instead of 40 and about 5,000
  --dir <folder>  where to make it; otherwise in DATA_DIR, and in ${DEFAULT_FOLDER} where that is not set`;

/** Stops the command with a one-line message. */
class DemoFault extends Error {
  override readonly name = 'DemoFault';
}

function readArguments(): { size: 'full' | 'small'; folder: string } | null {
  try {
    const { values } = parseArgs({
      options: { small: { type: 'boolean' }, dir: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help) return null;
    const folder = values.dir ?? namedDataDir() ?? DEFAULT_FOLDER;
    return { size: values.small ? 'small' : 'full', folder: resolve(folder) };
  } catch (error) {
    throw new DemoFault(`${(error as Error).message}\n${USAGE}`);
  }
}

/** Whether a server runs on the demo in `folder`. It would go on with people and lists whose files are gone. */
async function isServed(folder: string): Promise<boolean> {
  const path = join(folder, 'coffer.db');
  // One that is damaged serves nobody.
  return existsSync(path) && (await isInUse(`sqlite:${path}`).catch(() => false));
}

/** Leaves an empty folder with the marker in it. Refuses one that holds anything this command did not create, and one in use. */
async function makeFresh(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw new DemoFault(`Cannot look into ${folder}: ${error.code}`);
  });
  if (entries.length > 0 && !entries.includes(MARKER)) {
    throw new DemoFault(
      `${folder} holds something that is not a demo. Name another folder with --dir or DATA_DIR, or move it away.`,
    );
  }
  if (await isServed(folder)) {
    throw new DemoFault(`A server runs on the demo in ${folder}. End it, and run this again.`);
  }
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, MARKER), 'Made by npm run demo, which may delete this folder and make it again.\n');
  } catch (error) {
    throw new DemoFault(`Cannot make ${folder}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

const grouped = new Intl.NumberFormat('en-US');

function progress(total: number): (count: number) => void {
  const { stdout } = process;
  return (count) => {
    if (stdout.isTTY && (count % 50 === 0 || count === total)) {
      stdout.write(`\r  ${grouped.format(count)} of ${grouped.format(total)} files${count === total ? '\n' : ''}`);
    } else if (!stdout.isTTY && count % 1000 === 0) {
      stdout.write(`  ${grouped.format(count)} of ${grouped.format(total)} files\n`);
    }
  };
}

/** One account of each kind that is worth a look, with what it shows. */
function accountsToShow(plan: FirmPlan): { username: string; role: string; shows: string }[] {
  const shown: readonly (readonly [username: string, shows: string])[] = [
    ['admin', 'everything'],
    ['r.okafor', 'firm staff'],
    ['l.farrow', 'a custom role that uploads'],
    ['v.haldane', 'a custom role that reads everything, the log too'],
    ['ingrid.castellan', 'one company'],
    ['m.voss', 'owner of several companies'],
  ];
  return shown.flatMap(([username, shows]) => {
    const user = plan.users.find((candidate) => candidate.username === username);
    if (user === undefined) return [];
    const clients = user.clientIndexes.length;
    const counted = clients > 1 ? `, ${clients} clients` : '';
    return [{ username, role: user.roleName, shows: `${shows}${counted}` }];
  });
}

function announce(plan: FirmPlan, folder: string, facts: { sizeBytes: number; seconds: number }): void {
  const path = relative(process.cwd(), folder);
  const short = path.startsWith('..') || isAbsolute(path) ? folder : path;
  const megabytes = Math.round(facts.sizeBytes / 1024 / 1024);
  const say = (line = '') => console.log(line);
  say();
  say(`The demo firm is in ${short}: made in ${facts.seconds.toFixed(1)} s.`);
  say(
    `  ${plan.clients.length} clients · ${plan.users.filter((user) => !user.former).length} users · ` +
      `${plan.reportTypes.length} report types · ${grouped.format(plan.files.length)} files (${megabytes} MB) · ` +
      `${grouped.format(plan.activity.length)} log entries`,
  );
  say();
  say('Start it:');
  say(`  DATA_DIR=${short} npm start${short === DEFAULT_FOLDER ? '   (npm run dev takes it by itself)' : ''}`);
  say();
  say(`Sign in; the password of every account is ${plan.password}`);
  for (const { username, role, shows } of accountsToShow(plan)) {
    say(`  ${username.padEnd(18)} ${role.padEnd(11)} ${shows}`);
  }
  say();
  say('The first thing to try: sign in as admin, open Batches, and drop this folder there:');
  say(`  ${join(short, TO_DROP)}`);
  say('  It holds a pay run, a quarter with traps, and a morning of mail.');
  say();
}

async function main(): Promise<void> {
  const wanted = readArguments();
  if (wanted === null) {
    console.log(USAGE);
    return;
  }
  const startedAt = performance.now();
  const { size, folder } = wanted;
  await makeFresh(folder);
  const plan = planFirm(size);
  console.log(`Making a demo firm of ${plan.clients.length} clients and ${grouped.format(plan.files.length)} files …`);

  // Only the folder counts here: a demo never uses the database that the environment may name.
  const config = readConfig({ DATA_DIR: folder });
  const database = await openDatabase(config.databaseUrl);
  await database.migrate();
  const encryption = await encryptionOf(config, database);
  const blobs = await openBlobStore(parseBlobUrl(config.blobUrl), { encryption });
  try {
    const passwords = createPasswordHasher();
    const { sizeBytes } = await seedFirm(plan, { database, blobs, passwords }, progress(plan.files.length));
    await writeToDrop(companiesOf(size), join(folder, TO_DROP));
    announce(plan, folder, { sizeBytes, seconds: (performance.now() - startedAt) / 1000 });
  } finally {
    await blobs.close();
    await database.close();
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof DemoFault)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

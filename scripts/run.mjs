// The entry point of every command: prepares the clone, then runs the command on the pinned Node.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { check, e2e, steady, test } from './check.mjs';
import { prepareChromium } from './chromium.mjs';
import { develop } from './dev.mjs';
import { commandOf, prepareCompiled, prepareNode, prepareWeb, root } from './prepare.mjs';
import { run, Stop, say } from './processes.mjs';
import { release } from './release.mjs';

const exitCodeOf = (holds) => (holds ? 0 : 1);

/** What was asked of a run of the tests; npm keeps an option to itself where the `--` before it is missing. */
function testOptions(args) {
  const other = args.filter((arg) => !['--strict', '--changed'].includes(arg));
  if (other.length > 0) {
    throw new Stop(
      `A run of the tests takes \`--strict\` and \`--changed\` and nothing else, so not \`${other.join(' ')}\`. For single files: ` +
        '`npm run vitest -- <file>`, or `npm run e2e -- <file>` for the browser.',
    );
  }
  const has = (name) => args.includes(`--${name}`) || process.env[`npm_config_${name}`] === 'true';
  return { isStrict: has('strict'), isChanged: has('changed') };
}

/** What asks a bucket for something. */
const S3_TESTS = [
  'server/platform/blobs/blob-store.test.ts',
  'server/platform/blobs/named-objects.test.ts',
  'server/testing/s3-journey.full.test.ts',
];

/** The tests of the bucket, against a real server in place of the one that they bring along. */
function testS3(node, args) {
  if (!process.env.TEST_S3_URL) {
    throw new Stop(
      'TEST_S3_URL names no bucket. Set it to one that tests may write to, such as `s3://coffer-test?region=us-east-1&endpoint=http://127.0.0.1:9000`, ' +
        'with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. They use a folder of their own in it and empty that again.',
    );
  }
  return run(node, [commandOf('vitest'), 'run', ...S3_TESTS, ...args], { cwd: root });
}

/** How the server's process is started so that its memory stays flat while large files and hashes pass through it. */
function startServer(node, entry, args = []) {
  const { nodeFlags, environment } = JSON.parse(readFileSync(join(root, 'server/process-settings.json'), 'utf8'));
  return run(node, [...nodeFlags, entry, ...args], { cwd: root, env: { ...environment, ...process.env } });
}

/** For what is told everything by the environment: what else is written there is not left unheard. */
const alone = (work) => (node, args) => {
  if (args.length === 0) return work(node);
  throw new Stop(
    `This takes no \`${args.join(' ')}\`: the settings are read from the environment (docs/configuration.md).`,
  );
};

const program = (file) => (node, args) => run(node, [file, ...args], { cwd: root });

async function withWeb(node, work) {
  await prepareWeb(node);
  prepareCompiled();
  return work();
}

const commands = {
  start: alone((node) => withWeb(node, () => startServer(node, 'server/main.ts'))),
  build: alone((node) => withWeb(node, () => 0)),
  dev: develop,
  test: async (node, args) => exitCodeOf(await test(node, testOptions(args))),
  'test:full': (node, args) => {
    process.env.TEST_BREADTH = 'full';
    return commands.test(node, args);
  },
  'test:s3': testS3,
  check: async (node) => exitCodeOf(await check(node)),
  e2e: async (node, args) => exitCodeOf(await e2e(node, args)),
  steady: async (node, args) => exitCodeOf(await steady(node, args)),
  bench: async (node, args) => {
    process.env.CHROMIUM_PATH = await prepareChromium(node);
    return withWeb(node, () => program('bench/main.ts')(node, args));
  },
  demo: program('demo/main.ts'),
  admin: program('server/admin.ts'),
  read: (node, args) => startServer(node, 'server/read.ts', args),
  worker: alone((node) => startServer(node, 'server/worker.ts')),
  release: (node, args) => withWeb(node, () => release(args)),
  vitest: (node, args) => run(node, [commandOf('vitest'), ...args], { cwd: root }),
  screenshots: async (node, args) => {
    process.env.CHROMIUM_PATH = await prepareChromium(node);
    return withWeb(node, () => program('e2e/screenshots.ts')(node, args));
  },
};

/** What these commands take, and would do something else without. */
const OPTIONS = {
  demo: ['small', 'dir'],
  admin: ['to-database', 'to-blobs', 'with-keys', 'keep', 'dry-run', 'at'],
  read: ['clients'],
  release: ['to'],
};

/** npm keeps an option to itself where the `--` before it is missing. */
function refuseKept(name) {
  const isKept = (option) => process.env[`npm_config_${option.replaceAll('-', '_')}`];
  const kept = (OPTIONS[name] ?? []).filter(isKept).map((option) => `\`--${option}\``);
  if (kept.length === 0) return;
  throw new Stop(`npm has kept ${kept.join(', ')} to itself. Write \`--\` before it: \`npm run ${name} -- …\`.`);
}

async function main([name, ...args]) {
  if (Number.parseInt(process.versions.node, 10) < 20) {
    throw new Stop(`Node 20 or newer is needed to begin with; this is ${process.version}.`);
  }
  if (!Object.hasOwn(commands, name ?? '')) {
    throw new Stop(
      `Usage: node scripts/run.mjs <command>, where <command> is one of: ${Object.keys(commands).join(', ')}`,
    );
  }
  refuseKept(name);
  return commands[name](await prepareNode(), args);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  say(error.message);
  process.exitCode = error.exitCode;
}

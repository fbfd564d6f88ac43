// The checks: everything that must hold before a change is finished, and the count of what did.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { prepareChromium } from './chromium.mjs';
import { browserFailures, unitFailures } from './failures.mjs';
import { prepareFirefox } from './firefox.mjs';
import { prepareNginx } from './nginx.mjs';
import { commandOf, prepareWeb, root } from './prepare.mjs';
import { runQuietly, runStep, say } from './processes.mjs';

/** How many passed and failed, and the failures by name, each with what was wrong in one line. */
const nothing = { passed: 0, failed: 0, skipped: 0, failures: [] };

function sum(counts) {
  return counts.reduce(
    (total, { passed, failed, skipped, failures }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
      failures: [...total.failures, ...failures],
    }),
    nothing,
  );
}

/** What reads the sources and runs nothing. */
const READERS = [
  { name: 'types of the web', command: ['typescript', 'tsc'], args: ['-p', 'tsconfig.web.json'] },
  { name: 'types of the rest', command: ['typescript', 'tsc'], args: ['-p', 'tsconfig.node.json'] },
  { name: 'dead code', command: ['knip'], args: ['--no-progress'] },
  {
    name: 'walls',
    command: ['dependency-cruiser', 'depcruise'],
    args: ['--config', '.dependency-cruiser.mjs', 'contract', 'server', 'web', 'demo', 'bench', 'e2e', 'scripts'],
  },
  { name: 'lint and format', command: ['@biomejs/biome', 'biome'], args: ['check', '--error-on-warnings'] },
];

async function read(node, { name, command, args }) {
  const startedMs = Date.now();
  const { code, output } = await runQuietly(node, [commandOf(...command), ...args], { cwd: root });
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
  say(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  if (code !== 0) say(output.trim());
  return code === 0 ? nothing : { ...nothing, failed: 1, failures: [name] };
}

async function readAll(node) {
  const counts = [];
  for (const reader of READERS) counts.push(await read(node, reader));
  return sum(counts);
}

/** The reports of the last run, for whoever asks what failed in it. */
const REPORTS = join(root, 'dist', 'test-reports');

function newReport(name) {
  mkdirSync(REPORTS, { recursive: true });
  const path = join(REPORTS, `${name}.json`);
  rmSync(path, { force: true });
  return path;
}

/** Reads a test runner's report. A run that fails without a failed test, or without a report, is itself a failure. */
function countOf(path, exitCode, toCount) {
  let count = nothing;
  try {
    count = toCount(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    say(`The tests left no report: ${error.message}`);
  }
  if (exitCode === 0 || count.failed > 0) return count;
  return { ...count, failed: 1, failures: [...count.failures, `${basename(path)}: ended with ${exitCode}`] };
}

/** Weighs the JavaScript of the first visit to every page, on the built web; `.size-limit.mjs` holds the limits. */
const WEIGHING = { name: 'weight of the first visits', command: ['size-limit'], args: [] };

async function runUnits(node) {
  const report = newReport('units');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await runStep(node, [commandOf('vitest'), ...args], { cwd: root });
  return countOf(report, code, (result) => {
    const failures = unitFailures(result, root);
    return {
      passed: result.numPassedTests,
      failed: failures.length,
      skipped: result.numPendingTests + result.numTodoTests,
      failures,
    };
  });
}

async function runBrowser(node, chromium, args) {
  const report = newReport('browser');
  const firefox = await prepareFirefox();
  const env = {
    ...process.env,
    CHROMIUM_PATH: chromium,
    ...(firefox === undefined ? {} : { FIREFOX_PATH: firefox }),
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  };
  const command = [commandOf('@playwright/test', 'playwright'), 'test', '--reporter=list,json', ...args];
  const code = await runStep(node, command, { cwd: root, env });
  return countOf(report, code, (result) => ({
    passed: result.stats.expected + result.stats.flaky,
    failed: result.stats.unexpected,
    skipped: result.stats.skipped,
    failures: browserFailures(result),
  }));
}

/** Everything but the browser. The sources are read beside the tests, which often wait for an engine or a clock. */
export async function check(node) {
  await prepareNginx();
  return sum(await Promise.all([runUnits(node), readAll(node)]));
}

/** The browser tests on the built application; `args` go to Playwright. */
export async function e2e(node, args) {
  const chromium = await prepareChromium(node);
  await prepareWeb(node);
  return runBrowser(node, chromium, args);
}

/** Everything. Its last line counts the tests; each failed check that is no test counts as one failure. */
export async function test(node) {
  // What cannot be had is said before minutes are spent on the rest.
  const chromium = await prepareChromium(node);
  await prepareWeb(node);
  // The second browser is installed while the rest is tested.
  const [checked, weighed] = await Promise.all([check(node), read(node, WEIGHING), prepareFirefox()]);
  const total = sum([checked, weighed, await runBrowser(node, chromium, [])]);
  for (const failure of total.failures) process.stdout.write(`✗ ${failure}\n`);
  if (total.skipped > 0) process.stdout.write(`${total.skipped} skipped\n`);
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
  return total;
}

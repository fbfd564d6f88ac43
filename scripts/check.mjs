// The checks: everything that must hold before a change is finished, and the count of what did.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { prepareChromium } from './chromium.mjs';
import { prepareNginx } from './nginx.mjs';
import { commandOf, prepareWeb, root } from './prepare.mjs';
import { runQuietly, runStep, say } from './processes.mjs';

/** How many ran well and how many did not. */
const nothing = { passed: 0, failed: 0, skipped: 0 };

function sum(counts) {
  return counts.reduce(
    (total, { passed, failed, skipped }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
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
  return code === 0 ? nothing : { ...nothing, failed: 1 };
}

async function readAll(node) {
  const counts = [];
  for (const reader of READERS) counts.push(await read(node, reader));
  return sum(counts);
}

/** Reads a test runner's report. A run that ends badly without a failed test, or without a report, is itself a failure. */
function countOf(path, exitCode, toCount) {
  let count = nothing;
  try {
    count = toCount(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    say(`The tests left no report: ${error.message}`);
  }
  return exitCode !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}

async function withReport(work) {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-report-'));
  try {
    return await work(join(folder, 'report.json'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Weighs the JavaScript of the first visit to every page, on the built web; `.size-limit.mjs` holds the limits. */
const WEIGHING = { name: 'weight of the first visits', command: ['size-limit'], args: [] };

function runUnits(node) {
  return withReport(async (report) => {
    const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const code = await runStep(node, [commandOf('vitest'), ...args], { cwd: root });
    return countOf(report, code, (result) => ({
      passed: result.numPassedTests,
      failed: result.numFailedTests,
      skipped: result.numPendingTests + result.numTodoTests,
    }));
  });
}

function runBrowser(node, chromium, args) {
  return withReport(async (report) => {
    const env = { ...process.env, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
    const code = await runStep(
      node,
      [commandOf('@playwright/test', 'playwright'), 'test', '--reporter=list,json', ...args],
      {
        cwd: root,
        env,
      },
    );
    return countOf(report, code, ({ stats }) => ({
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      skipped: stats.skipped,
    }));
  });
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
  const [checked, weighed] = await Promise.all([check(node), read(node, WEIGHING)]);
  const total = sum([checked, weighed, await runBrowser(node, chromium, [])]);
  if (total.skipped > 0) process.stdout.write(`${total.skipped} skipped\n`);
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
  return total;
}

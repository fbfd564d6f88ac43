// The checks: everything that must hold before a change is finished, and the count of what did.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { prepareChromium } from './chromium.mjs';
import { prepareFirefox } from './firefox.mjs';
import { prepareNginx } from './nginx.mjs';
import { commandOf, prepareWeb, root } from './prepare.mjs';
import { runQuietly, say } from './processes.mjs';
import { lookAgain } from './second-look.mjs';
import { countOf, failuresOf, firstLine, lineOf } from './test-results.mjs';
import { isBrowserTest, playwright, reportsOf, runBrowser, runUnits } from './test-runners.mjs';

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

/** Weighs the JavaScript of the first visit to every page, on the built web; `.size-limit.mjs` holds the limits. */
const WEIGHING = { name: 'weight of the first visits', command: ['size-limit'], args: [] };

/** What a check answers that runs no tests; a failed one belongs to no file. */
const answer = (...outside) => ({ files: [], outside });

const together = (results) => ({
  files: results.flatMap(({ files }) => files),
  outside: results.flatMap(({ outside }) => outside),
});

async function read(node, { name, command, args }) {
  const startedMs = Date.now();
  const { code, output } = await runQuietly(node, [commandOf(...command), ...args], { cwd: root });
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
  say(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  if (code === 0) return answer();
  say(output.trim());
  return answer(name);
}

async function readAll(node, readers) {
  const results = [];
  for (const reader of readers) results.push(await read(node, reader));
  return together(results);
}

const failuresIn = ({ files, outside }) => [...files.flatMap(failuresOf).map(lineOf), ...outside.map(firstLine)];

/** Whether nothing of `result` has failed. */
const holds = (result) => failuresIn(result).length === 0;

/** The sources are read beside the tests, which often wait for an engine or a clock. */
async function runCheck(node, readers) {
  return together(await Promise.all([runUnits(node), readAll(node, readers)]));
}

/** Finds or installs the browsers; resolves to the variables that lead to them. */
async function prepareBrowsers(node) {
  const chromium = await prepareChromium(node);
  const firefox = await prepareFirefox();
  return { CHROMIUM_PATH: chromium, ...(firefox === undefined ? {} : { FIREFOX_PATH: firefox }) };
}

/** Everything but the browser. Resolves to whether all of it holds. */
export async function check(node) {
  await prepareNginx();
  return holds(await runCheck(node, READERS));
}

/** The browser tests on the built application; `args` go to Playwright. Resolves to whether all of them hold. */
export async function e2e(node, args) {
  const env = await prepareBrowsers(node);
  await prepareWeb(node);
  return (await playwright(node, args, env)) === 0;
}

/** Runs each failed file once more (docs: CONTRIBUTING.md, Unsteady tests); the reports tell the first failures of what passed then. */
async function secondLook(node, env, first) {
  let looks = 0;
  const looked = await lookAgain(first.files, (file) => {
    looks += 1;
    say(`\nA second look at ${file}, by itself:`);
    const only = { file, name: `second-look-${looks}` };
    return isBrowserTest(file) ? runBrowser(node, { ...only, env }) : runUnits(node, only);
  });
  writeFileSync(join(reportsOf(root), 'unsteady.json'), JSON.stringify(looked.unsteady, undefined, 1));
  return { ...looked, outside: [...first.outside, ...looked.outside] };
}

/**
 * Everything. Its last line counts the tests; each failed check that is no test counts as one failure. `isStrict`: failed files
 * get no second look. Resolves to whether all of it holds.
 */
export async function test(node, isStrict) {
  rmSync(reportsOf(root), { recursive: true, force: true });
  // What cannot be had is said before minutes are spent on the rest, and nothing is installed beside a test.
  const env = await prepareBrowsers(node);
  await prepareNginx();
  await prepareWeb(node);
  const checked = await runCheck(node, [...READERS, WEIGHING]);
  const first = together([checked, await runBrowser(node, { env })]);
  const { unsteady, ...result } = isStrict ? { ...first, unsteady: [] } : await secondLook(node, env, first);
  const failures = failuresIn(result);
  const skipped = countOf(result.files, 'skipped');
  const lines = [
    ...failures.map((line) => `✗ ${line}`),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
    ...unsteady.map((failure) => `unsteady: ${lineOf(failure)}`),
    `${countOf(result.files, 'passed')} passed, ${failures.length} failed`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return holds(result);
}

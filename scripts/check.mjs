// The checks: everything that must hold before a change is finished, and the count of what did.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { allTests, changedFiles, changedTests, testsFor } from './changed-tests.mjs';
import { prepareChromium } from './chromium.mjs';
import { closingLines } from './closing-lines.mjs';
import { prepareFirefox } from './firefox.mjs';
import { prepareNginx } from './nginx.mjs';
import { commandOf, prepareWeb, root } from './prepare.mjs';
import { runQuietly, say } from './processes.mjs';
import { lookAgain } from './second-look.mjs';
import { besideBusyCores, countPasses, testNamed } from './steady.mjs';
import { failureLines } from './test-results.mjs';
import { isBrowserTest, playwright, reportsOf, runBrowser, runFile, runMeasures, runUnits } from './test-runners.mjs';

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

/** How often each file passes that `npm run steady` runs, if it is steady. */
const ROUNDS = 10;

/** Whether this is `npm run test:full` (`server/testing/breadth.ts`). */
const isFull = process.env.TEST_BREADTH === 'full';

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

/** As many at once as there are cores. It is done before the tests, so that a fault is told at once and no test shares its core. */
async function readAll(node, readers) {
  const results = [];
  const waiting = readers.values();
  const readNext = async () => {
    for (const reader of waiting) results.push(await read(node, reader));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, readNext));
  return together(results);
}

/** Whether nothing of `result` has failed. */
const holds = (result) => failureLines(result).length === 0;

/** Finds or installs the browsers and builds the web; resolves to the variables that lead to the browsers. */
async function prepareBrowserTests(node) {
  const chromium = await prepareChromium(node);
  const firefox = await prepareFirefox();
  await prepareWeb(node);
  return { CHROMIUM_PATH: chromium, ...(firefox === undefined ? {} : { FIREFOX_PATH: firefox }) };
}

/** All that reads the sources, and the unit and API tests. Resolves to whether all of it holds. */
export async function check(node) {
  await prepareNginx();
  return holds(together([await readAll(node, READERS), await runUnits(node)]));
}

/** The browser tests on the built application; `args` go to Playwright. Resolves to whether all of them hold. */
export async function e2e(node, args) {
  const env = await prepareBrowserTests(node);
  return (await playwright(node, args, env)) === 0;
}

/**
 * Runs test files ten times beside busy cores, those of `names` or else those that changed, and tells how often each passed.
 * Resolves to whether all passed each time.
 */
export async function steady(node, names) {
  const files = names.length > 0 ? names.map((name) => testNamed(name)) : await changedTests();
  if (files.length === 0) {
    say('No test file differs from `main`. Name one: `npm run steady -- <file>`.');
    return true;
  }
  const env = files.some(isBrowserTest) ? await prepareBrowserTests(node) : {};
  await prepareNginx();
  const counts = await besideBusyCores(node, () => countPasses(node, files, ROUNDS, env));
  for (const { file, passed, failure } of counts) {
    const first = failure === undefined ? '' : `; first ${failure}`;
    process.stdout.write(`${file}  ${passed} of ${ROUNDS} passed${first}\n`);
  }
  return counts.every(({ passed }) => passed === ROUNDS);
}

/** Runs each failed file once more (docs: CONTRIBUTING.md, Unsteady tests); the reports tell the first failures of what passed then. */
async function secondLook(node, env, first) {
  let looks = 0;
  const looked = await lookAgain(first.files, (file) => {
    looks += 1;
    say(`\nA second look at ${file}, by itself:`);
    return runFile(node, { file, name: `second-look-${looks}`, env });
  });
  writeFileSync(join(reportsOf(root), 'unsteady.json'), JSON.stringify(looked.unsteady, undefined, 1));
  return { ...looked, outside: [...first.outside, ...looked.outside] };
}

/** The tests that the change from `main` asks for, of both runners. Resolves to their answers. */
async function runChanged(node, env) {
  const changed = await changedFiles();
  const tests = testsFor(changed, await allTests());
  // One of the full run alone is asked for by its own change, not by that of its neighbours.
  const isUsual = (file) => isFull || changed.includes(file) || !/\.(full|measure)\./.test(file);
  const [browser, units] = [true, false].map((of) =>
    tests.filter((file) => isBrowserTest(file) === of && isUsual(file)),
  );
  say(`Of what differs from \`main\`: ${units.length} files of unit tests, ${browser.length} of the browser.`);
  return together([
    units.length === 0 ? answer() : await runUnits(node, { files: units }),
    browser.length === 0 ? answer() : await runBrowser(node, { files: browser, name: 'browser', env }),
  ]);
}

/** Each test, and in `npm run test:full` the measures, which want the machine for themselves. */
async function runAll(node, env) {
  const results = [await runUnits(node), await runBrowser(node, { env })];
  return together(isFull ? [...results, await runMeasures(node)] : results);
}

/**
 * Everything, or with `isChanged` what reads the sources and the tests of what differs from `main`. Its last line counts the tests.
 * `isStrict`: failed files get no second look. Resolves to whether all of it holds.
 */
export async function test(node, { isStrict, isChanged }) {
  rmSync(reportsOf(root), { recursive: true, force: true });
  mkdirSync(reportsOf(root), { recursive: true });
  // What cannot be had is said before minutes are spent on the rest, and nothing is installed beside a test.
  const env = await prepareBrowserTests(node);
  await prepareNginx();
  const first = together([
    await readAll(node, [...READERS, WEIGHING]),
    await (isChanged ? runChanged : runAll)(node, env),
  ]);
  const result = isStrict ? { ...first, unsteady: [] } : await secondLook(node, env, first);
  process.stdout.write(`${closingLines(first.files, result).join('\n')}\n`);
  return holds(result);
}

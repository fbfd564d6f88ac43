// Runs the unit tests and the browser tests, all or one file of them, and reads what they answered.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { commandOf, root } from './prepare.mjs';
import { runStep } from './processes.mjs';
import { browserResult, failuresOf } from './test-results.mjs';

const BROWSER_FOLDER = 'e2e';
/** Of a test file, named from the root with slashes. */
export const isBrowserTest = (file) => file.startsWith(`${BROWSER_FOLDER}/`);
export const isTest = (file) => (isBrowserTest(file) ? /\.e2e\.ts$/ : /\.test\.tsx?$/).test(file);

/** The reports of the last run, for whoever asks what failed in it. */
export const reportsOf = (folder) => join(folder, 'dist', 'test-reports');

function newReport(folder, name) {
  mkdirSync(reportsOf(folder), { recursive: true });
  const path = join(reportsOf(folder), `${name}.json`);
  rmSync(path, { force: true });
  return path;
}

/** A run that leaves no report has failed, whatever it ended with: nobody knows what it tested. So has one that fails and does not say where. */
function read(path, name, exitCode, toResult) {
  let result;
  try {
    result = toResult(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    return { files: [], outside: [`${name}: ended with ${exitCode} and left no report: ${error.message}`] };
  }
  const isExplained = result.outside.length > 0 || result.files.some((file) => failuresOf(file).length > 0);
  if (exitCode === 0 || isExplained) return result;
  return { ...result, outside: [`${name}: ended with ${exitCode}`] };
}

async function runVitest(node, args, name, folder) {
  const report = newReport(folder, name);
  const env = { ...process.env, UNIT_REPORT: report };
  const code = await runStep(node, [commandOf('vitest'), 'run', ...args], { cwd: folder, env });
  return read(report, name, code, (result) => result);
}

/**
 * Runs the unit and API tests, without the measures. `files`: those alone, also measures; `name`: of the report; `folder`:
 * where the tests and their configuration are.
 * @returns {Promise<import('./test-results.mjs').Result>}
 */
export const runUnits = (node, { files, name = 'units', folder = root } = {}) =>
  runVitest(node, files?.map((file) => join(folder, file)) ?? ['--project=!measures'], name, folder);

/**
 * Runs the files of measures, which must have the machine for themselves.
 * @returns {Promise<import('./test-results.mjs').Result>}
 */
export const runMeasures = (node, { folder = root } = {}) =>
  runVitest(node, ['--project=measures'], 'measures', folder);

/** What Playwright looks for in the paths of files, so that it finds this one and no other. */
const patternOf = (path) => `^${path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;

/** Runs Playwright's tests below `folder`; `env` says where the browsers are. Resolves to the exit code. */
export const playwright = (node, args, env, folder = root) =>
  runStep(node, [commandOf('@playwright/test', 'playwright'), 'test', ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
  });

/**
 * Runs the browser tests, as `runUnits`; `env` says where the browsers are.
 * @returns {Promise<import('./test-results.mjs').Result>}
 */
export async function runBrowser(node, { files, name = 'browser', folder = root, env = {} }) {
  const report = newReport(folder, name);
  // Pictures of the first failure stay where they are.
  const only =
    files === undefined ? [] : [...files.map((file) => patternOf(join(folder, file))), `--output=test-results/${name}`];
  const reporting = { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const code = await playwright(node, ['--reporter=list,json', ...only], reporting, folder);
  return read(report, name, code, (result) => browserResult(result, BROWSER_FOLDER));
}

/** Runs one test file of either kind, as `runUnits` and `runBrowser` do. */
export const runFile = (node, { file, ...how }) =>
  (isBrowserTest(file) ? runBrowser : runUnits)(node, { ...how, files: [file] });

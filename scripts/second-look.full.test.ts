// Both runners tell what a second look needs, and each failed file is run alone.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAIL_ONCE, makeProject, type Project } from './small-project.ts';

const script = (name: string) => new URL(name, import.meta.url).href;

interface TestFile {
  readonly file: string;
  readonly durationMs: number;
  readonly tests: readonly { readonly title: string; readonly state: string; readonly error?: string }[];
  readonly errors: readonly string[];
}
interface Result {
  readonly files: readonly TestFile[];
  readonly outside: readonly string[];
}
interface Failure {
  readonly file: string;
  readonly title?: string;
  readonly error: string;
}
interface Looked extends Result {
  readonly unsteady: readonly Failure[];
}

const { failuresOf, lineOf } = (await import(script('./test-results.mjs'))) as {
  failuresOf(file: TestFile): Failure[];
  lineOf(failure: Failure): string;
};
const linesOf = (failures: readonly Failure[]) => failures.map(lineOf);
const failuresIn = ({ files }: Pick<Result, 'files'>) => linesOf(files.flatMap(failuresOf));

/** Tests that fail the first time they are run, always, or in ways that a report easily leaves out. */
const PROJECT: Readonly<Record<string, string>> = {
  'vitest.config.ts': `
    import { defineConfig } from 'vitest/config';
    import { UnitReport } from './scripts/unit-report.ts';
    export default defineConfig({
      test: { include: ['server/*.test.ts'], reporters: [new UnitReport(process.env.UNIT_REPORT, import.meta.dirname)] },
    });`,
  'playwright.config.ts': `
    import { defineConfig } from '@playwright/test';
    export default defineConfig({ testDir: 'e2e', testMatch: '**/*.e2e.ts', workers: 1 });`,
  ...FAIL_ONCE,
  'server/steady.test.ts': `
    import { test } from 'vitest';
    test('holds', () => {});
    test.skip('is left out', () => {});`,
  'server/unsteady.test.ts': `
    import { describe, test } from 'vitest';
    import { failOnce } from '../once.ts';
    test('holds', () => {});
    describe('files', () => test('are listed', () => failOnce('unit')));`,
  'server/hook.test.ts': `
    import { beforeAll, describe, test } from 'vitest';
    describe('a group', () => {
      beforeAll(() => { throw new Error('no server'); });
      test('is never run', () => {});
    });`,
  'server/rejected.test.ts': `
    import { test } from 'vitest';
    test('passes and leaves something behind', async () => {
      Promise.reject(new Error('nobody waited for this'));
      await new Promise((resolve) => setImmediate(resolve));
    });`,
  // All of it passes, and it writes no report.
  'silent/vitest.config.ts': 'export default {};',
  'silent/fine.test.ts': `
    import { test } from 'vitest';
    test('holds', () => {});`,
  'e2e/page.e2e.ts': `
    import { test } from '@playwright/test';
    import { failOnce } from '../once.ts';
    test.describe('a page', () => test('opens', () => failOnce('browser')));`,
  // Its path ends like the one before: a second look at that one must not run it.
  'e2e/other/e2e/page.e2e.ts': `
    import { test } from '@playwright/test';
    test('opens too', () => {});`,
};

/** Runs both runners, then takes a second look. */
const DRIVER = `
  import { lookAgain } from './scripts/second-look.mjs';
  import { runBrowser, runFile, runUnits } from './scripts/test-runners.mjs';
  const [units, browser] = [await runUnits(process.execPath), await runBrowser(process.execPath, {})];
  const looks = [];
  const looked = await lookAgain([...units.files, ...browser.files], async (file) => {
    const result = await runFile(process.execPath, { file, name: 'second-look' });
    looks.push(result.files.map(({ file }) => file));
    return result;
  });
  const silent = await runUnits(process.execPath, { folder: process.cwd() + '/silent' });
  tell({ units, browser, looks, looked, silent });`;

describe('on the real runners', () => {
  let project: Project;
  let told: { units: Result; browser: Result; looks: string[][]; looked: Looked; silent: Result };

  beforeAll(async () => {
    project = await makeProject(PROJECT);
    told = await project.drive(DRIVER);
  });
  afterAll(() => project.remove());

  const statesOf = ({ files }: Result) =>
    Object.fromEntries(
      files.flatMap(({ file, tests }) => tests.map(({ title, state }) => [`${file} › ${title}`, state])),
    );

  test('the unit tests tell each test, failed hooks, and errors outside of all tests', () => {
    expect(statesOf(told.units)).toEqual({
      'server/steady.test.ts › holds': 'passed',
      'server/steady.test.ts › is left out': 'skipped',
      'server/unsteady.test.ts › holds': 'passed',
      'server/unsteady.test.ts › files > are listed': 'failed',
      'server/hook.test.ts › a group > is never run': 'skipped',
      'server/rejected.test.ts › passes and leaves something behind': 'passed',
    });
    expect(failuresIn(told.units).toSorted()).toEqual([
      'server/hook.test.ts: Error: no server',
      'server/unsteady.test.ts › files > are listed: Error: unit failed',
    ]);
    expect(told.units.outside).toEqual([expect.stringContaining('nobody waited for this')]);
  });

  test('the browser tests tell the same', () => {
    expect(statesOf(told.browser)).toEqual({
      'e2e/page.e2e.ts › a page > opens': 'failed',
      'e2e/other/e2e/page.e2e.ts › opens too': 'passed',
    });
    expect(told.browser.outside).toEqual([]);
  });

  test('both tell how long each file took', () => {
    const files = [...told.units.files, ...told.browser.files];
    expect(files.filter(({ durationMs }) => !(durationMs > 0))).toEqual([]);
  });

  test('a run that ends well and leaves no report has failed', () => {
    expect(told.silent).toEqual({
      files: [],
      outside: [expect.stringMatching(/^units: ended with 0 and left no report: /)],
    });
  });

  test('each failed file is run alone, and what passes then is unsteady', () => {
    expect(told.looks.map((files) => files.length)).toEqual([1, 1, 1]);
    expect(told.looks.flat().toSorted()).toEqual(['e2e/page.e2e.ts', 'server/hook.test.ts', 'server/unsteady.test.ts']);
    expect(linesOf(told.looked.unsteady).toSorted()).toEqual([
      'e2e/page.e2e.ts › a page > opens: Error: browser failed',
      'server/unsteady.test.ts › files > are listed: Error: unit failed',
    ]);
    expect(failuresIn(told.looked)).toEqual(['server/hook.test.ts: Error: no server']);
  });
});

// A failed test file is run once more, by itself: what that settles, and that both runners report what it needs.
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

const { lookAgain } = (await import(script('./second-look.mjs'))) as {
  lookAgain(files: readonly TestFile[], run: (file: string) => Promise<Result>): Promise<Looked>;
};
const { failuresOf, lineOf } = (await import(script('./test-results.mjs'))) as {
  failuresOf(file: TestFile): Failure[];
  lineOf(failure: Failure): string;
};
const { closingLines } = (await import(script('./closing-lines.mjs'))) as {
  closingLines(ran: readonly TestFile[], result: Looked): string[];
};

const linesOf = (failures: readonly Failure[]) => failures.map(lineOf);
const failuresIn = ({ files }: Pick<Result, 'files'>) => linesOf(files.flatMap(failuresOf));

const passed = (title: string) => ({ title, state: 'passed' });
const failed = (title: string, error = 'AssertionError: expected 1 to be 2\n    at x') => ({
  title,
  state: 'failed',
  error,
});
const skipped = (title: string) => ({ title, state: 'skipped' });
const file = (name: string, tests: TestFile['tests'], errors: readonly string[] = []): TestFile => ({
  file: name,
  durationMs: 1,
  tests,
  errors,
});

/** Looks again at `first`, where each file answers what `second` says, and notes which were run. */
async function look(first: readonly TestFile[], second: Readonly<Record<string, Partial<Result>>>) {
  const ran: string[] = [];
  const looked = await lookAgain(first, async (name) => {
    ran.push(name);
    return { files: [], outside: [], ...second[name] };
  });
  const { files, unsteady, outside } = looked;
  return { ran, failures: [...failuresIn(looked), ...outside], unsteady: linesOf(unsteady), files };
}

describe('what a second look settles', () => {
  const steady = file('a.test.ts', [passed('one')]);
  const first = file('b.test.ts', [passed('one'), failed('two')]);

  test('a file that passes then is unsteady: named with its first failure, and no failure', async () => {
    const again = file('b.test.ts', [passed('one'), passed('two')]);
    expect(await look([steady, first], { 'b.test.ts': { files: [again] } })).toEqual({
      ran: ['b.test.ts'],
      failures: [],
      unsteady: ['b.test.ts › two: AssertionError: expected 1 to be 2'],
      files: [steady, again],
    });
  });

  test('a file that fails twice has failed, also where it was another test each time', async () => {
    const again = file('b.test.ts', [failed('one', 'Error: another'), passed('two')]);
    const { failures, unsteady } = await look([first], { 'b.test.ts': { files: [again] } });
    expect(failures).toEqual([
      'b.test.ts › one: Error: another',
      'b.test.ts › two: AssertionError: expected 1 to be 2',
    ]);
    expect(unsteady).toEqual([]);
  });

  test('a failed test that is skipped, missing or not reported the second time has failed', async () => {
    const first = file('b.test.ts', [failed('two')]);
    const answers: Partial<Result>[] = [
      { files: [file('b.test.ts', [passed('one'), skipped('two')])] },
      { files: [file('b.test.ts', [passed('one')])] },
      { files: [file('c.test.ts', [passed('two')])] },
      {},
    ];
    for (const answer of answers) {
      const { failures, unsteady } = await look([first], { 'b.test.ts': answer });
      expect({ failures, unsteady }).toEqual({
        failures: ['b.test.ts › two: AssertionError: expected 1 to be 2'],
        unsteady: [],
      });
    }
  });

  test('an error outside of all tests keeps the second look from settling anything', async () => {
    const again = {
      files: [file('b.test.ts', [passed('one'), passed('two')])],
      outside: ['Error: rejected, unhandled'],
    };
    const { failures, unsteady } = await look([first], { 'b.test.ts': again });
    expect(failures).toContain('b.test.ts: Error: rejected, unhandled');
    expect(unsteady).toEqual([]);
  });

  test('a file whose hook failed is unsteady if all of it passes then, not if its tests are still skipped', async () => {
    const first = file('b.test.ts', [skipped('one')], ['Error: no server\n    at hook']);
    const good = { files: [file('b.test.ts', [passed('one')])] };
    const bad = { files: [file('b.test.ts', [skipped('one')])] };
    expect((await look([first], { 'b.test.ts': good })).unsteady).toEqual(['b.test.ts: Error: no server']);
    expect((await look([first], { 'b.test.ts': bad })).failures).toEqual(['b.test.ts: Error: no server']);
  });

  /** As many files, each of which fails and then passes. */
  const lookAt = (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `${index}.test.ts`);
    return look(
      names.map((name) => file(name, [failed('one')])),
      Object.fromEntries(names.map((name) => [name, { files: [file(name, [passed('one')])] }])),
    );
  };

  test('three unsteady files are named, a fourth is a failure', async () => {
    const three = await lookAt(3);
    expect(three.ran).toEqual(['0.test.ts', '1.test.ts', '2.test.ts']);
    expect(three.failures).toEqual([]);
    expect(three.unsteady).toHaveLength(3);
    const four = await lookAt(4);
    expect(four.failures).toEqual(['4 files were unsteady, more than 3']);
    expect(four.unsteady).toHaveLength(4);
  });

  test('where more than ten files failed, none is run again', async () => {
    expect((await lookAt(10)).ran).toHaveLength(10);
    const { ran, failures, unsteady } = await lookAt(11);
    expect({ ran, unsteady }).toEqual({ ran: [], unsteady: [] });
    expect(failures).toHaveLength(12);
    expect(failures).toContain('No second look: 11 files failed, more than 10');
  });
});

test('a run names its ten slowest files, what failed and what was unsteady, and counts in its last line', () => {
  const took = (name: string, durationMs: number) => ({ ...file(name, [passed('one')]), durationMs });
  const nine = Array.from({ length: 9 }, (_, index) => took(`${index}.test.ts`, 2_000));
  const ran = [took('quick.test.ts', 940), ...nine, took('e2e/slow.e2e.ts', 61_250)];
  const files = [...ran, file('b.test.ts', [failed('two'), skipped('three')])];
  const unsteady = [{ file: 'c.test.ts', title: 'four', error: 'Error: late\n    at x' }];
  expect(closingLines(ran, { files, unsteady, outside: ['walls'] })).toEqual([
    'The slowest files:',
    '   61.3 s  e2e/slow.e2e.ts',
    ...nine.map(({ file }) => `    2.0 s  ${file}`),
    '✗ b.test.ts › two: AssertionError: expected 1 to be 2',
    '✗ walls',
    '1 skipped',
    'unsteady: c.test.ts › four: Error: late',
    '11 passed, 2 failed',
  ]);
});

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

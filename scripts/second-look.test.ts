// A failed test file is run once more, by itself: what that settles. On the real runners: second-look.full.test.ts.
import { describe, expect, test } from 'vitest';

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

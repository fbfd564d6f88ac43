// The failures that a run of all tests names at its end, from the reports of the runners.
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

interface Failures {
  unitFailures(report: object, root: string): string[];
}
const { unitFailures } = (await import(new URL('./failures.mjs', import.meta.url).href)) as Failures;

/** A test file in a report of Vitest; `message` is that of the file itself. */
const file = (name: string, status: string, message: string, assertionResults: object[]) => ({
  name: join(ROOT, 'server', name),
  status,
  message,
  assertionResults,
});
const passed = { status: 'passed', fullName: 'files may be listed', failureMessages: [] };
const skipped = { ...passed, status: 'skipped' };
const failed = { ...passed, status: 'failed', failureMessages: ['\u001b[31mAssertionError: 1\u001b[39m\n    at x'] };

const failuresOf = (...testResults: object[]) => unitFailures({ testResults }, ROOT);

test('a failed test is named by file and title, with the first line of what was wrong', () => {
  expect(failuresOf(file('a.test.ts', 'failed', '', [passed, failed]))).toEqual([
    'server/a.test.ts > files may be listed: AssertionError: 1',
  ]);
});

test('a file that cannot be loaded is named with its reason, also next to failed tests', () => {
  expect(
    failuresOf(
      file('a.test.ts', 'passed', '', [passed]),
      file('b.test.ts', 'failed', 'Cannot find module\nmore', []),
      file('c.test.ts', 'failed', 'The database does not answer', [failed]),
    ),
  ).toEqual([
    'server/b.test.ts: Cannot find module',
    'server/c.test.ts: The database does not answer',
    'server/c.test.ts > files may be listed: AssertionError: 1',
  ]);
});

test('a file whose set-up failed, which the report gives no reason for, says where to look', () => {
  expect(failuresOf(file('a.test.ts', 'failed', '', [skipped]))).toEqual([
    'server/a.test.ts: failed outside of its tests, in a hook for instance; the reason is printed above',
  ]);
});

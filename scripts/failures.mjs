// The failures of a run by name, each with what was wrong in one line, from the reports of the test runners.
import { relative } from 'node:path';

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
const firstLine = (text = '') => text.replace(ESCAPES, '').split('\n', 1)[0];

/** Vitest's report has the reason of a file, but not that of a group of tests in it. */
const UNKNOWN = 'failed outside of its tests, in a hook for instance; the reason is printed above';

/** Of Vitest's report: each failed test, and each file that failed as a whole. Files are named from `root`. */
export function unitFailures({ testResults }, root) {
  return testResults.flatMap(({ name: file, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    const where = relative(root, file);
    const whole = status === 'failed' && (message !== '' || failed.length === 0);
    return [
      ...(whole ? [`${where}: ${firstLine(message) || UNKNOWN}`] : []),
      ...failed.map((test) => `${where} > ${test.fullName}: ${firstLine(test.failureMessages[0])}`),
    ];
  });
}

/** Of a suite in Playwright's report, which holds further ones. */
export function browserFailures(suite) {
  const own = (suite.specs ?? []).filter(({ ok }) => !ok);
  return [
    ...own.map((spec) => `${spec.file} > ${spec.title}: ${firstLine(spec.tests[0]?.results.at(-1)?.error?.message)}`),
    ...(suite.suites ?? []).flatMap(browserFailures),
  ];
}

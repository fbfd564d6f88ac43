// What a run of tests answered, in one form for both runners, and the lines that name its failures.

/**
 * @typedef {{ title: string, state: 'passed' | 'failed' | 'skipped', error?: string }} Test
 * @typedef {{ file: string, durationMs: number, tests: Test[], errors: string[] }} File  `errors`: of the file itself and of its hooks
 * @typedef {{ files: File[], outside: string[] }} Result  `outside`: errors that belong to no file for certain
 * @typedef {{ file: string, title?: string, error: string }} Failure  without a title: of the file as a whole
 */

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
/** The first line of an error, without colours. */
const firstLine = (text = '') => text.replace(ESCAPES, '').trimStart().split('\n', 1)[0].trimEnd();

/** @param {Failure} failure */
export const lineOf = ({ file, title, error }) =>
  `${title === undefined ? file : `${file} › ${title}`}: ${firstLine(error)}`;

/** @param {File} file @returns {Failure[]} */
export const failuresOf = ({ file, tests, errors }) => [
  ...errors.map((error) => ({ file, error })),
  ...tests.filter(({ state }) => state === 'failed').map(({ title, error = '' }) => ({ file, title, error })),
];

/** A line for each failure. @param {Result} result */
export const failureLines = ({ files, outside }) => [
  ...files.flatMap(failuresOf).map(lineOf),
  ...outside.map(firstLine),
];

/** How many tests of `files` ended in `state`. */
export const countOf = (files, state) =>
  files.reduce((count, { tests }) => count + tests.filter((test) => test.state === state).length, 0);

const BROWSER_STATES = { expected: 'passed', skipped: 'skipped' };

function browserTests(suite, titles) {
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests.map(({ status, results }) => {
      const title = [...titles, spec.title].join(' > ');
      const state = BROWSER_STATES[status] ?? 'failed';
      if (state !== 'failed') return { title, state };
      const errors = results.flatMap(({ errors }) => errors.map(({ message }) => message));
      return { title, state, error: errors.join('\n') || 'It did not come to its end.' };
    }),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => browserTests(inner, [...titles, inner.title]))];
}

const browserDurationMs = ({ specs = [], suites = [] }) => {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results));
  const own = results.reduce((sum, { duration }) => sum + duration, 0);
  return suites.reduce((sum, inner) => sum + browserDurationMs(inner), own);
};

/** Of Playwright's JSON report; its files are named from the folder of the browser tests, `folder`. @returns {Result} */
export function browserResult({ suites, errors }, folder) {
  return {
    files: suites.map((suite) => ({
      file: `${folder}/${suite.file}`,
      durationMs: browserDurationMs(suite),
      tests: browserTests(suite, []),
      errors: [],
    })),
    outside: errors.map(({ location, stack, message }) => `${location ? `${location.file}: ` : ''}${stack ?? message}`),
  };
}

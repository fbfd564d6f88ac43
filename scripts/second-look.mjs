// The second look: a test file that failed is run once more, by itself, after everything else. What passes then is unsteady.
import { failuresOf } from './test-results.mjs';

/** More unsteady files than this are no accident: then the run has failed. */
const MOST_UNSTEADY = 3;
/** Where more files failed than this, something is broken for many of them, and looking at each again tells nothing. */
const MOST_LOOKS = 10;

/** Whether every test that failed in `first` has passed in `second`, and nothing else failed there. */
function passedNow(first, second) {
  if (second === undefined || failuresOf(second).length > 0) return false;
  const passed = new Set(second.tests.filter(({ state }) => state === 'passed').map(({ title }) => title));
  const failed = first.tests.filter(({ state }) => state === 'failed');
  return passed.size > 0 && failed.every(({ title }) => passed.has(title));
}

/** A file that failed twice: what failed in either look has failed. */
function bothLooks(first, second) {
  if (second === undefined) return first;
  const failedFirst = new Map(first.tests.filter(({ state }) => state === 'failed').map((test) => [test.title, test]));
  const again = new Set(second.tests.map(({ title }) => title));
  return {
    ...second,
    tests: [
      ...second.tests.map((test) => (test.state === 'failed' ? test : (failedFirst.get(test.title) ?? test))),
      ...[...failedFirst.values()].filter(({ title }) => !again.has(title)),
    ],
    errors: [...new Set([...first.errors, ...second.errors])],
  };
}

/**
 * Looks at each failed file once more, one after the other. `run(file)` runs one and resolves to its result. Resolves to the files with
 * what is true of them now, the first failures of those that were unsteady, and what is wrong with the whole.
 *
 * @param {import('./test-results.mjs').File[]} files
 * @param {(file: string) => Promise<import('./test-results.mjs').Result>} run
 */
export async function lookAgain(files, run) {
  const failed = files.filter((file) => failuresOf(file).length > 0);
  if (failed.length > MOST_LOOKS) {
    return { files, unsteady: [], outside: [`No second look: ${failed.length} files failed, more than ${MOST_LOOKS}`] };
  }
  const settled = new Map(files.map((file) => [file.file, file]));
  const unsteady = [];
  for (const first of failed) {
    const result = await run(first.file);
    const second = result.files.find(({ file }) => file === first.file);
    if (passedNow(first, second) && result.outside.length === 0) {
      unsteady.push(first);
      settled.set(first.file, second);
    } else {
      const both = bothLooks(first, second);
      settled.set(first.file, { ...both, errors: [...both.errors, ...result.outside] });
    }
  }
  const tooMany = unsteady.length > MOST_UNSTEADY;
  return {
    files: [...settled.values()],
    unsteady: unsteady.flatMap(failuresOf),
    outside: tooMany ? [`${unsteady.length} files were unsteady, more than ${MOST_UNSTEADY}`] : [],
  };
}

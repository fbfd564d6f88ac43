// What `npm test` says at its end.
import { countOf, failureLines, lineOf } from './test-results.mjs';

/** A line for each of the ten files that took longest, the longest first. @param {import('./test-results.mjs').File[]} files */
const slowestLines = (files) =>
  files
    .toSorted((one, other) => other.durationMs - one.durationMs)
    .slice(0, 10)
    .map(({ file, durationMs }) => `${(durationMs / 1000).toFixed(1).padStart(7)} s  ${file}`);

/**
 * What a run says at its end: the slowest of `ran`, what failed in `result`, and last the count, in which each failed check that is no
 * test is one failure.
 * @param {import('./test-results.mjs').File[]} ran
 * @param {import('./test-results.mjs').Result & { unsteady: import('./test-results.mjs').Failure[] }} result
 */
export function closingLines(ran, { unsteady, ...result }) {
  const failures = failureLines(result);
  const skipped = countOf(result.files, 'skipped');
  return [
    'The slowest files:',
    ...slowestLines(ran),
    ...failures.map((line) => `✗ ${line}`),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
    ...unsteady.map((failure) => `unsteady: ${lineOf(failure)}`),
    `${countOf(result.files, 'passed')} passed, ${failures.length} failed`,
  ];
}

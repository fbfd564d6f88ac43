// How broadly the tests try: a part at every run, everything in `npm run test:full`.
import process from 'node:process';

/** Whether this is `npm run test:full`. */
const isFull = process.env['TEST_BREADTH'] === 'full';

/** Whether files of the full run alone (`*.full.test.ts`, `*.full.e2e.ts`) are run: in the full run, and by their names. */
export const runsFullFiles = isFull || process.argv.some((arg) => arg.includes('.full'));

/** Whether browser tests with the tag `@full` are run: in the full run, and wherever a file or a test is asked for by its name, which the configuration tells the processes of the tests. */
export const runsFullTests =
  isFull ||
  process.argv.some((arg) => /e2e\\?\.ts|^e2e\/|^(-g|--grep)(=|$)/.test(arg)) ||
  process.env['RUNS_FULL_TESTS'] === 'yes';

/** For breadth alone: more rounds, more random runs, more widths. The assertions are the same with either. */
export const breadth = <Amount>(usual: Amount, full: Amount): Amount => (isFull ? full : usual);

// How much of the same the tests try: a part of it at every run, all of it in `npm run test:full`.
import process from 'node:process';

/** Whether this is `npm run test:full`. */
const isFull = process.env['TEST_BREADTH'] === 'full';

/** For what is breadth alone: more rounds, more random runs, more widths. What is asserted is the same with either. */
export const breadth = <Amount>(usual: Amount, full: Amount): Amount => (isFull ? full : usual);

// Tests that a file has in the full run alone, or on one engine at each run.
import { it } from 'vitest';
import type { DatabaseKind } from '../platform/db/database.ts';
import { breadth } from './breadth.ts';
import { ANY_DATABASE_KIND } from './test-database.ts';

/** Makes no test. What is not made is not skipped: the full run makes it. */
const none = Object.assign(() => {}, { each: () => () => {} }) as unknown as typeof it;

/** A test of `npm run test:full` alone: breadth beside others of its file. */
export const itInFull: typeof it = breadth(none, it);

/** Among tests of both engines, one that no statement decides: on one at each run, on both in `npm run test:full`. */
export const itOnAny = (kind: DatabaseKind): typeof it => (ANY_DATABASE_KIND.includes(kind) ? it : none);

// What long and deep input costs (row E10 of docs/trust.md).
import { expect, it } from 'vitest';
import { workMs } from '../measure.ts';
import { startTestApp } from '../test-app.ts';
import { DATABASE_KINDS } from '../test-database.ts';
import { longInputs } from './long-inputs.ts';

it.each(DATABASE_KINDS)(
  'E10: on %s, long input that is refused costs about as much as any other of its length',
  async (kind) => {
    const app = await startTestApp(kind);
    try {
      for (const [what, input] of Object.entries(longInputs(app))) {
        const work = await workMs(input);
        expect([what, work, work.tried < 4 * work.plain]).toEqual([what, work, true]);
      }
    } finally {
      await app.close();
    }
  },
);

// What a supervisor and a proxy are told: that the process answers, and whether its stores do.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { eventually } from '../../testing/eventually.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp('sqlite');
});
afterAll(() => app.close());

const statusOf = async (path: string) => (await app.anonymous.get<ErrorBody>(path)).status;

it.each(['database', 'place of the files'])(
  'a server whose %s does not answer is alive and not ready, until it does',
  async (what) => {
    await eventually(async () => expect(await statusOf('/readyz')).toBe(200));
    const lost =
      what === 'database'
        ? vi.spyOn(app.database, 'ping').mockRejectedValue(new Error('away'))
        : vi.spyOn(app.context.services.blobs, 'check').mockRejectedValue(new Error('away'));
    // Remembered for a second.
    await eventually(async () => expect(await statusOf('/readyz')).toBe(503));
    expect(await statusOf('/healthz')).toBe(200);
    lost.mockRestore();
    await eventually(async () => expect(await statusOf('/readyz')).toBe(200));
  },
);

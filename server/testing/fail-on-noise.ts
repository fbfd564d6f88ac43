// A test that logs an error to the console has failed, whatever it asserted. Unhandled rejections fail the run already.
import { afterEach, beforeEach, vi } from 'vitest';

beforeEach(() => {
  vi.spyOn(console, 'error');
});

afterEach(() => {
  const noise = vi.mocked(console.error).mock.calls;
  if (noise.length > 0) throw new Error(`console.error was called: ${noise.map((call) => call.join(' ')).join('\n')}`);
});

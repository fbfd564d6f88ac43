// A test that logs an error to the console has failed, whatever it asserted. Unhandled rejections fail the run already.
import { afterEach, beforeEach, type MockInstance, vi } from 'vitest';

let said: MockInstance<typeof globalThis.console.error>;

beforeEach(() => {
  said = vi.spyOn(globalThis.console, 'error');
});

afterEach(() => {
  const noise = said.mock.calls.map((call) => call.join(' '));
  if (noise.length > 0) throw new Error(`console.error was called: ${noise.join('\n')}`);
});

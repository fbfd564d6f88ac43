// How the unit and API tests run; the browser tests are in playwright.config.ts.
import { defineConfig } from 'vitest/config';
import { breadth } from './server/testing/breadth.ts';
import { prepareTestEnvironment } from './server/testing/test-environment.ts';

prepareTestEnvironment();

/** What takes long and breaks seldom. */
const ONLY_FULL = ['**/*.full.test.ts'];

export default defineConfig({
  test: {
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'data/**', 'dist/**', 'e2e/**', ...breadth(ONLY_FULL, [])],
    globalSetup: ['server/testing/global-setup.ts'],
    setupFiles: ['server/testing/fail-on-noise.ts'],
    // A process of its own for each file: databases, signals and the environment stay apart.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
});

// How the unit and API tests run; the browser tests are in playwright.config.ts.
import { defineConfig } from 'vitest/config';

/** What takes long and breaks seldom runs in `npm run test:full` alone, which sets this. */
const isFull = process.env.TEST_BREADTH === 'full';

export default defineConfig({
  test: {
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'data/**', 'dist/**', 'e2e/**', ...(isFull ? [] : ['**/*.full.test.ts'])],
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

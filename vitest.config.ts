// How the unit and API tests run; the browser tests are in playwright.config.ts.
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { UnitReport } from './scripts/unit-report.ts';
import { breadth } from './server/testing/breadth.ts';
import { prepareTestEnvironment } from './server/testing/test-environment.ts';

prepareTestEnvironment();

const TESTS = '**/*.test.{ts,tsx}';
/** What takes long and breaks seldom. */
const ONLY_FULL = ['**/*.full.test.ts'];
const NO_TESTS = ['**/node_modules/**', 'data/**', 'dist/**', 'e2e/**', ...breadth(ONLY_FULL, [])];

/** Files that change modules or measure what the whole process does. */
const ALONE = ['server/testing/fuzz-memory.test.ts', 'server/testing/threats/uploads.test.ts'];
/** Files whose sources only a bundler reads. */
const WEB = ['web/**/*.test.{ts,tsx}'];

/** One more than most machines' cores: some files wait for clocks and other processes. */
const WORKERS = 3;

function project(
  name: string,
  test: NonNullable<TestProjectInlineConfiguration['test']>,
): TestProjectInlineConfiguration {
  return {
    extends: false,
    test: {
      name,
      setupFiles: ['server/testing/fail-on-noise.ts'],
      pool: 'forks',
      maxWorkers: WORKERS,
      testTimeout: 120_000,
      hookTimeout: 180_000,
      restoreMocks: true,
      ...test,
    },
  };
}

/** Where `scripts/test-runners.mjs` wants the report of this run; unset for whoever runs Vitest by hand. */
const { UNIT_REPORT } = process.env;

export default defineConfig({
  test: {
    reporters: ['default', ...(UNIT_REPORT ? [new UnitReport(UNIT_REPORT, import.meta.dirname)] : [])],
    globalSetup: ['server/testing/global-setup.ts'],
    maxWorkers: WORKERS,
    projects: [
      // Each process runs many files, one after another, and loads the server once, as Node does by itself.
      project('server', {
        include: [TESTS],
        exclude: [...NO_TESTS, ...ALONE, ...WEB],
        isolate: false,
        experimental: { viteModuleRunner: false },
      }),
      project('alone', { include: ALONE, exclude: NO_TESTS }),
      project('web', { include: WEB, exclude: NO_TESTS }),
    ],
  },
});

// How the unit and API tests run; the browser tests are in playwright.config.ts.
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { UnitReport } from './scripts/unit-report.ts';
import { UNIT_WORKERS } from './scripts/workers.ts';
import { runsFullFiles } from './server/testing/breadth.ts';
import { prepareTestEnvironment } from './server/testing/test-environment.ts';

prepareTestEnvironment();

const TESTS = '**/*.test.{ts,tsx}';
/** What takes long and breaks seldom. */
const ONLY_FULL = ['**/*.full.test.ts'];
const NO_TESTS = ['**/node_modules/**', 'data/**', 'dist/**', 'e2e/**', ...(runsFullFiles ? [] : ONLY_FULL)];

/** Files that judge time, memory or work of the processor. */
const MEASURES = ['**/*.measure.test.ts'];
/** Files that mock modules, which others of the same process would have loaded already. */
const ALONE = [
  'server/platform/blobs/named-objects.test.ts',
  'server/system/system.test.ts',
  'server/testing/threats/uploads.test.ts',
];
/** Sources are loaded by Node, as in use. */
const LOADED_BY_NODE = { viteModuleRunner: false };
/** Files whose sources only a bundler reads. */
const WEB = ['web/**/*.test.{ts,tsx}'];

const SETUP = ['server/testing/fail-on-noise.ts'];

function project(
  name: string,
  test: NonNullable<TestProjectInlineConfiguration['test']>,
): TestProjectInlineConfiguration {
  return {
    extends: false,
    test: {
      name,
      setupFiles: SETUP,
      pool: 'forks',
      maxWorkers: UNIT_WORKERS,
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
    maxWorkers: UNIT_WORKERS,
    projects: [
      // Each process runs many files, one after another, and loads the server once.
      project('server', {
        include: [TESTS],
        exclude: [...NO_TESTS, ...MEASURES, ...ALONE, ...WEB],
        setupFiles: [...SETUP, 'server/testing/busy-machine.ts'],
        isolate: false,
        experimental: LOADED_BY_NODE,
      }),
      project('alone', { include: ALONE, exclude: NO_TESTS }),
      project('web', { include: WEB, exclude: [...NO_TESTS, ...MEASURES] }),
      // After everything else, one file at a time; a test that misses its measure is taken once more, and no other test is.
      project('measures', {
        include: MEASURES,
        exclude: NO_TESTS,
        experimental: LOADED_BY_NODE,
        maxWorkers: 1,
        retry: 1,
        sequence: { groupOrder: 1 },
      }),
    ],
  },
});

// How the browser tests run: on a Chromium found by `npm run e2e`, each against a server that its fixture starts.
import { defineConfig } from '@playwright/test';
import { BROWSER_WORKERS } from './scripts/workers.ts';
import { breadth, runsFullFiles, runsFullTests } from './server/testing/breadth.ts';
import { prepareTestEnvironment } from './server/testing/test-environment.ts';

prepareTestEnvironment();

if (runsFullTests) process.env['RUNS_FULL_TESTS'] = 'yes';

const { CHROMIUM_PATH, CI } = process.env;

// Chromium's own sandbox refuses to run as root; the rest keeps it from talking to anyone but the server under test.
const rootOnly = ['--no-sandbox'];
const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
];

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  testIgnore: runsFullFiles ? [] : ['**/*.full.e2e.ts'],
  ...(runsFullTests ? {} : { grepInvert: /@full/ }),
  outputDir: 'test-results',
  workers: BROWSER_WORKERS,
  retries: 0,
  timeout: 240_000,
  expect: { timeout: 20_000 },
  forbidOnly: CI !== undefined,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    trace: 'off',
    // What has no timeout of its own waits for a whole test: one that cannot go on says so sooner.
    actionTimeout: 60_000,
    // To draw what fades in and out takes a fifth of the browser's time.
    contextOptions: { reducedMotion: breadth('reduce', 'no-preference') },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(CHROMIUM_PATH ? { executablePath: CHROMIUM_PATH } : {}),
      args: process.getuid?.() === 0 ? [...rootOnly, ...quiet] : quiet,
    },
  },
});

// `npm run steady`: which files it runs, what it tells of them, and that nothing stays busy after it.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { FAIL_ONCE, makeProject, type Project } from './small-project.ts';

const PROJECT: Readonly<Record<string, string>> = {
  'vitest.config.ts': `
    import { defineConfig } from 'vitest/config';
    import { UnitReport } from './scripts/unit-report.ts';
    export default defineConfig({
      test: { include: ['server/*.test.ts'], reporters: [new UnitReport(process.env.UNIT_REPORT, import.meta.dirname)] },
    });`,
  ...FAIL_ONCE,
  'server/sure.test.ts': `
    import { test } from 'vitest';
    test('holds', () => {});`,
  'server/unsure.test.ts': `
    import { test } from 'vitest';
    import { failOnce } from '../once.ts';
    test('holds at times', () => failOnce('unsure'));`,
  'server/empty.test.ts': `
    import { test } from 'vitest';
    test.skip('is left out', () => {});`,
  'server/same.test.ts': '',
  'server/gone.test.ts': '',
  'e2e/page.e2e.ts': '',
  'e2e/firm.ts': '',
};

/** Commits the project as `main`, makes changes of each kind, and runs files and asks for them. */
const DRIVER = `
  import { execFileSync } from 'node:child_process';
  import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
  import { changedTests } from './scripts/changed-tests.mjs';
  import { countPasses, testNamed } from './scripts/steady.mjs';

  // Of this repository alone, whatever is set for the one that these tests run in.
  for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name];
  process.env.GIT_CONFIG_GLOBAL = '/dev/null';
  const git = (...args) => execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args]);
  const commit = () => { git('add', '.'); git('commit', '--quiet', '--message', 'A'); };
  git('init', '--quiet', '--initial-branch=main');
  commit();
  const unchanged = await changedTests();
  git('checkout', '--quiet', '-b', 'other');
  appendFileSync('e2e/page.e2e.ts', '// changed');
  appendFileSync('e2e/firm.ts', '// changed');
  commit();
  appendFileSync('server/sure.test.ts', '// changed');
  rmSync('server/gone.test.ts');
  writeFileSync('server/new.test.ts', '');
  const changed = await changedTests();

  const answers = ['./server/sure.test.ts', 'e2e/firm.ts', 'server/sure.ts', 'server/missing.test.ts'].map((name) => {
    try {
      return testNamed(name);
    } catch (error) {
      return error.message;
    }
  });
  const files = ['server/sure.test.ts', 'server/unsure.test.ts', 'server/empty.test.ts'];
  const counts = await countPasses(process.execPath, files, 2);
  tell({ unchanged, changed, answers, counts });`;

let project: Project;
beforeAll(async () => {
  project = await makeProject(PROJECT);
});
afterAll(() => project.remove());

describe('files', () => {
  let told: { unchanged: string[]; changed: string[]; answers: string[]; counts: unknown[] };
  beforeAll(async () => {
    told = await project.drive(DRIVER);
  });

  test('each is run several times, and what failed first is told', () => {
    expect(told.counts).toEqual([
      { file: 'server/sure.test.ts', passed: 2 },
      {
        file: 'server/unsure.test.ts',
        passed: 1,
        failure: 'server/unsure.test.ts › holds at times: Error: unsure failed',
      },
      { file: 'server/empty.test.ts', passed: 0, failure: 'no test of it ran' },
    ]);
  });

  test('without a name, those that differ from `main`: committed, not committed, or new', () => {
    expect(told.unchanged).toEqual([]);
    expect(told.changed).toEqual(['e2e/page.e2e.ts', 'server/sure.test.ts', 'server/new.test.ts']);
  });

  test('a name that is no test file is refused', () => {
    expect(told.answers).toEqual([
      'server/sure.test.ts',
      '`e2e/firm.ts` is no test file: they end with `.test.ts` or `.e2e.ts`.',
      expect.stringMatching(/^.server\/sure\.ts. is no test file: they end with .\.test\.ts. or .\.e2e\.ts.\.$/),
      expect.stringMatching(/^There is no file .server\/missing\.test\.ts.\.$/),
    ]);
  });
});

describe('busy processes', () => {
  /** Keeps every core busy while it does `work`, and tells of which processes, then how that ended and which still run. */
  const busyDuring = (work: string) => `
    import { besideBusyCores } from './scripts/steady.mjs';
    import { run } from './scripts/processes.mjs';
    const isRunning = (id) => { try { return process.kill(id, 0); } catch { return false; } };
    let ids = [];
    const ended = await besideBusyCores(process.execPath, async (busy) => {
      ids = busy;
      console.log(JSON.stringify(ids.filter(isRunning)));
      ${work}
    }).then(() => 'done', (error) => error.message);
    console.log(JSON.stringify([ended, ids.filter(isRunning)]));`;

  function start(work: string) {
    const args = ['--input-type=module', '--eval', busyDuring(work)];
    const child = spawn(process.execPath, args, { cwd: project.folder, stdio: ['ignore', 'pipe', 'pipe'] });
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  }
  const next = async (lines: AsyncIterator<string>) => JSON.parse((await lines.next()).value);

  test.each([
    ['', 'done'],
    ['throw new Error("broken");', 'broken'],
  ])('run on every core, and are gone after it: %j', async (work, ended) => {
    const { lines } = start(work);
    expect(await next(lines)).toHaveLength(availableParallelism());
    expect(await next(lines)).toEqual([ended, []]);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('are gone after %s', { timeout: 20_000 }, async (signal) => {
    const { child, lines } = start(
      `await run(process.execPath, ['--eval', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });`,
    );
    const ids: number[] = await next(lines);
    onTestFinished(() => {
      if (!child.stderr.closed) for (const id of ids) process.kill(id, 'SIGKILL');
    });
    child.kill(signal);
    // They inherit its stderr, which is closed once the last of them is gone.
    expect(await text(child.stderr)).toBe('');
  });
});

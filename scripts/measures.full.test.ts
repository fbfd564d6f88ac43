// How vitest.config.ts runs files of measures and the others, in a small project with that very configuration.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAIL_ONCE, makeProject, type Project, ROOT } from './small-project.ts';

const copied = [
  'vitest.config.ts',
  ...['breadth', 'fail-on-noise', 'test-environment'].map((name) => `server/testing/${name}.ts`),
];

const measure = (name: string) => `
  import { test } from 'vitest';
  import { failOnce } from '../once.ts';
  import { note } from '../note.ts';
  test('is met', () => note('${name}'));
  test('is met the second time', () => failOnce('${name}'));
  test('is missed', () => { throw new Error('too slow'); });`;

const PROJECT = {
  ...Object.fromEntries(copied.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')])),
  'server/testing/global-setup.ts': 'export const setup = () => undefined;',
  'server/testing/busy-machine.ts': 'export {};',
  ...FAIL_ONCE,
  // Whoever is run beside another one notes its end after the other's beginning.
  'note.ts': `
    import { appendFileSync, readFileSync } from 'node:fs';
    import { vi } from 'vitest';
    export async function note(name: string): Promise<void> {
      const begins = (who: string) => 'begins ' + who;
      appendFileSync('notes', begins(name) + ' ' + process.pid + '\\n');
      const other = begins(name === 'one' ? 'two' : 'one');
      await vi.waitFor(() => {
        if (!readFileSync('notes', 'utf8').includes(other)) throw new Error('It is alone.');
      }, { timeout: 500 }).catch(() => undefined);
      appendFileSync('notes', 'ends ' + name + ' ' + process.pid + '\\n');
    }`,
  'server/one.measure.test.ts': measure('one'),
  'server/two.measure.test.ts': measure('two'),
  'web/three.measure.test.ts': `
    import { test } from 'vitest';
    test('is met', () => {});`,
  'server/other.test.ts': `
    import { test } from 'vitest';
    import { failOnce } from '../once.ts';
    test('would pass the second time', () => failOnce('other'));`,
};

const DRIVER = `
  import { readFileSync } from 'node:fs';
  import { runMeasures, runUnits } from './scripts/test-runners.mjs';
  const units = await runUnits(process.execPath);
  const measures = await runMeasures(process.execPath);
  const notes = readFileSync('notes', 'utf8');
  const named = await runUnits(process.execPath, { files: ['server/two.measure.test.ts'], name: 'named' });
  tell({ units, measures, notes, named });`;

interface Result {
  readonly files: readonly {
    readonly file: string;
    readonly tests: readonly { title: string; state: string }[];
    readonly errors: readonly string[];
  }[];
  readonly outside: readonly string[];
}

let project: Project;
let told: { units: Result; measures: Result; notes: string; named: Result };

beforeAll(async () => {
  project = await makeProject(PROJECT);
  told = await project.drive(DRIVER);
});
afterAll(() => project.remove());

const statesOf = ({ files, outside }: Result) => {
  expect([outside, files.flatMap(({ errors }) => errors)]).toEqual([[], []]);
  return Object.fromEntries(
    files.flatMap(({ file, tests }) => tests.map(({ title, state }) => [`${file} › ${title}`, state])),
  );
};

const once = (file: string) => ({
  [`${file} › is met`]: 'passed',
  [`${file} › is met the second time`]: 'passed',
  [`${file} › is missed`]: 'failed',
});

test('the other files are run without the measures, and each of their tests once', () => {
  expect(statesOf(told.units)).toEqual({ 'server/other.test.ts › would pass the second time': 'failed' });
});

test('measures are run without the others, and one that is missed is taken once more', () => {
  expect(statesOf(told.measures)).toEqual({
    ...once('server/one.measure.test.ts'),
    ...once('server/two.measure.test.ts'),
    'web/three.measure.test.ts › is met': 'passed',
  });
});

test('measures are run one file at a time, each in a process of its own', () => {
  const lines = told.notes
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  expect(lines.map(([what]) => what)).toEqual(['begins', 'ends', 'begins', 'ends']);
  const [first, firstEnd, second, secondEnd] = lines.map(([, ...who]) => who.join(' '));
  expect([firstEnd, secondEnd]).toEqual([first, second]);
  expect(new Set(lines.map(([, , pid]) => pid)).size).toBe(2);
});

test('a file of measures is run by its name', () => {
  expect(statesOf(told.named)).toEqual(once('server/two.measure.test.ts'));
});

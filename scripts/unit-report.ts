// A reporter for Vitest: what every test file answered, and the errors outside of all tests, which Vitest's own JSON leaves out.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** A run of tests, in the form that `test-results.mjs` reads. */
interface Result {
  readonly files: readonly File[];
  /** Errors that belong to no file for certain: unhandled rejections, processes that ended. */
  readonly outside: readonly string[];
}

interface File {
  /** Its path from the root, with slashes. */
  readonly file: string;
  readonly durationMs: number;
  readonly tests: readonly { readonly title: string; readonly state: string; readonly error?: string }[];
  /** Those of the file itself and of its hooks. */
  readonly errors: readonly string[];
}

type Thrown = Pick<SerializedError, 'message' | 'stack'>;

const textOf = ({ stack, message }: Thrown) => stack || message;

function testOf(test: TestCase): File['tests'][number] {
  const { state, errors } = test.result();
  if (state === 'pending') return { title: test.fullName, state: 'failed', error: 'It did not come to its end.' };
  if (state !== 'failed') return { title: test.fullName, state };
  return { title: test.fullName, state, error: errors.map(textOf).join('\n') };
}

/** Everything from the start of its process, or since the file before it in the same process. */
function durationOf(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, setupDuration, collectDuration, duration } = module.diagnostic();
  return environmentSetupDuration + prepareDuration + setupDuration + collectDuration + duration;
}

function errorsOf(module: TestModule): string[] {
  const errors = [module, ...module.children.allSuites()].flatMap((part) => part.errors().map(textOf));
  const state = module.state();
  if (state === 'queued' || state === 'pending') errors.push('The file did not come to its end.');
  const failed = module.children.allTests('failed').next();
  if (state === 'failed' && errors.length === 0 && failed.done) errors.push('It failed outside of its tests.');
  return errors;
}

/** Writes a `Result` as JSON to `path`; files are named from `root`. */
export class UnitReport implements Reporter {
  readonly #path: string;
  readonly #root: string;

  constructor(path: string, root: string) {
    this.#path = path;
    this.#root = root;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const files = modules.map((module) => ({
      file: relative(this.#root, module.moduleId).replaceAll('\\', '/'),
      durationMs: durationOf(module),
      tests: [...module.children.allTests()].map(testOf),
      errors: errorsOf(module),
    }));
    const result: Result = { files, outside: unhandled.map(textOf) };
    writeFileSync(this.#path, JSON.stringify(result, undefined, 1));
  }
}

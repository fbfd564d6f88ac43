// A project of a few files in a folder of its own, on which tests of the scripts run them and the real runners.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface Project {
  readonly folder: string;
  /** Runs a module's text in the folder; resolves to what it tells by `tell(value)`. */
  drive<Told>(module: string): Promise<Told>;
  remove(): Promise<void>;
}

/** `failOnce(name)` for its tests: fails the first time that it is called with that name. */
export const FAIL_ONCE: Readonly<Record<string, string>> = {
  'once.ts': `
    import { existsSync, writeFileSync } from 'node:fs';
    export function failOnce(name: string): void {
      if (existsSync(name)) return;
      writeFileSync(name, '');
      throw new Error(name + ' failed\\nand more');
    }`,
};

const TELL = `const tell = (value) => process.stdout.write('\\n' + JSON.stringify(value));`;

/** Makes a project of `files`, text by path, with the scripts and the packages of this one. */
export async function makeProject(files: Readonly<Record<string, string>>): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'coffer-project-'));
  const all = { 'package.json': '{ "type": "module" }', '.gitignore': 'node_modules\nscripts\n', ...files };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  // Without their tests: one that makes a project must not find itself in it.
  const filter = (path: string) => !path.endsWith('.test.ts');
  await cp(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true, filter });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return {
    folder,
    async drive(module) {
      const args = ['--input-type=module', '--eval', `${TELL}\n${module}`];
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 16 * 1024 ** 2 });
      return JSON.parse(stdout.slice(stdout.lastIndexOf('\n')));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

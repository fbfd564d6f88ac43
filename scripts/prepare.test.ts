// Installing packages: what the command checks before it lets npm replace `node_modules`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coffer-prepare-'));
  await mkdir(join(folder, 'clone/scripts'), { recursive: true });
  for (const name of ['prepare.mjs', 'lock.mjs', 'processes.mjs']) {
    await cp(join(import.meta.dirname, name), join(folder, 'clone/scripts', name));
  }
  await writeFile(
    join(folder, 'clone/package-lock.json'),
    JSON.stringify({ packages: { '': {}, 'node_modules/wanted': { version: '2.0.0' } } }),
  );
  await writeFile(join(folder, 'npm-cli.js'), `console.log('npm ran'); process.exitCode = 1;`);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Prepares the clone with an npm that installs nothing and fails; resolves to what is printed. */
async function prepare(): Promise<string> {
  const script = `
    import { prepareNode } from './scripts/prepare.mjs';
    await prepareNode().catch((error) => console.log(error.message));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: join(folder, 'clone'),
    env: { ...process.env, npm_execpath: join(folder, 'npm-cli.js'), npm_node_execpath: process.execPath },
  });
  let printed = '';
  const collect = (chunk: Buffer) => {
    printed += chunk.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  await once(child, 'close');
  return printed;
}

test('missing packages are installed by npm', async () => {
  expect(await prepare()).toContain('npm ran');
});

test('nothing is installed through a symbolic link, which would empty the folder it points to', async () => {
  const shared = join(folder, 'shared');
  await mkdir(join(shared, 'wanted'), { recursive: true });
  await symlink(shared, join(folder, 'clone/node_modules'), 'junction');
  const printed = await prepare();
  expect(printed).toContain('node_modules is a symbolic link');
  expect(printed).not.toContain('npm ran');
  expect(await readdir(shared)).toEqual(['wanted']);
});

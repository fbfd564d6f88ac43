// The commands as npm starts them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coffer-run-'));
  // No command makes anything here.
  writeFileSync(join(folder, 'books.txt'), 'of another firm');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  { words: ['demo'], kept: 'npm_config_small', told: '`--small` to itself. Write `--` before it: `npm run demo -- ' },
  { words: ['demo'], kept: 'npm_config_dir', told: '`--dir` to itself.' },
  { words: ['admin', 'backup', 'here'], kept: 'npm_config_with_keys', told: '`--with-keys` to itself.' },
])('an option that npm has kept as $kept is asked for again', ({ words, kept, told }) => {
  const { stderr, status } = spawnSync(process.execPath, [join(import.meta.dirname, 'run.mjs'), ...words], {
    env: { ...process.env, DATA_DIR: folder, [kept]: 'true' },
    encoding: 'utf8',
  });
  expect(stderr).toContain(told);
  expect(status).toBe(1);
  expect(readdirSync(folder)).toEqual(['books.txt']);
});

// Checks the page of settings against the code: it has a row for each variable that the server reads, and no other.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test('every variable that the server reads has its row, and every row a variable', () => {
  const [, environment = ''] =
    /const Environment = z\.object\(\{([\s\S]*?)\n\}\);/.exec(read('server/config.ts')) ?? [];
  const variables = [...environment.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name);
  expect(variables).toContain('DATA_DIR');
  const rows = [...read('docs/configuration.md').matchAll(/^\| (`[A-Z].*?) \|/gm)];
  const described = rows.flatMap(([, cell = '']) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name));
  expect([...described].sort()).toEqual([...variables].sort());
});

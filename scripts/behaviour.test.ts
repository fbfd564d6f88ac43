// Holds docs/behaviour.md to the code: every call and every page is on it, and what cites it by heading finds the heading.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addresses } from '#contract/addresses.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const page = read('docs/behaviour.md');

interface Heading {
  readonly level: number;
  /** As it is cited: without its number, in small letters. */
  readonly name: string;
}

const headings: readonly Heading[] = [...page.matchAll(/^(##+) [\d.]+ (.+)$/gm)].map(([, marks = '', text = '']) => ({
  level: marks.length,
  name: text.toLowerCase(),
}));

/** The names of the sections, each with those of its parts. */
const parts = new Map<string, string[]>();
for (const { level, name } of headings) {
  if (level === 2) parts.set(name, []);
  else [...parts.values()].at(-1)?.push(name);
}

const CITING = ['contract', 'server', 'web', 'e2e', 'demo', 'bench', 'scripts'].flatMap((folder) =>
  globSync(`${folder}/**/*.{ts,tsx,mjs,css}`, { cwd: ROOT }).map((path) => path.replaceAll('\\', '/')),
);

/** `docs/behaviour.md, Files: deleting, exports` names one section and, behind a colon, some of its parts. */
const CITATION = /docs\/behaviour\.md, ([A-Z][a-z]+(?: [a-z]+)*)(?:: ([A-Za-z]+(?:,? [A-Za-z]+)*))?/g;

/** What `path` cites that is not there. */
function deadIn(path: string): string[] {
  return [...read(path).matchAll(CITATION)].flatMap(([, section = '', cited]) => {
    const known = parts.get(section.toLowerCase());
    if (known === undefined) return [`${path}: ${section}`];
    return (cited?.split(', ') ?? [])
      .filter((part) => !known.includes(part.toLowerCase()))
      .map((part) => `${path}: ${section}: ${part}`);
  });
}

test('every call is on the page', () => {
  expect(Object.values(addresses).filter((address) => !page.includes(`\`${address}\``))).toEqual([]);
});

test('every page of the portal is on it', () => {
  const routes = [...read('web/app/router.tsx').matchAll(/path: '(\/[^']*)'/g)].map(([, path = '']) =>
    path.replace('$id', '{id}'),
  );
  expect(routes).toContain('/file-upload');
  expect(routes.filter((path) => !page.includes(`| \`${path}\` |`))).toEqual([]);
});

test('what the code cites is a heading of the page', () => {
  expect(CITING.flatMap((path) => [...read(path).matchAll(CITATION)]).length).toBeGreaterThan(20);
  expect(CITING.flatMap(deadIn)).toEqual([]);
});

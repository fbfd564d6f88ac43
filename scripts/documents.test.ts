// Checks the documents against the code: every call, page and command is described, every citation and link finds its heading, every named file exists.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** Decision records are left out: they describe the day they were written. */
const DOCUMENTS = globSync('{*.md,docs/*.md}', { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'));

/** A path from the root, in backticks, of one file: no pattern and no placeholder. */
const NAMED_FILE = /`((?:contract|server|web|e2e|demo|bench|scripts|docs)\/[\w./-]+\.\w+)`/g;

test('every file that a document or a comment names exists', () => {
  const named = [...DOCUMENTS, ...CITING].flatMap((namedIn) =>
    [...read(namedIn).matchAll(NAMED_FILE)].map(([, path = '']) => ({ namedIn, path })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
});

/** A heading as links name it: small letters without signs, a hyphen for each space. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

function leadsSomewhere(target: string, anchor: string | undefined): boolean {
  if (!existsSync(join(ROOT, target))) return false;
  if (anchor === undefined) return true;
  return [...read(target).matchAll(/^#+ (.+)$/gm)].some(([, heading = '']) => anchorOf(heading) === anchor);
}

test('every link within the documents leads to a file and a heading that are there', () => {
  const links = DOCUMENTS.flatMap((document) =>
    [...read(document).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, path = '', anchor]) => ({
      document,
      target: path === '' ? document : join(dirname(document), path),
      anchor,
    })),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ target, anchor }) => !leadsSomewhere(target, anchor))).toEqual([]);
});

/** What `pattern` finds in all documents, each once. */
const namedBy = (pattern: RegExp) => [
  ...new Set(DOCUMENTS.flatMap((path) => [...read(path).matchAll(pattern)].map(([, name = '']) => name))),
];

test('every command of npm and of the operator is told, and no other', () => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
  const { start: _start, test: _test, ...run } = scripts;
  expect(namedBy(/\bnpm run ([a-z][a-z0-9]*(?::[a-z0-9]+)?)/g).sort()).toEqual(Object.keys(run).sort());
  const [, table = ''] = /^const commands: [^=]+= \{\n([\s\S]*?)^\};/m.exec(read('server/admin.ts')) ?? [];
  const commands = [...table.matchAll(/^ {2}'?([a-z][a-z-]*)'?: /gm)].map(([, name = '']) => name);
  expect(commands).toContain('reset-password');
  expect(namedBy(/\bnpm run admin -- ([a-z][a-z-]*)/g).sort()).toEqual(commands.sort());
});

test('the proxy that the documents show leaves it to the server to cut slow readers', () => {
  const shown = read('docs/nginx.conf');
  const secondsOf = (name: string) => Number(new RegExp(`^ +${name} (\\d+)s;$`, 'm').exec(shown)?.[1] ?? 60);
  for (const name of ['send_timeout', 'proxy_read_timeout', 'proxy_send_timeout']) {
    expect([name, secondsOf(name)]).toEqual([name, 300]);
  }
});

test('the glossary has each word once in a group, in the order of the alphabet', () => {
  const groups = read('docs/glossary.md').split('\n## ').slice(1);
  expect(groups).toHaveLength(3);
  for (const group of groups) {
    const words = [...group.matchAll(/^\| (?!word |---)([^|]+) \|/gm)].map(([, word = '']) => word.toLowerCase());
    expect(words.length).toBeGreaterThan(10);
    expect(words).toEqual([...new Set(words)].sort());
  }
});

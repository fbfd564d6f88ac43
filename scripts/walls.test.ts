// Every wall holds: each rule is shown a file that breaks it, and one next to it that does not.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** For each rule: files that it must refuse, and files of the same kind that it must accept, with the content of each. */
interface Case {
  readonly refused: Readonly<Record<string, string>>;
  readonly allowed: Readonly<Record<string, string>>;
}

const importing = (...specifiers: string[]) => specifiers.map((specifier) => `import '${specifier}';\n`).join('');
const importingType = (specifier: string) =>
  `import type { value } from '${specifier}';\nexport type Value = typeof value;\n`;

const imports: Record<string, Case> = {
  'contract-imports-zod-only': {
    refused: {
      'contract/w-builtin.ts': importing('node:fs'),
      'contract/w-package.ts': importing('fastify'),
      'contract/w-server.ts': importingType('#server/config.ts'),
    },
    allowed: { 'contract/w-zod.ts': importing('zod', './fields.ts'), 'contract/w.test.ts': importing('vitest') },
  },
  'web-never-meets-server': {
    refused: {
      'web/app/w-server.ts': importing('#server/config.ts'),
      'web/lib/w-server.ts': importingType('#server/config.ts'),
    },
    allowed: { 'web/lib/w-contract.ts': importing('#contract/fields.ts') },
  },
  'server-never-meets-web': {
    refused: {
      'server/http/w-web.ts': importing('#web/lib/api.ts'),
      'server/http/w-web.test.ts': importing('#web/lib/api.ts'),
    },
    allowed: { 'server/http/w-contract.ts': importing('#contract/fields.ts') },
  },
  'product-stands-without-its-tools': {
    refused: {
      'server/http/w-demo.ts': importing('../../demo/firm.ts'),
      'web/lib/w-demo.ts': importing('../../demo/firm.ts'),
    },
    allowed: { 'demo/w-product.ts': importing('#server/config.ts') },
  },
  'product-knows-no-tests': {
    refused: {
      'server/http/w-testing.ts': importing('../testing/viewers.ts'),
      'demo/w-testing.ts': importing('#server/testing/viewers.ts'),
    },
    allowed: { 'server/http/w-viewers.test.ts': importing('../testing/viewers.ts') },
  },
  'server-runs-without-dev-packages': {
    refused: { 'server/http/w-dev.ts': importing('react') },
    allowed: { 'server/http/w-dependency.ts': importing('pino'), 'server/http/w-dev.test.ts': importing('fast-check') },
  },
  'features-stay-apart': {
    refused: { 'server/features/clients/w-other.ts': importing('../users/users.repo.ts') },
    allowed: { 'server/features/users/w-own.ts': importing('./users.repo.ts') },
  },
  'sql-only-in-repos': {
    refused: {
      'server/features/clients/w-clients.routes.ts': importing('kysely'),
      'server/features/clients/w-clients.service.ts': importingType('kysely'),
      'server/http/w-sql.ts': importing('kysely'),
    },
    allowed: {
      'server/features/clients/w-clients.repo.ts': importing('kysely'),
      'server/db/w-sql.ts': importing('kysely'),
      'server/audit/w-sql.ts': importing('kysely'),
      'server/jobs/w-sql.ts': importing('kysely'),
    },
  },
  'job-engine-only-in-jobs': {
    refused: {
      'server/features/clients/w-engine.repo.ts': importing('pg-boss'),
      'server/jobs/w-engine.ts': importingType('pg-boss'),
    },
    allowed: { 'server/platform/jobs/pg-boss-delivery.ts': importing('pg-boss') },
  },
  'mail-leaves-by-one-room': {
    refused: {
      'server/features/users/w-mail.routes.ts': importing('nodemailer'),
      'server/auth/w-mail.ts': importing('../mail/smtp.ts'),
    },
    allowed: { 'server/mail/w-mail.ts': importing('nodemailer', './smtp.ts') },
  },
  'drivers-only-in-db': {
    refused: {
      'server/features/clients/w-driver.repo.ts': importing('pg'),
      'server/features/clients/w-sqlite.repo.ts': importing('node:sqlite'),
      'demo/w-sqlite.ts': importing('node:sqlite'),
    },
    allowed: { 'server/db/w-drivers.ts': importing('pg', 'node:sqlite') },
  },
  'database-opens-where-scopes-are-made': {
    refused: {
      'server/features/clients/w-connect.repo.ts': importing('../../db/connect.ts'),
      'server/http/w-connect.ts': importing('../db/sqlite.ts'),
    },
    allowed: {
      'server/context.ts': importing('./db/connect.ts'),
      'bench/w-connect.ts': importing('#server/platform/db/connect.ts'),
    },
  },
  'database-handle-only-before-a-viewer': {
    refused: { 'server/features/clients/w-handle.repo.ts': importingType('../../db/database.ts') },
    allowed: { 'server/auth/w-handle.ts': importing('../db/database.ts') },
  },
  'engines-stand-below': {
    refused: { 'server/db/w-scope.ts': importingType('../access/scope.ts') },
    allowed: { 'server/db/w-statement.ts': importing('./statement.ts') },
  },
  'access-knows-the-engines-alone': {
    refused: { 'server/access/w-files.ts': importing('../files/list.ts') },
    allowed: { 'server/access/w-statement.ts': importing('../db/statement.ts') },
  },
  'rooms-stand-below-the-features': {
    refused: {
      'server/files/w-feature.ts': importing('../features/clients/clients.repo.ts'),
      'server/auth/w-http.ts': importingType('../http/route.ts'),
    },
    allowed: { 'server/files/w-scope.ts': importing('../access/scope.ts') },
  },
  'moves-are-the-operators': {
    refused: { 'server/http/w-move.ts': importing('../move/move.ts') },
    allowed: { 'server/admin.ts': importing('./move/move.ts') },
  },
  'moves-know-tables-and-bytes': {
    refused: { 'server/move/w-files.ts': importing('../files/list.ts') },
    allowed: { 'server/move/w-tables.ts': importing('../db/tables.ts', '../blobs/blob-store.ts') },
  },
  'backups-are-the-operators': {
    refused: { 'server/http/w-backup.ts': importing('../backup/backup.ts') },
    allowed: { 'server/testing/w-backup.ts': importing('../backup/backup.ts') },
  },
  'repos-know-no-http': {
    refused: {
      'server/features/clients/w-http.repo.ts': importingType('fastify'),
      'server/blobs/w-http.ts': importing('@fastify/multipart'),
      'server/files/w-http.ts': importingType('fastify'),
    },
    allowed: { 'server/features/clients/w-http.routes.ts': importing('fastify') },
  },
  'blob-stores-only-in-blobs': {
    refused: {
      'server/features/files/w-s3.service.ts': importing('@aws-sdk/client-s3'),
      'server/features/files/w-disk.service.ts': importing('../../blobs/disk-store.ts'),
    },
    allowed: { 'server/blobs/w-s3.ts': importing('@aws-sdk/client-s3') },
  },
  'stores-know-bytes-alone': {
    refused: {
      'server/blobs/w-tape-store.ts': importingType('../db/database.ts'),
      'server/blobs/w-drum-store.ts': importing('./measure.ts'),
    },
    allowed: { 'server/blobs/w-card-store.ts': importing('./storage-key.ts') },
  },
  'web-below-app': {
    refused: {
      'web/screens/clients/w-app.ts': importing('#web/app/router.ts'),
      'web/ui/w-app.ts': importing('#web/app/router.ts'),
    },
    allowed: { 'web/app/w-app.ts': importing('#web/screens/clients/clients-page.ts', './router.ts') },
  },
  'web-below-screens': {
    refused: { 'web/parts/w-screen.ts': importing('#web/screens/clients/clients-page.ts') },
    allowed: { 'web/screens/users/w-part.ts': importing('#web/parts/client-select.ts') },
  },
  'web-below-parts': {
    refused: { 'web/data/w-part.ts': importing('#web/parts/client-select.ts') },
    allowed: { 'web/parts/w-data.ts': importing('#web/data/clients.ts', '#web/ui/toast.ts') },
  },
  'web-below-data': {
    refused: {
      'web/lib/w-data.ts': importing('#web/data/clients.ts'),
      'web/ui/w-data.ts': importingType('#web/data/clients.ts'),
    },
    allowed: { 'web/data/w-lib.ts': importing('#web/lib/api.ts', '#web/ui/toast.ts') },
  },
  'ui-speaks-no-nouns': {
    refused: { 'web/ui/w-api.ts': importing('#web/lib/api.ts') },
    allowed: { 'web/ui/w-format.ts': importing('#web/lib/format.ts') },
  },
  'screens-stay-apart': {
    refused: { 'web/screens/users/w-other.ts': importing('#web/screens/clients/clients-page.ts') },
    allowed: { 'web/screens/clients/w-own.ts': importing('./clients-page.ts') },
  },
  'no-cycles': {
    // Reported once for each cycle, at the first of its files.
    refused: { 'server/http/w-egg.ts': importingType('./w-hen.ts') },
    allowed: { 'server/http/w-hen.ts': importing('./w-egg.ts') },
  },
  'no-orphans': {
    refused: { 'server/http/w-orphan.ts': 'export const value = 1;\n' },
    allowed: { 'w-tool.config.ts': 'export const value = 1;\n' },
  },
  'no-missing-imports': {
    refused: {
      'server/http/w-missing.ts': importing('./w-nowhere.ts'),
      'server/http/w-missing-alias.ts': importing('#contract/w-nowhere.ts'),
    },
    allowed: { 'server/http/w-found.ts': importing('#contract/fields.ts', '#server/config.ts') },
  },
};

const talk = "export const answer = () => fetch('/api/clients');\n";
const took = 'export const tookMs = (startedMs: number) => performance.now() - startedMs;\n';
const slept = 'export const rest = () => new Promise((wake) => setTimeout(wake, 5));\n';
const importingSleep =
  "import { setTimeout } from 'node:timers/promises';\n\nexport const rest = () => setTimeout(5);\n";
const readEnvironment = 'export const port = process.env.PORT;\n';

const lint: Record<string, Case> = {
  'lint/style/noProcessEnv': {
    refused: {
      'server/http/l-env.ts': readEnvironment,
      'server/main.ts': readEnvironment,
      'demo/l-env.ts': readEnvironment,
      'server/http/l-env-import.ts': "import { env } from 'node:process';\n\nexport const port = env.PORT;\n",
    },
    allowed: { 'server/config.ts': readEnvironment, 'server/http/l-env.test.ts': readEnvironment },
  },
  'lint/style/noRestrictedGlobals': {
    refused: {
      'web/data/l-fetch.ts': talk,
      'server/http/l-fetch.ts': talk,
      'web/screens/clients/l-xhr.ts': 'export const request = () => new XMLHttpRequest();\n',
    },
    allowed: { 'web/lib/api.ts': talk, 'server/http/l-fetch.test.ts': talk },
  },
  plugin: {
    refused: {
      'web/data/l-window-fetch.ts': talk.replace('fetch', 'window.fetch'),
      'server/http/l-took.test.ts': took,
      'web/lib/l-took.test.tsx': took,
      'e2e/l-took.e2e.ts': took,
      'server/testing/l-took.ts': took,
      'server/http/l-memory.test.ts': 'export const heldBytes = () => process.memoryUsage().rss;\n',
      'server/http/l-processor.test.ts': 'export const worked = () => [process.cpuUsage(), process.resourceUsage()];\n',
      'e2e/l-wait.e2e.ts':
        'export const rest = (page: { waitForTimeout(ms: number): void }) => page.waitForTimeout(5);\n',
      'server/http/l-sleep.test.ts': slept,
      'server/http/l-typed-sleep.test.ts': slept.replace('Promise', 'Promise<void>'),
      'server/http/l-block-sleep.test.ts': slept.replace('setTimeout(wake, 5)', '{ setTimeout(wake, 5); }'),
    },
    allowed: {
      'web/data/l-other-fetch.ts': 'export const load = (query: { fetch(): void }) => query.fetch();\n',
      'server/http/l-took.measure.test.ts': took,
      'server/http/l-took.ts': took,
      'server/http/l-bounded.test.ts': slept.replace('setTimeout(wake, 5)', 'process.once("exit", wake)'),
    },
  },
  'lint/style/noRestrictedImports': {
    refused: { 'server/http/l-sleeper.test.ts': importingSleep, 'e2e/l-sleeper.ts': importingSleep },
    allowed: {
      'server/http/l-turn.test.ts': importingSleep.replace('setTimeout', 'setImmediate'),
      'server/http/l-sleeper.measure.test.ts': importingSleep,
      'server/http/l-sleeper.ts': importingSleep,
    },
  },
  'lint/style/noDefaultExport': {
    refused: { 'web/ui/l-default.ts': 'const value = 1;\nexport default value;\n' },
    allowed: { 'l-tool.config.ts': 'const value = 1;\nexport default value;\n' },
  },
  'lint/suspicious/noConsole': {
    refused: { 'server/http/l-console.ts': "console.log('x');\n" },
    allowed: { 'server/admin.ts': "console.log('x');\n" },
  },
  'lint/suspicious/noExplicitAny': {
    refused: { 'web/lib/l-any.ts': 'export const value: any = 1;\n' },
    allowed: { 'web/lib/l-unknown.ts': 'export const value: unknown = 1;\n' },
  },
  'lint/style/noEnum': {
    refused: { 'contract/l-enum.ts': 'export enum Kind {\n  One,\n}\n' },
    allowed: { 'contract/l-union.ts': "export type Kind = 'one';\n" },
  },
  'lint/performance/noBarrelFile': {
    refused: { 'web/parts/index.ts': "export { value } from './client-select.ts';\n" },
    allowed: {},
  },
  'lint/style/useFilenamingConvention': {
    refused: { 'web/ui/LTitle.ts': 'export const value = 1;\n' },
    allowed: { 'server/features/clients/l-name.routes.ts': 'export const value = 1;\n' },
  },
};

/** What the cases import: files of one line each, in the layer they are named after. */
const neighbours = [
  'contract/fields.ts',
  'server/config.ts',
  'server/platform/db/connect.ts',
  'server/platform/db/database.ts',
  'server/platform/db/sqlite.ts',
  'server/platform/db/statement.ts',
  'server/people/access/scope.ts',
  'server/files/list/list.ts',
  'server/backup/backup.ts',
  'server/platform/move/move.ts',
  'server/api/route.ts',
  'server/firm/clients/clients.repo.ts',
  'server/testing/viewers.ts',
  'server/people/users/users.repo.ts',
  'server/platform/blobs/disk-store.ts',
  'server/mail/smtp.ts',
  'server/platform/blobs/measure.ts',
  'server/platform/blobs/storage-key.ts',
  'web/app/router.ts',
  'web/screens/clients/clients-page.ts',
  'web/parts/client-select.ts',
  'web/data/clients.ts',
  'web/lib/api.ts',
  'web/lib/format.ts',
  'web/ui/toast.ts',
  'demo/firm.ts',
];

interface Finding {
  readonly rule: string;
  readonly file: string;
}

async function makeCopy(cases: Record<string, Case>): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'coffer-walls-'));
  const contents = new Map(neighbours.map((file) => [file, 'export const value = 1;\n']));
  for (const { refused, allowed } of Object.values(cases)) {
    for (const [file, text] of Object.entries({ ...refused, ...allowed })) contents.set(file, text);
  }
  for (const [file, text] of contents) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await writeFile(join(copy, file), text);
  }
  const copied = [
    'package.json',
    'tsconfig.base.json',
    'tsconfig.web.json',
    '.dependency-cruiser.mjs',
    'biome.json',
    '.gitignore',
  ];
  await Promise.all(
    [...copied, 'scripts/walls'].map((name) => cp(join(root, name), join(copy, name), { recursive: true })),
  );
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');
  return copy;
}

/** Runs one of the project's own tools in `copy`; resolves to its output, whether or not it succeeded. */
async function inspect(copy: string, script: string, args: string[]): Promise<string> {
  const command = [join(root, 'node_modules', script), ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: copy, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) =>
      resolve(stdout),
    );
  });
}

interface Cruise {
  readonly summary: {
    readonly violations: readonly { readonly rule: { readonly name: string }; readonly from: string }[];
    readonly ruleSetUsed: { readonly forbidden: readonly { readonly name: string; readonly severity: string }[] };
  };
}

async function cruise(copy: string): Promise<Cruise['summary']> {
  const args = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', '.'];
  const output = await inspect(copy, 'dependency-cruiser/bin/dependency-cruiser.mjs', args);
  return (JSON.parse(output) as Cruise).summary;
}

async function findByImports(copy: string): Promise<Finding[]> {
  const { violations } = await cruise(copy);
  return violations.map(({ rule, from }) => ({ rule: rule.name, file: from }));
}

async function findByLint(copy: string): Promise<Finding[]> {
  const args = ['lint', '--reporter=json', '--max-diagnostics=none', '.'];
  const output = await inspect(copy, '@biomejs/biome/bin/biome', args);
  const { diagnostics } = JSON.parse(output) as {
    diagnostics: { category: string; severity: string; location: { path: string } }[];
  };
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ category, location }) => ({ rule: category, file: location.path }));
}

describe.each([
  { kind: 'imports', cases: imports, find: findByImports },
  { kind: 'lint', cases: lint, find: findByLint },
])('walls of $kind', ({ cases, find }) => {
  let copy = '';
  let findings: Finding[] = [];

  beforeAll(async () => {
    copy = await makeCopy(cases);
    findings = await find(copy);
  });
  afterAll(() => rm(copy, { recursive: true, force: true }));

  test.each(Object.keys(cases))('%s', (rule) => {
    const { refused = {}, allowed = {} } = cases[rule] ?? {};
    const hits = new Set(findings.filter((finding) => finding.rule === rule).map(({ file }) => file));
    for (const file of Object.keys(refused)) expect.soft(hits, `${rule} should refuse ${file}`).toContain(file);
    for (const file of Object.keys(allowed)) expect.soft(hits, `${rule} should allow ${file}`).not.toContain(file);
  });
});

test('every wall between imports stops the check and has its case', async () => {
  const copy = await makeCopy({});
  try {
    const { forbidden } = (await cruise(copy)).ruleSetUsed;
    expect(forbidden.filter(({ severity }) => severity !== 'error')).toEqual([]);
    expect(forbidden.map(({ name }) => name).sort()).toEqual(Object.keys(imports).sort());
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
});

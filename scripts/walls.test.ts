// Every wall holds: each rule is shown a file that breaks it, and one next to it that does not.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FLOORS, PARTS } from './walls/rooms.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** For each rule: files that it must refuse, and files of the same kind that it must accept, with the content of each. */
interface Case {
  readonly refused: Readonly<Record<string, string>>;
  readonly allowed: Readonly<Record<string, string>>;
}

const importing = (...specifiers: string[]) => specifiers.map((specifier) => `import '${specifier}';\n`).join('');
const importingType = (specifier: string) =>
  `import type { value } from '${specifier}';\nexport type Value = typeof value;\n`;

/** Each in an order refuses what is above it, and may use what is below. */
const inOrder = (names: readonly string[], side: 'server' | 'web'): Record<string, Case> =>
  Object.fromEntries(
    names.slice(0, -1).map((name, floor) => {
      const own = `${side}/${name}/`;
      const next = (at: number) => `#${side}/${names.at(at)}/w-next.ts`;
      const above = importing(next(floor + 1));
      const refused: Record<string, string> = {
        [`${own}w-up.ts`]: above,
        [`${own}w-high.ts`]: importingType(next(-1)),
      };
      // Rooms that are named themselves lie in the first of the server.
      if (name !== FLOORS[0]) refused[`${own}deeper/w-up.ts`] = above;
      const allowed = { [`${own}w-down.ts`]: importing(next(Math.max(floor - 1, 0))), [`${own}w-up.test.ts`]: above };
      return [`${name}-uses-what-is-below`, { refused, allowed }];
    }),
  );

const imports: Record<string, Case> = {
  ...inOrder(FLOORS, 'server'),
  ...inOrder(PARTS, 'web'),
  'rooms-are-entered-by-their-doors': {
    refused: {
      'server/batches/w-in.ts': importing('../files/w-next.ts'),
      'server/people/users/w-in.ts': importingType('../../system/w-next.ts'),
    },
    allowed: {
      'server/batches/w-door.ts': importing('../files/find.ts'),
      'server/files/w-own.ts': importing('./w-next.ts'),
      'server/w-composes.ts': importing('./files/w-next.ts'),
    },
  },
  'server-files-lie-in-rooms': {
    refused: { 'server/lobby/w-odd.ts': importing('../config.ts') },
    allowed: { 'server/files/w-placed.ts': importing('../config.ts'), 'server/w-top.ts': importing('./config.ts') },
  },
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
      'server/api/w-web.ts': importing('#web/lib/api.ts'),
      'server/api/w-web.test.ts': importing('#web/lib/api.ts'),
    },
    allowed: { 'server/api/w-contract.ts': importing('#contract/fields.ts') },
  },
  'product-stands-without-its-tools': {
    refused: {
      'server/api/w-demo.ts': importing('../../demo/firm.ts'),
      'web/lib/w-demo.ts': importing('../../demo/firm.ts'),
    },
    allowed: { 'demo/w-product.ts': importing('#server/config.ts') },
  },
  'product-knows-no-tests': {
    refused: {
      'server/api/w-testing.ts': importing('../testing/viewers.ts'),
      'demo/w-testing.ts': importing('#server/testing/viewers.ts'),
    },
    allowed: { 'server/api/w-viewers.test.ts': importing('../testing/viewers.ts') },
  },
  'server-runs-without-dev-packages': {
    refused: { 'server/api/w-dev.ts': importing('react') },
    allowed: { 'server/api/w-dependency.ts': importing('pino'), 'server/api/w-dev.test.ts': importing('fast-check') },
  },
  'sql-only-in-repos': {
    refused: {
      'server/files/w-files.routes.ts': importing('kysely'),
      'server/files/w-files.service.ts': importingType('kysely'),
      'server/api/w-sql.ts': importing('kysely'),
    },
    allowed: {
      'server/firm/clients/w-clients.repo.ts': importing('kysely'),
      'server/platform/db/w-sql.ts': importing('kysely'),
      'server/audit/w-sql.ts': importing('kysely'),
      'server/platform/jobs/w-sql.ts': importing('kysely'),
    },
  },
  'job-engine-only-in-jobs': {
    refused: {
      'server/firm/clients/w-engine.repo.ts': importing('pg-boss'),
      'server/platform/jobs/w-engine.ts': importingType('pg-boss'),
    },
    allowed: { 'server/platform/jobs/pg-boss-delivery.ts': importing('pg-boss') },
  },
  'mail-leaves-by-one-room': {
    refused: {
      'server/people/users/w-mail.routes.ts': importing('nodemailer'),
      'server/people/auth/w-mail.ts': importing('../../mail/smtp.ts'),
    },
    allowed: { 'server/mail/w-mail.ts': importing('nodemailer', './smtp.ts') },
  },
  'drivers-only-in-db': {
    refused: {
      'server/firm/clients/w-driver.repo.ts': importing('pg'),
      'server/firm/clients/w-sqlite.repo.ts': importing('node:sqlite'),
      'demo/w-sqlite.ts': importing('node:sqlite'),
    },
    allowed: { 'server/platform/db/w-drivers.ts': importing('pg', 'node:sqlite') },
  },
  'database-opens-where-scopes-are-made': {
    refused: {
      'server/files/w-connect.repo.ts': importing('../platform/db/connect.ts'),
      'server/api/w-connect.ts': importing('../platform/db/sqlite.ts'),
    },
    allowed: {
      'server/context.ts': importing('./platform/db/connect.ts'),
      'bench/w-connect.ts': importing('#server/platform/db/connect.ts'),
    },
  },
  'database-handle-only-before-a-viewer': {
    refused: { 'server/batches/w-handle.repo.ts': importingType('../platform/db/database.ts') },
    allowed: { 'server/people/auth/w-handle.ts': importing('../../platform/db/database.ts') },
  },
  'moves-are-the-operators': {
    refused: { 'server/api/w-move.ts': importing('../platform/move/move.ts') },
    allowed: { 'server/admin.ts': importing('./platform/move/move.ts') },
  },
  'moves-know-tables-and-bytes': {
    refused: { 'server/platform/move/w-files.ts': importing('../../files/list/list.ts') },
    allowed: { 'server/platform/move/w-tables.ts': importing('../db/tables.ts', '../blobs/blob-store.ts') },
  },
  'backups-are-the-operators': {
    refused: { 'server/api/w-backup.ts': importing('../backup/backup.ts') },
    allowed: { 'server/testing/w-backup.ts': importing('../backup/backup.ts') },
  },
  'acts-know-no-http': {
    refused: {
      'server/firm/clients/w-http.repo.ts': importingType('fastify'),
      'server/firm/clients/w-http.acts.ts': importingType('../../api/route.ts'),
      'server/people/users/w-import.ts': importing('../../platform/http/w-next.ts'),
      'server/platform/blobs/w-http.ts': importing('@fastify/multipart'),
      'server/files/w-http-job.ts': importingType('fastify'),
    },
    allowed: {
      'server/firm/clients/w-http.routes.ts': importing('fastify', '../../api/route.ts'),
      'server/requests/w/receive-w.ts': importing('../../api/route.ts'),
      'server/people/users/w-plain.acts.ts': importing('../access/scope.ts'),
    },
  },
  'routes-leave-acts-to-acts': {
    refused: {
      'server/people/users/w-writing.routes.ts': importing('../../audit/record.ts'),
      'server/firm/clients/w-writing.routes.ts': importingType('../../people/access/scope.ts'),
    },
    allowed: { 'server/people/users/w-writing.acts.ts': importing('../../audit/record.ts') },
  },
  'blob-stores-only-in-blobs': {
    refused: {
      'server/files/w-s3.service.ts': importing('@aws-sdk/client-s3'),
      'server/files/w-disk.service.ts': importing('../platform/blobs/disk-store.ts'),
    },
    allowed: { 'server/platform/blobs/w-s3.ts': importing('@aws-sdk/client-s3') },
  },
  'stores-know-bytes-alone': {
    refused: {
      'server/platform/blobs/w-tape-store.ts': importingType('../db/database.ts'),
      'server/platform/blobs/w-drum-store.ts': importing('./measure.ts'),
    },
    allowed: { 'server/platform/blobs/w-card-store.ts': importing('./storage-key.ts') },
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
  'web-below-ui': {
    refused: { 'web/lib/w-toast.ts': importing('#web/ui/toast.ts') },
    allowed: { 'web/ui/w-messages.ts': importing('#web/lib/format.ts', './toast.ts') },
  },
  'app-folders-stand-below-app': {
    refused: { 'web/app/palette/w-up.ts': importing('../router.ts') },
    allowed: { 'web/app/w-down.ts': importing('./palette/w-up.ts', './router.ts') },
  },
  'ui-speaks-no-nouns': {
    refused: { 'web/ui/w-api.ts': importing('#web/lib/api.ts') },
    allowed: { 'web/ui/w-format.ts': importing('#web/lib/format.ts') },
  },
  'parts-lie-by-noun': {
    refused: {
      'web/parts/w-loose.ts': importing('#web/lib/format.ts'),
      'web/parts/lobby/w-odd.ts': importing('#web/lib/format.ts'),
    },
    allowed: { 'web/parts/files/w-placed.ts': importing('#web/lib/format.ts') },
  },
  'screens-stay-apart': {
    refused: { 'web/screens/users/w-other.ts': importing('#web/screens/clients/clients-page.ts') },
    allowed: { 'web/screens/clients/w-own.ts': importing('./clients-page.ts') },
  },
  'no-cycles': {
    // Reported once for each cycle, at the first of its files.
    refused: { 'server/api/w-egg.ts': importingType('./w-hen.ts') },
    allowed: { 'server/api/w-hen.ts': importing('./w-egg.ts') },
  },
  'no-orphans': {
    refused: { 'server/api/w-orphan.ts': 'export const value = 1;\n' },
    allowed: { 'w-tool.config.ts': 'export const value = 1;\n' },
  },
  'no-missing-imports': {
    refused: {
      'server/api/w-missing.ts': importing('./w-nowhere.ts'),
      'server/api/w-missing-alias.ts': importing('#contract/w-nowhere.ts'),
    },
    allowed: { 'server/api/w-found.ts': importing('#contract/fields.ts', '#server/config.ts') },
  },
};

const talk = "export const answer = () => fetch('/api/clients');\n";
const took = 'export const tookMs = (startedMs: number) => performance.now() - startedMs;\n';
const slept = 'export const rest = () => new Promise((wake) => setTimeout(wake, 5));\n';
const importingSleep =
  "import { setTimeout } from 'node:timers/promises';\n\nexport const rest = () => setTimeout(5);\n";
const importingAct = "import { useMutation } from '@tanstack/react-query';\n\nexport const act = useMutation;\n";
const readEnvironment = 'export const port = process.env.PORT;\n';

const functionOf = (lines: number) =>
  `export function sum() {\n  let n = 0;\n${'  n += 1;\n'.repeat(lines - 2)}  return n;\n}\n`;
const fileOf = (lines: number) =>
  Array.from({ length: lines }, (_, nth) => `export const n${nth} = ${nth};\n`).join('');

const lint: Record<string, Case> = {
  'lint/style/noProcessEnv': {
    refused: {
      'server/api/l-env.ts': readEnvironment,
      'server/main.ts': readEnvironment,
      'demo/l-env.ts': readEnvironment,
      'server/api/l-env-import.ts': "import { env } from 'node:process';\n\nexport const port = env.PORT;\n",
    },
    allowed: { 'server/config.ts': readEnvironment, 'server/api/l-env.test.ts': readEnvironment },
  },
  'lint/style/noRestrictedGlobals': {
    refused: {
      'web/data/l-fetch.ts': talk,
      'server/api/l-fetch.ts': talk,
      'web/screens/clients/l-xhr.ts': 'export const request = () => new XMLHttpRequest();\n',
    },
    allowed: { 'web/lib/api.ts': talk, 'server/api/l-fetch.test.ts': talk },
  },
  plugin: {
    refused: {
      'web/data/l-window-fetch.ts': talk.replace('fetch', 'window.fetch'),
      'server/api/l-took.test.ts': took,
      'web/lib/l-took.test.tsx': took,
      'e2e/l-took.e2e.ts': took,
      'server/testing/l-took.ts': took,
      'server/api/l-memory.test.ts': 'export const heldBytes = () => process.memoryUsage().rss;\n',
      'server/api/l-processor.test.ts': 'export const worked = () => [process.cpuUsage(), process.resourceUsage()];\n',
      'e2e/l-wait.e2e.ts':
        'export const rest = (page: { waitForTimeout(ms: number): void }) => page.waitForTimeout(5);\n',
      'server/api/l-sleep.test.ts': slept,
      'server/api/l-typed-sleep.test.ts': slept.replace('Promise', 'Promise<void>'),
      'server/api/l-block-sleep.test.ts': slept.replace('setTimeout(wake, 5)', '{ setTimeout(wake, 5); }'),
    },
    allowed: {
      'web/data/l-other-fetch.ts': 'export const load = (query: { fetch(): void }) => query.fetch();\n',
      'server/api/l-took.measure.test.ts': took,
      'server/api/l-took.ts': took,
      'server/api/l-bounded.test.ts': slept.replace('setTimeout(wake, 5)', 'process.once("exit", wake)'),
    },
  },
  'lint/style/noRestrictedImports': {
    refused: {
      'server/api/l-sleeper.test.ts': importingSleep,
      'e2e/l-sleeper.ts': importingSleep,
      'web/data/l-act.ts': importingAct,
    },
    allowed: {
      'web/data/mutation.ts': importingAct,
      'server/api/l-turn.test.ts': importingSleep.replace('setTimeout', 'setImmediate'),
      'server/api/l-sleeper.measure.test.ts': importingSleep,
      'server/api/l-sleeper.ts': importingSleep,
    },
  },
  'lint/style/noDefaultExport': {
    refused: { 'web/ui/l-default.ts': 'const value = 1;\nexport default value;\n' },
    allowed: { 'l-tool.config.ts': 'const value = 1;\nexport default value;\n' },
  },
  'lint/suspicious/noConsole': {
    refused: { 'server/api/l-console.ts': "console.log('x');\n" },
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
  'lint/complexity/noExcessiveLinesPerFunction': {
    refused: { 'web/ui/l-function.ts': functionOf(110), 'server/testing/l-function.ts': functionOf(110) },
    allowed: { 'web/ui/l-part.ts': functionOf(90), 'server/api/l-function.test.ts': functionOf(110) },
  },
  'lint/style/noExcessiveLinesPerFile': {
    refused: { 'server/api/l-file.ts': fileOf(360) },
    allowed: { 'server/api/l-part.ts': fileOf(340), 'server/api/l-file.test.ts': fileOf(360) },
  },
  'lint/style/useFilenamingConvention': {
    refused: { 'web/ui/LTitle.ts': 'export const value = 1;\n' },
    allowed: { 'server/firm/clients/l-name.routes.ts': 'export const value = 1;\n' },
  },
};

/** What the cases import: files of one line each, in the layer they are named after. */
const neighbours = [
  ...FLOORS.map((room) => `server/${room}/w-next.ts`),
  ...PARTS.map((part) => `web/${part}/w-next.ts`),
  'server/files/find.ts',
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
  'server/audit/record.ts',
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

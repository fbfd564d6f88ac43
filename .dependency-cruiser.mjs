// The walls: which folder may import which. `scripts/walls.test.ts` shows that each rule refuses something.

import { DOORS, FLOORS, PARTS } from './scripts/walls/rooms.ts';

const TEST = '[.]test[.]tsx?$';
const PACKAGE = (name) => `(^|/)node_modules/${name}/`;

/** Rooms in which queries stand beside what they are for, but for their routes and services. */
const WITH_QUERIES =
  '^server/(platform/(db|blobs|jobs|move)|people/(access|auth)|firm/names|audit|files|batches|mail|backup|system)/(?!.*[.](routes|service)[.]ts$)';

/** Code that may hold the database before a viewer is known. */
const HOLDERS = [
  '^server/(platform/(db|blobs|jobs|move)|people/(access|auth)|audit|files|batches|mail|backup|system)/(?!.*[.](routes|repo|service)[.]ts$)',
  '^server/(admin|coffer-jobs|context|maintenance|read|worker)[.]ts$',
  '^server/testing/',
  '^bench/',
  '^demo/',
  '^scripts/',
];

/** What stands between HTTP and the acts: `receive-*` takes bytes that a request brings, and the others send bytes. */
const TRANSLATING = [
  '^server/.+[.](routes|service)[.]ts$',
  '^server/.+/receive-[^/]+[.]ts$',
  '^server/(batches/open-file|files/list/export-files|firm/settings/firm-logo|system/metrics-route)[.]ts$',
];

const WEB_FLOWS = 'Web code flows app -> screens -> parts -> data -> ui -> lib.';

/** The files of a room, without those of rooms within it. */
function filesOf(room) {
  const within = FLOORS.filter((other) => other.startsWith(`${room}/`)).map((other) => other.slice(room.length + 1));
  return `^server/${room}/${within.length > 0 ? `(?!(${within.join('|')})/)` : ''}`;
}

const filesOfPart = (part) => `^web/${part}/`;

const inOrder = (names, pathOf) =>
  names.slice(0, -1).map((name, floor) => ({
    name: `${name}-uses-what-is-below`,
    comment: 'scripts/walls/rooms.ts has the order of rooms and parts. What runs back up makes one of two.',
    severity: 'error',
    from: { path: pathOf(name), pathNot: TEST },
    to: { path: names.slice(floor + 1).map(pathOf) },
  }));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...inOrder(FLOORS, filesOf),
    ...inOrder(PARTS, filesOfPart),
    {
      name: 'rooms-are-entered-by-their-doors',
      comment:
        'What other rooms may use of a room is named in scripts/walls/rooms.ts; the rest of it may change without them.',
      severity: 'error',
      from: { path: '^server/([^/]+)/', pathNot: [TEST, '^server/testing/'] },
      to: {
        path: `^server/(${Object.keys(DOORS).join('|')})/`,
        pathNot: ['^server/$1/', ...Object.entries(DOORS).map(([room, doors]) => `^server/${room}/${doors}[.]ts$`)],
      },
    },
    {
      name: 'server-files-lie-in-rooms',
      comment: 'A folder that scripts/walls/rooms.ts does not name has no place in the order of the rooms.',
      severity: 'error',
      from: { path: '^server/', pathNot: ['^server/[^/]+$', '^server/testing/', ...FLOORS.map(filesOf)] },
      to: {},
    },
    {
      name: 'contract-imports-zod-only',
      comment: 'Both sides read the contract, so it stands on nothing that only one side has.',
      severity: 'error',
      from: { path: '^contract/', pathNot: TEST },
      to: { pathNot: ['^contract/', PACKAGE('zod')] },
    },
    {
      name: 'web-never-meets-server',
      comment: 'The browser knows the server by its contract alone.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^server/' },
    },
    {
      name: 'server-never-meets-web',
      comment: 'The server knows the browser by the contract alone.',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^web/' },
    },
    {
      name: 'product-stands-without-its-tools',
      comment: 'Demo, benchmarks, browser tests and scripts use the product, never the other way round.',
      severity: 'error',
      from: { path: '^(contract|server|web)/' },
      to: { path: '^(demo|bench|e2e|scripts)/' },
    },
    {
      name: 'product-knows-no-tests',
      comment: 'What runs at the customer imports neither a test nor what tests are made with.',
      severity: 'error',
      from: { path: '^(contract|server|web|demo)/', pathNot: [TEST, '^server/testing/'] },
      to: { path: ['^server/testing/', TEST] },
    },
    {
      name: 'server-runs-without-dev-packages',
      comment: 'A server installed without development packages must start.',
      severity: 'error',
      from: { path: '^server/', pathNot: [TEST, '^server/testing/'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'sql-only-in-repos',
      comment: 'Queries live in repositories, and in rooms whose acts are made of them.',
      severity: 'error',
      from: {
        pathNot: [
          WITH_QUERIES,
          '^server/(coffer-jobs|context|maintenance)[.]ts$',
          '^server/.+[.]repo[.]ts$',
          '^server/testing/',
          '^bench/',
          '(^|/)node_modules/',
        ],
      },
      to: { path: PACKAGE('kysely') },
    },
    {
      name: 'drivers-only-in-db',
      comment: 'Nothing but server/platform/db knows which engine runs.',
      severity: 'error',
      from: { pathNot: ['^server/platform/db/', '^server/testing/', '^bench/', '(^|/)node_modules/'] },
      to: { path: [PACKAGE('pg'), PACKAGE('@electric-sql/pglite'), '^(node:)?sqlite$'] },
    },
    {
      name: 'job-engine-only-in-jobs',
      comment: 'Nothing but one file knows which engine delivers the jobs.',
      severity: 'error',
      from: { pathNot: ['^server/platform/jobs/pg-boss-delivery[.]ts$', '(^|/)node_modules/'] },
      to: { path: PACKAGE('pg-boss') },
    },
    {
      name: 'mail-leaves-by-one-room',
      comment: 'Nothing but server/mail knows how mails travel.',
      severity: 'error',
      from: { pathNot: ['^server/mail/', '^server/testing/', TEST, '(^|/)node_modules/'] },
      to: { path: [PACKAGE('nodemailer'), '^server/mail/(smtp|compose)[.]ts$'] },
    },
    {
      name: 'database-opens-where-scopes-are-made',
      comment: 'An opened database sees every row; a handler gets a scope of its viewer instead.',
      severity: 'error',
      from: { pathNot: HOLDERS },
      to: { path: '^server/platform/db/(connect|sqlite|postgres|migrations)[.]ts$' },
    },
    {
      name: 'database-handle-only-before-a-viewer',
      comment: 'What finds out who the viewer is works without one; features do not.',
      severity: 'error',
      from: { pathNot: HOLDERS },
      to: { path: '^server/platform/db/database[.]ts$' },
    },
    {
      name: 'moves-are-the-operators',
      comment: 'A move reads every row of every table, so that the operator alone begins one.',
      severity: 'error',
      from: { path: '^server/', pathNot: ['^server/(platform/move|backup|testing)/', '^server/admin[.]ts$', TEST] },
      to: { path: '^server/platform/move/' },
    },
    {
      name: 'moves-know-tables-and-bytes',
      comment: 'What a table or a blob means changes; a move must not have to change with it.',
      severity: 'error',
      from: { path: '^server/platform/move/', pathNot: TEST },
      to: { path: '^server/', pathNot: '^server/(platform/(move|db|blobs)/|config[.]ts$)' },
    },
    {
      name: 'backups-are-the-operators',
      comment: 'A backup reads every row of every table and a restore writes them, so that only a command begins one.',
      severity: 'error',
      from: { path: '^server/', pathNot: ['^server/(backup|testing)/', '^server/(admin|coffer-jobs)[.]ts$', TEST] },
      to: { path: '^server/backup/' },
    },
    {
      name: 'acts-know-no-http',
      comment:
        'Acts, queries and jobs do not know how their caller came in: routes translate, and what takes or sends bytes.',
      severity: 'error',
      from: {
        path: [
          '^server/(platform/(db|blobs|jobs|names)|people|firm|audit|mail|files|batches|requests|system|backup)/',
          '[.](acts|repo)[.]ts$',
        ],
        pathNot: [TEST, ...TRANSLATING],
      },
      to: { path: [PACKAGE('(fastify|@fastify)'), '^(node:)?https?$', '^server/(api|platform/http)/'] },
    },
    {
      name: 'routes-leave-acts-to-acts',
      comment: 'What is entered in the log is an act: a function of a principal, beside the repository.',
      severity: 'error',
      from: { path: '^server/.+[.](routes|service)[.]ts$' },
      to: { path: '^server/(audit/record|mail/(tell|kinds/.+)|people/access/(scope|versions|import-rows))[.]ts$' },
    },
    {
      name: 'blob-stores-only-in-blobs',
      comment: 'Nothing but server/platform/blobs knows where bytes lie.',
      severity: 'error',
      from: { pathNot: ['^server/platform/blobs/', '^server/testing/', TEST, '(^|/)node_modules/'] },
      to: { path: [PACKAGE('@aws-sdk'), '^server/platform/blobs/(disk-store|s3-store)[.]ts$'] },
    },
    {
      name: 'stores-know-bytes-alone',
      comment: 'What the bytes are, whose and how they are checked is known above the places where they lie.',
      severity: 'error',
      from: { path: '^server/platform/blobs/[^/]+-store[.]ts$', pathNot: '^server/platform/blobs/open-' },
      to: {
        path: [
          '^server/platform/(db|jobs|names)/',
          '^server/(people|audit|files|mail)/',
          '^server/platform/blobs/(content|measure|blob-rows|sweep)[.]ts$',
        ],
      },
    },
    {
      name: 'web-below-app',
      comment: WEB_FLOWS,
      severity: 'error',
      from: { path: '^web/(screens|parts|data|lib|ui)/' },
      to: { path: '^web/app/' },
    },
    {
      name: 'web-below-screens',
      comment: WEB_FLOWS,
      severity: 'error',
      from: { path: '^web/(parts|data|lib|ui)/' },
      to: { path: '^web/screens/' },
    },
    {
      name: 'web-below-parts',
      comment: WEB_FLOWS,
      severity: 'error',
      from: { path: '^web/(data|lib|ui)/' },
      to: { path: '^web/parts/' },
    },
    {
      name: 'web-below-data',
      comment: WEB_FLOWS,
      severity: 'error',
      from: { path: '^web/(lib|ui)/' },
      to: { path: '^web/data/' },
    },
    {
      name: 'web-below-ui',
      comment: WEB_FLOWS,
      severity: 'error',
      from: { path: '^web/lib/' },
      to: { path: '^web/ui/' },
    },
    {
      name: 'app-folders-stand-below-app',
      comment: 'The frame composes what a folder of web/app has; what several of them share is in a folder too.',
      severity: 'error',
      from: { path: '^web/app/[^/]+/' },
      to: { path: '^web/app/[^/]+$' },
    },
    {
      name: 'ui-speaks-no-nouns',
      comment: 'A ui piece may format, but does not call the server or know who is signed in.',
      severity: 'error',
      from: { path: '^web/ui/' },
      to: { path: ['^web/lib/(api|session|file-access)[.]tsx?$', '^contract/(api[.]ts$|endpoints/)'] },
    },
    {
      name: 'parts-lie-by-noun',
      comment:
        'What speaks no noun is in ui, lib or data, and what one screen uses is beside it. scripts/walls/rooms.ts names all parts.',
      severity: 'error',
      from: { path: '^web/parts/', pathNot: [TEST, ...PARTS.map(filesOfPart)] },
      to: {},
    },
    {
      name: 'screens-stay-apart',
      comment: 'What two screens use is a part.',
      severity: 'error',
      from: { path: '^web/screens/([^/]+)/' },
      to: { path: '^web/screens/', pathNot: '^web/screens/$1/' },
    },
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one thing, or three.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports and that imports nothing is dead, or an entry to be named here.',
      severity: 'error',
      from: { orphan: true, pathNot: ['[.]config[.]ts$', '[.]d[.]ts$', TEST, '^web/public/', '^scripts/run[.]mjs$'] },
      to: {},
    },
    {
      name: 'no-missing-imports',
      comment: 'Every import leads somewhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: '(^|/)node_modules/' },
    // Types are knowledge too: `import type` does not get over a wall.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.web.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};

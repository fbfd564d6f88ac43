// What is measured: the requests of each scenario, and the lists that must not become slower as files grow.
import type { LoadRequest } from 'autocannon';
import { formAround, MULTIPART, pdfBytes } from './bodies.ts';
import type { Load } from './load.ts';
import { type Firm, PASSWORD } from './seed.ts';

const CONNECTIONS = 10;
const UPLOAD_CONNECTIONS = 4;
const SMALL_UPLOAD_BYTES = 100 * 1024;

/** Tokens that both the application and its floor know, because they share the sessions. */
export interface Tokens {
  readonly admin: string;
  readonly cpa: string;
  readonly client: string;
}

export interface Scenario {
  readonly name: string;
  readonly title: string;
  /** The part of the floor's rate to reach; null where the figure is only printed. */
  readonly target: number | null;
  /** The same with files in plain (`--plain`), where that is another one. */
  readonly plainTarget?: number;
  /** Whether floor and application answer the same JSON, which is then compared before anything is measured. */
  readonly sameAnswer: boolean;
  load(firm: Firm, tokens: Tokens): Load;
}

function gets(token: string, paths: readonly string[], bytesMin: number): Load {
  const requests = paths.map((path): LoadRequest => ({ path, headers: { authorization: `Bearer ${token}` } }));
  return { requests, connections: CONNECTIONS, status: 200, bytesMin };
}

const read = { sameAnswer: true, target: 0.6 } as const;

export const scenarios: readonly Scenario[] = [
  {
    ...read,
    target: 1.3,
    name: 'scoped-list',
    title: 'list: client + type, 20 newest, CPA',
    load: ({ pairs }, { cpa }) =>
      gets(
        cpa,
        pairs.map(
          ({ clientId, reportTypeId }) => `/api/files?clientId=${clientId}&reportTypeId=${reportTypeId}&limit=20`,
        ),
        5_000,
      ),
  },
  {
    ...read,
    name: 'cpa-list',
    title: 'list: no filter, first 50, CPA',
    load: (_firm, { cpa }) => gets(cpa, ['/api/files?limit=50'], 10_000),
  },
  {
    ...read,
    name: 'admin-list',
    title: 'list: no filter, first 50, Admin',
    load: (_firm, { admin }) => gets(admin, ['/api/files?limit=50'], 10_000),
  },
  {
    ...read,
    name: 'one-client',
    title: 'one client, CPA',
    load: ({ cpaClientIds }, { cpa }) =>
      gets(
        cpa,
        cpaClientIds.map((id) => `/api/clients/${id}`),
        200,
      ),
  },
  {
    ...read,
    name: 'overview',
    title: 'overview, Admin',
    load: (_firm, { admin }) => gets(admin, ['/api/overview'], 3_000),
  },
  {
    name: 'sign-in',
    title: 'sign-in',
    target: null,
    sameAnswer: false,
    // Many people, because one who signs in ten times at once looks like somebody who guesses.
    load: ({ clientUsernames }) => ({
      requests: clientUsernames.map((username) => ({
        method: 'POST',
        path: '/api/auth/login',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password: PASSWORD }),
      })),
      connections: CONNECTIONS,
      status: 200,
      bytesMin: 300,
    }),
  },
  {
    name: 'download',
    title: 'download of 100 KB, CPA',
    target: 0.55,
    plainTarget: 0.7,
    sameAnswer: false,
    load: ({ downloads }, { cpa }) =>
      gets(
        cpa,
        downloads.map(({ id }) => `/api/files/${id}/download`),
        downloads[0]?.sizeBytes ?? 0,
      ),
  },
  {
    name: 'upload',
    title: 'upload of 100 KB, 4 at once, CPA',
    target: 0.8,
    sameAnswer: false,
    load: ({ pairs }, { cpa }) => {
      const [pair] = pairs;
      const { head, tail } = formAround({ fileType: 'report', ...pair });
      const body = Buffer.concat([head, pdfBytes(SMALL_UPLOAD_BYTES), tail]);
      const headers = { authorization: `Bearer ${cpa}`, 'content-type': MULTIPART };
      return {
        requests: [{ method: 'POST', path: '/api/files', headers, body }],
        connections: UPLOAD_CONNECTIONS,
        status: 201,
        bytesMin: 0,
      };
    },
  },
];

/** The load of the scenario `name`. */
export function scenarioLoad(name: string, firm: Firm, tokens: Tokens): Load {
  const scenario = scenarios.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`There is no scenario ${name}`);
  return scenario.load(firm, tokens);
}

export interface GrowthList {
  readonly title: string;
  readonly as: keyof Tokens;
  readonly path: string;
  /** Whether it may say "narrow the list" where there are many files. */
  readonly mayBeRefused?: true;
}

/** As the screens ask for them: every list of files names its kind. */
const REPORTS = '/api/files?fileType=report&limit=50';
const DOCUMENTS = '/api/files?fileType=company_document&limit=25';
const OF_TYPE = '/api/files?fileType=report&reportTypeId=3&limit=50';
const OF_TYPE_W2 = '/api/files?fileType=report&reportTypeId=6&limit=50';
const OF_CLIENT = '/api/files?fileType=report&clientId=1&limit=50';
const LOG = '/api/activity-logs?limit=50';
/** Neighbours in the order of their upload, and so of as many clients. */
const FIFTY = Array.from({ length: 50 }, (_, index) => 5_000 + index).join();

const BY = {
  name: '&sort=originalName',
  client: '&sort=clientName',
  type: '&sort=-reportTypeName',
  size: '&sort=-size',
};

/** Every list of the screens, for its growth. */
export const growthLists: readonly GrowthList[] = [
  { title: 'all files of a client and type', as: 'cpa', path: '/api/files?clientId=1&reportTypeId=3&limit=20' },
  { title: 'all files', as: 'cpa', path: '/api/files?limit=50' },
  { title: 'all files', as: 'admin', path: '/api/files?limit=50' },
  ...(['admin', 'cpa'] as const).flatMap((as): GrowthList[] => [
    { title: 'reports', as, path: REPORTS },
    { title: 'reports, oldest first', as, path: `${REPORTS}&sort=uploadedAt` },
    { title: 'reports by name', as, path: REPORTS + BY.name },
    { title: 'reports by client', as, path: REPORTS + BY.client },
    { title: 'reports by report type', as, path: REPORTS + BY.type },
    { title: 'reports, tenth page', as, path: `${REPORTS}&offset=450` },
    { title: 'reports of a type', as, path: OF_TYPE },
    { title: 'reports of a type by name', as, path: OF_TYPE + BY.name },
    { title: 'reports of a type by client', as, path: OF_TYPE + BY.client },
    { title: 'reports of a client', as, path: OF_CLIENT },
    { title: 'reports of a client by name', as, path: OF_CLIENT + BY.name },
    { title: 'reports of a client by type', as, path: OF_CLIENT + BY.type },
    { title: 'documents', as, path: DOCUMENTS },
    { title: 'documents by name', as, path: DOCUMENTS + BY.name },
    { title: 'documents by client', as, path: DOCUMENTS + BY.client },
    { title: 'documents by size', as, path: DOCUMENTS + BY.size },
    { title: 'activity', as, path: LOG },
    { title: 'activity, oldest first', as, path: `${LOG}&sort=timestamp` },
    { title: 'activity of a client', as, path: `${LOG}&clientId=1` },
    { title: 'clients', as, path: '/api/clients?limit=50' },
  ]),
  { title: 'all files by name', as: 'admin', path: `/api/files?limit=50${BY.name}` },
  { title: 'all files by size', as: 'admin', path: `/api/files?limit=50${BY.size}` },
  { title: 'all files by size', as: 'cpa', path: `/api/files?limit=50${BY.size}` },
  { title: 'all files', as: 'client', path: '/api/files?limit=50' },
  { title: 'reports', as: 'client', path: REPORTS },
  { title: 'reports by name', as: 'client', path: REPORTS + BY.name },
  { title: 'documents', as: 'client', path: DOCUMENTS },
  { title: 'activity', as: 'client', path: LOG },
  { title: 'downloads in the log', as: 'admin', path: `${LOG}&action=download` },
  { title: 'uploads in the log', as: 'admin', path: `${LOG}&action=upload` },
  { title: 'activity of a user', as: 'admin', path: `${LOG}&userId=1` },
  { title: 'users', as: 'admin', path: '/api/users?limit=50' },
  { title: 'report types', as: 'cpa', path: '/api/report-types' },
];

/** What the columns about opening cost, and the lists that they narrow; the plain lists beside them. */
export const openedLists: readonly GrowthList[] = (['admin', 'cpa'] as const).flatMap((as): GrowthList[] => [
  { title: 'reports', as, path: REPORTS },
  { title: 'reports not opened', as, path: `${REPORTS}&opened=false` },
  { title: 'reports not opened, by name', as, path: `${REPORTS}&opened=false${BY.name}` },
  { title: 'reports not opened, by client', as, path: `${REPORTS}&opened=false${BY.client}` },
  { title: 'reports of a type not opened', as, path: `${OF_TYPE}&opened=false` },
  { title: 'reports of a client not opened', as, path: `${OF_CLIENT}&opened=false` },
  { title: 'new documents', as, path: `${DOCUMENTS}&isNew=true` },
  { title: 'how many documents are new', as, path: '/api/files/news' },
  { title: 'who sees fifty reports', as, path: `/api/files/readers?ids=${FIFTY}` },
]);

const MONTH = '&startDate=2026-03-01&endDate=2026-03-31&timeZone=UTC';
const COMMON = '&q=w-2';
/** Part of the names of a few files at any size. */
const RARE = '&q=777';
/** Of every fifth client, and so all over the names of files. */
const SPREAD = '&q=bakery';
/** The pages of fifty rows that begin behind this many: the last one is the farthest that is paged to. */
const PAGES = { 'page 100': '&offset=4950', 'page 200': '&offset=9950' };

/** Lists narrowed by days or by words, which are counted up to 1,000 where no counter knows (`X-Total-More`), far pages, and what is due. */
export const narrowedLists: readonly GrowthList[] = [
  ...(['admin', 'cpa'] as const).flatMap((as): GrowthList[] => [
    { title: 'reports of a month', as, path: REPORTS + MONTH },
    { title: 'reports of a month by name', as, path: REPORTS + MONTH + BY.name },
    { title: 'reports of a month by client', as, path: REPORTS + MONTH + BY.client },
    { title: 'reports of a month by report type', as, path: REPORTS + MONTH + BY.type },
    { title: 'reports of a type and month', as, path: OF_TYPE + MONTH },
    { title: 'reports of a client and month', as, path: OF_CLIENT + MONTH },
    { title: 'documents of a month', as, path: DOCUMENTS + MONTH },
    { title: 'activity of a month', as, path: LOG + MONTH },
    { title: 'uploads of a month', as, path: `${LOG}&action=upload${MONTH}` },
    { title: 'activity of a client and month', as, path: `${LOG}&clientId=1${MONTH}` },
    { title: 'reports named "w-2"', as, path: REPORTS + COMMON },
    { title: 'reports named "w-2" by name, or refused', as, path: REPORTS + COMMON + BY.name, mayBeRefused: true },
    { title: 'reports of a type named "w-2" by name', as, path: OF_TYPE_W2 + COMMON + BY.name },
    { title: 'reports with "bakery" by name', as, path: REPORTS + SPREAD + BY.name },
    { title: 'reports named "w-2" by client', as, path: REPORTS + COMMON + BY.client },
    { title: 'reports of a client named "w-2"', as, path: OF_CLIENT + COMMON },
    { title: 'reports named "777"', as, path: REPORTS + RARE },
    { title: 'activity with "w-2"', as, path: LOG + COMMON },
    { title: 'activity with "777"', as, path: LOG + RARE },
    { title: 'reports of a month named "w-2"', as, path: REPORTS + MONTH + COMMON },
    { title: 'reports of a month named "777"', as, path: REPORTS + MONTH + RARE },
    { title: 'activity of a month with "w-2"', as, path: LOG + MONTH + COMMON },
    { title: 'activity of a month with "777"', as, path: LOG + MONTH + RARE },
    { title: 'documents named "document"', as, path: `${DOCUMENTS}&q=document` },
    { title: 'documents named "777"', as, path: DOCUMENTS + RARE },
    ...Object.entries(PAGES).flatMap(([page, offset]): GrowthList[] => [
      { title: `reports, ${page}`, as, path: REPORTS + offset },
      { title: `reports of a month, ${page}`, as, path: REPORTS + MONTH + offset },
      { title: `activity, ${page}`, as, path: LOG + offset },
    ]),
    { title: 'clients named "bakery"', as, path: '/api/clients?limit=50&q=bakery' },
    { title: 'clients with "001"', as, path: '/api/clients?limit=50&q=001' },
  ]),
  { title: 'users named "person"', as: 'admin', path: '/api/users?limit=50&q=person' },
  { title: 'users named "client-17"', as: 'admin', path: '/api/users?limit=50&q=client-17' },
  { title: 'files whose years are over', as: 'admin', path: '/api/retention?limit=50' },
  { title: 'files whose years are over, by client', as: 'admin', path: '/api/retention?limit=50&sort=client' },
  { title: 'files of a client whose years are over', as: 'admin', path: '/api/retention?limit=50&clientId=1' },
];

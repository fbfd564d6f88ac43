// What is measured: the requests of each scenario, and the lists whose pace must not fall as files grow.
import type { LoadRequest } from 'autocannon';
import { formAround, MULTIPART, pdfBytes, RAW } from './bodies.ts';
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
  /** The part of the floor's rate to reach; null where only the figure is told. */
  readonly target: number | null;
  /** Whether it is a list, whose p50 is compared between sizes. */
  readonly list: boolean;
  /** Whether floor and application answer the same JSON, which is then compared before anything is measured. */
  readonly sameAnswer: boolean;
  load(firm: Firm, tokens: Tokens, of: 'application' | 'floor'): Load;
}

function gets(token: string, paths: readonly string[], bytesMin: number): Load {
  const requests = paths.map((path): LoadRequest => ({ path, headers: { authorization: `Bearer ${token}` } }));
  return { requests, connections: CONNECTIONS, status: 200, bytesMin };
}

const read = { list: false, sameAnswer: true, target: 0.6 } as const;
const list = { list: true, sameAnswer: true, target: 0.6 } as const;

export const scenarios: readonly Scenario[] = [
  {
    ...list,
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
    ...list,
    name: 'cpa-list',
    title: 'list: no filter, first 50, CPA',
    load: (_firm, { cpa }) => gets(cpa, ['/api/files?limit=50'], 10_000),
  },
  {
    ...list,
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
    list: false,
    sameAnswer: false,
    // Many people, because one who signs in ten times at once is taken for somebody who guesses.
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
    target: 0.7,
    list: false,
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
    target: null,
    list: false,
    sameAnswer: false,
    load: ({ pairs }, { cpa }, of) => {
      const bytes = pdfBytes(SMALL_UPLOAD_BYTES);
      const [pair] = pairs;
      const { head, tail } = formAround({ fileType: 'report', ...pair });
      const body = of === 'floor' ? bytes : Buffer.concat([head, bytes, tail]);
      const headers = { authorization: `Bearer ${cpa}`, 'content-type': of === 'floor' ? RAW : MULTIPART };
      return {
        requests: [{ method: 'POST', path: '/api/files', headers, body }],
        connections: UPLOAD_CONNECTIONS,
        status: 201,
        bytesMin: 0,
      };
    },
  },
];

const MONTH = 'startDate=2026-03-01&endDate=2026-03-31&timeZone=UTC';

/** Every other list of the screens, for its growth alone. */
export const growthLists: readonly { title: string; as: keyof Tokens; path: string }[] = [
  { title: 'files by date, oldest first', as: 'cpa', path: '/api/files?sort=uploadedAt&limit=50' },
  { title: 'files by name', as: 'admin', path: '/api/files?sort=originalName&limit=50' },
  { title: 'files by name', as: 'cpa', path: '/api/files?sort=originalName&limit=50' },
  { title: 'files by client', as: 'admin', path: '/api/files?sort=clientName&limit=50' },
  { title: 'files by client', as: 'cpa', path: '/api/files?sort=clientName&limit=50' },
  { title: 'files by report type', as: 'admin', path: '/api/files?sort=reportTypeName&limit=50' },
  { title: 'files by report type', as: 'cpa', path: '/api/files?sort=reportTypeName&limit=50' },
  { title: 'files by size', as: 'admin', path: '/api/files?sort=-size&limit=50' },
  { title: 'files by size', as: 'cpa', path: '/api/files?sort=-size&limit=50' },
  { title: 'documents', as: 'cpa', path: '/api/files?fileType=company_document&limit=50' },
  { title: 'one report type', as: 'cpa', path: '/api/files?reportTypeId=3&limit=50' },
  { title: 'one report type', as: 'admin', path: '/api/files?reportTypeId=3&limit=50' },
  { title: 'one client', as: 'cpa', path: '/api/files?clientId=1&limit=50' },
  { title: 'one client by name', as: 'cpa', path: '/api/files?clientId=1&sort=originalName&limit=50' },
  { title: 'one month', as: 'admin', path: `/api/files?${MONTH}&limit=50` },
  { title: 'one month', as: 'cpa', path: `/api/files?${MONTH}&limit=50` },
  { title: 'name holds "w-2"', as: 'cpa', path: '/api/files?q=w-2&limit=50' },
  { title: 'tenth page', as: 'admin', path: '/api/files?limit=50&offset=450' },
  { title: 'tenth page', as: 'cpa', path: '/api/files?limit=50&offset=450' },
  { title: 'all files of a Client user', as: 'client', path: '/api/files?limit=50' },
  { title: 'activity', as: 'admin', path: '/api/activity-logs?limit=50' },
  { title: 'activity', as: 'cpa', path: '/api/activity-logs?limit=50' },
  { title: 'activity of a Client user', as: 'client', path: '/api/activity-logs?limit=50' },
  { title: 'downloads in the log', as: 'admin', path: '/api/activity-logs?action=download&limit=50' },
  { title: 'uploads in the log', as: 'admin', path: '/api/activity-logs?action=upload&limit=50' },
  { title: 'clients', as: 'admin', path: '/api/clients?limit=50' },
  { title: 'clients', as: 'cpa', path: '/api/clients' },
  { title: 'users', as: 'admin', path: '/api/users?limit=50' },
  { title: 'report types', as: 'cpa', path: '/api/report-types' },
];

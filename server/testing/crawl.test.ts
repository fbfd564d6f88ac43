// An outsider requests everything there is, and finds nothing of another client.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type Endpoint, type EndpointName } from '#contract/api.ts';
import type { DatabaseKind } from '../platform/db/database.ts';
import { breadth } from './breadth.ts';
import { CANARY, type Firm, type ViewerName } from './firm.ts';
import type { Caller, TestApp } from './test-app.ts';
import { DATABASE_KINDS } from './test-database.ts';
import { startTestFirm } from './test-firm.ts';

/** More than this firm has of anything, so that every existing id is tried. */
const LAST_ID = breadth(25, 60);
const ids = Array.from({ length: LAST_ID }, (_, index) => index + 1);
const lowIds = ids.slice(0, 20);

const readable = (Object.keys(api) as EndpointName[]).filter((name) => api[name].method === 'GET');

/** Filters, searches, orders and pages, each as a viewer might try to widen a list with. */
const ALL_QUESTIONS: readonly string[] = [
  '',
  ...lowIds.map((id) => `clientId=${id}`),
  ...lowIds.map((id) => `userId=${id}`),
  ...lowIds.map((id) => `fileId=${id}`),
  ...[1, 2, 3, 4].map((id) => `reportTypeId=${id}`),
  ...[1, 2, 3, 4].map((id) => `clientId=2&reportTypeId=${id}`),
  'clientId=2&fileType=report',
  'clientId=2&fileType=company_document',
  'clientId=2&documentType=Correspondence',
  'clientId=2&startDate=2000-01-01&endDate=2199-12-31&timeZone=America/New_York',
  'clientId=2&q=f2',
  'clientId=2&sort=size&limit=1',
  `clientId=2&action=upload&q=${CANARY}`,
  'clientId=1&clientId=2',
  'clientId[]=2',
  'clientId[$ne]=1',
  'clientId=1%20OR%201=1',
  'clientId=1,2',
  'clientId=',
  'fileType=report',
  'fileType=company_document',
  ...[CANARY, CANARY.toLowerCase(), 'Acme', '%', '_', "' or 1=1 --", 'f2', 'clientB'].map(
    (q) => `q=${encodeURIComponent(q)}`,
  ),
  ...['upload', 'download', 'view', 'delete', 'update'].map((action) => `action=${action}`),
  ...['name', 'email', 'phone', 'federalId', 'employeeCount', 'startDate'].flatMap((key) => [
    `sort=${key}`,
    `sort=-${key}`,
  ]),
  ...['uploadedAt', 'originalName', 'clientName', 'reportTypeName', 'size'].flatMap((key) => [
    `sort=${key}`,
    `sort=-${key}`,
  ]),
  ...['fullName', 'username', 'roleName', 'timestamp'].flatMap((key) => [`sort=${key}`, `sort=-${key}`]),
  'sort=-uploadedAt&limit=1000&offset=0',
  'limit=1&offset=1',
  'limit=1000',
  'offset=3',
  'startDate=2000-01-01',
  'endDate=2199-12-31',
  'view=true',
  'reach=all',
  'userId=1&clientId=2',
];

/** A part at each run; one that is answered is among them. */
const QUESTIONS = breadth(
  ALL_QUESTIONS.filter((question, nth) => nth % 3 === 0 || question === 'q=f2'),
  ALL_QUESTIONS,
);

interface Visit {
  readonly address: string;
  readonly status: number;
  readonly leaked: boolean;
}

async function visit(
  by: Caller,
  method: 'GET' | 'HEAD' | 'POST',
  address: string,
  init: RequestInit = {},
): Promise<Visit> {
  const response = await by.fetch(address, { ...init, method });
  const said = JSON.stringify([...response.headers]) + (await response.text());
  return { address: `${method} ${address}`, status: response.status, leaked: said.includes(CANARY) };
}

/** Every address the contract lets one read: each id where the path takes one, each query where there is a list. */
function addresses(): { name: EndpointName; address: string }[] {
  return readable.flatMap((name) => {
    const { path, query }: Endpoint = api[name];
    if (path.includes('{id}')) return ids.map((id) => ({ name, address: path.replace('{id}', String(id)) }));
    // What knows no filter refuses them all, so a few do.
    const questions = query?.safeParse({ q: 'a' }).success ? QUESTIONS : ['', 'clientId=2', `q=${CANARY}`, 'userId=1'];
    return questions.map((question) => ({ name, address: question === '' ? path : `${path}?${question}` }));
  });
}

async function crawl(by: Caller): Promise<Visit[]> {
  const visits: Visit[] = [];
  for (const { name, address } of addresses()) {
    visits.push(await visit(by, 'GET', address));
    if (api[name].answer === 'bytes') {
      visits.push(await visit(by, 'HEAD', address));
      visits.push(await visit(by, 'GET', address, { headers: { range: 'bytes=0-3' } }));
      visits.push(await visit(by, 'GET', `${address}?view=true&token=${by.token}`, { headers: { authorization: '' } }));
    }
  }
  for (const id of ids) {
    visits.push(await visit(by, 'POST', `/api/files/${id}/view-ticket`));
    const body = JSON.stringify({ action: 'view', fileId: id, clientId: 1 });
    visits.push(
      await visit(by, 'POST', '/api/activity-logs', { body, headers: { 'content-type': 'application/json' } }),
    );
  }
  return visits;
}

const CRAWL_TIMEOUT_MS = 300_000;
/** One crawls on one engine, and both on both in `npm run test:full`. */
const OUTSIDERS: Record<DatabaseKind, readonly ViewerName[]> = {
  sqlite: breadth(['clientA'], ['clientA', 'bookkeeper']),
  postgres: breadth([], ['clientA', 'bookkeeper']),
};

describe.each(DATABASE_KINDS)('an outsider’s crawl on %s', { timeout: CRAWL_TIMEOUT_MS }, (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
    // The other client is in use: it reads, and somebody works for it.
    const { f2 } = firm.files;
    await firm.viewers.clientB.fetch(`/api/files/${f2.id}/view`).then((response) => response.text());
    await firm.viewers.clientB.post('/api/activity-logs', { action: 'download', fileId: f2.id });
    await firm.viewers.clientB.upload({
      name: `${CANARY} letter.txt`,
      bytes: `${CANARY} asks for an extension`,
      fields: { clientId: firm.clients[1], fileType: 'company_document', documentType: 'Correspondence' },
    });
  });
  afterAll(() => app.close());

  it.each(OUTSIDERS[kind])('B14: as %s finds no trace of the other client', async (viewer) => {
    const visits = await crawl(firm.viewers[viewer]);
    expect(visits.filter(({ leaked }) => leaked)).toEqual([]);
    expect(visits.filter(({ status }) => status >= 500)).toEqual([]);
    // The crawl got in, and was not merely turned away everywhere.
    const opened = new Set(visits.filter(({ status }) => status === 200).map(({ address }) => address));
    expect(opened).toContain('GET /api/files?q=f2');
    expect(opened).toContain(`GET /api/users/${firm.users[viewer]}/client-access`);
    expect(opened).toContain(`GET /api/files/${firm.files.f1.id}/view`);
  });

  it('B14: would find it: the Admin meets the other client at every kind of address', async () => {
    const { f2 } = firm.files;
    const leaking = [
      '/api/clients',
      '/api/clients/2',
      `/api/permissions/users/${firm.users.clientB}`,
      '/api/files?clientId=2',
      `/api/files/${f2.id}`,
      `/api/files/${f2.id}/download`,
      `/api/files/${f2.id}/view`,
      '/api/activity-logs',
      '/api/overview',
    ];
    expect(firm.clients[1]).toBe(2);
    for (const address of leaking)
      expect(await visit(app.admin, 'GET', address)).toMatchObject({ address: `GET ${address}`, leaked: true });
    expect(await visit(app.admin, 'HEAD', `/api/files/${f2.id}`)).toMatchObject({ leaked: true });
    expect(Math.max(f2.id, ...Object.values(firm.users))).toBeLessThan(lowIds.length);
  });

  it('answers what is out of reach and what does not exist the same', async () => {
    const { f2, f3, f5 } = firm.files;
    const outOfReach = [
      ['/api/clients/{id}', firm.clients[1]],
      ['/api/users/{id}/client-access', firm.users.clientB],
      ['/api/users/{id}/report-access', firm.users.clientB],
      ['/api/permissions/users/{id}', firm.users.clientB],
      ...[f2, f3, f5].flatMap(({ id }) =>
        ['/api/files/{id}', '/api/files/{id}?view=true', '/api/files/{id}/download', '/api/files/{id}/view'].map(
          (path) => [path, id] as const,
        ),
      ),
    ] as const;
    const answerTo = async (method: string, address: string) => {
      const { status, headers, body } = await firm.viewers.clientA.send(method, address);
      const steady = [...headers].filter(([name]) => name !== 'date');
      return { status, headers: steady, body: body === undefined ? undefined : { ...Object(body), requestId: '' } };
    };
    for (const [path, id] of outOfReach) {
      for (const method of ['GET', 'HEAD']) {
        const there = await answerTo(method, path.replace('{id}', String(id)));
        const missing = await answerTo(method, path.replace('{id}', '999999'));
        expect({ path, method, ...there }).toEqual({ path, method, ...missing });
        expect(there.status).toBe(404);
      }
    }
    for (const { id } of [f2, f3, f5]) {
      const there = await answerTo('DELETE', `/api/files/${id}`);
      expect(there).toEqual(await answerTo('DELETE', '/api/files/999999'));
      expect((await app.admin.get(`/api/files/${id}`)).status).toBe(200);
    }
  });
});

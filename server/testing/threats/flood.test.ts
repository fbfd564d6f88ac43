// Requests that cost more than they may: too many bytes, keys, entries or spellings (rows G2 and G3 of docs/trust.md).
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { api, type EndpointName } from '#contract/api.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { isPublic } from '#contract/policy.ts';
import { breadth } from '../breadth.ts';
import { endpointOf, endpointNames as names } from '../contract/endpoints.ts';
import { eventually } from '../eventually.ts';
import { type Firm, PASSWORD } from '../firm.ts';
import { type Caller, startTestApp, type TestApp } from '../test-app.ts';
import { ANY_DATABASE_KIND } from '../test-database.ts';
import { startTestFirm } from '../test-firm.ts';
import { answerOn, countArrivals, dial, requestHead, type WireAnswer } from './wire.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const JSON_TYPE = { 'content-type': 'application/json' };
const REFUSED = [400, 401, 404, 413];
// Whom an Admin is no one of answers what a client is asked for: an Admin is refused before the body is looked at.
const withBody = names.filter(
  (name) => endpointOf(name).body !== undefined && endpointOf(name).action !== 'requests.answer',
);
/** Those that read JSON and ask for none; an upload reads no JSON. */
const withoutBody = names.filter((name) => {
  const { method, body, upload } = endpointOf(name);
  return method !== 'GET' && body === undefined && upload === undefined;
});

/** `{"k0":1,"k1":1,…}` of nearly `bytes`. */
function manyKeys(bytes: number): string {
  const pairs: string[] = [];
  for (let length = 2, nth = 0; length < bytes - 20; nth += 1) {
    const pair = `"k${nth}":1`;
    pairs.push(pair);
    length += pair.length + 1;
  }
  return `{${pairs.join()}}`;
}

const manyEntries = (key: string, entry: string, bytes: number) =>
  `{"${key}":[${Array.from({ length: Math.floor((bytes - 20) / (entry.length + 1)) }, () => entry).join()}]}`;

/** The greatest id there can be: sixteen digits. */
const LARGEST_ID = Number.MAX_SAFE_INTEGER;
const largestIds = (count: number) => Array.from({ length: count }, (_, nth) => LARGEST_ID - nth);

/** Each letter as JSON may write it at its longest. */
const escaped = (text: string) =>
  [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

describe.each(ANY_DATABASE_KIND)('a flood on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  const callerOf = (name: EndpointName) => (isPublic(api[name].action) ? app.anonymous : app.admin);
  const pathOf = (name: EndpointName) => api[name].path.replace('{id}', String(firm.users.clientA));

  async function sendText(by: Caller, method: string, path: string, body: string) {
    const response = await by.fetch(path, { method, headers: JSON_TYPE, body });
    const text = await response.text();
    return { status: response.status, bytes: Buffer.byteLength(text), body: text === '' ? null : JSON.parse(text) };
  }

  /** Refused, briefly, and without a list of everything that was wrong. */
  async function refusedBriefly(name: EndpointName, what: string, body: string): Promise<void> {
    const answer = await sendText(callerOf(name), api[name].method, pathOf(name), body);
    const { fields = {}, message } = answer.body as ErrorBody;
    expect([name, what, REFUSED.includes(answer.status)]).toEqual([name, what, true]);
    expect([name, what, answer.bytes < 8 * KIB]).toEqual([name, what, true]);
    expect(Object.keys(fields).length).toBeLessThanOrEqual(20);
    expect(message.length).toBeLessThan(4 * KIB);
  }

  /** A megabyte takes each as long as seventy short ones, and goes the same way. */
  const sizesFor = breadth(
    (name: EndpointName) => (withBody.indexOf(name) % 8 === 0 ? [15 * KIB, MIB] : [15 * KIB]),
    () => [15 * KIB, MIB],
  );

  it.each(withBody)(
    'G2: %s answers briefly to many keys, many entries and a long key, however large the body',
    async (name) => {
      for (const bytes of sizesFor(name)) {
        await refusedBriefly(name, `keys in ${bytes}`, manyKeys(bytes));
        await refusedBriefly(name, `long key in ${bytes}`, `{"${'k'.repeat(bytes - 20)}":1}`);
        await refusedBriefly(name, `long text in ${bytes}`, `{"name":"${'n'.repeat(bytes - 20)}"}`);
        for (const list of ['ids', 'clientIds', 'capabilities']) {
          await refusedBriefly(name, `entries of ${list} in ${bytes}`, manyEntries(list, '""', bytes));
        }
        await refusedBriefly(name, `nested keys in ${bytes}`, `{"factor":${manyKeys(bytes - 20)}}`);
      }
    },
  );

  it.each(withBody)('G2: %s accepts no more than its own fields can need', async (name) => {
    // Lists are sent whole, so their endpoints say how much that is.
    const most = Math.max(MIB, (endpointOf(name).bodyBytesMax ?? 0) + 1);
    const answer = await sendText(callerOf(name), api[name].method, pathOf(name), `{}${' '.repeat(most - 2)}`);
    expect([answer.status, (answer.body as ErrorBody).code]).toEqual([413, 'too_large']);
  });

  it('G2: calls without a sign-in accept a few kilobytes, far below what would delay others', async () => {
    const { status } = await sendText(app.anonymous, 'POST', '/api/auth/login', manyKeys(20 * KIB));
    expect(status).toBe(413);
    const answer = await sendText(app.anonymous, 'POST', '/api/auth/login', manyKeys(12 * KIB));
    expect([answer.status, answer.body.fields]).toEqual([400, { body: expect.any(String) }]);
  });

  it.each(withoutBody)('G2: %s, which asks for no body, accepts only a few bytes', async (name) => {
    const by = await app.login('admin2', PASSWORD);
    const answer = await sendText(by, api[name].method, pathOf(name), `{}${' '.repeat(8 * KIB)}`);
    expect([answer.status, (answer.body as ErrorBody | null)?.code]).toEqual([413, 'too_large']);
  });

  it('G2: ten thousand wrong ids, twice, are reported by the first few', async () => {
    const wrong = Array.from({ length: 10_000 }, () => 'x');
    const user = { username: 'lists', password: PASSWORD, fullName: 'Lists', roleId: firm.roles.client };
    for (const [method, path] of [
      ['POST', '/api/users'],
      ['PUT', `/api/users/${firm.users.clientA}`],
    ] as const) {
      const body = JSON.stringify({ ...user, clientIds: wrong, reportTypeIds: wrong });
      const answer = await sendText(app.admin, method, path, body);
      expect(answer.status).toBe(400);
      expect(answer.bytes).toBeLessThan(8 * KIB);
      const { fields = {}, message } = answer.body as ErrorBody;
      expect(Object.keys(fields)).toHaveLength(20);
      expect(fields).toMatchObject({ 'clientIds.0': 'Must be a whole number' });
      expect(message).toBe('Must be a whole number');
    }
  });

  it('G2: a query of thousands of keys is refused without a list of them', async () => {
    for (const name of names.filter((one) => endpointOf(one).query !== undefined)) {
      const query = Array.from({ length: 2_500 }, (_, nth) => `k${nth}`).join('&');
      const response = await callerOf(name).fetch(`${pathOf(name)}?${query}`);
      const text = await response.text();
      expect([name, response.status, text.length < 8 * KIB]).toEqual([name, 400, true]);
      expect(Object.keys((JSON.parse(text) as ErrorBody).fields ?? {}).length).toBeLessThanOrEqual(20);
    }
  });

  it('G2: the longest body that its fields allow is still taken, in the longest way to write it', async () => {
    const ids = largestIds(10_000);
    const user = { username: 'u'.repeat(64), password: PASSWORD, fullName: 'f'.repeat(200), roleId: firm.roles.client };
    const lists = JSON.stringify({ ...user, clientIds: ids, reportTypeIds: ids }, null, 2);
    const named = await sendText(app.admin, 'POST', '/api/users', lists);
    expect([named.status, (named.body as ErrorBody).message]).toEqual([400, expect.stringMatching(/no longer exist/)]);

    const archive = JSON.stringify({ ids: largestIds(1_000) }, null, 2);
    expect((await sendText(app.admin, 'POST', '/api/files/archive', archive)).status).toBe(404);

    const login = `{"username":"${escaped('clientA')}","password":"${escaped(PASSWORD)}"}`;
    expect((await sendText(app.anonymous, 'POST', '/api/auth/login', login)).status).toBe(200);
    const longest = `{"username":"${escaped('x'.repeat(200))}","password":"${escaped('y'.repeat(256))}"}`;
    expect((await sendText(app.anonymous, 'POST', '/api/auth/login', longest)).status).toBe(401);

    const client = {
      name: 'n'.repeat(200),
      address: 'a'.repeat(500),
      phone: '(207)-555-0142',
      federalId: '00-1234567',
      stateId: 's'.repeat(64),
      email: 'office@example.com',
      employeeCount: 12,
      startDate: '2024-02-29',
    };
    const written = Object.entries(client).map(
      ([key, value]) => `"${escaped(key)}":${typeof value === 'string' ? `"${escaped(value)}"` : value}`,
    );
    expect((await sendText(app.admin, 'POST', '/api/clients', `{${written.join()}}`)).status).toBe(201);
  });

  it('G2: a body sent to an unknown address is not even parsed', async () => {
    for (const [method, path] of [
      ['POST', '/nowhere'],
      ['PUT', '/api/auth/login'],
      ['DELETE', '/api/nowhere'],
    ] as const) {
      const { status } = await sendText(app.anonymous, method, path, '{"broken":');
      expect([method, path, status]).toEqual([method, path, 404]);
    }
  });

  it('G3: a zone in hundreds of spellings is one zone, for lists and for exports', async () => {
    const spelled = (nth: number) =>
      [...'America/New_York']
        .map((letter, at) => ((nth >> (at % 20)) & 1 ? letter.toUpperCase() : letter.toLowerCase()))
        .join('');
    const ask = async (path: string, zone: string) => {
      const query = new URLSearchParams({ startDate: '2026-03-08', timeZone: zone });
      return [path, (await firm.viewers.clientA.get(`${path}?${query}`)).status];
    };
    const makes = vi.spyOn(Intl, 'DateTimeFormat');
    try {
      for (const path of ['/api/files', '/api/activity-logs', '/api/files/export', '/api/activity-logs/export']) {
        for (let nth = 1; nth <= 40; nth += 1) expect(await ask(path, spelled(nth))).toEqual([path, 200]);
      }
      // One that tells its name, one for days and one for exports.
      expect(makes.mock.calls.length).toBeLessThanOrEqual(3);
    } finally {
      makes.mockRestore();
    }
  });
});

describe('a long body that nobody reads', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp('sqlite');
  });
  afterAll(() => app.close());

  const BYTES = breadth(5, 20) * MIB;

  /** Sends the body as fast as it is taken, and answers the status that came back. */
  async function pour(method: string, path: string, type: string): Promise<number | undefined> {
    const socket = dial(app.origin);
    const answer = answerOn(socket).catch((): WireAnswer | null => null);
    socket.write(requestHead(method, path, { 'content-type': type, 'content-length': String(BYTES) }));
    const piece = Buffer.alloc(64 * KIB, ' ');
    for (let sent = 0; sent < BYTES && !socket.destroyed; sent += piece.length) {
      if (socket.write(piece)) continue;
      await new Promise<void>((resolve) => {
        socket.once('drain', resolve);
        socket.once('close', () => resolve());
      });
    }
    const answered = await answer;
    socket.destroy();
    return answered?.status;
  }

  it('G2: is not read, wherever it is sent', async () => {
    const cases: readonly [method: string, path: string, type: string, status: number][] = [
      ['GET', '/healthz', 'application/json', 200],
      ['GET', '/healthz', 'multipart/form-data; boundary=x', 200],
      ['GET', '/nowhere.txt', 'application/json', 404],
      ['GET', '/api/files', 'application/json', 401],
      ['POST', '/nowhere', 'application/json', 404],
      ['POST', '/nowhere', 'text/plain', 404],
      ['DELETE', '/api/auth/login', 'application/json', 404],
      ['POST', '/api/auth/login', 'text/xml', 415],
      ['POST', '/api/auth/login', 'multipart/form-data; boundary=x', 415],
      ['POST', '/api/auth/login', 'application/json', 413],
      ['POST', '/api/users', 'application/json', 401],
    ];
    const arrivals = countArrivals(app);
    const answers = await Promise.all(
      cases.map(async ([method, path, type]) => [method, path, type, await pour(method, path, type)]),
    );
    expect(answers).toEqual(cases);
    await eventually(() => expect(arrivals.allClosed()).toBe(true));
    expect(arrivals.bytes()).toBeLessThan(cases.length * MIB);
  }, 180_000);
});

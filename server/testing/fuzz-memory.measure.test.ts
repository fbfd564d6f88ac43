// Round after round of new odd requests to every endpoint: the memory they took must be freed.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { api, type Endpoint, type EndpointName } from '#contract/api.ts';
import { breadth } from './breadth.ts';
import { endpointNames as names } from './contract/endpoints.ts';
import { type Firm, makeFirm } from './firm.ts';
import { goodRequest, spelledZone } from './fuzz/requests.ts';
import { send } from './fuzz/send.ts';
import { type OddRequest, wireOf } from './fuzz/wire.ts';
import { median } from './measure.ts';
import { startTestApp, type TestApp } from './test-app.ts';
import { ANY_DATABASE_KIND } from './test-database.ts';

const LONG_TIMEOUT_MS = 600_000;
/** The first rounds fill what is bounded: statements, pages, compiled code. */
const WARM_UP_ROUNDS = 5;
const ROUNDS = breadth(3, 5);
/**
 * What the median round may add to the heap, as a share of it. Without a leak it is a third of this (compiled code, what V8 learns of
 * types); where one header of each request is kept as a key, more than twice.
 */
const HEAP_GROWTH_MAX = 0.001;
/**
 * The same for all memory, including what is outside V8's heap. Without a leak it is a tenth of this; a formatter kept for each spelling
 * of a zone added half as much again, a statement for each length of a list three times as much.
 */
const RESIDENT_GROWTH_MAX = 0.01;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface Memory {
  readonly heapBytes: number;
  readonly residentBytes: number;
}

/** What is held after everything that can be freed was freed: finalizers free memory outside the heap a turn later. */
async function heldMemory(): Promise<Memory> {
  for (let turn = 0; turn < 4; turn += 1) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapBytes: heapUsed + external, residentBytes: rss };
}

const NOBODYS_ID = '999999999';

const SIGN_OUTS: readonly EndpointName[] = ['session.logout', 'session.end-others'];

interface Asked {
  readonly name: EndpointName;
  readonly token: string | null;
  readonly request: OddRequest;
  /** The expected answer, if it is to get that far. */
  readonly status?: number;
}

const fieldsOf = (schema: z.ZodType | undefined): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

let heard = 0;
/** A different text each time, the same at each run, and so long that keeping them would show. */
function unheardOf(length: number): string {
  heard += 1;
  return `n${heard.toString(36)}-`.padEnd(length, 'x');
}

/** New values in every place that could be used as a key. */
function newToEveryEndpoint(firm: Firm, nth: number): Asked[] {
  const { admin2, clientA } = firm.viewers;
  return names.flatMap((name) => {
    const endpoint: Endpoint = api[name];
    const usual = goodRequest(name, { firm, ids: {} });
    // Everything is to be there in the next round too.
    const good = endpoint.method === 'DELETE' && usual.id !== '' ? { ...usual, id: NOBODYS_ID } : usual;
    const queries = fieldsOf(endpoint.query).map((field): [string, string] => [
      field,
      field === 'timeZone' ? spelledZone(nth) : field === 'q' ? unheardOf(200) : unheardOf(40),
    ]);
    const [field = 'x'] = fieldsOf(endpoint.body);
    const body = (): OddRequest['body'] =>
      endpoint.body === undefined
        ? { nothing: true }
        : { good: { [unheardOf(2_000)]: { json: nth }, [field]: { json: unheardOf(20_000) } } };
    const headers = () => ({
      'user-agent': unheardOf(1_000),
      cookie: `${unheardOf(1_000)}=${unheardOf(1_000)}`,
      range: `bytes=${nth}-${nth + 1}`,
      'if-range': `"${unheardOf(1_000)}"`,
      'idempotency-key': unheardOf(180),
      'accept-language': unheardOf(1_000),
    });
    const stranger = { name, token: unheardOf(1_000), request: { ...good, headers: headers() } };
    const odd: OddRequest[] = [
      { ...good, headers: headers(), body: body() },
      { ...good, body: body(), query: [[unheardOf(2_000), unheardOf(2_000)]] },
      ...(good.id === '' ? [] : [{ ...good, body: body(), id: unheardOf(190) }]),
      ...(endpoint.query === undefined ? [] : queries.map((query): OddRequest => ({ ...good, query: [query] }))),
    ];
    // Nobody must be signed out by this, or kept from signing in.
    if (SIGN_OUTS.includes(name)) return [stranger];
    return [
      stranger,
      ...odd.map((request) => ({ name, token: admin2.token, request })),
      { name, token: clientA.token, request: { ...good, headers: headers(), body: body() } },
    ];
  });
}

/** Lists of clients that are not there, each of another length. */
function longLists(firm: Firm, nth: number): Asked[] {
  const request = goodRequest('users.create', { firm, ids: {} });
  const list = (entries: number) => ({ entries, of: '1000#' });
  return [{ good: { clientIds: list(10_000 - nth) } }, { good: { reportTypeIds: list(10_000 - nth) } }].map((body) => ({
    name: 'users.create',
    token: firm.viewers.admin2.token,
    request: { ...request, body },
    status: 400,
  }));
}

const zoned = names.filter((name) => {
  const fields = fieldsOf((api[name] as Endpoint).query);
  return fields.includes('startDate') && fields.includes('timeZone');
});

/** Days in a zone in a new spelling, at one after another of the endpoints that take both. */
function spelledZones(firm: Firm, nth: number): Asked[] {
  const name = zoned[nth % zoned.length];
  if (name === undefined) throw new Error('No endpoint takes a time zone');
  const query = Object.entries({ startDate: '2026-03-08', endDate: '2026-11-01', timeZone: spelledZone(nth) });
  const request = { ...goodRequest(name, { firm, ids: {} }), query };
  return [{ name, token: firm.viewers.clientA.token, request, status: 200 }];
}

/** Over both engines: what the process keeps, it keeps from the first one. */
let asked = 0;

describe.each(ANY_DATABASE_KIND)('memory under odd requests on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    app = await startTestApp(kind);
    firm = await makeFirm(app);
  });
  afterAll(() => app.close());

  async function round(times: number, kinds: (firm: Firm, nth: number) => Asked[]): Promise<Memory> {
    for (let time = 0; time < times; time += 1) {
      asked += 1;
      for (const { name, token, request, status } of kinds(firm, asked)) {
        const reply = await send(app.origin, wireOf(name, { firm }, request, token));
        const isRight = status === undefined ? Number(reply?.status) < 500 : reply?.status === status;
        if (!isRight) throw new Error(`${name} was answered ${reply?.status}: ${reply?.body.toString().slice(0, 200)}`);
      }
    }
    (app.log as unknown[]).length = 0;
    return heldMemory();
  }

  it.each([
    { what: 'what is new to every endpoint', make: newToEveryEndpoint, times: 1 },
    { what: 'zones in every spelling', make: spelledZones, times: 250 },
    { what: 'long lists of every length', make: longLists, times: 5 },
  ])('G20: memory is freed after $what', { timeout: LONG_TIMEOUT_MS }, async ({ make, times }) => {
    for (let nth = 1; nth < WARM_UP_ROUNDS; nth += 1) await round(times, make);
    const held = [await round(times, make)];
    for (let nth = 0; nth < ROUNDS; nth += 1) held.push(await round(times, make));
    const growth = (of: keyof Memory) => median(held.slice(1).map((now, nth) => now[of] / (held[nth]?.[of] ?? 0) - 1));
    expect.soft([held, growth('heapBytes') < HEAP_GROWTH_MAX]).toEqual([held, true]);
    expect.soft([held, growth('residentBytes') < RESIDENT_GROWTH_MAX]).toEqual([held, true]);
  });
});

// Floods from strangers and from one person (rows H1 to H3, H7 and H8 of the threat model): what others wait for a list and a sign-in.
import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Server } from './children.ts';
import { type FloodTask, type Statuses, whileFlooded } from './flood-sender.ts';
import { median } from './load.ts';
import { countTitle, mark, ms, rate, say, sayTable } from './report.ts';
import { scenarioLoad } from './scenarios.ts';
import { PASSWORD, USERS } from './seed.ts';
import type { Settings } from './settings.ts';
import { loadSteadily } from './steady-load.ts';
import type { TestBed } from './test-bed.ts';

const LISTS_A_SECOND = 50;
const P99_MAX_MS = 250;
const SIGN_IN_EVERY_MS = 500;
/** What is left over from one flood must not count as the next one's wait. */
const SETTLE_MS = 3_000;
/** More than a hundred tries lock an address out. */
const TRIES_TO_LOCK_OUT = 101;
/** In no name, so that all of them are looked at. */
const SEARCH = '/api/files?limit=1000&q=77777';

const LOCKED_OUT = '127.4.0.1';
const FORTY = Array.from({ length: 40 }, (_, nth) => `127.4.1.${nth + 1}`);

type Flood = Omit<FloodTask, 'origin' | 'sends'> & {
  readonly title: string;
  readonly sends: 'sign-ins' | 'shortest' | 'searches';
};

const floods: readonly Flood[] = [
  {
    title: 'sign-ins from a locked-out address, 5 connections a second with 1,000 sent ahead',
    sends: 'sign-ins',
    addresses: [LOCKED_OUT],
    connections: 5,
    inBursts: { ahead: 1_000, sendAfterMs: 0, hangUpAfterMs: 1_000 },
  },
  {
    title: 'the same on 50 connections, one after the other',
    sends: 'sign-ins',
    addresses: [LOCKED_OUT],
    connections: 50,
    inBursts: null,
  },
  {
    title: 'searches of one person, 10 connections a second with 300 sent ahead, nothing read',
    sends: 'searches',
    addresses: ['127.0.0.1'],
    connections: 10,
    inBursts: { ahead: 300, sendAfterMs: 0, hangUpAfterMs: 400 },
  },
  {
    title: 'sign-ins with invented names, 40 connections a second with 1,000 sent ahead',
    sends: 'sign-ins',
    addresses: ['127.4.0.2'],
    connections: 40,
    inBursts: { ahead: 1_000, sendAfterMs: 0, hangUpAfterMs: 1_000 },
  },
  {
    title: 'the shortest requests, 200 connections a second, on all of them at once 2,500 sent ahead',
    sends: 'shortest',
    addresses: ['127.4.0.3'],
    connections: 200,
    inBursts: { ahead: 2_500, sendAfterMs: 500, hangUpAfterMs: 1_000 },
  },
  {
    title: 'sign-ins with invented names from 40 addresses with 3 connections each',
    sends: 'sign-ins',
    addresses: FORTY,
    connections: 120,
    inBursts: null,
  },
];

interface SignedIn {
  /** 0 where the connection broke. */
  readonly status: number;
  readonly tookMs: number;
}

function signIn({ origin }: Server, username: string, password: string, from: string): Promise<SignedIn> {
  const startedAt = performance.now();
  const done = (status: number) => ({ status, tookMs: performance.now() - startedAt });
  return new Promise((resolve) => {
    request(
      new URL('/api/auth/login', origin),
      { method: 'POST', localAddress: from, agent: false, headers: { 'content-type': 'application/json' } },
      (answer) =>
        void answer.resume().once('close', () => resolve(done(answer.complete ? (answer.statusCode ?? 0) : 0))),
    )
      .once('error', () => resolve(done(0)))
      .end(JSON.stringify({ username, password }));
  });
}

/** A person whom the network knows signs in twice a second; resolves to what became of it once it is stopped. */
function startSigningIn(server: Server): () => Promise<SignedIn[]> {
  const signedIn: Promise<SignedIn>[] = [];
  const timer = setInterval(() => signedIn.push(signIn(server, USERS.cpa, PASSWORD, '127.0.0.1')), SIGN_IN_EVERY_MS);
  return () => {
    clearInterval(timer);
    return Promise.all(signedIn);
  };
}

const tally = (answered: Statuses) =>
  Object.entries(answered)
    .map(([status, times]) => `${status} x ${times.toLocaleString('en-US')}`)
    .join(', ');

/** A client's lists, 50 a second, and a CPA's sign-ins, without and with each flood. */
export async function measureFloods({ firm, application, tokens }: TestBed, { steady }: Settings): Promise<void> {
  const { requests } = scenarioLoad('scoped-list', firm, tokens);
  for (let nth = 0; nth < TRIES_TO_LOCK_OUT; nth += 1) {
    await signIn(application, `nobody-at-all-${nth}`, 'not it', LOCKED_OUT);
  }
  const rows: string[][] = [];
  const measure = async (title: string, flooded: (work: () => Promise<void>) => Promise<string>) => {
    let row: string[] = [];
    const answered = await flooded(async () => {
      const stop = startSigningIn(application);
      const lists = await loadSteadily(application, requests, LISTS_A_SECOND, steady);
      const signIns = await stop();
      const refused = signIns.filter(({ status }) => status !== 200).length;
      row = [
        title,
        rate((lists.asked * 1000) / steady.durationMs),
        `${ms(lists.p50Ms)} / ${ms(lists.p99Ms)}`,
        ms(median(signIns.map(({ tookMs }) => tookMs))),
        `${refused} of ${signIns.length}`,
        `p99 < ${P99_MAX_MS} ms, none refused`,
        mark(lists.p99Ms < P99_MAX_MS && refused === 0),
      ];
    });
    rows.push([...row.slice(0, 5), answered, ...row.slice(5)]);
    say(`  measured: ${title}`);
    await setTimeout(SETTLE_MS);
  };
  await measure('nothing else', async (work) => {
    await work();
    return '';
  });
  for (const { title, sends, ...flood } of floods) {
    const sent = sends === 'searches' ? { path: SEARCH, token: tokens.admin } : sends;
    const task: FloodTask = { ...flood, origin: application.origin, sends: sent };
    await measure(title, async (work) => tally((await whileFlooded(task, work)).answered));
  }
  sayTable(
    `Lists of one person at ${LISTS_A_SECOND} a second and sign-ins of another over ${countTitle(firm.fileCount)} files, during floods; each list's wait counts from when it was due`,
    ['', 'req/s', 'list p50 / p99 ms', 'sign-in p50 ms', 'refused', 'answered to the flood', 'target', ''],
    rows,
  );
}

// Requests made to block everybody else: how long others wait for /healthz, what memory stays, who is refused.
import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { formAround, MULTIPART } from './bodies.ts';
import { ADMIN_PASSWORD, residentBytes, type Server, startApplication } from './children.ts';
import type { Engine } from './engines.ts';
import { type Watched, watchHealthDuring } from './health-watch.ts';
import { Broken, median } from './load.ts';
import { mark, megabytes, ms, say, sayTable } from './report.ts';
import type { Settings } from './settings.ts';

const KEYS = 120_000;
const WIDE_SIGN_INS_EVERY_MS = 500;
const IDS = 10_000;
const CHANGES_AT_ONCE = 40;
const PEOPLE = 20;
const SIGN_IN_EVERY_MS = 150;
const UPLOADS_AT_ONCE = 4;
const NAME_CHARACTERS = 180;
const PASSWORD = 'bench-password-1';
/** The longest wait allowed for anybody. */
const MAX_MS = 100;
/** What a run of refused requests may leave behind: buffers and pages that are reused, nothing that grows. */
const GROWTH_MAX_BYTES = 50 * 1000 * 1000;
const SETTLE_MS = 2_500;
/** An answer without a byte for this long is broken. */
const SILENT_MS = 30_000;

type Sizes = Settings['hostile'];

interface Answered {
  /** 0 where the connection broke. */
  readonly status: number;
  readonly body: string;
}

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly token?: string;
  readonly body?: string | Buffer;
  readonly type?: string;
  /** One of this machine's loopback addresses. */
  readonly from?: string;
}

/** Sends over a connection of its own. Keeps the first kilobytes of the answer and discards the rest. */
function send({ origin }: Server, { method, path, token, body, type, from }: Call): Promise<Answered> {
  return new Promise((resolve) => {
    const sending = request(
      new URL(path, origin),
      {
        method,
        agent: false,
        timeout: SILENT_MS,
        ...(from === undefined ? {} : { localAddress: from }),
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
        },
      },
      (answer) => {
        let kept = '';
        answer.on('data', (piece: Buffer) => {
          if (kept.length < 64_000) kept += piece.toString();
        });
        answer.once('error', () => {});
        answer.once('close', () => resolve({ status: answer.complete ? (answer.statusCode ?? 0) : 0, body: kept }));
      },
    );
    sending.once('timeout', () => sending.destroy());
    sending.once('error', () => resolve({ status: 0, body: '' }));
    sending.end(body);
  });
}

interface SmallFirm {
  readonly server: Server;
  readonly admin: string;
  /** May manage users, and does not reach the first Admin. */
  readonly manager: string;
  readonly people: readonly string[];
  readonly roleId: number;
  readonly fileIds: readonly number[];
}

async function make<Row>(server: Server, call: Call): Promise<Row> {
  const { status, body } = await send(server, call);
  if (status !== 200 && status !== 201) throw new Broken(`${call.method} ${call.path} was answered ${status}: ${body}`);
  return JSON.parse(body) as Row;
}

async function signIn(server: Server, username: string, password: string): Promise<string> {
  const body = JSON.stringify({ username, password });
  return (await make<{ token: string }>(server, { method: 'POST', path: '/api/auth/login', body })).token;
}

/** A server that has just started on a busy machine may still turn calls away. */
async function untilItServes(server: Server): Promise<void> {
  for (let tries = 0; (await send(server, { method: 'GET', path: '/healthz' })).status !== 200; tries += 1) {
    if (tries > 100) throw new Broken(`The server never served:\n${server.output()}`);
    await setTimeout(200);
  }
}

/** A small firm created by API calls alone, so that it is the same on every engine. */
async function createSmallFirm(server: Server, files: number): Promise<SmallFirm> {
  await untilItServes(server);
  const admin = await signIn(server, 'admin', ADMIN_PASSWORD);
  const post = (path: string, row: object) =>
    make<{ id: number }>(server, { method: 'POST', path, token: admin, body: JSON.stringify(row) });
  const client = await post('/api/clients', {
    name: 'Northfield Bakery LLC',
    address: '12 Harbor Street, Springfield',
    phone: '(555)-555-0142',
    federalId: '00-1234567',
    stateId: 'S001',
    email: 'office@example.com',
    employeeCount: 12,
    startDate: '2024-02-29',
  });
  const role = await post('/api/roles', { name: 'Office Manager' });
  const permissions = { roleId: role.id, capabilities: ['users.manage'] };
  await make(server, { method: 'PUT', path: '/api/permissions', token: admin, body: JSON.stringify(permissions) });
  const addUser = async (username: string) => {
    const user = { username, fullName: username, password: PASSWORD, roleId: role.id, clientIds: [client.id] };
    await post('/api/users', user);
    return username;
  };
  const people: string[] = [];
  for (let nth = 1; nth <= PEOPLE; nth += 1) people.push(await addUser(`person-${nth}`));
  const manager = await signIn(server, await addUser('manager'), PASSWORD);

  const { head, tail } = formAround({ fileType: 'report', clientId: client.id });
  const name = 'n'.repeat(NAME_CHARACTERS);
  const named = Buffer.from(head.toString().replace('Bench Report', name));
  const form = Buffer.concat([named, Buffer.from('%PDF-1.7\n'), tail]);
  const fileIds: number[] = [];
  while (fileIds.length < files) {
    const uploads = Array.from({ length: Math.min(UPLOADS_AT_ONCE, files - fileIds.length) }, () =>
      make<{ id: number }>(server, { method: 'POST', path: '/api/files', token: admin, body: form, type: MULTIPART }),
    );
    fileIds.push(...(await Promise.all(uploads)).map(({ id }) => id));
  }
  return { server, admin, manager, people, roleId: role.id, fileIds };
}

/** `{"000":0,"001":0,...}`: a mebibyte of unknown keys. */
function wideBody(): Buffer {
  const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_';
  const key = (nth: number) => [nth >> 12, (nth >> 6) & 63, nth & 63].map((at) => digits[at]).join('');
  return Buffer.from(`{${Array.from({ length: KEYS }, (_, nth) => `"${key(nth)}":0`).join(',')}}`);
}

/** Statuses with how often they came: 400 x 10, 413 x 2. */
function tally(answers: readonly Answered[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, times]) => `${status === 0 ? 'broken' : status} x ${times}`).join(', ');
}

/** What one round of an attack showed. */
interface Seen {
  readonly watched: Watched;
  readonly answers: string;
  readonly residentGrowthBytes: number | null;
  /** Of other people's sign-ins: how many were refused, of how many; null where nobody signed in. */
  readonly signIns: { readonly refused: number; readonly all: number } | null;
}

interface Outcome {
  readonly answers: readonly Answered[];
  readonly signIns?: Seen['signIns'];
}

interface HostileRequest {
  readonly title: string;
  /** Whether the memory that it leaves behind is judged. */
  readonly growth: boolean;
  run(firm: SmallFirm, sizes: Sizes): Promise<Outcome>;
}

/** Starts `times` calls, one every `everyMs` whatever became of the last. */
async function paced(times: number, everyMs: number, call: (nth: number) => Promise<Answered>): Promise<Answered[]> {
  const answers: Promise<Answered>[] = [];
  for (let nth = 0; nth < times; nth += 1) {
    answers.push(call(nth));
    await setTimeout(everyMs);
  }
  return Promise.all(answers);
}

/** Numbers that no earlier round used. */
let used = 0;

const hostileRequests: readonly HostileRequest[] = [
  {
    title: 'nothing else',
    growth: false,
    run: async (_firm, { wideSignIns }) => {
      await setTimeout(wideSignIns * WIDE_SIGN_INS_EVERY_MS);
      return { answers: [] };
    },
  },
  {
    title: `sign-ins with ${KEYS.toLocaleString('en-US')} unknown keys, two a second`,
    growth: false,
    run: async ({ server }, { wideSignIns }) => {
      const body = wideBody();
      const call = { method: 'POST', path: '/api/auth/login', body } as const;
      return { answers: await paced(wideSignIns, WIDE_SIGN_INS_EVERY_MS, () => send(server, call)) };
    },
  },
  {
    title: `refused users with ${IDS.toLocaleString('en-US')} clients, each list of another length`,
    growth: true,
    run: async ({ server, admin, roleId }, { longLists }) => {
      const answers: Answered[] = [];
      for (let nth = 0; nth < longLists; nth += 1) {
        used += 1;
        const clientIds = Array.from({ length: IDS - used }, (_, at) => 1_000_000 + at);
        const user = { username: `nobody-${used}`, fullName: 'Nobody', password: PASSWORD, roleId, clientIds };
        const body = JSON.stringify(user);
        answers.push(await send(server, { method: 'POST', path: '/api/users', token: admin, body }));
      }
      return { answers };
    },
  },
  {
    title: `refused password changes, ${CHANGES_AT_ONCE} at once, during other people's sign-ins`,
    growth: false,
    run: async ({ server, manager, people, roleId }, { signIns }) => {
      const change = { username: 'admin', fullName: 'Admin', password: 'another password', roleId };
      const call = { method: 'PUT', path: '/api/users/1', token: manager, body: JSON.stringify(change) } as const;
      let isOver = false;
      const answers: Answered[] = [];
      const keepSending = async () => {
        while (!isOver) answers.push(await send(server, call));
      };
      const sending = Array.from({ length: CHANGES_AT_ONCE }, keepSending);
      const signedIn = await paced(signIns, SIGN_IN_EVERY_MS, (nth) => {
        const body = JSON.stringify({ username: people[nth % people.length], password: PASSWORD });
        return send(server, { method: 'POST', path: '/api/auth/login', body, from: `127.2.0.${1 + (nth % 200)}` });
      });
      isOver = true;
      await Promise.all(sending);
      const wrong = signedIn.filter(({ status }) => ![200, 503, 0].includes(status));
      if (wrong.length > 0) throw new Broken(`People who signed in were answered ${tally(wrong)}`);
      const refused = signedIn.filter(({ status }) => status !== 200).length;
      return { answers, signIns: { refused, all: signedIn.length } };
    },
  },
  {
    title: 'archives of files that all have one long name',
    growth: false,
    run: async ({ server, admin, fileIds }, { archives }) => {
      const call = { method: 'POST', path: '/api/files/archive', token: admin } as const;
      const answers: Answered[] = [];
      for (let nth = 0; nth < archives; nth += 1) {
        answers.push(await send(server, { ...call, body: JSON.stringify({ ids: fileIds }) }));
      }
      return { answers };
    },
  },
];

/** One round of `attack`, while a watcher requests /healthz all the time. */
async function measureOnce(attack: HostileRequest, firm: SmallFirm, sizes: Sizes): Promise<Seen> {
  const before = residentBytes(firm.server.pid);
  const { watched, result } = await watchHealthDuring(firm.server.origin, () => attack.run(firm, sizes));
  const after = residentBytes(firm.server.pid);
  return {
    watched,
    answers: tally(result.answers),
    residentGrowthBytes: before === null || after === null ? null : after - before,
    signIns: result.signIns ?? null,
  };
}

/** The rows of one attack: the wait, and where they are judged the memory and the sign-ins. */
function attackRows({ title, growth }: HostileRequest, seen: readonly Seen[]): string[][] {
  const waits = seen.map(({ watched }) => watched.longestMs);
  const wait = median(waits);
  const refused = seen.reduce((sum, { watched }) => sum + watched.refused, 0);
  const answers = [...new Set(seen.map((round) => round.answers))].join('; ');
  const rows = [
    [
      title,
      `${ms(wait)} ms`,
      waits.map(ms).join(', '),
      refused === 0 ? answers : `${answers} (${refused} of /healthz refused)`,
      `<= ${MAX_MS} ms`,
      mark(wait <= MAX_MS && refused === 0),
    ],
  ];
  if (growth) {
    // All rounds together: what is bounded may fill in the first.
    const grown = seen.map(({ residentGrowthBytes }) => residentGrowthBytes ?? Number.NaN);
    const all = grown.reduce((sum, bytes) => sum + bytes, 0);
    const target = `<= ${megabytes(GROWTH_MAX_BYTES)}`;
    const each = grown.map((bytes) => megabytes(bytes)).join(', ');
    rows.push(['  growth of resident memory', megabytes(all), each, '', target, mark(all <= GROWTH_MAX_BYTES)]);
  }
  const signIns = seen.flatMap((round) => round.signIns ?? []);
  if (signIns.length > 0) {
    const turnedAway = signIns.reduce((sum, round) => sum + round.refused, 0);
    const all = signIns.reduce((sum, round) => sum + round.all, 0);
    const each = signIns.map((round) => round.refused).join(', ');
    rows.push([
      '  sign-ins turned away (503 or no answer)',
      `${turnedAway} of ${all}`,
      each,
      '',
      'none',
      mark(turnedAway === 0),
    ]);
  }
  return rows;
}

/** Each kind of hostile request on a small firm with the data folder `dataDir`: others' waits, and what is left behind. */
export async function measureHostileRequests(
  engine: Engine,
  dataDir: string,
  { hostile: sizes, nodeFlags }: Settings,
): Promise<void> {
  const databaseUrl = await engine.createDatabase(dataDir);
  const server = await startApplication(dataDir, nodeFlags, { DATABASE_URL: databaseUrl });
  try {
    const firm = await createSmallFirm(server, sizes.archivedFiles);
    const rows: string[][] = [];
    for (const attack of hostileRequests) {
      const seen: Seen[] = [];
      for (let round = 0; round < sizes.rounds; round += 1) {
        seen.push(await measureOnce(attack, firm, sizes));
        // Work left over from one round must not count as the next one's wait.
        await setTimeout(SETTLE_MS);
      }
      rows.push(...attackRows(attack, seen));
      say(`  measured: ${attack.title}`);
    }
    sayTable(
      `The longest wait for /healthz during hostile requests on ${engine.title} (median of ${sizes.rounds} rounds, and each)`,
      ['', 'longest', 'rounds', 'answers', 'target', ''],
      rows,
    );
  } finally {
    await server.stop();
  }
}

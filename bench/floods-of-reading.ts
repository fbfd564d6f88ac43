// Floods of what is read and listed (batches, scans, words of pages, the wrong-client guard), all at once: what everybody else waits.
import { setTimeout } from 'node:timers/promises';
import type { BatchState, DocumentState } from '#contract/batch-words.ts';
import type { InsideFound } from '#contract/inside.ts';
import { NO_PROPOSAL, type StoredProposal } from '#server/batches/document-rows.ts';
import { testPdf } from '#server/testing/test-pdf.ts';
import { addBatch, Caller, timeBatch, timeUntil } from './caller.ts';
import { loopProcessorMs, type Server, startApplication, watchMemory } from './children.ts';
import type { Engine } from './engines.ts';
import { Broken } from './load.ts';
import { whileReadingIsFlooded } from './reading-flooder.ts';
import { mark, megabytes, ms, percent, say, sayTable } from './report.ts';
import { scenarioLoad } from './scenarios.ts';
import { type Firm, PASSWORD, seed, USERS } from './seed.ts';
import type { SeedDatabase } from './seed-database.ts';
import type { Settings } from './settings.ts';
import { loadSteadily } from './steady-load.ts';
import { signIn } from './test-bed.ts';
import { sendWrongUploads, wrongUploadsRow } from './wrong-uploads.ts';

const FILES = 10_000;
/** So many of them are of one client, type and period, and so many documents of a batch would go there. */
const CROWDED = { files: 4_000, clientId: 2, reportTypeId: 1, period: '2026-03-31' } as const;
/** Client users of these clients: one floods words, one scans, and one floods nothing. */
const CLIENTS = { words: 3, scans: 4, other: 5 } as const;
const BATCHES = { review: 1, released: 2 } as const;
const CPAS = ['zips', 'scans', 'slow', 'other'] as const;
/** Each sends one document to the wrong client. */
const SENDERS = Array.from({ length: 8 }, (_, nth) => `sender-${nth + 1}`);

/** More than a person asks for: at 50 it would be one who floods too, and would wait behind themselves. */
const LISTS_A_SECOND = 10;
const ALONE_MS = 10_000;
const FLOODED_MS = 60_000;
const WARM_UP_MS = 2_000;
const PAUSE_MS = 2_000;
const GIVE_UP_MS = 60_000;
const FAULT_LENGTH_MAX = 300;

const TARGETS = { listP99Ms: 100, proposedMs: 20_000, foundMs: 30_000, residentBytes: 900e6 } as const;

/** Moves files to one place, and adds a batch of documents that would go there too and one of documents that became those files. */
async function seedCrowd(db: SeedDatabase): Promise<void> {
  const { files, clientId, reportTypeId, period } = CROWDED;
  await db.run(`update files set client_id = ${clientId}, report_type_id = ${reportTypeId}, access_key = ${reportTypeId},
    file_type = 'report', document_type = null, period = '${period}', period_key = '${period}' where id <= ${files}`);
  // They have no bytes that could be read.
  await db.run('delete from files_to_read');
  const now = Date.now();
  const states: readonly (readonly [number, BatchState, DocumentState])[] = [
    [BATCHES.review, 'review', 'ready'],
    [BATCHES.released, 'released', 'released'],
  ];
  const marks = [{ page: 1, x: 40, y: 64, width: 120, height: 10 }];
  const signal = { kind: 'legalName' as const, text: 'Northfield Dental 002 LLC', marks };
  const proposal: StoredProposal = {
    ...NO_PROPOSAL,
    clients: [clientId, 3, 4].map((id) => ({ clientId: id, signals: [signal] })),
    clientId,
    reportTypeId,
    heading: 'Payroll Summary',
    printedName: 'Northfield Dental 002',
  };
  const released = (state: DocumentState, nth: number) => (state === 'released' ? nth : null);
  for (const [id, state, documentState] of states) {
    await db.insert('batches (id, name, owner_id, owner_name, state, created_at)', [
      [id, 'Pay run', 1, 'Person 1', state, now],
    ]);
    const [bytes, key] = [`${id}`.repeat(64), `${id}`.repeat(32)];
    await db.insert(
      'batch_files (id, batch_id, name, content_type, size_bytes, sha256, storage_key, state, pages, created_at)',
      [[id, id, 'payrun.pdf', 'application/pdf', 100_000, bytes, key, 'read', files, now]],
    );
    await db.insert(
      'batch_documents (id, batch_id, batch_file_id, from_page, to_page, state, client_id, report_type_id, period, correction, proposal, released_file_id, version)',
      Array.from({ length: files }, (_, index) => {
        const nth = index + 1;
        const place = [clientId, reportTypeId, period];
        const file = released(documentState, nth);
        return [
          (id - 1) * files + nth,
          id,
          id,
          nth,
          nth,
          documentState,
          ...place,
          0,
          JSON.stringify(proposal),
          file,
          1,
        ];
      }),
    );
  }
}

/** Makes users with the role of a CPA, who reach a few clients and all report types; answers their tokens. */
async function addCpas<Name extends string>(
  server: Server,
  admin: Caller,
  names: readonly Name[],
): Promise<Record<Name, string>> {
  const roles = await admin.ask<{ id: number; systemKey: string | null }[]>('GET', '/api/roles');
  const types = await admin.ask<{ id: number }[]>('GET', '/api/report-types');
  const tokens: [Name, string][] = [];
  for (const name of names) {
    await admin.send('POST', '/api/users', {
      username: `flood-${name}`,
      password: PASSWORD,
      fullName: `Flood ${name}`,
      roleId: roles.find(({ systemKey }) => systemKey === 'cpa')?.id,
      clientIds: [1, 2],
      reportTypeIds: types.map(({ id }) => id),
    });
    tokens.push([name, await signIn(server, `flood-${name}`)]);
  }
  return Object.fromEntries(tokens) as Record<Name, string>;
}

interface Waited {
  readonly listP99Ms: number;
  /** Of each batch, and of each text. */
  readonly proposedMs: readonly number[];
  readonly foundMs: readonly number[];
}

interface Others {
  readonly server: Server;
  readonly firm: Firm;
  readonly cpaToken: string;
  readonly batches: Caller;
  readonly texts: Caller;
}

/** What is not done in time counts as never done. */
async function measured(work: Promise<number>): Promise<number> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    say(`  ${error.message.slice(0, FAULT_LENGTH_MAX)}`);
    return Number.POSITIVE_INFINITY;
  }
}

let nth = 0;

async function proposeOne(by: Caller): Promise<number> {
  nth += 1;
  const lines = [
    'Payroll Summary',
    'Northfield Bakery 001 LLC',
    'Federal ID: 00-0000001',
    `Pay date 11/13/2026 (${nth})`,
  ];
  const bytes = new Uint8Array(await testPdf([lines]));
  const startedAt = performance.now();
  const id = await addBatch(by, [{ name: `page ${nth}.pdf`, bytes }]);
  await by.send('POST', `/api/batches/${id}/read`);
  await timeBatch(by, id, ({ state }) => state === 'review', GIVE_UP_MS);
  return performance.now() - startedAt;
}

async function findOne(by: Caller): Promise<number> {
  nth += 1;
  const word = `sanderling${nth}x`;
  const bytes = new Uint8Array(Buffer.from(`A letter about the ${word}.`));
  const startedAt = performance.now();
  const fields = { clientId: `${CLIENTS.other}`, fileType: 'company_document', documentType: 'Correspondence' };
  await by.upload('/api/files', { name: `letter ${nth}.txt`, bytes }, fields);
  await timeUntil(
    async () => (await by.ask<InsideFound>('GET', `/api/files/inside?q=${word}`)).rows.length === 1,
    GIVE_UP_MS,
  );
  return performance.now() - startedAt;
}

/** One who lists, one who drops pages and one who sends texts, one after the other, each for `durationMs`. */
async function measureOthers({ server, firm, cpaToken, batches, texts }: Others, durationMs: number): Promise<Waited> {
  const until = performance.now() + WARM_UP_MS + durationMs;
  const again = async (work: () => Promise<number>) => {
    const took: number[] = [];
    while (performance.now() < until) {
      took.push(await measured(work()));
      await setTimeout(PAUSE_MS);
    }
    return took;
  };
  const { requests } = scenarioLoad('scoped-list', firm, { admin: '', client: '', cpa: cpaToken });
  const steady = { durationMs, warmUpMs: WARM_UP_MS };
  const [listP99Ms, proposedMs, foundMs] = await Promise.all([
    measured(loadSteadily(server, requests, LISTS_A_SECOND, steady).then(({ p99Ms }) => p99Ms)),
    again(() => proposeOne(batches)),
    again(() => findOne(texts)),
  ]);
  return { listP99Ms, proposedMs, foundMs };
}

/** How late the event loop was since this was asked before, at least 15 seconds ago, as the server's own metrics have it. */
async function loopDelays({ origin }: Server): Promise<string> {
  const text = await (await fetch(new URL('/metrics', origin))).text();
  const told = text.matchAll(/^coffer_event_loop_delay_seconds\{quantile="([^"]+)"\} (\S+)/gm);
  return [...told].map(([, quantile, late]) => `${quantile}: ${ms(Number(late) * 1000)} ms`).join(', ');
}

interface Loop {
  readonly delays: string;
  /** The part of a processor that it used; null where the system does not report it. */
  readonly busy: number | null;
}

/** What became of the event loop during `work`. */
async function watchLoop<Result>(
  server: Server,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly loop: Loop }> {
  await loopDelays(server);
  const [startedAt, before] = [performance.now(), loopProcessorMs(server.pid)];
  const result = await work();
  const [tookMs, after] = [performance.now() - startedAt, loopProcessorMs(server.pid)];
  const busy = before === null || after === null ? null : (after - before) / tookMs;
  return { result, loop: { delays: await loopDelays(server), busy } };
}

/** Floods at once, each by somebody of their own, on the application as it is without `SEARCH_INSIDE=off`. */
export async function measureReadingFloods(
  engine: Engine,
  dataDir: string,
  { nodeFlags, floods }: Settings,
): Promise<void> {
  const databaseUrl = await engine.createDatabase(dataDir);
  const firm = await seed({ databaseUrl, dataDir }, FILES, undefined, seedCrowd);
  const server = await startApplication(dataDir, nodeFlags, { DATABASE_URL: databaseUrl, SEARCH_INSIDE: 'on' });
  try {
    const tokenOf = (clientId: number) => signIn(server, `bench-client-${clientId}`);
    const lists = await signIn(server, USERS.admin);
    const admin = new Caller(server, lists);
    const cpas = await addCpas(server, admin, CPAS);
    const senders = Object.values(await addCpas(server, admin, SENDERS)).map((token) => new Caller(server, token));
    const others: Others = {
      server,
      firm,
      cpaToken: await signIn(server, USERS.cpa),
      batches: new Caller(server, cpas.other),
      texts: new Caller(server, await tokenOf(CLIENTS.other)),
    };
    const alone = await measureOthers(others, ALONE_MS);
    const watch = watchMemory(server.pid);
    const { zips, scans, slow } = cpas;
    const task = {
      origin: server.origin,
      floods,
      tokens: {
        zips,
        lists,
        scans,
        slow,
        clientScans: await tokenOf(CLIENTS.scans),
        words: await tokenOf(CLIENTS.words),
      },
      batches: BATCHES,
      slowPlace: { clientId: '1', reportTypeId: '1', fileType: 'report' },
      wordsClientId: CLIENTS.words,
      clientScansClientId: CLIENTS.scans,
    };
    const wrongOnes = () => setTimeout(WARM_UP_MS).then(() => sendWrongUploads(senders));
    const { result: seen, flooded } = await whileReadingIsFlooded(task, () =>
      watchLoop(server, () => Promise.all([measureOthers(others, FLOODED_MS), wrongOnes()])),
    );
    const { loop } = seen;
    const [during, judged] = seen.result;
    const resident = watch.stop();
    const row = (title: string, of: (waited: Waited) => number, target: number) => [
      title,
      `${ms(of(alone))} ms`,
      `${ms(of(during))} ms`,
      `< ${target} ms`,
      mark(of(during) < target),
    ];
    sayTable(
      `Others while ${floods.join(', ')} flood ${engine.title} at once for ${FLOODED_MS / 1000} s`,
      ['', 'alone', 'flooded', 'target', ''],
      [
        row(`list of files at ${LISTS_A_SECOND}/s, p99`, ({ listP99Ms }) => listP99Ms, TARGETS.listP99Ms),
        row(
          `a batch of one page until proposed, longest of ${during.proposedMs.length}`,
          ({ proposedMs }) => Math.max(...proposedMs),
          TARGETS.proposedMs,
        ),
        row(
          `a new text until found, longest of ${during.foundMs.length}`,
          ({ foundMs }) => Math.max(...foundMs),
          TARGETS.foundMs,
        ),
        wrongUploadsRow(judged),
        [
          'highest resident memory of the server',
          '',
          megabytes(resident),
          `< ${megabytes(TARGETS.residentBytes)}`,
          mark((resident ?? Number.NaN) < TARGETS.residentBytes),
        ],
      ],
    );
    say(
      `  the event loop was late by ${loop.delays}; it used ${loop.busy === null ? 'an unknown part' : percent(loop.busy)} of a processor`,
    );
    for (const [name, { done, refused, why }] of Object.entries(flooded)) {
      say(`  flood of ${name}: ${done} done, ${refused} refused${why === null ? '' : `, the first: ${why}`}`);
    }
  } finally {
    await server.stop();
  }
}

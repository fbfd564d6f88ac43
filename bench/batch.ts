// A print file of 300 pages for 100 companies: how soon its documents are proposed and released, and what everybody else waits meanwhile.
import PDFDocument from 'pdfkit';
import type { DocumentRow } from '#contract/batches.ts';
import { addBatch, Caller, timeBatch } from './caller.ts';
import { startApplication, watchMemory } from './children.ts';
import type { Engine } from './engines.ts';
import { mark, megabytes, ms, say, sayTable } from './report.ts';
import { seed, USERS } from './seed.ts';
import type { Settings } from './settings.ts';
import { loadSteadily, type Waits } from './steady-load.ts';
import { signIn } from './test-bed.ts';

const FILES = 100_000;
const COMPANIES = 100;
const PAGES_EACH = 3;
const LISTS_PER_SECOND = 200;

const TARGETS = { proposedMs: 20_000, releasedMs: 10_000, p99Ms: 100, residentBytes: 450e6 } as const;

interface Company {
  readonly id: number;
  readonly name: string;
  readonly federalId: string;
}

/** Journals as a payroll program prints them: a head with the company on each page, and columns of people. */
function printFile(companies: readonly Company[]): Promise<Uint8Array<ArrayBuffer>> {
  const document = new PDFDocument({ size: 'LETTER', margin: 40, autoFirstPage: false });
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  document.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))));
  document.on('error', reject);
  for (const { name, federalId } of companies) {
    for (let page = 1; page <= PAGES_EACH; page += 1) {
      document.addPage();
      document.font('Helvetica-Bold').fontSize(14).text('Payroll Summary', 40, 40);
      document.font('Helvetica').fontSize(10).text(name, 40, 64).text(`Federal ID: ${federalId}`, 40, 78);
      document.text(`Pay date 11/13/2026`, 400, 64).text(`Page ${page} of ${PAGES_EACH}`, 400, 78);
      for (let row = 0; row < 40; row += 1) {
        const y = 110 + row * 15;
        document
          .text(`Employee ${page}-${row}`, 40, y)
          .text('80.00', 240, y)
          .text('1,640.00', 320, y)
          .text('1,271.33', 400, y);
      }
      document.text('Prepared by Northfield Payroll Bureau, Federal ID 00-9990000', 40, 740, { lineBreak: false });
    }
  }
  document.end();
  return promise;
}

interface Measured {
  readonly proposedMs: number;
  readonly releasedMs: number;
  readonly ready: number;
  readonly right: number;
}

/** Reads and releases one print file; `right` are the documents whose client and pages are those that were printed. */
async function runBatch(admin: Caller, name: string, companies: readonly Company[]): Promise<Measured> {
  const id = await addBatch(admin, [{ name, bytes: await printFile(companies) }]);
  await admin.ask('POST', `/api/batches/${id}/read`);
  const proposedMs = await timeBatch(admin, id, ({ state }) => state === 'review');
  const documents: DocumentRow[] = [];
  for (let more = true; more; ) {
    const page = await admin.ask<DocumentRow[]>('GET', `/api/batches/${id}/documents?offset=${documents.length}`);
    documents.push(...page);
    more = page.length > 0;
  }
  const isRight = (document: DocumentRow, nth: number) =>
    document.clientId === companies[nth]?.id && document.fromPage === nth * PAGES_EACH + 1;
  const ready = documents.filter(({ state }) => state === 'ready');
  const ids = ready.map((document) => document.id);
  if (ids.length > 0) {
    await admin.ask('POST', `/api/batches/${id}/documents/decide`, { ids, decision: 'accepted' });
    await admin.ask('POST', `/api/batches/${id}/release`, {});
  }
  const releasedMs = await timeBatch(admin, id, ({ releasing }) => releasing === 0);
  return { proposedMs, releasedMs, ready: ready.length, right: documents.filter(isRight).length };
}

export async function measureBatch(engine: Engine, dataDir: string, { steady }: Settings): Promise<void> {
  const databaseUrl = await engine.createDatabase(dataDir);
  await seed({ databaseUrl, dataDir }, FILES);
  const server = await startApplication(dataDir, [], { DATABASE_URL: databaseUrl });
  try {
    const admin = new Caller(server, await signIn(server, USERS.admin));
    const cpa = new Caller(server, await signIn(server, USERS.cpa));
    const clients = await admin.ask<Company[]>('GET', `/api/clients?limit=${COMPANIES}&sort=name`);
    const alone = await runBatch(admin, 'payrun-alone.pdf', clients);
    const watch = watchMemory(server.pid);
    let waits: Waits | undefined;
    const load = loadSteadily(
      server,
      [{ path: '/api/files?limit=25&fileType=report', headers: cpa.headers }],
      LISTS_PER_SECOND,
      steady,
    ).then((result) => {
      waits = result;
    });
    const busy = await runBatch(admin, 'payrun-busy.pdf', clients.toReversed());
    await load;
    const resident = watch.stop();
    const rows = [
      [
        'proposals, alone',
        `${ms(alone.proposedMs)} ms`,
        `< ${TARGETS.proposedMs} ms`,
        mark(alone.proposedMs < TARGETS.proposedMs),
      ],
      ['proposals, under load', `${ms(busy.proposedMs)} ms`, '', ''],
      [
        'release, alone',
        `${ms(alone.releasedMs)} ms`,
        `< ${TARGETS.releasedMs} ms`,
        mark(alone.releasedMs < TARGETS.releasedMs),
      ],
      ['release, under load', `${ms(busy.releasedMs)} ms`, '', ''],
      [
        'ready of 100 · right',
        `${alone.ready} · ${alone.right}`,
        '>= 95, 100',
        mark(alone.ready >= 95 && alone.right === COMPANIES),
      ],
      [
        `scoped lists at ${LISTS_PER_SECOND}/s meanwhile, p99`,
        `${ms(waits?.p99Ms ?? Number.NaN)} ms`,
        `< ${TARGETS.p99Ms} ms`,
        mark((waits?.p99Ms ?? Number.NaN) < TARGETS.p99Ms),
      ],
      [
        'highest resident memory of the server',
        megabytes(resident),
        `< ${megabytes(TARGETS.residentBytes)}`,
        mark((resident ?? Number.NaN) < TARGETS.residentBytes),
      ],
    ];
    sayTable(
      `A print file of ${COMPANIES * PAGES_EACH} pages for ${COMPANIES} companies on ${engine.title}`,
      ['', 'measured', 'target', ''],
      rows,
    );
    say(
      'Asked for every 200 ms. The companies are told apart by a number in their names alone, and the bureau stands on every page.',
    );
  } finally {
    await server.stop();
  }
}

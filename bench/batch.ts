// Print files of hundreds of companies: how soon their documents are proposed and released, and what everybody else waits meanwhile.
import { PDFDocument, type PDFFont, StandardFonts } from '@cantoo/pdf-lib';
import type { DocumentRow } from '#contract/batches.ts';
import { bitmapPage, pngOf } from '#server/testing/bitmap-page.ts';
import { addBatch, Caller, timeBatch } from './caller.ts';
import { startApplication, watchMemory } from './children.ts';
import { FORM_PAGES, formFile } from './corpus/form-file.ts';
import type { Engine } from './engines.ts';
import { mark, megabytes, ms, say, sayTable } from './report.ts';
import { seed, USERS } from './seed.ts';
import type { Settings } from './settings.ts';
import { loadSteadily } from './steady-load.ts';
import { signIn } from './test-bed.ts';

const FILES = 100_000;
const LISTS_PER_SECOND = 200;
/** A scanned page takes seconds, and so does the rest of a slow machine. */
const GIVE_UP_MS = 600_000;

const TARGETS = { releasedMs: 10_000, p99Ms: 50, residentBytes: 450e6, ready: 0.95 } as const;

interface Company {
  readonly id: number;
  readonly name: string;
  readonly federalId: string;
}

interface PrintFile {
  readonly title: string;
  readonly companies: number;
  readonly proposedMs: number;
  /** The first page of each company's document, and how many pages there are. */
  readonly firstPages: (companies: readonly Company[]) => readonly number[];
  readonly pages: number;
  /** Documents that end with a picture: whose it is, a person says. */
  readonly scans: number;
  readonly make: (companies: readonly Company[]) => Promise<Uint8Array<ArrayBuffer>>;
}

const SCANNED_EVERY = 3;

/** Every third document has a page more: a thousand pages for three hundred companies. */
const pagesOf = (nth: number) => (nth % 3 === 0 ? 4 : 3);

function journalPage(document: PDFDocument, font: PDFFont, { name, federalId }: Company, page: number, of: number) {
  const sheet = document.addPage([612, 792]);
  const put = (text: string, x: number, y: number, size = 10) => sheet.drawText(text, { x, y: 780 - y, size, font });
  put('Payroll Summary', 40, 40, 14);
  put(name, 40, 64);
  put(`Federal ID: ${federalId}`, 40, 78);
  put('Pay date 11/13/2026', 400, 64);
  put(`Page ${page} of ${of}`, 400, 78);
  for (let row = 0; row < 40; row += 1) {
    const y = 110 + row * 15;
    put(`Employee ${page}-${row}`, 40, y);
    put('80.00', 240, y);
    put('1,640.00', 320, y);
    put('1,271.33', 400, y);
  }
  put('Prepared by Northfield Payroll Bureau, Federal ID 00-9990000', 40, 740);
}

/** Journals as a payroll program prints them: a head with the company on each page, and columns of people. `scanned` documents end with a picture. */
async function journals(
  companies: readonly Company[],
  pages: (nth: number) => number,
  scanned: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const line = 'PAY TO THE ORDER A BEER HALL';
  for (const [nth, company] of companies.entries()) {
    const of = pages(nth);
    const isScanned = nth % SCANNED_EVERY === 0 && nth < scanned * SCANNED_EVERY;
    const printed = scanned > 0 && isScanned ? of - 1 : of;
    for (let page = 1; page <= printed; page += 1) journalPage(document, font, company, page, of);
    if (printed === of) continue;
    const lines = Array.from({ length: 20 }, (_, at) => line.slice(0, 8 + ((nth + at * 5) % 20)));
    const picture = await document.embedPng(pngOf(bitmapPage(lines, { size: 3 })));
    document.addPage([612, 792]).drawImage(picture, { x: 0, y: 0, width: 612, height: 792 });
  }
  return new Uint8Array(await document.save());
}

const firstPagesBy = (pages: (nth: number) => number) => (companies: readonly Company[]) => {
  let next = 1;
  return companies.map((_, nth) => {
    const first = next;
    next += pages(nth);
    return first;
  });
};

const PRINT_FILES: readonly PrintFile[] = [
  {
    title: 'text',
    companies: 300,
    pages: 1_000,
    scans: 0,
    proposedMs: 15_000,
    firstPages: firstPagesBy(pagesOf),
    make: (companies) => journals(companies, pagesOf, 0),
  },
  {
    title: 'official-like forms',
    companies: 300,
    pages: 300 * FORM_PAGES,
    scans: 0,
    proposedMs: 60_000,
    firstPages: firstPagesBy(() => FORM_PAGES),
    make: (companies) => formFile(companies.map(({ name, federalId }) => ({ legal: name, ein: federalId }))),
  },
  {
    title: 'text with 30 scans',
    companies: 100,
    pages: 300,
    scans: 30,
    proposedMs: 60_000,
    firstPages: firstPagesBy(() => 3),
    make: (companies) => journals(companies, () => 3, 30),
  },
];

interface Measured {
  readonly bytes: number;
  readonly proposedMs: number;
  readonly releasedMs: number;
  readonly released: number;
  readonly right: number;
}

/** Reads and releases one print file; `right` are the documents whose client and first page are those that were printed. */
async function runBatch(
  admin: Caller,
  file: PrintFile,
  companies: readonly Company[],
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Measured> {
  const id = await addBatch(admin, [{ name: `${file.title}.pdf`, bytes }]);
  await admin.ask('POST', `/api/batches/${id}/read`);
  const proposedMs = await timeBatch(admin, id, ({ state }) => state === 'review', GIVE_UP_MS);
  const documents: DocumentRow[] = [];
  for (let more = true; more; ) {
    const page = await admin.ask<DocumentRow[]>('GET', `/api/batches/${id}/documents?offset=${documents.length}`);
    documents.push(...page);
    more = page.length > 0;
  }
  const printed = new Map(file.firstPages(companies).map((page, nth) => [page, companies[nth]?.id]));
  const right = documents.filter(({ fromPage, clientId }) => clientId !== null && printed.get(fromPage) === clientId);
  const ids = documents.filter(({ state }) => state === 'ready').map((document) => document.id);
  if (ids.length > 0) {
    await admin.ask('POST', `/api/batches/${id}/documents/decide`, { ids, decision: 'accepted' });
    await admin.ask('POST', `/api/batches/${id}/release`, {});
  }
  const releasedMs = await timeBatch(admin, id, ({ releasing }) => releasing === 0, GIVE_UP_MS);
  return { bytes: bytes.length, proposedMs, releasedMs, released: ids.length, right: right.length };
}

function rowsOf(file: PrintFile, { bytes, proposedMs, releasedMs, released, right }: Measured): string[][] {
  const each = released === 0 ? Number.NaN : releasedMs / released;
  return [
    [
      `${file.title}: ${file.pages} pages, ${megabytes(bytes)}, proposed`,
      `${ms(proposedMs)} ms`,
      `< ${ms(file.proposedMs)} ms`,
      mark(proposedMs < file.proposedMs),
    ],
    [
      `${file.title}: ${released} released`,
      `${ms(releasedMs)} ms, ${ms(each)} each`,
      `< ${ms(TARGETS.releasedMs)} ms`,
      mark(releasedMs < TARGETS.releasedMs),
    ],
    [
      `${file.title}: ready · right of ${file.companies}`,
      `${released} · ${right}`,
      '',
      mark(released >= TARGETS.ready * (file.companies - file.scans) && right === file.companies),
    ],
  ];
}

const memoryRow = (resident: number | null): string[] => [
  'highest resident memory of the server',
  megabytes(resident),
  `< ${megabytes(TARGETS.residentBytes)}`,
  mark((resident ?? Number.NaN) < TARGETS.residentBytes),
];

/** Lists of others at a steady pace until `work` ends: the highest p99 of its parts, and what came of the work. */
async function worstWait<Result>(
  ask: () => Promise<{ readonly p99Ms: number }>,
  work: Promise<Result>,
): Promise<{ readonly p99Ms: number; readonly result: Result }> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  over.catch(() => {});
  let p99Ms = 0;
  while (!isOver) p99Ms = Math.max(p99Ms, (await ask()).p99Ms);
  return { p99Ms, result: await over };
}

const besideRowsOf = ({ proposedMs, releasedMs, released }: Measured, p99Ms: number): string[][] => [
  ['proposed', `${ms(proposedMs)} ms`, '', ''],
  [`${released} released`, `${ms(releasedMs)} ms`, '', ''],
  [
    `scoped lists at ${LISTS_PER_SECOND}/s meanwhile, highest p99`,
    `${ms(p99Ms)} ms`,
    `< ${TARGETS.p99Ms} ms`,
    mark(p99Ms < TARGETS.p99Ms),
  ],
];

export async function measureBatch(engine: Engine, dataDir: string, { steady }: Settings): Promise<void> {
  const databaseUrl = await engine.createDatabase(dataDir);
  await seed({ databaseUrl, dataDir }, FILES);
  const server = await startApplication(dataDir, [], { DATABASE_URL: databaseUrl, OCR: 'on' });
  try {
    const admin = new Caller(server, await signIn(server, USERS.admin));
    const cpa = new Caller(server, await signIn(server, USERS.cpa));
    const clients = await admin.ask<Company[]>('GET', `/api/clients?limit=300&sort=name`);
    const lists = [{ path: '/api/files?limit=25&fileType=report', headers: cpa.headers }];
    const heads = ['', 'measured', 'target', ''];
    for (const file of PRINT_FILES) {
      const companies = clients.slice(0, file.companies);
      const bytes = await file.make(companies);
      const watch = watchMemory(server.pid);
      const rows = rowsOf(file, await runBatch(admin, file, companies, bytes));
      rows.push(memoryRow(watch.stop()));
      sayTable(`A print file of ${file.title} on ${engine.title}`, heads, rows);
    }
    // Once more while others work, for companies in another order.
    for (const file of PRINT_FILES) {
      const companies = clients.toReversed().slice(0, file.companies);
      const bytes = await file.make(companies);
      const watch = watchMemory(server.pid);
      const { p99Ms, result } = await worstWait(
        () => loadSteadily(server, lists, LISTS_PER_SECOND, steady),
        runBatch(admin, file, companies, bytes),
      );
      const rows = besideRowsOf(result, p99Ms);
      rows.push(memoryRow(watch.stop()));
      sayTable(`The same beside ${LISTS_PER_SECOND} lists a second: ${file.title} on ${engine.title}`, heads, rows);
    }
    say(
      'Asked for every 200 ms. The companies are told apart by a number in their names alone, and the bureau stands on every page of text.',
    );
  } finally {
    await server.stop();
  }
}

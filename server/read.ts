// `npm run read -- <file>`: prints what recognition finds in files, for somebody who tries a print file without a server.
import { readFile, stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { unreadableSentences } from '#contract/batch-words.ts';
import { periodName } from '#contract/period.ts';
import { reasonSentences } from '#contract/recognition-words.ts';
import { decodeText } from '#contract/text-encoding.ts';
import { USUAL_REPORT_TYPES } from '#contract/usual-report-types.ts';
import { readKnownClients, readKnownReportTypes } from './batches/known-clients.ts';
import { type FoundInFile, readFiles } from './batches/read-files.ts';
import type { Known, KnownClient, ProposedDocument } from './batches/recognition/proposal.ts';
import { type Config, namesFirm, readConfig } from './config.ts';
import { cellsOf } from './platform/csv-cells.ts';
import { mayBeThere, openDatabase } from './platform/db/connect.ts';
import { outliveReaders, startFault } from './start-fault.ts';

const USAGE = `Usage: npm run read -- <file> [<file> ...] [--clients clients.csv]

Prints the documents that a batch of these files would be separated into: pages, client, type, period, and why one
would have to be checked. Nothing is stored. Clients are those of the CSV (with a header: Name, and where there are
any Federal ID, State ID, Other Names), or of the database where DATA_DIR or DATABASE_URL is set; report types those of
the database, or the usual ones.
`;

const say = (line: string) => process.stdout.write(`${line}\n`);
const note = (line: string) => process.stderr.write(`${line}\n`);

/** What a person can put right: one line and no stack. */
class ReadFault extends Error {}

const key = (header: string) => header.toLowerCase().replace(/[^a-z]/g, '');
const COLUMNS = {
  name: ['name', 'clientname', 'client', 'company', 'companyname', 'legalname'],
  federalId: ['federalid', 'ein', 'fein', 'taxid', 'federaltaxid'],
  stateId: ['stateid', 'statetaxid'],
  otherNames: ['othernames', 'othername', 'dba', 'aliases'],
} as const;

async function clientsIn(path: string): Promise<KnownClient[]> {
  const [header = [], ...rows] = cellsOf(decodeText(await ofFile(path, (file) => readFile(file))));
  const keys = header.map(key);
  const column = (names: readonly string[]) => keys.findIndex((found) => names.includes(found));
  const at = {
    name: column(COLUMNS.name),
    federalId: column(COLUMNS.federalId),
    stateId: column(COLUMNS.stateId),
    otherNames: column(COLUMNS.otherNames),
  };
  if (at.name < 0) throw new ReadFault(`${path} has no column called Name. Its first line must name its columns.`);
  return rows.flatMap((cells, index) => {
    const cell = (nth: number) => (cells[nth] ?? '').trim();
    const others = cell(at.otherNames)
      .split(/[;|\n]/)
      .map((name) => name.trim());
    const names = [cell(at.name), ...others].filter((name) => name !== '');
    return names.length === 0
      ? []
      : [{ id: index + 1, names, federalId: cell(at.federalId), stateId: cell(at.stateId) }];
  });
}

/** Throws one line for what cannot be opened. */
async function ofFile<Found>(path: string, act: (path: string) => Promise<Found>): Promise<Found> {
  try {
    return await act(path);
  } catch (error) {
    throw new ReadFault(
      `${path} cannot be read (${(error as { code?: string }).code}). Name a file that is there and may be read.`,
      { cause: error },
    );
  }
}

const USUAL = USUAL_REPORT_TYPES.map((name, index) => ({ id: index + 1, name, phrases: [] }));

/** What the firm knows, where the environment says which one; null where it says none, or there is none to be read. */
async function firmOf({ databaseUrl }: Config): Promise<Pick<Known, 'clients' | 'reportTypes'> | null> {
  if (!namesFirm()) return null;
  try {
    if (!mayBeThere(databaseUrl)) {
      note('There is no database where DATA_DIR and DATABASE_URL say: no clients of it are known.');
      return null;
    }
    const database = await openDatabase(databaseUrl);
    try {
      return { clients: await readKnownClients(database), reportTypes: await readKnownReportTypes(database) };
    } finally {
      await database.close();
    }
  } catch (error) {
    note(`The database cannot be read, so no clients of it are known: ${startFault(error)[0]}`);
    return null;
  }
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

function* linesOf({ path, pages, unreadable, documents }: FoundInFile, known: Known): Generator<string> {
  const ready = documents.filter(({ state }) => state === 'ready').length;
  yield `${path}: ${plural(pages, 'page')}, ${plural(documents.length, 'document')}, ${ready} ready`;
  if (unreadable !== null) yield `  ${unreadableSentences[unreadable]}`;
  for (const document of documents) yield* linesOfDocument(document, known);
}

function* linesOfDocument(document: ProposedDocument, known: Known): Generator<string> {
  const { fromPage, toPage, form, correction, period, heading, state, reasons } = document;
  const pages = fromPage === toPage ? `page ${fromPage}` : `pages ${fromPage}-${toPage}`;
  const type = known.reportTypes.find(({ id }) => id === document.reportTypeId)?.name;
  const what = [
    clientOf(document, known),
    type ?? (form === null ? 'no type' : `form ${form}, no type`),
    period === null ? 'no period' : periodName(period, (day) => day),
    ...(correction ? ['a correction'] : []),
  ];
  const where = fromPage === 0 ? 'whole file' : pages;
  yield `  ${where.padEnd(14)}${(state === 'ready' ? 'ready' : 'to check').padEnd(10)}${what.join(' | ')}`;
  if (type === undefined && heading !== null) yield `${' '.repeat(26)}headed: ${heading}`;
  for (const { kind } of reasons) yield `${' '.repeat(26)}- ${reasonSentences[kind]}`;
}

/** The client, and the words on the page that speak for it. */
function clientOf({ clientId, clients, printedName }: ProposedDocument, known: Known): string {
  const candidate = clients.find((other) => other.clientId === clientId);
  const printed = [...new Set(candidate?.signals.map(({ text }) => text) ?? [])];
  const name = known.clients.find(({ id }) => id === clientId)?.names[0] ?? 'no client';
  const words = printed.length > 0 ? printed : printedName === null ? [] : [printedName];
  return words.length === 0 ? name : `${name} (printed: ${words.join(', ')})`;
}

async function run(args: readonly string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { clients: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help || positionals.length === 0) {
    (values.help ? process.stdout : process.stderr).write(USAGE);
    return values.help ? 0 : 2;
  }
  const config = readConfig();
  const firm = await firmOf(config);
  const clients = values.clients === undefined ? (firm?.clients ?? []) : await clientsIn(values.clients);
  if (clients.length === 0) note('No clients are known: name them by --clients, or set DATA_DIR or DATABASE_URL.');
  const known: Known = {
    clients,
    reportTypes: firm?.reportTypes ?? USUAL,
    lastYear: new Date().getUTCFullYear() + 1,
  };
  for (const path of positionals) {
    const found = await ofFile(path, (file) => stat(file));
    if (!found.isFile()) throw new ReadFault(`${path} is no file.`);
  }
  const ended = new AbortController();
  process.once('SIGINT', () => ended.abort(new ReadFault('Reading was interrupted.')));
  const found = await readFiles(positionals, known, { ocr: config.ocr, signal: ended.signal });
  for (const file of found) for (const line of linesOf(file, known)) say(line);
  return found.some(({ unreadable }) => unreadable !== null) ? 1 : 0;
}

outliveReaders();
run(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    const isWriting = String((error as { code?: unknown }).code ?? '').startsWith('ERR_PARSE_ARGS_');
    const lines = error instanceof ReadFault || isWriting ? [(error as Error).message] : startFault(error);
    for (const line of lines) note(line);
    if (isWriting) process.stderr.write(`\n${USAGE}`);
    process.exitCode = isWriting ? 2 : 1;
  },
);

// Floods of what is read, from a thread of their own, so that only the server makes others wait.
import { setTimeout } from 'node:timers/promises';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { pdfBombs } from '#server/testing/pdf-bombs.ts';
import { rawPages } from '#server/testing/raw-pdf.ts';
import { zipOf } from '#server/testing/zip-of.ts';
import { beside } from './beside.ts';
import { addBatch, Caller, type NamedBytes, timeBatch, timeUntil } from './caller.ts';
import type { Flood } from './settings.ts';

/** Tokens of those who flood, one each. */
export interface Flooders {
  readonly zips: string;
  readonly lists: string;
  readonly scans: string;
  readonly clientScans: string;
  readonly words: string;
  readonly slow: string;
}

export interface ReadingFloodTask {
  readonly origin: string;
  /** Those that go on. */
  readonly floods: readonly Flood[];
  readonly tokens: Flooders;
  /** A batch with documents under review, and one with released ones. */
  readonly batches: { readonly review: number; readonly released: number };
  /** A place in reach of whoever sends something slow; and the client of the one whose words are those of the index. */
  readonly slowPlace: Readonly<Record<string, string>>;
  readonly wordsClientId: number;
  readonly clientScansClientId: number;
}

/** What became of one flood until the end. */
export interface Flooded {
  readonly done: number;
  readonly refused: number;
  /** The first refusal. */
  readonly why: string | null;
}

const [TEXTS, PIECES, PIECE_LETTERS] = [36, 50_000, 19];
const [SCANNED_FILES, SCANNED_PAGES, NOISES] = [4, 50, 4];
const [WORDS_FILES, WORDS_PAGES] = [3, 2_000];
const AFTER_REFUSAL_MS = 200;
const LISTS_AT_ONCE = 3;

/** Runs `work` while the floods go on, once what they need is there; returns what came of both. */
export async function whileReadingIsFlooded<Result>(
  task: ReadingFloodTask,
  work: () => Promise<Result>,
): Promise<{ result: Result; flooded: Readonly<Record<string, Flooded>> }> {
  const { seen, result } = await beside(import.meta.filename, task, work);
  return { result, flooded: seen as Readonly<Record<string, Flooded>> };
}

/** Texts of as many pieces as are read of one. */
function zipOfTexts(): Promise<Buffer> {
  const line = (nth: number, piece: number) => `${nth} ${piece} Employee pay`.padEnd(PIECE_LETTERS, '.');
  const text = (nth: number) => Array.from({ length: PIECES }, (_, piece) => line(nth, piece)).join('\n');
  return zipOf(Array.from({ length: TEXTS }, (_, nth) => [`${nth}.txt`, text(nth)] as const));
}

/** Pages of nothing but noise, of which nothing is sure. */
function noisyScans(): Uint8Array<ArrayBuffer> {
  const [width, height] = [850, 1_100];
  const noise = () => crypto.getRandomValues(new Uint8Array(Math.ceil(width / 8)));
  const image = () => ({
    body: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 1`,
    stream: Buffer.concat(Array.from({ length: height }, noise)),
  });
  return rawPages(
    Array.from({ length: SCANNED_PAGES }, (_, page) => ({
      content: 'q 612 0 0 792 0 0 cm /Im Do Q',
      entries: `/Resources << /XObject << /Im ${4 + (page % NOISES)} 0 R >> >>`,
    })),
    { further: Array.from({ length: NOISES }, image) },
  );
}

/** On each page the words by which the index itself knows the places of files. */
function wordsOfTheIndex(nth: number, clientId: number): Uint8Array<ArrayBuffer> {
  const line = (page: number) => `clientis${clientId} typeis1 documentis client${clientId} paper ${nth} ${page}`;
  return rawPages(
    Array.from({ length: WORDS_PAGES }, (_, page) => ({ content: `BT /F1 12 Tf 40 700 Td (${line(page)}) Tj ET` })),
  );
}

/** The same with other bytes: a batch has the same bytes once. */
const another = (bytes: Uint8Array, nth: number) => new Uint8Array(Buffer.concat([bytes, Buffer.from(`\n% ${nth}`)]));

const document = (clientId: number) => ({
  clientId: `${clientId}`,
  fileType: 'company_document',
  documentType: 'Correspondence',
});

async function dropAndRead(by: Caller, files: readonly NamedBytes[]): Promise<void> {
  const id = await addBatch(by, files);
  await by.send('POST', `/api/batches/${id}/read`);
  await timeBatch(by, id, ({ state }) => state !== 'reading');
}

/** What each flood repeats; what it needs is made, and there, before. */
async function prepare(task: ReadingFloodTask): Promise<readonly (readonly [Flood, () => Promise<unknown>])[]> {
  const { floods, tokens, batches, slowPlace, wordsClientId, clientScansClientId } = task;
  const by = (name: keyof Flooders) => new Caller(task, tokens[name]);
  const zip = new Uint8Array(await zipOfTexts());
  const scans = noisyScans();
  const slow = pdfBombs().find(([what]) => what === 'drawings of drawings')?.[1];
  if (slow === undefined) throw new Error('There is no small file that is slow to read');
  const words = by('words');
  const sought = `/api/files/inside?q=${encodeURIComponent(`clientis${wordsClientId} typeis1 paper`)}`;
  if (floods.includes('words')) {
    for (let nth = 0; nth < WORDS_FILES; nth += 1) {
      const file = { name: `words ${nth}.pdf`, bytes: wordsOfTheIndex(nth, wordsClientId) };
      await words.upload('/api/files', file, document(wordsClientId));
    }
    await timeUntil(async () => (await words.ask<{ rows: unknown[] }>('GET', sought)).rows.length === WORDS_FILES);
  }
  const lists = by('lists');
  const get = async (path: string) => (await lists.send('GET', path)).arrayBuffer();
  const documents = `/api/batches/${batches.review}/documents`;
  const certificate = `/api/batches/${batches.released}/certificate`;
  let dropped = 0;
  const all: readonly (readonly [Flood, () => Promise<unknown>])[] = [
    ['zips', () => dropAndRead(by('zips'), [{ name: 'texts.zip', bytes: zip }])],
    ...Array.from({ length: LISTS_AT_ONCE }, () => ['documents', () => get(documents)] as const),
    ['certificates', () => get(`${certificate}?format=json`).then(() => get(certificate))],
    [
      'scans',
      async () => {
        const files = Array.from({ length: SCANNED_FILES }, () => {
          dropped += 1;
          return { name: `scans ${dropped}.pdf`, bytes: another(scans, dropped) };
        });
        await dropAndRead(by('scans'), files);
      },
    ],
    [
      'client-scans',
      async () => {
        const file = { name: 'scans.pdf', bytes: scans };
        await by('clientScans').upload('/api/files', file, document(clientScansClientId));
        await setTimeout(10_000);
      },
    ],
    ['words', () => words.ask('GET', sought)],
    ['slow', () => by('slow').upload('/api/files', { name: 'slow.pdf', bytes: new Uint8Array(slow) }, slowPlace)],
  ];
  return all.filter(([name]) => floods.includes(name));
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  let isOver = false;
  const flooded: Record<string, { done: number; refused: number; why: string | null }> = {};
  const repeat = async (name: string, work: () => Promise<unknown>) => {
    flooded[name] ??= { done: 0, refused: 0, why: null };
    const tally = flooded[name];
    while (!isOver) {
      try {
        await work();
        tally.done += 1;
      } catch (error) {
        tally.refused += 1;
        tally.why ??= String(error).slice(0, 200);
        await setTimeout(AFTER_REFUSAL_MS);
      }
    }
  };
  port.once('message', () => {
    isOver = true;
    port.postMessage(flooded);
  });
  const floods = await prepare(workerData as ReadingFloodTask);
  for (const [name, work] of floods) void repeat(name, work);
  port.postMessage('begun');
}

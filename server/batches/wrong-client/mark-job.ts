// The job that judges uploads after they were stored, and marks what names another client for staff: people in turn.
// Whatever ends it, it goes on where it was.

import { z } from 'zod';
import type { Config } from '../../config.ts';
import { isPicture } from '../../files/other-clients.ts';
import type { BlobStore, StoredBlob } from '../../platform/blobs/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { jobKind } from '../../platform/jobs/kinds.ts';
import { isNoTry, serveInTurn } from '../../platform/jobs/serve-in-turn.ts';
import { ThreadLimit } from '../../platform/jobs/thread.ts';
import { gatherBytes } from '../reading/gather-bytes.ts';
import { recognizeImage, recognizeScans } from '../reading/ocr.ts';
import type { PageText } from '../reading/page-text.ts';
import { TIFF, tiffPages } from '../reading/tiff-pages.ts';
import {
  ATTEMPTS_MAX,
  beginJudging,
  type FileToJudge,
  handBackJudging,
  hasFilesToJudge,
  nextToJudge,
  senderAfter,
  storeJudgement,
} from './mark-rows.ts';
import { type NamedClient, NamedClients, type Naming } from './named-clients.ts';

/** Nobody waits for it. */
export const FILE_MS = 60_000;
/** A page that is a picture takes seconds, and names on its first pages whom it names at all. */
const PICTURES_MAX = 3;
/** One whose pictures are recognised keeps nobody waiting. */
const PEOPLE_AT_ONCE = 2;

export interface MarkStores {
  readonly database: Database;
  readonly blobs: Pick<BlobStore, 'read'>;
  readonly clock: Clock;
  readonly now: () => number;
  readonly config: Pick<Config, 'ocr'>;
}

export function markUploadsJob({ database, blobs, clock, now, config }: MarkStores) {
  return jobKind({
    title: 'Look for uploads that name another client',
    acts: 'system',
    payload: z.strictObject({}),
    attempts: ATTEMPTS_MAX,
    retryAfterMs: 30_000,
    atOnce: 1,
    resumes: true,
    isWanted: () => hasFilesToJudge(database),
    async run({ signal }) {
      // Threads of its own: who waits for the answer to an upload does not wait for this.
      const readers: NamedClients[] = [];
      const free: NamedClients[] = [];
      const newReader = () => {
        const reader = new NamedClients({ database, blobs, clock, withinMs: FILE_MS, isAwaited: false });
        readers.push(reader);
        return reader;
      };
      try {
        const personAfter = (id: number) => senderAfter(database, id);
        const serve = async (person: number) => {
          const file = await nextToJudge(database, person);
          if (file === null) return;
          await beginJudging(database, file.id);
          try {
            await judge(file, `${person}`);
          } catch (error) {
            if (isNoTry(error, signal)) await handBackJudging(database, file.id);
            throw error;
          }
        };
        const judge = async (file: FileToJudge, turn: string) => {
          const reader = free.pop() ?? newReader();
          let fault: unknown = null;
          const onFault = (error: unknown) => {
            fault = error;
          };
          const options = { byNamesAlone: file.byNamesAlone === 1, onFault };
          const { contentType, name } = file;
          const naming: Naming | null = isPicture(file)
            ? { named: [], pictures: [1], lettered: [] }
            : await reader.in({ blob: file, contentType, name, ...options });
          const pages = naming === null || !config.ocr ? [] : await picturedIn(file, naming, turn);
          const pictured = pages.length === 0 ? null : await reader.onPages(pages, options);
          free.push(reader);
          // What takes too long or too much is not read; any other fault is tried again.
          if (fault !== null && !(fault instanceof ThreadLimit)) throw fault;
          const named = naming && together([...naming.named, ...(pictured?.named ?? [])]);
          await storeJudgement(database, file.id, named, now());
        };
        /** What stands on the first of its pages that are pictures. */
        const picturedIn = async (file: StoredBlob & { contentType: string }, naming: Naming, turn: string) => {
          if (naming.pictures.length === 0) return [];
          const read = () => gatherBytes(blobs, file);
          if (file.contentType === TIFF) {
            const made = await tiffPages(await read(), signal);
            if (!('pdf' in made)) return [];
            const pictures = Array.from({ length: made.pages }, (_, index) => index + 1);
            return await scanned(async () => new Uint8Array(made.pdf), { pictures, lettered: [] }, turn);
          }
          if (isPicture(file)) {
            const page = await recognizeImage(await read(), { turn, signal });
            return typeof page === 'string' ? [] : [page];
          }
          return await scanned(read, naming, turn);
        };
        const scanned = async (
          pdf: () => Promise<Uint8Array>,
          { pictures, lettered: withLetters }: Pick<Naming, 'pictures' | 'lettered'>,
          turn: string,
        ) => {
          const pages: PageText[] = [];
          const lettered = new Set(withLetters);
          for await (const { page, text } of recognizeScans(pdf, pictures, { turn, lettered, signal })) {
            // A page of letters that no picture fills is none of the scans.
            if (lettered.has(page) && text.runs.length === 0 && text.unread === undefined) continue;
            pages.push(text);
            if (pages.length === PICTURES_MAX) break;
          }
          return pages;
        };
        await serveInTurn({ atOnce: PEOPLE_AT_ONCE, signal, personAfter, serve });
      } finally {
        await Promise.all(readers.map((reader) => reader.close()));
      }
    },
  });
}

/** Each client once, with all the ways in which it is named. */
function together(named: readonly NamedClient[]): NamedClient[] {
  return [...Map.groupBy(named, ({ id }) => id)].map(([id, ways]) => ({
    id,
    byFederalId: ways.some(({ byFederalId }) => byFederalId),
    byName: ways.some(({ byName }) => byName),
  }));
}

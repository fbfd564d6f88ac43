// Recognition as the jobs use it: told one file after the other as it was read, it proposes their documents to a person.
import { RECOGNISING_TOO_LONG } from '#contract/batch-words.ts';
import { refuseFields } from '#contract/errors.ts';
import { seesFederalIds } from '#contract/policy/reach.ts';
import type { ReadScope } from '../people/access/scope.ts';
import type { Database } from '../platform/db/database.ts';
import { slicesOf } from '../platform/db/list.ts';
import { Thread, ThreadLimit } from '../platform/jobs/thread.ts';
import type { FileReading } from './batch-reading.ts';
import { readKnownClients } from './known-clients.ts';
import type { Known, ProposedDocument } from './recognition/proposal.ts';
import type { RecogniseQuestion } from './recognition/recognise-thread.ts';
import { readPhrases } from './report-type-phrases.ts';
import { withSuggested } from './suggested-words.ts';

const THREAD = new URL('./recognition/recognise-thread.ts', import.meta.url);
/** A batch of as many pages and pieces as are read takes some ten seconds, and half of this. */
const ANSWER_MS = 300_000;
/** Tests are bounded by less. */
export const bounds = {
  /**
   * As many pieces as are read did not fit into 512 MB and did into 640 while all their pages lay there unpacked: what is found in them, the page at
   * hand, and what is not collected yet.
   */
  memoryBytes: 768 * 1024 * 1024,
};

/** Pieces of a print file of several hundred pages: whoever read it has left much, and telling its documents apart takes much again. */
const MUCH = 50_000;
/** So many pages are copied at once. */
const PAGES_TOLD = 20;

export class Recogniser implements AsyncDisposable {
  readonly #signal: AbortSignal;
  /** Begins with the first question: beside the threads that read scans for hours it would hold its modules for nothing. */
  #thread: Thread<RecogniseQuestion, ProposedDocument[]> | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async add(
    file: { readonly id: number; readonly name: string },
    { pages, pieces, bookmarks }: FileReading,
  ): Promise<void> {
    await this.#ask({ file: { key: file.id, name: file.name, bookmarks } });
    if (pieces > MUCH) Thread.makeRoom();
    for (const some of slicesOf(pages, PAGES_TOLD)) await this.#ask({ pages: some });
  }

  /** What the files are by what is known. */
  async propose(known: Known): Promise<ProposedDocument[]> {
    return await this.#ask({ known });
  }

  /** Refuses what takes more time or memory than any honest batch: to try it again would take as much. */
  async #ask(question: RecogniseQuestion): Promise<ProposedDocument[]> {
    this.#thread ??= new Thread(THREAD, { signal: this.#signal, memoryBytes: bounds.memoryBytes, isKept: true });
    try {
      return await this.#thread.ask(question, { withinMs: ANSWER_MS });
    } catch (error) {
      throw error instanceof ThreadLimit ? refuseFields({ files: RECOGNISING_TOO_LONG }) : error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.[Symbol.asyncDispose]();
  }
}

/**
 * All clients of the firm: those out of the person's reach only tell that a page is another company's, and are never named. Who is not
 * shown federal ids whole has all of them judged by names alone: of numbers that are tried out, one that matches would tell.
 */
export async function knownTo(read: ReadScope, database: Database): Promise<Known> {
  const seesIds = seesFederalIds(read.viewer);
  const reached = new Set((await read.clients().select('clients.id as id').execute()).map(({ id }) => id));
  const clients = (await readKnownClients(database)).map((client) => ({
    ...client,
    federalId: seesIds ? client.federalId : '',
    outOfReach: !reached.has(client.id),
  }));
  const types = await read
    .reachedReportTypes()
    .select(['report_types.id as id', 'report_types.name as name'])
    .execute();
  const phrases = await readPhrases(
    read,
    types.map(({ id }) => id),
  );
  const reportTypes = types.map((type) => ({ ...type, phrases: phrases.get(type.id) ?? [] }));
  return withSuggested(read, database, { clients, reportTypes, lastYear: new Date().getUTCFullYear() + 1 });
}

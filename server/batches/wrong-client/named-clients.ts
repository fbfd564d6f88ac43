// Which clients of the firm a document names: read by a thread, one document after another.
import { Refusal } from '#contract/errors.ts';
import type { BlobStore, StoredBlob } from '../../platform/blobs/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { statementOfEngine } from '../../platform/db/statement.ts';
import { Thread, ThreadLimit } from '../../platform/jobs/thread.ts';
import { readKnownClients } from '../known-clients.ts';
import { gatherBytes } from '../reading/gather-bytes.ts';
import type { PageText } from '../reading/page-text.ts';
import { pageOfText } from '../reading/text-file.ts';
import { isWorkbook } from '../reading/xlsx-file.ts';
import type { GuardAnswer, GuardQuestion, Judging, NamedClient, Naming } from './guard-thread.ts';

export type { NamedClient, Naming } from './guard-thread.ts';

const MEMORY_BYTES = 192 * 1024 * 1024;
/** How long the thread stays for the next document. */
const IDLE_MS = 60_000;

const THREAD = new URL('./guard-thread.ts', import.meta.url);

interface ClientsState {
  readonly n: number;
  readonly newest: number | null;
  readonly changed: number | null;
}

/** What is another once a client was added, changed or deleted. Each document asks. */
const clientsState = statementOfEngine((db) =>
  db
    .selectFrom('clients')
    .select(({ fn }) => [
      fn.countAll<number>().as('n'),
      fn.max('clients.id').as('newest'),
      fn.max('clients.changed_at').as('changed'),
    ]),
);

export interface NamingOptions extends Judging {
  /** Judged by no federal id, neither the chosen client's nor another's: whoever does not see them whole must not find them out. */
  readonly byNamesAlone: boolean;
  /** Told why a document was not read that could have been. */
  readonly onFault: (error: unknown) => void;
}

export interface NamingDocument extends NamingOptions {
  readonly blob: StoredBlob;
  readonly contentType: string;
  readonly name: string;
}

export interface NamedClientsOptions {
  readonly database: Database;
  readonly blobs: Pick<BlobStore, 'read'>;
  readonly clock: Clock;
  /** A document that takes longer is not read. */
  readonly withinMs: number;
  /** Somebody waits for the answers. */
  readonly isAwaited: boolean;
}

export class NamedClients {
  readonly #options: NamedClientsOptions;
  #thread: Thread<GuardQuestion, GuardAnswer> | null = null;
  /** Which clients the thread knows. */
  #known = '';
  /** What is being read, or was read last. */
  #reading: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  constructor(options: NamedClientsOptions) {
    this.#options = options;
  }

  /** The clients that a document names; null where it could not be read, or not in time. Ask for the next one once this is answered. */
  async in({ blob, contentType, name, ...options }: NamingDocument): Promise<Naming | null> {
    return this.#read(options, async (ask) => {
      const bytes = await gatherBytes(this.#options.blobs, blob);
      const question = { bytes, contentType, isWorkbook: isWorkbook({ contentType, name }) };
      return ask({ ...question, byNamesAlone: options.byNamesAlone }, [bytes.buffer]);
    });
  }

  /** The same of pages that were read already. */
  async onPages(pages: readonly PageText[], options: NamingOptions): Promise<Naming | null> {
    return this.#read(options, (ask) => ask({ pages, byNamesAlone: options.byNamesAlone }, []));
  }

  /** The same of the name of a file, in which no number counts. */
  async onName(name: string, { onFault }: Pick<NamingOptions, 'onFault'>): Promise<Naming | null> {
    const words = name.replace(/\.[^.]*$/, '').replaceAll('_', ' ');
    return this.onPages([pageOfText(Buffer.from(words), 'text/plain')], { byNamesAlone: true, onFault });
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#reading;
    clearTimeout(this.#idle);
    await this.#end();
  }

  async #read(
    { onFault }: NamingOptions,
    read: (
      ask: (question: GuardQuestion, moved: readonly ArrayBuffer[]) => Promise<GuardAnswer>,
    ) => Promise<GuardAnswer>,
  ): Promise<Naming | null> {
    const reading = this.#readInTime(onFault, () => read((question, moved) => this.#ask(question, moved)));
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #readInTime(onFault: (error: unknown) => void, read: () => Promise<GuardAnswer>): Promise<Naming | null> {
    clearTimeout(this.#idle);
    const { clock, withinMs } = this.#options;
    const late = Promise.withResolvers<never>();
    const stop = clock.after(withinMs, () => late.reject(new ThreadLimit(`Not read within ${withinMs} ms`)));
    try {
      return await Promise.race([read(), late.promise]);
    } catch (error) {
      // The store's own refusal is no matter of the document.
      if (error instanceof Refusal) throw error;
      // It took too long or too much, or the file is made to break whoever reads it: nobody is held up by that.
      onFault(error);
      await this.#end();
      return null;
    } finally {
      stop();
      this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
    }
  }

  async #ask(question: GuardQuestion, moved: readonly ArrayBuffer[]): Promise<GuardAnswer> {
    const { isAwaited } = this.#options;
    this.#thread ??= new Thread<GuardQuestion, GuardAnswer>(THREAD, {
      memoryBytes: MEMORY_BYTES,
      isAwaited,
      isKept: true,
    });
    const thread = this.#thread;
    await this.#tellClients(thread);
    return thread.ask(question, { transfer: moved });
  }

  /** Tells the thread all clients, where they are others than it knows. */
  async #tellClients(thread: Thread<GuardQuestion, GuardAnswer>): Promise<void> {
    const { database } = this.#options;
    const [state] = await database.rows<ClientsState>(clientsState(database.reader), []);
    const known = `${state?.n} ${state?.newest} ${state?.changed}`;
    if (known === this.#known) return;
    const clients = await readKnownClients(database);
    await thread.ask({ clients });
    // It may have been ended meanwhile.
    if (this.#thread === thread) this.#known = known;
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    this.#known = '';
    await thread?.[Symbol.asyncDispose]();
  }
}

/**
 * The clients that a document names by number or name where it names the one with `clientId` nowhere; of several, the ones named
 * by both, since two companies may have one number. Empty where it names the right one, or nobody.
 */
export function otherClients(named: readonly NamedClient[], clientId: number): readonly NamedClient[] {
  if (named.some(({ id }) => id === clientId)) return [];
  const told = named.filter(({ byFederalId, byName }) => byFederalId || byName);
  const byBoth = told.filter(({ byFederalId, byName }) => byFederalId && byName);
  return told.length > 1 && byBoth.length > 0 ? byBoth : told;
}

// Stops an upload whose document names another client than the chosen one, before anybody can see it.

import type { Kysely } from 'kysely';
import { Refusal, refuseAnotherClient } from '#contract/errors.ts';
import { seesFederalIds } from '#contract/policy/reach.ts';
import type { GuardedFile, OtherClientGuard } from '../../files/other-clients.ts';
import { isJudged, isPicture } from '../../files/other-clients.ts';
import type { ReadScope } from '../../people/access/scope.ts';
import { countWithinHour } from '../../people/auth/hourly-count.ts';
import type { Admission } from '../../platform/admission/admission.ts';
import { callerUntil } from '../../platform/admission/caller.ts';
import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { JobOrders } from '../../platform/jobs/kinds.ts';
import type { BatchJobs } from '../jobs.ts';
import { type NamedClient, NamedClients, type Naming, type NamingOptions, otherClients } from './named-clients.ts';
import { patience } from './patience.ts';

/** So many refusals within an hour say a name: more than one folder that was dropped at the wrong client, too few to try names with. */
const NAMES_TOLD = 30;

export interface GuardStores {
  readonly database: Database;
  readonly blobs: Pick<BlobStore, 'read'>;
  readonly clock: Clock;
  readonly now: () => number;
  readonly admission: Pick<Admission, 'judgements'>;
  readonly jobs: JobOrders<BatchJobs>;
}

export class WrongClientGuard implements OtherClientGuard {
  readonly #stores: GuardStores;
  /** One for each document that is read at once; each begins its thread when it is asked. */
  readonly #readers: NamedClients[] = [];
  /** Those of them that read nothing now. */
  readonly #free: NamedClients[] = [];

  constructor(stores: GuardStores) {
    this.#stores = stores;
  }

  /**
   * Refuses `names_another_client` where the document names another client by its federal id or its whole name, and the chosen
   * one nowhere; by its name alone for a viewer who does not see federal ids whole. A client out of the viewer's reach is not
   * named, nor is any after many refusals. Answers whether it is to be judged afterwards: what takes longer than seconds, of which
   * `onFault` is told, and what only recognition can read.
   */
  async check(read: ReadScope, { clientId, ...upload }: GuardedFile): Promise<boolean> {
    const { blob, contentType, name } = upload;
    const file = { contentType, name, sizeBytes: blob.sizeBytes };
    if (!isJudged(file)) return false;
    if (isPicture(file)) return true;
    let isLate = false;
    const onFault = (error: unknown) => {
      isLate = true;
      upload.onFault(error);
    };
    const naming = await this.#read(read, onFault, (reader, options) => reader.in({ ...upload, ...options }));
    if (naming === null) return isLate;
    await this.#refuseOthers(read, naming.named, clientId);
    return naming.pictures.length > 0 && !naming.named.some(({ id }) => id === clientId);
  }

  /**
   * Refuses likewise a name for a file that holds the whole name of another client, and nothing of the one that it is filed under.
   * Answers whether it is to be judged afterwards.
   */
  async checkName(
    read: ReadScope,
    { clientId, name, onFault }: Pick<GuardedFile, 'clientId' | 'name' | 'onFault'>,
  ): Promise<boolean> {
    const naming = await this.#read(read, onFault, (reader, options) => reader.onName(name, options));
    if (naming === null) return true;
    await this.#refuseOthers(read, naming.named, clientId);
    return false;
  }

  /** Notes that the name of a file is to be judged, in the transaction that gives it. */
  async judgeNameLater(tx: Kysely<Schema>, fileId: number): Promise<void> {
    await this.#stores.jobs.enqueue(tx, { kind: 'files.names', payload: { fileId } });
  }

  async #refuseOthers(read: ReadScope, named: readonly NamedClient[], clientId: number): Promise<void> {
    const others = otherClients(named, clientId);
    if (others.length === 0) return;
    const reached = await read
      .clients()
      .select(['clients.id as id', 'clients.name as name', 'clients.federal_id as federalId'])
      .where('clients.id', 'in', [clientId, ...others.slice(0, NAMED_MAX).map(({ id }) => id)])
      .execute();
    const chosen = reached.find(({ id }) => id === clientId);
    const seen = reached.filter(({ id }) => id !== clientId);
    const [only] = seen;
    const { database, now } = this.#stores;
    const isTold = (await countWithinHour(database, `another-client:${read.viewer.id}`, now())) <= NAMES_TOLD;
    const one = isTold && others.length === 1 && only !== undefined ? only : null;
    throw refuseAnotherClient(one === null ? null : { id: one.id, name: one.name }, {
      named: isTold ? wordsOf(one, others.length) : UNTOLD,
      chosen: chosen?.name ?? '',
    });
  }

  /** Reads when it is the sender's turn. */
  async #read(
    { viewer }: ReadScope,
    onFault: NamingOptions['onFault'],
    ask: (reader: NamedClients, options: NamingOptions) => Promise<Naming | null>,
  ): Promise<Naming | null> {
    const { admission, clock } = this.#stores;
    const turn = new AbortController();
    const stop = clock.after(patience.turnMs, () => turn.abort());
    try {
      return await admission.judgements.run(String(viewer.id), callerUntil(turn.signal), async () => {
        stop();
        const reader = this.#free.pop() ?? this.#newReader();
        try {
          return await ask(reader, { byNamesAlone: !seesFederalIds(viewer), onFault });
        } finally {
          this.#free.push(reader);
        }
      });
    } catch (error) {
      // What is damaged where it is stored is read by nobody; who opens it is told so.
      if (!(error instanceof Refusal && (error.code === 'busy' || error.code === 'integrity'))) throw error;
      onFault(error);
      return null;
    } finally {
      stop();
    }
  }

  #newReader(): NamedClients {
    const reader = new NamedClients({ ...this.#stores, withinMs: patience.readMs, isAwaited: true });
    this.#readers.push(reader);
    return reader;
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.close()));
  }
}

/** As many are looked up: a list of all clients names everybody. */
const NAMED_MAX = 20;

const UNTOLD = `another company (after ${NAMES_TOLD} such documents within an hour no name is told)`;

/** 'Harbor & Pine Bakery LLC (ending 4567)'; `one` is null where they are several, or it is not for this person to know. */
function wordsOf(one: { readonly name: string; readonly federalId: string } | null, others: number): string {
  if (one === null) return others > 1 ? 'other companies' : 'another company';
  const { name, federalId } = one;
  const digits = federalId.replace(/\D/g, '');
  return digits === '' ? name : `${name} (ending ${digits.slice(-4)})`;
}

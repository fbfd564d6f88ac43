// Stops an upload whose document names another client than the chosen one, before anybody can see it.
import { refuseAnotherClient } from '#contract/errors.ts';
import type { ReadScope } from '../../access/scope.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import type { Database } from '../../db/database.ts';
import { NamedClients, type NamingDocument, otherClients } from './named-clients.ts';

/** Somebody waits for the answer. */
const WAIT_MS = 3_000;

export interface GuardedUpload extends NamingDocument {
  readonly clientId: number;
}

export class WrongClientGuard {
  readonly #clients: NamedClients;

  constructor(stores: { readonly database: Database; readonly blobs: Pick<BlobStore, 'read'> }) {
    this.#clients = new NamedClients({ ...stores, waitMs: WAIT_MS, isAwaited: true });
  }

  /**
   * Refuses `names_another_client` where the document names another client by its federal id or its whole name, and the chosen
   * one nowhere. A client out of the viewer's reach is not named. What cannot be read within seconds is let through.
   */
  async check(read: ReadScope, { clientId, ...upload }: GuardedUpload): Promise<void> {
    const named = await this.#clients.in(upload);
    if (named === null) return;
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
    const one = others.length === 1 && only !== undefined ? only : null;
    throw refuseAnotherClient(one === null ? null : { id: one.id, name: one.name }, {
      named: one === null ? (others.length > 1 ? 'other companies' : 'another company') : wordsOf(one),
      chosen: chosen?.name ?? '',
    });
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#clients.close();
  }
}

/** As many are looked up: a list of all clients names everybody. */
const NAMED_MAX = 20;

/** 'Harbor & Pine Bakery LLC (ending 4567)' */
function wordsOf({ name, federalId }: { readonly name: string; readonly federalId: string }): string {
  const digits = federalId.replace(/\D/g, '');
  return digits === '' ? name : `${name} (ending ${digits.slice(-4)})`;
}

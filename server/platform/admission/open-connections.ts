// How many connections may be open: of a site those that nobody signed in has used yet, and those of a person.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Notes whose connection it is, from a request whose session was found. */
export type NotePerson = (connection: Socket, personId: number) => void;

/** The site of an address, or null where it is a trusted proxy's, whose connections are of many people. */
export type SiteOf = (address: string) => string | null;

export interface Places {
  /** So many connections of one key stay open. */
  readonly ofOne: number;
  /** So many stay open, of all keys together. */
  readonly all: number;
}

/** Open connections by key. There is always a place for a new one: another is closed for it. */
export class ConnectionPlaces {
  readonly #places: Places;
  /** Of each key, first those that have been used least lately. */
  readonly #open = new Map<string, Set<Socket>>();
  /** Those with a request that has begun and is not answered. */
  readonly #inUse = new WeakSet<Socket>();
  #all = 0;
  #closed = 0;

  constructor(places: Places) {
    this.#places = places;
  }

  /** How many are open. */
  get open(): number {
    return this.#all;
  }

  /** How many were closed because there was no place. */
  get closed(): number {
    return this.#closed;
  }

  /**
   * Gives `connection` a place, until `leave`. Where `key` has too many, one of its own is closed; where there are too many in all, one of
   * the key that has most. It is the one that was used least lately of those that answer nothing now, and only where each answers
   * something, of those.
   */
  take(key: string, connection: Socket): void {
    const ofKey = this.#open.get(key) ?? new Set();
    this.#open.set(key, ofKey);
    ofKey.add(connection);
    this.#all += 1;
    if (ofKey.size > this.#places.ofOne) this.#closeOne(key, ofKey, connection);
    else if (this.#all > this.#places.all) this.#closeOne(...this.#fullest(key, ofKey), connection);
  }

  leave(key: string, connection: Socket): void {
    const ofKey = this.#open.get(key);
    if (!ofKey?.delete(connection)) return;
    this.#all -= 1;
    if (ofKey.size === 0) this.#open.delete(key);
  }

  /** Notes that a request begins or is answered on `connection`, which has a place under `key`. */
  use(key: string, connection: Socket, isInUse: boolean): void {
    if (isInUse) this.#inUse.add(connection);
    else this.#inUse.delete(connection);
    const ofKey = this.#open.get(key);
    if (ofKey?.delete(connection)) ofKey.add(connection);
  }

  #fullest(key: string, ofKey: Set<Socket>): [string, Set<Socket>] {
    let found: [string, Set<Socket>] = [key, ofKey];
    for (const one of this.#open) if (one[1].size > found[1].size) found = one;
    return found;
  }

  #closeOne(key: string, ofKey: ReadonlySet<Socket>, except: Socket): void {
    let closed: Socket | undefined;
    for (const one of ofKey) {
      if (one === except) continue;
      closed ??= one;
      if (this.#inUse.has(one)) continue;
      closed = one;
      break;
    }
    // Nobody else's is open under this key where every key has one.
    closed ??= except;
    // At once: its `close` comes later.
    this.leave(key, closed);
    this.#closed += 1;
    closed.destroy();
  }
}

/** As in `admission.ts`: of sites, and of people. */
interface SharesOfConnections {
  readonly strangersConnections: ConnectionPlaces;
  readonly connectionsOfPeople: ConnectionPlaces;
}

interface Holder {
  readonly places: ConnectionPlaces;
  readonly key: string;
}

/**
 * To be called before `answerInOrder`, so that a request is in use when it begins. Whoever opens connections without end loses their own:
 * a connection is its site's until a request on it has found a session, and its person's from then on. Connections of trusted proxies are
 * not counted: the proxy bounds what people open at it.
 */
export function boundConnections(
  server: Server,
  { strangersConnections, connectionsOfPeople }: SharesOfConnections,
  siteOf: SiteOf,
): NotePerson {
  const holders = new WeakMap<Socket, Holder>();
  const hold = (connection: Socket, holder: Holder) => {
    holders.set(connection, holder);
    holder.places.take(holder.key, connection);
  };
  const use = (connection: Socket, isInUse: boolean) => {
    const holder = holders.get(connection);
    holder?.places.use(holder.key, connection, isInUse);
  };
  server.on('connection', (connection) => {
    const site = siteOf(connection.remoteAddress ?? '');
    if (site === null) return;
    hold(connection, { places: strangersConnections, key: site });
    connection.once('close', () => {
      const holder = holders.get(connection);
      holder?.places.leave(holder.key, connection);
    });
  });
  server.on('request', ({ socket }, response) => {
    use(socket, true);
    response.once('close', () => use(socket, false));
  });
  return (connection, personId) => {
    const holder = holders.get(connection);
    const key = `${personId}`;
    if (holder === undefined || connection.destroyed) return;
    if (holder.places === connectionsOfPeople && holder.key === key) return;
    holder.places.leave(holder.key, connection);
    hold(connection, { places: connectionsOfPeople, key });
    use(connection, true);
  };
}

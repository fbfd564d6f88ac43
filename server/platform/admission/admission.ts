// Who may have how much in flight. Each share has its own places, so that none can use up another's.
import { FairTurns } from './fair-turns.ts';
import { ConnectionPlaces } from './open-connections.ts';

export interface Admission {
  /** Open connections that nobody signed in has used yet, by site. */
  readonly strangersConnections: ConnectionPlaces;
  /** Open connections of people, by person. */
  readonly connectionsOfPeople: ConnectionPlaces;
  /** Parsing what connections bring that nobody signed in has used yet, by site. */
  readonly strangersPieces: FairTurns;
  /** Parsing what the connections of people bring, by person. */
  readonly piecesOfPeople: FairTurns;
  /** Finding out who calls, which is short. By session, or by network where that is unknown. */
  readonly arrivals: FairTurns;
  /** Reading one's own session and ending sessions, by person: never behind anything longer. */
  readonly sessions: FairTurns;
  /** Tries at a secret as they are counted, by site. */
  readonly tries: FairTurns;
  /** Passwords that are looked at for people whom their network knows, by network. */
  readonly passwords: FairTurns;
  /** Passwords of everybody else, by site: never more than one of the two that the hasher works on. */
  readonly strangersPasswords: FairTurns;
  /** What signed-in people ask for, by person. */
  readonly requests: FairTurns;
  /** Exports and archives, by person. They last as long as their reader is slow, so that nobody waits for another's. */
  readonly documents: FairTurns;
  /** Files that go, by person. They last as long, and take less of everything else. */
  readonly files: FairTurns;
  /** Files that come, by person: each open one is promised room on the disk (`server/platform/blobs/free-space.ts`). */
  readonly uploads: FairTurns;
  /** Uploads that are read before they are stored, by person: what is slow to read takes one of two places. */
  readonly judgements: FairTurns;
}

/** Together below the connections of the PostgreSQL pool (`server/platform/db/postgres.ts`), so that a health check always finds one. */
export function openAdmission(): Admission {
  return {
    strangersConnections: new ConnectionPlaces({ ofOne: 500, all: 2_000 }),
    // Of all together as many as there are people: each is known by name, and their number is the firm's own.
    connectionsOfPeople: new ConnectionPlaces({ ofOne: 500, all: Number.POSITIVE_INFINITY }),
    // A piece that waits takes up to 192 KiB of memory; a connection that finds no place is closed.
    strangersPieces: new FairTurns({ atOnce: 1, atOnceOfOne: 1, waitingOfOne: 500, waiting: 2_000 }),
    piecesOfPeople: new FairTurns({ atOnce: 1_000, atOnceOfOne: 1, waitingOfOne: 2_000, waiting: 4_000 }),
    arrivals: new FairTurns({ atOnce: 3, atOnceOfOne: 2, waitingOfOne: 200, waiting: 2_000 }),
    sessions: new FairTurns({ atOnce: 2, atOnceOfOne: 1, waitingOfOne: 20, waiting: 1_000 }),
    tries: new FairTurns({ atOnce: 2, atOnceOfOne: 2, waitingOfOne: 100, waiting: 1_000 }),
    passwords: new FairTurns({ atOnce: 2, atOnceOfOne: 2, waitingOfOne: 16, waiting: 64 }),
    strangersPasswords: new FairTurns({ atOnce: 1, atOnceOfOne: 1, waitingOfOne: 16, waiting: 64 }),
    requests: new FairTurns({ atOnce: 8, atOnceOfOne: 3, waitingOfOne: 200, waiting: 2_000 }),
    documents: new FairTurns({ atOnce: 1_000, atOnceOfOne: 4, waitingOfOne: 20, waiting: 1_000 }),
    files: new FairTurns({ atOnce: 1_000, atOnceOfOne: 50, waitingOfOne: 100, waiting: 1_000 }),
    uploads: new FairTurns({ atOnce: 1_000, atOnceOfOne: 10, waitingOfOne: 140, waiting: 1_000 }),
    // Each is a thread, and the memory that it takes.
    judgements: new FairTurns({ atOnce: 2, atOnceOfOne: 1, waitingOfOne: 20, waiting: 1_000 }),
  };
}

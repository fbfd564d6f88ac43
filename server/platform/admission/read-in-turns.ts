// What connections bring is parsed in turns: a piece of each person in a turn of the event loop, and one of all strangers together.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { Refusal } from '#contract/errors.ts';
import type { Admission } from './admission.ts';
import type { NotePerson, SiteOf } from './open-connections.ts';

/**
 * So much of a stranger's is parsed at once: a browser's request fits in, and of the shortest requests that can be written it holds some
 * 150, which take a millisecond or two.
 */
export const STRANGERS_PIECE_BYTES = 4 * 1024;

/**
 * To be called before anything else listens to the server's connections. Node parses whatever has come on a connection at once, up to 64 KiB,
 * and one connection after the other in the same turn of the event loop: two thousand requests of each, with nobody else served meanwhile.
 * Here Node's own listeners of a connection get what came a piece at a time, when it is the turn of its person or, until one is known, of its site;
 * then what was refused (`answerInOrder`) is not parsed to its end. Connections of trusted proxies, which bring one request at a time of whomever, are left to Node.
 */
export function readInTurns(
  server: Server,
  admission: Pick<Admission, 'strangersPieces' | 'piecesOfPeople'>,
  siteOf: SiteOf,
): NotePerson {
  const people = new WeakMap<Socket, number>();
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');

  /** Does `work` when it is the turn of whose connection it is; nothing else of theirs is done in the same turn of the event loop. */
  function inTurn(socket: Socket, site: string, work: (pieceBytes: number) => void): Promise<void> {
    const person = people.get(socket);
    const [share, key] =
      person === undefined ? [admission.strangersPieces, site] : [admission.piecesOfPeople, `${person}`];
    return share.run(key, socket, async () => {
      work(people.has(socket) ? Number.POSITIVE_INFINITY : STRANGERS_PIECE_BYTES);
      await nextTurnOfTheLoop();
    });
  }

  server.on('connection', (socket) => {
    const site = siteOf(socket.remoteAddress ?? '');
    const own = { data: socket.listeners('data'), end: socket.listeners('end') };
    for (const listener of listeners) listener.call(server, socket);
    if (site === null) return;
    const take = (event: 'data' | 'end') => {
      const taken = socket.listeners(event).filter((listener) => !own[event].includes(listener));
      for (const listener of taken) socket.removeListener(event, listener as () => void);
      return (...args: unknown[]) => {
        for (const listener of taken) listener.apply(socket, args);
      };
    };
    const parse = take('data');
    const parseEnd = take('end');

    const arrived: Buffer[] = [];
    let hasEnded = false;
    let isPassingOn = false;
    const passOn = (pieceBytes: number) => {
      const [first] = arrived;
      if (first === undefined) {
        hasEnded = false;
        parseEnd();
        return;
      }
      const piece = first.subarray(0, pieceBytes);
      if (piece.length < first.length) arrived[0] = first.subarray(piece.length);
      else arrived.shift();
      // Before the parser has it, which pauses the connection itself where nobody takes what it found.
      if (arrived.length === 0) socket.resume();
      parse(piece);
    };
    /** Passes on all that has come, and returns once nothing is left. */
    const passOnInTurns = async () => {
      if (isPassingOn) return;
      isPassingOn = true;
      try {
        while (arrived.length > 0 || hasEnded) {
          // The parser takes nothing while an answer waits for its reader.
          if (arrived.length > 0 && socket.writableNeedDrain) await isDrained(socket);
          await inTurn(socket, site, passOn);
        }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        arrived.length = 0;
        socket.destroy();
      } finally {
        isPassingOn = false;
      }
    };
    socket.on('data', (piece: Buffer) => {
      arrived.push(piece);
      socket.pause();
      void passOnInTurns();
    });
    // The parser goes on reading while somebody takes what it found: not before it has what came already.
    socket.on('resume', () => {
      if (arrived.length > 0) socket.pause();
    });
    socket.on('end', () => {
      hasEnded = true;
      void passOnInTurns();
    });
  });

  return (connection, personId) => people.set(connection, personId);
}

/** Resolves once the socket's reader has taken what waits, or has left. */
function isDrained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.removeListener('drain', done).removeListener('close', done);
      resolve();
    };
    socket.once('drain', done).once('close', done);
  });
}

// Readers that do not read the answer they asked for; they must not hold it, its file and its connection for hours.
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { api } from '#contract/api.ts';
import type { Clock } from '../clock.ts';

/** Looks without movement until an answer is cut: with a look every half a minute, after a minute. */
const QUIET_LOOKS = 2;
/**
 * The same for files, archives and exports: three minutes. What a reader reads shows only in steps, since the kernel asks for more once
 * a third of its buffer is free again, up to 1.4 MB through a proxy on the same machine that does not buffer. In less time that would
 * cut an honest reader of 10 KB a second, and only what is larger than those buffers meets it.
 */
const QUIET_LOOKS_OF_BYTES = 6;

function looksOf({ request }: FastifyReply): number {
  const { endpoint } = request.routeOptions.config;
  const answer = endpoint === undefined ? undefined : api[endpoint].answer;
  return answer === 'bytes' || answer === 'document' ? QUIET_LOOKS_OF_BYTES : QUIET_LOOKS;
}

interface Look {
  readonly atMs: number;
  readonly takenBytes: number;
  readonly quietLooks: number;
}

/** By the connection, so that it is freed together with it. */
const lastLooks = new WeakMap<Socket, Look>();

/** Bytes that left the process. Of a large piece this counts nothing until all of it left. */
const takenBytes = (socket: Socket) => socket.bytesWritten - socket.writableLength;

/** How many checks in a row, this one included, have found that the reader read nothing. */
function quietLooks(socket: Socket, clock: Clock): number {
  const atMs = clock.nowMs();
  const taken = takenBytes(socket);
  const last = lastLooks.get(socket);
  // Node postpones a check where it sees a part of a large piece leave.
  const inARow = last?.takenBytes === taken && atMs - last.atMs < 1.5 * (socket.timeout ?? 0);
  const looks = inARow ? last.quietLooks + 1 : 1;
  lastLooks.set(socket, { atMs, takenBytes: taken, quietLooks: looks });
  return looks;
}

/**
 * Cuts the connection of an answer whose reader does not read it. Where no bytes are waiting, it is the server that
 * is slow, and nothing is cut. Checks whenever Node finds the connection quiet for its `connectionTimeout`.
 */
export function endQuietReader(reply: FastifyReply, clock: Clock): void {
  reply.raw.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0 && quietLooks(socket, clock) >= looksOf(reply)) {
      reply.log.info('an answer was cut: its reader took nothing of it');
      // Reset, not closed, so that a part never looks complete, and what is in the kernel's buffers is dropped.
      socket.resetAndDestroy();
    } else {
      socket.setTimeout(socket.timeout ?? 0);
    }
  });
}

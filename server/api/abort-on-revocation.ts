// Ends a running transfer when the right to it ends: the right is checked while bytes are sent, and the connection cut without it.
import type { FastifyReply } from 'fastify';
import type { Clock } from '../platform/clock.ts';

/** A lost right is noticed at the next check: well within ten seconds. */
const LOOK_EVERY_MS = 3_000;
/** A database that fails for a moment ends no transfer; one that stays unreachable does. */
const FAILED_LOOKS_MAX = 3;

/** Asks `holds` every few seconds until the answer is sent; cuts the connection where it says no, or cannot be asked. */
export function abortOnRevocation(reply: FastifyReply, clock: Clock, holds: () => Promise<boolean>): void {
  let over = false;
  let failedLooks = 0;

  async function stillHolds(): Promise<boolean> {
    try {
      const answer = await holds();
      failedLooks = 0;
      return answer;
    } catch (error) {
      failedLooks += 1;
      reply.log.warn({ err: error }, 'the right to a transfer could not be looked at');
      return failedLooks < FAILED_LOOKS_MAX;
    }
  }

  async function look(): Promise<void> {
    const goesOn = await stillHolds();
    if (over) return;
    if (goesOn) stop = clock.after(LOOK_EVERY_MS, look);
    else {
      reply.log.info('a transfer was cut: the right to it ended');
      // The connection as well, so that a part never looks complete, and what is in the kernel's buffers is not sent.
      reply.raw.socket?.resetAndDestroy();
    }
  }

  let stop = clock.after(LOOK_EVERY_MS, look);
  reply.raw.once('close', () => {
    over = true;
    stop();
  });
}

// A transfer under way ends when the right to it does: looked at again while bytes go out, and then the connection is cut.
import type { FastifyReply } from 'fastify';

/** Anyone who lost a right has the next look and a little more: well within ten seconds. */
const LOOK_EVERY_MS = 3_000;
/** A database away for a moment ends no transfer; one that cannot be asked any more does. */
const FAILED_LOOKS_MAX = 3;

/** Asks `holds` every few seconds until the answer is sent; where it says no, or cannot be asked, cuts the connection. */
export function abortOnRevocation(reply: FastifyReply, holds: () => Promise<boolean>): void {
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
    if (goesOn) timer = setTimeout(look, LOOK_EVERY_MS).unref();
    else {
      reply.log.info('a transfer was cut: the right to it ended');
      // The connection with it, so that a part never looks complete, and what waits in the kernel's buffers is not sent.
      reply.raw.socket?.resetAndDestroy();
    }
  }

  let timer = setTimeout(look, LOOK_EVERY_MS).unref();
  reply.raw.once('close', () => {
    over = true;
    clearTimeout(timer);
  });
}

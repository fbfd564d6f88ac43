// Reads beside somebody who guesses at passwords: how long honest people wait meanwhile.
import { request } from 'node:http';
import type { Server } from './children.ts';
import { type Load, type Measured, pressInTurns } from './load.ts';

const READS_A_SECOND = 200;
const GUESSES_A_SECOND = 10;

/** One wrong sign-in from one of this machine's loopback addresses; resolves to its status. */
function guess(server: Server, username: string, from: string): Promise<number> {
  const body = JSON.stringify({ username, password: 'not the password' });
  return new Promise((resolve, reject) => {
    const asked = request(
      new URL('/api/auth/login', server.origin),
      { method: 'POST', localAddress: from, agent: false, headers: { 'content-type': 'application/json' } },
      (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    asked.once('error', reject).end(body);
  });
}

/** Ten guesses a second, each from another address at another user, so that none is refused before it costs a hash. */
function startGuessing(server: Server, usernames: readonly string[]): () => Promise<number[]> {
  const answers: Promise<number>[] = [];
  const timer = setInterval(() => {
    const nth = answers.length;
    const username = usernames[nth % usernames.length] ?? '';
    answers.push(guess(server, username, `127.1.${(nth >> 8) & 255}.${nth & 255}`));
  }, 1000 / GUESSES_A_SECOND);
  return () => {
    clearInterval(timer);
    return Promise.all(answers);
  };
}

export interface UnderAttack {
  readonly alone: Measured;
  readonly attacked: Measured;
  /** Statuses of the guesses. */
  readonly guesses: readonly number[];
}

/** The same reads, 200 a second, without and with the guesses beside them. */
export async function measureReadsUnderAttack(
  server: Server,
  reads: Load,
  usernames: readonly string[],
  rounds: { readonly count: number; readonly stretchMs: number; readonly warmUpMs: number },
): Promise<UnderAttack> {
  const paced = { server, load: { ...reads, perSecond: READS_A_SECOND } };
  const { alone } = await pressInTurns({ alone: paced }, rounds);
  const stop = startGuessing(server, usernames);
  const { attacked } = await pressInTurns({ attacked: paced }, rounds);
  return { alone, attacked, guesses: await stop() };
}

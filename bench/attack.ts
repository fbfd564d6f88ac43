// Reads during a password-guessing attack: how long honest requests wait.
import { request } from 'node:http';
import type { Server } from './children.ts';
import { Broken } from './load.ts';
import { mark, ms, rate, sayTable } from './report.ts';
import { scenarioLoad } from './scenarios.ts';
import type { Settings } from './settings.ts';
import { loadSteadily, type Waits } from './steady-load.ts';
import type { TestBed } from './test-bed.ts';

const READS_A_SECOND = 200;
const GUESSES_A_SECOND = 10;
/** The p99 that reads may have during the attack. */
const ATTACKED_P99_MAX_MS = 200;

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

/** The same reads, 200 a second, without and with the guesses. */
export async function measureAttack({ firm, application, tokens }: TestBed, { steady }: Settings): Promise<void> {
  const { requests } = scenarioLoad('scoped-list', firm, tokens);
  const read = () => loadSteadily(application, requests, READS_A_SECOND, steady);
  const alone = await read();
  const stop = startGuessing(application, firm.clientUsernames);
  const attacked = await read();
  const guesses = await stop();
  const refused = guesses.filter((status) => status === 429).length;
  const wrong = guesses.filter((status) => status !== 401 && status !== 429);
  if (wrong.length > 0) throw new Broken(`Guesses were answered ${[...new Set(wrong)].join(', ')}`);
  const row = (title: string, { asked, p50Ms, p99Ms }: Waits, note: string, target: string) => [
    title,
    rate((asked * 1000) / steady.durationMs),
    `${ms(p50Ms)} / ${ms(p99Ms)}`,
    note,
    target,
    target === '' ? '' : mark(p99Ms < ATTACKED_P99_MAX_MS),
  ];
  const note = `${guesses.length} guesses, ${guesses.length - refused} verified, ${refused} refused at once`;
  sayTable(
    'Scoped lists at 200 a second, without and with ten wrong sign-ins a second at the same time; each wait counts from when it was due',
    ['', 'req/s', 'p50 / p99 ms', '', 'target', ''],
    [row('alone', alone, '', ''), row('under attack', attacked, note, `p99 < ${ATTACKED_P99_MAX_MS} ms`)],
  );
}

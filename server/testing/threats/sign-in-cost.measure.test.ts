// Rows A2 and A18 of the threat model: how long a sign-in takes, how long others wait meanwhile, and that asking for a link tells nobody by its time.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breadth } from '../breadth.ts';
import { makeFirm, PASSWORD } from '../firm.ts';
import { mailEnvironment } from '../mail-server.ts';
import { median } from '../measure.ts';
import { signInFrom } from '../sign-in.ts';
import { startTestApp, type TestApp } from '../test-app.ts';
import { ANY_DATABASE_KIND } from '../test-database.ts';
import { forgetTries, inTurn } from '../tries.ts';

/** For what signs in hundreds of times. */
const SLOW_MS = 600_000;
const TRIES = 3;

async function tookMs(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The chance that one of `left` is longer than one of `right`: 0.5 where nothing distinguishes them. */
function rankAuc(left: readonly number[], right: readonly number[]): number {
  const sorted = right.toSorted((a, b) => a - b);
  let wins = 0;
  for (const value of left) {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    wins += low;
  }
  return wins / (left.length * right.length);
}

/** More tries than are allowed are to be judged. */
const ROUNDS = breadth(60, 200);
/** How far the two may seem apart: by chance alone fewer rounds stray further. */
const STRAYS = breadth({ ratio: 0.15, auc: 0.1 }, { ratio: 0.1, auc: 0.05 });

type Ask = (username: string) => Promise<void>;

/** How much longer `ask` takes for a name that there is than for one that nobody has, and how well a single time tells which of the two it was. */
async function difference(app: TestApp, ask: Ask, roundsFree: number, rounds: number) {
  const took = { clientA: [] as number[], nobody1: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    if (round % roundsFree === 0) await forgetTries(app);
    const names = Math.random() < 0.5 ? (['clientA', 'nobody1'] as const) : (['nobody1', 'clientA'] as const);
    for (const username of names) took[username].push(await tookMs(() => ask(username)));
  }
  return { ratio: median(took.clientA) / median(took.nobody1), auc: rankAuc(took.clientA, took.nobody1) };
}

/** `roundsFree`: so many cause no wait. */
async function expectAlike(app: TestApp, ask: Ask, roundsFree: number): Promise<void> {
  await difference(app, ask, roundsFree, roundsFree);
  const tries = await inTurn(TRIES, () => difference(app, ask, roundsFree, ROUNDS));
  const ratio = median(tries.map((one) => one.ratio));
  const auc = median(tries.map((one) => one.auc));
  const isWithin = Math.abs(ratio - 1) <= STRAYS.ratio && Math.abs(auc - 0.5) <= STRAYS.auc;
  expect([tries, isWithin]).toEqual([tries, true]);
}

describe.each(ANY_DATABASE_KIND)('what a sign-in costs on %s', (kind) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(kind, {}, { passwords: 'as configured' });
    await makeFirm(app);
  });
  afterAll(() => app.close());

  it('A2: takes as long for an unknown name as for a wrong password', { timeout: SLOW_MS }, () =>
    expectAlike(
      app,
      async (username) => expect((await signInFrom(app.origin, username, 'not the password')).status).toBe(401),
      4,
    ),
  );

  it('A18: while three hundred sign in at once, nobody else waits longer than for a few hashes', {
    timeout: SLOW_MS,
  }, async () => {
    /** How long all of them took together, and 99 in 100 of the others waited meanwhile, in sign-ins of one alone. */
    async function flood() {
      await forgetTries(app);
      const alone = () => tookMs(() => signInFrom(app.origin, 'cpa', PASSWORD, { from: '127.0.7.100' }));
      const oneMs = median(await inTurn(20, alone));
      const waitsMs: number[] = [];
      let flooding = true;
      const watch = async () => {
        while (flooding) waitsMs.push(await tookMs(() => app.anonymous.get('/healthz')));
      };
      const watching = watch();
      const allMs = await tookMs(() =>
        // From sixty addresses, so that the limits leave most of it to the passwords' own queue.
        Promise.all(
          Array.from({ length: 300 }, (_, nth) => {
            const [username, password] = nth % 10 === 0 ? ['cpa', PASSWORD] : [`nobody ${nth}`, 'not it'];
            return signInFrom(app.origin, username, password, { from: `127.0.7.${1 + (nth % 60)}` });
          }),
        ),
      );
      flooding = false;
      await watching;
      const othersMs = waitsMs.toSorted((a, b) => a - b)[Math.ceil(waitsMs.length * 0.99) - 1] ?? 0;
      return { all: allMs / oneMs, others: othersMs / oneMs };
    }
    const tries = await inTurn(TRIES, flood);
    const isBearable = median(tries.map(({ all }) => all)) < 300 && median(tries.map(({ others }) => others)) < 3;
    expect([tries, isBearable]).toEqual([tries, true]);
  });
});

describe.each(ANY_DATABASE_KIND)('what asking for a link costs on %s', (kind) => {
  let app: TestApp;
  beforeAll(async () => {
    // Nothing listens there, and nothing is to be sent: what is ordered waits.
    app = await startTestApp(kind, mailEnvironment(9));
    const { users } = await makeFirm(app);
    await app.database.transaction((tx) =>
      tx.updateTable('users').set({ email: 'clienta@example.com' }).where('id', '=', users.clientA).execute(),
    );
  });
  afterAll(() => app.close());

  it('G86: the same time whether somebody with an address has the name or nobody', { timeout: SLOW_MS }, () =>
    expectAlike(
      app,
      async (username) => expect((await app.anonymous.post('/api/auth/forgotten', { username })).status).toBe(204),
      // The two names are counted together.
      2,
    ),
  );
});

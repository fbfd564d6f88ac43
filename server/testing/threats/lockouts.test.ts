// Row H7 of the threat model: what it costs to refuse somebody who is locked out, and whom a flood of strangers keeps waiting.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { type Firm, PASSWORD } from '../firm.ts';
import { gatedPasswords } from '../gated-passwords.ts';
import { itOnAny } from '../narrowed.ts';
import { startSecondServer } from '../second-server.ts';
import { type LoginOutcome, signInFrom } from '../sign-in.ts';
import type { TestApp } from '../test-app.ts';
import { DATABASE_KINDS } from '../test-database.ts';
import { startTestFirm } from '../test-firm.ts';

const statuses = (answers: readonly LoginOutcome[]) => answers.map(({ status }) => status);
const countsOf = (answers: readonly LoginOutcome[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** Ten at a time, so that nothing has to wait for long. */
async function many(count: number, send: (nth: number) => Promise<LoginOutcome>): Promise<LoginOutcome[]> {
  const answers: LoginOutcome[] = [];
  for (let start = 0; start < count; start += 10) {
    const group = Array.from({ length: Math.min(10, count - start) }, (_, nth) => send(start + nth));
    answers.push(...(await Promise.all(group)));
  }
  return answers;
}

describe.each(DATABASE_KINDS)('who is locked out on %s', (kind) => {
  const gate = gatedPasswords();
  let app: TestApp;
  let firm: Firm;
  const ends: (() => unknown)[] = [];
  beforeEach(async () => {
    ({ app, firm } = await startTestFirm(
      kind,
      { TRUST_PROXY: '127.0.0.1' },
      { passwords: gate.passwords, clock: 'standing' },
    ));
  });
  afterEach(async () => {
    gate.open();
    for (const end of ends.splice(0)) await end();
    await app.close();
  });

  const tryFrom = (address: string, username: string, password: string, origin = app.origin) =>
    signInFrom(origin, username, password, { headers: { 'x-forwarded-for': address } });
  const wrong = (address: string, username = `nobody ${Math.random()}`) => tryFrom(address, username, 'not it');
  const right = (address: string, username: string) => tryFrom(address, username, PASSWORD);

  /** As the Admin, on the Users page. */
  async function setPassword(username: 'clientA' | 'clientB', password: string): Promise<void> {
    const person = { username, fullName: `Full ${username}`, roleId: firm.roles.client, password };
    expect((await app.admin.put(`/api/users/${firm.users[username]}`, person)).status).toBe(200);
  }

  /** Holds the turn at all tries until the test ends: whatever asks the database about one stands still. */
  async function holdTries(): Promise<() => Promise<void>> {
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const holding = app.database.transaction(async (tx) => {
      await app.database.serialize(tx, 'attempts');
      begun.resolve();
      await held.promise;
    });
    const letGo = () => {
      held.resolve();
      return holding;
    };
    ends.push(letGo);
    await begun.promise;
    return letGo;
  }

  it('H7: a network that is locked out is refused without asking the database; people known there are let in', async () => {
    const here = '10.0.0.1';
    expect((await right(here, 'clientA')).status).toBe(200);
    expect(countsOf(await many(100, () => wrong(here)))).toEqual({ 401: 100 });
    expect((await wrong(here)).status).toBe(429);
    const letGo = await holdTries();
    const refused = await many(50, () => wrong(here));
    expect(countsOf(refused)).toEqual({ 429: 50 });
    expect(new Set(refused.map(({ retryAfter }) => retryAfter))).toEqual(new Set([3_600]));
    expect((await right(here, 'clientB')).status).toBe(429);
    // Neither somebody known there nor a neighbour is: they wait for their try to be counted.
    const known = right(here, 'clientA');
    const neighbour = right('10.0.0.2', 'clientB');
    await eventually(() => expect(app.context.admission.tries.running).toBe(2));
    await letGo();
    expect(statuses(await Promise.all([known, neighbour]))).toEqual([200, 200]);
  });

  itOnAny(kind)('H7: so is a user who has to wait, in that network alone', async () => {
    const here = '10.0.0.1';
    expect(countsOf(await many(6, () => wrong(here, 'clientA')))).toEqual({ 401: 5, 429: 1 });
    const letGo = await holdTries();
    expect(
      (await many(20, () => wrong(here, 'CLIENTA'))).map(({ status, retryAfter }) => [status, retryAfter]),
    ).toEqual(Array(20).fill([429, 1]));
    const others = [right(here, 'clientB'), right('10.0.0.2', 'clientA')];
    await eventually(() => expect(app.context.admission.tries.running).toBe(2));
    await letGo();
    expect(statuses(await Promise.all(others))).toEqual([200, 200]);
    app.advance(1_000);
    expect((await right(here, 'clientA')).status).toBe(200);
  });

  itOnAny(kind)(
    'H7: of tries that wait to be counted, those behind the one that finds the lockout ask nothing',
    async () => {
      const here = '10.0.0.1';
      expect(countsOf(await many(100, () => wrong(here)))).toEqual({ 401: 100 });
      const letGo = await holdTries();
      const waiting = Array.from({ length: 50 }, () => wrong(here));
      await eventually(() => expect(app.context.admission.tries.waiting).toBe(48));
      let asked = 0;
      const { transaction } = app.database;
      app.database.transaction = (work) => {
        asked += 1;
        return transaction(work);
      };
      ends.push(() => {
        app.database.transaction = transaction;
      });
      await letGo();
      expect(countsOf(await Promise.all(waiting))).toEqual({ 429: 50 });
      expect(asked).toBe(0);
    },
  );

  it('H7: a lockout is that of all processes, and one that a new password ended is over in each within a second', async () => {
    const { origin, close } = await startSecondServer(app);
    ends.push(close);
    const here = '10.0.0.1';
    await many(100, () => wrong(here));
    const tried = (at: string, password = PASSWORD) => tryFrom(here, 'clientA', password, at);
    expect([(await tried(app.origin)).status, (await tried(origin)).status]).toEqual([429, 429]);
    await setPassword('clientA', 'another one');
    app.advance(1_000);
    expect((await tried(origin, 'another one')).status).toBe(200);
    expect((await tried(app.origin, 'another one')).status).toBe(200);
  });

  itOnAny(kind)(
    'H7: a site of IPv6 has five hundred tries an hour, however many networks it takes them from',
    async () => {
      const home = '2001:db8:1:aaaa::1';
      expect((await right(home, 'clientA')).status).toBe(200);
      const tries = await many(500, (nth) => wrong(`2001:db8:1:${(nth + 1).toString(16)}::${nth + 1}`));
      expect(countsOf(tries)).toEqual({ 401: 500 });
      const refused = await right('2001:db8:1:ffff::1', 'clientB');
      expect([refused.status, JSON.parse(refused.body).code]).toEqual([429, 'locked_out']);
      // The next site, an address of IPv4, and a person known in the network they are in.
      expect((await right('2001:db8:2:1::1', 'clientB')).status).toBe(200);
      expect((await right('10.0.0.1', 'clientB')).status).toBe(200);
      expect((await right('2001:0db8:0001:aaaa::2', 'clientA')).status).toBe(200);
      expect((await right('2001:0db8:0001:ffff::1', 'clientB')).status).toBe(429);
      expect((await right('2001:db8:1:bbbb::1', 'clientA')).status).toBe(429);
      const letGo = await holdTries();
      expect(statuses(await many(20, (nth) => wrong(`2001:db8:1:${(nth + 40_000).toString(16)}::1`)))).toEqual(
        Array(20).fill(429),
      );
      await letGo();
      await setPassword('clientB', 'another one');
      app.advance(1_000);
      expect((await tryFrom('2001:db8:1:ffff::1', 'clientB', 'another one')).status).toBe(200);
    },
  );

  itOnAny(kind)(
    'H7: of the tries of a site a hundred wait to be counted, whichever networks they come from',
    async () => {
      const letGo = await holdTries();
      const { tries } = app.context.admission;
      const flood = Array.from({ length: 102 }, (_, nth) => wrong(`2001:db8:1:${(nth + 1).toString(16)}::1`));
      await eventually(() => expect([tries.running, tries.waiting]).toEqual([2, 100]));
      expect((await wrong('2001:db8:1:ffff::1')).status).toBe(503);
      const elsewhere = right('10.0.0.1', 'clientA');
      await eventually(() => expect(tries.waiting).toBe(101));
      await letGo();
      expect((await elsewhere).status).toBe(200);
      await Promise.all(flood);
    },
  );

  itOnAny(kind)('H7: invented names from forty networks keep nobody waiting whom their own network knows', async () => {
    const here = '10.0.0.1';
    expect((await right(here, 'clientA')).status).toBe(200);
    gate.shut();
    const answered: LoginOutcome[] = [];
    const flood = Array.from({ length: 120 }, async (_, nth) => {
      answered.push(await wrong(`10.0.1.${1 + (nth % 40)}`));
    });
    const { strangersPasswords } = app.context.admission;
    await eventually(() => expect(answered).toHaveLength(55));
    expect([strangersPasswords.running, strangersPasswords.waiting]).toEqual([1, 64]);
    expect(gate.waiting()).toBe(1);
    const known = right(here, 'clientA');
    // Beside the one of all strangers, not behind it.
    await eventually(() => expect(gate.waiting()).toBe(2));
    gate.open();
    expect((await known).status).toBe(200);
    await Promise.all(flood);
    expect(countsOf(answered)).toEqual({ 401: 65, 503: 55 });
  });

  itOnAny(kind)('H7: strangers have their turns by site: one with many networks goes behind itself', async () => {
    gate.shut();
    const answered: number[] = [];
    const flood = Array.from({ length: 41 }, async (_, nth) => {
      answered.push((await wrong(`2001:db8:1:${(nth + 1).toString(16)}::1`)).status);
    });
    // One is being looked at and 16 wait; the others of the site find no place.
    await eventually(() => expect(answered).toEqual(Array(24).fill(503)));
    const stranger = right('10.9.9.9', 'clientB');
    await eventually(() => expect(app.context.admission.strangersPasswords.waiting).toBe(17));
    gate.open();
    expect((await stranger).status).toBe(200);
    await Promise.all(flood);
    expect(gate.begun().indexOf(PASSWORD)).toBe(1);
    expect(gate.begun()).toHaveLength(18);
  });

  itOnAny(kind)('H7: a try of a stranger that finds no place is counted, and locks the network out', async () => {
    const here = '10.0.0.1';
    gate.shut();
    const answered: LoginOutcome[] = [];
    const flood = Array.from({ length: 100 }, async () => {
      answered.push(await wrong(here));
    });
    await eventually(() => expect(answered).toHaveLength(83));
    expect((await wrong(here)).status).toBe(429);
    gate.open();
    await Promise.all(flood);
    expect(countsOf(answered)).toEqual({ 401: 17, 503: 83 });
  });
});

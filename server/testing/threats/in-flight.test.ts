// Rows H1 to H3 of the threat model: what one connection, network or person has in flight, and who waits for it.
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { eventually } from '../eventually.ts';
import { addRole, addUser, PASSWORD } from '../firm.ts';
import { gatedPasswords } from '../gated-passwords.ts';
import { type Caller, startTestApp, type TestApp } from '../test-app.ts';
import { DATABASE_KINDS } from '../test-database.ts';
import { dial, requestHead } from './wire.ts';

/** What one person has at once, and has waiting, as `server/platform/admission/admission.ts` sets it. */
const OF_ONE = 3;
const WAITING_OF_ONE = 200;

describe.each(DATABASE_KINDS)('in flight on %s', (kind) => {
  const gate = gatedPasswords();
  let app: TestApp;
  let anna: Caller;
  let bert: Caller;
  let roleId: number;
  let made = 0;
  beforeAll(async () => {
    app = await startTestApp(kind, {}, { passwords: gate.passwords });
    roleId = await addRole(app, 'Bookkeeper', ['users.manage', 'roles.manage', 'clients.manage']);
    anna = (await addUser(app, 'anna', roleId)).caller;
    bert = (await addUser(app, 'bert', roleId)).caller;
  });
  afterEach(() => gate.open());
  afterAll(() => app.close());

  /** Requests of a person that run until the gate is opened, as many as one may have. */
  async function occupy(person: Caller): Promise<Promise<{ status: number }>[]> {
    gate.shut();
    const running = Array.from({ length: OF_ONE }, () => {
      made += 1;
      return person.post('/api/users', { username: `made-${made}`, fullName: 'Made', password: PASSWORD, roleId });
    });
    await eventually(() => expect(app.context.admission.requests.running).toBe(OF_ONE));
    return running;
  }

  it('H1: of sign-ins sent ahead by somebody who hangs up, one is tried', async () => {
    gate.shut();
    const head = { 'content-type': 'application/json', connection: 'keep-alive' };
    const socket = dial(app.origin);
    const signIns = Array.from({ length: 60 }, (_, nth) => {
      const body = JSON.stringify({ username: `nobody-${nth}`, password: 'anything' });
      return requestHead('POST', '/api/auth/login', { ...head, 'content-length': `${body.length}` }) + body;
    });
    socket.write(signIns.join(''));
    await eventually(() => expect(gate.waiting()).toBe(1));
    const hungUp = new Promise((done) => socket.once('close', done));
    socket.destroy();
    await hungUp;
    gate.open();
    expect((await bert.get('/api/clients')).status).toBe(200);
    const rows = await app.database.reader
      .selectFrom('attempts')
      .select('key')
      .where('key', 'like', 'pair:%')
      .execute();
    expect(rows).toHaveLength(1);
  });

  it('H2: a person whose requests take long waits for them alone; others, and the own session, do not', async () => {
    const running = await occupy(anna);
    let isAnswered = false;
    const own = anna.get('/api/clients').then((answer) => {
      isAnswered = true;
      return answer;
    });
    expect((await bert.get('/api/clients')).status).toBe(200);
    expect((await anna.get('/api/auth/me')).status).toBe(200);
    expect(isAnswered).toBe(false);
    gate.open();
    expect((await own).status).toBe(200);
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual(Array(OF_ONE).fill(201));
  });

  it('H2: what a person asks on top of what waits is refused at once, with the time to wait', async () => {
    const running = await occupy(anna);
    const waiting = Array.from({ length: WAITING_OF_ONE }, () => anna.get('/api/clients'));
    await eventually(() => expect(app.context.admission.requests.waiting).toBe(WAITING_OF_ONE));
    const { status, headers, body } = await anna.get('/api/clients');
    expect([status, headers.get('retry-after'), body]).toMatchObject([503, '1', { code: 'busy' }]);
    expect((await bert.get('/api/clients')).status).toBe(200);
    gate.open();
    expect(new Set((await Promise.all(waiting)).map((answer) => answer.status))).toEqual(new Set([200]));
    await Promise.all(running);
  });

  it('H3: what waits is not done for somebody who has hung up', async () => {
    const running = await occupy(bert);
    const hangUp = new AbortController();
    const left = bert.fetch('/api/roles', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Never asked for in the end' }),
      signal: hangUp.signal,
    });
    await eventually(() => expect(app.context.admission.requests.waiting).toBe(1));
    hangUp.abort();
    await expect(left).rejects.toThrow();
    await eventually(() => expect(app.context.admission.requests.waiting).toBe(0));
    gate.open();
    await Promise.all(running);
    const { body } = await app.admin.get<{ name: string }[]>('/api/roles');
    expect(body.map(({ name }) => name)).not.toContain('Never asked for in the end');
  });

  it('H2: rights that end while a request waits have ended for it', async () => {
    const { caller: carl } = await addUser(app, 'carl', roleId);
    const elsewhere = await app.login('carl', PASSWORD);
    const running = await occupy(carl);
    const waits = carl.get('/api/clients');
    await eventually(() => expect(app.context.admission.requests.waiting).toBe(1));
    expect((await elsewhere.delete('/api/auth/sessions')).status).toBe(204);
    gate.open();
    expect((await waits).status).toBe(401);
    await Promise.all(running);
  });

  it('H2: whoever has waited for a place does not wait for those who have only come', async () => {
    const hashing = vi.spyOn(gate.passwords, 'hash');
    const running = await occupy(anna);
    // From here on they ask for nothing that is asked on arrival.
    await eventually(() => expect(hashing).toHaveBeenCalledTimes(OF_ONE));
    const waits = anna.get('/api/clients');
    await eventually(() => expect(app.context.admission.requests.waiting).toBe(1));
    const { sessions } = app.context;
    const { byToken } = sessions;
    const found = Promise.withResolvers<void>();
    // As many of a session as are found out at once.
    const late = async (...given: Parameters<typeof byToken>) => {
      await found.promise;
      return byToken(...given);
    };
    const looked = vi.spyOn(sessions, 'byToken').mockImplementationOnce(late).mockImplementationOnce(late);
    onTestFinished(() => {
      found.resolve();
      vi.restoreAllMocks();
    });
    const come = [anna.get('/api/clients'), anna.get('/api/clients')];
    await eventually(() => expect(looked).toHaveBeenCalledTimes(2));
    gate.open();
    expect((await waits).status).toBe(200);
    found.resolve();
    expect((await Promise.all(come)).map(({ status }) => status)).toEqual([200, 200]);
    await Promise.all(running);
  });
});

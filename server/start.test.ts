// The server as an operator starts it: the first start, later ones, and how it ends; and the operator's commands.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { breadth } from './testing/breadth.ts';
import { eventually } from './testing/eventually.ts';
import { clientInput } from './testing/firm.ts';
import { lastingPort } from './testing/lasting-port.ts';
import { itInFull } from './testing/narrowed.ts';
import { newFolder } from './testing/new-folder.ts';
import { makeFileOfBefore } from './testing/older-database.ts';
import { HALF_A_MINUTE_WHEN_TOLD, HELD_HASHES } from './testing/preloads.ts';
import type { Program } from './testing/program.ts';
import { beginSignIn, CHOSEN_PASSWORD, setUpApp, signIn, signInFrom } from './testing/sign-in.ts';
import { runAdmin, STARTS_MS, startServer } from './testing/starts.ts';
import { Caller } from './testing/test-app.ts';
import { openTestDatabase, SHARED_KINDS } from './testing/test-database.ts';
import { answerOn, dial, requestHead } from './testing/threats/wire.ts';

/** No statement decides these: one engine at each run, both in `npm run test:full`. */
const KINDS: typeof SHARED_KINDS = breadth(['sqlite'], SHARED_KINDS);

const SIGN_IN = JSON.stringify({ username: 'admin', password: CHOSEN_PASSWORD });

/** Where a server finds nothing yet: a folder, and on PostgreSQL an empty database. */
async function newPlace(kind: (typeof SHARED_KINDS)[number]): Promise<Record<string, string>> {
  const DATA_DIR = newFolder();
  if (kind === 'sqlite') return { DATA_DIR };
  const { database, url, drop } = await openTestDatabase('postgres', '');
  onTestFinished(drop);
  await database.close();
  return { DATA_DIR, DATABASE_URL: url ?? '' };
}

/** A sign-in whose head is read, and which waits for its body. */
async function begun(program: Program) {
  const origin = await program.serving();
  const socket = dial(origin);
  onTestFinished(() => void socket.destroy());
  const length = String(SIGN_IN.length);
  const headers = { 'content-type': 'application/json', 'content-length': length, expect: '100-continue' };
  socket.write(requestHead('POST', '/api/auth/login', headers));
  expect((await answerOn(socket)).status).toBe(100);
  return { socket, origin };
}

describe('a server', { timeout: STARTS_MS }, () => {
  it('A21: creates the Admin at its first start, prints the password once, and keeps everything over a restart', async () => {
    const DATA_DIR = join(newFolder(), 'made', 'here');
    const first = startServer({ DATA_DIR });
    const origin = await first.serving();
    const password = first.shownPassword ?? '';
    expect(password.length).toBeGreaterThanOrEqual(12);
    expect(first.out.split(password)).toHaveLength(2);
    expect(first.out).toMatch(/user name +admin\n/);
    for (const known of ['admin', 'password', 'coffer'])
      expect((await signIn(origin, 'admin', known)).status).toBe(401);
    const { status, caller } = await signIn(origin, 'admin', password);
    expect(status).toBe(200);
    const client = await caller.post<{ id: number }>('/api/clients', clientInput('Kept LLC'));
    const file = await caller.upload<{ id: number }>({
      bytes: 'kept bytes',
      fields: { clientId: client.body.id, fileType: 'report' },
    });
    expect([client.status, file.status]).toEqual([201, 201]);
    // A connection that is kept alive does not keep the process alive.
    expect(await first.end('SIGTERM')).toBe(0);
    expect(first.err).toBe('');

    const second = startServer({ DATA_DIR });
    const again = new Caller(await second.serving(), caller.token);
    expect(second.shownPassword).toBeUndefined();
    expect(second.out).not.toMatch(/First start|password/);
    expect((await again.get(`/api/clients/${client.body.id}`)).body).toEqual(client.body);
    expect((await again.get(`/api/files/${file.body.id}/download`)).body).toBe('kept bytes');
    expect((await signIn(again.origin, 'admin', password)).status).toBe(200);
    expect(await second.end('SIGINT')).toBe(0);

    // The password is in no file of the folder.
    for (const entry of readdirSync(DATA_DIR, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) expect(readFileSync(join(entry.parentPath, entry.name)).includes(password)).toBe(false);
    }
  });

  it('answers what was begun where a signal comes twice, as to a whole group of processes, and ends at once at a later one', async () => {
    const environment = { DATA_DIR: newFolder(), ADMIN_PASSWORD: CHOSEN_PASSWORD };
    const server = startServer(environment);
    const { socket, origin } = await begun(server);
    server.signal('SIGTERM');
    // It has heard that one, and closes.
    await eventually(() => expect(fetch(`${origin}/healthz`)).rejects.toThrow());
    server.signal('SIGINT');
    const answer = answerOn(socket);
    socket.write(SIGN_IN);
    expect((await answer).status).toBe(200);
    socket.end();
    expect([await server.exit(), server.err]).toEqual([0, '']);

    const again = startServer(environment);
    await begun(again);
    let code: number | null = null;
    void again.exit().then((ended) => {
      code = ended;
    });
    await eventually(() => {
      again.signal('SIGINT');
      expect(code).toBe(1);
    });
  });

  it('cuts what has not ended thirty seconds after a signal, and ends with 1', async () => {
    const environment = { DATA_DIR: newFolder(), ADMIN_PASSWORD: CHOSEN_PASSWORD };
    const server = startServer(environment, HALF_A_MINUTE_WHEN_TOLD);
    const { socket, origin } = await begun(server);
    const isCut = new Promise((cut) => socket.once('end', cut).once('close', cut));
    server.signal('SIGTERM');
    // It listens no more, and waits for what was begun.
    await eventually(() => expect(fetch(`${origin}/healthz`)).rejects.toThrow());
    server.signal('SIGWINCH');
    expect([await server.exit(), server.err]).toEqual([1, 'killed by timeout (30000ms)\n']);
    await isCut;
  });

  it('G125: does not start where the folder of its files is missing, makes none, and starts once it is back', async () => {
    const DATA_DIR = newFolder();
    const first = startServer({ DATA_DIR, ADMIN_PASSWORD: 'correct horse' });
    const origin = await first.serving();
    const { caller } = await signIn(origin, 'admin', 'correct horse');
    const { body: client } = await caller.post<{ id: number }>('/api/clients', clientInput('Kept LLC'));
    const fields = { clientId: client.id, fileType: 'report' };
    const { body: file } = await caller.upload<{ id: number }>({ bytes: 'kept bytes', fields });
    expect(await first.end('SIGTERM')).toBe(0);

    const [blobs, away] = [join(DATA_DIR, 'blobs'), join(DATA_DIR, 'away')];
    renameSync(blobs, away);
    const lost = startServer({ DATA_DIR });
    expect([await lost.exit(), lost.out]).toEqual([1, '']);
    expect(lost.err).toMatch(/^Coffer cannot start: BLOB_URL: the folder of the files is missing[^\n]*\n[^\n]*\n$/);
    const doctor = runAdmin(['doctor'], { DATA_DIR });
    expect(await doctor.exit()).toBe(1);
    expect(existsSync(blobs)).toBe(false);

    renameSync(away, blobs);
    const back = startServer({ DATA_DIR });
    const again = new Caller(await back.serving(), caller.token);
    expect((await again.get(`/api/files/${file.id}/download`)).body).toBe('kept bytes');
    expect(await back.end('SIGTERM')).toBe(0);
  });

  it('F8: takes the Admin’s name and password from the environment, and does not repeat the password', async () => {
    const program = startServer({ DATA_DIR: newFolder(), ADMIN_USERNAME: 'owner', ADMIN_PASSWORD: CHOSEN_PASSWORD });
    const origin = await program.serving();
    expect(program.out).toMatch(/user name +owner\n/);
    expect(program.out + program.err).not.toContain(CHOSEN_PASSWORD);
    expect((await signIn(origin, 'OWNER', CHOSEN_PASSWORD)).status).toBe(200);
    expect((await signIn(origin, 'admin', CHOSEN_PASSWORD)).status).toBe(401);
  });

  itInFull('prints the Admin’s password at the next start where the first one failed', async () => {
    const busy = createServer();
    await new Promise<void>((done) => busy.listen(0, '127.0.0.1', done));
    onTestFinished(() => new Promise<void>((done) => busy.close(() => done())));
    const port = String((busy.address() as { port: number }).port);
    const DATA_DIR = newFolder();
    const failed = startServer({ DATA_DIR, PORT: port });
    expect(await failed.exit()).toBe(1);
    const next = startServer({ DATA_DIR });
    const origin = await next.serving();
    const password = next.shownPassword ?? failed.shownPassword;
    expect(password).toBeDefined();
    expect((await signIn(origin, 'admin', password ?? '')).status).toBe(200);
  });

  it.each(KINDS)('is not ready before its first Admin can sign in, on %s', async (kind) => {
    const PORT = String(await lastingPort());
    const environment = { ...(await newPlace(kind)), PORT, LOG_LEVEL: 'warn', ADMIN_PASSWORD: CHOSEN_PASSWORD };
    const program = startServer(environment, HELD_HASHES);
    const anybody = new Caller(`http://127.0.0.1:${PORT}`, null);
    await eventually(async () => expect((await anybody.get('/healthz')).status).toBe(200));
    const early = await anybody.get<ErrorBody>('/readyz');
    expect([early.status, early.body.code]).toEqual([503, 'unavailable']);
    expect(program.out).not.toContain('is serving on');
    program.signal('SIGUSR2');
    await eventually(async () => expect((await anybody.get('/readyz')).status).toBe(200));
    expect((await signIn(anybody.origin, 'admin', CHOSEN_PASSWORD)).status).toBe(200);
    expect([await program.end('SIGTERM'), program.err]).toEqual([0, '']);
  });

  itInFull('started twice at once on one empty folder creates one Admin, and both serve', async () => {
    const DATA_DIR = newFolder();
    const programs = [startServer({ DATA_DIR }), startServer({ DATA_DIR })];
    const origins = await Promise.all(programs.map((program) => program.serving()));
    const passwords = programs.map((program) => program.shownPassword).filter((password) => password !== undefined);
    expect(passwords).toHaveLength(1);
    for (const origin of origins) expect((await signIn(origin, 'admin', passwords[0] ?? '')).status).toBe(200);
  });

  it('F8: does not start in a wrong environment, and prints a line for each fault without its value', async () => {
    const DATA_DIR = join(newFolder(), 'untouched');
    const wrong = {
      PORT: 'secret-port',
      DATABASE_URL: 'mysql://secret-url',
      ADMIN_PASSWORD: 'sec',
      TRUST_PROXY: 'secret-proxy',
      LOG_LEVEL: 'secret-level',
      MAX_UPLOAD_BYTES: 'secret-size',
      SUPPORT_EMAIL: 'secret-mail',
    };
    const program = startServer({ DATA_DIR, ...wrong });
    expect([await program.exit(), program.out]).toEqual([1, '']);
    const lines = program.err.trimEnd().split('\n');
    const named = lines.map((line) => /^Coffer cannot start: ([A-Z_]+): \S.+$/.exec(line)?.[1]);
    expect(named.toSorted()).toEqual(Object.keys(wrong).toSorted());
    expect(program.err).not.toMatch(/secret|mysql|\bsec\b/);
    expect(existsSync(DATA_DIR)).toBe(false);
  });
});

describe('the operator’s command', { timeout: STARTS_MS }, () => {
  const shown = (program: Program) => /^New password for (\S+): (\S+)$/m.exec(program.out);

  async function resetsBesideAServer(environment: Record<string, string>): Promise<void> {
    const origin = await startServer({ ...environment, ADMIN_PASSWORD: CHOSEN_PASSWORD }).serving();
    const { caller } = await signIn(origin, 'admin', CHOSEN_PASSWORD);
    expect((await caller.get('/api/auth/me')).status).toBe(200);
    // G6: it also helps somebody who is locked out after too many failures.
    const elsewhere = (password: string, from = '127.0.9.99') => signInFrom(origin, 'admin', password, { from });
    for (let nth = 0; nth < 50; nth += 1) await elsewhere('not it', `127.0.9.${1 + Math.floor(nth / 5)}`);
    expect((await elsewhere(CHOSEN_PASSWORD)).status).toBe(429);

    const reset = runAdmin(['reset-password', 'ADMIN'], environment);
    expect([await reset.exit(), reset.err]).toEqual([0, '']);
    const [, username, password = ''] = shown(reset) ?? [];
    expect([username, password.length >= 12]).toEqual(['ADMIN', true]);

    expect((await caller.get('/api/auth/me')).status).toBe(401);
    expect((await signIn(origin, 'admin', CHOSEN_PASSWORD)).status).toBe(401);
    const back = await signIn(origin, 'admin', password);
    expect(back.status).toBe(200);
    // The server remembers a lockout for a second.
    await eventually(async () => expect((await elsewhere(password)).status).toBe(200));
    // Whoever ran the command has seen it.
    expect((await back.caller.get('/api/activity-logs')).status).toBe(403);
    const own = { currentPassword: password, newPassword: CHOSEN_PASSWORD };
    expect((await back.caller.post('/api/auth/password', own)).status).toBe(200);
    const { caller: admin } = await signIn(origin, 'admin', CHOSEN_PASSWORD);
    const { body: log } = await admin.get<{ userName: string; details: string }[]>('/api/activity-logs?limit=1');
    expect(log).toMatchObject([{ userName: 'Operator', details: 'Password reset by the operator: admin' }]);
  }

  it.each(KINDS)('sets a password next to a running server and ends every session of the user, on %s', async (kind) =>
    resetsBesideAServer(await newPlace(kind)),
  );

  itInFull('resets a second factor next to a running server: the next sign-in sets up a new one', async () => {
    const environment = { DATA_DIR: newFolder(), SAFEGUARDS: 'on' };
    const program = startServer({ ...environment, ADMIN_PASSWORD: CHOSEN_PASSWORD });
    const origin = await program.serving();
    expect(program.out).toContain('SAFEGUARDS=on');
    const { caller } = await setUpApp(origin);
    expect((await caller.get('/api/auth/me')).status).toBe(200);
    const { challenge, onTheWay } = await beginSignIn(origin);
    expect(challenge).toMatchObject({ enrols: false, methods: ['totp', 'recovery'] });

    const reset = runAdmin(['reset-second-factor', 'Admin'], environment);
    expect([await reset.exit(), reset.err]).toEqual([0, '']);
    expect(reset.out).toMatch(/^The second factors of Admin are removed\.\n/);
    expect((await caller.get('/api/auth/me')).status).toBe(401);
    expect((await onTheWay.post('/api/auth/factors/totp')).status).toBe(401);
    expect((await beginSignIn(origin)).challenge).toMatchObject({ enrols: true, methods: [] });
    const { body: events } = await (await setUpApp(origin)).caller.get<{ kind: string; actorName: string }[]>(
      '/api/auth/events',
    );
    expect(events.find(({ kind }) => kind === 'second_factor_reset')).toMatchObject({ actorName: 'Operator' });
    const unknown = runAdmin(['reset-second-factor', 'nobody'], environment);
    expect([await unknown.exit(), unknown.err]).toEqual([1, 'There is no user named nobody.\n']);
  });

  it('prints one line that says what is wrong', async () => {
    const DATA_DIR = newFolder();
    const down = runAdmin(['reset-password', 'admin'], {
      DATA_DIR,
      DATABASE_URL: 'postgres://coffer:secret@127.0.0.1:1/x',
    });
    expect([await down.exit(), down.out]).toEqual([1, '']);
    expect(down.err).toMatch(/^the database does not answer[^\n]*\n$/);
    const unset = 'The words after reset-password are not those it takes.\n\n';
    for (const [args, fault] of [
      [[], ''],
      [['reset-password'], unset],
      [['reset-password', ''], unset],
      [['drop-everything', 'now'], 'There is no command drop-everything.\n\n'],
      [['restore', DATA_DIR, '--at', ''], 'The words after restore are not those it takes.\n\n'],
    ] as const) {
      const confused = runAdmin(args, { DATA_DIR });
      expect([args, await confused.exit(), confused.out]).toEqual([args, 2, '']);
      expect(confused.err.startsWith(`${fault}Usage: npm run admin`)).toBe(true);
    }
    const option = runAdmin(['reset-password', 'admin', '--force'], { DATA_DIR });
    expect([await option.exit(), option.out]).toEqual([2, '']);
    const rule = runAdmin(['backup', join(DATA_DIR, 'backups'), '--keep', '7x'], { DATA_DIR });
    expect([await rule.exit(), rule.out]).toEqual([2, '']);
    expect(rule.err).toMatch(/^--keep: must be like 7d,4w,12m/);
    const place = runAdmin(['move', '--to-blobs', 'ftp://secret'], { DATA_DIR });
    expect([await place.exit(), place.out]).toEqual([2, '']);
    expect(place.err).toBe('--to-blobs: must start with file: or s3://\n');
    expect(option.err).toMatch(/^Unknown option '--force'[^\n]*\n\nUsage: npm run admin/);
  });

  it('ends as it would where nobody reads its words to the end', async () => {
    const child = spawn(process.execPath, ['server/admin.ts', 'help'], {
      cwd: join(import.meta.dirname, '..'),
      env: { DATA_DIR: newFolder() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect([code, err]).toEqual([0, '']);
  });

  it('says which keys are in use, and makes none', async () => {
    const DATA_DIR = newFolder();
    const { database } = await openTestDatabase('sqlite', join(DATA_DIR, 'coffer.db'));
    await database.migrate();
    await database.close();
    const asked = runAdmin(['keys', 'status'], { DATA_DIR });
    expect([await asked.exit(), asked.out, asked.err]).toEqual([0, 'No file is stored yet.\n', '']);
    expect(existsSync(join(DATA_DIR, 'files.keys'))).toBe(false);
  });

  it('says of a new key what is encrypted under it: nothing where files are stored in plain', async () => {
    const DATA_DIR = newFolder();
    const { database } = await openTestDatabase('sqlite', join(DATA_DIR, 'coffer.db'));
    await database.migrate();
    await database.close();
    for (const [ENCRYPTION, told] of [
      ['on', /^Key 2 is added to [^\n]*files\.keys\. New files are encrypted under it, [^\n]*\.\nKeep /],
      ['off', /^Key 3 is added to [^\n]*files\.keys\. With ENCRYPTION=off nothing is [^\n]*\.\nKeep /],
    ] as const) {
      const asked = runAdmin(['keys', 'rotate'], { DATA_DIR, ENCRYPTION });
      expect([await asked.exit(), asked.err]).toEqual([0, '']);
      expect(asked.out).toMatch(told);
    }
  });

  it.each([['reset-password', 'admin'], ['reset-second-factor', 'admin'], ['reindex'], ['keys', 'rotate']])(
    'brings no database to a newer version under a server that runs: %s',
    async (...words) => {
      const DATA_DIR = newFolder();
      await makeFileOfBefore(join(DATA_DIR, 'coffer.db'));
      const refused = runAdmin(words, { DATA_DIR });
      expect([await refused.exit(), refused.out]).toEqual([1, '']);
      expect(refused.err).toMatch(
        /^The database was made by an older Coffer [^\n]* Start this version on it once\.\n$/,
      );
      expect(existsSync(join(DATA_DIR, 'files.keys'))).toBe(false);
    },
  );

  it('makes no database where there is none, since that is a wrong address', async () => {
    const DATA_DIR = join(newFolder(), 'elsewhere');
    const lost = runAdmin(['reset-password', 'admin'], { DATA_DIR });
    expect([await lost.exit(), lost.out]).toEqual([1, '']);
    expect(lost.err).toMatch(/^There is no database\. Check DATA_DIR and DATABASE_URL\.\n$/);
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it('says of a folder that it may not look into, and not that there is no database', async () => {
    const DATA_DIR = join(newFolder(), 'round');
    // Rights stop nobody who is root. A link that leads to itself stops everybody.
    symlinkSync(DATA_DIR, DATA_DIR);
    const refused = runAdmin(['reset-password', 'admin'], { DATA_DIR });
    expect([await refused.exit(), refused.out]).toEqual([1, '']);
    expect(refused.err).toBe(
      `${join(DATA_DIR, 'coffer.db')} cannot be read or written (ELOOP). Check DATA_DIR and its rights.\n`,
    );
  });

  itInFull('shows its commands to whoever asks for them', async () => {
    for (const args of [['help'], ['--help'], ['move', '--help'], ['reset-password', '-h']]) {
      const asked = runAdmin(args, { DATA_DIR: newFolder() });
      expect([args, await asked.exit(), asked.err]).toEqual([args, 0, '']);
      expect(asked.out).toMatch(/^Usage: npm run admin -- <command>(.*\n)+ {2}reset-password <user name>/);
      expect(asked.out).toContain('./coffer admin <command>');
      // What each does begins in one column; what is too long for that has its own line.
      const columns = asked.out
        .split('\n')
        .slice(2, -1)
        .map((line) => (/^ {2}\S+(?: \S+)* {2,}(?=\S)/.exec(line) ?? /^ +/.exec(line))?.[0].length);
      expect(columns.filter((column) => column !== 36)).toEqual([2]);
    }
  });
});

// Several servers on one PostgreSQL that ask for second factors: what is shown to the one holds at the others.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { Challenge, LoginResponse } from '#contract/session.ts';
import { eventually } from './testing/eventually.ts';
import { CHEAP_HASHES } from './testing/preloads.ts';
import { Program } from './testing/program.ts';
import { beginSignIn, CHOSEN_PASSWORD, setUpApp, signIn } from './testing/sign-in.ts';
import { Caller } from './testing/test-app.ts';
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts';

const PERSONS_PASSWORD = 'nobody guesses this one';
const SOON = { timeout: 60_000, interval: 50 };
// Processes that start together beside the rest of the tests may take long.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

describe.skipIf(inject('postgresUrl') === null)('two servers that ask for second factors', () => {
  let folder: string;
  let made: TestDatabase;
  const programs: Program[] = [];
  let one: string;
  let two: string;
  /** Another key is asked for than of the first two. Nothing was sealed yet when it started, so nothing was wrong. */
  let three: string;

  async function start(environment: Readonly<Record<string, string>> = {}): Promise<string> {
    const program = new Program([...CHEAP_HASHES, 'server/main.ts'], {
      DATA_DIR: folder,
      DATABASE_URL: made.url ?? '',
      ADMIN_PASSWORD: CHOSEN_PASSWORD,
      PORT: '0',
      SAFEGUARDS: 'on',
      LOG_LEVEL: 'warn',
      ...environment,
    });
    programs.push(program);
    return program.serving();
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'coffer-factors-'));
    made = await openTestDatabase('postgres', '', { migrated: true });
    [one, two, three] = await Promise.all([start(), start(), start({ SECRETS_KEY_FILE: join(folder, 'other.key') })]);
  });
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.end('SIGKILL')));
    await made?.database.close();
    await made?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const byCode = (origin: string, challenge: string, code: string | null) =>
    new Caller(origin, null).post<LoginResponse & ErrorBody>('/api/auth/second-factor', {
      challenge,
      factor: { method: 'totp', code },
    });
  /** Ends the waits that earlier tries have begun; a server remembers one that it has found for a second. */
  async function forgetTries(): Promise<void> {
    await made.database.transaction((tx) => tx.deleteFrom('attempts').execute());
    for (const origin of [one, two]) {
      await eventually(async () => expect((await signIn(origin, 'admin', CHOSEN_PASSWORD)).status).toBe(200));
    }
  }

  it('A23: count wrong codes together, take a code once, and see at once what was shown to the other', async () => {
    const { caller, codeApp } = await setUpApp(one);
    const { challenge } = await beginSignIn(two);
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, nth) => byCode(nth % 2 === 0 ? one : two, challenge.token, '000000')),
    );
    const codes = guesses.map(({ body }) => body.code);
    expect(codes.filter((code) => code === 'wrong_code')).toHaveLength(5);
    expect(codes.filter((code) => code !== 'challenge_over' && code !== 'too_many')).toHaveLength(5);
    await forgetTries();
    expect((await byCode(one, challenge.token, codeApp.code())).body.code).toBe('challenge_over');

    // The app was set up at the one; what it shows opens a session at either, and once.
    await made.database.transaction((tx) => tx.updateTable('totp_secrets').set({ last_step: 0 }).execute());
    const code = codeApp.code();
    const challenges = await Promise.all([one, two, one, two].map((origin) => beginSignIn(origin)));
    const opened = await Promise.all(
      challenges.map(({ challenge: { token } }, nth) => byCode(nth % 2 === 0 ? two : one, token, code)),
    );
    expect(opened.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    await forgetTries();

    // Who has shown a factor to the one need not show it to the other.
    await made.database.transaction((tx) =>
      tx
        .updateTable('sessions')
        .set({ stepped_up_at: 1 })
        .execute()
        .then(() => tx.updateTable('totp_secrets').set({ last_step: 0 }).execute()),
    );
    const add = async (at: string) =>
      (
        await new Caller(at, caller.token).post('/api/users', {
          username: `person${new URL(at).port}`,
          password: PERSONS_PASSWORD,
          fullName: 'A Person',
          roleId: 1,
        })
      ).status;
    expect([await add(one), await add(two)]).toEqual([403, 403]);
    const shown = { factor: { method: 'totp', code: codeApp.code() } };
    expect((await new Caller(one, caller.token).post('/api/auth/reauth', shown)).status).toBe(204);
    expect([await add(two), await add(one)]).toEqual([201, 201]);
  });

  it('G21: seal nothing under another key than the first one did, and say which key is asked for', async () => {
    const { body } = await new Caller(three, null).post<{ challenge: Challenge }>('/api/auth/login', {
      username: `person${new URL(one).port}`,
      password: PERSONS_PASSWORD,
    });
    expect(body.challenge.enrols).toBe(true);
    expect((await new Caller(three, body.challenge.token).post('/api/auth/factors/totp')).status).toBe(500);
    await vi.waitFor(() => expect(programs[2]?.out).toContain('SECRETS_KEY_FILE: the key is missing'), SOON);
    expect(existsSync(join(folder, 'other.key'))).toBe(false);
    expect((await new Caller(two, body.challenge.token).post('/api/auth/factors/totp')).status).toBe(200);
  });
});

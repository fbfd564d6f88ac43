// A server that is killed in the middle of sending: before the mail server has the whole mail, and between that and its answer.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../platform/db/connect.ts';
import { eventually } from '../../testing/eventually.ts';
import { mailEnvironment, startMailServer } from '../../testing/mail-server.ts';
import { LOOK_ROUND_SOON } from '../../testing/preloads.ts';
import { Program } from '../../testing/program.ts';

const ADMIN_PASSWORD = 'correct horse';

/** As if the minutes had passed for which a process without a sign of life is believed to live. */
async function letMinutesPass(folder: string): Promise<void> {
  const database = await openDatabase(`sqlite:${join(folder, 'coffer.db')}`);
  await database.transaction(async (tx) => {
    await tx.updateTable('mails').set({ claimed_until: 0 }).where('state', '=', 'sending').execute();
    await tx.updateTable('jobs').set({ lease_until: 0 }).where('state', '=', 'running').execute();
  });
  await database.close();
}

it.each([
  ['before the last step is sent once', 'refuseRecipient', 1],
  ['between the last step and its answer is sent again under the same Message-ID', 'refuseMessage', 2],
] as const)('killed %s', { timeout: 120_000 }, async (_when, at, times) => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-killed-'));
  const mailServer = await startMailServer();
  const held = Promise.withResolvers<null>();
  const reached = Promise.withResolvers<void>();
  mailServer[at] = () => {
    reached.resolve();
    return held.promise;
  };
  const start = () =>
    new Program([...LOOK_ROUND_SOON, 'server/main.ts'], {
      ...mailEnvironment(mailServer.port),
      DATA_DIR: folder,
      PORT: '0',
      ADMIN_PASSWORD,
      LOG_LEVEL: 'warn',
    });
  const first = start();
  const origin = await first.serving();
  const post = async (path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const answer = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as { token: string; state: string };
  };
  const { token } = await post('/api/auth/login', { username: 'admin', password: ADMIN_PASSWORD });
  expect((await post('/api/mail/test', { to: 'rosa@example.com' }, token)).state).toBe('waiting');
  await reached.promise;
  await first.end('SIGKILL');
  mailServer[at] = () => null;
  held.resolve(null);
  await letMinutesPass(folder);

  const second = start();
  await second.serving();
  await eventually(() => expect(mailServer.arrived).toHaveLength(times));
  expect(new Set(mailServer.arrived.map(({ mail }) => mail.messageId)).size).toBe(1);
  await second.end('SIGTERM');
  await mailServer.close();
  rmSync(folder, { recursive: true, force: true });
});

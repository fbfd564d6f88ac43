// An outbox of many mails whose server is killed again and again, at moments spread over the sending. KILL_MAILS says how many mails.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { mailEnvironment, startMailServer } from '../../testing/mail-server.ts';
import { CHEAP_HASHES, LOOK_ROUND_SOON } from '../../testing/preloads.ts';
import { Program } from '../../testing/program.ts';
import { openTestDatabase, SHARED_KINDS } from '../../testing/test-database.ts';
import { insertMail } from '../mail-rows.ts';

const MAILS = Number(process.env['KILL_MAILS'] ?? 0) || 400;
const KILLS = 10;

/** As long as some hundred mails may take on a busy machine. */
const eventually = (assertion: () => void | Promise<void>) =>
  vi.waitFor(assertion, { timeout: 1_800_000, interval: 5 });

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe.each(SHARED_KINDS)('an outbox on %s', (kind) => {
  it('G74: whose server is killed again and again loses no mail, and sends none twice but what a kill cut off from its answer', {
    timeout: 7_200_000,
  }, async ({ annotate }) => {
    const folder = mkdtempSync(join(tmpdir(), 'coffer-outbox-'));
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
    const { database, url, drop } = await openTestDatabase(kind, join(folder, 'coffer.db'), { migrated: true });
    cleanups.push(drop, () => database.close());
    const mailServer = await startMailServer();
    cleanups.push(() => mailServer.close());
    const start = async () => {
      const program = new Program([...LOOK_ROUND_SOON, ...CHEAP_HASHES, 'server/main.ts'], {
        ...mailEnvironment(mailServer.port),
        DATA_DIR: folder,
        DATABASE_URL: url ?? '',
        ADMIN_PASSWORD: 'correct horse',
        PORT: '0',
        LOG_LEVEL: 'error',
        SEARCH_INSIDE: 'off',
      });
      cleanups.push(() => program.end('SIGKILL'));
      await program.serving();
      return program;
    };
    const ids = Array.from({ length: MAILS }, () => `<${randomUUID()}@example.com>`);
    await database.transaction(async (tx) => {
      for (const [nth, messageId] of ids.entries()) {
        const to = { toName: '', toAddress: `person${nth}@example.com` };
        const facts = JSON.stringify({ orderedBy: 'Dana Reyes' });
        await insertMail(tx, { kind: 'test', userId: null, ...to, facts, sealed: null, messageId, at: Date.now() });
      }
    });

    let program = await start();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const after = Math.floor((kill * MAILS) / (KILLS + 1));
      await eventually(() => expect(mailServer.arrived.length).toBeGreaterThanOrEqual(after));
      await program.end('SIGKILL');
      // As if the minutes had passed for which a process without a sign of life is believed to live.
      await database.transaction(async (tx) => {
        await tx.updateTable('mails').set({ claimed_until: 0 }).where('state', '=', 'sending').execute();
        await tx.updateTable('jobs').set({ lease_until: 0 }).where('state', '=', 'running').execute();
      });
      program = await start();
    }
    const stateOf = () => database.reader.selectFrom('mails').select('state').where('state', '!=', 'sent').execute();
    await eventually(async () => expect(await stateOf()).toEqual([]));

    const arrived = mailServer.arrived.map(({ mail }) => mail.messageId);
    expect(new Set(arrived)).toEqual(new Set(ids));
    const twice = arrived.length - MAILS;
    // A kill meets one mail at most.
    expect(twice).toBeLessThanOrEqual(KILLS);
    await annotate(`${MAILS} mails on ${kind}, ${KILLS} kills: none lost, ${twice} twice`);
  });
});

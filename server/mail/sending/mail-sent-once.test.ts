// That a mail is sent once, on both engines, whenever the process that sends it, its connection or its database ends.
import { describe, expect, it, vi } from 'vitest';
import type { MailRow } from '#contract/mail.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/clock.ts';
import { eventually } from '../../testing/eventually.ts';
import { mailPortal } from '../../testing/mail-portal.ts';
import type { TestMailServer } from '../../testing/mail-server.ts';
import { sendMails } from '../../testing/send-mails.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { CLAIM_MS, claimMail } from '../mail-rows.ts';

describe.each(DATABASE_KINDS)('mail on %s', (kind) => {
  let server: TestMailServer;
  let app: TestApp;
  const { order, list, only, sendBy } = mailPortal(kind, (met) => {
    ({ app, server } = met);
  });
  /** The server answers no recipient until `held` is resolved; `reached` once one waits. */
  function heldUp() {
    const held = Promise.withResolvers<null>();
    const reached = Promise.withResolvers<void>();
    server.refuseRecipient = () => {
      reached.resolve();
      return held.promise;
    };
    return { reached, held };
  }

  it('G74: whose answer is lost is sent again under the same Message-ID, and says that it may have arrived', async () => {
    server.hangUpAfterNext();
    await order('rosa@example.com');
    await sendMails(app);
    expect(await only()).toMatchObject({
      state: 'waiting',
      error: 'The connection to the mail server 127.0.0.1 ended before it answered. The mail may have arrived.',
    });
    app.advance(MINUTE_MS);
    await sendMails(app);
    expect((await only()).state).toBe('sent');
    const [first, second, ...more] = server.arrived.map(({ mail }) => mail.messageId);
    expect(more).toEqual([]);
    expect(second).toBe(first);
  });

  it('G74: of a process that was killed is sent by the next one, once', async () => {
    await order('rosa@example.com');
    // Killed after it took the mail and before it sent it.
    expect(await app.database.transaction((tx) => claimMail(tx, app.now()))).not.toBeNull();
    await sendMails(app);
    expect([(await only()).state, server.arrived.length]).toEqual(['sending', 0]);
    app.advance(CLAIM_MS);
    await Promise.all([sendMails(app), sendMails(app), sendMails(app)]);
    expect([(await only()).state, server.arrived.length]).toEqual(['sent', 1]);
  });

  it('of a process that was killed before the clock was put back is sent at once, once', async () => {
    await order('rosa@example.com');
    expect(await app.database.transaction((tx) => claimMail(tx, app.now()))).not.toBeNull();
    app.advance(-DAY_MS);
    await sendMails(app);
    app.advance(DAY_MS);
    expect([(await only()).state, server.arrived.length]).toEqual(['sent', 1]);
  });

  it('G74: is not sent by a process that slept until another one took it over', async () => {
    const { reached, held } = heldUp();
    await order('rosa@example.com');
    const slept = sendMails(app);
    await reached.promise;
    app.advance(CLAIM_MS);
    const taken = await app.database.transaction((tx) => claimMail(tx, app.now()));
    expect(taken?.attempts).toBe(2);
    held.resolve(null);
    await slept;
    expect(server.arrived).toEqual([]);
    server.refuseRecipient = () => null;
    app.advance(CLAIM_MS);
    await sendMails(app);
    expect([(await only()).state, server.arrived.length]).toEqual(['sent', 1]);
  });

  it('that is being sent while the process ends waits for the next one, and is sent once', async () => {
    const ends = new AbortController();
    const { reached, held } = heldUp();
    await order('rosa@example.com');
    const sending = sendMails(app, ends.signal);
    await reached.promise;
    ends.abort();
    await sending;
    held.resolve(null);
    expect((await only()).state).toBe('waiting');
    server.refuseRecipient = () => null;
    await sendMails(app);
    expect([(await only()).state, server.arrived.length]).toEqual(['sent', 1]);
  });

  it('G74: whose last step was taken when the process ends is waited for, is sent once, and no other is begun', async () => {
    const ends = new AbortController();
    const held = Promise.withResolvers<null>();
    const reached = Promise.withResolvers<void>();
    server.refuseMessage = () => {
      reached.resolve();
      return held.promise;
    };
    await order('rosa@example.com');
    await order('second@example.com');
    const sending = sendMails(app, ends.signal);
    await reached.promise;
    ends.abort();
    held.resolve(null);
    await sending;
    expect((await list()).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['waiting', 0],
      ['sent', 1],
    ]);
    expect(server.arrived.map(({ to }) => to[0])).toEqual(['rosa@example.com']);
  });

  it('G74: that was taken is sent once, though the database was away for a moment then', async () => {
    const transaction = vi.spyOn(app.database, 'transaction');
    server.refuseMessage = () => {
      transaction.mockRejectedValueOnce(new Error('Connection lost'));
      return null;
    };
    await order('rosa@example.com');
    await sendMails(app);
    transaction.mockRestore();
    app.advance(CLAIM_MS);
    await sendMails(app);
    expect(await only()).toMatchObject({ state: 'sent', attempts: 1 });
    expect(server.arrived).toHaveLength(1);
  });

  it('G74: that was taken while the database stays away is left as by a process that was killed, and sent again under the same Message-ID', async () => {
    await sendBy(
      'smtp://127.0.0.1',
      server.port,
      async (other) => {
        const reached = Promise.withResolvers<void>();
        const transaction = vi.spyOn(other.database, 'transaction');
        server.refuseMessage = () => {
          transaction.mockImplementation(() => {
            reached.resolve();
            return Promise.reject(new Error('Connection lost'));
          });
          return null;
        };
        let isOver = false;
        const sending = expect(sendMails(other))
          .rejects.toThrow('Connection lost')
          .finally(() => {
            isOver = true;
          });
        await reached.promise;
        await eventually(() => {
          other.advance(15_000);
          expect(isOver).toBe(true);
        });
        await sending;
        transaction.mockRestore();
        server.refuseMessage = () => null;
        const stateNow = async () => (await other.admin.get<MailRow[]>('/api/mail/messages')).body[0]?.state;
        expect(await stateNow()).toBe('sending');
        other.advance(CLAIM_MS);
        await sendMails(other);
        expect(await stateNow()).toBe('sent');
      },
      { clock: 'standing' },
    );
    expect(server.arrived).toHaveLength(2);
    expect(new Set(server.arrived.map(({ mail }) => mail.messageId)).size).toBe(1);
  });
});

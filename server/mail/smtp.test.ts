// Mail servers that fall silent or are not to be trusted, on both engines: how long they are waited for, and what they are not given.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { MailRow } from '#contract/mail.ts';
import { MINUTE_MS } from '../platform/clock.ts';
import { mailPortal } from '../testing/mail-portal.ts';
import { startMailServer, type TestMailServer } from '../testing/mail-server.ts';
import { sendMails } from '../testing/send-mails.ts';
import type { TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { ONE_MAIL_MS, SMTP_TIMEOUTS } from './smtp.ts';

describe.each(DATABASE_KINDS)('mail for a server that is silent or not to be trusted on %s', (kind) => {
  let server: TestMailServer;
  let app: TestApp;
  const usual = { ...SMTP_TIMEOUTS };
  const { order, only, sendBy } = mailPortal(kind, (met) => {
    ({ app, server } = met);
  });

  it('waits for a server that says nothing no longer than it may, and keeps the mail', async () => {
    const silent = createServer(() => {});
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    Object.assign(SMTP_TIMEOUTS, { greetingTimeout: 100, socketTimeout: 100 });
    const { port } = silent.address() as AddressInfo;
    await sendBy('smtp://127.0.0.1', port, async (other) => {
      await sendMails(other);
      const { body } = await other.admin.get<MailRow[]>('/api/mail/messages');
      expect(body[0]).toMatchObject({
        state: 'waiting',
        error: `The mail server 127.0.0.1:${port} did not answer in time. If it stays so, check SMTP_URL and the firewall.`,
      });
    });
    silent.close();
  });

  it('waits no longer for one that falls silent after the recipient or after the last dot, and may have arrived after that', async () => {
    const silence = new Promise<null>(() => {});
    Object.assign(SMTP_TIMEOUTS, { socketTimeout: 1_000 });
    server.refuseRecipient = () => silence;
    const { id } = await order('rosa@example.com');
    await sendMails(app);
    expect(await only()).toMatchObject({
      state: 'waiting',
      error: `The mail server 127.0.0.1:${server.port} did not answer in time. If it stays so, check SMTP_URL and the firewall.`,
    });
    server.refuseRecipient = () => null;
    server.refuseMessage = () => silence;
    app.advance(MINUTE_MS);
    await sendMails(app);
    expect(await only()).toMatchObject({
      state: 'waiting',
      error: 'The connection to the mail server 127.0.0.1 ended before it answered. The mail may have arrived.',
    });
    Object.assign(SMTP_TIMEOUTS, usual);
    server.refuseMessage = () => null;
    app.advance(2 * MINUTE_MS);
    await sendMails(app);
    expect(await only()).toMatchObject({ id, state: 'sent', attempts: 3 });
    expect(server.arrived).toHaveLength(1);
  });

  it('has two minutes, also where the server goes on and on without an end', async () => {
    const reached = Promise.withResolvers<Socket>();
    const dripping = createServer((socket) => {
      socket.on('error', () => {});
      socket.write('220 slow\r\n');
      socket.on('data', (bytes) => {
        if (!bytes.toString().startsWith('RCPT')) return socket.write('250 fine\r\n');
        socket.write('250-one moment\r\n');
        return reached.resolve(socket);
      });
    });
    dripping.listen(0, '127.0.0.1');
    await once(dripping, 'listening');
    const { port } = dripping.address() as AddressInfo;
    await sendBy(
      'smtp://127.0.0.1',
      port,
      async (other) => {
        const sending = sendMails(other);
        const socket = await reached.promise;
        const stateNow = async () => (await other.admin.get<MailRow[]>('/api/mail/messages')).body[0];
        other.advance(ONE_MAIL_MS - 1);
        socket.write('250-one more moment\r\n');
        expect(await stateNow()).toMatchObject({ state: 'sending' });
        other.advance(1);
        await sending;
        expect(await stateNow()).toMatchObject({
          state: 'waiting',
          error: `The mail server 127.0.0.1:${port} did not answer in time. If it stays so, check SMTP_URL and the firewall.`,
        });
      },
      { clock: 'standing' },
    );
    dripping.close();
  });

  it.each([
    ['smtps://127.0.0.1', { secure: true }],
    ['smtp://127.0.0.1?tls=required', { starttls: true }],
  ])('G73: is not given to a server whose certificate nobody vouches for (%s)', async (how, options) => {
    const other = await startMailServer(options);
    await sendBy(how, other.port, async (portal) => {
      await sendMails(portal);
      const { body } = await portal.admin.get<MailRow[]>('/api/mail/messages');
      expect(body[0]?.state).toBe('waiting');
      expect(body[0]?.error).toMatch(
        /^The certificate of the mail server 127\.0\.0\.1 is not valid, so nothing was sent: .*NODE_EXTRA_CA_CERTS\.$/,
      );
    });
    expect(other.arrived).toEqual([]);
    await other.close();
  });

  it('G73: is not given in plain where encryption is asked for, nor told the password when it is refused', async () => {
    const plain = await startMailServer();
    await sendBy('smtp://127.0.0.1?tls=required', plain.port, async (portal) => {
      await sendMails(portal);
      const { body } = await portal.admin.get<MailRow[]>('/api/mail/messages');
      expect(body[0]?.error).toMatch(
        /^There is no encrypted connection to the mail server 127\.0\.0\.1:\d+: .* Check SMTP_URL: smtps:/,
      );
    });
    expect(plain.arrived).toEqual([]);
    await plain.close();

    const guarded = await startMailServer({ account: { user: 'portal', password: 'other' } });
    await sendBy('smtp://portal:very%20secret@127.0.0.1', guarded.port, async (portal) => {
      await sendMails(portal);
      const { body } = await portal.admin.get<MailRow[]>('/api/mail/messages');
      expect(body[0]).toMatchObject({
        state: 'waiting',
        error: 'The mail server 127.0.0.1 refused the account of SMTP_URL: 535 5.7.8 Authentication failed.',
      });
      const told = JSON.stringify([body, (await portal.admin.get('/api/mail')).body, portal.log]);
      expect(told).not.toMatch(/very.{1,3}secret/);
    });
    await guarded.close();
  });
});

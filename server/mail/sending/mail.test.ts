// Mail against a real mail server, on both engines: written with its act, sent once, to whom, and what is told of it.
import { describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { Jobs } from '../../platform/jobs/jobs.ts';
import { eventually } from '../../testing/eventually.ts';
import { addUser, type Firm, makeFirm, PASSWORD } from '../../testing/firm.ts';
import { mailPortal } from '../../testing/mail-portal.ts';
import type { TestMailServer } from '../../testing/mail-server.ts';
import { sendMails } from '../../testing/send-mails.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { testMail } from '../kinds/test-mail.ts';
import { addressRefusedAt } from '../mail-rows.ts';

describe.each(DATABASE_KINDS)('mail on %s', (kind) => {
  let server: TestMailServer;
  let app: TestApp;
  let firm: Firm;
  const { order, list, only, facts } = mailPortal(kind, (met) => {
    ({ app, firm, server } = met);
  });

  it('arrives as text and as HTML, in the firm’s name, and the list says so', async () => {
    expect(await facts()).toEqual({
      setUp: { server: `127.0.0.1:${server.port}`, from: 'Bücher & Ledger <portal@example.com>' },
      failing: 0,
    });
    expect(await order('rosa@example.com')).toMatchObject({ title: 'Test mail', state: 'waiting', attempts: 0 });
    await sendMails(app);
    const [{ from, to, raw, mail } = { raw: '' }] = server.arrived;
    expect([from, to, server.arrived.length]).toEqual(['portal@example.com', ['rosa@example.com'], 1]);
    expect(mail).toMatchObject({
      from: { name: 'Bücher & Ledger', address: 'portal@example.com' },
      to: [{ address: 'rosa@example.com' }],
      subject: 'Test mail from Coffer',
      attachments: [],
    });
    expect(mail?.text).toContain('Administrator has asked Coffer for this mail');
    expect(mail?.text).toContain('http://portal.example.com/');
    expect(mail?.html).toMatch(/<html lang="en" dir="ltr">[\s\S]*<h1 [^>]*>Mail works<\/h1>/);
    expect(mail?.html).toContain('prefers-color-scheme:dark');
    expect(mail?.html?.match(/<table(?! role="presentation")/g)).toBeNull();
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
    const row = await app.database.reader.selectFrom('mails').selectAll().executeTakeFirstOrThrow();
    expect([row.message_id, row.sealed]).toEqual([mail?.messageId, null]);
    expect(await only()).toMatchObject({ state: 'sent', attempts: 1, error: null, endedAt: expect.any(String) });
    await sendMails(app);
    expect(server.arrived).toHaveLength(1);
    const { body: log } = await app.admin.get<{ details: string }[]>('/api/activity-logs?limit=1');
    expect(log[0]?.details).toBe('Sent a test mail to rosa@example.com');
  });

  it('has the name, the address and the color that the firm has given itself', async () => {
    const set = async (face: object) => expect((await app.admin.put('/api/firm-settings', face)).status).toBe(200);
    const address = '12 Harbor Street\nPortland, ME 04101';
    await set({ name: 'Harbor Payroll', accent: '#0b5d4e', address, phone: '(207)-555-0100' });
    await order('rosa@example.com');
    await sendMails(app);
    await set({ name: '', accent: '', address: '', phone: '' });
    const { from, subject, text = '', html = '' } = server.arrived[0]?.mail ?? {};
    expect([from?.name, subject]).toEqual(['Bücher & Ledger', 'Test mail from Harbor Payroll']);
    expect(text).toContain('This mail was sent automatically by Harbor Payroll.');
    expect(text).toContain(`(207)-555-0100.\n${address}`);
    expect(html).toContain('background:#0b5d4e;color:#ffffff');
  });

  it('is sent by the background jobs within moments', async () => {
    const { lookRoundEveryMs } = Jobs;
    Jobs.lookRoundEveryMs = 20;
    try {
      await app.context.jobs.start();
      await order('rosa@example.com');
      await eventually(async () => expect((await only()).state).toBe('sent'));
    } finally {
      await app.context.jobs.stop();
      Jobs.lookRoundEveryMs = lookRoundEveryMs;
    }
  });

  it('exists exactly when its act has committed', async () => {
    const act = app.database.transaction(async (tx) => {
      const to = { name: 'Rosa', address: 'rosa@example.com' };
      await app.context.services.outbox.write(tx, testMail, { to, userId: null, facts: { orderedBy: 'X' } }, app.now());
      throw new Error('Not done after all');
    });
    await expect(act).rejects.toThrow('Not done after all');
    expect(await list()).toEqual([]);
  });

  it('G75: of somebody who was deleted meanwhile, or may not send it any more, is not sent', async () => {
    const [gone, demoted] = [
      await addUser(app, 'gone.admin', firm.roles.admin),
      await addUser(app, 'demoted.admin', firm.roles.admin),
    ];
    await order('one@example.com', await app.login('gone.admin', PASSWORD));
    await order('two@example.com', await app.login('demoted.admin', PASSWORD));
    await app.admin.delete(`/api/users/${gone.id}`);
    await app.admin.put(`/api/users/${demoted.id}`, {
      username: 'demoted.admin',
      fullName: 'Demoted Admin',
      roleId: firm.roles.client,
    });
    await sendMails(app);
    expect((await list()).map(({ state, error }) => [state, error])).toEqual([
      ['dropped', 'Who asked for it may not do so any more.'],
      ['dropped', 'The person was deleted meanwhile.'],
    ]);
    expect(server.arrived).toEqual([]);
    for (const { id } of await list())
      expect((await app.admin.post(`/api/mail/messages/${id}/retry`)).status).toBe(409);
  });

  it('G71: goes to one address that is one, and to no other', async () => {
    const bad = [
      '',
      'rosa',
      'rosa@example.com\r\nRCPT TO:<other@example.com>',
      'rosa@example.com\nBcc: other@example.com',
      'rosa@example.com, other@example.com',
      'Rosa <rosa@example.com>',
      '<rosa@example.com>',
      'rosa@[127.0.0.1]',
      'rosa@exämple.com>',
      'розa@example.com',
      `${'a'.repeat(300)}@example.com`,
      'rosa@example.com\u202e',
      '"rosa\\" x"@example.com',
    ];
    for (const to of bad) {
      const { status, body } = await app.admin.post<ErrorBody>('/api/mail/test', { to });
      expect([to, status, body.fields]).toEqual([to, 400, { to: 'Invalid email address' }]);
    }
    expect(await list()).toEqual([]);
    expect((await order('rosa@exämple.com')).toAddress).toBe('rosa@xn--exmple-cua.com');
    await sendMails(app);
    // As the test's server shows it.
    expect(server.arrived.map(({ to }) => to)).toEqual([['rosa@exämple.com']]);
    // One that came into the database by whatever way is no command either.
    await app.database.transaction((tx) =>
      app.context.services.outbox.write(
        tx,
        testMail,
        { to: { name: 'R', address: 'a@b.com>\r\nRCPT TO:<x@y.com' }, userId: null, facts: { orderedBy: 'X' } },
        app.now(),
      ),
    );
    await sendMails(app);
    expect((await list())[0]).toMatchObject({ state: 'failed', error: 'This is no mail address.' });
    expect(server.arrived).toHaveLength(1);
  });

  it('is forgotten thirty days after its end, but the newest refusal of an address that is still its user’s', async () => {
    const { id } = await addUser(app, 'refused.admin', firm.roles.admin);
    const address = 'nobody@example.com';
    const setAddress = (email: string) =>
      app.database.transaction((tx) => tx.updateTable('users').set({ email }).where('id', '=', id).execute());
    const isTold = async () => {
      const { at } = await app.database.reader
        .selectFrom('users')
        .select(addressRefusedAt.as('at'))
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return at !== null;
    };
    await setAddress(address);
    server.refuseRecipient = (to) => (to === address ? { code: 550, words: '5.1.1 No such user' } : null);
    for (let nth = 1; nth <= 2; nth++) {
      await app.database.transaction((tx) =>
        app.context.services.outbox.write(
          tx,
          testMail,
          { to: { name: 'R', address }, userId: id, facts: { orderedBy: 'X' } },
          app.now(),
        ),
      );
      await sendMails(app);
      app.advance(1_000);
    }
    await order('rosa@example.com');
    await sendMails(app);
    const kept = async () => (await app.database.reader.selectFrom('mails').select('id').execute()).length;
    app.advance(29 * DAY_MS);
    await app.context.runMaintenance();
    expect(await kept()).toBe(3);
    app.advance(2 * DAY_MS);
    await app.context.runMaintenance();
    expect([await kept(), await isTold()]).toEqual([1, true]);
    await setAddress('another@example.com');
    await app.context.runMaintenance();
    expect([await kept(), await isTold()]).toEqual([0, false]);
  });
});

it('is not set up unless the server is told how: nothing is written, and the page says so', async () => {
  const app = await startTestApp('sqlite');
  try {
    expect((await app.admin.get('/api/mail')).body).toEqual({ setUp: null, failing: 0 });
    // Whoever reminds has no Mail page, and is told whom to ask.
    const { cpa } = (await makeFirm(app)).viewers;
    for (const refused of [
      await app.admin.post<ErrorBody>('/api/mail/test', { to: 'rosa@example.com' }),
      await cpa.post<ErrorBody>('/api/unopened/reminders', {}),
    ]) {
      const { status, body } = refused;
      expect([status, body.message]).toEqual([409, 'Mail is not set up. Ask an Admin, whose Mail page says how.']);
    }
    expect((await cpa.get('/api/mail')).status).toBe(403);
    expect((await app.admin.get('/api/mail/messages')).body).toEqual([]);
  } finally {
    await app.close();
  }
});

// Mail that is not taken at once, on both engines: the server is away, refuses or puts off, and it is tried again.
import { describe, expect, inject, it } from 'vitest';
import type { MailRow, MailsRetried } from '#contract/mail.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/clock.ts';
import { mailPortal } from '../../testing/mail-portal.ts';
import type { TestMailServer } from '../../testing/mail-server.ts';
import { sendMails } from '../../testing/send-mails.ts';
import { someoneWaits } from '../../testing/someone-waits.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';

describe.each(DATABASE_KINDS)('mail that waits on %s', (kind) => {
  let server: TestMailServer;
  let app: TestApp;
  const { order, list, only, facts, serverAgain } = mailPortal(kind, (met) => {
    ({ app, server } = met);
  });

  it('waits with growing waits while the server is away, says why, and arrives once it is back', async () => {
    await server.close();
    await order('rosa@example.com');
    await order('second@example.com');
    await sendMails(app);
    const why = `Nothing answers at the mail server 127.0.0.1:${server.port}. Check SMTP_URL, and whether it runs.`;
    // The second one waits with it: it would fare no better.
    expect((await list()).map(({ state, attempts, error }) => [state, attempts, error])).toEqual([
      ['waiting', 0, why],
      ['waiting', 1, why],
    ]);
    expect((await facts()).failing).toBe(2);
    const waits: number[] = [];
    for (let tried = 0; tried < 10; tried++) {
      const before = (await list()).at(-1) as MailRow;
      app.advance(Date.parse(before.dueAt) - app.now());
      await sendMails(app);
      await sendMails(app);
      const { dueAt } = (await list()).at(-1) as MailRow;
      waits.push(Math.round((Date.parse(dueAt) - app.now()) / MINUTE_MS));
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 240, 240, 240]);
    await serverAgain();
    app.advance(4 * 60 * MINUTE_MS);
    await sendMails(app);
    expect(server.arrived.map(({ to }) => to[0]).sort()).toEqual(['rosa@example.com', 'second@example.com']);
    expect((await list()).map(({ state }) => state)).toEqual(['sent', 'sent']);
    expect((await facts()).failing).toBe(0);
  });

  it('is tried at once where it is due so late that the clock was put back since, and no sooner otherwise', async () => {
    server.refuseRecipient = () => ({ code: 450, words: '4.2.2 Mailbox full' });
    await order('rosa@example.com');
    await sendMails(app);
    server.refuseRecipient = () => null;
    await sendMails(app);
    expect(await only()).toMatchObject({ state: 'waiting', attempts: 1 });
    app.advance(-DAY_MS);
    await sendMails(app);
    app.advance(DAY_MS);
    expect(await only()).toMatchObject({ state: 'sent', attempts: 2 });
  });

  it('has failed when it could not be delivered for three days, and is tried again when an Admin asks', async () => {
    server.refuseRecipient = () => ({ code: 450, words: '4.2.2 Mailbox full' });
    const { id } = await order('rosa@example.com');
    expect((await app.admin.post(`/api/mail/messages/${id}/retry`)).status).toBe(409);
    app.advance(3 * DAY_MS);
    await sendMails(app);
    expect(await only()).toMatchObject({
      state: 'failed',
      error: 'Given up after three days. The mail server asks to try again later: 450 4.2.2 Mailbox full.',
    });
    expect((await facts()).failing).toBe(1);
    expect((await list('?state=failed')).length + (await list('?state=sent')).length).toBe(1);
    // Counted and listed for as long again.
    const failing = async () => [(await facts()).failing, (await list('?failing=true&state=failed')).length];
    expect(await failing()).toEqual([1, 1]);
    app.advance(3 * DAY_MS);
    expect(await failing()).toEqual([0, 0]);
    server.refuseRecipient = () => null;
    const again = await app.admin.post<MailRow>(`/api/mail/messages/${id}/retry`);
    expect([again.status, again.body.state, again.body.error]).toEqual([200, 'waiting', null]);
    expect((await facts()).failing).toBe(0);
    await sendMails(app);
    expect((await only()).state).toBe('sent');
  });

  it('that fails is tried again at once where an Admin asks, one or all, and no other is', async () => {
    server.refuseRecipient = (to) => {
      if (to === 'nobody@example.com') return { code: 550, words: '5.1.1 No such user' };
      return to === 'rosa@example.com' ? null : { code: 450, words: '4.2.1 Busy' };
    };
    for (const to of ['nobody@example.com', 'busy@example.com', 'rosa@example.com']) await order(to);
    const { id } = await order('late@example.com');
    await sendMails(app);
    server.refuseRecipient = () => null;
    await order('new@example.com');
    const failing = async () => (await list('?failing=true')).map(({ toAddress }) => toAddress.split('@')[0]);
    expect([(await facts()).failing, await failing()]).toEqual([3, ['late', 'busy', 'nobody']]);
    const one = await app.admin.post<MailRow>(`/api/mail/messages/${id}/retry`);
    expect([one.status, one.body.state, one.body.error]).toEqual([200, 'waiting', null]);
    const retryAll = () => app.admin.post<MailsRetried>('/api/mail/messages/retry');
    expect(await failing()).toEqual(['busy', 'nobody']);
    expect(await retryAll()).toMatchObject({ status: 200, body: { mails: 2 } });
    expect([(await facts()).failing, await failing()]).toEqual([0, []]);
    await sendMails(app);
    expect((await list()).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['sent', 1],
      ['sent', 2],
      ['sent', 1],
      ['sent', 2],
      ['sent', 2],
    ]);
    expect((await retryAll()).body).toEqual({ mails: 0 });
    const { body: log } = await app.admin.get<{ details: string }[]>('/api/activity-logs?limit=2');
    expect(log.map(({ details }) => details)).toEqual([
      'Had mails tried again: 2',
      'Had a mail tried again: Test mail',
    ]);
  });

  it('that is refused for now waits, and the next one is sent over the same connection', async () => {
    let refusals = 1;
    server.refuseRecipient = (to) =>
      to === 'greylisted@example.com' && refusals-- > 0 ? { code: 451, words: '4.7.1 Greylisted' } : null;
    await order('greylisted@example.com');
    const { id } = await order('second@example.com');
    expect((await list(`?id=${id}`)).map(({ toAddress }) => toAddress)).toEqual(['second@example.com']);
    expect(await list(`?id=${id}&state=sent`)).toEqual([]);
    await sendMails(app);
    expect((await list()).map(({ state, error }) => [state, error])).toEqual([
      ['sent', null],
      ['waiting', 'The mail server asks to try again later: 451 4.7.1 Greylisted.'],
    ]);
    app.advance(MINUTE_MS);
    await sendMails(app);
    expect((await list()).map(({ state }) => state)).toEqual(['sent', 'sent']);
  });

  it('that is put off again and again for more than an hour waits longer each time, holds up nobody, and arrives once', async () => {
    let tries = 0;
    server.refuseRecipient = (to) => {
      if (to !== 'busy@example.com') return null;
      tries += 1;
      return { code: 451, words: '4.3.2 Busy' };
    };
    await order('busy@example.com');
    const waits: number[] = [];
    for (let nth = 1; nth <= 6; nth++) {
      await order(`other${nth}@example.com`);
      await sendMails(app);
      // Not before its time.
      await sendMails(app);
      expect([nth, tries, server.arrived.length]).toEqual([nth, nth, nth]);
      const busy = (await list()).find(({ toAddress }) => toAddress === 'busy@example.com') as MailRow;
      expect(busy).toMatchObject({
        state: 'waiting',
        attempts: nth,
        error: 'The mail server asks to try again later: 451 4.3.2 Busy.',
      });
      waits.push(Math.round((Date.parse(busy.dueAt) - app.now()) / MINUTE_MS));
      app.advance(Date.parse(busy.dueAt) - app.now());
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32]);
    server.refuseRecipient = () => null;
    await sendMails(app);
    await sendMails(app);
    expect(server.arrived.filter(({ to }) => to[0] === 'busy@example.com')).toHaveLength(1);
    expect((await list()).every(({ state }) => state === 'sent')).toBe(true);
  });

  it('waits where the server refuses the sender, which is no fault of the mail, and is sent once it is taken', async () => {
    server.refuseSender = () => ({ code: 550, words: '5.7.1 Not yours' });
    await order('rosa@example.com');
    await order('second@example.com');
    await sendMails(app);
    // The second one waits with it: it would fare no better.
    const why = 'The mail server 127.0.0.1 refused the sender of MAIL_FROM: 550 5.7.1 Not yours.';
    expect((await list()).map(({ state, attempts, error }) => [state, attempts, error])).toEqual([
      ['waiting', 0, why],
      ['waiting', 1, why],
    ]);
    server.refuseSender = () => null;
    app.advance(MINUTE_MS);
    await sendMails(app);
    expect((await list()).map(({ state }) => state)).toEqual(['sent', 'sent']);
  });

  it('goes at once over another connection where the server has had enough of one, and waits where a new one is refused', async () => {
    const words = '4.7.0 Too many messages';
    let asked = 0;
    server.refuseSender = () => {
      asked += 1;
      return asked === 3 ? { code: 421, words } : null;
    };
    for (const name of ['first', 'second', 'third', 'fourth']) await order(`${name}@example.com`);
    await sendMails(app);
    expect((await list()).map(({ state, attempts }) => [state, attempts])).toEqual(
      Array.from({ length: 4 }, () => ['sent', 1]),
    );
    expect(server.arrived.map(({ to }) => to[0]?.split('@')[0])).toEqual(['first', 'second', 'third', 'fourth']);
    server.refuseSender = () => ({ code: 421, words });
    const { id } = await order('fifth@example.com');
    await sendMails(app);
    expect((await list(`?id=${id}`))[0]).toMatchObject({
      state: 'waiting',
      attempts: 1,
      // Nothing is wrong with MAIL_FROM.
      error: `The connection to the mail server 127.0.0.1 failed: 421 ${words}.`,
    });
  });

  it('waits with all others where the server takes none, which is asked as often as by one mail', async () => {
    let asked = 0;
    server.refuseSender = () => {
      asked += 1;
      // As real ones do: the answer names the conversation.
      return { code: 550, words: `5.7.1 Not yours [${asked}]` };
    };
    for (let nth = 1; nth <= 5; nth++) await order(`person${nth}@example.com`);
    for (let minute = 0; minute <= 60; minute++) {
      if (minute === 40) await order('later@example.com');
      await sendMails(app);
      await sendMails(app);
      app.advance(MINUTE_MS);
    }
    // At once and after 1, 3, 7, 15 and 31 minutes, and once for the one that came later.
    expect(asked).toBe(7);
    const [, ...others] = await list();
    expect(new Set(others.map(({ dueAt }) => dueAt)).size).toBe(1);
    expect((await facts()).failing).toBe(6);
    server.refuseSender = () => null;
    const { body } = await app.admin.post<MailsRetried>('/api/mail/messages/retry');
    expect(body).toEqual({ mails: 6 });
    await sendMails(app);
    expect(server.arrived).toHaveLength(6);
  });

  it('that waits with another goes as soon as one gets through, and fails with it after three days', async () => {
    server.refuseSender = () => ({ code: 550, words: '5.7.1 Not yours' });
    await order('first@example.com');
    await order('second@example.com');
    await sendMails(app);
    server.refuseSender = () => null;
    await order('new@example.com');
    await sendMails(app);
    expect((await list()).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['sent', 1],
      ['sent', 1],
      ['waiting', 1],
    ]);
    server.refuseSender = () => ({ code: 550, words: '5.7.1 Not yours' });
    await order('last@example.com');
    await sendMails(app);
    app.advance(3 * DAY_MS);
    await sendMails(app);
    const why = 'The mail server 127.0.0.1 refused the sender of MAIL_FROM: 550 5.7.1 Not yours.';
    expect((await list('?state=failed')).map(({ error }) => error)).toEqual(
      Array.from({ length: 2 }, () => `Given up after three days. ${why}`),
    );
  });

  // The embedded engine has one connection, so nothing there can wait for another transaction.
  if (kind === 'postgres' && inject('postgresUrl') !== null) {
    it('is put off by two processes at once that come to the same mails in other orders', async () => {
      server.refuseSender = () => ({ code: 550, words: '5.7.1 Not yours' });
      const at = app.now();
      // Soon due, and the last of them given up by the second process alone, which does that before it puts off the others.
      const mails = ['one', 'held', 'last'].map((name, nth) => ({
        kind: name,
        user_id: null,
        to_name: '',
        to_address: `${name}@example.com`,
        facts: '{}',
        message_id: `${name}@portal.example.com`,
        state: 'waiting' as const,
        due_at: at + 30_000 + nth,
        give_up_at: at + (name === 'last' ? 60 * MINUTE_MS : DAY_MS),
        error: 'Busy',
        created_at: at,
      }));
      await app.database.transaction((tx) => tx.insertInto('mails').values(mails).execute());
      await order('first@example.com');
      let both: Promise<unknown> = Promise.resolve();
      await app.database.transaction(async (tx) => {
        await tx.selectFrom('mails').select('id').where('kind', '=', 'held').forUpdate().execute();
        const first = sendMails(app);
        await someoneWaits(app);
        const { id } = await order('second@example.com');
        // After so many tries it waits for two hours, the first one for a minute.
        await app.database.transaction((other) =>
          other.updateTable('mails').set({ attempts: 7 }).where('id', '=', id).execute(),
        );
        both = Promise.all([first, sendMails(app)]);
        await someoneWaits(app, 2);
      });
      await both;
      expect((await list()).map(({ toAddress, state }) => [toAddress.split('@')[0], state])).toEqual([
        ['second', 'waiting'],
        ['first', 'waiting'],
        ['last', 'failed'],
        ['held', 'waiting'],
        ['one', 'waiting'],
      ]);
    });
  }

  it('that is refused for good has failed at once, and the others are sent', async () => {
    server.refuseRecipient = (to) => (to === 'nobody@example.com' ? { code: 550, words: '5.1.1 No such user' } : null);
    server.refuseMessage = (to) => (to === 'strict@example.com' ? { code: 554, words: '5.7.1 Not wanted' } : null);
    for (const to of ['nobody@example.com', 'strict@example.com', 'rosa@example.com']) await order(to);
    await sendMails(app);
    expect((await list()).map(({ state, error }) => [state, error])).toEqual([
      ['sent', null],
      ['failed', 'The mail server refused this mail: 554 5.7.1 Not wanted.'],
      ['failed', 'The mail server refused this address: 550 5.1.1 No such user.'],
    ]);
  });
});

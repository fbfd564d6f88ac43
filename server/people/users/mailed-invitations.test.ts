// Invitations by mail: who gets the link, where it leads, where its secret is meanwhile, and which are not sent any more.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { MailRow } from '#contract/mail.ts';
import type { LoginResponse } from '#contract/session.ts';
import type { UserRow } from '#contract/users.ts';
import { newSecret as newLink } from '../../platform/secrets.ts';
import { dump } from '../../testing/dump.ts';
import { type Firm, makeFirm } from '../../testing/firm.ts';
import { mailEnvironment, startMailServer, type TestMailServer } from '../../testing/mail-server.ts';
import { sendMails } from '../../testing/send-mails.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';

describe.each(DATABASE_KINDS)('mailed invitations on %s', (kind) => {
  let server: TestMailServer;
  let app: TestApp;
  let firm: Firm;
  let made = 0;
  beforeAll(async () => {
    server = await startMailServer();
    app = await startTestApp(kind, mailEnvironment(server.port));
    firm = await makeFirm(app);
  });
  afterEach(async () => {
    await app.database.transaction((tx) => tx.deleteFrom('mails').execute());
    server.arrived.length = 0;
    server.refuseRecipient = () => null;
    server.refuseMessage = () => null;
  });
  afterAll(async () => {
    await app.close();
    await server.close();
  });

  async function invite(email = 'guest@example.com') {
    const link = newLink();
    const username = `guest ${++made}`;
    const input = { username, fullName: `Full ${username}`, roleId: firm.roles.client, email };
    const { status, body } = await app.admin.post<UserRow>('/api/users', {
      ...input,
      password: null,
      invitation: link,
    });
    expect(status).toBe(201);
    return { link, id: body.id, input };
  }
  const states = async () =>
    (await app.admin.get<MailRow[]>('/api/mail/messages')).body
      .filter(({ title }) => title === 'Invitation')
      .map(({ state, error }) => [state, error]);
  const change = async (id: number, input: object) =>
    expect((await app.admin.put(`/api/users/${id}`, input)).status).toBe(200);

  it('G76: bring the link, which is sealed until then, to the one address, and lead to the portal alone', async () => {
    const { link, input } = await invite();
    expect(JSON.stringify(await dump(app.database))).not.toContain(link);
    await sendMails(app);
    const [{ to, mail } = { to: [], mail: undefined }, ...others] = server.arrived;
    expect([to, others]).toEqual([['guest@example.com'], []]);
    expect(mail).toMatchObject({
      to: [{ name: input.fullName, address: 'guest@example.com' }],
      subject: 'Your invitation to Coffer',
    });
    const href = `http://portal.example.com/invitation#${link}`;
    expect([...(mail?.html ?? '').matchAll(/ href="([^"]*)"/g)].map(([, address]) => address)).toEqual([href, href]);
    expect(mail?.text?.match(/https?:\S+/g)).toEqual([href]);
    expect(mail?.text).toContain(`Username: ${input.username}`);
    const after = JSON.stringify(await dump(app.database));
    expect(after).not.toContain(link);
    expect(
      (await app.database.reader.selectFrom('mails').select('sealed').execute()).every((row) => row.sealed === null),
    ).toBe(true);
    // Neither the list nor the log tells it.
    expect(JSON.stringify([(await app.admin.get('/api/mail/messages')).body, app.log])).not.toContain(link);

    const joined = await app.anonymous.post<LoginResponse>('/api/auth/join', {
      token: link,
      newPassword: 'one of my own',
    });
    expect([joined.status, joined.body.user.username]).toEqual([200, input.username]);
  });

  it('G76: are not sent once they are withdrawn, replaced, used, or their person is gone', async () => {
    const withdrawn = await invite();
    expect((await app.admin.delete(`/api/users/${withdrawn.id}/invitation`)).status).toBe(204);
    const gone = await invite();
    await app.admin.delete(`/api/users/${gone.id}`);
    const used = await invite();
    await app.anonymous.post('/api/auth/join', { token: used.link, newPassword: 'one of my own' });
    const moved = await invite('old@example.com');
    await change(moved.id, { ...moved.input, password: '', email: 'new@example.com' });
    const replaced = await invite();
    const again = newLink();
    await change(replaced.id, { ...replaced.input, password: '', invitation: again });
    await sendMails(app);
    const why = 'The invitation was used, withdrawn or replaced, or has expired.';
    expect(await states()).toEqual([['sent', null], ...Array.from({ length: 5 }, () => ['dropped', why])]);
    const links = server.arrived.flatMap(({ mail }) => /\/invitation#(\S+)/.exec(mail.text ?? '')?.[1] ?? []);
    expect(links).toEqual([again]);
    expect(
      (await app.database.reader.selectFrom('mails').select('sealed').execute()).every((row) => row.sealed === null),
    ).toBe(true);
  });

  it('that the mail server refuses are told with their user, until the address is another or a mail gets through', async () => {
    const { id, input } = await invite('nobody@example.com');
    const refusedAt = async () => {
      const { body: rows } = await app.admin.get<UserRow[]>('/api/users');
      const { body } = await app.admin.get<UserRow>(`/api/users/${id}`);
      expect(rows.find((row) => row.id === id)?.mailRefusedAt).toBe(body.mailRefusedAt);
      return body.mailRefusedAt;
    };
    const sendTo = async (address: string) => {
      app.advance(1_000);
      await change(id, { ...input, email: address });
      await sendMails(app);
    };
    server.refuseMessage = () => ({ code: 554, words: '5.7.1 Not wanted' });
    await sendMails(app);
    expect(await refusedAt(), 'the mail was refused, not the address').toBeNull();
    server.refuseMessage = () => null;
    server.refuseRecipient = () => ({ code: 554, words: '5.7.1 Relay access denied' });
    await change(id, { ...input, password: '', invitation: newLink() });
    await sendMails(app);
    expect((await states())[0]).toEqual([
      'failed',
      'The mail server refused this mail: 554 5.7.1 Relay access denied.',
    ]);
    expect(await refusedAt(), 'the server relays to no address').toBeNull();
    server.refuseRecipient = (to) => (to === 'nobody@example.com' ? { code: 550, words: '5.1.1 No such user' } : null);
    // Both addresses are told of the change.
    await sendTo('somebody@example.com');
    expect(await refusedAt(), 'the address is another one').toBeNull();
    await sendTo('nobody@example.com');
    expect(await refusedAt()).toEqual(expect.any(String));
    const { cpa } = firm.viewers;
    expect((await cpa.get<UserRow[]>('/api/users')).body.map((row) => row.id)).toEqual([firm.users.cpa]);
    expect((await cpa.get(`/api/users/${id}`)).status).toBe(404);
    server.refuseRecipient = () => null;
    await sendTo('somebody@example.com');
    await sendTo('nobody@example.com');
    expect(await refusedAt(), 'a later mail got through').toBeNull();
  });

  it('are mailed to each of a list, when they are made anew too, and to nobody without an address', async () => {
    const rows = ['one@example.com', '', 'two@example.com'].map((email) => ({
      username: `listed ${++made}`,
      fullName: `Listed ${made}`,
      role: 'Client',
      email,
      password: null,
      invitation: newLink(),
    }));
    expect((await app.admin.post('/api/users/import', { rows })).status).toBe(200);
    await sendMails(app);
    const addressed = () => server.arrived.map(({ to }) => to[0]).sort();
    expect(addressed()).toEqual(['one@example.com', 'two@example.com']);

    server.arrived.length = 0;
    const anew = new Map<string, string>();
    for (const { id, email } of (await app.admin.get<UserRow[]>('/api/users?q=listed')).body) {
      const invitation = newLink();
      expect((await app.admin.post(`/api/users/${id}/invitation`, { invitation })).status).toBe(200);
      anew.set(email, invitation);
    }
    await sendMails(app);
    expect(addressed()).toEqual(['one@example.com', 'two@example.com']);
    for (const { to, mail } of server.arrived) expect(mail.text).toContain(`/invitation#${anew.get(to[0] ?? '')}`);
  });
});

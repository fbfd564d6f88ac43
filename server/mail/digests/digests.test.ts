// What people hear by mail of what is new, on both engines: who hears when of what, what is not told any more, and the link that ends it.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { localDay, localHour } from '#contract/days.ts';
import type { DigestPace, DigestTopic } from '#contract/digest-words.ts';
import type { OwnDigests, UsualDigests } from '#contract/digests.ts';
import type { FileRow } from '#contract/files.ts';
import { dayAfterDays } from '#contract/request-words.ts';
import type { RequestDetails, RequestPage, RequestRow } from '#contract/requests.ts';
import type { UserDetails } from '#contract/users.ts';
import { openSealer } from '../../platform/sealed.ts';
import { type Firm, makeFirm, type ViewerName } from '../../testing/firm.ts';
import { mailEnvironment, startMailServer, type TestMailServer } from '../../testing/mail-server.ts';
import { sendMails } from '../../testing/send-mails.ts';
import { type Caller, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { writeDigests } from '../../testing/write-digests.ts';
import { endingLink } from './ending.ts';
import { ROUND_PACES } from './rounds.ts';

const MINUTE_MS = 60_000;
/** The firm's time zone unless it says otherwise. */
const NEW_YORK = 'America/New_York';
const QUARTER_MS = 15 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SETTLES_MS = 20_000;

const PEOPLE = ['clientA', 'clientB', 'cpa', 'bookkeeper', 'admin2'] as const satisfies readonly ViewerName[];
const addressOf = (name: ViewerName) => `${name.toLowerCase()}@example.com`;

describe.each(DATABASE_KINDS)('digests on %s', (kind) => {
  let server: TestMailServer;
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    server = await startMailServer();
    app = await startTestApp(kind, mailEnvironment(server.port), { clock: 'standing' });
    firm = await makeFirm(app);
    await beginAnew();
  });
  afterEach(async () => {
    server.arrived.length = 0;
    await beginAnew();
  });
  afterAll(async () => {
    await app.close();
    await server.close();
  });

  /** As if nobody had chosen anything, and everybody had been told of what there is. */
  const beginAnew = async () => {
    // Just after a quarter of an hour, whatever the time of day: a minute later none is over, and for some hours no morning comes.
    const quarter = Math.floor(app.now() / QUARTER_MS + 1) * QUARTER_MS;
    const seven = localHour(localDay(quarter, NEW_YORK), 7, NEW_YORK);
    const begin = seven > quarter && seven - quarter < 12 * QUARTER_MS ? seven : quarter;
    app.advance(begin + SETTLES_MS - app.now());
    await app.database.transaction(async (tx) => {
      for (const table of ['mails', 'digest_choices', 'digest_rounds', 'requests'] as const)
        await tx.deleteFrom(table).execute();
      await tx.updateTable('firm_settings').set({ digests: null }).execute();
      const rounds = ROUND_PACES.map((pace) => ({ pace, done_until: app.now() }));
      await tx.insertInto('digest_rounds').values(rounds).execute();
      for (const name of PEOPLE) {
        await tx
          .updateTable('users')
          .set({ email: addressOf(name) })
          .where('id', '=', firm.users[name])
          .execute();
      }
    });
    app.advance(MINUTE_MS);
  };

  const report = async (name: string, by: Caller = app.admin, more: Record<string, number> = {}) => {
    const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0], ...more };
    const { status, body } = await by.upload<FileRow>({ name, bytes: `bytes of ${name}`, fields });
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  };
  const document = async (name: string, by: Caller) => {
    const fields = { clientId: firm.clients[0], fileType: 'company_document', documentType: 'Correspondence' };
    const { status, body } = await by.upload<FileRow>({ name, bytes: `bytes of ${name}`, fields });
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  };
  const choose = async (who: ViewerName, topic: DigestTopic, pace: DigestPace | null) => {
    const { status, body } = await firm.viewers[who].put<OwnDigests>('/api/digests', { topic, pace });
    expect(status, JSON.stringify(body)).toBe(200);
    // What comes in the same moment was there before.
    app.advance(1);
    return body;
  };
  /** Lets the clock go on until the next quarter of an hour has settled. */
  const toQuarter = async () => {
    const quarter = Math.floor(app.now() / QUARTER_MS + 1) * QUARTER_MS;
    app.advance(quarter + SETTLES_MS - app.now());
    await writeDigests(app);
  };
  const aMinuteOn = async () => {
    app.advance(MINUTE_MS);
    await writeDigests(app);
  };
  /** What came since the last time: to whom, under which subject. */
  const mailed = async () => {
    await sendMails(app);
    return server.arrived.splice(0);
  };
  const told = async () => (await mailed()).map(({ to, mail }) => `${to[0]}: ${mail.subject}`).sort();
  const states = async () =>
    (await app.database.reader.selectFrom('mails').select(['state', 'error']).orderBy('id').execute()).map(
      ({ state, error }) => [state, error],
    );

  it('one mail for twelve files, to whoever sees them, by what is usual', async () => {
    for (let n = 1; n <= 12; n++) await report(`run ${n}.pdf`);
    await report('elsewhere.pdf', app.admin, { clientId: firm.clients[2] });
    await aMinuteOn();
    expect(await told()).toEqual([]);
    await toQuarter();
    const [mail, ...others] = await mailed();
    expect(others).toEqual([]);
    expect(mail?.to).toEqual([addressOf('clientA')]);
    expect(mail?.mail.subject).toBe('Coffer: 12 new reports');
    const text = mail?.mail.text ?? '';
    expect(text).toMatch(/^run 12\.pdf: Harbor & Pine Bakery LLC, Payroll Journal$/m);
    expect(text.match(/^run \d+\.pdf: /gm)).toHaveLength(10);
    expect(text).toContain('And 2 more.');
    expect(text).toContain('http://portal.example.com/client-reports');
    expect(mail?.mail.attachments).toEqual([]);
    await toQuarter();
    expect(await told()).toEqual([]);
  });

  it('staff hear of documents that clients send, and nobody of what they did themselves', async () => {
    await document('voided check.pdf', firm.viewers.clientA);
    await document('from the firm.pdf', firm.viewers.cpa);
    await toQuarter();
    // Both are news to nobody but others; what the firm files itself is news to the client alone.
    expect(await told()).toEqual([
      `${addressOf('admin2')}: Coffer: 1 new document`,
      `${addressOf('bookkeeper')}: Coffer: 1 new document`,
      `${addressOf('clientA')}: Coffer: 1 new document`,
      `${addressOf('cpa')}: Coffer: 1 new document`,
    ]);
  });

  it('each person at the pace they chose, once', async () => {
    await choose('clientA', 'reports', 'atOnce');
    await choose('cpa', 'reports', 'daily');
    await choose('clientB', 'reports', 'never');
    await report('first.pdf');
    await report('for B.pdf', app.admin, { clientId: firm.clients[1] });
    await aMinuteOn();
    expect(await told()).toEqual([`${addressOf('clientA')}: Coffer: 1 new report`]);
    await toQuarter();
    expect(await told()).toEqual([]);
    app.advance(DAY_MS);
    await writeDigests(app);
    expect(await told()).toEqual([`${addressOf('cpa')}: Coffer: 1 new report`]);
    app.advance(DAY_MS);
    await writeDigests(app);
    expect(await told()).toEqual([]);
  });

  it('who chooses another pace hears of what waited, and of nothing twice', async () => {
    await choose('clientA', 'reports', 'daily');
    await report('waits.pdf');
    await toQuarter();
    expect(await told()).toEqual([]);
    await choose('clientA', 'reports', 'atOnce');
    await aMinuteOn();
    expect(await told()).toEqual([`${addressOf('clientA')}: Coffer: 1 new report`]);
    await choose('clientA', 'reports', 'daily');
    await report('one more.pdf');
    app.advance(DAY_MS);
    await writeDigests(app);
    const [mail, ...others] = await mailed();
    expect([others, mail?.mail.subject]).toEqual([[], 'Coffer: 1 new report']);
    expect(mail?.mail.text).toContain('one more.pdf');
    await choose('clientA', 'reports', 'never');
    await report('not wanted.pdf');
    await aMinuteOn();
    expect((await choose('clientA', 'reports', null)).topics[0]).toEqual({
      topic: 'reports',
      pace: null,
      usual: 'quarterHour',
    });
    await toQuarter();
    expect(await told()).toEqual([]);
  });

  it('nor of anything too little or too much who changes their mind before a mail is due', async () => {
    await choose('clientA', 'reports', 'daily');
    await report('waits for the morning.pdf');
    await toQuarter();
    await choose('clientA', 'reports', 'quarterHour');
    await choose('clientA', 'reports', 'atOnce');
    await aMinuteOn();
    expect(await told()).toEqual([`${addressOf('clientA')}: Coffer: 1 new report`]);

    await choose('clientA', 'reports', 'daily');
    await report('waits again.pdf');
    const quarter = Math.floor(app.now() / QUARTER_MS + 1) * QUARTER_MS;
    // Between the end of a quarter and the mails about it.
    app.advance(quarter + SETTLES_MS / 2 - app.now());
    await choose('clientA', 'reports', 'quarterHour');
    app.advance(SETTLES_MS);
    await writeDigests(app);
    await toQuarter();
    await toQuarter();
    expect(await told()).toEqual([`${addressOf('clientA')}: Coffer: 1 new report`]);
  });

  it('the firm sets what is usual, in the log, and who has chosen keeps the choice', async () => {
    await choose('clientB', 'reports', 'quarterHour');
    const { status, body } = await app.admin.put<UsualDigests>('/api/digests/usual', {
      timeZone: 'America/Chicago',
      clients: { reports: 'atOnce' },
    });
    expect([status, body.timeZone, body.clients]).toEqual([
      200,
      'America/Chicago',
      { reports: 'atOnce', documents: 'quarterHour', deleted: 'daily', requests: 'quarterHour' },
    ]);
    const { body: log } = await app.admin.get<{ details: string }[]>('/api/activity-logs?limit=2');
    expect(log.map(({ details }) => details).sort()).toEqual([
      'Set for Client users: New reports by mail at once',
      'Set the time zone of daily mails: America/Chicago',
    ]);
    await report('first.pdf');
    await report('for B.pdf', app.admin, { clientId: firm.clients[1] });
    await aMinuteOn();
    expect(await told()).toEqual([`${addressOf('clientA')}: Coffer: 1 new report`]);
    await toQuarter();
    expect(await told()).toEqual([`${addressOf('clientB')}: Coffer: 1 new report`]);
  });

  it('of what was deleted, but not of what was soon taken away again', async () => {
    await choose('clientA', 'reports', 'never');
    await choose('clientA', 'deleted', 'atOnce');
    const old = await report('last year.pdf');
    app.advance(DAY_MS);
    const mistake = await report('for somebody else.pdf');
    for (const { id } of [old, mistake]) expect((await app.admin.delete(`/api/files/${id}`)).status).toBe(204);
    await aMinuteOn();
    const [mail, ...others] = await mailed();
    expect([others, mail?.to, mail?.mail.subject]).toEqual([[], [addressOf('clientA')], 'Coffer: 1 deleted file']);
    expect(mail?.mail.text).toMatch(
      /^last year\.pdf: Harbor & Pine Bakery LLC, \w+ \d+, \d{4} at \d+:\d\d [AP]M E[SD]T$/m,
    );
    expect(mail?.raw).not.toContain('for somebody else');
  });

  it('who has no address, or has not joined, hears nothing, and is told so', async () => {
    await app.database.transaction(async (tx) => {
      await tx.updateTable('users').set({ email: '' }).where('id', '=', firm.users.clientA).execute();
      await tx
        .insertInto('invitations')
        .values({ user_id: firm.users.clientB, token_hash: null, expires_at: 0 })
        .execute();
    });
    await report('first.pdf');
    await report('for B.pdf', app.admin, { clientId: firm.clients[1] });
    await toQuarter();
    expect(await states()).toEqual([]);
    expect((await firm.viewers.clientA.get<OwnDigests>('/api/digests')).body).toMatchObject({
      isOn: true,
      address: '',
    });
    await app.database.transaction((tx) => tx.deleteFrom('invitations').execute());
  });

  it('nothing is begun for a pace that nobody has, and who comes to it hears of what waited', async () => {
    const doneOf = async () =>
      (await app.database.reader.selectFrom('digest_rounds').selectAll().where('pace', '=', 'atOnce').execute())[0]
        ?.done_until;
    const before = await doneOf();
    await report('first.pdf');
    await aMinuteOn();
    expect(await doneOf()).toBe(before);
    await choose('clientA', 'reports', 'atOnce');
    await aMinuteOn();
    expect(await doneOf()).toBeGreaterThan(before ?? 0);
    expect(await told()).toEqual([`${addressOf('clientA')}: Coffer: 1 new report`]);
  });

  it('two processes that look at once write one mail', async () => {
    await report('first.pdf');
    const quarter = Math.floor(app.now() / QUARTER_MS + 1) * QUARTER_MS;
    app.advance(quarter + SETTLES_MS - app.now());
    await Promise.all([writeDigests(app), writeDigests(app)]);
    expect(await states()).toEqual([['waiting', null]]);
  });

  it('G99: names what the person sees when it is sent, and is not sent where nothing of it is left', async () => {
    const kept = await report('kept.pdf');
    const gone = await report('gone.pdf');
    await toQuarter();
    await app.admin.delete(`/api/files/${gone.id}`);
    const [mail] = await mailed();
    expect([mail?.mail.subject, mail?.raw.includes('gone.pdf')]).toEqual(['Coffer: 1 new report', false]);

    await report('of the other type.pdf');
    await toQuarter();
    const { body: user } = await app.admin.get<UserDetails>(`/api/users/${firm.users.clientA}`);
    const { username, fullName, roleId, email } = user;
    const input = { username, fullName, roleId, email, password: '' };
    const lists = { clientIds: [firm.clients[0]], reportTypeIds: [firm.reportTypes[0]] };
    await app.admin.put(`/api/users/${user.id}`, { ...input, ...lists, reportTypeIds: [] });
    expect(await told()).toEqual([]);
    expect((await states()).at(-1)).toEqual(['dropped', 'Nothing of what it tells is left for the person to see.']);
    await app.admin.put(`/api/users/${user.id}`, { ...input, ...lists });
    expect(kept.id).toBeGreaterThan(0);
  });

  it('G100: goes to nobody’s former address, to nobody who is gone, and to nobody who has chosen otherwise', async () => {
    await report('first.pdf');
    await report('for B.pdf', app.admin, { clientId: firm.clients[1] });
    await document('check.pdf', firm.viewers.clientA);
    await toQuarter();
    await app.database.transaction((tx) =>
      tx.updateTable('users').set({ email: 'new@example.com' }).where('id', '=', firm.users.clientA).execute(),
    );
    await choose('clientB', 'reports', 'never');
    const { body: spare } = await app.admin.post<{ id: number }>('/api/users', {
      username: `spare ${kind}`,
      password: 'spare password',
      fullName: 'Spare Person',
      roleId: firm.roles.cpa,
      clientIds: [firm.clients[0]],
      email: 'spare@example.com',
    });
    await document('second check.pdf', firm.viewers.clientA);
    await toQuarter();
    expect((await app.admin.delete(`/api/users/${spare.id}`)).status).toBe(204);
    const addresses = (await mailed()).map(({ to }) => to[0]);
    expect(new Set(addresses)).toEqual(new Set([addressOf('cpa'), addressOf('bookkeeper'), addressOf('admin2')]));
    expect(new Set((await states()).flatMap(([, error]) => error ?? []))).toEqual(
      new Set([
        'The person has another mail address meanwhile.',
        'The person does not want such mails any more.',
        'The person was deleted meanwhile.',
      ]),
    );
  });

  it('G101: names of files become no header and no markup of it, and no part of its subject', async () => {
    const { id } = await report('plain.pdf');
    const hostile =
      '<img src=x onerror=alert(1)>\r\nBcc: other@example.com\r\n\r\n"><a href="https://elsewhere.example">';
    await app.database.transaction((tx) =>
      tx.updateTable('files').set({ original_name: hostile }).where('id', '=', id).execute(),
    );
    await toQuarter();
    const [mail, ...others] = await mailed();
    expect([others, mail?.to]).toEqual([[], [addressOf('clientA')]]);
    expect([mail?.mail.subject, mail?.mail.bcc]).toEqual(['Coffer: 1 new report', undefined]);
    const [head = ''] = (mail?.raw ?? '').split('\r\n\r\n');
    expect(head).not.toContain('other@example.com');
    expect(mail?.mail.html).not.toMatch(/<img|href="https:\/\/elsewhere/);
    expect(mail?.mail.text).toMatch(/^<img src=x onerror=alert\(1\)> Bcc: other@example\.com /m);
    await app.database.transaction((tx) =>
      tx.updateTable('files').set({ original_name: 'plain.pdf' }).where('id', '=', id).execute(),
    );
  });

  describe('the link that ends them', () => {
    const sealer = () => openSealer(app.config.secretsKeyFile);
    /** As a mail program does it: without a session, as a form. */
    const press = (address: string) =>
      app.anonymous.fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      });
    const pacesOf = async (who: ViewerName) =>
      (await firm.viewers[who].get<OwnDigests>('/api/digests')).body.topics.map(({ pace }) => pace);

    it('is in the mail as mail programs expect it, uses nothing up when opened, and ends one topic by one press', async () => {
      await report('first.pdf');
      await toQuarter();
      const [mail] = await mailed();
      const raw = (mail?.raw ?? '').replaceAll(/\r\n[ \t]/g, ' ');
      expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
      const [, address = ''] = /^List-Unsubscribe: <http:\/\/portal\.example\.com(\/\S+)>\r$/m.exec(raw) ?? [];
      const [, page = ''] = /http:\/\/portal\.example\.com\/(end-mails#\S+)/.exec(mail?.mail.text ?? '') ?? [];
      const opened = await app.anonymous.get<string>(address);
      expect([opened.status, opened.body.includes(`url=/${page}"`)]).toEqual([200, true]);
      expect(await pacesOf('clientA')).toEqual([null, null, null, null]);

      expect((await press(address)).status).toBe(204);
      expect(await pacesOf('clientA')).toEqual(['never', null, null, null]);
      expect((await press(address)).status).toBe(204);
      const { body: log } = await app.admin.get<{ details: string; userName: string }[]>('/api/activity-logs?limit=2');
      expect(log.filter(({ details }) => details === 'Ended mails about new reports, by the link in one')).toEqual([
        expect.objectContaining({ userName: 'Full clientA' }),
      ]);
      await report('second.pdf');
      await toQuarter();
      expect(await told()).toEqual([]);
      // It comes back where it was chosen.
      await choose('clientA', 'reports', 'atOnce');
      await report('third.pdf');
      await aMinuteOn();
      expect(await told()).toEqual([`${addressOf('clientA')}: Coffer: 1 new report`]);
    });

    it('G102: is worth nothing for another person, topic or portal, opens nothing else, and every false one gets one answer', async () => {
      const link = await endingLink(sealer(), 'reports', firm.users.clientA);
      const elsewhere = openSealer(`${app.config.dataDir}/another-key`);
      const secrets = [
        link.replace('reports', 'documents'),
        `${link.slice(0, -3)}AAA`,
        await endingLink(elsewhere, 'reports', firm.users.clientA),
        await endingLink(sealer(), 'reports', 999_999),
        `reports.${await sealer().seal(Buffer.from(`${firm.users.clientA}`), 'mail <1@example.com>')}`,
      ];
      for (const secret of secrets) {
        await app.database.transaction((tx) => tx.deleteFrom('attempts').execute());
        const answer = await press(`/api/digests/end?token=${secret}`);
        const { requestId: _, ...body } = (await answer.json()) as Record<string, unknown>;
        expect([answer.status, body]).toEqual([
          404,
          {
            code: 'ending_link_invalid',
            message: 'This link is not valid. Open the one in the newest mail, or choose under Account Settings.',
          },
        ]);
      }
      for (const who of ['clientA', 'clientB', 'cpa'] as const)
        expect(await pacesOf(who)).toEqual([null, null, null, null]);
      // Whoever it was forwarded to ends this one topic by it, and learns nothing.
      const answer = await press(`/api/digests/end?token=${link}`);
      expect([answer.status, await answer.text(), answer.headers.get('set-cookie')]).toEqual([204, '', null]);
      expect(await pacesOf('clientA')).toEqual(['never', null, null, null]);
      for (const bearer of [link, link.slice(link.indexOf('v1'))]) {
        const headers = { authorization: `Bearer ${bearer}` };
        expect((await app.anonymous.fetch('/api/digests', { headers })).status).toBe(401);
      }
    });

    it('G102: is guessed no faster than other links, and a true one is never counted', async () => {
      const link = await endingLink(sealer(), 'deleted', firm.users.clientA);
      await app.database.transaction((tx) => tx.deleteFrom('attempts').execute());
      for (let n = 0; n < 8; n++) expect((await press(`/api/digests/end?token=${link}`)).status).toBe(204);
      const statuses: number[] = [];
      for (let n = 0; n < 8; n++) statuses.push((await press(`/api/digests/end?token=reports.v1.${n}`)).status);
      expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
      await app.database.transaction((tx) => tx.deleteFrom('attempts').execute());
    });
  });

  describe('of requests', () => {
    const today = () => localDay(app.now(), NEW_YORK);
    const dayIn = (days: number) => dayAfterDays(today(), days);
    const ask = async (title: string, dueOn: string | null = null) => {
      const items = [
        { name: 'Bank statements', note: '' },
        { name: 'Forms W-9', note: '' },
      ];
      const input = { clientIds: [firm.clients[0]], title, message: '', dueOn, items };
      const { status, body } = await firm.viewers.cpa.post<{ ids: number[] }>('/api/requests', input);
      expect(status, JSON.stringify(body)).toBe(201);
      return (await firm.viewers.cpa.get<RequestDetails>(`/api/requests/${body.ids[0]}`)).body;
    };
    const post = async (by: Caller, path: string, body: object = {}) => {
      const answer = await by.post(path, body);
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    };
    const sayNot = (item: { id: number } | undefined) =>
      post(firm.viewers.clientA, `/api/request-items/${item?.id}/does-not-apply`, { note: '' });
    const decide = (item: { id: number } | undefined, decision: object) =>
      post(firm.viewers.cpa, `/api/request-items/${item?.id}/decide`, decision);
    /** Lets the clock go on until the next seven in the morning of the firm has settled. */
    const toMorning = async () => {
      const sevenIn = (days: number) => localHour(dayIn(days), 7, NEW_YORK);
      const next = sevenIn(0) + SETTLES_MS > app.now() ? sevenIn(0) : sevenIn(1);
      app.advance(next + SETTLES_MS - app.now());
      await writeDigests(app);
    };
    const dayWords = (days: number) =>
      new Date(dayIn(days)).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
    /** What was told of each request: the lines of the mails about them, with whose they are. */
    const linesTold = async () =>
      (await mailed()).flatMap(({ to, mail }) =>
        [...(mail.text ?? '').matchAll(/^(.+): Harbor & Pine Bakery LLC, (.+)$/gm)].map(
          ([, title, words]) => `${to[0]?.split('@')[0]}: ${title}: ${words}`,
        ),
      );

    it('tells the people of the client what is new, and nobody else', async () => {
      await ask('Year-end package', dayIn(10));
      await ask('Voided check');
      await toQuarter();
      const [mail, ...others] = await mailed();
      expect([others, mail?.to, mail?.mail.subject]).toEqual([[], [addressOf('clientA')], 'Coffer: 2 new requests']);
      const text = mail?.mail.text ?? '';
      // The day itself: nobody knows when a mail is read.
      expect(text).toContain(`Year-end package: Harbor & Pine Bakery LLC, new, due in 10 days (${dayWords(10)})\n`);
      expect(text).toMatch(/^Voided check: Harbor & Pine Bakery LLC, new$/m);
      expect(text).toMatch(/http:\/\/portal\.example\.com\/requests$/m);
      expect(text).toContain('No more mails about requests');
      await toQuarter();
      expect(await told()).toEqual([]);
    });

    it('and what was sent back, without the reason, and not again where only its words change', async () => {
      const { request, items } = await ask('Year-end package');
      await toQuarter();
      expect(await linesTold()).toEqual(['clienta: Year-end package: new']);
      await sayNot(items[0]);
      await toQuarter();
      expect(await told()).toEqual([]);
      await decide(items[0], { decision: 'sendBack', reason: 'We saw two accounts' });
      await toQuarter();
      const [mail, ...others] = await mailed();
      expect([others, mail?.to]).toEqual([[], [addressOf('clientA')]]);
      expect(mail?.mail.subject).toBe('Coffer: 1 item sent back to you');
      expect(mail?.mail.text).toContain('The reason is in the portal.');
      expect(mail?.mail.text).toMatch(/^Year-end package: Harbor & Pine Bakery LLC, sent back: Bank statements$/m);
      expect(mail?.raw).not.toContain('two accounts');
      const reworded = items.map(({ id, name, note }) => ({ id, name: `${name}, all`, note }));
      const change = { title: request.title, message: '', dueOn: null, items: reworded };
      expect((await firm.viewers.cpa.put(`/api/requests/${request.id}`, change)).status).toBe(200);
      await toQuarter();
      expect(await told()).toEqual([]);
    });

    it('and of what is new and what was sent back in one, and reminders are called so', async () => {
      await toMorning();
      const { items } = await ask('Year-end package', dayIn(1));
      await sayNot(items[0]);
      await decide(items[0], { decision: 'sendBack', reason: 'It does' });
      await toQuarter();
      expect((await mailed()).map(({ mail }) => mail.subject)).toEqual(['Coffer: 2 things your firm asks for']);
      await toMorning();
      await toQuarter();
      expect((await mailed()).map(({ mail }) => mail.subject)).toEqual(['Coffer: Reminder of 1 request']);
    });

    it('nothing that was closed or answered before the mail is sent', async () => {
      const closed = await ask('Closed');
      const answered = await ask('Answered');
      await toQuarter();
      await post(firm.viewers.cpa, `/api/requests/${closed.request.id}/close`);
      for (const item of answered.items) await sayNot(item);
      expect(await told()).toEqual([]);
      expect(await states()).toEqual([['dropped', 'Nothing of what it tells is left for the person to see.']]);
    });

    it('nothing to who has ended mails about requests, or may not answer, and other mails go on', async () => {
      const link = await endingLink(openSealer(app.config.secretsKeyFile), 'requests', firm.users.clientA);
      expect((await app.anonymous.fetch(`/api/digests/end?token=${link}`, { method: 'POST' })).status).toBe(204);
      await ask('Year-end package', dayIn(3));
      await report('first.pdf');
      await toQuarter();
      expect(await told()).toEqual([`${addressOf('clientA')}: Coffer: 1 new report`]);
      const topicsOf = async (who: ViewerName) =>
        (await firm.viewers[who].get<OwnDigests>('/api/digests')).body.topics.map(({ topic }) => topic);
      expect(await topicsOf('cpa')).toContain('requests');
      expect(await topicsOf('bookkeeper')).not.toContain('requests');
    });

    it('tells staff who ask, where they want it, what clients answered and waits for them', async () => {
      for (const who of ['cpa', 'bookkeeper'] as const) await choose(who, 'requests', 'quarterHour');
      await choose('cpa', 'documents', 'never');
      const { items } = await ask('Year-end package');
      const fields = { path: `/api/request-items/${items[0]?.id}/files`, name: 'may.txt', bytes: 'may', fields: {} };
      expect((await firm.viewers.clientA.upload(fields)).status).toBe(201);
      await sayNot(items[1]);
      await toQuarter();
      expect((await linesTold()).filter((line) => line.startsWith('cpa') || line.startsWith('book')).sort()).toEqual([
        'bookkeeper: may.txt: Supporting Document',
        'cpa: Year-end package: does not apply: Forms W-9',
        'cpa: Year-end package: sent: Bank statements',
      ]);
      await decide(items[1], { decision: 'sendBack', reason: 'It does' });
      await sayNot(items[1]);
      await toQuarter();
      await decide(items[1], { decision: 'accept' });
      expect(await told()).toEqual([]);
      await decide(items[1], { decision: 'sendBack', reason: 'It does' });
      await toQuarter();
      await mailed();
      await sayNot(items[1]);
      await toQuarter();
      // Where it leads shows what waits, whatever else is open.
      expect((await mailed()).map(({ to, mail }) => [to, mail.text?.match(/^http:.*\/requests.*$/m)?.[0]])).toEqual([
        [[addressOf('cpa')], 'http://portal.example.com/requests?due=review'],
      ]);
    });

    it('once a morning, where the time zone of the firm is moved, to the west and to the east', async () => {
      const moveTo = async (timeZone: string) => {
        expect((await app.admin.put('/api/digests/usual', { timeZone })).status).toBe(200);
      };
      await toMorning();
      await ask('Year-end package', dayIn(4));
      await toQuarter();
      await mailed();
      const line = `clienta: Year-end package: due in 3 days (${dayWords(4)})`;
      const linesUntil = async (hours: number) => {
        const lines: string[] = [];
        for (let quarters = 0; quarters < 4 * hours; quarters++) {
          await toQuarter();
          lines.push(...(await linesTold()));
        }
        return lines;
      };
      await toMorning();
      await toQuarter();
      expect(await linesTold()).toEqual([line]);
      // Moved to the west, and what was a mistake is taken back.
      await moveTo('America/Los_Angeles');
      await moveTo(NEW_YORK);
      await moveTo('Pacific/Honolulu');
      expect(await linesUntil(6)).toEqual([]);
      // Seven in New York is over when the zone comes back, and was not seven in Honolulu yet.
      const { request } = await ask('Voided check', dayIn(4));
      await toQuarter();
      expect(await linesTold()).toEqual([`clienta: Voided check: new, due in 4 days (${dayWords(4)})`]);
      const due = `clienta: Voided check: due in 3 days (${dayWords(4)})`;
      app.advance(localHour(dayIn(1), 8, NEW_YORK) - app.now());
      expect(await linesUntil(1)).toEqual([]);
      await moveTo(NEW_YORK);
      expect(await linesUntil(6)).toEqual([due]);
      await post(firm.viewers.cpa, `/api/requests/${request.id}/close`);
    });

    it('shows staff who ask when people were last reminded and how many, and nobody else', async () => {
      await toMorning();
      const { request } = await ask('Year-end package', dayIn(4));
      const path = `/api/requests/${request.id}`;
      const shownTo = async (by: Caller) => {
        const { body } = await by.get<RequestPage>(path);
        const { body: rows } = await by.get<RequestRow[]>('/api/requests');
        expect(rows.find(({ id }) => id === request.id)?.reminded).toEqual(body.request.reminded);
        return [body.request.reminded, body.reminds];
      };
      const { cpa, clientA, clientB, bookkeeper } = firm.viewers;
      const remindedNow = (people: number) => ({ at: new Date(app.now()).toISOString(), people });
      await toQuarter();
      expect(await linesTold()).toHaveLength(1);
      expect(await shownTo(cpa), 'that it is new was no reminder').toEqual([null, 1]);

      server.refuseRecipient = () => ({ code: 450, words: '4.2.1 Busy' });
      await toMorning();
      await toQuarter();
      expect(await told()).toEqual([]);
      expect(await shownTo(cpa), 'nothing has left yet').toEqual([null, 1]);
      server.refuseRecipient = () => null;
      app.advance(MINUTE_MS);
      expect(await told()).toEqual([`${addressOf('clientA')}: Coffer: Reminder of 1 request`]);
      expect(await shownTo(cpa)).toEqual([remindedNow(1), 1]);
      expect(await shownTo(app.admin)).toEqual([remindedNow(1), 1]);
      expect(await shownTo(clientA)).toEqual([null, null]);
      expect((await bookkeeper.get(path)).status).toBe(403);
      expect((await clientB.get(path)).status).toBe(404);

      const second = { user_id: firm.users.clientB, client_id: firm.clients[0] };
      await app.database.transaction((tx) => tx.insertInto('user_clients').values(second).execute());
      await choose('clientB', 'requests', 'daily');
      expect((await shownTo(cpa))[1]).toBe(2);
      await app.database.transaction((tx) =>
        tx
          .updateTable('requests')
          .set({ due_on: dayIn(1) })
          .execute(),
      );
      await toMorning();
      expect(await told()).toEqual(
        [addressOf('clientA'), addressOf('clientB')].map((address) => `${address}: Coffer: Reminder of 1 request`),
      );
      expect(await shownTo(cpa), 'the mails of one morning count together').toEqual([remindedNow(2), 2]);

      await app.database.transaction((tx) =>
        tx
          .deleteFrom('user_clients')
          .where('user_id', '=', second.user_id)
          .where('client_id', '=', second.client_id)
          .execute(),
      );
      const reminds = async () => (await shownTo(cpa))[1];
      await choose('clientA', 'requests', 'never');
      expect(await reminds()).toBe(0);
      await choose('clientA', 'requests', null);
      expect(await reminds()).toBe(1);
      expect((await app.admin.put('/api/digests/usual', { clients: { requests: 'never' } })).status).toBe(200);
      expect(await reminds()).toBe(0);
      await choose('clientA', 'requests', 'daily');
      expect(await reminds()).toBe(1);
      await app.database.transaction((tx) =>
        tx.updateTable('users').set({ email: '' }).where('id', '=', firm.users.clientA).execute(),
      );
      expect(await reminds()).toBe(0);
    });

    it('reminds three days before, on the day and weekly from then on, each once, and on no other day', async () => {
      await toMorning();
      await ask('Year-end package', dayIn(4));
      const due = dayWords(4);
      await toQuarter();
      expect(await linesTold()).toEqual([`clienta: Year-end package: new, due in 4 days (${due})`]);
      const heard: [day: number, lines: string[]][] = [];
      for (let day = 1; day <= 11; day++) {
        await toMorning();
        await toQuarter();
        const lines = await linesTold();
        if (lines.length > 0) heard.push([day, lines]);
      }
      expect(heard).toEqual([
        [1, [`clienta: Year-end package: due in 3 days (${due})`]],
        [4, [`clienta: Year-end package: due today (${due})`]],
        [11, [`clienta: Year-end package: 7 days late (due ${due})`]],
      ]);
      // A day that is given after the morning waits for its own.
      const set = (to: { due_on: string } | { state: 'closed' }) =>
        app.database.transaction((tx) => tx.updateTable('requests').set(to).execute());
      await set({ due_on: dayIn(0) });
      await toQuarter();
      expect(await told()).toEqual([]);
      await set({ due_on: dayIn(1) });
      await toMorning();
      await set({ state: 'closed' });
      expect(await told()).toEqual([]);
      expect((await states()).at(-1)?.[0]).toBe('dropped');
    });
  });
});

// What people hear by mail of what is new, on both engines: who hears when of what, what is not told any more, and the link that ends it.
import { describe, expect, it } from 'vitest';
import type { ClientRow } from '#contract/clients.ts';
import type { OwnDigests, UsualDigests } from '#contract/digests.ts';
import type { UserDetails } from '#contract/users.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { openSealer } from '../../platform/sealed.ts';
import { addressOf, digestFirm, QUARTER_MS, SETTLES_MS } from '../../testing/digest-firm.ts';
import type { Firm, ViewerName } from '../../testing/firm.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { writeDigests } from '../../testing/write-digests.ts';
import { endingLink } from './ending.ts';

/** From one file that is sent by hand to the next. */
const HAND_MS = 25_000;

describe.each(DATABASE_KINDS)('digests on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  const { report, document, choose, toQuarter, aMinuteOn, mailed, told, states } = digestFirm(kind, (met) => {
    ({ app, firm } = met);
  });

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
    expect(text).toContain('http://portal.example.com/client-reports?client=all&reportType=all');
    expect(mail?.mail.attachments).toEqual([]);
    await toQuarter();
    expect(await told()).toEqual([]);
  });

  it('at once, ten files that are sent one after the other are one mail, and who goes on sending keeps nobody waiting', async () => {
    await choose('clientA', 'reports', 'atOnce');
    const send = async (count: number) => {
      for (let n = 1; n <= count; n++) {
        await report(`one by one ${n}.pdf`);
        app.advance(HAND_MS);
        await writeDigests(app);
      }
    };
    await send(5);
    expect(await told()).toEqual([]);
    await aMinuteOn();
    expect(await told()).toEqual([`${addressOf('clientA')}: Coffer: 5 new reports`]);
    // Three minutes after the first, though they still come.
    await send(10);
    expect(await told()).toEqual([`${addressOf('clientA')}: Coffer: 8 new reports`]);
    await aMinuteOn();
    expect(await told()).toEqual([`${addressOf('clientA')}: Coffer: 2 new reports`]);
    await aMinuteOn();
    expect(await told()).toEqual([]);
  });

  it('who is new hears of what comes from then on, and not of what was there before', async () => {
    await report('before.pdf');
    app.advance(1);
    const { body: late } = await app.admin.post<{ id: number }>('/api/users', {
      username: `late ${kind}`,
      password: 'late password',
      fullName: 'Late Person',
      roleId: firm.roles.client,
      clientIds: [firm.clients[0]],
      reportTypeIds: [firm.reportTypes[0]],
      email: 'late@example.com',
    });
    await toQuarter();
    expect(await told()).toEqual([`${addressOf('clientA')}: Coffer: 1 new report`]);
    await report('after.pdf');
    await toQuarter();
    expect(await told()).toEqual([
      `${addressOf('clientA')}: Coffer: 1 new report`,
      'late@example.com: Coffer: 1 new report',
    ]);
    expect((await app.admin.delete(`/api/users/${late.id}`)).status).toBe(204);
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

  it('nobody hears of a file that they have opened by then', async () => {
    const open = async (who: ViewerName, { id }: { readonly id: number }) =>
      expect((await firm.viewers[who].get(`/api/files/${id}/view`)).status).toBe(200);
    await open('clientA', await report('seen at once.pdf'));
    await open('cpa', await document('seen by the CPA.pdf', firm.viewers.clientA));
    await toQuarter();
    expect(await told()).toEqual([
      `${addressOf('admin2')}: Coffer: 1 new document`,
      `${addressOf('bookkeeper')}: Coffer: 1 new document`,
    ]);

    const between = await report('seen before the mail went.pdf');
    await toQuarter();
    await open('clientA', between);
    expect(await told()).toEqual([]);
    expect((await states()).at(-1)).toEqual(['dropped', 'Nothing of what it tells is left for the person to see.']);
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
    const [toStaff, ...others] = await mailed();
    expect([others, toStaff?.to, toStaff?.mail.subject]).toEqual([[], [addressOf('cpa')], 'Coffer: 1 new report']);
    // Staff find it there whichever report type they have chosen on Payroll Reports.
    expect(toStaff?.mail.text).toContain('http://portal.example.com/file-upload?client=all\n');
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
    expect(mail?.mail.text).toContain('This file was deleted.');
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

  it('G131: name no federal id and no social security number, whatever files are called', async () => {
    const { federalId } = (await app.admin.get<ClientRow>(`/api/clients/${firm.clients[0]}`)).body;
    const numbers = [federalId, federalId.replace('-', ''), '900-12-3456'];
    for (const number of numbers) await report(`W-2 of ${number}.pdf`);
    await toQuarter();
    const [mail, ...others] = await mailed();
    expect(others).toEqual([]);
    const { subject = '', text = '', html = '' } = mail?.mail ?? {};
    for (const number of numbers) {
      expect([subject, text, html].filter((part) => part.includes(number))).toEqual([]);
    }
    const last = federalId.slice(-4);
    for (const shown of [`XX-XXX${last}`, `XXXXX${last}`, 'XXX-XX-3456']) {
      expect(text).toContain(`W-2 of ${shown}.pdf: `);
      expect(html).toContain(`W-2 of ${shown}.pdf<`);
    }
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
    /** The form that RFC 8058 prefers. */
    const pressInParts = (address: string) => {
      const body = new FormData();
      body.append('List-Unsubscribe', 'One-Click');
      return app.anonymous.fetch(address, { method: 'POST', body });
    };
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

      expect((await pressInParts(address)).status).toBe(204);
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
});

// What people hear by mail of requests, on both engines: what is new, what was sent back, what clients answered, and reminders.
import { describe, expect, it } from 'vitest';
import { localDay, localHour } from '#contract/days.ts';
import type { OwnDigests } from '#contract/digests.ts';
import { dayAfterDays } from '#contract/request-words.ts';
import type { RequestDetails, RequestPage, RequestRow } from '#contract/requests.ts';
import { MINUTE_MS } from '../../platform/clock.ts';
import { openSealer } from '../../platform/sealed.ts';
import { addressOf, digestFirm, NEW_YORK, SETTLES_MS } from '../../testing/digest-firm.ts';
import type { Firm, ViewerName } from '../../testing/firm.ts';
import type { TestMailServer } from '../../testing/mail-server.ts';
import type { Caller, TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { writeDigests } from '../../testing/write-digests.ts';
import { digestMail } from './digest-mail.ts';
import { endingLink } from './ending.ts';

describe.each(DATABASE_KINDS)('digests of requests on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let server: TestMailServer;
  const { report, choose, toQuarter, mailed, told, states } = digestFirm(kind, (met) => {
    ({ app, firm, server } = met);
  });

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
  const setDue = async ({ request, items }: RequestDetails, dueOn: string | null) => {
    const asked = items.map(({ id, name, note }) => ({ id, name, note }));
    const change = { title: request.title, message: '', dueOn, items: asked };
    expect((await firm.viewers.cpa.put(`/api/requests/${request.id}`, change)).status).toBe(200);
  };
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
    expect(text).toMatch(/http:\/\/portal\.example\.com\/requests\?client=all&state=open&sort=dueOn$/m);
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

  it('and of items that are added to a request that was there, but not apart from one that is new', async () => {
    const { request } = await ask('Year-end package');
    const has = async (added: readonly string[]) => {
      const { items: now } = (await firm.viewers.cpa.get<RequestDetails>(`/api/requests/${request.id}`)).body;
      const there = now.map(({ id, name, note }) => ({ id, name, note }));
      const all = [...there, ...added.map((name) => ({ name, note: '' }))];
      const change = { title: request.title, message: '', dueOn: null, items: all };
      expect((await firm.viewers.cpa.put(`/api/requests/${request.id}`, change)).status).toBe(200);
    };
    await has(['Forms W-4']);
    await toQuarter();
    expect(await linesTold()).toEqual(['clienta: Year-end package: new']);
    await has(['Notices', 'Voided check']);
    await toQuarter();
    const [mail, ...others] = await mailed();
    expect([others, mail?.to, mail?.mail.subject]).toEqual([[], [addressOf('clientA')], 'Coffer: 2 new items']);
    for (const name of ['Notices', 'Voided check'])
      expect(mail?.mail.text).toContain(`Year-end package: Harbor & Pine Bakery LLC, added: ${name}\n`);
    await toQuarter();
    expect(await told()).toEqual([]);
  });

  it('and of what is reopened, once and whole, but not where nothing of it is owed', async () => {
    const kept = await ask('Year-end package', dayIn(10));
    const answered = await ask('Voided check');
    await toQuarter();
    await mailed();
    for (const item of answered.items) await sayNot(item);
    const both = [kept.request.id, answered.request.id];
    for (const id of both) await post(firm.viewers.cpa, `/api/requests/${id}/close`);
    await toQuarter();
    expect(await told()).toEqual([]);
    for (const id of both) await post(firm.viewers.cpa, `/api/requests/${id}/reopen`);
    const items = [...kept.items.map(({ id, name, note }) => ({ id, name, note })), { name: 'Notices', note: '' }];
    const change = { title: kept.request.title, message: '', dueOn: kept.request.dueOn, items };
    expect((await firm.viewers.cpa.put(`/api/requests/${kept.request.id}`, change)).status).toBe(200);
    await toQuarter();
    const [mail, ...others] = await mailed();
    expect([others, mail?.to, mail?.mail.subject]).toEqual([
      [],
      [addressOf('clientA')],
      'Coffer: 1 request open again',
    ]);
    expect(mail?.mail.text).toMatch(
      /^Year-end package: Harbor & Pine Bakery LLC, open again, due in \d+ days \(.+\)$/m,
    );
    expect(mail?.mail.text).not.toContain('Notices');
    await toQuarter();
    expect(await told()).toEqual([]);
  });

  it('and of another due day, once and with the one before, but not apart from what is new, nor of one that is back', async () => {
    await toMorning();
    const kept = await ask('Year-end package', dayIn(10));
    await setDue(await ask('Voided check', dayIn(10)), dayIn(12));
    await toQuarter();
    expect(await linesTold()).toEqual([
      `clienta: Year-end package: new, due in 10 days (${dayWords(10)})`,
      `clienta: Voided check: new, due in 12 days (${dayWords(12)})`,
    ]);
    await toQuarter();
    expect(await told()).toEqual([]);

    await setDue(kept, dayIn(20));
    await setDue(kept, dayIn(15));
    await toQuarter();
    const [mail, ...others] = await mailed();
    expect([others, mail?.to, mail?.mail.subject]).toEqual([[], [addressOf('clientA')], 'Coffer: 1 changed due day']);
    const line = `new due day, due in 15 days (${dayWords(15)}), was ${dayWords(10)}`;
    expect(mail?.mail.text).toContain(`Year-end package: Harbor & Pine Bakery LLC, ${line}\n`);
    await toQuarter();
    expect(await told()).toEqual([]);
    // Another day was told meanwhile: the one from the beginning is news again.
    await setDue(kept, dayIn(10));
    await toQuarter();
    expect(await linesTold()).toEqual([`clienta: Year-end package: new due day, due in 10 days (${dayWords(10)})`]);

    const [taken, given] = [await ask('Notices', dayIn(9)), await ask('Letter')];
    const back = await ask('Forms W-4', dayIn(10));
    const [closed, answered] = [await ask('Lease', dayIn(10)), await ask('Bonuses', dayIn(10))];
    await toQuarter();
    await mailed();
    await setDue(back, dayIn(20));
    await setDue(back, dayIn(10));
    for (const details of [closed, answered]) await setDue(details, dayIn(11));
    await post(firm.viewers.cpa, `/api/requests/${closed.request.id}/close`);
    for (const item of answered.items) await sayNot(item);
    await toQuarter();
    expect(await told()).toEqual([]);

    await setDue(taken, null);
    await setDue(given, dayIn(8));
    await toQuarter();
    const [both, ...more] = await mailed();
    expect([more, both?.mail.subject]).toEqual([[], 'Coffer: 2 changed due days']);
    expect(both?.mail.text).toContain(
      `Letter: Harbor & Pine Bakery LLC, new due day, due in 8 days (${dayWords(8)})\n` +
        `Notices: Harbor & Pine Bakery LLC, no due day any more, was ${dayWords(9)}\n`,
    );
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

  it('tells each person of another due day at their own pace, of one that is back by then nothing, and with it no reminder', async () => {
    await toMorning();
    const second = { user_id: firm.users.clientB, client_id: firm.clients[0] };
    await app.database.transaction((tx) => tx.insertInto('user_clients').values(second).execute());
    await choose('clientB', 'requests', 'daily');
    const details = await ask('Year-end package', dayIn(30));
    await toQuarter();
    expect(await linesTold()).toEqual([`clienta: Year-end package: new, due in 30 days (${dayWords(30)})`]);
    await toMorning();
    expect(await linesTold()).toEqual([`clientb: Year-end package: new, due in 29 days (${dayWords(29)})`]);

    const changed = 'clienta: Year-end package: new due day';
    await setDue(details, dayIn(20));
    await toQuarter();
    expect(await linesTold()).toEqual([`${changed}, due in 20 days (${dayWords(20)}), was ${dayWords(29)}`]);
    await setDue(details, dayIn(29));
    await toQuarter();
    expect(await linesTold()).toEqual([`${changed}, due in 29 days (${dayWords(29)})`]);
    await toMorning();
    expect(await told()).toEqual([]);

    await setDue(details, dayIn(4));
    await toQuarter();
    expect(await linesTold()).toEqual([`${changed}, due in 4 days (${dayWords(4)})`]);
    await toMorning();
    expect((await linesTold()).sort()).toEqual([
      `clienta: Year-end package: due in 3 days (${dayWords(3)})`,
      `clientb: Year-end package: new due day, due in 3 days (${dayWords(3)})`,
    ]);
    const { body } = await firm.viewers.cpa.get<RequestPage>(`/api/requests/${details.request.id}`);
    expect(body.request.reminded?.people).toBe(1);
    await app.database.transaction((tx) =>
      tx
        .deleteFrom('user_clients')
        .where('user_id', '=', second.user_id)
        .where('client_id', '=', second.client_id)
        .execute(),
    );
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
      [[addressOf('cpa')], 'http://portal.example.com/requests?due=review&client=all'],
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

  it('names what is most overdue first, counts the rest, and notes a reminder with every request, named or not', async () => {
    await toMorning();
    // On the next morning a week late, due on the day, and three days before.
    for (let nth = 1; nth <= 12; nth++) await ask(`Package ${nth}`, dayIn(nth === 1 ? -6 : nth === 2 ? 1 : 4));
    const named = (text = '') => [...text.matchAll(/^Package (\d+): /gm)].map(([, nth]) => Number(nth));
    const byDueDay = [1, 2, 12, 11, 10, 9, 8, 7, 6, 5];
    await toQuarter();
    expect((await mailed()).map(({ mail }) => named(mail.text))).toEqual([byDueDay]);
    await toMorning();
    await toQuarter();
    const [mail, ...more] = await mailed();
    expect([more, mail?.mail.subject]).toEqual([[], 'Coffer: Reminder of 12 requests']);
    expect(named(mail?.mail.text)).toEqual(byDueDay);
    expect(mail?.mail.text).toContain('And 2 more.');
    const { body: rows } = await firm.viewers.cpa.get<RequestRow[]>('/api/requests');
    expect(rows.map(({ reminded }) => reminded?.people)).toEqual(Array.from({ length: 12 }, () => 1));
  });

  it('sends a reminder once, also where it cannot be noted with the request', async () => {
    await toMorning();
    await ask('Year-end package', dayIn(4));
    await toQuarter();
    await mailed();
    await toMorning();
    await toQuarter();
    const { noteSent } = digestMail;
    digestMail.noteSent = () => Promise.reject(new Error('Too slow'));
    const first = await told();
    Object.assign(digestMail, { noteSent });
    expect(first).toEqual([`${addressOf('clientA')}: Coffer: Reminder of 1 request`]);
    expect((await states()).at(-1)).toEqual(['sent', null]);
    app.advance(10 * MINUTE_MS);
    expect(await told()).toEqual([]);
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

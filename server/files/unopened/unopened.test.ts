// Reports that nobody of their client has opened, on both engines: who sees which, and who is reminded of them, once a day and once a press.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FileRow } from '#contract/files.ts';
import type { Reminded, UnopenedRow } from '#contract/unopened.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { addressOf } from '../../testing/digest-firm.ts';
import { clientInput, type Firm, makeFirm } from '../../testing/firm.ts';
import { mailEnvironment, startMailServer, type TestMailServer } from '../../testing/mail-server.ts';
import { sendMails } from '../../testing/send-mails.ts';
import { type Caller, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { REMINDERS } from './unopened.ts';

describe.each(DATABASE_KINDS)('what nobody has opened on %s', (kind) => {
  let server: TestMailServer;
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    server = await startMailServer();
    app = await startTestApp(kind, mailEnvironment(server.port), { clock: 'standing' });
    firm = await makeFirm(app);
    await app.database.transaction(async (tx) => {
      for (const name of ['clientA', 'clientB', 'cpa'] as const) {
        await tx
          .updateTable('users')
          .set({ email: addressOf(name) })
          .where('id', '=', firm.users[name])
          .execute();
      }
    });
  });
  beforeEach(() =>
    app.database.transaction(async (tx) => {
      for (const table of ['mails', 'file_reminders', 'digest_choices'] as const) await tx.deleteFrom(table).execute();
      await tx.updateTable('files').set({ opened_by_client_at: null }).execute();
      await tx.updateTable('firm_settings').set({ digests: null }).execute();
    }),
  );
  afterAll(async () => {
    await app.close();
    await server.close();
  });

  const list = async (by: Caller, query = '') => {
    const { status, body } = await by.get<UnopenedRow[]>(`/api/unopened${query}`);
    expect(status).toBe(200);
    return body.map(({ clientName, reportTypeName, files, people, remindedAt }) => [
      clientName.split(' ')[0],
      reportTypeName,
      files,
      people,
      remindedAt !== null,
    ]);
  };
  const remind = async (by: Caller, order: object = {}) => {
    const { status, body } = await by.post<Reminded>('/api/unopened/reminders', order);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const report = async (name: string, clientId = firm.clients[0]) => {
    const fields = { clientId, fileType: 'report', reportTypeId: firm.reportTypes[0] };
    return (await app.admin.upload<FileRow>({ name, bytes: `bytes of ${name}`, fields })).body;
  };
  const mailed = async () => {
    await sendMails(app);
    return server.arrived.splice(0);
  };

  it('is counted by client and report type, as far as one reaches', async () => {
    expect(await list(app.admin)).toEqual([
      ['CANARY2', 'Payroll Journal', 1, 1, false],
      ['Harbor', 'Form 941', 1, 0, false],
      ['Harbor', 'Payroll Journal', 1, 1, false],
    ]);
    expect(await list(firm.viewers.cpa)).toEqual([
      ['Harbor', 'Form 941', 1, 0, false],
      ['Harbor', 'Payroll Journal', 1, 1, false],
    ]);
    expect(await list(app.admin, `?clientId=${firm.clients[0]}&reportTypeId=${firm.reportTypes[0]}`)).toEqual([
      ['Harbor', 'Payroll Journal', 1, 1, false],
    ]);
    const page = await app.admin.get<UnopenedRow[]>('/api/unopened?limit=1&offset=1');
    expect([page.headers.get('x-total-count'), page.body[0]?.reportTypeName]).toEqual(['3', 'Form 941']);
    const beyond = await app.admin.get<UnopenedRow[]>('/api/unopened?limit=1&offset=9');
    expect([beyond.headers.get('x-total-count'), beyond.body]).toEqual(['3', []]);
    expect((await firm.viewers.clientA.get(`/api/files/${firm.files.f1.id}/view`)).status).toBe(200);
    expect(await list(firm.viewers.cpa)).toEqual([['Harbor', 'Form 941', 1, 0, false]]);
    expect((await firm.viewers.clientA.get('/api/unopened')).status).toBe(403);
  });

  it('G107: those who see it are reminded, and nobody out of reach; one mail each, once a day of the same report, in the log', async () => {
    for (const name of ['run 1.pdf', 'run 2.pdf']) await report(name);
    expect(await remind(firm.viewers.cpa)).toEqual({ files: 3, people: 1, left: 0 });
    const [mail, ...others] = await mailed();
    expect([others, mail?.to, mail?.mail.subject]).toEqual([
      [],
      [addressOf('clientA')],
      'Coffer: 3 reports not opened yet',
    ]);
    expect(mail?.mail.text).toMatch(/^run 2\.pdf: Harbor & Pine Bakery LLC, Payroll Journal$/m);
    expect(mail?.mail.text).toContain('http://portal.example.com/client-reports?client=all&reportType=all\n');
    expect(mail?.raw).toMatch(/^List-Unsubscribe-Post: /m);
    const { body: log } = await app.admin.get<{ details: string; userName: string }[]>('/api/activity-logs?limit=1');
    expect(log).toMatchObject([{ details: 'Reminded 1 person of 3 reports not opened', userName: 'Full cpa' }]);
    expect((await list(firm.viewers.cpa)).map((row) => row.at(-1))).toEqual([false, true]);

    app.advance(1_000);
    await report('run 3.pdf');
    expect(await remind(firm.viewers.cpa)).toEqual({ files: 1, people: 1, left: 0 });
    expect(await remind(app.admin, { clientId: firm.clients[0] })).toEqual({ files: 0, people: 0, left: 0 });
    expect((await mailed()).map(({ mail: { subject } }) => subject)).toEqual(['Coffer: 1 report not opened yet']);
    app.advance(DAY_MS);
    expect(await remind(app.admin)).toEqual({ files: 5, people: 2, left: 0 });
    expect((await mailed()).map(({ to }) => to[0]).sort()).toEqual([addressOf('clientA'), addressOf('clientB')]);
    expect((await firm.viewers.bookkeeper.post('/api/unopened/reminders', {})).status).toBe(403);
  });

  it('two who press at once remind once', async () => {
    const answers = await Promise.all([remind(app.admin), remind(firm.viewers.cpa), remind(firm.viewers.admin2)]);
    expect(answers.filter(({ files }) => files > 0).length).toBeGreaterThan(0);
    const to = (await mailed()).map((mail) => mail.to[0]);
    expect(to.filter((address) => address === addressOf('clientA'))).toHaveLength(1);
    expect(to.filter((address) => address === addressOf('clientB'))).toHaveLength(1);
  });

  it('G107: who has lost the client since is not reminded, and reads none of its names', async () => {
    const lists = { user_id: firm.users.clientA, client_id: firm.clients[0] };
    expect((await remind(app.admin, { clientId: firm.clients[0] })).people).toBe(1);
    await app.database.transaction((tx) =>
      tx
        .deleteFrom('user_clients')
        .where('user_id', '=', lists.user_id)
        .where('client_id', '=', lists.client_id)
        .execute(),
    );
    expect(await mailed()).toEqual([]);
    await app.database.transaction((tx) => tx.insertInto('user_clients').values(lists).execute());
    const rows = await app.database.reader.selectFrom('mails').select(['state', 'error']).execute();
    expect(rows).toEqual([{ state: 'dropped', error: 'Nothing of what it tells is left for the person to see.' }]);
  });

  it('G107: who has opened it since, or wants no such mails, is not reminded', async () => {
    expect((await remind(app.admin)).people).toBe(2);
    for (const { id, client_id: clientId } of await app.database.reader
      .selectFrom('files')
      .select(['id', 'client_id'])
      .where('report_type_id', '=', firm.reportTypes[0])
      .execute()) {
      if (clientId !== firm.clients[0]) continue;
      expect((await firm.viewers.clientA.get(`/api/files/${id}/view`)).status).toBe(200);
    }
    await firm.viewers.clientB.put('/api/digests', { topic: 'reports', pace: 'never' });
    expect(await mailed()).toEqual([]);
    const rows = await app.database.reader.selectFrom('mails').select(['state', 'error']).orderBy('id').execute();
    expect(rows).toEqual([
      { state: 'dropped', error: 'Nothing of what it tells is left for the person to see.' },
      { state: 'dropped', error: 'The person does not want such mails any more.' },
    ]);
    app.advance(DAY_MS);
    expect(await remind(app.admin)).toEqual({ files: 0, people: 0, left: 0 });
  });

  it('G107: nor is who ended such mails by the link in one, also where Never is usual in the firm', async () => {
    const usual = await app.admin.put('/api/digests/usual', { clients: { reports: 'never' } });
    expect(usual.status).toBe(200);
    expect((await remind(firm.viewers.cpa)).people).toBe(1);
    const [mail] = await mailed();
    const raw = (mail?.raw ?? '').replaceAll(/\r\n[ \t]/g, ' ');
    const [, address = ''] = /^List-Unsubscribe: <http:\/\/portal\.example\.com(\/\S+)>\r$/m.exec(raw) ?? [];
    const pressed = await app.anonymous.fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect(pressed.status).toBe(204);
    app.advance(DAY_MS);
    expect(await remind(firm.viewers.cpa)).toEqual({ files: 0, people: 0, left: 0 });
  });

  it('of more than are taken at once it says how many are left, and what nobody sees holds up none', async () => {
    await report('later.pdf');
    const { body: rows } = await app.admin.get<UnopenedRow[]>('/api/unopened');
    expect(rows.map(({ people }) => people)).toContain(0);
    const heard = rows.filter(({ people }) => people > 0).reduce((sum, { files }) => sum + files, 0);
    const { atOnce } = REMINDERS;
    REMINDERS.atOnce = 1;
    try {
      // The third oldest is seen by nobody.
      for (const taken of [1, 2, 3])
        expect(await remind(app.admin)).toEqual({ files: 1, people: 1, left: heard - taken });
    } finally {
      REMINDERS.atOnce = atOnce;
    }
    expect(await remind(app.admin)).toMatchObject({ files: heard - 3, left: 0 });
  });

  it('the ten that wait longest are named, and the rest is counted', async () => {
    for (let nth = 1; nth <= 12; nth++) {
      app.advance(1_000);
      await report(`week ${nth}.pdf`);
    }
    const [clientId, reportTypeId] = [firm.clients[0], firm.reportTypes[0]];
    const { files } = await remind(app.admin, { clientId, reportTypeId });
    const oldest = await app.database.reader
      .selectFrom('files')
      .select('original_name as name')
      .where('client_id', '=', clientId)
      .where('report_type_id', '=', reportTypeId)
      .orderBy('uploaded_at')
      .orderBy('id')
      .limit(10)
      .execute();
    const [mail] = await mailed();
    const named = [...(mail?.mail.text ?? '').matchAll(/^(.+): Harbor & Pine Bakery LLC, Payroll Journal$/gm)];
    expect(named.map(([, name]) => name)).toEqual(oldest.map(({ name }) => name));
    expect(mail?.mail.text).toContain(`And ${files - 10} more.`);
  });

  it('stands by the plain letters of its clients, as other lists do', async () => {
    const { body: client } = await app.admin.post<{ id: number }>('/api/clients', clientInput('Élan Dental'));
    await report('plain letters.pdf', client.id);
    const names = (await list(app.admin)).map(([name]) => name);
    expect([...new Set(names)]).toEqual(['CANARY2', 'Élan', 'Harbor']);
  });
});

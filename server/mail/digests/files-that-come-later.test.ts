// What mails tell of files that come to people after their upload: re-filed, given a type, or restored.
import { describe, expect, it } from 'vitest';
import type { FileRow } from '#contract/files.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { addressOf, digestFirm } from '../../testing/digest-firm.ts';
import { clientInput, type Firm } from '../../testing/firm.ts';
import type { Caller, TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';

describe.each(DATABASE_KINDS)('news of files that come later on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  const { report, document, choose, toQuarter, aMinuteOn, mailed, told } = digestFirm(kind, (met) => {
    ({ app, firm } = met);
  });
  const ofA = `${addressOf('clientA')}: Coffer: 1 new report`;
  const ofB = `${addressOf('clientB')}: Coffer: 1 new report`;

  const refile = async (id: number, change: unknown, by: Caller = app.admin) => {
    const { status, body } = await by.put<FileRow>(`/api/files/${id}`, change);
    expect(status, JSON.stringify(body)).toBe(200);
  };
  const trash = async (id: number) => expect((await app.admin.delete(`/api/files/${id}`)).status).toBe(204);
  const restore = async (id: number, choice = {}) =>
    expect((await app.admin.post(`/api/files/${id}/restore`, choice)).status).toBe(200);
  const toldInAQuarter = async () => {
    await toQuarter();
    return told();
  };

  it('a report that is re-filed is told where it comes to, by its name, and not where it was', async () => {
    const { id } = await report('journal of B.pdf');
    expect(await toldInAQuarter()).toEqual([ofA]);
    await refile(id, { clientId: firm.clients[1] });
    await toQuarter();
    const [mail, ...others] = await mailed();
    expect([others, mail?.to, mail?.mail.subject]).toEqual([[], [addressOf('clientB')], 'Coffer: 1 new report']);
    expect(mail?.mail.text).toMatch(/^journal of B\.pdf: /m);
    expect(await toldInAQuarter()).toEqual([]);
  });

  it('one that gets its type later is told then, and once where both were in one round', async () => {
    const untyped = async (name: string) => {
      const fields = { clientId: firm.clients[0], fileType: 'report' };
      const { status, body } = await app.admin.upload<FileRow>({ name, bytes: `bytes of ${name}`, fields });
      expect(status).toBe(201);
      return body.id;
    };
    const later = await untyped('typed later.pdf');
    expect(await toldInAQuarter()).toEqual([]);
    await refile(later, { reportTypeId: firm.reportTypes[0] });
    expect(await toldInAQuarter()).toEqual([ofA]);
    const atOnce = await untyped('typed at once.pdf');
    await aMinuteOn();
    await refile(atOnce, { reportTypeId: firm.reportTypes[0] });
    expect(await toldInAQuarter()).toEqual([ofA]);
    expect(await toldInAQuarter()).toEqual([]);
  });

  it('between the round and its mail it is told at the new place by the next round alone', async () => {
    const { id } = await report('moves on.pdf');
    await toQuarter();
    app.advance(1);
    await refile(id, { clientId: firm.clients[1] });
    expect(await told()).toEqual([]);
    expect(await toldInAQuarter()).toEqual([ofB]);
  });

  it('nobody is told of what they have opened, or filed there themselves', async () => {
    const { id } = await report('opened.pdf');
    expect(await toldInAQuarter()).toEqual([ofA]);
    expect((await firm.viewers.clientA.get(`/api/files/${id}/view`)).status).toBe(200);
    await refile(id, { fileType: 'company_document', documentType: 'Correspondence' });
    expect(await toldInAQuarter()).toEqual([]);

    await choose('cpa', 'reports', 'atOnce');
    const { id: moved } = await report('moved.pdf', app.admin, { clientId: firm.clients[2] });
    await aMinuteOn();
    expect(await told()).toEqual([`${addressOf('cpa')}: Coffer: 1 new report`]);
    await refile(moved, { clientId: firm.clients[0] }, firm.viewers.cpa);
    await aMinuteOn();
    expect(await toldInAQuarter()).toEqual([ofA]);
  });

  it('a new name, period or document type is no news, and neither is what a client sent to the client who sent it', async () => {
    const { id } = await report('W-2.pdf');
    const sent = await document('check.pdf', firm.viewers.clientA);
    await toldInAQuarter();
    await refile(id, { originalName: 'W-2 of 2025.pdf', period: '2025' });
    await refile(sent.id, { documentType: 'Other' });
    expect(await toldInAQuarter()).toEqual([]);
    await refile(sent.id, { fileType: 'report', reportTypeId: firm.reportTypes[0] });
    expect(await toldInAQuarter()).toEqual([]);
  });

  it('what is deleted by mistake before its mail is told once it is back, and what had its time is not told again', async () => {
    const { id } = await report('soon back.pdf');
    await trash(id);
    expect(await toldInAQuarter()).toEqual([]);
    await restore(id);
    expect(await toldInAQuarter()).toEqual([ofA]);

    app.advance(2 * DAY_MS);
    await trash(id);
    await restore(id);
    expect(await toldInAQuarter()).toEqual([]);
  });

  it('an earlier version that is put back is told where the newer one came before its mail', async () => {
    const first = await report('first.pdf');
    const { id } = await report('second.pdf', app.admin, { replaces: first.id });
    expect(await toldInAQuarter()).toEqual([ofA]);
    await restore(first.id, { newer: 'trash' });
    await toQuarter();
    const [mail, ...others] = await mailed();
    expect([others, mail?.to]).toEqual([[], [addressOf('clientA')]]);
    expect([mail?.mail.text?.includes('first.pdf'), mail?.mail.text?.includes('second.pdf')]).toEqual([true, false]);
    expect(id).not.toBe(first.id);
  });

  it('what came to a client by mistake and is soon deleted is not named to its people, unless they have opened it', async () => {
    for (const who of ['clientA', 'clientB'] as const) {
      await choose(who, 'reports', 'never');
      await choose(who, 'deleted', 'atOnce');
    }
    const toB = { clientId: firm.clients[1] };
    const mistake = await report('payroll of A.pdf');
    const known = await report('known to A.pdf');
    const stayed = await report('came to stay.pdf');
    expect((await firm.viewers.clientA.get(`/api/files/${known.id}/view`)).status).toBe(200);
    await refile(stayed.id, toB);
    app.advance(2 * DAY_MS);
    await refile(mistake.id, toB);
    await refile(known.id, { fileType: 'company_document', documentType: 'Correspondence' });
    for (const { id } of [mistake, known, stayed]) await trash(id);
    await aMinuteOn();
    const mails = await mailed();
    expect(mails.map(({ to, mail }) => `${to[0]}: ${mail.subject}`).sort()).toEqual([
      `${addressOf('clientA')}: Coffer: 1 deleted file`,
      `${addressOf('clientB')}: Coffer: 1 deleted file`,
    ]);
    expect(mails.filter(({ mail }) => mail.text?.includes('came to stay.pdf'))).toHaveLength(1);
    expect(mails.filter(({ mail }) => mail.text?.includes('payroll of A.pdf'))).toEqual([]);
  });

  it('of a deleted file hears who saw it under the type it had then, and nobody to whom that type brought it just before', async () => {
    for (const who of ['clientA', 'cpa'] as const) {
      await choose(who, 'reports', 'never');
      await choose(who, 'deleted', 'atOnce');
    }
    const [journal, form941] = firm.reportTypes;
    const away = await report('no more for A.pdf');
    const here = await report('for A since.pdf', app.admin, { reportTypeId: form941 });
    const late = await report('never seen by A.pdf', app.admin, { reportTypeId: form941 });
    app.advance(2 * DAY_MS);
    await refile(away.id, { reportTypeId: form941 });
    await refile(here.id, { reportTypeId: journal });
    app.advance(2 * DAY_MS);
    await refile(late.id, { reportTypeId: journal });
    for (const { id } of [away, here, late]) await trash(id);
    await aMinuteOn();
    const mails = await mailed();
    const named = (who: 'clientA' | 'cpa') =>
      mails
        .filter(({ to }) => to[0] === addressOf(who))
        .flatMap(({ mail }) => mail.text?.match(/^.+\.pdf(?=: )/gm) ?? [])
        .sort();
    expect([named('clientA'), named('cpa')]).toEqual([
      ['for A since.pdf'],
      ['for A since.pdf', 'never seen by A.pdf', 'no more for A.pdf'],
    ]);
  });

  it('with a client that comes back, what went with it untold is told', async () => {
    const { body: client } = await app.admin.post<{ id: number }>('/api/clients', clientInput('Comes Back LLC'));
    await choose('admin2', 'reports', 'atOnce');
    await report('with it.pdf', app.admin, { clientId: client.id });
    expect((await app.admin.delete(`/api/clients/${client.id}`)).status).toBe(204);
    await aMinuteOn();
    expect(await told()).toEqual([]);
    expect((await app.admin.post(`/api/clients/${client.id}/restore`, {})).status).toBe(200);
    await aMinuteOn();
    expect(await told()).toEqual([`${addressOf('admin2')}: Coffer: 1 new report`]);
  });
});

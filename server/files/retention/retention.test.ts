// Retention over HTTP: for how many years files are kept, and what is due by that.
import { describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { DueFile, RetentionRules } from '#contract/retention.ts';
import type { Firm } from '../../testing/firm.ts';
import { retentionFirm } from '../../testing/retention-firm.ts';
import type { Caller } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';

describe.each(DATABASE_KINDS)('retention on %s', (kind) => {
  let firm: Firm;
  let admin: Caller;
  const { onDay, keep, due, namesDue, upload } = retentionFirm(kind, (met) => {
    ({ firm, admin } = met);
  });

  it('G108: nothing is due that no years are said for, and years are counted from the end of the period', async () => {
    const [type] = firm.reportTypes;
    for (const period of ['2019', '2019-Q1', '2019-05-31', '2020-02-29', '2019-02', '2019-09', '2019-10'])
      await upload(`${period}.txt`, period);
    await onDay('2040-01-01');
    expect(await due()).toEqual([]);
    expect((await keep(type, 10)).status).toBe(200);
    await onDay('2039-12-31');
    const rows = await due();
    expect(rows.map(({ originalName, dueOn }) => [originalName, dueOn])).toEqual([
      // No February is over a day too early.
      ['2019-02.txt', '2029-03-01'],
      ['2019-Q1.txt', '2029-03-31'],
      ['2019-05-31.txt', '2029-05-31'],
      ['2019-09.txt', '2029-09-30'],
      ['2019-10.txt', '2029-10-31'],
      ['2019.txt', '2029-12-31'],
      ['2020-02-29.txt', '2030-03-01'],
      // Without a period: from the upload on.
      ['f1.txt', expect.any(String)],
      ['CANARY2 f2.txt', expect.any(String)],
    ]);
    expect(rows[1]).toMatchObject({ years: 10, typeName: 'Payroll Journal', onHold: false, period: '2019-Q1' });
    expect(rows[7]?.dueOn.slice(4)).toBe(rows[7]?.uploadedAt.slice(4, 10));
    // A day before, it is not; the clock put back a day, not either.
    await onDay('2029-03-31');
    expect(await namesDue()).toEqual(['2019-02.txt', '2019-Q1.txt']);
    await onDay('2029-03-30');
    expect(await namesDue()).toEqual(['2019-02.txt']);
  });

  it('G108: nothing is due before four years after April 15 of the year that follows, whatever the years', async () => {
    await upload('annual.txt', '2019');
    await upload('early.txt', '2019-01-04');
    await keep(firm.reportTypes[0], 1);
    await onDay('2024-04-14');
    expect(await namesDue()).toEqual([]);
    await onDay('2024-04-15');
    expect((await due()).map(({ originalName, dueOn }) => [originalName, dueOn])).toEqual([
      ['annual.txt', '2024-04-15'],
      ['early.txt', '2024-04-15'],
    ]);
    await keep(firm.reportTypes[0], 4);
    expect(await namesDue()).toEqual(['annual.txt', 'early.txt']);
    await keep(firm.reportTypes[0], null);
    expect(await namesDue()).toEqual([]);
  });

  it('G108: what is kept for longer than the rest is due once its own years are over', async () => {
    const [short, long] = firm.reportTypes;
    await upload('short.txt', '2010');
    await upload('long.txt', '2010', { reportTypeId: long });
    await keep(short, 6);
    await keep(long, 20);
    await onDay('2030-12-30');
    expect(await namesDue()).toEqual(['short.txt']);
    await onDay('2030-12-31');
    expect(await namesDue()).toEqual(['short.txt', 'long.txt']);
    await keep(short, null);
    expect(await namesDue()).toEqual(['long.txt']);
  });

  it('G108: what has no type goes by the years of its own, and the list is narrowed and ordered', async () => {
    const [c1, c2] = firm.clients;
    await onDay('2040-01-01');
    expect((await keep(null, 8)).body.untypedYears).toBe(8);
    expect(await namesDue('?sort=name')).toEqual(['f4.txt', 'f5.txt']);
    await keep(firm.reportTypes[0], 8);
    expect(await namesDue('?sort=-name')).toEqual(['f5.txt', 'f4.txt', 'f1.txt', 'CANARY2 f2.txt']);
    expect(await namesDue(`?clientId=${c2}`)).toEqual(['CANARY2 f2.txt']);
    expect(await namesDue(`?reportTypeId=none&clientId=${c1}&sort=name`)).toEqual(['f4.txt', 'f5.txt']);
    expect(await namesDue(`?reportTypeId=${firm.reportTypes[0]}&sort=client`)).toHaveLength(2);
    await admin.post('/api/holds', { kind: 'client', id: c2, reason: 'Audit' });
    expect(await namesDue('?onHold=true')).toEqual(['CANARY2 f2.txt']);
    expect(await namesDue('?onHold=false&sort=name')).toEqual(['f1.txt', 'f4.txt', 'f5.txt']);
    const page = await admin.get<DueFile[]>('/api/retention?limit=1&offset=1&sort=name');
    expect([page.body.length, page.headers.get('x-total-count')]).toEqual([1, '4']);
    const log = (await admin.get<ActivityRow[]>('/api/activity-logs?action=update&q=kept')).body;
    expect(log.map(({ details }) => details)).toEqual([
      'Files of report type: Payroll Journal are kept for 8 years, before for ever',
      'Files of report type: none are kept for 8 years, before for ever',
    ]);
    const { body: type } = await admin.post<{ id: number }>('/api/report-types', { name: 'agency notices' });
    await upload('notice.txt', '2019', { reportTypeId: type.id });
    await keep(type.id, 8);
    expect((await due('?sort=type')).map(({ typeName }) => typeName)).toEqual([
      '',
      'agency notices',
      'Correspondence',
      'Payroll Journal',
      'Payroll Journal',
    ]);
  });

  it.each([
    [{ reportTypeId: null, years: 0 }, 'years'],
    [{ reportTypeId: null, years: 101 }, 'years'],
    [{ reportTypeId: null, years: 4.5 }, 'years'],
    [{ reportTypeId: null, years: '4' }, 'years'],
    [{ reportTypeId: 'x', years: 4 }, 'reportTypeId'],
    [{ years: 4 }, 'reportTypeId'],
  ])('G108: years of %j are refused at their field', async (body, field) => {
    const answer = await admin.put<ErrorBody>('/api/retention/rules', body);
    expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([400, [field]]);
  });

  it('G108: years are not overwritten unseen: whoever says others than those that were read is told, also of two at once', async () => {
    for (const reportTypeId of [firm.reportTypes[0], null]) {
      const version = async () => {
        const { untypedVersion, types } = (await admin.get<RetentionRules>('/api/retention/rules')).body;
        return reportTypeId === null ? untypedVersion : types.find(({ id }) => id === reportTypeId)?.version;
      };
      const keepOver = async (read: string | undefined, years: number | null) => {
        const answer = await admin.fetch('/api/retention/rules', {
          method: 'PUT',
          headers: { 'content-type': 'application/json', 'if-match': `"${read}"` },
          body: JSON.stringify({ reportTypeId, years }),
        });
        return [answer.status, ((await answer.json()) as Partial<ErrorBody>).code] as const;
      };
      const before = await version();
      expect((await keep(reportTypeId, 7)).status).toBe(200);
      expect(await keepOver(before, 4)).toEqual([412, 'changed_meanwhile']);
      // What is said already is no change.
      expect(await keepOver(before, 7)).toEqual([200, undefined]);
      const read = await version();
      const both = await Promise.all([keepOver(read, 10), keepOver(read, null)]);
      expect(both.map(([status]) => status).sort()).toEqual([200, 412]);
    }
  });
});

// The phrases of report types over HTTP, on both engines: kept by whoever keeps report types, each of one type alone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { PHRASES_MAX } from '#contract/phrase-words.ts';
import type { ReportTypeRow } from '#contract/report-types.ts';
import { addRole, addUser, type Firm } from '../../testing/firm.ts';
import type { Caller, TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';

describe.each(DATABASE_KINDS)('phrases of report types on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  const save = (id: number, phrases: unknown, by: Caller = app.admin) =>
    by.put<ReportTypeRow & ErrorBody>(`/api/report-types/${id}/phrases`, { phrases });
  const phrasesOf = async (id: number, by: Caller = app.admin) =>
    (await by.get<ReportTypeRow[]>('/api/report-types')).body.find((type) => type.id === id)?.phrases;
  const log = async () => (await app.admin.get<ActivityRow[]>('/api/activity-logs?limit=1')).body[0]?.details;

  it('are saved as a whole, each once however it is written, and the log says which came and went', async () => {
    const [type] = firm.reportTypes;
    const saved = await save(type, ['  Weekly Hours Report ', 'weekly hours  report', 'Time & attendance']);
    expect([saved.status, saved.body]).toMatchObject([
      200,
      { id: type, name: 'Payroll Journal', phrases: ['Weekly Hours Report', 'Time & attendance'] },
    ]);
    expect(await log()).toBe(
      'Updated phrases of report type: Payroll Journal, added "Weekly Hours Report", "Time & attendance"',
    );
    // Of the same words for recognition: the last one is kept as it is written.
    expect((await save(type, ['Time and Attendance', 'Hours by week'])).body.phrases).toEqual([
      'Time and Attendance',
      'Hours by week',
    ]);
    expect(await log()).toBe(
      'Updated phrases of report type: Payroll Journal, added "Time and Attendance", "Hours by week", removed "Weekly Hours Report", "Time & attendance"',
    );
    const before = await log();
    expect((await save(type, ['Time and Attendance', 'Hours by week'])).status).toBe(200);
    expect(await log()).toBe(before);
    expect((await save(type, [])).body.phrases).toEqual([]);
    expect(await phrasesOf(type)).toEqual([]);
  });

  it.each([
    [['ok phrase', 'ab'], { 'phrases.1': 'Each phrase must be at least 3 characters' }],
    [['941'], { 'phrases.0': 'Each phrase needs at least 4 letters, or it would be found on every page' }],
    [['and & and'], { 'phrases.0': 'Each phrase needs at least 4 letters, or it would be found on every page' }],
    [['x'.repeat(101)], { 'phrases.0': 'Must be at most 100 characters' }],
    [
      Array.from({ length: PHRASES_MAX + 1 }, (_, nth) => `Phrase number ${nth}`),
      { phrases: 'Please enter at most 30 phrases' },
    ],
    ['Weekly hours', { phrases: 'Must be a list of phrases' }],
  ])('%j is refused by field', async (phrases, fields) => {
    const [, type] = firm.reportTypes;
    const { status, body } = await save(type, phrases);
    expect([status, body.code, body.fields]).toEqual([400, 'invalid', fields]);
    expect(await phrasesOf(type)).toEqual([]);
  });

  it('are of one type alone, which is named where it is found', async () => {
    const [one, other] = firm.reportTypes;
    await save(one, ['Quarterly recap']);
    const refused = await save(other, ['Something else', 'QUARTERLY RECAP']);
    expect([refused.status, refused.body.code, refused.body.fields]).toEqual([
      409,
      'phrase_taken',
      { 'phrases.1': 'Payroll Journal has the phrase "QUARTERLY RECAP" already. Remove it there first.' },
    ]);
    expect(await phrasesOf(other)).toEqual([]);
    await save(one, []);
    expect((await save(other, ['QUARTERLY RECAP'])).status).toBe(200);
    await save(other, []);
  });

  it('at the same moment, two types do not get the same phrase', async () => {
    const [one, other] = firm.reportTypes;
    const answers = await Promise.all([save(one, ['At once']), save(other, ['at once'])]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await save(one, []);
    await save(other, []);
  });

  it('are not overwritten unseen: whoever saves over what somebody else has added since is told, also of two at once', async () => {
    const [type] = firm.reportTypes;
    const version = async () =>
      (await app.admin.get<ReportTypeRow[]>('/api/report-types')).body.find(({ id }) => id === type)?.version;
    const saveOver = async (read: string | undefined, phrases: readonly string[]) => {
      const answer = await app.admin.fetch(`/api/report-types/${type}/phrases`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'if-match': `"${read}"` },
        body: JSON.stringify({ phrases }),
      });
      return { status: answer.status, body: (await answer.json()) as ReportTypeRow & ErrorBody };
    };
    await save(type, ['Crew ledger']);
    const before = await version();
    await save(type, ['Crew ledger', 'Hours by week']);
    const late = await saveOver(before, ['Crew ledger', 'Shift sheet']);
    expect([late.status, late.body.code]).toEqual([412, 'changed_meanwhile']);
    expect(await phrasesOf(type)).toEqual(['Crew ledger', 'Hours by week']);
    const saved = await saveOver(await version(), ['Shift sheet']);
    expect([saved.status, saved.body.version]).toEqual([200, await version()]);
    const both = await Promise.all(['First of two', 'Second of two'].map((one) => saveOver(saved.body.version, [one])));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    await save(type, []);
  });

  it('go with their type, and may be another one’s then', async () => {
    const { body: gone } = await app.admin.post<ReportTypeRow>('/api/report-types', { name: 'Gone Soon' });
    expect(gone.phrases).toEqual([]);
    await save(gone.id, ['Passing phrase']);
    expect((await app.admin.delete(`/api/report-types/${gone.id}`)).status).toBe(204);
    const [one] = firm.reportTypes;
    expect((await save(one, ['Passing phrase'])).status).toBe(200);
    await save(one, []);
    expect((await save(gone.id, [])).status).toBe(404);
  });

  it('are changed by nobody without the right, and shown to those who keep types or work with batches', async () => {
    const [type] = firm.reportTypes;
    await save(type, ['Only for staff']);
    const { cpa, clientA, bookkeeper } = firm.viewers;
    for (const by of [cpa, clientA, bookkeeper]) {
      const { status, body } = await save(type, ['Mine'], by);
      expect([status, body.code]).toEqual([403, 'forbidden']);
    }
    expect(await phrasesOf(type)).toEqual(['Only for staff']);
    expect(await phrasesOf(type, cpa)).toEqual(['Only for staff']);
    expect(await phrasesOf(type, clientA)).toEqual([]);
    expect(await phrasesOf(type, bookkeeper)).toEqual([]);
    const role = await addRole(app, 'Keeper of types', ['report-types.manage']);
    const keeper = await addUser(app, 'keeper', role, { clientIds: [], reportTypeIds: [] });
    expect((await save(type, ['By the keeper'], keeper.caller)).body.phrases).toEqual(['By the keeper']);
    await save(type, []);
  });
});

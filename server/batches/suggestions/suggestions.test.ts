// What a reviewer has remembered who keeps neither report types nor clients: it holds for that person's batches alone until it is accepted.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import { SUGGESTIONS_MAX } from '#contract/batch-words.ts';
import type { BatchDetails, BatchRow, DocumentRow } from '#contract/batches.ts';
import type { ClientRow } from '#contract/clients.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { ReportTypeRow } from '#contract/report-types.ts';
import type { SuggestionRow } from '#contract/suggestions.ts';
import { addUser, clientInput, type Firm, makeFirm } from '../../testing/firm.ts';
import { type Caller, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { insertTestBatch, type TestDocument } from '../../testing/test-batch.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { testPdf } from '../../testing/test-pdf.ts';
import { insertTestSuggestion } from '../../testing/test-suggestion.ts';

const WITHIN = { timeout: 30_000, interval: 30 };

interface Person {
  readonly id: number;
  readonly caller: Caller;
}

describe.each(DATABASE_KINDS)('what reviewers suggest, on %s', { timeout: 90_000 }, (kind) => {
  let app: TestApp;
  let firm: Firm;
  let timesheets: number;
  let deposits: number;
  /** Two who share their reach. */
  let maker: Person;
  let colleague: Person;

  let people = 0;
  const lists = () => ({ clientIds: [firm.clients[0], firm.clients[2]], reportTypeIds: [timesheets, deposits] });
  const aReviewer = (more = {}) => addUser(app, `reviewer ${++people}`, firm.roles.cpa, { ...lists(), ...more });

  beforeAll(async () => {
    app = await startTestApp(kind);
    firm = await makeFirm(app);
    timesheets = await aType('Timesheets');
    deposits = await aType('Deposits');
  });
  afterAll(() => app.close());
  afterEach(async () => {
    await app.context.jobs.stop();
    await app.database.transaction((tx) => tx.deleteFrom('suggestions').execute());
  });

  const aType = async (name: string) => (await app.admin.post<ReportTypeRow>('/api/report-types', { name })).body.id;
  const aClient = async (name: string) => (await app.admin.post<ClientRow>('/api/clients', clientInput(name))).body.id;
  const suggestionsOf = async (by: Caller) => (await by.get<SuggestionRow[]>('/api/suggestions')).body;
  const wordsOf = async (by: Caller) => (await suggestionsOf(by)).map(({ words }) => words);
  const phrasesOf = async (id: number) =>
    (await app.admin.get<ReportTypeRow[]>('/api/report-types')).body.find((type) => type.id === id)?.phrases;
  const clientOf = async (id: number) => (await app.admin.get<ClientRow>(`/api/clients/${id}`)).body;
  const log = async (entries = 1) =>
    (await app.admin.get<ActivityRow[]>(`/api/activity-logs?limit=${entries}`)).body.map(({ details }) => details);
  const decide = (by: Person, id: number, body: object) =>
    by.caller.post<DocumentRow[] & ErrorBody>(`/api/batches/${id}/documents/decide`, body);

  /** What one page is proposed as, dropped by somebody. */
  async function read(by: Person, ...lines: readonly string[]): Promise<{ id: number; document: DocumentRow }> {
    const { body: batch } = await by.caller.post<BatchRow>('/api/batches', { name: 'Pay run' });
    const bytes = Buffer.from(await testPdf([lines]));
    await by.caller.upload({ path: `/api/batches/${batch.id}/files`, name: 'run.pdf', bytes, fields: {} });
    await by.caller.post(`/api/batches/${batch.id}/read`);
    await app.context.jobs.start();
    await vi.waitFor(async () => {
      expect((await by.caller.get<BatchDetails>(`/api/batches/${batch.id}`)).body.batch.state).toBe('review');
    }, WITHIN);
    await app.context.jobs.stop();
    const [document] = (await by.caller.get<DocumentRow[]>(`/api/batches/${batch.id}/documents`)).body;
    if (document === undefined) throw new Error('Nothing was proposed');
    return { id: batch.id, document };
  }

  /** Has the words of a document remembered for a type or client. */
  async function suggest(by: Person, proposal: TestDocument['proposal'], said: object) {
    const { id, documentIds } = await insertTestBatch(app, {
      ownerId: by.id,
      state: 'review',
      documents: [{ from: 1, to: 4, state: 'toCheck', ...(proposal === undefined ? {} : { proposal }) }],
    });
    return decide(by, id, { ids: [...documentIds], ...said });
  }
  const suggestPhrase = (by: Person, heading: string, reportTypeId: number) =>
    suggest(by, { heading }, { reportTypeId, remember: ['type'] });
  const suggestName = (by: Person, printedName: string, clientId: number) =>
    suggest(by, { printedName }, { clientId, remember: ['client'] });

  it('G84: it holds at once for who suggested it, for nobody else until it is accepted, and then for everybody', async () => {
    [maker, colleague] = [await aReviewer(), await aReviewer()];
    const [client] = firm.clients;
    const { name } = await clientOf(client);
    const page = (week: string) => ['Weekly Hours Report', 'Brightwater Diner LLC', `Week ${week}`];
    const first = await read(maker, ...page('one'));
    const said = { ids: [first.document.id], clientId: client, reportTypeId: timesheets, remember: ['type', 'client'] };
    const remembered = await decide(maker, first.id, said);
    expect([remembered.status, remembered.body[0]?.rememberable]).toEqual([200, { type: null, client: null }]);
    expect(await phrasesOf(timesheets)).toEqual([]);
    expect((await clientOf(client)).otherNames).toEqual([]);
    expect(await log(2)).toEqual([
      `Suggested for client: ${name}, the other name "Brightwater Diner LLC"`,
      'Suggested for report type: Timesheets, the phrase "Weekly Hours Report"',
    ]);

    const place = { clientId: client, reportTypeId: timesheets };
    expect((await read(maker, ...page('two'))).document).toMatchObject(place);
    const nothing = { clientId: null, reportTypeId: null };
    expect((await read(colleague, ...page('two'))).document).toMatchObject(nothing);
    expect(await suggestionsOf(colleague.caller)).toEqual([]);
    expect(await suggestionsOf(maker.caller)).toMatchObject([
      { kind: 'type', words: 'Weekly Hours Report', reportTypeName: 'Timesheets', clientId: null, own: true },
      { kind: 'client', words: 'Brightwater Diner LLC', clientName: name, reportTypeId: null, own: true },
    ]);

    const waiting = await suggestionsOf(app.admin);
    expect(waiting.map(({ own, byName }) => [own, byName])).toEqual([
      [false, remembered.body[0]?.reviewedByName],
      [false, remembered.body[0]?.reviewedByName],
    ]);
    for (const { id } of waiting) {
      expect((await app.admin.post(`/api/suggestions/${id}/accept`)).status).toBe(204);
    }
    expect(await phrasesOf(timesheets)).toEqual(['Weekly Hours Report']);
    expect((await clientOf(client)).otherNames).toEqual(['Brightwater Diner LLC']);
    expect(await log()).toEqual([
      `Accepted what ${waiting[0]?.byName} suggested for client: ${name}, the other name "Brightwater Diner LLC"`,
    ]);
    expect([await suggestionsOf(app.admin), await suggestionsOf(maker.caller)]).toEqual([[], []]);
    expect((await read(colleague, ...page('three'))).document).toMatchObject(place);
    expect((await app.admin.post(`/api/suggestions/${waiting[0]?.id}/accept`)).status).toBe(404);
  });

  it('declined or taken back it is gone, and the log says by whom', async () => {
    const by = await aReviewer();
    await suggestPhrase(by, 'Crew ledger', timesheets);
    await suggestPhrase(by, 'Shift ledger', deposits);
    const [crew, shift] = await suggestionsOf(by.caller);
    const stranger = await aReviewer();
    expect((await stranger.caller.delete(`/api/suggestions/${crew?.id}`)).status).toBe(404);
    expect((await by.caller.post<ErrorBody>(`/api/suggestions/${crew?.id}/accept`)).body.code).toBe('forbidden');
    expect((await app.admin.delete(`/api/suggestions/${crew?.id}`)).status).toBe(204);
    expect(await log()).toEqual([
      `Declined what ${crew?.byName} suggested for report type: Timesheets, the phrase "Crew ledger"`,
    ]);
    expect((await by.caller.delete(`/api/suggestions/${shift?.id}`)).status).toBe(204);
    expect(await log()).toEqual(['Took back what was suggested for report type: Deposits, the phrase "Shift ledger"']);
    expect(await suggestionsOf(by.caller)).toEqual([]);
    expect((await read(by, 'Crew Ledger', 'Somebody LLC')).document.reportTypeId).toBeNull();
  });

  it('G84: whoever lost the client or the type sees it no more and goes by it no more', async () => {
    const by = await aReviewer();
    const client = firm.clients[2];
    await suggestPhrase(by, 'Hours of the yard', timesheets);
    await suggestName(by, 'Yardside Nursery LLC', client);
    const page = ['Hours of the Yard', 'Yardside Nursery LLC', 'Week nine'];
    expect((await read(by, ...page)).document).toMatchObject({ clientId: client, reportTypeId: timesheets });
    const { body: user } = await app.admin.get<{ username: string; fullName: string; roleId: number }>(
      `/api/users/${by.id}`,
    );
    const reach = (more: object) =>
      app.admin.put(`/api/users/${by.id}`, {
        username: user.username,
        fullName: user.fullName,
        roleId: user.roleId,
        password: '',
        ...lists(),
        ...more,
      });
    expect((await reach({ clientIds: [firm.clients[0]], reportTypeIds: [deposits] })).status).toBe(200);
    expect(await suggestionsOf(by.caller)).toEqual([]);
    expect((await read(by, ...page)).document).toMatchObject({ clientId: null, reportTypeId: null });
    expect(await wordsOf(app.admin)).toEqual(['Hours of the yard', 'Yardside Nursery LLC']);
  });

  it('G84: what the firm says wins, whenever it says so', async () => {
    const by = await aReviewer();
    const hidden = await aType('Hidden type');
    await app.admin.put(`/api/report-types/${hidden}/phrases`, { phrases: ['Ledger of lorries'] });
    const taken = await suggestPhrase(by, 'Ledger of Lorries', timesheets);
    expect([taken.status, taken.body.code]).toEqual([409, 'phrase_taken']);
    expect(taken.body.message).not.toContain('Hidden type');

    await suggestPhrase(by, 'Ledger of vans', timesheets);
    await suggestName(by, 'Vanguard Moving LLC', firm.clients[0]);
    await app.admin.put(`/api/report-types/${deposits}/phrases`, { phrases: ['Ledger of vans'] });
    const other = await aClient('Vanguard Moving LLC');
    const { document } = await read(by, 'Ledger of Vans', 'Vanguard Moving LLC', 'Week five');
    expect(document).toMatchObject({ reportTypeId: deposits, clientId: null });
    const [phrase] = await suggestionsOf(app.admin);
    const refused = await app.admin.post<ErrorBody>(`/api/suggestions/${phrase?.id}/accept`);
    expect([refused.status, refused.body.code]).toEqual([409, 'phrase_taken']);
    expect(await wordsOf(by.caller)).toEqual(['Ledger of vans', 'Vanguard Moving LLC']);
    await app.admin.put(`/api/report-types/${deposits}/phrases`, { phrases: [] });
    await app.admin.delete(`/api/clients/${other}`);
  });

  it('the same words stand for one type alone, and what the firm has by now is no suggestion any more', async () => {
    const [one, two] = [await aReviewer(), await aReviewer()];
    await suggestPhrase(one, 'Roster of drivers', timesheets);
    await suggestPhrase(one, 'ROSTER OF DRIVERS', deposits);
    await suggestPhrase(one, 'Roster of Drivers', deposits);
    expect((await suggestionsOf(one.caller)).map(({ reportTypeId }) => reportTypeId)).toEqual([deposits]);
    await suggestPhrase(two, 'Roster of drivers', deposits);
    await app.admin.put(`/api/report-types/${deposits}/phrases`, { phrases: ['Roster of drivers'] });
    expect(await suggestionsOf(app.admin)).toEqual([]);
    // The firm's own is nothing to suggest.
    expect((await suggestPhrase(one, 'Roster of drivers', deposits)).status).toBe(200);
    expect(await suggestionsOf(one.caller)).toEqual([]);
    await app.admin.put(`/api/report-types/${deposits}/phrases`, { phrases: [] });
  });

  it('it goes with the person, the client or the type', async () => {
    const by = await aReviewer();
    const [type, client] = [await aType('Short lived'), await aClient('Short Lived LLC')];
    const leaver = await aReviewer();
    const ofPerson = { ownerId: by.id, words: 'Words of a short life' };
    await insertTestSuggestion(app, { kind: 'type', id: type, ...ofPerson });
    await insertTestSuggestion(app, { kind: 'client', id: client, ...ofPerson });
    await suggestPhrase(leaver, 'Words of a leaver', timesheets);
    expect(await suggestionsOf(app.admin)).toHaveLength(3);
    await app.admin.delete(`/api/report-types/${type}`);
    await app.admin.delete(`/api/clients/${client}`);
    await app.admin.delete(`/api/users/${leaver.id}`);
    expect(await suggestionsOf(app.admin)).toEqual([]);
  });

  it('what is too short for a phrase, or one too many, is refused, and the choice with it', async () => {
    const by = await aReviewer();
    const short = await suggestPhrase(by, '941', timesheets);
    expect([short.status, Object.keys(short.body.fields ?? {})]).toEqual([400, ['remember']]);
    for (let nth = 0; nth < SUGGESTIONS_MAX; nth += 1) {
      await insertTestSuggestion(app, { kind: 'type', id: timesheets, ownerId: by.id, words: `Numbered words ${nth}` });
    }
    const { status, body } = await suggestPhrase(by, 'One more phrase', timesheets);
    expect([status, body.fields]).toEqual([
      400,
      { remember: `You have asked to remember ${SUGGESTIONS_MAX} things already. Remove some under Batches.` },
    ]);
    expect(await wordsOf(by.caller)).toHaveLength(SUGGESTIONS_MAX);
  });
});

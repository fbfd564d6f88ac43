// What a reviewer's choice teaches, over HTTP, on both engines: the next batch is proposed by it, and nobody teaches who may not.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { BatchDetails, BatchRow, DocumentRow } from '#contract/batches.ts';
import { type ClientRow, OTHER_NAMES_MAX } from '#contract/clients.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { SignalKind } from '#contract/recognition-words.ts';
import type { ReportTypeRow } from '#contract/report-types.ts';
import { addRole, addUser, clientInput, type Firm } from '../testing/firm.ts';
import type { Caller, TestApp } from '../testing/test-app.ts';
import { insertTestBatch, type TestDocument } from '../testing/test-batch.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';
import { testPdf } from '../testing/test-pdf.ts';

const WITHIN = { timeout: 30_000, interval: 30 };

describe.each(DATABASE_KINDS)('what a batch teaches, on %s', { timeout: 90_000 }, (kind) => {
  let app: TestApp;
  let firm: Firm;
  /** Works with batches and keeps clients and report types, within lists. */
  let teacher: { id: number; caller: Caller };
  let timesheets: number;

  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
    timesheets = (await app.admin.post<ReportTypeRow>('/api/report-types', { name: 'Timesheets' })).body.id;
    const role = await addRole(app, 'Teacher', ['batches.manage', 'report-types.manage', 'clients.manage']);
    const lists = { clientIds: [firm.clients[0], firm.clients[2]], reportTypeIds: [firm.reportTypes[0], timesheets] };
    teacher = await addUser(app, 'teacher', role, lists);
  });
  afterAll(() => app.close());
  afterEach(() => app.context.jobs.stop());

  const path = (id: number, rest = '') => `/api/batches/${id}${rest}`;
  const documentsOf = async (id: number, by = teacher.caller) =>
    (await by.get<DocumentRow[]>(path(id, '/documents'))).body;
  const decide = (id: number, body: object, by = teacher.caller) =>
    by.post<DocumentRow[] & ErrorBody>(path(id, '/documents/decide'), body);
  const phrasesOf = async (id: number) =>
    (await app.admin.get<ReportTypeRow[]>('/api/report-types')).body.find((type) => type.id === id)?.phrases;
  const clientOf = async (id: number) => (await app.admin.get<ClientRow>(`/api/clients/${id}`)).body;
  const log = async () => (await app.admin.get<ActivityRow[]>('/api/activity-logs?limit=1')).body[0]?.details;

  /** Drops pages and has them read. */
  async function read(...pages: readonly (readonly string[])[]): Promise<{ id: number; documents: DocumentRow[] }> {
    const { body: batch } = await teacher.caller.post<BatchRow>('/api/batches', { name: 'Pay run' });
    const bytes = Buffer.from(await testPdf(pages));
    await teacher.caller.upload({ path: path(batch.id, '/files'), name: 'run.pdf', bytes, fields: {} });
    await teacher.caller.post(path(batch.id, '/read'));
    await app.context.jobs.start();
    await vi.waitFor(async () => {
      const { state } = (await teacher.caller.get<BatchDetails>(path(batch.id))).body.batch;
      expect(state).toBe('review');
    }, WITHIN);
    await app.context.jobs.stop();
    return { id: batch.id, documents: await documentsOf(batch.id) };
  }

  /** Documents of a batch in review, of four pages each, with what was read from them. */
  async function inReview(...documents: readonly Partial<TestDocument>[]) {
    const { id, documentIds } = await insertTestBatch(app, {
      ownerId: teacher.id,
      state: 'review',
      pages: 4 * documents.length,
      documents: documents.map((document, nth) => ({
        from: 4 * nth + 1,
        to: 4 * nth + 4,
        state: 'toCheck',
        ...document,
      })),
    });
    return { id, ids: [...documentIds] };
  }

  it('the heading and the name on the page, as a reviewer confirms them, propose the next batch', async () => {
    const [client] = firm.clients;
    const { federalId } = await clientOf(client);
    const page = (more: string) => ['Weekly Hours Report', 'Brightwater Diner LLC', `EIN ${federalId}`, more];
    const first = await read(page('of the first week'));
    const [found] = first.documents;
    expect(found).toMatchObject({ reportTypeId: null, state: 'toCheck', rememberable: { type: null, client: null } });
    const chosen = await decide(first.id, { ids: [found?.id], clientId: client, reportTypeId: timesheets });
    expect(chosen.body[0]?.rememberable).toEqual({ type: 'Weekly Hours Report', client: 'Brightwater Diner LLC' });
    const { version, state } = chosen.body[0] as DocumentRow;

    const taught = await decide(first.id, { ids: [found?.id], remember: ['type', 'client'], version });
    expect([taught.status, taught.body[0]?.rememberable]).toEqual([200, { type: null, client: null }]);
    // Nothing is said about the document itself.
    expect([taught.body[0]?.version, taught.body[0]?.state]).toEqual([version, state]);
    expect(await phrasesOf(timesheets)).toEqual(['Weekly Hours Report']);
    const after = await clientOf(client);
    expect(after.otherNames).toEqual(['Brightwater Diner LLC']);
    expect(await log()).toBe(`Updated client: ${after.name}, added the other name "Brightwater Diner LLC"`);
    const searched = await app.admin.get<ClientRow[]>('/api/clients?q=brightwater');
    expect(searched.body.map(({ id }) => id)).toEqual([client]);
    // Known by now, it is no error.
    expect((await decide(first.id, { ids: [found?.id], remember: ['type', 'client'] })).status).toBe(200);
    expect((await clientOf(client)).version).toBe(after.version);

    const second = await read(page('of the second week'));
    expect(second.documents).toHaveLength(1);
    expect(second.documents[0]).toMatchObject({
      clientId: client,
      reportTypeId: timesheets,
      state: 'ready',
      reasons: [],
      rememberable: { type: null, client: null },
    });
    const kinds = second.documents[0]?.clients[0]?.signals.map((signal) => signal.kind);
    expect([kinds, second.documents[0]?.typeSignals[0]?.kind]).toEqual([['federalId', 'otherName'], 'phrase']);

    // A processor who does not reach the type is not told of it.
    const blind = await addUser(app, 'blind', firm.roles.cpa, { clientIds: [client], reportTypeIds: [] });
    expect(JSON.stringify((await blind.caller.get('/api/report-types')).body)).not.toContain('Weekly Hours');
    await app.admin.put(`/api/report-types/${timesheets}/phrases`, { phrases: [] });
  });

  it('a type that was recognised wrongly is recognised rightly from then on', async () => {
    const [client] = firm.clients;
    const { federalId, name } = await clientOf(client);
    const page = (week: string) => ['Payroll Journal', name, `EIN ${federalId}`, 'Check Date: 01/30/2026', week];
    const first = await read(page('one'));
    expect(first.documents[0]).toMatchObject({ reportTypeId: firm.reportTypes[0], state: 'ready' });
    const said = { ids: [first.documents[0]?.id], reportTypeId: timesheets, remember: ['type'], decision: 'accepted' };
    expect((await decide(first.id, said)).body[0]).toMatchObject({ state: 'accepted', reportTypeId: timesheets });
    const second = await read(page('two'));
    expect(second.documents[0]).toMatchObject({ reportTypeId: timesheets, state: 'ready' });
    await app.admin.put(`/api/report-types/${timesheets}/phrases`, { phrases: [] });
  });

  it('words are the document’s, never the request’s', async () => {
    const { id, ids } = await inReview({ proposal: { heading: 'Hours by crew' } });
    for (const remember of [['Anything at all'], 'type', [{ type: 'x' }], []]) {
      expect((await decide(id, { ids, reportTypeId: timesheets, remember })).body.code).toBe('invalid');
    }
    const { body } = await decide(id, { ids: [...ids, 999_999], remember: ['type'] });
    expect(body.fields).toEqual({ remember: 'What is remembered is of a single document' });
    expect(await phrasesOf(timesheets)).toEqual([]);
  });

  it('without words, a type or a client, nothing is remembered and nothing changes', async () => {
    const { id, ids } = await inReview({});
    const [before] = await documentsOf(id);
    const noWords = await decide(id, { ids, reportTypeId: timesheets, remember: ['type'] });
    expect([noWords.status, noWords.body.fields]).toEqual([
      400,
      { remember: 'This document has no heading to remember, or no report type' },
    ]);
    const noClient = await decide(id, { ids, remember: ['client'] });
    expect(noClient.body.fields).toEqual({ remember: 'This document has no name to remember, or no client' });
    expect(await documentsOf(id)).toEqual([before]);
  });

  it('a phrase of another type is refused, and the choice with it', async () => {
    const [journal] = firm.reportTypes;
    await app.admin.put(`/api/report-types/${journal}/phrases`, { phrases: ['Hours by crew'] });
    const { id, ids } = await inReview({ proposal: { heading: 'HOURS BY CREW' } });
    const refused = await decide(id, { ids, reportTypeId: timesheets, remember: ['type'] });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'Payroll Journal has the phrase "HOURS BY CREW" already. Remove it there first.',
    ]);
    expect((await documentsOf(id))[0]).toMatchObject({ reportTypeId: null, version: 1 });
    await app.admin.put(`/api/report-types/${journal}/phrases`, { phrases: [] });
  });

  it('a client has as many other names as may be, and no more for it', async () => {
    const otherNames = Array.from({ length: OTHER_NAMES_MAX }, (_, nth) => `Short name ${nth}`);
    const input = clientInput('Many Names LLC', { otherNames });
    const { id: many } = (await teacher.caller.post<ClientRow>('/api/clients', input)).body;
    const { id, ids } = await inReview({ proposal: { printedName: 'One More Name LLC' } });
    const { status, body } = await decide(id, { ids, clientId: many, remember: ['client'] });
    expect([status, body.fields]).toEqual([400, { remember: `Please enter at most ${OTHER_NAMES_MAX} other names` }]);
    expect((await clientOf(many)).otherNames).toEqual(otherNames);
  });

  it('nobody teaches of another’s batch, nor of a client out of reach, and the choice does not come through either', async () => {
    const proposal = { heading: 'Hours by crew', printedName: 'Brightwater Annex LLC' };
    const lists = { clientIds: [firm.clients[0]], reportTypeIds: [timesheets] };
    const cpa = await addUser(app, 'no-teacher', firm.roles.cpa, lists);
    const { id, documentIds } = await insertTestBatch(app, {
      ownerId: cpa.id,
      state: 'review',
      documents: [{ from: 1, to: 4, state: 'toCheck', proposal }],
    });
    const said = { ids: [...documentIds], reportTypeId: timesheets, remember: ['type'] };
    expect((await decide(id, said)).status).toBe(404);
    const own = await inReview({ proposal });
    const far = await decide(own.id, { ids: own.ids, clientId: firm.clients[1], remember: ['client'] });
    expect(far.status).toBe(404);
    expect((await documentsOf(own.id))[0]?.version).toBe(1);
    expect(await phrasesOf(timesheets)).toEqual([]);
    expect((await clientOf(firm.clients[1])).otherNames).toEqual([]);
  });

  it('no other company that stands beside the client’s own name is offered as another name of it', async () => {
    const [clientId] = firm.clients;
    const printedName = 'Larkspur Payroll Services LLC';
    const known = (kind: SignalKind): Partial<TestDocument> => {
      const clients = [{ clientId, signals: [{ kind, text: 'As it was found', marks: [] }] }];
      return { clientId, proposal: { clientId, clients, printedName, reasons: ['oneSignal', 'anotherCompany'] } };
    };
    const kinds: readonly SignalKind[] = ['legalName', 'otherName', 'cutName', 'federalId', 'fileName'];
    const { id } = await inReview(...kinds.map(known));
    const offered = (await documentsOf(id)).map(({ rememberable }) => rememberable.client);
    expect(offered).toEqual([null, null, null, printedName, printedName]);
  });

  it('no name is offered that several clients’ documents print, or that another client is called', async () => {
    const [one, , other] = firm.clients;
    const printing = (printedName: string, clientId?: number): Partial<TestDocument> => ({
      proposal: { printedName },
      ...(clientId === undefined ? {} : { clientId }),
    });
    const offered = async (id: number) => (await documentsOf(id)).map(({ rememberable }) => rememberable.client);
    const bureau = 'Larkspur Payroll Services LLC';
    const { id, ids } = await inReview(
      printing(bureau, one),
      printing(bureau.toUpperCase()),
      printing('Zenith Foods LLC', other),
      printing('Zenith Foods LLC', other),
      printing((await clientOf(other)).name, one),
    );
    const zenith = ['Zenith Foods LLC', 'Zenith Foods LLC'];
    expect(await offered(id)).toEqual([bureau, null, ...zenith, null]);
    // Whoever's the second one is, it is not the first one's client: the name is nobody's.
    const chosen = await decide(id, { ids: [ids[1]], clientId: other });
    expect([chosen.status, chosen.body[0]?.rememberable.client]).toEqual([200, null]);
    expect(await offered(id)).toEqual([null, null, ...zenith, null]);
    await decide(id, { ids: [ids[1]], clientId: one });
    expect(await offered(id)).toEqual([bureau, bureau.toUpperCase(), ...zenith, null]);
  });

  it('what the batch prints is asked once, however many of its documents print a name', async () => {
    const printing = Array.from({ length: 40 }, (_, nth) => ({
      clientId: firm.clients[0],
      proposal: { printedName: `Crew ${nth} Catering LLC` },
    }));
    const { id } = await inReview(...printing);
    const statements = vi.spyOn(app.database.reader.getExecutor(), 'executeQuery');
    const askedOf = async (limit: number) => {
      statements.mockClear();
      const { body } = await teacher.caller.get<DocumentRow[]>(path(id, `/documents?limit=${limit}`));
      expect(body.filter(({ rememberable }) => rememberable.client !== null)).toHaveLength(limit);
      return statements.mock.calls.filter(([{ sql }]) => sql.includes('printedName')).length;
    };
    expect([await askedOf(1), await askedOf(40)]).toEqual([1, 1]);
    statements.mockRestore();
  });

  it('what follows a split has neither the heading nor the name of the pages before', async () => {
    const { id, ids } = await inReview({
      proposal: { heading: 'Hours by crew', printedName: 'Brightwater Annex LLC' },
    });
    const place = { clientId: firm.clients[0], reportTypeId: timesheets };
    await decide(id, { ids, ...place });
    await teacher.caller.post(path(id, '/documents/split'), { documentId: ids[0], page: 3 });
    expect((await documentsOf(id)).map(({ rememberable }) => rememberable)).toEqual([
      { type: 'Hours by crew', client: 'Brightwater Annex LLC' },
      { type: null, client: null },
    ]);
  });
});

// Documents of a batch that are closed to whoever made it, over HTTP and on both engines: what their rows tell, and what a deletion leaves of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BatchDetails, DocumentRow } from '#contract/batches.ts';
import type { ClientRow } from '#contract/clients.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { ReportTypeRow } from '#contract/report-types.ts';
import { addUser, clientInput, type Firm } from '../testing/firm.ts';
import type { Caller, TestApp } from '../testing/test-app.ts';
import { insertTestBatch, type TestDocument } from '../testing/test-batch.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';

const KINDS = ['client', 'report type'] as const;

describe.each(DATABASE_KINDS)('closed documents on %s', { timeout: 60_000 }, (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  let made = 0;
  /** Somebody who has both clients and both types, of which the second ones can be deleted. */
  async function aMaker() {
    made += 1;
    const { body: client } = await app.admin.post<ClientRow>('/api/clients', clientInput(`Leaving Co ${made}`));
    const { body: type } = await app.admin.post<ReportTypeRow>('/api/report-types', { name: `Leaving Type ${made}` });
    const own = { clientId: firm.clients[0], reportTypeId: firm.reportTypes[0] };
    const lists = { clientIds: [own.clientId, client.id], reportTypeIds: [own.reportTypeId, type.id] };
    const maker = await addUser(app, `maker ${made}`, firm.roles.cpa, lists);
    const ofClient = { ...own, clientId: client.id };
    const ofType = { ...own, reportTypeId: type.id };
    const loses = (what: (typeof KINDS)[number]) =>
      app.database.transaction(async (tx) => {
        if (what === 'client') await tx.deleteFrom('user_clients').where('client_id', '=', client.id).execute();
        else await tx.deleteFrom('user_report_types').where('report_type_id', '=', type.id).execute();
      });
    const isDeleted = async (what: (typeof KINDS)[number]) =>
      expect(
        (await app.admin.delete(what === 'client' ? `/api/clients/${client.id}` : `/api/report-types/${type.id}`))
          .status,
      ).toBe(204);
    return {
      ...maker,
      own,
      ofClient,
      ofType,
      leaving: { clientId: client.id, reportTypeId: type.id },
      loses,
      isDeleted,
    };
  }
  const inReview = (ownerId: number, documents: readonly TestDocument[]) =>
    insertTestBatch(app, { ownerId, state: 'review', documents });
  const documentsOf = async (by: Caller, id: number) =>
    (await by.get<DocumentRow[]>(`/api/batches/${id}/documents`)).body;
  const closedTo = async (by: Caller, id: number) => {
    const { files } = (await by.get<BatchDetails>(`/api/batches/${id}`)).body;
    return {
      file: files.map(({ closed }) => closed),
      documents: (await documentsOf(by, id)).map(({ closed }) => closed),
    };
  };
  const contentOf = async (by: Caller, fileId: number) => (await by.get(`/api/files/batches/${fileId}/content`)).status;
  const decide = (by: Caller, id: number, body: object) =>
    by.post<DocumentRow[] & ErrorBody>(`/api/batches/${id}/documents/decide`, body);
  const asked = ({ status, body }: { status: number; body: ErrorBody }) => [status, body.code];

  it('G43: the row of a closed document tells nothing of its pages, its period, what was said of it or other files', async () => {
    const { id: ownerId, caller, own, ofClient, loses } = await aMaker();
    const signals = [{ kind: 'period' as const, text: 'Words of the page', marks: [] }];
    const place = { from: 1, to: 2, period: '2026-Q1', ...ofClient };
    const proposal = {
      clients: [{ clientId: own.clientId, signals }],
      typeSignals: signals,
      periodSignals: signals,
      reasons: ['oneSignal' as const, 'typeByFileName' as const],
      heading: 'Heading of the page',
      printedName: 'Name on the page',
    };
    const { id, documentIds } = await inReview(ownerId, [
      { ...place, state: 'toCheck', proposal },
      { ...place, state: 'recalled', proposal, releasedFileId: 999_999 },
    ]);
    const [one, two] = documentIds as [number, number];
    await app.database.transaction(async (tx) => {
      const said = { form: '941-X', correction: 1, fault: 'Said of it' } as const;
      const recalled = { recall_reason: 'Why', recalled_by_name: 'Somebody', recalled_at: 1 };
      await tx
        .updateTable('batch_documents')
        .set({ ...said, replaces_file_id: 999_997 })
        .where('id', '=', one)
        .execute();
      await tx
        .updateTable('batch_documents')
        .set({ ...said, ...recalled, corrects_file_id: 999_998 })
        .where('id', '=', two)
        .execute();
    });
    const before = await documentsOf(caller, id);
    expect(before[0]).toMatchObject({ closed: false, form: '941-X', period: '2026-Q1', replacesFileId: 999_997 });
    await loses('client');
    const untold = {
      closed: true,
      clientId: null,
      period: null,
      form: null,
      correction: false,
      clients: [],
      typeSignals: [],
      periodSignals: [],
      reasons: [],
      rememberable: { type: null, client: null },
      replacesFileId: null,
      correctsFileId: null,
      releasedFileId: null,
      onHold: false,
      fault: null,
      recall: null,
      alreadyThere: null,
      sameBytes: null,
    };
    const rows = await documentsOf(caller, id);
    expect(rows).toMatchObject([untold, untold]);
    expect(JSON.stringify(rows)).not.toMatch(/of the page|on the page|Said of it|941|2026|99999/);
    expect(await documentsOf(app.admin, id)).toMatchObject([
      { closed: false, form: '941-X', fault: 'Said of it', replacesFileId: 999_997, typeSignals: signals },
      { closed: false, correctsFileId: 999_998, releasedFileId: 999_999, recall: { reason: 'Why' } },
    ]);
  });

  it.each(KINDS)(
    'G127: a document of a %s that was lost stays closed once that is deleted, until somebody who reaches all says what it is',
    async (what) => {
      const { id: ownerId, caller, own, ofClient, ofType, loses, isDeleted } = await aMaker();
      const hidden = what === 'client' ? ofClient : ofType;
      const { id, fileId, documentIds } = await inReview(ownerId, [
        { from: 1, to: 2, state: 'toCheck', ...own },
        { from: 3, to: 4, state: 'toCheck', ...hidden },
      ]);
      const [first, second] = documentIds;
      await loses(what);
      const closed = { file: [true], documents: [false, true] };
      expect([await closedTo(caller, id), await contentOf(caller, fileId)]).toEqual([closed, 404]);
      await isDeleted(what);
      expect([await closedTo(caller, id), await contentOf(caller, fileId)]).toEqual([closed, 404]);
      for (const said of [own, { decision: 'accepted' }, { decision: 'dropped' }, { period: '2026' }]) {
        expect(asked(await decide(caller, id, { ids: [second], ...said }))).toEqual([404, 'not_found']);
      }
      for (const [act, body] of [
        ['split', { documentId: second, page: 4 }],
        ['join', { documentId: second }],
      ] as const) {
        expect(asked(await caller.post<ErrorBody>(`/api/batches/${id}/documents/${act}`, body))).toEqual([
          404,
          'not_found',
        ]);
      }

      // An Admin has it as before. To say something else of it opens nothing; to say what it is does.
      expect(await closedTo(app.admin, id)).toEqual({ file: [false], documents: [false, false] });
      expect((await decide(app.admin, id, { ids: [second], period: '2026' })).status).toBe(200);
      expect(await closedTo(caller, id)).toEqual(closed);
      expect((await decide(app.admin, id, { ids: [second], ...own })).status).toBe(200);
      expect([await closedTo(caller, id), await contentOf(caller, fileId)]).toEqual([
        { file: [false], documents: [false, false] },
        200,
      ]);
      expect((await decide(caller, id, { ids: [first, second], decision: 'dropped' })).status).toBe(200);
    },
  );

  it.each(KINDS)('G127: who has the %s when it is deleted chooses another', async (what) => {
    const { id: ownerId, caller, own, ofClient, ofType, isDeleted } = await aMaker();
    const { id, fileId, documentIds } = await inReview(ownerId, [
      { from: 1, to: 4, state: 'toCheck', ...(what === 'client' ? ofClient : ofType) },
    ]);
    await isDeleted(what);
    expect([await closedTo(caller, id), await contentOf(caller, fileId)]).toEqual([
      { file: [false], documents: [false] },
      200,
    ]);
    const { status, body } = await decide(caller, id, { ids: documentIds, ...own, decision: 'accepted' });
    expect([status, body[0]?.state]).toEqual([200, 'accepted']);
  });

  it.each(KINDS)('what was ready or accepted of a %s that is deleted is to check, and says why', async (what) => {
    const { id: ownerId, caller, own, ofClient, ofType, isDeleted } = await aMaker();
    const gone = what === 'client' ? ofClient : ofType;
    const { id, documentIds } = await inReview(ownerId, [
      { from: 1, to: 1, state: 'ready', ...gone },
      { from: 2, to: 2, state: 'accepted', ...gone },
      { from: 3, to: 3, state: 'dropped', ...gone },
      { from: 4, to: 4, state: 'ready', ...own },
    ]);
    expect((await documentsOf(caller, id))[1]).toMatchObject({ state: 'accepted', acceptedByMe: true });
    await isDeleted(what);
    const toCheck = {
      state: 'toCheck',
      acceptedByMe: false,
      fault: 'Its client or report type was deleted. Select another one.',
    };
    const documents = await documentsOf(caller, id);
    expect(documents).toMatchObject([
      toCheck,
      toCheck,
      { state: 'dropped', fault: null },
      { state: 'ready', fault: null },
    ]);
    // All that are ready are accepted together: none of them holds the others back.
    const ready = documents.filter(({ state }) => state === 'ready').map((document) => document.id);
    expect((await decide(caller, id, { ids: ready, decision: 'accepted' })).status).toBe(200);
    const again = await decide(caller, id, { ids: documentIds.slice(0, 1), ...own, decision: 'accepted' });
    expect(again.body[0]).toMatchObject({ state: 'accepted', fault: null });
  });

  it('G127: a client that comes back from the trash opens its documents to who has it then, and to nobody else', async () => {
    const { id: ownerId, caller, ofClient, leaving, loses, isDeleted } = await aMaker();
    const { id, fileId } = await inReview(ownerId, [{ from: 1, to: 4, state: 'toCheck', ...ofClient }]);
    await loses('client');
    await isDeleted('client');
    expect((await app.admin.post(`/api/clients/${leaving.clientId}/restore`)).status).toBe(200);
    expect([await closedTo(caller, id), await contentOf(caller, fileId)]).toEqual([
      { file: [true], documents: [true] },
      404,
    ]);
    await app.database.transaction((tx) =>
      tx.insertInto('user_clients').values({ user_id: ownerId, client_id: leaving.clientId }).execute(),
    );
    expect([await closedTo(caller, id), await contentOf(caller, fileId)]).toEqual([
      { file: [false], documents: [false] },
      200,
    ]);
  });
});

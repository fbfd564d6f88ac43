// Who may call what about files: the calls of `rows/files.ts`.
import { describe, it } from 'vitest';
import { DATABASE_KINDS } from '../test-database.ts';
import { type Attempt, type Attempts, bytes, get, NONE_THERE, noneThere, post, remove } from './calls.ts';
import type { RightsFirm } from './rights-firm.ts';
import { seededFiles } from './seeded-files.ts';
import { tryRights } from './try-rights.ts';
import type { ViewerName } from './viewers.ts';

function filesAttempts(firm: RightsFirm): Attempts {
  const { app, bystander, clients, files, types, userIds } = firm;
  const { aTrashedFile, fileIn, nearReport, nearUntyped, nearDocument, nearOtherType, farReport, farDocument } =
    seededFiles(firm);

  const archive = (ids: () => number[]): Attempt => ({
    call: (by) => by.post('/api/files/archive', { ids: ids() }),
  });
  const upload = (fields: () => Record<string, string | number>): Attempt => ({
    call: (by) => by.upload({ fields: fields() }),
  });
  const refile = (target: NonNullable<Attempt['target']>, change: () => Record<string, unknown>): Attempt => ({
    target,
    call: (by, id) => by.put(`/api/files/${id}`, change()),
  });
  /** Such a file that names another client. */
  const markedIn = (file: Parameters<typeof fileIn>[0]) => async (viewer: ViewerName) => {
    const id = await fileIn(file, 'another')(viewer);
    const mark = { file_id: id, named_client_id: clients.far, state: 'open' as const, created_at: 1 };
    await app.database.transaction((tx) => tx.insertInto('file_marks').values(mark).execute());
    return id;
  };
  const listMarked: Attempt['call'] = async (by) => {
    const answer = await by.get<{ file: { id: number } }[]>('/api/files/marked');
    return Array.isArray(answer.body) ? { ...answer, body: answer.body.map(({ file }) => file) } : answer;
  };
  const readersOf: Attempt['call'] = async (by, id) => {
    const answer = await by.get<{ readers?: { fileId: number }[] }>(`/api/files/readers?ids=${id}`);
    const found = answer.body.readers;
    return found === undefined ? answer : { ...answer, body: found.map(({ fileId }) => ({ id: fileId })) };
  };
  const settleMark = (target: NonNullable<Attempt['target']>): Attempt => ({
    target,
    call: (by, id) => by.post(`/api/files/${id}/settle-mark`),
  });
  const ticket = (id: () => number): Attempt => ({
    target: id,
    call: (by, fileId) => by.post(`/api/files/${fileId}/view-ticket`),
  });

  return {
    'files.list shows a report in reach': { target: () => files.report, call: get('/api/files') },
    'files.list shows a document in reach': { target: () => files.document, call: get('/api/files') },
    "files.list shows another's report without type": { target: () => files.untyped, call: get('/api/files') },
    "files.list shows one's own report without type": { target: fileIn(nearUntyped, 'own'), call: get('/api/files') },
    'files.list shows a report of a type out of reach': { target: () => files.otherType, call: get('/api/files') },
    'files.list shows a report of a client out of reach': { target: () => files.farReport, call: get('/api/files') },
    'files.list shows a document of a client out of reach': {
      target: () => files.farDocument,
      call: get('/api/files'),
    },
    "files.list shows one's own of a client out of reach": {
      target: fileIn(farDocument, 'own'),
      call: get('/api/files'),
    },
    'files.already-there': {
      call: (by) =>
        by.post('/api/files/already-there', {
          files: [{ clientId: clients.near, fileType: 'company_document', name: 'hello.txt', size: 5 }],
        }),
    },
    'files.upload a report in reach': upload(() => ({
      clientId: clients.near,
      fileType: 'report',
      reportTypeId: types.known,
    })),
    'files.upload a report without type': upload(() => ({ clientId: clients.near, fileType: 'report' })),
    'files.upload a document in reach': upload(() => ({ clientId: clients.near, fileType: 'company_document' })),
    'files.upload a report of a type out of reach': upload(() => ({
      clientId: clients.near,
      fileType: 'report',
      reportTypeId: types.other,
    })),
    'files.upload a report to a client out of reach': upload(() => ({
      clientId: clients.far,
      fileType: 'report',
      reportTypeId: types.known,
    })),
    'files.upload a document to a client out of reach': upload(() => ({
      clientId: clients.far,
      fileType: 'company_document',
    })),
    'files.upload a document to no client there': upload(() => ({
      clientId: NONE_THERE,
      fileType: 'company_document',
    })),
    'files.open a report in reach': { target: () => files.report, call: bytes('/api/files/{id}') },
    'files.open a document in reach': { target: () => files.document, call: bytes('/api/files/{id}?view=true') },
    "files.open another's report without type": { target: () => files.untyped, call: bytes('/api/files/{id}') },
    'files.open a report of a type out of reach': {
      target: () => files.otherType,
      call: bytes('/api/files/{id}?view=true'),
    },
    'files.open a report of a client out of reach': { target: () => files.farReport, call: bytes('/api/files/{id}') },
    'files.open a document of a client out of reach': {
      target: () => files.farDocument,
      call: bytes('/api/files/{id}?view=true'),
    },
    'files.open none there': { target: noneThere, call: bytes('/api/files/{id}') },
    'files.download a report in reach': { target: () => files.report, call: bytes('/api/files/{id}/download') },
    "files.download another's report without type": {
      target: () => files.untyped,
      call: bytes('/api/files/{id}/download'),
    },
    'files.download a report of a type out of reach': {
      target: () => files.otherType,
      call: bytes('/api/files/{id}/download'),
    },
    'files.download a report of a client out of reach': {
      target: () => files.farReport,
      call: bytes('/api/files/{id}/download'),
    },
    'files.view a report in reach': { target: () => files.report, call: bytes('/api/files/{id}/view') },
    "files.view another's report without type": { target: () => files.untyped, call: bytes('/api/files/{id}/view') },
    'files.view a report of a type out of reach': {
      target: () => files.otherType,
      call: bytes('/api/files/{id}/view'),
    },
    'files.view a report of a client out of reach': {
      target: () => files.farReport,
      call: bytes('/api/files/{id}/view'),
    },
    'files.export': { call: get('/api/files/export') },
    'files.news': { call: get('/api/files/news') },
    'files.periods': { call: get('/api/files/periods?clientId=1') },
    'files.archive a report in reach': archive(() => [files.report]),
    'files.archive a report of a client out of reach': archive(() => [files.farReport]),
    'files.archive with one of a client out of reach': archive(() => [files.report, files.farReport]),
    'files.archive none there': archive(() => [NONE_THERE]),
    'files.marked shows a document in reach': { target: markedIn(nearDocument), call: listMarked },
    'files.marked shows a report of a type out of reach': { target: markedIn(nearOtherType), call: listMarked },
    'files.marked shows one of a client out of reach': { target: markedIn(farDocument), call: listMarked },
    'files.readers shows a report in reach': { target: fileIn(nearReport, 'another'), call: readersOf },
    'files.readers shows a report of a type out of reach': {
      target: fileIn(nearOtherType, 'another'),
      call: readersOf,
    },
    'files.settle-mark a report in reach': settleMark(markedIn(nearReport)),
    'files.settle-mark a document in reach': settleMark(markedIn(nearDocument)),
    'files.settle-mark a report of a type out of reach': settleMark(markedIn(nearOtherType)),
    'files.settle-mark a document of a client out of reach': settleMark(markedIn(farDocument)),
    'files.settle-mark a report that is not marked': settleMark(fileIn(nearReport, 'another')),
    'files.settle-mark none there': settleMark(noneThere),
    'files.search-inside': { call: (by) => by.get('/api/files/inside?q=report') },
    'files.facts of a report in reach': { target: () => files.report, call: get('/api/files/{id}/facts') },
    "files.facts of another's report without type": { target: () => files.untyped, call: get('/api/files/{id}/facts') },
    'files.facts of a report of a type out of reach': {
      target: () => files.otherType,
      call: get('/api/files/{id}/facts'),
    },
    'files.facts of a report of a client out of reach': {
      target: () => files.farReport,
      call: get('/api/files/{id}/facts'),
    },
    'files.facts of none there': { target: noneThere, call: get('/api/files/{id}/facts') },
    'files.view-ticket a report in reach': ticket(() => files.report),
    "files.view-ticket another's report without type": ticket(() => files.untyped),
    'files.view-ticket a report of a type out of reach': ticket(() => files.otherType),
    'files.view-ticket a report of a client out of reach': ticket(() => files.farReport),
    'files.set-period a report in reach': {
      target: fileIn(nearReport, 'another'),
      call: (by, id) => by.put('/api/files/period', { ids: [Number(id)], period: '2026-Q1' }),
    },
    'files.set-period with one of a client out of reach': {
      target: fileIn(nearReport, 'another'),
      call: (by, id) => by.put('/api/files/period', { ids: [Number(id), files.farReport], period: '2026-Q1' }),
    },
    'files.refile a report in reach as a document': refile(fileIn(nearReport, 'another'), () => ({
      fileType: 'company_document',
    })),
    "files.refile one's own document under a type": refile(fileIn(nearDocument, 'own'), () => ({
      documentType: 'Tax Return',
    })),
    "files.refile one's own document as a report": refile(fileIn(nearDocument, 'own'), () => ({
      fileType: 'report',
      reportTypeId: types.known,
    })),
    "files.refile another's document in reach": refile(fileIn(nearDocument, 'another'), () => ({
      documentType: 'Tax Return',
    })),
    'files.refile a report in reach to no type': refile(fileIn(nearReport, 'another'), () => ({ reportTypeId: null })),
    "files.refile one's own report to no type": refile(fileIn(nearReport, 'own'), () => ({ reportTypeId: null })),
    'files.refile to a report type out of reach': refile(fileIn(nearReport, 'another'), () => ({
      reportTypeId: types.other,
    })),
    'files.refile to a client out of reach': refile(fileIn(nearReport, 'another'), () => ({ clientId: clients.far })),
    'files.refile to no client there': refile(fileIn(nearReport, 'another'), () => ({ clientId: NONE_THERE })),
    "files.refile another's report without type": refile(fileIn(nearUntyped, 'another'), () => ({
      reportTypeId: types.known,
    })),
    'files.refile a report of a type out of reach': refile(fileIn(nearOtherType, 'another'), () => ({
      reportTypeId: types.known,
    })),
    'files.refile a report of a client out of reach': refile(fileIn(farReport, 'another'), () => ({
      clientId: clients.near,
    })),
    "files.refile one's own of a client out of reach": refile(fileIn(farDocument, 'own'), () => ({
      clientId: clients.near,
    })),
    'files.refile none there': refile(noneThere, () => ({ clientId: clients.near })),
    'files.delete a report in reach': { target: fileIn(nearReport, 'another'), call: remove('/api/files/{id}') },
    "files.delete one's own report without type": {
      target: fileIn(nearUntyped, 'own'),
      call: remove('/api/files/{id}'),
    },
    "files.delete another's document in reach": {
      target: fileIn(nearDocument, 'another'),
      call: remove('/api/files/{id}'),
    },
    "files.delete one's own document in reach": {
      target: fileIn(nearDocument, 'own'),
      call: remove('/api/files/{id}'),
    },
    "files.delete another's report without type": {
      target: fileIn(nearUntyped, 'another'),
      call: remove('/api/files/{id}'),
    },
    'files.delete a report of a type out of reach': {
      target: fileIn(nearOtherType, 'another'),
      call: remove('/api/files/{id}'),
    },
    'files.delete a report of a client out of reach': {
      target: fileIn(farReport, 'another'),
      call: remove('/api/files/{id}'),
    },
    "files.delete one's own of a client out of reach": {
      target: fileIn(farDocument, 'own'),
      call: remove('/api/files/{id}'),
    },
    'files.delete none there': { target: noneThere, call: remove('/api/files/{id}') },
    'files.restore a report that one deleted': {
      target: (viewer) => aTrashedFile(nearReport, 'another', userIds[viewer])(viewer),
      call: post('/api/files/{id}/restore'),
    },
    'files.restore a report that another deleted': {
      target: (viewer) => aTrashedFile(nearReport, 'another', bystander.id)(viewer),
      call: post('/api/files/{id}/restore'),
    },
    "files.restore one's own document that one deleted": {
      target: (viewer) => aTrashedFile(nearDocument, 'own', userIds[viewer])(viewer),
      call: post('/api/files/{id}/restore'),
    },
    'files.restore of a client out of reach': {
      target: (viewer) => aTrashedFile(farReport, 'own', userIds[viewer])(viewer),
      call: post('/api/files/{id}/restore'),
    },
    'files.restore a document that another sent': {
      target: (viewer) => aTrashedFile(nearDocument, 'another', bystander.id)(viewer),
      call: post('/api/files/{id}/restore'),
    },
    'files.restore none there': { target: noneThere, call: post('/api/files/{id}/restore') },
    'files.purge a report that one deleted': {
      target: (viewer) => aTrashedFile(nearReport, 'own', userIds[viewer])(viewer),
      call: post('/api/files/{id}/purge'),
    },
    'files.purge none there': { target: noneThere, call: post('/api/files/{id}/purge') },
  };
}

describe.each(DATABASE_KINDS)('who may call what on %s', (kind) => {
  const { expectRecorded } = tryRights(kind, 'files', filesAttempts);

  it('G19: whatever is refused as forbidden or not found is recorded against anyone who asked', async () => {
    await expectRecorded();
  });
});

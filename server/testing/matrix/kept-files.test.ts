// Who may call what about archives, the trash, holds, retention and completeness: the calls of `rows/kept-files.ts`.
import { describe, it } from 'vitest';
import { insertTestArchive } from '../test-archive.ts';
import { DATABASE_KINDS } from '../test-database.ts';
import { type Attempt, type Attempts, bytes, get, NONE_THERE, noneThere, post, remove } from './calls.ts';
import type { RightsFirm } from './rights-firm.ts';
import { seededFiles } from './seeded-files.ts';
import { tryRights } from './try-rights.ts';
import type { ViewerName } from './viewers.ts';

function keptFilesAttempts(firm: RightsFirm): Attempts {
  const { aClient, app, aType, bringIntoReach, bystander, clients, files, types, uploadAsAdmin, userIds } = firm;
  const { aTrashedFile, fileIn, nearReport, nearDocument, nearOtherType, farReport } = seededFiles(firm);

  const order = (ids: () => number[]): Attempt => ({
    call: (by) => by.post('/api/archives', { ids: ids() }),
  });
  const archiveOf = (owner: 'own' | 'another', file: () => number, state: 'ready' | 'failed' = 'ready') => ({
    target: (viewer: ViewerName) =>
      insertTestArchive(app, { ownerId: owner === 'own' ? userIds[viewer] : bystander.id, fileIds: [file()], state }),
  });
  const quarterly = { frequency: 'quarterly', dueDays: 31, starts: null };
  const expectMany = (...pairs: (() => readonly [clientId: number, reportTypeId: number])[]): Attempt => ({
    call: (by) =>
      by.post('/api/completeness/expectations', {
        expectations: pairs.map((pair) => {
          const [clientId, reportTypeId] = pair();
          return { clientId, reportTypeId, ...quarterly };
        }),
      }),
  });
  const expectOf = (client: () => number, reportType: () => number): Attempt => ({
    target: client,
    call: (by, id) =>
      by.put(`/api/clients/${id}/expectations`, { expectations: [{ reportTypeId: reportType(), ...quarterly }] }),
  });
  /** Puts a file or client on hold, past the API. */
  async function seedHold(on: 'file' | 'client', itemId: number, clientId: number): Promise<number> {
    const hold = { kind: on, item_id: itemId, client_id: clientId, name: 'Held', client_name: 'A client' };
    const placed = { reason: 'An audit', placed_by_id: bystander.id, placed_by_name: 'Somebody', placed_at: 1 };
    const { id } = await app.database.transaction((tx) =>
      tx
        .insertInto('holds')
        .values({ ...hold, ...placed })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    return id;
  }
  const aHeldFile = (file: Parameters<typeof fileIn>[0], where: 'near' | 'far') => async (viewer: ViewerName) =>
    seedHold('file', await fileIn(file, 'another')(viewer), clients[where]);
  async function aHeldClient(isReached: boolean): Promise<number> {
    const clientId = await aClient();
    if (isReached) await bringIntoReach({ clientId });
    return seedHold('client', clientId, clientId);
  }
  const aReachedClient = async () => {
    const clientId = await aClient();
    await bringIntoReach({ clientId });
    return clientId;
  };
  const saveRule: Attempt['call'] = (by, reportTypeId) => by.put('/api/retention/rules', { reportTypeId, years: 7 });
  const dispose: Attempt['call'] = (by, id) => by.post('/api/retention/disposals', { ids: [id], expected: 1 });
  const leaveRest: Attempt['call'] = (by, id) => by.post(`/api/retention/disposals/${id}/rest`, { decision: 'leave' });
  const aStoppedDisposal = () => aDisposal(null);
  async function aDisposal(endedAt: number | null = 1): Promise<number> {
    const order = { ordered_by_id: bystander.id, ordered_by_name: 'Somebody', ordered_at: 1, ended_at: endedAt };
    const { id } = await app.database.transaction((tx) =>
      tx.insertInto('disposals').values(order).returning('id').executeTakeFirstOrThrow(),
    );
    return id;
  }
  const placeHold = (on: 'file' | 'client', target: NonNullable<Attempt['target']>): Attempt => ({
    target,
    call: (by, id) => by.post('/api/holds', { kind: on, id, reason: 'An audit' }),
  });

  return {
    'archives.order of a report in reach': order(() => [files.report]),
    'archives.order of a report of a client out of reach': order(() => [files.farReport]),
    'archives.order of none there': order(() => [NONE_THERE]),
    "archives.list shows one's own": {
      ...archiveOf('own', () => files.report),
      call: get('/api/archives'),
    },
    "archives.list shows another's": {
      ...archiveOf('another', () => files.report),
      call: get('/api/archives'),
    },
    "archives.open one's own": {
      ...archiveOf('own', () => files.report),
      call: bytes('/api/files/archives/{id}/download'),
    },
    "archives.open another's": {
      ...archiveOf('another', () => files.report),
      call: bytes('/api/files/archives/{id}/download'),
    },
    'archives.open none there': { target: noneThere, call: bytes('/api/files/archives/{id}/download') },
    "archives.retry one's own": {
      ...archiveOf('own', () => files.report, 'failed'),
      call: (by, id) => by.post(`/api/archives/${id}/retry`),
    },
    "archives.retry another's": {
      ...archiveOf('another', () => files.report, 'failed'),
      call: (by, id) => by.post(`/api/archives/${id}/retry`),
    },
    "archives.delete one's own": {
      ...archiveOf('own', () => files.report),
      call: remove('/api/archives/{id}'),
    },
    "archives.delete another's": {
      ...archiveOf('another', () => files.report),
      call: remove('/api/archives/{id}'),
    },

    'completeness.board': { call: (by) => by.get('/api/completeness?period=2026-Q3') },
    'completeness.export': { call: (by) => by.get('/api/completeness/export?period=2026-Q3') },
    'completeness.summary': { call: (by) => by.get('/api/completeness/summary?period=2026-Q3') },
    'completeness.propose': { call: (by) => by.post('/api/completeness/proposals', {}) },
    'completeness.propose of a client out of reach': {
      call: (by) => by.post('/api/completeness/proposals', { clientIds: [clients.near, clients.far] }),
    },
    'completeness.save-many in reach': expectMany(() => [clients.near, types.known]),
    'completeness.save-many with a client out of reach': expectMany(
      () => [clients.near, types.known],
      () => [clients.far, types.known],
    ),
    'completeness.save-many with a type out of reach': expectMany(
      () => [clients.near, types.known],
      () => [clients.near, types.other],
    ),
    'completeness.list in reach': { target: () => clients.near, call: get('/api/clients/{id}/expectations') },
    'completeness.list out of reach': { target: () => clients.far, call: get('/api/clients/{id}/expectations') },
    'completeness.list of none there': { target: noneThere, call: get('/api/clients/{id}/expectations') },
    'completeness.save in reach': expectOf(
      () => clients.near,
      () => types.known,
    ),
    'completeness.save out of reach': expectOf(
      () => clients.far,
      () => types.known,
    ),
    'completeness.save with a type out of reach': expectOf(
      () => clients.near,
      () => types.other,
    ),

    'trash.list shows what one deleted': {
      target: (viewer) => aTrashedFile(nearReport, 'another', userIds[viewer])(viewer),
      call: get('/api/trash'),
    },
    'trash.list shows a document that another sent': {
      target: (viewer) => aTrashedFile(nearDocument, 'another', bystander.id)(viewer),
      call: get('/api/trash'),
    },
    'trash.list shows a report out of reach': {
      target: (viewer) => aTrashedFile(farReport, 'another', bystander.id)(viewer),
      call: get('/api/trash'),
    },
    'trash.list shows what another deleted': {
      target: (viewer) => aTrashedFile(nearReport, 'another', bystander.id)(viewer),
      call: get('/api/trash'),
    },

    'holds.list shows one on a file in reach': { target: aHeldFile(nearReport, 'near'), call: get('/api/holds') },
    'holds.list shows one on a file out of reach': {
      target: aHeldFile(nearOtherType, 'near'),
      call: get('/api/holds'),
    },
    'holds.list shows one on a client in reach': { target: () => aHeldClient(true), call: get('/api/holds') },
    'holds.list shows one on a client out of reach': { target: () => aHeldClient(false), call: get('/api/holds') },
    'holds.place on a file in reach': placeHold('file', fileIn(nearReport, 'another')),
    'holds.place on a file out of reach': placeHold('file', fileIn(farReport, 'another')),
    'holds.place on a client in reach': placeHold('client', aReachedClient),
    'holds.place on a client out of reach': placeHold('client', aClient),
    'holds.place on a file that is on hold': placeHold('file', async (viewer) => {
      const id = await fileIn(nearReport, 'another')(viewer);
      await seedHold('file', id, clients.near);
      return id;
    }),
    'holds.lift one on a file in reach': {
      target: aHeldFile(nearReport, 'near'),
      call: post('/api/holds/{id}/lift'),
    },
    'holds.lift one on a file out of reach': {
      target: aHeldFile(farReport, 'far'),
      call: post('/api/holds/{id}/lift'),
    },
    'holds.lift none there': { target: noneThere, call: post('/api/holds/{id}/lift') },

    'retention.list': { call: get('/api/retention') },
    'retention.rules': { call: get('/api/retention/rules') },
    'retention.save-rule of a report type': { target: () => types.other, call: saveRule },
    'retention.save-rule of none there': { target: noneThere, call: saveRule },
    'retention.dispose': {
      target: async () => {
        const reportTypeId = await aType();
        await app.admin.put('/api/retention/rules', { reportTypeId, years: 1 });
        return uploadAsAdmin({ clientId: clients.near, fileType: 'report', reportTypeId, period: '2001' });
      },
      call: dispose,
    },
    'retention.dispose of what is not due': { target: fileIn(nearReport, 'another'), call: dispose },
    'retention.disposals': { call: get('/api/retention/disposals') },
    'retention.certificate': {
      target: () => aDisposal(),
      call: get('/api/retention/disposals/{id}/certificate?format=json'),
    },
    'retention.certificate of none there': {
      target: noneThere,
      call: get('/api/retention/disposals/{id}/certificate'),
    },
    'retention.export': { target: () => aDisposal(), call: get('/api/retention/disposals/{id}/export') },
    'retention.export of none there': { target: noneThere, call: get('/api/retention/disposals/{id}/export') },
    'retention.decide-rest': { target: aStoppedDisposal, call: leaveRest },
    'retention.decide-rest of one that ended': { target: () => aDisposal(), call: leaveRest },
    'retention.decide-rest of none there': { target: noneThere, call: leaveRest },
  };
}

describe.each(DATABASE_KINDS)('who may call what on %s', (kind) => {
  const { expectRecorded } = tryRights(kind, 'kept-files', keptFilesAttempts);

  it('G19: whatever is refused as forbidden or not found is recorded against anyone who asked', async () => {
    await expectRecorded();
  });
});

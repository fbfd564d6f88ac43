// Who may call what about clients, report types and the firm: the calls of `rows/firm.ts`.
import { describe, expect, it } from 'vitest';
import { trashClient } from '../../files/trash/trashed-clients.ts';
import { clientInput } from '../firm.ts';
import type { Caller } from '../test-app.ts';
import { DATABASE_KINDS } from '../test-database.ts';
import { type Attempts, get, NONE_THERE, noneThere, post, remove } from './calls.ts';
import type { RightsFirm } from './rights-firm.ts';
import { deletionAs } from './seeded-files.ts';
import { tryRights } from './try-rights.ts';

function firmAttempts({
  aClient,
  app,
  aType,
  bringIntoReach,
  bystander,
  clients,
  fresh,
  kind,
  types,
  userIds,
}: RightsFirm): Attempts {
  const renameType = (by: Caller, id: number) => by.put(`/api/report-types/${id}`, { name: fresh('renamed') });
  const savePhrases = (by: Caller, id: number) =>
    by.put(`/api/report-types/${id}/phrases`, { phrases: [fresh('Phrase of pages')] });
  async function aTrashedClient(deleterId: number): Promise<number> {
    const clientId = await aClient();
    await bringIntoReach({ clientId });
    await app.database.transaction((tx) =>
      trashClient({ db: tx, engine: kind }, { clientId, peopleIds: [] }, deletionAs(deleterId)),
    );
    return clientId;
  }

  return {
    'clients.list shows one in reach': { target: () => clients.near, call: get('/api/clients') },
    'clients.list shows one out of reach': { target: () => clients.far, call: get('/api/clients') },
    'clients.get in reach': { target: () => clients.near, call: get('/api/clients/{id}') },
    'clients.get out of reach': { target: () => clients.far, call: get('/api/clients/{id}') },
    'clients.get of none there': { target: noneThere, call: get('/api/clients/{id}') },
    'clients.create': { call: (by) => by.post('/api/clients', clientInput(fresh('Client'))) },
    'clients.import': { call: (by) => by.post('/api/clients/import', { rows: [clientInput(fresh('Client'))] }) },
    'clients.update in reach': {
      target: () => clients.near,
      call: (by, id) => by.put(`/api/clients/${id}`, clientInput('Near & Dear LLC')),
    },
    'clients.update out of reach': {
      target: () => clients.far,
      call: (by, id) => by.put(`/api/clients/${id}`, clientInput('Far & Away LLC')),
    },
    'clients.update of none there': {
      target: noneThere,
      call: (by, id) => by.put(`/api/clients/${id}`, clientInput('Nowhere LLC')),
    },
    'clients.removal in reach': { target: () => clients.near, call: get('/api/clients/{id}/removal') },
    'clients.removal out of reach': { target: () => clients.far, call: get('/api/clients/{id}/removal') },
    'clients.delete in reach': {
      target: async () => {
        const clientId = await aClient();
        await bringIntoReach({ clientId });
        return clientId;
      },
      call: remove('/api/clients/{id}'),
    },
    'clients.delete out of reach': { target: aClient, call: remove('/api/clients/{id}') },
    'clients.delete of none there': { target: noneThere, call: remove('/api/clients/{id}') },
    'clients.restore one that one deleted': {
      target: (viewer) => aTrashedClient(userIds[viewer]),
      call: post('/api/clients/{id}/restore'),
    },
    'clients.restore one that another deleted': {
      target: () => aTrashedClient(bystander.id),
      call: post('/api/clients/{id}/restore'),
    },
    'clients.restore of none there': { target: noneThere, call: post('/api/clients/{id}/restore') },
    'clients.purge one that one deleted': {
      target: (viewer) => aTrashedClient(userIds[viewer]),
      call: post('/api/clients/{id}/purge'),
    },
    'clients.purge of none there': { target: noneThere, call: post('/api/clients/{id}/purge') },

    'report-types.list shows one in reach': { target: () => types.known, call: get('/api/report-types') },
    'report-types.list shows one out of reach': { target: () => types.other, call: get('/api/report-types') },
    'report-types.create': { call: (by) => by.post('/api/report-types', { name: fresh('type') }) },
    'report-types.import': { call: (by) => by.post('/api/report-types/import', { rows: [{ name: fresh('type') }] }) },
    'report-types.update in reach': {
      target: async () => {
        const reportTypeId = await aType();
        await bringIntoReach({ reportTypeId });
        return reportTypeId;
      },
      call: renameType,
    },
    'report-types.update out of reach': { target: aType, call: renameType },
    'report-types.update of none there': { target: noneThere, call: renameType },
    'report-types.save-phrases in reach': {
      target: async () => {
        const reportTypeId = await aType();
        await bringIntoReach({ reportTypeId });
        return reportTypeId;
      },
      call: savePhrases,
    },
    'report-types.save-phrases out of reach': { target: aType, call: savePhrases },
    'report-types.save-phrases of none there': { target: noneThere, call: savePhrases },
    'report-types.delete in reach': {
      target: async () => {
        const reportTypeId = await aType();
        await bringIntoReach({ reportTypeId });
        return reportTypeId;
      },
      call: remove('/api/report-types/{id}'),
    },
    'report-types.delete out of reach': { target: aType, call: remove('/api/report-types/{id}') },
    'report-types.delete of one in use': { target: () => types.known, call: remove('/api/report-types/{id}') },
    'report-types.delete of none there': { target: noneThere, call: remove('/api/report-types/{id}') },

    'firm-settings.get': { call: (by) => by.get('/api/firm-settings') },
    'firm-settings.update': { call: (by) => by.put('/api/firm-settings', { fourEyes: false }) },

    'overview.get': { call: get('/api/overview') },
    'overview.first-steps': { call: get('/api/overview/first-steps') },
    'overview.dismiss-first-steps': { call: (by) => by.put('/api/overview/first-steps', { dismissed: false }) },
  };
}

describe.each(DATABASE_KINDS)('who may call what on %s', (kind) => {
  const { expectRecorded } = tryRights(kind, 'firm', firmAttempts);

  it('G19: whatever is refused as forbidden or not found is recorded against anyone who asked', async () => {
    expect(await expectRecorded()).toContain(`delete client ${NONE_THERE}`);
  });
});

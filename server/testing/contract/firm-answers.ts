// A call of each endpoint about clients, report types and the firm that succeeds, and its status.
import type { firmEndpoints } from '#contract/endpoints/firm.ts';
import { clientInput } from '../firm.ts';
import { type AnswersOf, rowOf } from './answers.ts';
import type { ContractFirm } from './contract-firm.ts';

export function firmAnswers({ app, firm }: ContractFirm): AnswersOf<typeof firmEndpoints> {
  const aClient = () => rowOf(app.admin.post('/api/clients', clientInput('Short Lived LLC')));
  const aType = (name: string) => rowOf(app.admin.post('/api/report-types', { name }));

  return {
    'clients.list': [200, () => app.admin.get('/api/clients')],
    'clients.get': [200, () => app.admin.get(`/api/clients/${firm.clients[0]}`)],
    'clients.create': [201, () => app.admin.post('/api/clients', clientInput('New Client LLC'))],
    'clients.import': [200, () => app.admin.post('/api/clients/import', { rows: [clientInput('Listed LLC')] })],
    'clients.update': [
      200,
      async () => app.admin.put(`/api/clients/${(await aClient()).id}`, clientInput('Renamed LLC')),
    ],
    'clients.removal': [200, () => app.admin.get(`/api/clients/${firm.clients[0]}/removal`)],
    'clients.delete': [204, async () => app.admin.delete(`/api/clients/${(await aClient()).id}`)],
    'clients.restore': [
      200,
      async () => {
        const { id: deleted } = await aClient();
        await app.admin.delete(`/api/clients/${deleted}`);
        return app.admin.post(`/api/clients/${deleted}/restore`);
      },
    ],
    'clients.purge': [
      204,
      async () => {
        const { id: deleted } = await aClient();
        await app.admin.delete(`/api/clients/${deleted}`);
        return app.admin.post(`/api/clients/${deleted}/purge`);
      },
    ],
    'report-types.list': [200, () => app.admin.get('/api/report-types')],
    'report-types.create': [201, () => app.admin.post('/api/report-types', { name: 'Form W-3' })],
    'report-types.import': [200, () => app.admin.post('/api/report-types/import', { rows: [{ name: 'Form 945' }] })],
    'report-types.update': [
      200,
      async () => app.admin.put(`/api/report-types/${(await aType('Misspelt')).id}`, { name: 'Spelt right' }),
    ],
    'report-types.save-phrases': [
      200,
      async () =>
        app.admin.put(`/api/report-types/${(await aType('Recognised')).id}/phrases`, { phrases: ['Hours by week'] }),
    ],
    'report-types.delete': [204, async () => app.admin.delete(`/api/report-types/${(await aType('Gone')).id}`)],
    'firm-settings.get': [200, () => app.admin.get('/api/firm-settings')],
    'firm-settings.update': [200, () => app.admin.put('/api/firm-settings', { fourEyes: false })],
    'overview.get': [200, () => app.admin.get('/api/overview')],
    'overview.first-steps': [200, () => app.admin.get('/api/overview/first-steps')],
    'overview.dismiss-first-steps': [200, () => app.admin.put('/api/overview/first-steps', { dismissed: false })],
  };
}

// A call of each endpoint about requests and reports that nobody opened that succeeds, and its status.
import type { requestsEndpoints } from '#contract/endpoints/requests.ts';
import type { ItemState } from '#contract/request-words.ts';
import { insertTestRequest, insertTestTemplate } from '../test-request.ts';
import type { AnswersOf } from './answers.ts';
import type { ContractFirm } from './contract-firm.ts';

export function requestsAnswers({ app, firm }: ContractFirm): AnswersOf<typeof requestsEndpoints> {
  const aRequest = (state: ItemState, closed = false) =>
    insertTestRequest(app, { clientId: firm.clients[0], states: [state], closed });
  const anItem = async (state: ItemState) => (await aRequest(state)).itemIds[0];
  const asked = { title: 'Year-end package', message: '', dueOn: null, items: [{ name: 'Forms W-9', note: '' }] };
  const template = (name: string) => ({ name, items: asked.items });

  return {
    'requests.list': [200, () => app.admin.get('/api/requests')],
    'requests.summary': [200, () => app.admin.get('/api/requests/summary')],
    'requests.create': [201, () => app.admin.post('/api/requests', { ...asked, clientIds: [firm.clients[0]] })],
    'requests.get': [200, async () => app.admin.get(`/api/requests/${(await aRequest('sent')).id}`)],
    'requests.update': [200, async () => app.admin.put(`/api/requests/${(await aRequest('open')).id}`, asked)],
    'requests.close': [200, async () => app.admin.post(`/api/requests/${(await aRequest('open')).id}/close`)],
    'requests.reopen': [200, async () => app.admin.post(`/api/requests/${(await aRequest('open', true)).id}/reopen`)],
    'requests.send-file': [
      201,
      async () => firm.viewers.clientA.upload({ path: `/api/request-items/${await anItem('open')}/files`, fields: {} }),
    ],
    'requests.say-not': [
      200,
      async () => firm.viewers.clientA.post(`/api/request-items/${await anItem('open')}/does-not-apply`, { note: '' }),
    ],
    'requests.decide': [
      200,
      async () => app.admin.post(`/api/request-items/${await anItem('sent')}/decide`, { decision: 'accept' }),
    ],
    'requests.templates': [200, () => app.admin.get('/api/request-templates')],
    'requests.create-template': [201, () => app.admin.post('/api/request-templates', template('Year-end'))],
    'requests.update-template': [
      200,
      async () => app.admin.put(`/api/request-templates/${await insertTestTemplate(app, 'before')}`, template('After')),
    ],
    'requests.delete-template': [
      204,
      async () => app.admin.delete(`/api/request-templates/${await insertTestTemplate(app, 'gone')}`),
    ],
    'unopened.list': [200, () => app.admin.get('/api/unopened')],
    'unopened.remind': [200, () => app.admin.post('/api/unopened/reminders', {})],
  };
}

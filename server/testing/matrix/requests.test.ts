// Who may call what about requests and reports that nobody opened: the calls of `rows/requests.ts`.

import { describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { ItemState } from '#contract/request-words.ts';
import { DATABASE_KINDS } from '../test-database.ts';
import { insertTestRequest, insertTestTemplate } from '../test-request.ts';
import { type Attempt, type Attempts, get, noneThere, remove } from './calls.ts';
import type { RightsFirm } from './rights-firm.ts';
import { seededFiles } from './seeded-files.ts';
import { tryRights } from './try-rights.ts';
import type { ViewerName } from './viewers.ts';

function requestsAttempts(firm: RightsFirm): Attempts {
  const { app, clients, fresh, types } = firm;
  const { fileIn, nearReport, nearOtherType } = seededFiles(firm);

  const requestOf = (clientId: () => number, more: { states?: readonly ItemState[]; closed?: boolean } = {}) => ({
    target: async () => (await insertTestRequest(app, { clientId: clientId(), ...more })).id,
  });
  const itemOf = (clientId: () => number, state: ItemState) => ({
    target: async () => (await insertTestRequest(app, { clientId: clientId(), states: [state] })).itemIds[0],
  });
  const template = { target: () => insertTestTemplate(app, fresh('template')) };
  /** Each attempt makes a request of its own, and a page holds a hundred. */
  const newestRequests = '/api/requests?sort=-createdAt';
  const askedFor = {
    title: 'Year-end package',
    message: '',
    dueOn: '2026-12-15',
    items: [{ name: 'Forms', note: '' }],
  };
  const ask = (ids: () => number[]): Attempt => ({
    call: (by) => by.post('/api/requests', { ...askedFor, clientIds: ids() }),
  });
  /** A row in reach, one out of reach, and one about nothing that is there. */
  const ofRequests = (
    name: string,
    at: (clientId: () => number) => { target: () => Promise<number> },
    call: Attempt['call'],
  ) => ({
    [`requests.${name} in reach`]: { ...at(() => clients.near), call },
    [`requests.${name} out of reach`]: { ...at(() => clients.far), call },
    [`requests.${name} none there`]: { target: noneThere, call },
  });
  const withTemplate = (name: string, call: Attempt['call']) => ({
    [`requests.${name}`]: { ...template, call },
    [`requests.${name} none there`]: { target: noneThere, call },
  });
  const unopenedIn = (place: Parameters<typeof fileIn>[0], type: keyof typeof types) => async (viewer: ViewerName) => {
    await fileIn(place, 'another')(viewer);
    return types[type];
  };
  const listUnopened: Attempt['call'] = async (by) => {
    const answer = await by.get<{ reportTypeId: number }[]>('/api/unopened');
    if (answer.status !== 200) return answer;
    return { ...answer, body: answer.body.map(({ reportTypeId }) => ({ id: reportTypeId })) };
  };

  return {
    'requests.list shows one in reach': { ...requestOf(() => clients.near), call: get(newestRequests) },
    'requests.list shows one out of reach': { ...requestOf(() => clients.far), call: get(newestRequests) },
    'requests.summary': { call: (by) => by.get('/api/requests/summary') },
    'requests.create in reach': ask(() => [clients.near]),
    'requests.create with a client out of reach': {
      call: async (...called) => {
        const { body, ...answer } = await ask(() => [clients.near, clients.far]).call(...called);
        if (answer.status !== 404) return { ...answer, body };
        // As of one that is not there: which of those asked, by its place.
        const { fields, ...refusal } = body as ErrorBody;
        expect(fields).toEqual({ 'clientIds.1': 'This client is not there any more' });
        return { ...answer, body: refusal };
      },
    },
    ...ofRequests('get', requestOf, get('/api/requests/{id}')),
    ...ofRequests('update', requestOf, (by, id) => by.put(`/api/requests/${id}`, askedFor)),
    ...ofRequests('close', requestOf, (by, id) => by.post(`/api/requests/${id}/close`)),
    ...ofRequests(
      'reopen',
      (clientId) => requestOf(clientId, { closed: true }),
      (by, id) => by.post(`/api/requests/${id}/reopen`),
    ),
    ...ofRequests(
      'decide',
      (clientId) => itemOf(clientId, 'sent'),
      (by, id) => by.post(`/api/request-items/${id}/decide`, { decision: 'accept' }),
    ),
    ...ofRequests(
      'send-file',
      (clientId) => itemOf(clientId, 'open'),
      (by, id) => by.upload({ path: `/api/request-items/${id}/files`, fields: {} }),
    ),
    ...ofRequests(
      'say-not',
      (clientId) => itemOf(clientId, 'open'),
      (by, id) => by.post(`/api/request-items/${id}/does-not-apply`, { note: '' }),
    ),
    'requests.templates': { call: (by) => by.get('/api/request-templates') },
    'requests.create-template': {
      call: (by) => by.post('/api/request-templates', { name: fresh('template'), items: askedFor.items }),
    },
    ...withTemplate('update-template', (by, id) =>
      by.put(`/api/request-templates/${id}`, { name: fresh('template'), items: askedFor.items }),
    ),
    ...withTemplate('delete-template', remove('/api/request-templates/{id}')),

    'unopened.list shows a report in reach': { target: unopenedIn(nearReport, 'known'), call: listUnopened },
    'unopened.list shows a report of a type out of reach': {
      target: unopenedIn(nearOtherType, 'other'),
      call: listUnopened,
    },
    'unopened.remind where mail is not set up': { call: (by) => by.post('/api/unopened/reminders', {}) },
  };
}

describe.each(DATABASE_KINDS)('who may call what on %s', (kind) => {
  const { expectRecorded } = tryRights(kind, 'requests', requestsAttempts);

  it('G19: whatever is refused as forbidden or not found is recorded against anyone who asked', async () => {
    await expectRecorded();
  });
});

// Requests beyond reach or without the right, over HTTP: nothing of them is seen, answered or decided.
import { describe, expect, it } from 'vitest';
import { CANARY, type Firm } from '../testing/firm.ts';
import { requestFirm } from '../testing/request-firm.ts';
import type { Caller, TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { insertTestRequest } from '../testing/test-request.ts';

describe.each(DATABASE_KINDS)('who meets requests, on %s', { timeout: 60_000 }, (kind) => {
  let app: TestApp;
  let firm: Firm;
  let cpa: Caller;
  let client: Caller;
  const { ask, of, aRequest, list, summary, send, sayNot, accept, sendBack, said } = requestFirm(kind, (met) => {
    ({ app, firm, cpa, client } = met);
  });

  it('G103: out of reach is like missing, for requests, their items and what is sent for them', async () => {
    const far = await insertTestRequest(app, { clientId: firm.clients[1], states: ['open', 'sent'] });
    const stranger = firm.viewers.clientB;
    expect((await list(stranger)).map(({ id }) => id)).toContain(far.id);
    for (const by of [client, cpa]) {
      expect((await list(by, '?limit=1000')).map(({ id }) => id)).not.toContain(far.id);
      expect(await list(by, `?clientId=${firm.clients[1]}`)).toEqual([]);
      expect((await summary(by, `?clientId=${firm.clients[1]}`)).open).toBe(0);
      expect((await by.get(`/api/requests/${far.id}`)).status).toBe(404);
    }
    expect((await send(client, { id: far.itemIds[0] })).status).toBe(404);
    expect((await sayNot(client, { id: far.itemIds[0] })).status).toBe(404);
    const farSent = { id: far.itemIds[1] ?? 0 };
    expect((await accept(cpa, farSent)).status).toBe(404);
    expect((await sendBack(cpa, farSent)).status).toBe(404);
    expect((await cpa.post(`/api/requests/${far.id}/close`)).status).toBe(404);
    const without = async (id: number) => {
      const { status, body } = await ask(cpa, { clientIds: [firm.clients[0], id] });
      return [status, body.code, body.message, body.fields];
    };
    const missing = await without(999_999);
    expect(missing).toEqual([404, 'not_found', 'Not found.', { 'clientIds.1': 'This client is not there any more' }]);
    expect(await without(firm.clients[1])).toEqual(missing);
    // Of several clients none is asked where one is out of reach.
    expect((await list(app.admin, `?clientId=${firm.clients[1]}`)).map(({ id }) => id)).toEqual([far.id]);
    expect(JSON.stringify(await list(client, '?limit=1000'))).not.toContain(CANARY);
  });

  it('G104: nobody answers or decides who may not: staff without the permission, a client who may not upload, in a look', async () => {
    const { id, items } = await aRequest();
    const { bookkeeper } = firm.viewers;
    expect((await bookkeeper.get('/api/requests')).status).toBe(403);
    expect((await bookkeeper.get(`/api/requests/${id}`)).status).toBe(403);
    expect((await ask(client)).status).toBe(403);
    expect((await send(cpa, items[0])).status).toBe(403);
    expect((await send(app.admin, items[0])).status).toBe(403);
    await send(client, items[0]);
    expect((await accept(client, items[0])).status).toBe(403);

    const { body: look } = await app.admin.post<{ token: string }>(`/api/users/${firm.users.clientA}/look`);
    const looking = new (client.constructor as new (origin: string, token: string) => Caller)(app.origin, look.token);
    expect((await of(looking, id)).items).toHaveLength(2);
    for (const answer of [await send(looking, items[1]), await sayNot(looking, items[1])]) {
      expect(said(answer)).toEqual([403, 'look_reads_only']);
    }

    const rights = (capabilities: string[]) =>
      app.admin.put('/api/permissions', { roleId: firm.roles.client, capabilities });
    await rights([]);
    expect((await client.get('/api/requests')).status).toBe(403);
    expect((await send(client, items[1])).status).toBe(403);
    expect((await summaryStatus(client)).status).toBe(403);
    // Managing is for staff alone, whatever the Client role is given.
    await rights(['documents.upload', 'requests.manage']);
    expect((await accept(client, items[0])).status).toBe(403);
    await rights(['documents.upload']);
    expect((await of(client, id)).items[1]?.state).toBe('open');
  });
  const summaryStatus = (by: Caller) => by.get('/api/requests/summary');
});

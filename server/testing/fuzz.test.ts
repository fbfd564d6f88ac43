// Odd requests to every endpoint of the contract, as every viewer: none may fail, reveal too much, or leave anything in memory.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addresses } from '#contract/addresses.ts';
import { api, type Endpoint, type EndpointName } from '#contract/api.ts';
import { isPublic } from '#contract/policy.ts';
import type { ItemState } from '#contract/request-words.ts';
import { putInvitation } from '../people/auth/invitations.ts';
import { breadth } from './breadth.ts';
import { endpointOf, endpointNames as names } from './contract/endpoints.ts';
import { addRole, addUser, clientInput, makeFirm, PASSWORD } from './firm.ts';
import { answerFault } from './fuzz/judge.ts';
import { type FuzzContext, goodRequest, knownFaults, oddRequests } from './fuzz/requests.ts';
import { saveState } from './fuzz/saved-state.ts';
import { type Reply, send } from './fuzz/send.ts';
import { type OddRequest, type Wire, wireOf } from './fuzz/wire.ts';
import { mailEnvironment } from './mail-server.ts';
import { startTestApp, type TestApp } from './test-app.ts';
import { insertTestArchive } from './test-archive.ts';
import { insertTestBatch, lockedFile } from './test-batch.ts';
import { ANY_DATABASE_KIND } from './test-database.ts';
import { insertTestMail } from './test-mail.ts';
import { insertTestRequest, insertTestTemplate } from './test-request.ts';
import { insertTestSuggestion } from './test-suggestion.ts';

/** The same seed makes the same requests. FUZZ_SEED repeats a failure, FUZZ_RUNS makes more (or fewer) random requests of each endpoint. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_119);
const RUNS = Number(process.env['FUZZ_RUNS'] ?? breadth(1, 8));
const LONG_TIMEOUT_MS = 180_000 + RUNS * 6_000;

const HEALTH: Wire = { method: 'GET', path: '/healthz', headers: {}, body: Buffer.alloc(0), framing: 'length' };

const VIEWERS = ['anonymous', 'clientA', 'cpa', 'admin2'] as const;
type Viewer = (typeof VIEWERS)[number];
/** Who makes random requests of an endpoint: whom it asks nothing, and an Admin, who gets furthest with them. */
const asksAtRandom = breadth(
  (viewer: Viewer, { action }: Endpoint) => viewer === 'admin2' || (viewer === 'anonymous' && isPublic(action)),
  () => true,
);
/** Who repeats the requests that were once answered wrongly; an Admin gets furthest with them. */
const ASK_KNOWN_FAULTS = breadth<readonly Viewer[]>(['admin2'], VIEWERS);

/** Their success takes a code, a signature or a sealed link, which no request has at hand. */
const TAKES_A_SECRET: readonly EndpointName[] = [
  'session.second-factor',
  'session.second-factor-passkey',
  'session.reauth',
  'session.reauth-passkey',
  'factors.confirm-totp',
  'factors.add-passkey',
  'factors.remove-passkey',
  'factors.remove-totp',
  'digests.end',
];

/** Statuses after which everything is as it was. */
const CHANGES_NOTHING = [400, 403, 404, 409, 413, 414, 415, 431];
const COUNTS_TRIES = /password|login|second-factor|reauth|totp|auth\/(invitation|join|forgotten)|digests\/end/;

interface Profile {
  readonly title: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly walks: readonly EndpointName[];
}

const PROFILES: readonly Profile[] = [
  // Nothing listens there: mails are written and wait.
  {
    title: 'without safeguards',
    environment: mailEnvironment(9),
    walks: names.filter((name) => !endpointOf(name).safeguardsOnly),
  },
  {
    title: 'with safeguards',
    environment: { SAFEGUARDS: 'on', PUBLIC_ORIGIN: 'https://portal.example.com' },
    // Only what differs there: the first profile has covered the rest.
    walks: names.filter((name) => endpointOf(name).safeguardsOnly || endpointOf(name).strictBody),
  },
];

/** A firm, with what an Admin may end or delete without a confirmation: an unused role, another device. */
async function seedContext(app: TestApp): Promise<FuzzContext> {
  const firm = await makeFirm(app);
  const spareRole = await addRole(app, 'Archivist');
  const otherDevice = await app.login('admin2', PASSWORD);
  const { body: devices } = await otherDevice.get<{ id: number; current: boolean }[]>('/api/auth/sessions');
  const spareDevice = devices.find(({ current }) => current)?.id ?? 0;
  const addJob = async (state: 'waiting' | 'failed') => {
    const row = await app.database.transaction((tx) =>
      tx
        .insertInto('jobs')
        .values({
          kind: 'maintenance.sign-ins',
          state,
          payload: '{}',
          acting_user_id: null,
          acting_user_name: null,
          open_key: null,
          attempts_max: 3,
          run_at: Date.UTC(2100, 0, 1),
          delivered_at: null,
          created_at: 0,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    return row.id;
  };
  const jobs = { 'jobs.retry': await addJob('failed'), 'jobs.cancel': await addJob('waiting') };
  const mails = { 'mail.retry': (await insertTestMail(app.database, { state: 'failed' })).id };
  const addArchive = (state: 'ready' | 'failed') =>
    insertTestArchive(app, { ownerId: firm.users.admin2, fileIds: [firm.files.f1.id], state });
  const archives = {
    'archives.open': await addArchive('ready'),
    'archives.retry': await addArchive('failed'),
    'archives.delete': await addArchive('ready'),
  };
  const place = { clientId: firm.clients[0], reportTypeId: firm.reportTypes[0] };
  const batchOf = (state: 'adding' | 'review') =>
    insertTestBatch(app, {
      ownerId: firm.users.admin2,
      state,
      documents:
        state === 'adding'
          ? []
          : [
              { from: 1, to: 2, state: 'accepted', ...place },
              { from: 3, to: 4, state: 'accepted', ...place },
            ],
    });
  // The first file is that of the good requests, and so are the first documents.
  const locked = await insertTestBatch(app, {
    ownerId: firm.users.admin2,
    state: 'review',
    ...(await lockedFile('sesame')),
    documents: [],
  });
  const reviewed = await batchOf('review');
  const released = await insertTestBatch(app, {
    ownerId: firm.users.admin2,
    state: 'released',
    documents: [{ from: 1, to: 4, state: 'released', releasedFileId: firm.files.f1.id, ...place }],
  });
  const batches = {
    'batches.add-file': (await batchOf('adding')).id,
    'batches.leave-out': (await batchOf('adding')).id,
    'batches.unlock-file': locked.id,
    'batches.read': (await batchOf('adding')).id,
    'batches.get': reviewed.id,
    'batches.documents': reviewed.id,
    'batches.decide': reviewed.id,
    'batches.split': reviewed.id,
    'batches.join': reviewed.id,
    'batches.open-file': reviewed.fileId,
    'batches.release': reviewed.id,
    'batches.stop': reviewed.id,
    'batches.recall': released.id,
    'batches.accesses': reviewed.id,
    'batches.certificate': released.id,
    'batches.discard': (await batchOf('review')).id,
  };
  const suggest = (words: string) =>
    insertTestSuggestion(app, { kind: 'type', id: firm.reportTypes[0], ownerId: firm.users.clientA, words });
  const suggestions = {
    'suggestions.accept': await suggest('Hours by crew'),
    'suggestions.remove': await suggest('Hours by shift'),
  };
  // Those of the good requests are the first of each.
  const request = async (...states: [ItemState, ...ItemState[]]) =>
    insertTestRequest(app, { clientId: firm.clients[0], states });
  const asked = await request('open', 'sent');
  const requests = {
    'requests.get': asked.id,
    'requests.update': (await request('open')).id,
    'requests.close': (await request('open')).id,
    'requests.reopen': (await request('open')).id,
    'requests.send-file': asked.itemIds[0],
    'requests.say-not': (await request('open')).itemIds[0],
    'requests.decide': (await request('sent')).itemIds[0],
    'requests.update-template': await insertTestTemplate(app, 'changed'),
    'requests.delete-template': await insertTestTemplate(app, 'deleted'),
  };
  const { body: closed } = await app.admin.post<{ id: number }>('/api/clients', clientInput('Closed Lane Florist'));
  const { body: file } = await app.admin.upload<{ id: number }>({
    fields: { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] },
    name: 'trashed.txt',
    bytes: 'trashed',
  });
  await app.admin.delete(`/api/clients/${closed.id}`);
  await app.admin.delete(`/api/files/${file.id}`);
  await app.database.transaction((tx) =>
    tx
      .insertInto('file_marks')
      .values({ file_id: firm.files.f1.id, named_client_id: null, state: 'open', created_at: 0 })
      .execute(),
  );
  const marked = { 'files.settle-mark': firm.files.f1.id };
  const guest = await addUser(app, 'guest', firm.roles.bookkeeper);
  // The secret is that of the good requests.
  await app.database.transaction((tx) => putInvitation(tx, guest.id, 'nobody', app.now()));
  const hold = { kind: 'client', id: firm.clients[1], reason: 'An audit' };
  const held = { 'holds.lift': (await app.admin.post<{ id: number }>('/api/holds', hold)).body.id };
  await app.admin.put('/api/retention/rules', { reportTypeId: firm.reportTypes[0], years: 1 });
  await app.admin.put(`/api/files/${firm.files.f1.id}`, { period: '2001' });
  const aDisposal = (ended_at: number | null) =>
    app.database.transaction((tx) =>
      tx
        .insertInto('disposals')
        .values({ ordered_by_id: 1, ordered_by_name: 'Somebody', ordered_at: 1, ended_at })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
  const { id: disposal } = await aDisposal(1);
  const { id: stopped } = await aDisposal(null);
  const disposals = {
    'retention.certificate': disposal,
    'retention.export': disposal,
    'retention.decide-rest': stopped,
  };
  const trashed = {
    'clients.restore': closed.id,
    'clients.purge': closed.id,
    'files.restore': file.id,
    'files.purge': file.id,
  };
  return {
    firm,
    ids: {
      'roles.delete': spareRole,
      'session.end': spareDevice,
      'users.invite-anew': guest.id,
      'users.withdraw-invitation': guest.id,
      ...jobs,
      ...mails,
      ...archives,
      ...batches,
      ...marked,
      ...suggestions,
      ...requests,
      ...trashed,
      ...held,
      ...disposals,
    },
  };
}

it('G20: the walk meets every endpoint of the contract', () => {
  const walked = new Set(PROFILES.flatMap(({ walks }) => walks));
  expect([...walked].sort()).toEqual(Object.keys(addresses).sort());
});

describe.each(ANY_DATABASE_KIND)('odd requests on %s', (kind) => {
  describe.each(PROFILES)('$title', ({ environment, walks }) => {
    let app: TestApp;
    let context: FuzzContext;
    let restore: () => Promise<void>;
    let disturbed = false;
    beforeAll(async () => {
      app = await startTestApp(kind, environment);
      context = await seedContext(app);
      restore = await saveState(app);
    });
    afterAll(() => app.close());

    async function ask(name: EndpointName, viewer: Viewer, request: OddRequest) {
      if (disturbed) await restore();
      const token = viewer === 'anonymous' ? null : context.firm.viewers[viewer].token;
      const wire = wireOf(name, context, request, token);
      const reply = await send(app.origin, wire);
      const reads = request.method === 'GET' || request.method === 'HEAD';
      disturbed = !reads && (COUNTS_TRIES.test(wire.path) || !CHANGES_NOTHING.includes(reply?.status ?? 0));
      return { reply, fault: answerFault(name, wire, reply) };
    }

    /** The line that the server logged of a request that it failed. */
    const loggedOf = (reply: Reply | null) => {
      const text = reply?.body.toString() ?? '';
      const line = app.log.find(({ reqId, err }) => err !== undefined && text.includes(String(reqId)));
      return line === undefined ? '' : `\n${JSON.stringify(line['err'])}`;
    };

    it.each(walks)('G20: %s', { timeout: LONG_TIMEOUT_MS }, async (name) => {
      const good = goodRequest(name, context);
      const statuses: (number | undefined)[] = [];
      for (const viewer of VIEWERS) statuses.push((await ask(name, viewer, good)).reply?.status);
      if (!TAKES_A_SECRET.includes(name)) expect(statuses).toContain(api[name].status);

      for (const [nth, viewer] of VIEWERS.entries()) {
        if (!asksAtRandom(viewer, endpointOf(name))) continue;
        const known = ASK_KNOWN_FAULTS.includes(viewer) ? knownFaults(name, context) : [];
        await fc.assert(
          fc.asyncProperty(oddRequests(name, context), async (request) => {
            const { reply, fault } = await ask(name, viewer, request);
            if (fault !== null) throw new Error(`FUZZ_SEED=${SEED}, ${viewer}: ${fault}${loggedOf(reply)}`);
          }),
          {
            seed: SEED + names.indexOf(name) * VIEWERS.length + nth,
            numRuns: known.length + RUNS,
            examples: known.map((fault) => [fault]),
          },
        );
        expect((await send(app.origin, HEALTH))?.status).toBe(200);
        (app.log as unknown[]).length = 0;
      }
    });
  });
});

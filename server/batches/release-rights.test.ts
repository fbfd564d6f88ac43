// Who may release what of a batch, and still may when its turn comes, on both engines.
import { describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { BatchRow, DocumentRow } from '#contract/batches.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FirmSettings } from '#contract/firm-settings.ts';
import { batchFirm } from '../testing/batch-firm.ts';
import { addRole, addUser, clientInput } from '../testing/firm.ts';
import { type Caller, startTestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';

describe.each(DATABASE_KINDS)('rights to release on %s', { timeout: 90_000 }, (kind) => {
  const { met, near, second, client, type, path, documentsOf, batchOf, inReview, release, settled, blobCount } =
    batchFirm(kind);
  /** Does `act` once one document is released, and the next one is about to be. */
  const afterTheFirst = (act: () => Promise<void>) => {
    const { blobs } = met.app.context.services;
    const stage = blobs.stage.bind(blobs);
    vi.spyOn(blobs, 'stage')
      .mockImplementationOnce(stage)
      .mockImplementationOnce(async (...sent) => {
        await act();
        return stage(...sent);
      });
  };

  it.each(['client', 'report type'] as const)(
    'G43: a document of a %s that was lost is like one that is not there, whatever is asked of it',
    async (lost) => {
      const other = met.firm.reportTypes[1];
      const lists = (by: 'insertInto' | 'deleteFrom') =>
        met.app.database.transaction(async (tx) => {
          if (by === 'insertInto') {
            await tx
              .insertInto('user_report_types')
              .values({ user_id: met.processor.id, report_type_id: other })
              .execute();
          } else if (lost === 'client') {
            await tx
              .deleteFrom('user_clients')
              .where('user_id', '=', met.processor.id)
              .where('client_id', '=', client(second))
              .execute();
          } else {
            await tx
              .deleteFrom('user_report_types')
              .where('user_id', '=', met.processor.id)
              .where('report_type_id', '=', other)
              .execute();
          }
        });
      await lists('insertInto');
      const own = { clientId: client(near), reportTypeId: type() };
      const hidden = lost === 'client' ? { ...own, clientId: client(second) } : { ...own, reportTypeId: other };
      const { id, fileId, documentIds } = await inReview([
        { from: 1, to: 1, state: 'accepted', ...own },
        { from: 2, to: 3, state: 'accepted', ...hidden, proposal: { heading: 'Weekly Hours Report' } },
        { from: 4, to: 4, state: 'toCheck', ...own },
        { from: 4, to: 4, state: 'dropped', ...hidden },
        { from: 4, to: 4, state: 'recalled', ...hidden },
        { from: 4, to: 4, state: 'released', ...hidden, releasedFileId: 999_999 },
      ]);
      const [reached, accepted, after, ...others] = documentIds;
      const content = async () => (await met.processor.caller.get(`/api/files/batches/${fileId}/content`)).status;
      expect(await content()).toBe(200);
      await lists('deleteFrom');
      const before = await documentsOf(id, met.app.admin);
      expect((await documentsOf(id)).map(({ closed }) => closed)).toEqual([false, true, false, true, true, true]);
      expect(before.map(({ closed }) => closed)).toEqual([false, false, false, false, false, false]);
      const fileOf = (rows: readonly DocumentRow[]) => rows.at(-1)?.releasedFileId;
      expect([fileOf(await documentsOf(id)), fileOf(before)]).toEqual([null, 999_999]);

      const ask = async (rest: string, body: object) => {
        const { status, body: answer } = await met.processor.caller.post<ErrorBody>(path(id, rest), body);
        return [status, answer.code, answer.message];
      };
      const decide = (said: object) => (document: unknown) => ask('/documents/decide', { ids: [document], ...said });
      const acts = [
        decide({ clientId: null }),
        decide({ clientId: client(near), reportTypeId: type() }),
        decide({ reportTypeId: null }),
        decide({ period: '2026-Q2' }),
        decide({ decision: 'accepted' }),
        decide({ decision: 'dropped' }),
        decide({ decision: 'open' }),
        decide({ correctsFileId: null }),
        decide({ remember: ['type'] }),
        (document: unknown) => ask('/documents/decide', { ids: [reached, document], period: '2026-Q2' }),
        (document: unknown) => ask('/documents/split', { documentId: document, page: 3 }),
        (document: unknown) => ask('/documents/join', { documentId: document }),
        (document: unknown) => ask('/release', { ids: [document] }),
        (document: unknown) => ask('/recall', { ids: [document], reason: 'Wrong' }),
      ];
      for (const act of acts) {
        const missing = await act(999_999);
        expect(missing[0]).toBeGreaterThanOrEqual(404);
        for (const document of [accepted, ...others]) expect(await act(document)).toEqual(missing);
      }
      // The one before it is out of reach.
      expect((await ask('/documents/join', { documentId: after }))[0]).toBe(404);
      // By halves nothing is recalled.
      expect((await ask('/recall', { reason: 'Wrong' }))[0]).toBe(403);
      expect(await documentsOf(id, met.app.admin)).toEqual(before);
      expect(await content()).toBe(404);
      expect((await met.processor.caller.get<unknown[]>(path(id, '/accesses'))).body).toEqual([]);

      // A release of all that is accepted takes what is in reach.
      expect((await release(id)).status).toBe(200);
      await settled(id);
      expect((await documentsOf(id, met.app.admin)).slice(0, 2).map(({ state }) => state)).toEqual([
        'released',
        'accepted',
      ]);
      expect((await release(id)).body.code).toBe('nothing_accepted');
    },
  );

  it('with four eyes nobody releases what they accepted themselves, however they ask', async () => {
    const { id, documentIds } = await inReview();
    const [one, two] = documentIds;
    const accept = (by: Caller, ids: readonly (number | undefined)[]) =>
      by.post<DocumentRow[]>(path(id, '/documents/decide'), { ids, decision: 'accepted' });
    const settings = (by: Caller, fourEyes: boolean) => by.put<ErrorBody>('/api/firm-settings', { fourEyes });
    expect((await settings(met.processor.caller, true)).status).toBe(403);
    expect((await settings(met.app.admin, true)).status).toBe(200);
    try {
      expect((await accept(met.processor.caller, [one, two])).body.map(({ acceptedByMe }) => acceptedByMe)).toEqual([
        true,
        true,
      ]);
      expect((await release(id)).body.code).toBe('four_eyes');
      expect((await release(id, { ids: [one] })).body.code).toBe('four_eyes');
      // One is accepted by somebody else: that one alone is released, asked for by id or not.
      await accept(met.app.admin, [two]);
      expect((await release(id, { ids: [one, two] })).status).toBe(200);
      await settled(id);
      expect((await documentsOf(id)).map(({ state }) => state)).toEqual(['accepted', 'released']);
      expect((await release(id, {}, met.app.admin)).status).toBe(200);
      await settled(id);
      expect((await documentsOf(id)).map(({ state }) => state)).toEqual(['released', 'released']);
      const { body: log } = await met.app.admin.get<ActivityRow[]>('/api/activity-logs?limit=20');
      expect(log.map(({ details }) => details)).toContain('Switched four eyes on');
    } finally {
      await settings(met.app.admin, false);
    }
  });

  it('G44: a right to release that ends while documents are released holds for those that are left', async () => {
    const role = await addRole(met.app, `Releasers ${met.made}`, [
      'reports.upload',
      'batches.manage',
      'batches.release',
    ]);
    await met.app.database.transaction((tx) =>
      tx.updateTable('users').set({ role_id: role }).where('id', '=', met.processor.id).execute(),
    );
    const { id } = await inReview();
    afterTheFirst(async () => {
      const rights = { roleId: role, capabilities: ['reports.upload', 'batches.manage'] };
      expect((await met.app.admin.put('/api/permissions', rights)).status).toBe(200);
    });
    const before = await blobCount();
    expect((await release(id)).status).toBe(200);
    expect(await settled(id)).toMatchObject({ state: 'review', released: 1, accepted: 1, fault: null });
    expect((await documentsOf(id)).map((document) => [document.state, document.fault])).toEqual([
      ['released', null],
      ['accepted', 'Whoever ordered its release may not release it any more. Somebody else releases it.'],
    ]);
    expect(await blobCount()).toBe(before + 1);
    // It stays as it was accepted, for somebody else.
    expect((await release(id, {}, met.app.admin)).status).toBe(200);
    await settled(id);
    expect((await batchOf(id)).state).toBe('released');
  });

  it.each(['is deleted', 'becomes a Client'] as const)(
    'G44: what is left of a release whose person %s meanwhile stays accepted for somebody else',
    async (becomes) => {
      const leaving = await addUser(met.app, `leaving-${becomes.slice(0, 2)}${met.made}`, met.firm.roles.admin);
      const { id } = await inReview();
      afterTheFirst(async () => {
        if (becomes === 'is deleted') expect((await met.app.admin.delete(`/api/users/${leaving.id}`)).status).toBe(204);
        else {
          await met.app.database.transaction((tx) =>
            tx.updateTable('users').set({ role_id: met.firm.roles.client }).where('id', '=', leaving.id).execute(),
          );
        }
      });
      expect((await release(id, {}, leaving.caller)).status).toBe(200);
      expect(await settled(id)).toMatchObject({ state: 'review', released: 1, accepted: 1, fault: null });
      expect((await documentsOf(id)).map((document) => [document.state, document.fault])).toEqual([
        ['released', null],
        ['accepted', 'Whoever ordered its release may not release it any more. Somebody else releases it.'],
      ]);
      expect((await release(id)).status).toBe(200);
      await settled(id);
      expect(await batchOf(id)).toMatchObject({ state: 'released', released: 2, releasedAt: expect.any(String) });
    },
  );

  it.each(['is deleted', 'becomes a Client'] as const)(
    'G44: a release whose person %s before its turn comes is handed back whole, with the reason',
    async (becomes) => {
      const leaving = await addUser(met.app, `early-${becomes.slice(0, 2)}${met.made}`, met.firm.roles.admin);
      const { id } = await inReview();
      expect((await release(id, {}, leaving.caller)).body.releasing).toBe(2);
      if (becomes === 'is deleted') expect((await met.app.admin.delete(`/api/users/${leaving.id}`)).status).toBe(204);
      else {
        await met.app.database.transaction((tx) =>
          tx.updateTable('users').set({ role_id: met.firm.roles.client }).where('id', '=', leaving.id).execute(),
        );
      }
      expect(await settled(id)).toMatchObject({ state: 'review', released: 0, accepted: 2, releasing: 0, fault: null });
      const reason = 'Whoever ordered its release may not release it any more. Somebody else releases it.';
      expect((await documentsOf(id)).map((document) => [document.state, document.fault])).toEqual([
        ['accepted', reason],
        ['accepted', reason],
      ]);
    },
  );

  it('G44: a batch that leaves one’s reach while its documents are released is released no further', async () => {
    const leaving = await addUser(met.app, `leaving${met.made}`, met.firm.roles.admin);
    const { id, documentIds } = await inReview();
    await met.app.admin.post(path(id, '/documents/decide'), { ids: documentIds, decision: 'accepted' });
    afterTheFirst(async () => {
      await met.app.database.transaction(async (tx) => {
        await tx.updateTable('users').set({ role_id: met.firm.roles.cpa }).where('id', '=', leaving.id).execute();
        // The client of what is left alone: what is released already is out of reach, and so is the batch.
        const listed = { user_id: leaving.id, client_id: client(second) };
        await tx.insertInto('user_clients').values(listed).execute();
        await tx.insertInto('user_report_types').values({ user_id: leaving.id, report_type_id: type() }).execute();
      });
    });
    expect((await release(id, {}, leaving.caller)).status).toBe(200);
    await settled(id);
    expect((await documentsOf(id)).map(({ state }) => state)).toEqual(['released', 'accepted']);
  });

  it('G44: four eyes that are switched on while documents are released hold for those that are left', async () => {
    const { id, documentIds } = await inReview();
    const decide = { ids: documentIds, decision: 'accepted' };
    expect((await met.processor.caller.post(path(id, '/documents/decide'), decide)).status).toBe(200);
    afterTheFirst(async () => {
      expect((await met.app.admin.put('/api/firm-settings', { fourEyes: true })).status).toBe(200);
    });
    try {
      expect((await release(id)).status).toBe(200);
      await settled(id);
      expect((await documentsOf(id)).map((document) => [document.state, document.fault])).toEqual([
        ['released', null],
        ['accepted', 'Whoever ordered its release accepted it too, and four eyes are on. Somebody else releases it.'],
      ]);
      expect((await release(id)).body.code).toBe('four_eyes');
    } finally {
      await met.app.admin.put('/api/firm-settings', { fourEyes: false });
    }
  });

  it('G45: who accepted a document is set by accepting alone, and what somebody else changes is opened again', async () => {
    const place = { state: 'ready', reportTypeId: type(), period: '2026-Q1' } as const;
    const { id, documentIds } = await inReview([
      { from: 1, to: 2, clientId: client(near), ...place },
      { from: 3, to: 4, clientId: client(second), ...place },
    ]);
    const [one, two] = documentIds;
    const decide = async (by: Caller, body: object) =>
      (await by.post<DocumentRow[]>(path(id, '/documents/decide'), body)).body;
    const accept = (by: Caller) => decide(by, { ids: documentIds, decision: 'accepted' });
    await met.app.admin.put('/api/firm-settings', { fourEyes: true });
    try {
      const accepted = await accept(met.processor.caller);
      expect(accepted.map(({ acceptedByMe }) => acceptedByMe)).toEqual([true, true]);
      // What changes nothing changes nobody.
      for (const said of [
        { period: '2026-Q1' },
        { clientId: client(near), reportTypeId: type() },
        { replacesFileId: null, correctsFileId: null },
      ]) {
        await decide(met.app.admin, { ids: [one], ...said });
        expect((await documentsOf(id))[0]).toEqual(accepted[0]);
      }
      await accept(met.processor.caller);
      expect(await documentsOf(id)).toEqual(accepted);
      expect((await release(id)).body.code).toBe('four_eyes');

      // One's own change leaves it accepted by oneself.
      const [moved] = await decide(met.processor.caller, { ids: [one], period: '2026-Q2' });
      expect(moved).toMatchObject({ state: 'accepted', acceptedByMe: true, version: 3 });
      expect((await release(id, { ids: [one] })).body.code).toBe('four_eyes');

      // Of what one call says to several, those alone are changed that it changes.
      const changed = await decide(met.app.admin, { ids: documentIds, period: '2026-Q1' });
      expect(changed.map(({ state, reviewedByName }) => [state, reviewedByName])).toEqual([
        ['toCheck', expect.not.stringContaining('processor')],
        ['accepted', `Full processor${met.made}`],
      ]);
      expect((await documentsOf(id)).map(({ acceptedByMe }) => acceptedByMe)).toEqual([false, true]);
      expect((await release(id)).body.code).toBe('four_eyes');
      expect((await release(id, { ids: [one] })).body.code).toBe('nothing_accepted');
      expect((await decide(met.app.admin, { ids: [two], decision: 'open' }))[0]?.state).toBe('toCheck');

      // To accept it is an act of its own, with a change or without.
      await decide(met.app.admin, { ids: [one], period: '2026-Q3', decision: 'accepted' });
      expect((await release(id, { ids: [one] }, met.app.admin)).body.code).toBe('four_eyes');
      expect((await release(id, { ids: [one] })).status).toBe(200);
      await settled(id);
      expect((await documentsOf(id))[0]).toMatchObject({ state: 'released', period: '2026-Q3' });
    } finally {
      await met.app.admin.put('/api/firm-settings', { fourEyes: false });
    }
  });

  it('G45: documents that a colleague splits or joins are accepted no longer', async () => {
    const accepted = async (id: number) =>
      (await documentsOf(id)).map(({ state, acceptedByMe }) => [state, acceptedByMe]);
    const { id, documentIds } = await inReview();
    expect(await accepted(id)).toEqual([
      ['accepted', true],
      ['accepted', true],
    ]);
    await met.app.admin.post(path(id, '/documents/split'), { documentId: documentIds[0], page: 2 });
    expect(await accepted(id)).toEqual([
      ['toCheck', false],
      ['toCheck', false],
      ['accepted', true],
    ]);
    const other = await inReview();
    await met.app.admin.post(path(other.id, '/documents/join'), { documentId: other.documentIds[1] });
    expect(await accepted(other.id)).toEqual([['toCheck', false]]);
    expect((await release(other.id)).body.code).toBe('nothing_accepted');
  });

  it('a release that is stopped keeps what is released, and the rest is accepted as it was; nobody else stops it', async () => {
    const stop = (id: number, by: Caller) => by.post<BatchRow & ErrorBody>(path(id, '/stop'));
    const lists = { clientIds: [client(near), client(second)], reportTypeIds: [type()] };
    const role = await addRole(met.app, `Stopping ${met.made}`, ['reports.upload', 'batches.manage']);
    const reviewer = await addUser(met.app, `no-releaser${met.made}`, role, lists);
    const colleague = await addUser(met.app, `colleague${met.made}`, met.firm.roles.cpa, lists);
    const stranger = await addUser(met.app, `stranger${met.made}`, met.firm.roles.cpa, {
      ...lists,
      clientIds: [client(near)],
    });
    const { id } = await inReview();
    afterTheFirst(async () => {
      expect((await stop(id, reviewer.caller)).status).toBe(403);
      expect((await stop(id, stranger.caller)).status).toBe(404);
      expect(await batchOf(id)).toMatchObject({ released: 1, releasing: 1 });
      const { body } = await stop(id, colleague.caller);
      expect(body).toMatchObject({ state: 'review', released: 1, accepted: 1, releasing: 0, fault: null });
    });
    const before = await blobCount();
    expect((await release(id)).status).toBe(200);
    await settled(id);
    expect(await batchOf(id)).toMatchObject({ state: 'review', released: 1, accepted: 1, releasing: 0, fault: null });
    const [done, left] = await documentsOf(id);
    expect([done?.state, left?.state, left?.acceptedByMe, left?.fault]).toEqual(['released', 'accepted', true, null]);
    // The pages that were made of it meanwhile are gone.
    expect(await blobCount()).toBe(before + 1);
    const logged = async () =>
      (await met.app.admin.get<ActivityRow[]>('/api/activity-logs?limit=200')).body.flatMap(({ userId, details }) =>
        details?.startsWith('Stopped ') && details.includes(`Pay run ${met.made},`) ? [[userId, details]] : [],
      );
    const entry = `Stopped the release of batch: Pay run ${met.made}, 1 document not released`;
    expect(await logged()).toEqual([[colleague.id, entry]]);

    // Before its turn, too, by whoever ordered it; twice is once.
    expect((await release(id)).body).toMatchObject({ accepted: 0, releasing: 1 });
    for (const _time of [1, 2]) {
      const { status, body } = await stop(id, met.processor.caller);
      expect([status, body.accepted, body.releasing]).toEqual([200, 1, 0]);
    }
    expect(await logged()).toEqual([
      [met.processor.id, entry],
      [colleague.id, entry],
    ]);
    await settled(id);
    expect(await batchOf(id)).toMatchObject({ released: 1, accepted: 1, releasing: 0 });
    expect((await release(id)).status).toBe(200);
    expect(await settled(id)).toMatchObject({ state: 'released', released: 2 });
  });

  it('who may not release batches reviews them alone, and FOUR_EYES=on is switched off by nobody', async () => {
    const role = await addRole(met.app, `Reviewers ${met.made}`, ['reports.upload', 'batches.manage']);
    const reviewer = await addUser(met.app, `reviewer${met.made}`, role, {
      clientIds: [client(near), client(second)],
      reportTypeIds: [type()],
    });
    await met.app.database.transaction((tx) =>
      tx.updateTable('users').set({ role_id: role }).where('id', '=', met.processor.id).execute(),
    );
    const { id, documentIds } = await inReview();
    expect((await release(id)).body.code).toBe('forbidden');
    const decide = { ids: documentIds, decision: 'dropped' };
    expect((await met.processor.caller.post(path(id, '/documents/decide'), decide)).status).toBe(200);
    expect((await release(id, {}, reviewer.caller)).status).toBe(403);
    const fixed = await startTestApp(kind, { FOUR_EYES: 'on' });
    try {
      const { body: held } = await fixed.admin.get<FirmSettings>('/api/firm-settings');
      expect(held).toMatchObject({ fourEyes: true, fourEyesFixed: true });
      const { body } = await fixed.admin.put<ErrorBody>('/api/firm-settings', { fourEyes: false });
      expect(body.fields).toHaveProperty('fourEyes');
    } finally {
      await fixed.close();
    }
  });

  it('G31: a client that is deleted or leaves one’s reach meanwhile gets nothing, and the reviewer is told', async () => {
    const { id } = await inReview();
    const { body: closed } = await met.app.admin.post<{ id: number }>(
      '/api/clients',
      clientInput(`Closing Co ${met.made}`),
    );
    const [first, other] = await documentsOf(id);
    await met.app.admin.post(path(id, '/documents/decide'), {
      ids: [first?.id],
      clientId: closed.id,
      decision: 'accepted',
    });
    // In the processor's reach when the release is ordered, and out of it when its turn comes: named to an Admin alone.
    const listed = { user_id: met.processor.id, client_id: closed.id };
    await met.app.database.transaction((tx) => tx.insertInto('user_clients').values(listed).execute());
    expect((await release(id)).status).toBe(200);
    await met.app.database.transaction((tx) =>
      tx
        .deleteFrom('user_clients')
        .where('user_id', '=', met.processor.id)
        .where('client_id', '=', closed.id)
        .execute(),
    );
    expect((await documentsOf(id)).map(({ clientName }) => clientName)[0]).toBeNull();
    expect((await documentsOf(id, met.app.admin)).map(({ clientName }) => clientName)[0]).toBe(
      `Closing Co ${met.made}`,
    );
    await settled(id);
    const [refused, done] = await documentsOf(id, met.app.admin);
    expect(refused).toMatchObject({ state: 'toCheck', fault: 'You do not have permission to do this.' });
    expect(done).toMatchObject({ id: other?.id, state: 'released' });

    await met.app.admin.post(path(id, '/documents/decide'), { ids: [first?.id], decision: 'accepted' });
    await release(id, {}, met.app.admin);
    await met.app.admin.delete(`/api/clients/${closed.id}`);
    await settled(id);
    // It was out of the processor's reach, and stays so.
    expect((await documentsOf(id))[0]).toMatchObject({ state: 'toCheck', closed: true, fault: null });
    expect((await documentsOf(id, met.app.admin))[0]).toMatchObject({
      state: 'toCheck',
      clientId: null,
      fault: 'Its client or report type was deleted. Select another one.',
    });
    const accept = await met.app.admin.post<ErrorBody>(path(id, '/documents/decide'), {
      ids: [first?.id],
      decision: 'accepted',
    });
    expect(accept.body.code).toBe('document_incomplete');
  });
});

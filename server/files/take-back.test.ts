// Taking back a report that nobody else has opened, over HTTP: who may, until when, and against whoever opens it at the same time.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { FileDetails, FileRow } from '#contract/files.ts';
import type { TrashRow } from '#contract/trash.ts';
import { DAY_MS } from '../platform/clock.ts';
import { addRole, addUser, type Firm } from '../testing/firm.ts';
import type { Caller, TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';

const refusal = (code: ErrorCode) => ({ body: { code } });

describe.each(DATABASE_KINDS)('taking a report back on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let sender: Caller;
  let colleague: Caller;
  let place: Record<string, string | number>;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, {}, { clock: 'standing' }));
    const [clientId] = firm.clients;
    const [type] = firm.reportTypes;
    place = { clientId, fileType: 'report', reportTypeId: type };
    const role = await addRole(app, 'Sender', ['reports.upload', 'documents.upload']);
    const lists = { clientIds: [clientId], reportTypeIds: [type] };
    sender = (await addUser(app, 'sender', role, lists)).caller;
    colleague = (await addUser(app, 'colleague', role, lists)).caller;
  });
  afterAll(() => app.close());

  const send = async (by = sender, fields = place) => {
    const { status, body } = await by.upload<FileRow>({ name: 'Journal.txt', fields });
    expect(status).toBe(201);
    return body;
  };
  const takeBack = (id: number, by = sender) => by.delete(`/api/files/${id}`);
  const open = async (by: Caller, id: number, how = 'view') =>
    expect((await by.get(`/api/files/${id}/${how}`)).status).toBe(200);
  const factsOf = async (id: number, by = sender) => {
    const { file } = (await by.get<FileDetails>(`/api/files/${id}/facts`)).body;
    const [listed] = (await by.get<FileRow[]>(`/api/files?limit=100`)).body.filter((each) => each.id === id);
    expect(listed?.openedByOthers).toBe(file.openedByOthers);
    return file.openedByOthers;
  };

  it('moves it to the trash, says so in the log, and is undone by whoever did it', async () => {
    const { id, openedByOthers } = await send();
    // What the uploader looks at is the uploader's own.
    await open(sender, id);
    expect([openedByOthers, await factsOf(id)]).toEqual([false, false]);
    expect((await takeBack(id)).status).toBe(204);
    for (const by of [sender, firm.viewers.clientA, app.admin]) {
      expect((await by.get(`/api/files/${id}/view`)).status).toBe(404);
    }
    expect(await takeBack(id)).toMatchObject(refusal('not_found'));
    const { body } = await app.admin.get<ActivityRow[]>('/api/activity-logs?limit=1&action=delete');
    expect(body[0]).toMatchObject({ details: 'Took back file: Journal.txt', fileId: id, userName: 'Full sender' });
    const inTrash = (await sender.get<TrashRow[]>('/api/trash')).body.map((row) => row.id);
    expect(inTrash).toContain(id);
    expect(await colleague.post(`/api/files/${id}/restore`)).toMatchObject(refusal('not_found'));
    expect((await sender.post(`/api/files/${id}/restore`)).status).toBe(200);
    expect((await firm.viewers.clientA.get(`/api/files/${id}/facts`)).status).toBe(200);
  });

  it('G63: is refused once anybody else has opened it, staff too, or a day has passed', async () => {
    for (const [by, how] of [
      [firm.viewers.clientA, 'view'],
      [app.admin, 'download'],
      [colleague, 'view'],
    ] as const) {
      const { id } = await send();
      await open(by, id, how);
      expect(await factsOf(id)).toBe(true);
      expect(await takeBack(id)).toMatchObject(refusal('opened_meanwhile'));
    }
    const [young, old] = [await send(), await send()];
    app.advance(DAY_MS - 1);
    expect((await takeBack(young.id)).status).toBe(204);
    app.advance(1);
    expect(await factsOf(old.id)).toBeNull();
    expect(await takeBack(old.id)).toMatchObject(refusal('take_back_over'));
  });

  it('is for its uploader alone: others who may upload, and who deletes anyway, are as before', async () => {
    const { id } = await send();
    expect([await factsOf(id, colleague), await factsOf(id, app.admin)]).toEqual([null, null]);
    expect(await takeBack(id, colleague)).toMatchObject(refusal('forbidden'));
    expect(await takeBack(id, firm.viewers.bookkeeper)).toMatchObject(refusal('forbidden'));
    expect(await takeBack(id, firm.viewers.clientA)).toMatchObject(refusal('forbidden'));
    await open(firm.viewers.clientA, id);
    // Who may delete it does, whoever opened it.
    expect((await takeBack(id, firm.viewers.cpa)).status).toBe(204);
    const { body } = await app.admin.get<ActivityRow[]>('/api/activity-logs?limit=1&action=delete');
    expect(body[0]).toMatchObject({ details: 'Deleted file: Journal.txt', fileId: id });
    // A document is its uploader's to delete, opened or not.
    const document = await send(sender, { clientId: firm.clients[0], fileType: 'company_document' });
    await open(firm.viewers.clientA, document.id);
    expect([document.openedByOthers, (await takeBack(document.id)).status]).toEqual([null, 204]);
  });

  it('is no way to replace a report: that asks for the right to delete', async () => {
    const { id } = await send();
    expect(await sender.upload({ name: 'Journal.txt', fields: { ...place, replaces: id } })).toMatchObject(
      refusal('forbidden'),
    );
  });

  it('was faster than whoever had found it: then nothing is served, alone or in a ZIP, and nobody has opened it', async () => {
    const { accessLog } = app.context.services;
    const record = accessLog.record.bind(accessLog);
    for (const request of [
      (id: number) => firm.viewers.clientA.fetch(`/api/files/${id}/view`),
      (id: number) =>
        firm.viewers.clientA.fetch('/api/files/archive', {
          method: 'POST',
          body: JSON.stringify({ ids: [id] }),
          headers: { 'content-type': 'application/json' },
        }),
    ]) {
      const { id } = await send();
      const spy = vi.spyOn(accessLog, 'record').mockImplementationOnce(async (access) => {
        expect((await takeBack(id)).status).toBe(204);
        await record(access);
      });
      const answer = await request(id);
      spy.mockRestore();
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'not_found' }]);
      const entries = await app.admin.get<ActivityRow[]>(`/api/activity-logs?limit=20&fileId=${id}`);
      expect(entries.body.map(({ action }) => action)).toEqual(['delete', 'upload']);
    }
  });

  it('G63: of opening and taking back at the same time exactly one wins', async () => {
    const outcomes: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const { id } = await send();
      const acts = [() => takeBack(id), () => firm.viewers.clientA.get(`/api/files/${id}/view`)];
      const [one, other] = await Promise.all((round % 2 === 0 ? acts : [...acts].reverse()).map((act) => act()));
      const [taken, viewed] = round % 2 === 0 ? [one, other] : [other, one];
      const outcome = `${taken?.status} ${viewed?.status}`;
      expect(['204 404', '409 200']).toContain(outcome);
      outcomes.push(outcome);
    }
    expect(outcomes).toHaveLength(12);
  });

  it.runIf(kind === 'postgres')(
    'waits for whoever changes the file, and lets others open theirs meanwhile',
    async () => {
      const [held, other] = [await send(), await send()];
      let viewing: Promise<{ status: number }> | undefined;
      let isOver = false;
      await app.database.transaction(async (tx) => {
        await tx.selectFrom('files').select('id').where('id', '=', held.id).forUpdate().execute();
        viewing = firm.viewers.clientA.get(`/api/files/${held.id}/view`).finally(() => {
          isOver = true;
        });
        await open(firm.viewers.cpa, other.id);
        await open(firm.viewers.cpa, other.id, 'download');
        expect(isOver).toBe(false);
        await tx.deleteFrom('files').where('id', '=', held.id).execute();
      });
      expect((await viewing)?.status).toBe(404);
    },
  );
});

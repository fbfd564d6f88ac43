// Corrections over HTTP: what a file corrects, who is told of it, and what becomes of it when one of the two goes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileDetails, FileRow } from '#contract/files.ts';
import { addUser, type Firm } from '../testing/firm.ts';
import { someoneWaits } from '../testing/someone-waits.ts';
import type { Answer, Caller, TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';

describe.each(DATABASE_KINDS)('corrections on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  /** Of the first client, with the first report type alone. */
  let ofOneType: Caller;

  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
    const lists = { clientIds: [firm.clients[0]], reportTypeIds: [firm.reportTypes[0]] };
    ofOneType = (await addUser(app, 'of one type', firm.roles.cpa, lists)).caller;
  });
  afterAll(() => app.close());

  let made = 0;
  const send = (more: Record<string, string | number> = {}, by = app.admin, idempotencyKey?: string) => {
    made += 1;
    const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0], ...more };
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    return by.upload<FileRow & ErrorBody>({ name: `941 no ${made}.txt`, fields, headers });
  };
  const aFile = async (more: Record<string, string | number> = {}): Promise<FileRow> => {
    const { status, body } = await send(more);
    expect(status).toBe(201);
    return body;
  };
  const refile = (id: number, change: unknown, by = app.admin): Promise<Answer<FileRow & ErrorBody>> =>
    by.put(`/api/files/${id}`, change);
  const factsOf = async (id: number, by = app.admin) => (await by.get<FileDetails>(`/api/files/${id}/facts`)).body.file;
  const listed = async (id: number, by = app.admin) =>
    (await by.get<FileRow[]>('/api/files?limit=200')).body.find((file) => file.id === id);
  const named = ({ id, originalName }: FileRow) => ({ id, originalName });
  const asCorrecting = (file: FileRow) => ({ ...named(file), uploadedAt: file.uploadedAt });
  /** What is said of a file in the list; the facts and the export say the same. */
  const saidOf = async ({ id }: FileRow, by = app.admin) => {
    const [inList, inFacts] = [await listed(id, by), await factsOf(id, by)];
    expect(inFacts).toEqual(inList);
    const [, cells] = (await (await by.fetch(`/api/files/export?ids=${id}`)).text()).trim().split('\r\n');
    const names = [inList?.corrects?.originalName ?? '', inList?.correctedBy?.originalName ?? ''];
    expect(cells?.replaceAll('"', '').split(',').slice(-3, -1)).toEqual(names);
    return [inList?.corrects ?? null, inList?.correctedBy ?? null];
  };
  const faultOf = ({ status, body }: Answer<ErrorBody>) => [status, body.fields?.['corrects']];
  const detailsOf = async (id: number, by = app.admin) =>
    (await by.get<ActivityRow[]>(`/api/activity-logs?fileId=${id}`)).body.map(({ details }) => details);
  const remove = async ({ id }: FileRow) => expect((await app.admin.delete(`/api/files/${id}`)).status).toBe(204);
  const restore = async ({ id }: FileRow) =>
    expect((await app.admin.post(`/api/files/${id}/restore`)).status).toBe(200);

  const NOT_TO_CORRECT = 'Choose a file of the same client';

  it('are named on both sides, and leave the earlier file as it was', async () => {
    const earlier = await aFile();
    const later = await aFile({ corrects: earlier.id });
    expect(later).toMatchObject({ corrects: named(earlier), correctedBy: null });
    expect(await saidOf(later)).toEqual([named(earlier), null]);
    expect(await saidOf(earlier)).toEqual([null, asCorrecting(later)]);
    expect(await listed(earlier.id, firm.viewers.clientA)).toMatchObject({ correctedBy: asCorrecting(later) });
    expect((await firm.viewers.clientA.get(`/api/files/${earlier.id}/download`)).status).toBe(200);
    expect(await detailsOf(later.id)).toEqual([
      `Uploaded file: ${later.originalName}, corrects ${earlier.originalName}`,
    ]);
    const [header] = (await (await app.admin.fetch('/api/files/export')).text()).split('\r\n');
    expect(header).toMatch(/"File ID","Corrects","Corrected by","Client ID"$/);
    // Of several, the newest.
    const newest = await aFile({ corrects: earlier.id });
    expect(await saidOf(earlier)).toEqual([null, asCorrecting(newest)]);
  });

  it('can be said, changed and taken back later', async () => {
    const [one, two, later] = [await aFile(), await aFile(), await aFile()];
    expect((await refile(later.id, { corrects: one.id })).body).toMatchObject({ corrects: named(one) });
    expect((await refile(later.id, { corrects: two.id })).body).toMatchObject({ corrects: named(two) });
    expect([await saidOf(one), await saidOf(two)]).toEqual([
      [null, null],
      [null, asCorrecting(later)],
    ]);
    // What is not said stays, and the same once more is no change.
    expect((await refile(later.id, { period: '2026-Q1' })).body).toMatchObject({ corrects: named(two) });
    expect((await refile(later.id, { corrects: two.id })).status).toBe(200);
    expect((await refile(later.id, { corrects: null })).body).toMatchObject({ corrects: null });
    expect(await saidOf(two)).toEqual([null, null]);
    const details = await detailsOf(later.id);
    expect(details.filter((text) => text?.includes('corrects'))).toEqual([
      `Re-filed file: ${later.originalName}, corrects no other file any more`,
      `Re-filed file: ${later.originalName}, corrects ${two.originalName}`,
      `Re-filed file: ${later.originalName}, corrects ${one.originalName}`,
    ]);
  });

  it('the same upload twice is one file, and another correction under its key is none', async () => {
    const [earlier, other] = [await aFile(), await aFile()];
    const key = `corrects-${kind}`;
    const first = await send({ corrects: earlier.id }, app.admin, key);
    const again = await send({ corrects: earlier.id }, app.admin, key);
    expect([again.status, again.body.id, again.body.corrects]).toEqual([201, first.body.id, named(earlier)]);
    expect((await send({ corrects: other.id }, app.admin, key)).body.code).toBe('idempotency_mismatch');
    expect((await send({}, app.admin, key)).body.code).toBe('idempotency_mismatch');
    // Repeated after the earlier file went, it is still the same upload.
    await remove(earlier);
    expect((await send({ corrects: earlier.id }, app.admin, key)).body.id).toBe(first.body.id);
  });

  it('of another client, out of reach, or missing are refused alike', async () => {
    const later = await aFile();
    const foreign = await aFile({ clientId: firm.clients[2] });
    const untouched = await saidOf(later);
    for (const id of [foreign.id, 999_999_999]) {
      expect(faultOf(await send({ corrects: id }))).toEqual([400, NOT_TO_CORRECT]);
      expect(faultOf(await refile(later.id, { corrects: id }))).toEqual([400, NOT_TO_CORRECT]);
    }
    // Of the same client, and of a report type that this CPA does not reach; and of a client that the CPA does not reach.
    const hidden = await aFile({ reportTypeId: firm.reportTypes[1] });
    for (const id of [hidden.id, firm.files.f2.id]) {
      expect(faultOf(await send({ corrects: id }, ofOneType))).toEqual([400, NOT_TO_CORRECT]);
      expect(faultOf(await refile(later.id, { corrects: id }, ofOneType))).toEqual([400, NOT_TO_CORRECT]);
    }
    expect((await send({ corrects: 'x' })).status).toBe(400);
    const both = await send({ corrects: later.id, replaces: later.id });
    expect(faultOf(both)).toEqual([400, 'A file that is replaced is gone: choose to replace it or to correct it']);
    expect(await saidOf(later)).toEqual(untouched);
    // Who may not re-file says nothing of what a file corrects either.
    const { f4 } = firm.files;
    expect((await refile(f4.id, { corrects: later.id }, firm.viewers.clientB)).status).toBe(404);
    expect((await refile(later.id, { corrects: f4.id }, firm.viewers.clientA)).status).toBe(403);
  });

  it('G36: are not hinted at to who does not reach the other file', async () => {
    const earlier = await aFile();
    const hidden = await aFile({ reportTypeId: firm.reportTypes[1], corrects: earlier.id });
    expect(await saidOf(earlier, ofOneType)).toEqual([null, null]);
    expect(await saidOf(earlier)).toEqual([null, asCorrecting(hidden)]);
    const seen = await aFile({ corrects: hidden.id });
    expect(await saidOf(seen, ofOneType)).toEqual([null, null]);
    for (const path of [
      '/api/files?limit=200',
      `/api/files/${seen.id}/facts`,
      `/api/files/${earlier.id}/facts`,
      '/api/files/export',
    ]) {
      expect(await (await ofOneType.fetch(path)).text()).not.toContain(hidden.originalName);
    }
    // An older correction within reach is the newest one for them.
    const within = await aFile({ corrects: earlier.id });
    const hiddenNewest = await aFile({ reportTypeId: firm.reportTypes[1], corrects: earlier.id });
    expect(await saidOf(earlier, ofOneType)).toEqual([null, asCorrecting(within)]);
    expect(await saidOf(earlier)).toEqual([null, asCorrecting(hiddenNewest)]);
    // What is shown as none and sent back so removes nothing that others see.
    expect((await refile(seen.id, { corrects: null, period: '2026-Q2' }, ofOneType)).body).toMatchObject({
      corrects: null,
    });
    expect(await saidOf(seen)).toEqual([named(hidden), null]);
  });

  it('never make a circle, not even when two are said at once', async () => {
    const [a, b, c] = [await aFile(), await aFile(), await aFile()];
    await expect(
      app.database.transaction((tx) =>
        tx.updateTable('files').set({ corrects_id: a.id }).where('id', '=', a.id).execute(),
      ),
    ).rejects.toThrow(/files_corrects_another/);
    expect(faultOf(await refile(a.id, { corrects: a.id }))).toEqual([400, 'A file does not correct itself']);
    await refile(b.id, { corrects: a.id });
    await refile(c.id, { corrects: b.id });
    expect(faultOf(await refile(a.id, { corrects: c.id }))).toEqual([
      400,
      'That file is itself a correction of this one',
    ]);
    expect(await saidOf(a)).toEqual([null, asCorrecting(b)]);
    for (let round = 0; round < 5; round += 1) {
      const three = [await aFile(), await aFile(), await aFile()] as const;
      const answers = await Promise.all(
        three.map((file, nth) => refile(file.id, { corrects: three[(nth + 1) % 3]?.id })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400]);
    }
  });

  it('G47: a circle by way of a file out of reach is refused in the words for one that is not there', async () => {
    const own = await aFile();
    const hidden = await aFile({ reportTypeId: firm.reportTypes[1], corrects: own.id });
    const seen = await aFile({ corrects: hidden.id });
    const answer = (id: number, by: Caller) => refile(own.id, { corrects: id }, by).then(faultOf);
    expect(await answer(seen.id, ofOneType)).toEqual([400, NOT_TO_CORRECT]);
    expect(await answer(999_999_999, ofOneType)).toEqual([400, NOT_TO_CORRECT]);
    expect(await answer(seen.id, app.admin)).toEqual([400, 'That file is itself a correction of this one']);
    // Where all of it is in reach, it is said.
    const within = await aFile({ corrects: own.id });
    expect(await answer(within.id, ofOneType)).toEqual([400, 'That file is itself a correction of this one']);
    expect(await saidOf(own)).toEqual([null, asCorrecting(within)]);
  });

  it('end when either file goes to another client', async () => {
    const [first, third] = firm.clients;
    const [a, b] = [await aFile(), await aFile()];
    await refile(b.id, { corrects: a.id });
    expect((await refile(b.id, { clientId: third })).body).toMatchObject({ clientId: third, corrects: null });
    expect(await saidOf(a)).toEqual([null, null]);
    // Back again, it corrects nothing until somebody says so; what is said with the move is of the new client.
    expect(faultOf(await refile(b.id, { clientId: first, corrects: firm.files.f2.id }))).toEqual([400, NOT_TO_CORRECT]);
    expect((await refile(b.id, { clientId: first, corrects: a.id })).body).toMatchObject({ corrects: named(a) });
    expect(faultOf(await refile(b.id, { clientId: third, corrects: a.id }))).toEqual([400, NOT_TO_CORRECT]);
    expect((await refile(a.id, { clientId: third })).body).toMatchObject({ correctedBy: null });
    expect(await saidOf(b)).toEqual([null, null]);
    // Of another kind or type of the same client, it stays.
    const [c, d] = [await aFile(), await aFile()];
    await refile(d.id, { corrects: c.id });
    await refile(c.id, { fileType: 'company_document' });
    expect(await saidOf(d)).toEqual([named(c), null]);
  });

  it('G36: are whole again when either file comes back from the trash, or both do', async () => {
    const there = async (a: FileRow, b: FileRow) => {
      expect(await saidOf(b)).toEqual([named(a), null]);
      expect(await saidOf(a)).toEqual([null, asCorrecting(b)]);
    };
    const earlier = await aFile();
    const later = await aFile({ corrects: earlier.id });
    await remove(later);
    expect(await saidOf(earlier)).toEqual([null, null]);
    await restore(later);
    await there(earlier, later);
    await remove(earlier);
    expect(await saidOf(later)).toEqual([null, null]);
    await restore(earlier);
    await there(earlier, later);
    // Both, in every order.
    for (const [away, back] of [
      [
        [earlier, later],
        [earlier, later],
      ],
      [
        [earlier, later],
        [later, earlier],
      ],
      [
        [later, earlier],
        [earlier, later],
      ],
      [
        [later, earlier],
        [later, earlier],
      ],
    ] as const) {
      for (const file of away) await remove(file);
      for (const file of back) await restore(file);
      await there(earlier, later);
    }
    // Said otherwise meanwhile: that stays, and no circle is closed.
    const other = await aFile();
    await remove(earlier);
    await refile(later.id, { corrects: other.id });
    await restore(earlier);
    expect(await saidOf(later)).toEqual([named(other), null]);
    const [x, y] = [await aFile(), await aFile()];
    const z = await aFile({ corrects: x.id });
    await refile(x.id, { corrects: y.id });
    await remove(x);
    await refile(y.id, { corrects: z.id });
    await restore(x);
    const chain = [await saidOf(x), await saidOf(y), await saidOf(z)].map(([corrects]) => corrects);
    expect(chain.filter((corrects) => corrects === null)).toHaveLength(1);
    // Purged, the other one stands alone.
    const [gone, alone] = [await aFile(), await aFile()];
    await refile(alone.id, { corrects: gone.id });
    await remove(gone);
    await app.database.transaction((tx) => tx.deleteFrom('trash').where('item_id', '=', gone.id).execute());
    expect(await saidOf(alone)).toEqual([null, null]);
  });

  it('come back with their client', async () => {
    const { body: client } = await app.admin.post<{ id: number }>('/api/clients', {
      name: `Client of corrections ${kind}`,
      address: '1 Main Street',
      phone: '(207)-555-0142',
      federalId: '00-7654321',
      stateId: 'ME-1',
      email: 'office@example.com',
      employeeCount: 1,
      startDate: '2024-02-29',
    });
    const [a, b] = [await aFile({ clientId: client.id }), await aFile({ clientId: client.id })];
    const c = await aFile({ clientId: client.id, corrects: b.id });
    await refile(a.id, { corrects: c.id });
    expect((await app.admin.delete(`/api/clients/${client.id}`)).status).toBe(204);
    expect((await app.admin.post(`/api/clients/${client.id}/restore`)).status).toBe(200);
    expect([await saidOf(a), await saidOf(b), await saidOf(c)]).toEqual([
      [named(c), null],
      [null, asCorrecting(c)],
      [named(b), asCorrecting(a)],
    ]);
  });

  it('are heard of in the lists of those who look at them', async () => {
    const [a, b] = [await aFile(), await aFile()];
    const heard = () =>
      app.database.reader
        .selectFrom('changes')
        .select('file_id')
        .where('topic', '=', 'files')
        .where('file_id', '=', b.id)
        .execute();
    const before = (await heard()).length;
    await refile(b.id, { corrects: a.id });
    expect(await heard()).toHaveLength(before + 1);
  });

  it.runIf(kind === 'postgres')('a file that goes to another client just then is not corrected', async () => {
    const [earlier, later] = [await aFile(), await aFile()];
    let asked: Promise<Answer<ErrorBody>>[] = [];
    await app.database.transaction(async (tx) => {
      await tx.updateTable('files').set({ client_id: firm.clients[2] }).where('id', '=', earlier.id).execute();
      asked = [send({ corrects: earlier.id }), refile(later.id, { corrects: earlier.id })];
      await someoneWaits(app, 2);
    });
    for (const answer of await Promise.all(asked)) expect(faultOf(answer)).toEqual([400, NOT_TO_CORRECT]);
    expect(await saidOf(later)).toEqual([null, null]);
  });
});

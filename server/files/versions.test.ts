// Replaced files over HTTP: they leave every list, are kept with the newest file for staff, and come back where that was a mistake.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { ViewTicket } from '#contract/file-opening.ts';
import {
  type FileDetails,
  type FileRow,
  NOT_TO_REPLACE,
  REPLACES_ELSEWHERE,
  REPLACES_ITSELF,
} from '#contract/files.ts';
import type { TrashRow } from '#contract/trash.ts';
import { DAY_MS } from '../platform/clock.ts';
import { rowCount } from '../platform/db/list.ts';
import { addUser, clientInput, type Firm } from '../testing/firm.ts';
import { apartFromComing, firmRows } from '../testing/full-firm.ts';
import { refused } from '../testing/refusal.ts';
import type { Answer, Caller, TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';
import { purgeTrash } from './trash/purge.ts';

describe.each(DATABASE_KINDS)('earlier versions on %s', (kind) => {
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
  const send = (more: Record<string, string | number> = {}, by = app.admin, name?: string) => {
    made += 1;
    const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0], ...more };
    return by.upload<FileRow & ErrorBody>({
      name: name ?? `Journal no ${made}.txt`,
      bytes: `bytes no ${made}`,
      fields,
    });
  };
  const aFile = async (more: Record<string, string | number> = {}, by = app.admin): Promise<FileRow> => {
    const { status, body } = await send(more, by);
    expect([status, body.message]).toEqual([201, undefined]);
    return body;
  };
  const chainOf = async (length: number): Promise<FileRow[]> => {
    const files = [await aFile()];
    while (files.length < length) files.push(await aFile({ replaces: files.at(-1)?.id ?? 0 }));
    return files;
  };
  const refile = (id: number, change: unknown, by = app.admin): Promise<Answer<FileRow & ErrorBody>> =>
    by.put(`/api/files/${id}`, change);
  const factsOf = async (id: number, by = app.admin) => (await by.get<FileDetails>(`/api/files/${id}/facts`)).body;
  const versionsOf = async (id: number, by = app.admin) => (await factsOf(id, by)).versions?.rows.map((row) => row.id);
  const putBack = (id: number, body: unknown = {}, by = app.admin): Promise<Answer<FileRow & ErrorBody>> =>
    by.post(`/api/files/${id}/restore`, body);
  const remove = async ({ id }: FileRow) => expect((await app.admin.delete(`/api/files/${id}`)).status).toBe(204);
  const statusOf = async (path: string, by = app.admin) => (await by.fetch(path)).status;
  const bytesOf = async ({ id }: FileRow, by = app.admin) => (await by.fetch(`/api/files/${id}/download`)).text();
  const isListed = async ({ id }: FileRow, by = app.admin) =>
    (await by.get<FileRow[]>('/api/files?limit=200')).body.some((file) => file.id === id);
  const detailsOf = async (id: number, by = app.admin) =>
    (await by.get<ActivityRow[]>(`/api/activity-logs?fileId=${id}`)).body.map(({ details }) => details);
  const trashIds = async () => (await app.admin.get<TrashRow[]>('/api/trash?limit=200')).body.map(({ id }) => id);
  const hold = (id: number, heldKind = 'file') =>
    app.admin.post<{ id: number }>('/api/holds', { kind: heldKind, id, reason: 'An audit' });
  const lift = (id: number) => app.admin.post(`/api/holds/${id}/lift`);
  const purge = () => purgeTrash(app.database, app.context.services.blobs, app.now() + 400 * DAY_MS);

  it('leave every list and stay on the page of the newest, with who opened them', async () => {
    const earlier = await aFile();
    const client = firm.viewers.clientA;
    expect(await bytesOf(earlier, client)).toMatch(/^bytes/);
    const total = async (by: Caller) => Number((await by.fetch('/api/files')).headers.get('x-total-count'));
    const before = await total(app.admin);
    const { status, body: newest } = await send(
      { replaces: earlier.id, replacedBecause: 'Wrong rate' },
      firm.viewers.cpa,
    );
    expect(status).toBe(201);
    expect(await total(app.admin)).toBe(before);
    for (const by of [app.admin, firm.viewers.cpa, client]) {
      expect([await isListed(earlier, by), await isListed(newest, by)]).toEqual([false, true]);
      expect(await (await by.fetch('/api/files/export')).text()).not.toContain(earlier.originalName);
      expect((await by.get<FileRow[]>(`/api/files?q=${encodeURIComponent(earlier.originalName)}`)).body).toEqual([]);
    }
    expect(await trashIds()).not.toContain(earlier.id);
    const zip = await app.admin.post<ErrorBody>('/api/files/archive', { ids: [earlier.id] });
    expect(zip.status).toBe(404);
    // New to the client again, and opened by nobody yet.
    const [readers] = (
      await app.admin.get<{ readers: { openedAt: string | null }[] }>(`/api/files/readers?ids=${newest.id}`)
    ).body.readers;
    expect(readers?.openedAt).toBeNull();

    const { versions, ledHere } = await factsOf(newest.id);
    expect(ledHere).toBe(false);
    expect(versions).toEqual({
      total: 1,
      rows: [
        {
          id: earlier.id,
          nth: 1,
          originalName: earlier.originalName,
          size: earlier.size,
          contentType: earlier.contentType,
          uploadedAt: earlier.uploadedAt,
          uploaderName: earlier.uploaderName,
          replacedAt: expect.any(String),
          replacedByName: 'Full cpa',
          because: 'Wrong rate',
          opened: { people: 1, latest: [{ name: 'Full clientA', isGone: false }], at: expect.any(String) },
          mayPutBack: true,
        },
      ],
    });
    expect(await detailsOf(earlier.id)).toEqual([
      `Replaced file: ${earlier.originalName}, by ${newest.originalName}. Reason: Wrong rate`,
      `Viewed file: ${earlier.originalName}`.replace('Viewed', 'Downloaded'),
      `Uploaded file: ${earlier.originalName}`,
    ]);
    expect(await detailsOf(newest.id)).toEqual([
      `Uploaded file: ${newest.originalName}, replaces ${earlier.originalName}`,
    ]);
  });

  it('are known by the key of their upload, whose answer was lost: sent again it is the newest', async () => {
    const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] };
    const headers = { 'idempotency-key': 'lost' };
    const again = (bytes = 'the lost one', more: Record<string, string> = {}) =>
      firm.viewers.cpa.upload<FileRow & ErrorBody>({
        name: 'lost.txt',
        bytes,
        fields: { ...fields, ...more },
        headers,
      });
    const { body: lost } = await again();
    const newer = await aFile({ replaces: lost.id });
    const retried = await again();
    expect([retried.status, retried.body.id, await versionsOf(newer.id)]).toEqual([201, newer.id, [lost.id]]);
    expect(await isListed(lost)).toBe(false);
    for (const other of [await again('other bytes'), await again('the lost one', { period: '2026-Q1' })]) {
      expect(refused(other)).toEqual([422, 'idempotency_mismatch']);
    }
    const newest = await aFile({ replaces: newer.id });
    expect((await again()).body.id).toBe(newest.id);
  });

  it('tell who of a client opened them, also once the account is gone or the newest is filed with another client', async () => {
    const earlier = await aFile();
    const [first, , third] = firm.clients;
    const person = (name: string, roleId: number, clientId: number) =>
      addUser(app, `${name} of ${kind}`, roleId, { clientIds: [clientId], reportTypeIds: [firm.reportTypes[0]] });
    const leaver = await person('leaver', firm.roles.client, first);
    const staff = await person('staff', firm.roles.cpa, first);
    const ofThird = await person('third', firm.roles.cpa, third);
    for (const by of [firm.viewers.clientA, leaver.caller, staff.caller]) {
      expect(await bytesOf(earlier, by)).toMatch(/^bytes/);
      app.advance(1_000);
    }
    const newest = await aFile({ replaces: earlier.id });
    // Whoever opens it as staff later on, and is gone, is no person of a client.
    for (const { id } of [leaver, staff]) expect((await app.admin.delete(`/api/users/${id}`)).status).toBe(204);
    expect((await refile(newest.id, { clientId: third })).status).toBe(200);
    const openedFor = async (by: Caller) => (await factsOf(newest.id, by)).versions?.rows[0]?.opened;
    const at = expect.any(String);
    const latest = [
      { name: `Full leaver of ${kind}`, isGone: true },
      { name: 'Full clientA', isGone: false },
    ];
    for (const by of [app.admin, firm.viewers.cpa]) expect(await openedFor(by)).toEqual({ people: 2, latest, at });
    // By whom is not told to whoever does not reach the client that it was filed with.
    expect(await openedFor(ofThird.caller)).toEqual({ people: 2, latest: [], at });
  });

  it('G118: open and download for staff who reach the newest, for no Client user and nobody out of reach, and each is logged', async () => {
    const earlier = await aFile();
    const ticketBefore = (await firm.viewers.clientA.post<ViewTicket>(`/api/files/${earlier.id}/view-ticket`)).body;
    const newest = await aFile({ replaces: earlier.id });
    for (const by of [app.admin, firm.viewers.cpa, ofOneType]) {
      expect(await bytesOf(earlier, by)).toMatch(/^bytes/);
      expect(await statusOf(`/api/files/${earlier.id}/view`, by)).toBe(200);
    }
    expect(
      (await detailsOf(earlier.id)).filter((details) => details === `Downloaded file: ${earlier.originalName}`),
    ).toHaveLength(3);
    // A ticket opens that version alone, once, and what the ticket is of alone.
    const { url, ticket } = (await app.admin.post<ViewTicket>(`/api/files/${earlier.id}/view-ticket`)).body;
    expect(await statusOf(url.replace(`/files/${earlier.id}`, `/files/${newest.id}`), app.anonymous)).toBe(401);
    expect(await statusOf(url, app.anonymous)).toBe(200);
    expect(await statusOf(`/api/files/${earlier.id}?view=true&token=${ticket}`, app.anonymous)).toBe(401);
    const announced = { action: 'view', fileId: earlier.id, details: 'x' };
    expect((await app.admin.post('/api/activity-logs', announced)).status).toBe(201);
    // Made before the replacement, a ticket opens nothing; and the client, who had opened it, has it no more.
    expect(await statusOf(ticketBefore.url, app.anonymous)).toBe(401);
    for (const by of [firm.viewers.clientA, firm.viewers.clientB, firm.viewers.listless]) {
      for (const path of ['download', 'view', '']) {
        expect(await statusOf(`/api/files/${earlier.id}/${path}`.replace(/\/$/, ''), by)).toBe(404);
      }
      expect((await by.post(`/api/files/${earlier.id}/view-ticket`)).status).toBe(404);
      expect((await by.post('/api/activity-logs', announced)).status).toBe(404);
    }
    expect((await factsOf(newest.id, firm.viewers.clientA)).versions).toBeNull();
    // Out of reach with the newest, by way of an id or not.
    await refile(newest.id, { reportTypeId: firm.reportTypes[1] });
    expect(await statusOf(`/api/files/${earlier.id}/download`, ofOneType)).toBe(404);
    expect(await statusOf(`/api/files/${earlier.id}/facts`, ofOneType)).toBe(404);
    expect(await statusOf(`/api/files/${earlier.id}/download`)).toBe(200);
  });

  it('lead to the newest from their own address, whoever reaches that', async () => {
    const [first, second, newest] = (await chainOf(3)) as [FileRow, FileRow, FileRow];
    for (const by of [app.admin, firm.viewers.clientA]) {
      for (const { id } of [first, second]) {
        expect(await factsOf(id, by)).toMatchObject({ ledHere: true, file: { id: newest.id } });
      }
    }
    expect(await statusOf(`/api/files/${first.id}/facts`, firm.viewers.clientB)).toBe(404);
    const rows = (await factsOf(first.id)).versions?.rows ?? [];
    expect(rows.map(({ id, nth }) => [id, nth])).toEqual([
      [second.id, 2],
      [first.id, 1],
    ]);
  });

  it('G123: come of a file that is stored already, in Re-file, at its own place alone', async () => {
    const [earlier, later] = [await aFile(), await aFile()];
    expect((await refile(later.id, { replaces: earlier.id, replacedBecause: 'Sent twice' })).status).toBe(200);
    expect(await versionsOf(later.id)).toEqual([earlier.id]);
    expect((await detailsOf(later.id))[0]).toBe(
      `Re-filed file: ${later.originalName}, replaces ${earlier.originalName}`,
    );
    // Not itself, not twice, nothing of another place or client, nothing out of reach, and not without the right to delete it.
    const elsewhere = await aFile({ clientId: firm.clients[2] });
    const otherType = await aFile({ reportTypeId: firm.reportTypes[1] });
    const fault = ({ status, body }: Answer<ErrorBody>) => [status, body.fields?.['replaces']];
    expect(fault(await refile(later.id, { replaces: later.id }))).toEqual([400, REPLACES_ITSELF]);
    for (const [{ id }, said] of [
      [earlier, NOT_TO_REPLACE],
      [{ id: 999_999 }, NOT_TO_REPLACE],
      [elsewhere, REPLACES_ELSEWHERE],
      [otherType, REPLACES_ELSEWHERE],
    ] as const) {
      expect(fault(await refile(later.id, { replaces: id }))).toEqual([400, said]);
      expect(fault(await send({ replaces: id }))).toEqual([400, said]);
    }
    // Somebody who does not reach it is told what is told of one that is not there.
    expect(fault(await refile(later.id, { replaces: otherType.id }, ofOneType))).toEqual([400, NOT_TO_REPLACE]);
    const other = await aFile();
    expect((await refile(later.id, { replaces: other.id }, firm.viewers.clientA)).status).toBe(403);
    expect((await refile(later.id, { replaces: other.id, corrects: other.id })).body.fields).toHaveProperty('corrects');
    expect(await versionsOf(later.id)).toEqual([earlier.id]);
    // With a move, it takes the place of what is there.
    const moved = await refile(later.id, { clientId: firm.clients[2], replaces: elsewhere.id });
    expect(moved.status).toBe(200);
    expect(await versionsOf(later.id)).toEqual([elsewhere.id, earlier.id]);
  });

  it('G119: of two who replace one file at once, or two files each other, one does, and no file is without a newest', async () => {
    const earlier = await aFile();
    const answers = await Promise.all([
      send({ replaces: earlier.id }),
      send({ replaces: earlier.id }, firm.viewers.cpa),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
    for (let round = 0; round < 3; round += 1) {
      const three = [await aFile(), await aFile(), await aFile()] as const;
      const said = await Promise.all(three.map(({ id }, nth) => refile(id, { replaces: three[(nth + 1) % 3]?.id })));
      expect(said.map(({ status }) => status).sort()).not.toContain(500);
      const left = [];
      for (const file of three) if (await isListed(file)) left.push(file);
      expect(left).toHaveLength(1);
      expect((await versionsOf(left[0]?.id ?? 0))?.length).toBe(2);
    }
  });

  it('go where the newest is filed, and to nobody else', async () => {
    const [earlier, newest] = (await chainOf(2)) as [FileRow, FileRow];
    await bytesOf(earlier, firm.viewers.clientA);
    await refile(newest.id, { clientId: firm.clients[2], reportTypeId: firm.reportTypes[1], period: '2026-Q1' });
    expect(await versionsOf(newest.id)).toEqual([earlier.id]);
    const back = await putBack(earlier.id);
    expect(back.body).toMatchObject({ id: earlier.id, clientId: firm.clients[2], reportTypeId: firm.reportTypes[1] });
    expect(await isListed(earlier, firm.viewers.clientA)).toBe(false);
    // A document from then on, with the kind of the newest.
    const [one, two] = (await chainOf(2)) as [FileRow, FileRow];
    await refile(two.id, { fileType: 'company_document', documentType: 'Other' });
    expect((await putBack(one.id)).body).toMatchObject({
      fileType: 'company_document',
      documentType: 'Other',
      reportTypeId: null,
    });
  });

  it('G120: a replacement is taken back by who may, whole, and its log names both', async () => {
    const before = await aFile();
    const untouched = apartFromComing((await firmRows(app.database))['files']);
    const later = await aFile({ replaces: before.id });
    expect(refused(await putBack(before.id, {}, firm.viewers.clientA))).toEqual([403, 'forbidden']);
    expect(refused(await putBack(before.id, {}, firm.viewers.clientB))).toEqual([404, 'not_found']);
    expect((await putBack(before.id, { clientId: firm.clients[0] })).body.fields).toHaveProperty('clientId');
    expect((await putBack(before.id, { newer: 'gone' })).status).toBe(400);
    const { status, body } = await putBack(before.id, { newer: 'trash' }, firm.viewers.cpa);
    expect([status, body]).toEqual([200, before]);
    expect(apartFromComing((await firmRows(app.database))['files'])).toEqual(untouched);
    expect(await trashIds()).toContain(later.id);
    expect((await detailsOf(before.id))[0]).toBe(
      `Put back file: ${before.originalName}, replaced before by ${later.originalName}`,
    );
    expect(refused(await putBack(before.id, { newer: 'trash' }))).toEqual([409, 'already_restored']);
    // What is in the trash for another reason has nothing newer.
    expect((await putBack(later.id, { newer: 'keep' })).body.fields).toHaveProperty('newer');

    // In the middle of a chain it takes along what it had replaced, and the newest keeps the others.
    const [one, two, three, four] = (await chainOf(4)) as [FileRow, FileRow, FileRow, FileRow];
    expect((await putBack(two.id)).status).toBe(200);
    expect([await versionsOf(two.id), await versionsOf(four.id)]).toEqual([[one.id], [three.id]]);
    expect(await factsOf(one.id)).toMatchObject({ ledHere: true, file: { id: two.id } });
    // Who replaced a document of their own takes it back.
    const documents = { fileType: 'company_document', reportTypeId: '', documentType: 'Other' };
    const own = await aFile(documents, firm.viewers.clientA);
    await aFile({ ...documents, replaces: own.id }, firm.viewers.clientA);
    expect((await putBack(own.id, { newer: 'trash' }, firm.viewers.clientA)).status).toBe(200);
    const answers = await chainOf(2).then(([a]) => Promise.all([putBack(a?.id ?? 0), putBack(a?.id ?? 0)]));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
  });

  it('keep what corrects what, for when they come back', async () => {
    const earlier = await aFile();
    const correction = await aFile({ corrects: earlier.id });
    await aFile({ replaces: earlier.id });
    expect((await factsOf(correction.id)).file.corrects).toBeNull();
    await putBack(earlier.id);
    expect((await factsOf(correction.id)).file.corrects?.id).toBe(earlier.id);
    // A correction may take the place of what it corrects.
    expect((await refile(correction.id, { corrects: null, replaces: earlier.id })).status).toBe(200);
    expect(await versionsOf(correction.id)).toEqual([earlier.id]);
  });

  it('G121: nothing on hold is replaced, and what the newest of it replaced stays with it until the hold is lifted', async () => {
    const [earlier, newest] = (await chainOf(2)) as [FileRow, FileRow];
    const { body: held } = await hold(newest.id);
    expect(refused(await send({ replaces: newest.id }))).toEqual([409, 'on_hold']);
    expect(refused(await refile((await aFile()).id, { replaces: newest.id }))).toEqual([409, 'on_hold']);
    expect(refused(await putBack(earlier.id))).toEqual([409, 'on_hold']);
    expect((await factsOf(newest.id)).versions?.rows[0]?.mayPutBack).toBe(false);
    await lift(held.id);
    // Put on hold in the trash, it stays past its time with its earlier versions.
    await remove(newest);
    const { body: again } = await hold(newest.id);
    await purge();
    expect(await trashIds()).toContain(newest.id);
    await lift(again.id);
    expect((await putBack(newest.id)).status).toBe(200);
    expect(await bytesOf(earlier)).toMatch(/^bytes/);
  });

  it('G122: go to the trash with the newest, come back with it, and are purged with it and never before', async () => {
    const keysNow = async () =>
      Number((await app.database.reader.selectFrom('blobs').select(rowCount.as('n')).executeTakeFirstOrThrow()).n);
    const start = await keysNow();
    const [earlier, newest] = (await chainOf(2)) as [FileRow, FileRow];
    await purge();
    expect(await bytesOf(earlier)).toMatch(/^bytes/);
    await remove(newest);
    expect(await statusOf(`/api/files/${earlier.id}/download`)).toBe(404);
    expect(await statusOf(`/api/files/${earlier.id}/facts`)).toBe(404);
    expect(refused(await putBack(earlier.id))).toEqual([404, 'not_found']);
    expect((await putBack(newest.id)).status).toBe(200);
    expect(await versionsOf(newest.id)).toEqual([earlier.id]);
    await remove(newest);
    expect((await app.admin.post(`/api/files/${newest.id}/purge`)).status).toBe(204);
    await purgeTrash(app.database, app.context.services.blobs, app.now());
    expect(await keysNow()).toBe(start);
    expect((await detailsOf(earlier.id))[0]).toMatch(
      /^Purged earlier version: Journal no \d+\.txt \(SHA-256 [0-9a-f]{64}\)$/,
    );
    const { trash } = await firmRows(app.database);
    expect(
      trash?.some((row) => row.includes(`"item_id",${earlier.id}`) || row.includes(`"item_id","${earlier.id}"`)),
    ).toBe(false);
  });

  it('G122: go with a client and come back with it', async () => {
    const { body: client } = await app.admin.post<{ id: number }>(
      '/api/clients',
      clientInput(`Client of versions ${kind}`),
    );
    const earlier = await aFile({ clientId: client.id });
    const newest = await aFile({ clientId: client.id, replaces: earlier.id });
    expect((await app.admin.delete(`/api/clients/${client.id}`)).status).toBe(204);
    expect(await statusOf(`/api/files/${earlier.id}/download`)).toBe(404);
    expect((await app.admin.post(`/api/clients/${client.id}/restore`)).status).toBe(200);
    expect(await versionsOf(newest.id)).toEqual([earlier.id]);
    expect(await bytesOf(earlier)).toMatch(/^bytes/);
    await app.admin.delete(`/api/clients/${client.id}`);
    expect((await app.admin.post(`/api/clients/${client.id}/purge`)).status).toBe(204);
    await purgeTrash(app.database, app.context.services.blobs, app.now());
    expect((await detailsOf(earlier.id))[0]).toMatch(/^Purged earlier version/);
  });
});

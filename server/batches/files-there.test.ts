// What is there already of the documents of a batch, over HTTP on both engines: named as far as it is in reach, and replaced.
import { describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { DocumentRow } from '#contract/batches.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileDetails, FileRow } from '#contract/files.ts';
import type { HoldRow } from '#contract/holds.ts';
import type { TrashRow } from '#contract/trash.ts';
import { batchFirm } from '../testing/batch-firm.ts';
import { insertTestBatch } from '../testing/test-batch.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { testPdf } from '../testing/test-pdf.ts';

describe.each(DATABASE_KINDS)('what is there already of a batch on %s', { timeout: 90_000 }, (kind) => {
  const { met, near, second, client, type, path, documentsOf, reportsOf, inReview, release, settled } = batchFirm(kind);

  it('a file of the same client, type and period that is there already is named', async () => {
    const fields = { clientId: client(near), fileType: 'report', reportTypeId: type(), period: '2026-Q1' };
    const { body: there } = await met.app.admin.upload<FileRow>({ name: 'there.txt', fields });
    const { id } = await inReview();
    const [first, other] = await documentsOf(id);
    expect(first?.alreadyThere).toMatchObject({ fileId: there.id, name: 'there.txt', onHold: false });
    const holding = { kind: 'file', id: there.id, reason: 'Audit' };
    const { body: hold } = await met.app.admin.post<HoldRow>('/api/holds', holding);
    expect((await documentsOf(id))[0]?.alreadyThere).toMatchObject({ fileId: there.id, onHold: true });
    await met.app.admin.post(`/api/holds/${hold.id}/lift`, {});
    expect(other?.clientId).toBe(client(second));

    // It is replaced where the reviewer says so, and nothing else in its place is.
    const decide = (body: object) =>
      met.processor.caller.post<DocumentRow[] & ErrorBody>(path(id, '/documents/decide'), body);
    expect((await decide({ ids: [other?.id], replacesFileId: there.id })).body.fields).toHaveProperty('replacesFileId');
    const { body: said } = await decide({ ids: [first?.id], replacesFileId: there.id });
    expect(said[0]).toMatchObject({ state: 'accepted', replacesFileId: there.id });
    const { body: moved } = await decide({ ids: [first?.id], period: '2026-Q2' });
    expect(moved[0]).toMatchObject({ replacesFileId: null, alreadyThere: null });
    await decide({ ids: [first?.id], period: '2026-Q1' });
    await decide({ ids: [first?.id], replacesFileId: there.id });
    await release(id);
    await settled(id);
    expect((await met.clientUser.caller.get(`/api/files/${there.id}`)).status).toBe(404);
    const { body: trash } = await met.app.admin.get<TrashRow[]>('/api/trash');
    expect(trash.map((row) => row.id)).not.toContain(there.id);
    const [newer, ...others] = await reportsOf(met.clientUser.caller);
    expect(others).toEqual([]);
    const versions = async (fileId?: number) =>
      (await met.app.admin.get<FileDetails>(`/api/files/${fileId}/facts`)).body.versions?.rows.map((row) => row.id);
    expect(await versions(newer?.id)).toEqual([there.id]);

    // Recalled, it leaves what it had replaced where that was.
    const recalled = await met.processor.caller.post(path(id, '/recall'), { reason: 'Of another run' });
    expect(recalled.status).toBe(200);
    const { body: left } = await met.clientUser.caller.get<FileRow[]>('/api/files');
    expect(left.map((row) => row.id)).toContain(there.id);
    expect(await reportsOf(met.clientUser.caller)).toEqual([]);
    expect(await versions(there.id)).toEqual([]);
    const { body: after } = await met.app.admin.get<TrashRow[]>('/api/trash');
    expect(after.map((row) => row.id)).toContain(newer?.id);
    const { body: log } = await met.app.admin.get<ActivityRow[]>(`/api/activity-logs?fileId=${there.id}&limit=1`);
    expect(log[0]?.details).toBe(`Put back file: there.txt, replaced before by ${newer?.originalName}`);
  });

  it('G67: a file of the same bytes is named, wherever in reach it is filed, and where the same pages of a file were released', async () => {
    const text = `Bytes of run ${met.made}`;
    const kept = { ownerId: met.processor.id, state: 'review' as const };
    const notes = (documents: readonly object[], bytes = text) =>
      insertTestBatch(met.app, {
        ...kept,
        fileName: 'notes.txt',
        contentType: 'text/plain',
        bytes,
        documents: documents as [],
      });
    const upload = (nth: 0 | 2, name: string, bytes = text) =>
      met.app.admin.upload<FileRow>({
        name,
        bytes,
        fields: { clientId: client(nth), fileType: 'report', reportTypeId: type(), period: '2025' },
      });
    // Out of reach nothing is there, and whoever reaches it is told.
    const { body: far } = await upload(2, 'far.txt');
    const unplaced = await notes([{ from: 0, to: 0, state: 'toCheck' }]);
    expect((await documentsOf(unplaced.id))[0]).toMatchObject({ sameBytes: null, alreadyThere: null });
    const { body: clients } = await met.app.admin.get<{ id: number; name: string }[]>('/api/clients');
    const nameOf = (id: number) => clients.find((row) => row.id === id)?.name;
    expect((await documentsOf(unplaced.id, met.app.admin))[0]?.sameBytes).toEqual({
      fileId: far.id,
      name: 'far.txt',
      clientName: nameOf(client(2)),
      of: 'file',
    });

    // Of several the one of its own client, at another place too and without a period.
    const { body: near1 } = await upload(0, 'near.txt');
    const { body: far2 } = await upload(2, 'newest.txt');
    const placed = await notes([{ from: 0, to: 0, state: 'ready', clientId: client(near), reportTypeId: type() }]);
    const [document] = await documentsOf(placed.id, met.app.admin);
    expect(document).toMatchObject({ alreadyThere: null, sameBytes: { fileId: near1.id, of: 'file' } });
    expect((await documentsOf(unplaced.id, met.app.admin))[0]?.sameBytes?.fileId).toBe(far2.id);
    expect((await documentsOf(unplaced.id))[0]?.sameBytes).toMatchObject({
      fileId: near1.id,
      clientName: nameOf(client(near)),
    });
    // Other bytes under the same name are others, and what is in the trash is not there.
    const other = await notes([{ from: 0, to: 0, state: 'toCheck' }], `${text}.`);
    expect((await documentsOf(other.id))[0]?.sameBytes).toBeNull();
    expect((await met.app.admin.delete(`/api/files/${near1.id}`)).status).toBe(204);
    expect((await documentsOf(placed.id))[0]?.sameBytes).toBeNull();

    // Some pages of a file have bytes of their own once they are released: the same pages of the same file are known then.
    const bytes = await testPdf([[`one ${met.made}`], [`two ${met.made}`], [`three ${met.made}`]]);
    const place = { reportTypeId: type(), period: '2026-Q1', state: 'accepted' as const };
    const print = (documents: readonly object[]) =>
      insertTestBatch(met.app, { ...kept, fileName: 'run.pdf', bytes, pages: 3, documents: documents as [] });
    const first = await print([
      { from: 1, to: 2, clientId: client(near), ...place },
      { from: 3, to: 3, clientId: client(second), ...place },
    ]);
    expect((await documentsOf(first.id)).map(({ sameBytes }) => sameBytes)).toEqual([null, null]);
    await release(first.id);
    await settled(first.id);
    const [released1] = await documentsOf(first.id);
    const again = await print([
      { from: 1, to: 2, state: 'toCheck' },
      { from: 3, to: 3, state: 'toCheck' },
      { from: 2, to: 3, state: 'toCheck' },
    ]);
    const [same, otherPages, alsoSame] = await documentsOf(again.id);
    expect(same?.sameBytes).toMatchObject({
      fileId: released1?.releasedFileId,
      clientName: nameOf(client(near)),
      of: 'pages',
    });
    expect(alsoSame?.sameBytes).toMatchObject({ clientName: nameOf(client(second)) });
    expect(otherPages?.sameBytes).toBeNull();
    // Recalled, it is there no more; and to whoever lost the client it never was.
    await met.app.database.transaction((tx) =>
      tx
        .deleteFrom('user_clients')
        .where('user_id', '=', met.processor.id)
        .where('client_id', '=', client(second))
        .execute(),
    );
    expect((await documentsOf(again.id))[2]?.sameBytes).toBeNull();
    await met.app.admin.post(path(first.id, '/recall'), { reason: 'Wrong run' });
    expect((await documentsOf(again.id))[0]?.sameBytes).toBeNull();
    // Until it is restored from the trash, of which no batch hears.
    const fileId = released1?.releasedFileId;
    expect((await met.app.admin.post(`/api/files/${fileId}/restore`, {})).status).toBe(200);
    expect((await documentsOf(again.id))[0]?.sameBytes).toMatchObject({ fileId, of: 'pages' });
  });

  it('G52: of a place where many documents go and many files are, each document names one file, in pages', async () => {
    const place = { clientId: client(near), reportTypeId: type(), period: '2024-Q3' };
    const upload = (name: string) => met.app.admin.upload<FileRow>({ name, fields: { ...place, fileType: 'report' } });
    await upload('first.txt');
    await upload('second.txt');
    const { body: newest } = await upload('third.txt');
    const { id, documentIds } = await inReview(
      Array.from({ length: 550 }, (_, nth) => ({ from: nth + 1, to: nth + 1, state: 'ready', ...place })),
    );
    const pageOf = async (query: string) => {
      const answer = await met.processor.caller.fetch(path(id, `/documents${query}`));
      return { total: answer.headers.get('x-total-count'), rows: (await answer.json()) as DocumentRow[] };
    };
    const first = await pageOf('');
    expect([first.total, first.rows.length]).toEqual(['550', 250]);
    const pages = [await pageOf('?limit=250'), await pageOf('?limit=250&offset=250'), await pageOf('?offset=500')];
    expect(pages.map(({ total }) => total)).toEqual(['550', '550', '550']);
    const all = pages.flatMap(({ rows }) => rows);
    expect(all.map((row) => row.id)).toEqual(documentIds);
    const there = { fileId: newest.id, name: 'third.txt', only: false, onHold: false };
    expect(all.filter(({ alreadyThere }) => JSON.stringify(alreadyThere) !== JSON.stringify(there))).toEqual([]);
    // Asked once for all of them, and not for each document.
    const statements = vi.spyOn(met.app.database.reader.getExecutor(), 'executeQuery');
    const askedOf = async (limit: number) => {
      statements.mockClear();
      expect((await pageOf(`?limit=${limit}`)).rows).toHaveLength(limit);
      return statements.mock.calls.filter(([{ sql }]) => sql.includes('"files"')).length;
    };
    const one = await askedOf(1);
    expect(one).toBeGreaterThan(0);
    expect(await askedOf(250)).toBe(one);
    for (const query of ['?limit=251', '?limit=0', '?offset=-1']) {
      expect((await met.processor.caller.get<ErrorBody>(path(id, `/documents${query}`))).status).toBe(400);
    }
  });

  it('what was to be replaced and is gone meanwhile sends the document back, with nothing released', async () => {
    const fields = { clientId: client(near), fileType: 'report', reportTypeId: type(), period: '2026-Q1' };
    const { body: there } = await met.app.admin.upload<FileRow>({ name: `gone${met.made}.txt`, fields });
    const { id } = await inReview();
    const [first] = await documentsOf(id);
    expect(first?.alreadyThere?.fileId).toBe(there.id);
    await met.processor.caller.post(path(id, '/documents/decide'), { ids: [first?.id], replacesFileId: there.id });
    await met.app.admin.delete(`/api/files/${there.id}`);
    await release(id);
    await settled(id);
    expect((await documentsOf(id))[0]).toMatchObject({
      state: 'toCheck',
      replacesFileId: null,
      fault: 'The file to replace is not there any more',
    });
    expect(await reportsOf(met.clientUser.caller)).toEqual([]);
  });

  it('what was to be replaced or corrected and is filed for another period meanwhile sends the document back', async () => {
    const fields = { clientId: client(near), fileType: 'report', reportTypeId: type() };
    for (const [key, period, fault] of [
      ['replacesFileId', '2016-Q1', 'The file to replace is not there any more'],
      ['correctsFileId', '2016-Q2', 'The file to correct is not there any more'],
    ] as const) {
      const name = `moved ${period}.txt`;
      const { body: there } = await met.app.admin.upload<FileRow>({ name, fields: { ...fields, period } });
      const { id } = await inReview([
        { from: 1, to: 4, state: 'accepted', clientId: client(near), reportTypeId: type(), period },
      ]);
      const [document] = await documentsOf(id);
      const said = { ids: [document?.id], decision: 'accepted', [key]: there.id };
      const { body: decided } = await met.processor.caller.post<DocumentRow[]>(path(id, '/documents/decide'), said);
      expect(decided[0]).toMatchObject({ state: 'accepted', [key]: there.id });
      expect((await met.app.admin.put(`/api/files/${there.id}`, { period: '2015-Q4' })).status).toBe(200);
      await release(id);
      await settled(id);
      expect((await documentsOf(id))[0]).toMatchObject({ state: 'toCheck', [key]: null, fault });
      const { body: stays } = await met.clientUser.caller.get<FileDetails>(`/api/files/${there.id}/facts`);
      expect(stays.file).toMatchObject({ originalName: name, period: '2015-Q4', correctedBy: null });
      expect(await reportsOf(met.clientUser.caller)).toEqual([]);
    }
  });
});

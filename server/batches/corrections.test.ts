// Corrections among the documents of a batch, over HTTP on both engines: proposed, chosen, and marked once they are released.
import { describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { BatchRow, DocumentRow } from '#contract/batches.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileDetails, FileRow } from '#contract/files.ts';
import { batchFirm } from '../testing/batch-firm.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { testPdf } from '../testing/test-pdf.ts';

describe.each(DATABASE_KINDS)('corrections in batches on %s', { timeout: 90_000 }, (kind) => {
  const { met, near, client, type, path, documentsOf, reportsOf, inReview, release, settled } = batchFirm(kind);

  it('a file that is there already is corrected where the reviewer says so: it stays, and is marked', async () => {
    const fields = { clientId: client(near), fileType: 'report', reportTypeId: type(), period: '2026-Q1' };
    const { body: there } = await met.app.admin.upload<FileRow>({ name: 'earlier.txt', fields });
    const { id } = await inReview();
    const [first, other] = await documentsOf(id);
    // No correction is proposed of what does not say that it is one.
    expect(first).toMatchObject({ correction: false, correctsFileId: null, alreadyThere: { fileId: there.id } });
    const decide = (body: object) =>
      met.processor.caller.post<DocumentRow[] & ErrorBody>(path(id, '/documents/decide'), body);
    for (const wrong of [
      { ids: [other?.id], correctsFileId: there.id },
      { ids: [first?.id], correctsFileId: there.id + 100_000 },
      { ids: [first?.id], correctsFileId: there.id, replacesFileId: there.id },
      { ids: [first?.id, other?.id], correctsFileId: there.id },
    ]) {
      expect((await decide(wrong)).body.fields).toHaveProperty('correctsFileId');
    }
    // The one takes back the other, and another place takes back both.
    const said = async (body: object) => {
      const [row] = (await decide({ ids: [first?.id], ...body })).body;
      return [row?.replacesFileId, row?.correctsFileId];
    };
    expect(await said({ correctsFileId: there.id })).toEqual([null, there.id]);
    expect(await said({ replacesFileId: there.id })).toEqual([there.id, null]);
    expect(await said({ correctsFileId: there.id })).toEqual([null, there.id]);
    expect(await said({ period: '2026-Q2' })).toEqual([null, null]);
    expect(await said({ period: '2026-Q1' })).toEqual([null, null]);
    expect(await said({ correctsFileId: there.id, decision: 'accepted' })).toEqual([null, there.id]);
    await release(id);
    await settled(id);
    const [later] = await reportsOf(met.clientUser.caller);
    expect(later?.corrects).toEqual({ id: there.id, originalName: 'earlier.txt' });
    const { body: stays } = await met.clientUser.caller.get<FileDetails>(`/api/files/${there.id}/facts`);
    expect(stays.file.correctedBy?.id).toBe(later?.id);
    const { body: log } = await met.app.admin.get<ActivityRow[]>(`/api/activity-logs?fileId=${later?.id}`);
    expect(log[0]?.details).toMatch(/, corrects earlier\.txt, released from batch: /);
  });

  it('a file that is read and says that it is a correction is proposed as one of what is there', async () => {
    const rows = (await met.app.admin.get<{ id: number; name: string; federalId: string }[]>('/api/clients')).body;
    const company = rows.find((row) => row.id === client(near));
    const fields = { clientId: client(near), fileType: 'report', reportTypeId: type(), period: '2018-03-09' };
    const { body: there } = await met.app.admin.upload<FileRow>({ name: 'first run.txt', fields });
    const { body: batch } = await met.processor.caller.post<BatchRow>('/api/batches', { name: 'Pay run' });
    for (const name of ['run corrected.pdf', 'run again.pdf']) {
      const lines = [
        [company?.name ?? '', `Federal ID ${company?.federalId}`, 'Payroll Journal', 'Check Date 03/09/2018', name],
      ];
      const bytes = (await testPdf(lines)) as unknown as string;
      await met.processor.caller.upload({ path: path(batch.id, '/files'), name, bytes, fields: {} });
    }
    await met.processor.caller.post(path(batch.id, '/read'));
    await settled(batch.id);
    const documents = await documentsOf(batch.id);
    const told = documents.map(({ correction, alreadyThere, correctsFileId, replacesFileId }) => [
      correction,
      alreadyThere?.fileId,
      correctsFileId,
      replacesFileId,
    ]);
    expect(told).toEqual([
      [true, there.id, there.id, null],
      [false, there.id, null, null],
    ]);
  });

  it('what says that it is a correction is proposed as one of the only file there, and never of one of several', async () => {
    const fields = { clientId: client(near), fileType: 'report', reportTypeId: type(), period: '2019-Q3' };
    const { body: there } = await met.app.admin.upload<FileRow>({ name: 'first run.txt', fields });
    const { id } = await inReview([
      { from: 1, to: 4, state: 'accepted', clientId: client(near), reportTypeId: type(), period: '2019-Q2' },
    ]);
    const [first] = await documentsOf(id);
    await met.app.database.transaction((tx) =>
      tx
        .updateTable('batch_documents')
        .set({ correction: 1 })
        .where('id', '=', first?.id ?? 0)
        .execute(),
    );
    const decide = async (body: object) => {
      const { body: rows } = await met.processor.caller.post<DocumentRow[]>(path(id, '/documents/decide'), {
        ids: [first?.id],
        ...body,
      });
      return rows[0];
    };
    expect(await decide({ period: '2019-Q3' })).toMatchObject({ correctsFileId: there.id, replacesFileId: null });
    // Taken back, it is added beside.
    expect(await decide({ correctsFileId: null })).toMatchObject({ correctsFileId: null });
    expect(await decide({ decision: 'accepted' })).toMatchObject({ correctsFileId: null });
    await met.app.admin.upload<FileRow>({ name: 'second run.txt', fields });
    await decide({ period: '2019-Q2' });
    expect(await decide({ period: '2019-Q3' })).toMatchObject({ correctsFileId: null, alreadyThere: { only: false } });
    // Chosen by a person, the older one is the one that is spoken of.
    const [chosen] = await documentsOf(id);
    expect(await decide({ correctsFileId: chosen?.alreadyThere?.fileId })).toMatchObject({
      correctsFileId: chosen?.alreadyThere?.fileId,
    });
    await met.app.admin.delete(`/api/files/${chosen?.alreadyThere?.fileId}`);
    await release(id);
    await settled(id);
    expect((await documentsOf(id))[0]).toMatchObject({
      state: 'toCheck',
      correctsFileId: null,
      fault: 'The file to correct is not there any more',
    });
  });

  it('a document of other pages, by a split or a join, neither replaces nor corrects what is there', async () => {
    const place = { clientId: client(near), reportTypeId: type(), period: '2017-Q3' };
    const fields = { ...place, fileType: 'report' };
    const { body: there } = await met.app.admin.upload<FileRow>({ name: 'other pages.txt', fields });
    const { id } = await inReview([{ from: 1, to: 4, state: 'toCheck', ...place }]);
    const act = async (name: string, body: object) =>
      (await met.processor.caller.post<DocumentRow[]>(path(id, `/documents/${name}`), body)).body;
    const [whole] = await documentsOf(id);
    for (const key of ['replacesFileId', 'correctsFileId'] as const) {
      const says = async () =>
        (await act('decide', { ids: [whole?.id], [key]: there.id })).map((document) => document[key]);
      expect(await says()).toEqual([there.id]);
      const halves = await act('split', { documentId: whole?.id, page: 3 });
      expect(halves.map((half) => half[key])).toEqual([null, null]);
      expect(await says()).toEqual([there.id]);
      const joined = await act('join', { documentId: halves[1]?.id });
      expect(joined.map((one) => [one.id, one[key]])).toEqual([[whole?.id, null]]);
    }
  });
});

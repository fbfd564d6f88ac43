// A TIFF dropped into a batch: read as the PDF of its pages, released as one, and kept as it was dropped.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { BatchDetails, BatchFileAdded, BatchRow, DocumentRow } from '#contract/batches.ts';
import type { FileRow } from '#contract/files.ts';
import { bitmapPage } from '../testing/bitmap-page.ts';
import { addUser, type Firm } from '../testing/firm.ts';
import type { Caller, TestApp } from '../testing/test-app.ts';
import { ANY_DATABASE_KIND } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';
import { plainTiff, tiffPage } from '../testing/tiff-page.ts';

const WITHIN = { timeout: 60_000, interval: 100 };

describe.each(ANY_DATABASE_KIND)('a TIFF in a batch on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let processor: Caller;

  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, { OCR: 'on' }));
    const lists = { clientIds: [firm.clients[0] ?? 0], reportTypeIds: [firm.reportTypes[0] ?? 0] };
    processor = (await addUser(app, 'a processor', firm.roles.cpa, lists)).caller;
    await app.context.jobs.start();
  });
  afterAll(() => app.close());

  const details = async (id: number) => (await processor.get<BatchDetails>(`/api/batches/${id}`)).body;
  const documents = async (id: number) => (await processor.get<DocumentRow[]>(`/api/batches/${id}/documents`)).body;
  async function dropped(name: string, bytes: Uint8Array): Promise<number> {
    const { id } = (await processor.post<BatchRow>('/api/batches', { name: `Scans of ${name}` })).body;
    const added = await processor.upload<BatchFileAdded>({ path: `/api/batches/${id}/files`, name, bytes, fields: {} });
    expect(added.status).toBe(201);
    expect((await processor.post(`/api/batches/${id}/read`)).status).toBeLessThan(300);
    await vi.waitFor(async () => expect((await details(id)).batch.state).toBe('review'), WITHIN);
    return id;
  }
  const bytesOf = async (path: string, by = processor) => {
    const answer = await by.fetch(path);
    return {
      status: answer.status,
      name: answer.headers.get('content-disposition'),
      bytes: Buffer.from(await answer.arrayBuffer()),
    };
  };

  it('is one PDF of its pages, split and released as such, with the TIFF beside it', async () => {
    const tiff = tiffPage('fax4Twice');
    const id = await dropped('Scan 12.TIFF', tiff);
    const [file] = (await details(id)).files;
    expect(file).toMatchObject({
      name: 'Scan 12.pdf',
      contentType: 'application/pdf',
      state: 'read',
      unreadable: null,
      pages: 2,
      hasOriginal: true,
    });
    const found = await documents(id);
    expect(found.flatMap(({ fromPage, toPage }) => [fromPage, toPage]).at(-1)).toBe(2);

    const original = await bytesOf(`/api/files/batches/${file?.id}/content?original=true`);
    expect(original).toMatchObject({ status: 200, name: expect.stringContaining('Scan 12.TIFF') });
    expect(original.bytes.equals(Buffer.from(tiff))).toBe(true);
    const [entry] = (await processor.get<ActivityRow[]>('/api/activity-logs?limit=1')).body;
    expect(entry?.details).toBe('Downloaded file: Scan 12.TIFF, of batch: Scans of Scan 12.TIFF');
    const stranger = await addUser(app, 'a stranger', firm.roles.cpa, { clientIds: [], reportTypeIds: [] });
    expect((await bytesOf(`/api/files/batches/${file?.id}/content?original=true`, stranger.caller)).status).toBe(404);

    const decided = {
      clientId: firm.clients[0],
      reportTypeId: firm.reportTypes[0],
      period: '2026-Q1',
      decision: 'accepted',
    };
    const ids = found.map((document) => document.id);
    expect((await processor.post(`/api/batches/${id}/documents/decide`, { ids, ...decided })).status).toBe(200);
    expect((await processor.post(`/api/batches/${id}/release`, {})).status).toBeLessThan(300);
    await vi.waitFor(async () => expect((await details(id)).batch.state).toBe('released'), WITHIN);
    const { releasedFileId } = (await documents(id))[0] ?? {};
    const { body: released } = await processor.get<{ file: FileRow }>(`/api/files/${releasedFileId}/facts`);
    expect(released.file).toMatchObject({
      contentType: 'application/pdf',
      originalName: expect.stringMatching(/\.pdf$/),
    });
  });

  it('that cannot be read stays as it was dropped, and says so', async () => {
    const id = await dropped('torn.tif', tiffPage('fax4').slice(0, 300));
    const { files } = await details(id);
    expect(files).toMatchObject([
      { name: 'torn.tif', contentType: 'image/tiff', state: 'unreadable', unreadable: 'damaged', hasOriginal: false },
    ]);
  });

  it('of a kind that is not read is not called damaged, and comes back as it was dropped', async () => {
    const tiff = plainTiff(bitmapPage(['HARBOR PAYROLL']), { tags: { 258: 16 } });
    const id = await dropped('deep.tif', tiff);
    const [file] = (await details(id)).files;
    expect(file).toMatchObject({ name: 'deep.tif', state: 'unreadable', unreadable: 'unsupportedTiff' });
    const kept = await bytesOf(`/api/files/batches/${file?.id}/content`);
    expect([kept.status, kept.bytes.equals(Buffer.from(tiff))]).toEqual([200, true]);
    // A person may file it whole.
    expect(await documents(id)).toMatchObject([{ state: 'toCheck', fromPage: 0 }]);
  });
});

// The list of files on both engines: by days, sorted, and page by page.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileRow } from '#contract/files.ts';
import { enterBlob } from '../../platform/blobs/blob-rows.ts';
import type { Firm } from '../../testing/firm.ts';
import { sha256 } from '../../testing/stored.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { fileNameColumns, periodColumns } from '../file-columns.ts';

describe.each(DATABASE_KINDS)('the list of files on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  it('is filtered by full local days, both inclusive, also where daylight saving changes', async () => {
    const moments = [
      '2026-03-08T04:59:59.999Z',
      '2026-03-08T05:00:00.000Z',
      '2026-03-09T03:59:59.999Z',
      '2026-03-09T04:00:00.000Z',
    ];
    const clientId = firm.clients[2];
    await app.database.transaction(async (tx) => {
      for (const [index, moment] of moments.entries()) {
        const blob = { storageKey: randomBytes(16).toString('hex'), sizeBytes: index, sha256: sha256(moment) };
        await enterBlob(tx, blob, { purpose: 'file', at: Date.parse(moment) });
        await tx
          .insertInto('files')
          .values({
            ...fileNameColumns(`${index}.txt`),
            storage_key: blob.storageKey,
            size_bytes: blob.sizeBytes,
            sha256: blob.sha256,
            content_type: 'text/plain',
            file_type: 'report',
            document_type: null,
            client_id: clientId,
            report_type_id: firm.reportTypes[0],
            uploaded_by_id: null,
            uploader_name: 'Long Gone',
            uploaded_at: Date.parse(moment),
            ...periodColumns(null, Date.parse(moment)),
            idempotency_key: null,
          })
          .execute();
      }
    });
    const named = async (query: string, by = app.admin) => {
      const { body, headers } = await by.get<FileRow[]>(`/api/files?clientId=${clientId}&sort=uploadedAt&${query}`);
      expect(headers.get('x-total-count')).toBe(String(body.length));
      return body.map((row) => row.originalName[0]).join('');
    };
    const day = 'startDate=2026-03-08&endDate=2026-03-08';
    for (const by of [app.admin, firm.viewers.cpa]) {
      expect(await named(`${day}&timeZone=America/New_York`, by)).toBe('12');
      expect(await named(`${day}&timeZone=America/New_York&t=1772945999999`, by)).toBe('12');
      expect(await named(day, by)).toBe('01');
      expect(await named('startDate=2026-03-09&timeZone=America/New_York', by)).toBe('3');
      expect(await named('endDate=2026-03-07&timeZone=America/New_York', by)).toBe('0');
      expect(await named('startDate=2026-03-08T05:00:00Z&endDate=2026-03-09T03:59:59.999Z', by)).toBe('12');
      expect(await named('', by)).toBe('0123');
    }
  });

  it('is sorted both ways by every column and paged without gap or overlap', async () => {
    const { body: all } = await app.admin.get<FileRow[]>('/api/files');
    const keys: Record<string, (row: FileRow) => string | number> = {
      uploadedAt: (row) => row.uploadedAt,
      originalName: (row) => row.originalName.toLowerCase(),
      clientName: (row) => row.clientName.toLowerCase(),
      size: (row) => row.size,
    };
    for (const [column, keyOf] of Object.entries(keys)) {
      const up = (await app.admin.get<FileRow[]>(`/api/files?sort=${column}`)).body;
      expect((await app.admin.get<FileRow[]>(`/api/files?sort=-${column}`)).body).toEqual(up.toReversed());
      const sorted = up.map(keyOf);
      expect(sorted).toEqual(sorted.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
      const pages: FileRow[] = [];
      for (let offset = 0; offset < all.length; offset += 2) {
        const page = await app.admin.get<FileRow[]>(`/api/files?sort=${column}&limit=2&offset=${offset}`);
        expect(page.headers.get('x-total-count')).toBe(String(all.length));
        pages.push(...page.body);
      }
      expect(pages).toEqual(up);
    }
    expect((await app.admin.get<FileRow[]>('/api/files?sort=-uploadedAt')).body).toEqual(all);
    const byType = (await app.admin.get<FileRow[]>('/api/files?sort=reportTypeName')).body;
    expect((await app.admin.get<FileRow[]>('/api/files?sort=-reportTypeName')).body).toEqual(byType.toReversed());
    expect(byType.map((row) => row.id).sort()).toEqual(all.map((row) => row.id).sort());
  });
});

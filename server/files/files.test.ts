// Files over HTTP, as named viewers, on both engines.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ViewTicket } from '#contract/file-opening.ts';
import type { FileRow } from '#contract/files.ts';
import { CANARY, type Firm } from '../testing/firm.ts';
import type { TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';

describe.each(DATABASE_KINDS)('files on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  const namesFor = async (viewer: { get: TestApp['admin']['get'] }, query = '') => {
    const { status, body, headers } = await viewer.get<FileRow[]>(`/api/files${query}`);
    expect(status).toBe(200);
    expect(Number(headers.get('x-total-count'))).toBe(body.length);
    return body.map((file) => file.originalName).sort();
  };

  it('shows each viewer the files of the own lists and no other', async () => {
    expect(await namesFor(app.admin)).toEqual([`${CANARY} f2.txt`, 'f1.txt', 'f3.txt', 'f4.txt', 'f5.txt']);
    expect(await namesFor(firm.viewers.clientA)).toEqual(['f1.txt', 'f4.txt']);
    expect(await namesFor(firm.viewers.clientB)).toEqual([`${CANARY} f2.txt`]);
    expect(await namesFor(firm.viewers.cpa)).toEqual(['f1.txt', 'f3.txt', 'f4.txt']);
    expect(await namesFor(firm.viewers.listless)).toEqual([]);
  });

  it('returns the uploaded bytes to anyone who reaches the file', async () => {
    const response = await firm.viewers.clientA.fetch(`/api/files/${firm.files.f1.id}/download`);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('bytes of f1.txt');
    const refused = await firm.viewers.clientA.get(`/api/files/${firm.files.f2.id}/download`);
    const missing = await firm.viewers.clientA.get('/api/files/999999/download');
    expect(refused.status).toBe(404);
    expect({ ...(refused.body as object), requestId: '' }).toEqual({ ...(missing.body as object), requestId: '' });
  });

  it('opens a file with a view ticket, once', async () => {
    const { status, body } = await firm.viewers.clientA.post<ViewTicket>(`/api/files/${firm.files.f1.id}/view-ticket`);
    expect(status).toBe(201);
    const opened = await app.anonymous.fetch(body.url);
    expect(await opened.text()).toBe('bytes of f1.txt');
  });

  it('writes one entry for an announced and served download', async () => {
    const { f3 } = firm.files;
    await firm.viewers.cpa.post('/api/activity-logs', { action: 'download', fileId: f3.id });
    await firm.viewers.cpa.fetch(`/api/files/${f3.id}/download`).then((response) => response.arrayBuffer());
    const { body } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?fileId=${f3.id}&action=download`);
    expect(body).toHaveLength(1);
    expect(body[0]).toMatchObject({ userName: 'Full cpa', details: 'Downloaded file: f3.txt' });
  });
});

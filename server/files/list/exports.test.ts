// Lists as CSV, and a file with its neighbours, as named viewers, on both engines.
import { Buffer } from 'node:buffer';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ARCHIVE_FILES_MAX } from '#contract/file-kinds.ts';
import type { FileDetails, FileRow } from '#contract/files.ts';
import { CANARY, clientInput, type Firm } from '../../testing/firm.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';

/** The rows of a CSV, header first, as a spreadsheet reads them. */
const rowsOf = (csv: string) => Papa.parse<string[]>(csv.replace(/^\uFEFF/, '').trimEnd(), { delimiter: ',' }).data;

describe.each(DATABASE_KINDS)('exports on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  const upload = async (name: string, bytes = 'x') => {
    const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] };
    return (await app.admin.upload<FileRow>({ name, bytes, fields })).body;
  };

  it('holds the files in reach as CSV, and nothing of others', async () => {
    const response = await firm.viewers.clientA.fetch('/api/files/export?timeZone=America/New_York&sort=originalName');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename=files-\d{4}-\d{2}-\d{2}\.csv$/);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const text = Buffer.from(await response.arrayBuffer()).toString();
    expect(text.startsWith('\uFEFF')).toBe(true);
    const [header = [], ...rows] = rowsOf(text);
    expect(header.slice(0, 4)).toEqual(['File Name', 'Client Name', 'File Type', 'Report Type']);
    const uploaded = header.indexOf('Upload Date (America/New_York)');
    expect(rows.map(([name]) => name)).toEqual(['f1.txt', 'f4.txt']);
    expect(rows[0]?.[uploaded]).toMatch(/^\d{2}\/\d{2}\/\d{4} \d{1,2}:\d{2} [AP]M$/);
    expect(text).not.toContain(CANARY);
  });

  it.each(['files', 'activity-logs', 'completeness'])(
    '%s are called after the day where they are saved',
    async (list) => {
      const dayIn = async (timeZone: string) => {
        const { headers } = await app.admin.fetch(`/api/${list}/export?timeZone=${timeZone}`);
        return /\d{4}-\d{2}-\d{2}(?=\.csv)/.exec(headers.get('content-disposition') ?? '')?.[0] ?? '';
      };
      // More than a day apart, so that it is never the same one.
      const [behind, ahead] = [await dayIn('Pacific/Niue'), await dayIn('Pacific/Kiritimati')];
      expect(behind).toMatch(/^\d{4}/);
      expect(ahead > behind).toBe(true);
    },
  );

  it('narrows an export as the list is narrowed', async () => {
    const csv = (query: string) =>
      app.admin.fetch(`/api/files/export?${query}`).then(async (answer) => rowsOf(await answer.text()));
    expect(await csv('fileType=company_document')).toHaveLength(2);
    expect(await csv(`clientId=${firm.clients[1]}`)).toEqual([
      expect.anything(),
      expect.arrayContaining([expect.stringContaining(CANARY)]),
    ]);
    expect(await csv('q=nothing-like-it')).toHaveLength(1);
  });

  it('holds the files that were chosen, in their order, and none of those that are out of reach', async () => {
    const csv = async (viewer: keyof Firm['viewers'], ids: readonly number[]) => {
      const answer = await firm.viewers[viewer].fetch(`/api/files/export?ids=${ids.join(',')}`);
      return rowsOf(await answer.text())
        .slice(1)
        .map((row) => Number(row.at(-4)));
    };
    const { f1, f2, f4 } = firm.files;
    expect(await csv('clientA', [f4.id, f1.id, f4.id])).toEqual([f4.id, f1.id]);
    expect(await csv('clientA', [f2.id, f1.id])).toEqual([f1.id]);
    expect(await csv('clientA', [f2.id])).toEqual([]);
  });

  it('tells two clients of one name apart', async () => {
    const name = 'Twin Oaks Dental';
    const fields = { fileType: 'report', reportTypeId: firm.reportTypes[0] };
    const clientIds: number[] = [];
    for (const federalId of ['00-7654301', '00-7654302']) {
      const { body: client } = await app.admin.post<{ id: number }>('/api/clients', clientInput(name, { federalId }));
      await app.admin.upload<FileRow>({ name: 'twin.txt', bytes: 'x', fields: { ...fields, clientId: client.id } });
      clientIds.push(client.id);
    }
    for (const path of ['/api/files/export?q=twin.txt', '/api/activity-logs/export?q=twin.txt']) {
      const [, ...rows] = rowsOf(await (await app.admin.fetch(path)).text());
      const told = rows.map((row) => [row.includes(name), Number(row.at(-1))]);
      expect(new Set(told.map(([, id]) => id)), path).toEqual(new Set(clientIds));
      expect(
        told.every(([isNamed]) => isNamed),
        path,
      ).toBe(true);
    }
  });

  it('refuses chosen files beside filters, too many of them, and what are no ids', async () => {
    for (const query of ['ids=1&q=x', 'ids=1&sort=size', 'ids=', 'ids=1,,2', 'ids=1,a', 'ids=0']) {
      expect([query, (await app.admin.get(`/api/files/export?${query}`)).status]).toEqual([query, 400]);
    }
    const most = Array.from({ length: ARCHIVE_FILES_MAX }, (_, index) => 1_000_000 + index);
    expect((await app.admin.fetch(`/api/files/export?ids=${most.join(',')}`)).status).toBe(200);
    expect((await app.admin.get(`/api/files/export?ids=${[...most, 1].join(',')}`)).status).toBe(400);
  });

  it('never lets a name run as a formula in the spreadsheet of somebody who opens the export', async () => {
    const names = ['=cmd|calc.txt', '+1.txt', '-1.txt', '@SUM(A1).txt'];
    const files = await Promise.all(names.map((name) => upload(name)));
    const listed = rowsOf(await (await app.admin.fetch('/api/files/export')).text());
    for (const name of names) expect(listed.some((row) => row[0] === `'${name}`)).toBe(true);
    const log = rowsOf(await (await app.admin.fetch('/api/activity-logs/export')).text());
    expect(log.some((row) => row.at(-2) === "'=cmd|calc.txt")).toBe(true);
    for (const { id } of files) await app.admin.delete(`/api/files/${id}`);
  });

  it('G17: never lets a name begin a formula in the next cell, where cells begin at semicolons or tabs', async () => {
    const names = ['Smith;=1+1.txt', 'Smith; @SUM(A1).txt', 'a|-1.txt'];
    const files = await Promise.all(names.map((name) => upload(name)));
    for (const path of ['/api/files/export', '/api/activity-logs/export']) {
      const text = await (await app.admin.fetch(path)).text();
      const cells = rowsOf(text).flat();
      for (const name of ["Smith;'=1+1.txt", "Smith;' @SUM(A1).txt", "a|'-1.txt"]) expect(cells).toContain(name);
      for (const separator of [';', '\t', '|']) {
        const fields = text.split(/\r\n/).flatMap((line) => line.split(separator));
        expect(fields.filter((field) => /^[\s"]*[=+@-]/.test(field))).toEqual([]);
      }
    }
    for (const { id } of files) await app.admin.delete(`/api/files/${id}`);
  });

  it('answers HEAD with the headers of an export, and no body', async () => {
    for (const path of ['/api/files/export', '/api/activity-logs/export']) {
      const head = await firm.viewers.clientA.fetch(path, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
      expect(await head.text()).toBe('');
    }
  });

  it('holds the part of the log that the viewer reads', async () => {
    const { f1 } = firm.files;
    await firm.viewers.clientA.fetch(`/api/files/${f1.id}/download`).then((answer) => answer.text());
    const csv = async (by: TestApp['admin']) => (await by.fetch('/api/activity-logs/export')).text();
    const [header, ...own] = rowsOf(await csv(firm.viewers.clientA));
    const columns = ['Activity', 'User', 'Client', 'Date & Time (UTC)', 'Details', 'File Name', 'Client ID'];
    expect(header).toEqual(columns);
    expect(own[0]?.at(-1)).toBe(`${firm.clients[0]}`);
    expect(own.length).toBeGreaterThan(0);
    expect(own.every((row) => row[1] === 'Full clientA')).toBe(true);
    const all = await csv(app.admin);
    expect(all).toContain(CANARY);
    expect(rowsOf(all).length).toBeGreaterThan(own.length + 1);
  });

  it('names the neighbours of a file within the list it is shown in, and none out of reach', async () => {
    const facts = async (by: TestApp['admin'], id: number, query = '') =>
      (await by.get<FileDetails>(`/api/files/${id}/facts${query}`)).body;
    const { body: newestFirst } = await firm.viewers.cpa.get<FileRow[]>('/api/files');
    for (const [index, { id }] of newestFirst.entries()) {
      const { file, place, newer, older } = await facts(firm.viewers.cpa, id);
      expect(file).toEqual(newestFirst[index]);
      expect([newer?.id, older?.id]).toEqual([newestFirst[index - 1]?.id, newestFirst[index + 1]?.id]);
      expect(place).toEqual({ nth: index + 1, total: newestFirst.length, more: false });
    }
    const { f1 } = firm.files;
    const alone = await facts(firm.viewers.cpa, f1.id, '?q=f1');
    const first = { nth: 1, total: 1, more: false };
    expect(alone).toMatchObject({ place: first, newer: null, older: null, file: { originalName: 'f1.txt' } });
    // A list that does not hold it.
    expect(await facts(firm.viewers.cpa, f1.id, '?q=f2')).toMatchObject({ place: null });
    expect(await facts(firm.viewers.cpa, f1.id, '?fileType=company_document')).toMatchObject({ place: null });
  });
});

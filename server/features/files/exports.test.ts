// Lists as CSV, several files as a ZIP, and a file with its neighbours, as named viewers, on both engines.
import { Buffer } from 'node:buffer';
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromBuffer, type ZipFile } from 'yauzl';
import type { ActivityRow } from '#contract/activity.ts';
import type { FileFacts, FileRow } from '#contract/files.ts';
import { CANARY, type Firm, makeFirm } from '../../testing/firm.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { archivePaths } from './archive.service.ts';

/** What stands in an archive: path and text of each entry, in its order. Fails on a damaged one. */
async function unzip(bytes: Buffer): Promise<Record<string, string>> {
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true }, (error, opened) =>
      error ? reject(error) : resolve(opened),
    ),
  );
  const entries: Record<string, string> = {};
  return new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry) =>
      zip.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error);
        entries[entry.fileName] = Buffer.concat(await stream.toArray()).toString();
        zip.readEntry();
      }),
    );
    zip.readEntry();
  });
}

/** A CSV's lines; none of these cells holds a line break. */
const linesOf = (csv: string) =>
  csv
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n');

describe.each(DATABASE_KINDS)('exports on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    app = await startTestApp(kind);
    firm = await makeFirm(app);
  });
  afterAll(() => app.close());

  const upload = async (name: string, bytes = 'x') => {
    const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] };
    return (await app.admin.upload<FileRow>({ name, bytes, fields })).body;
  };
  const archive = (by: TestApp['admin'], ids: readonly number[]) =>
    by.fetch('/api/files/archive', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ids }),
    });
  const downloadsOf = async (fileId: number) =>
    (await app.admin.get<ActivityRow[]>(`/api/activity-logs?fileId=${fileId}&action=download`)).body;

  it('holds the files in reach as CSV, and nothing of others', async () => {
    const response = await firm.viewers.clientA.fetch('/api/files/export?timeZone=America/New_York&sort=originalName');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename=files-\d{4}-\d{2}-\d{2}\.csv$/);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const text = Buffer.from(await response.arrayBuffer()).toString();
    expect(text.startsWith('\uFEFF')).toBe(true);
    const [header, ...rows] = linesOf(text);
    expect(header).toContain('File Name,Client Name,File Type,Report Type');
    expect(header).toContain('Upload Date (America/New_York)');
    expect(rows.map((row) => row.split(',')[0])).toEqual(['f1.txt', 'f4.txt']);
    expect(rows[0]).toMatch(/,\d{2}\/\d{2}\/\d{4} \d{1,2}:\d{2} [AP]M,/);
    expect(text).not.toContain(CANARY);
  });

  it('narrows an export as the list is narrowed', async () => {
    const csv = (query: string) =>
      app.admin.fetch(`/api/files/export?${query}`).then(async (answer) => linesOf(await answer.text()));
    expect(await csv('fileType=company_document')).toHaveLength(2);
    expect(await csv(`clientId=${firm.clients[1]}`)).toEqual([expect.anything(), expect.stringContaining(CANARY)]);
    expect(await csv('q=nothing-like-it')).toHaveLength(1);
  });

  it('never lets a name run as a formula on the desk of whoever opens the export', async () => {
    const names = ['=cmd|calc.txt', '+1.txt', '-1.txt', '@SUM(A1).txt'];
    const files = await Promise.all(names.map((name) => upload(name)));
    const lines = linesOf(await (await app.admin.fetch('/api/files/export')).text());
    for (const name of names) expect(lines.some((line) => line.startsWith(`'${name},`))).toBe(true);
    const log = linesOf(await (await app.admin.fetch('/api/activity-logs/export')).text());
    expect(log.some((line) => line.endsWith(",'=cmd|calc.txt"))).toBe(true);
    for (const { id } of files) await app.admin.delete(`/api/files/${id}`);
  });

  it('holds of the log what the viewer reads in it', async () => {
    const { f1 } = firm.files;
    await firm.viewers.clientA.fetch(`/api/files/${f1.id}/download`).then((answer) => answer.text());
    const csv = async (by: TestApp['admin']) => (await by.fetch('/api/activity-logs/export')).text();
    const [header, ...own] = linesOf(await csv(firm.viewers.clientA));
    expect(header).toBe('Activity,User,Client,Date & Time (UTC),Details,File Name');
    expect(own.length).toBeGreaterThan(0);
    expect(own.every((line) => line.split(',')[1] === 'Full clientA')).toBe(true);
    const all = await csv(app.admin);
    expect(all).toContain(CANARY);
    expect(linesOf(all).length).toBeGreaterThan(own.length + 1);
  });

  it('packs files in reach into one archive with a manifest, each a download in the log', async () => {
    const { f1, f3, f4 } = firm.files;
    const before = (await downloadsOf(f3.id)).length;
    const response = await archive(firm.viewers.cpa, [f1.id, f3.id, f4.id, f3.id]);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename=files-.*\.zip$/);
    const entries = await unzip(Buffer.from(await response.arrayBuffer()));
    const paths = Object.keys(entries);
    expect(paths.map((path) => path.split('/').at(-1))).toEqual(['manifest.csv', 'f1.txt', 'f3.txt', 'f4.txt']);
    expect(entries[paths[2] ?? '']).toBe('bytes of f3.txt');
    const manifest = linesOf(entries['manifest.csv'] ?? '');
    expect(manifest).toHaveLength(4);
    for (const path of paths.slice(1)) expect(manifest.some((line) => line.startsWith(`${path},`))).toBe(true);
    expect(await downloadsOf(f3.id)).toHaveLength(before + 1);
    expect((await downloadsOf(f3.id))[0]).toMatchObject({ userName: 'Full cpa', details: 'Downloaded file: f3.txt' });
  });

  it('refuses the whole archive when one file is out of reach or gone, and records nothing', async () => {
    const { f1, f2 } = firm.files;
    const before = (await downloadsOf(f1.id)).length;
    for (const ids of [[f1.id, f2.id], [f1.id, 999_999], [f2.id]]) {
      expect((await archive(firm.viewers.clientA, ids)).status).toBe(404);
    }
    expect((await archive(app.anonymous, [f1.id])).status).toBe(401);
    expect((await archive(app.admin, [])).status).toBe(400);
    expect(
      (
        await archive(
          app.admin,
          Array.from({ length: 1_001 }, (_, index) => index + 1),
        )
      ).status,
    ).toBe(400);
    expect(await downloadsOf(f1.id)).toHaveLength(before);
    expect(await downloadsOf(f2.id)).toHaveLength(0);
  });

  it('refuses an archive with a file whose bytes are gone, before the first byte', async () => {
    const file = await upload('lost.txt', 'soon gone');
    const { storage_key: key } = await app.database.reader
      .selectFrom('files')
      .select('storage_key')
      .where('id', '=', file.id)
      .executeTakeFirstOrThrow();
    unlinkSync(join(app.config.dataDir, 'blobs', key.slice(0, 2), key.slice(2, 4), key));
    const response = await archive(app.admin, [firm.files.f1.id, file.id]);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ code: 'integrity' });
    await app.admin.delete(`/api/files/${file.id}`);
  });

  it('packs a large file whole', async () => {
    const large = 'a believable payroll line\n'.repeat(60_000);
    const file = await upload('large.txt', large);
    const entries = await unzip(Buffer.from(await (await archive(app.admin, [file.id])).arrayBuffer()));
    expect(Object.values(entries)[1] === large).toBe(true);
    await app.admin.delete(`/api/files/${file.id}`);
  });

  it('names the neighbours of a file within the list it is shown in, and none out of reach', async () => {
    const facts = async (by: TestApp['admin'], id: number, query = '') =>
      (await by.get<FileFacts>(`/api/files/${id}/facts${query}`)).body;
    const { body: newestFirst } = await firm.viewers.cpa.get<FileRow[]>('/api/files');
    for (const [index, { id }] of newestFirst.entries()) {
      const { file, newer, older } = await facts(firm.viewers.cpa, id);
      expect(file).toEqual(newestFirst[index]);
      expect([newer?.id, older?.id]).toEqual([newestFirst[index - 1]?.id, newestFirst[index + 1]?.id]);
    }
    const { f1 } = firm.files;
    const alone = await facts(firm.viewers.cpa, f1.id, '?q=f1');
    expect(alone).toMatchObject({ newer: null, older: null, file: { originalName: 'f1.txt' } });
  });
});

describe('the paths in an archive', () => {
  const paths = (...files: [client: string, name: string][]) =>
    archivePaths(files.map(([clientName, originalName]) => ({ clientName, originalName })));

  it('keep files of one name apart, whatever the case', () => {
    expect(paths(['Acme', 'W-2.pdf'], ['Acme', 'w-2.pdf'], ['Acme', 'W-2.pdf'], ['Other', 'W-2.pdf'])).toEqual([
      'Acme/W-2.pdf',
      'Acme/w-2 (2).pdf',
      'Acme/W-2 (3).pdf',
      'Other/W-2.pdf',
    ]);
  });

  it('never lead out of the folder, or to a name that some system keeps for itself', () => {
    for (const path of paths(['../..', '../../etc/passwd'], ['C:\\x', 'CON'], ['a/b', '..'], ['', ' . '])) {
      expect(path.split('/')).toHaveLength(2);
      for (const part of path.split('/')) expect(part).toMatch(/^(?!\.+$)(?!con$)[^\\/:*?"<>|]+$/i);
    }
  });
});

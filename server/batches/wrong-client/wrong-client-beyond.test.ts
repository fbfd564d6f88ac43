// The wrong-client guard beyond text that is uploaded, over HTTP: workbooks, scans and images, re-filing and renaming.
import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ClientRow } from '#contract/clients.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow, MarkedFile } from '#contract/files.ts';
import { bitmapPage, pngOf } from '../../testing/bitmap-page.ts';
import { addUser, clientInput, type Firm } from '../../testing/firm.ts';
import type { Caller, TestApp } from '../../testing/test-app.ts';
import { ANY_DATABASE_KIND } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { plainTiff } from '../../testing/tiff-page.ts';
import { zipOf } from '../../testing/zip-of.ts';

const WITHIN = { timeout: 60_000, interval: 50 };

/** A workbook with one cell a row. */
async function workbook(lines: readonly string[]): Promise<Uint8Array> {
  const rows = lines.map((line) => `<row><c t="inlineStr"><is><t>${line}</t></is></c></row>`).join('');
  const sheet = `<worksheet xmlns="x"><sheetData>${rows}</sheetData></worksheet>`;
  return new Uint8Array(await zipOf([['xl/worksheets/sheet1.xml', sheet]]));
}

const picture = (lines: readonly string[]) => pngOf(bitmapPage(lines));

/** A PDF as a scanner leaves it: a picture that takes all of the page, or a part, with a stamp in letters or none. */
async function scan(lines: readonly string[], { stamp = '', part = 1 } = {}): Promise<Uint8Array> {
  const document = new PDFDocument({ size: 'LETTER', margin: 0 });
  const bytes = buffer(document);
  document.image(Buffer.from(picture(lines)), 0, 0, { width: 612 * part, height: 792 * part });
  if (stamp !== '') document.fontSize(10).text(stamp, 100, 750);
  document.end();
  return new Uint8Array(await bytes);
}

describe.each(ANY_DATABASE_KIND)('the wrong-client guard beyond text on %s', { timeout: 120_000 }, (kind) => {
  let app: TestApp;
  let firm: Firm;
  let filer: Caller;
  let narrow: Caller;
  let owner: Caller;
  let chosen: ClientRow;
  let other: ClientRow;
  let third: ClientRow;

  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, { OCR: 'on' }));
    const add = async (name: string, federalId: string) =>
      (await app.admin.post<ClientRow>('/api/clients', { ...clientInput(name), federalId })).body;
    chosen = await add('Larch Street Dental PLLC', '00-7654321');
    // In letters that a bitmap has.
    other = await add('Harbor Pottery', '00-4561237');
    third = await add('Quarry Lane Roofing Inc.', '00-2223334');
    const reportTypeIds = [firm.reportTypes[0] as number];
    const person = async (username: string, role: number, ...of: readonly ClientRow[]) =>
      (await addUser(app, username, role, { clientIds: of.map(({ id }) => id), reportTypeIds })).caller;
    filer = await person('filer', firm.roles.cpa, chosen, other, third);
    narrow = await person('narrow', firm.roles.cpa, chosen, third);
    owner = await person('owner', firm.roles.client, chosen, other);
    // What the firm came with.
    await judged();
    await app.context.jobs.stop();
  });
  afterAll(() => app.close());
  afterEach(() => app.context.jobs.stop());

  const send = async (name: string, bytes: Uint8Array | string, by = filer, client = chosen, more: object = {}) =>
    by.upload<FileRow & ErrorBody>({
      name,
      bytes: bytes as unknown as string,
      fields: { clientId: client.id, fileType: 'company_document', ...more },
    });
  const refile = (id: number, change: object, by = filer) => by.put<FileRow & ErrorBody>(`/api/files/${id}`, change);
  const waiting = async () =>
    (await app.database.reader.selectFrom('files_to_judge').select('file_id as id').execute()).map(({ id }) => id);
  async function judged(): Promise<void> {
    await app.context.jobs.start();
    await vi.waitFor(async () => expect(await waiting()).toEqual([]), WITHIN);
    await app.context.jobs.stop();
  }
  const marked = async (by: Caller, ids: readonly number[]) =>
    (await by.get<MarkedFile[]>(`/api/files/marked?ids=${ids.join(',')}`)).body.map(({ file, namedClient }) => [
      file.id,
      namedClient?.name ?? null,
    ]);
  const said = async (query = '') =>
    (await app.admin.get<ActivityRow[]>(`/api/activity-logs?limit=3${query}`)).body.map(({ details }) => details);

  it('G68: stops a workbook that names another client, and no other', async () => {
    const named = await workbook(['Payroll Register', other.name]);
    const { status, body } = await send('run.xlsx', named);
    expect([status, body.code, body.namedClient?.id]).toEqual([409, 'names_another_client', other.id]);
    expect(body.message).toContain(`This document names ${other.name}`);
    expect((await send('own.xlsx', await workbook([chosen.name, other.name]))).status).toBe(201);
    expect((await send('broken.xlsx', named.slice(0, 60))).status).toBe(201);
    const { body: untold } = await send('run.xlsx', named, narrow);
    expect([untold.code, untold.namedClient]).toEqual(['names_another_client', undefined]);
    expect(untold.message).not.toContain('Pottery');
    expect(await waiting()).toEqual([]);
  });

  it('G68: judges scans and images afterwards, and marks them for who sent them', async () => {
    const lines = ['HARBOR POTTERY', 'PAYROLL'];
    const sent = [
      await send('scan.pdf', await scan(lines)),
      await send('fax.pdf', await scan(lines, { stamp: 'RECEIVED MARCH 14 2026' })),
      await send('picture.png', picture(lines)),
      await send('scan.tif', plainTiff(bitmapPage(lines))),
    ];
    const unmarked = [
      await send('right.pdf', await scan(lines), filer, other),
      // A picture that does not fill the page belongs to the letters.
      await send('letter.pdf', await scan(lines, { stamp: 'Payroll of March', part: 0.6 })),
    ];
    const all = [...sent, ...unmarked];
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 201));
    const ids = all.map(({ body }) => body.id);
    expect(await waiting()).toEqual(ids);
    // Kept for a reason, it is not judged.
    await send('kept.png', picture(lines), filer, chosen, { keepBecause: 'Their kiln' });
    expect(await waiting()).toEqual(ids);
    await judged();
    const marks = sent.map(({ body }) => [body.id, other.name]);
    const mine = (await marked(filer, ids)).toSorted();
    expect(mine).toEqual(marks.toSorted());
    expect((await marked(narrow, ids)).toSorted()).toEqual(marks.map(([id]) => [id, null]).toSorted());
    expect((await owner.get('/api/files/marked')).status).toBe(403);
  });

  it('G69: asks at a re-filing what it asks at an upload: filed there, kept for a reason, or left', async () => {
    const text = `${other.name}\nPayroll Summary`;
    const { body: file } = await send('summary.txt', text, filer, other);
    const before = await said();
    const stopped = await refile(file.id, { clientId: chosen.id });
    expect([stopped.status, stopped.body.code]).toEqual([409, 'names_another_client']);
    expect(stopped.body.message).toBe(`This document names ${other.name} (ending 1237), not Larch Street Dental PLLC.`);
    expect(stopped.body.namedClient).toEqual({ id: other.id, name: other.name });
    // Left where it was.
    expect(await said()).toEqual(before);
    expect((await filer.get<FileRow[]>(`/api/files?clientId=${other.id}&q=summary`)).body).toHaveLength(1);
    for (const keepBecause of ['', '  ', 'x'.repeat(201)])
      expect((await refile(file.id, { clientId: chosen.id, keepBecause })).status).toBe(400);
    expect((await refile(file.id, { keepBecause: 'Nothing else' })).status).toBe(400);
    const kept = await refile(file.id, { clientId: chosen.id, keepBecause: 'Larch paid for it' });
    expect([kept.status, kept.body.clientId]).toEqual([200, chosen.id]);
    const log = await app.admin.get<ActivityRow[]>('/api/activity-logs?limit=3');
    const reasons = log.body.filter(({ details }) => details?.includes('kept because: Larch paid for it'));
    expect(reasons.map(({ clientId }) => clientId)).toEqual([null]);
    expect(await waiting()).toEqual([]);
    // Whoever does not reach the company is not told its name.
    const { body: mine } = await send('mine.txt', text, narrow, chosen, { keepBecause: 'Larch paid for it' });
    const untold = await refile(mine.id, { clientId: third.id }, narrow);
    expect(untold.body.message).toBe('This document names another company, not Quarry Lane Roofing Inc.');
    expect(untold.body).not.toHaveProperty('namedClient');
    // To the one that it names, nobody is asked.
    expect((await refile(file.id, { clientId: other.id })).status).toBe(200);
  });

  it('G69: asks nobody who may not, and no Client user', async () => {
    const { body: file } = await send('theirs.txt', `${other.name}\nLease`, filer, other);
    // Out of reach it is missing, and a client out of reach is refused before the file is read.
    expect((await refile(file.id, { clientId: chosen.id }, narrow)).status).toBe(404);
    const { body: mine } = await send('mine.txt', `${third.name}\nLease`, narrow, third);
    expect((await refile(mine.id, { clientId: other.id }, narrow)).body.code).toBe('forbidden');
    const { body: own } = await send('own.txt', `${other.name}\nLease`, owner, other);
    expect((await refile(own.id, { clientId: chosen.id }, owner)).status).toBe(200);
    await judged();
    expect(await marked(filer, [own.id])).toEqual([[own.id, other.name]]);
  });

  it('G69: asks where a new name holds the name of another client', async () => {
    const { body: file } = await send('plain.txt', 'Payroll Summary');
    const originalName = 'Quarry_Lane_Roofing_Inc. March.txt';
    const stopped = await refile(file.id, { originalName });
    expect([stopped.status, stopped.body.namedClient?.id]).toEqual([409, third.id]);
    for (const right of ['Larch Street Dental PLLC March.txt', 'March.txt'])
      expect((await refile(file.id, { originalName: right })).status).toBe(200);
    expect((await refile(file.id, { originalName, keepBecause: 'It is about them' })).body.originalName).toBe(
      originalName,
    );
    expect((await said())[0]).toBe(
      `Renamed file: March.txt to ${originalName}. It names another client, and was kept because: It is about them`,
    );
    // Renamed and filed there at once, it is right.
    expect((await refile(file.id, { clientId: third.id, originalName: 'Quarry Lane Roofing Inc..txt' })).status).toBe(
      200,
    );
  });
});

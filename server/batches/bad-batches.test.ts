// What a batch must bear, over HTTP: a full disk, a page of five metres, a script with an attachment.
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { RECOGNISING_TOO_LONG } from '#contract/batch-words.ts';
import type { BatchDetails, BatchRow, DocumentRow } from '#contract/batches.ts';
import { refuse } from '#contract/errors.ts';
import { Thread, ThreadLimit } from '../platform/jobs/thread.ts';
import { achRecords } from '../testing/ach-records.ts';
import { bitmapPage, pngOf } from '../testing/bitmap-page.ts';
import { addUser, clientInput, type Firm } from '../testing/firm.ts';
import { itInFull } from '../testing/narrowed.ts';
import { pictureBomb } from '../testing/pdf-bombs.ts';
import { HELVETICA, rawPages, rawPdf, textAt } from '../testing/raw-pdf.ts';
import type { TestApp } from '../testing/test-app.ts';
import { insertTestBatch } from '../testing/test-batch.ts';
import { ANY_DATABASE_KIND } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';
import { testPdf, textOfPages } from '../testing/test-pdf.ts';
import { zipOf } from '../testing/zip-of.ts';
import { bounds } from './recogniser.ts';

const WITHIN = { timeout: 30_000, interval: 30 };

describe.each(ANY_DATABASE_KIND)('a batch on %s', { timeout: 90_000 }, (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());
  afterEach(async () => {
    await app.context.jobs.stop();
    vi.restoreAllMocks();
  });

  /** Each of two pages is an accepted document. */
  const accepted = (bytes: Uint8Array) =>
    insertTestBatch(app, {
      ownerId: firm.users.admin2,
      state: 'review',
      fileName: 'payrun.pdf',
      bytes,
      pages: 2,
      documents: [1, 2].map((page) => ({
        from: page,
        to: page,
        state: 'accepted' as const,
        clientId: firm.clients[0],
        reportTypeId: firm.reportTypes[0],
      })),
    });
  const batchOf = async (id: number) => (await app.admin.get<BatchDetails>(`/api/batches/${id}`)).body.batch;
  const release = async (id: number) =>
    expect((await app.admin.post(`/api/batches/${id}/release`, {})).status).toBe(200);
  const released = (id: number) =>
    vi.waitFor(
      async () => expect(await batchOf(id)).toMatchObject({ state: 'released', released: 2, fault: null }),
      WITHIN,
    );
  const filesOf = async (id: number) => {
    const { body } = await app.admin.get<DocumentRow[]>(`/api/batches/${id}/documents`);
    return Promise.all(
      body.map(async ({ releasedFileId }) => {
        const answer = await app.admin.fetch(`/api/files/${releasedFileId}/download`);
        return new Uint8Array(await answer.arrayBuffer());
      }),
    );
  };

  it('whose disk fills up while it is released keeps what is released, and goes on by itself once there is room', async () => {
    const { id } = await accepted(await testPdf([['one'], ['two']]));
    const { blobs } = app.context.services;
    const stage = blobs.stage.bind(blobs);
    vi.spyOn(blobs, 'stage')
      .mockImplementationOnce(stage)
      .mockImplementation(async () => {
        throw refuse('storage_full');
      });
    await release(id);
    await app.context.jobs.start();
    await vi.waitFor(
      async () =>
        expect(await batchOf(id)).toMatchObject({
          state: 'review',
          released: 1,
          releasing: 1,
        }),
      WITHIN,
    );
    vi.restoreAllMocks();
    app.advance(10_000);
    await released(id);
    expect(await Promise.all((await filesOf(id)).map(textOfPages))).toEqual([['one'], ['two']]);
  });

  it('G64: with a page that is a picture bomb and one that runs over its time has those two unread, and all else proposed', async () => {
    const { ask } = Thread.prototype;
    vi.spyOn(Thread.prototype, 'ask').mockImplementation(function (
      this: Thread<unknown, unknown>,
      input,
      options = {},
    ) {
      const isLate = (input as { scan?: number }).scan === 4;
      return ask.call(this, input, isLate ? { ...options, withinMs: 0 } : options);
    });
    const company = await companyText();
    const sheet = bitmapPage(['HARBOR PAYROLL', 'TOTAL PAY']);
    const gray = `/Type /XObject /Subtype /Image /Width ${sheet.width} /Height ${sheet.height} /ColorSpace /DeviceGray /BitsPerComponent 8`;
    const lines = company.trim().split('\n');
    const text = lines.map((line, nth) => textAt(line, 60, 720 - 20 * nth)).join(' ');
    const scan = (at: number) => ({
      content: 'q 612 0 0 792 0 0 cm /Im Do Q',
      entries: `/Resources << /XObject << /Im ${at} 0 R >> >>`,
    });
    const bytes = rawPages([{ content: text }, scan(4), scan(5), scan(5), { content: text }], {
      further: [pictureBomb(), { body: gray, stream: sheet.gray }],
    });
    const huge = pngOf(sheet);
    new DataView(huge.buffer).setUint32(16, 60_000);
    const { body: batch } = await app.admin.post<BatchRow>('/api/batches', { name: 'Bombs' });
    const path = `/api/batches/${batch.id}/files`;
    for (const [name, content] of [
      ['scans.pdf', bytes],
      ['huge.png', huge],
      ['after.txt', Buffer.from(company)],
    ] as const) {
      expect((await app.admin.upload({ path, name, bytes: content, fields: {} })).status).toBe(201);
    }
    await app.admin.post(`/api/batches/${batch.id}/read`);
    await app.context.jobs.start();
    await vi.waitFor(
      async () => expect(await batchOf(batch.id)).toMatchObject({ state: 'review', fault: null }),
      WITHIN,
    );
    const { files } = (await app.admin.get<BatchDetails>(`/api/batches/${batch.id}`)).body;
    expect(files.map(({ name, state, unreadable, pages }) => [name, state, unreadable, pages])).toEqual([
      ['scans.pdf', 'read', null, 5],
      ['huge.png', 'unreadable', 'tooLong', null],
      ['after.txt', 'read', null, 1],
    ]);
    const { body } = await app.admin.get<DocumentRow[]>(`/api/batches/${batch.id}/documents`);
    const found = body.map(({ fileName, fromPage, toPage, clientId, reasons }) => [
      `${fileName} ${fromPage}-${toPage}`,
      clientId === firm.clients[0],
      reasons.filter((reason) => reason.startsWith('page')),
    ]);
    expect(found).toEqual([
      ['scans.pdf 1-1', true, []],
      ['scans.pdf 2-2', false, ['pageTooLong']],
      ['scans.pdf 3-3', false, []],
      ['scans.pdf 4-4', false, ['pageTooLong']],
      ['scans.pdf 5-5', true, []],
      ['huge.png 0-0', false, []],
      ['after.txt 1-1', true, []],
    ]);
  });

  /** A batch of these texts, being read. */
  async function reading(texts: Readonly<Record<string, string>>, by = app.admin): Promise<number> {
    const { body } = await by.post<BatchRow>('/api/batches', { name: 'Texts' });
    const bytes = await zipOf(Object.entries(texts));
    const path = `/api/batches/${body.id}/files`;
    expect((await by.upload({ path, name: 'texts.zip', bytes, fields: {} })).status).toBe(201);
    await by.post(`/api/batches/${body.id}/read`);
    return body.id;
  }
  const pieces = (count: number) => 'a  '.repeat(count);
  interface Company {
    readonly id: number;
    readonly name: string;
    readonly federalId: string;
  }
  const textOf = ({ name, federalId }: Omit<Company, 'id'>, day = '03/09/2018') =>
    `${name}\nFederal ID ${federalId}\nPayroll Journal\nCheck Date ${day}\n`;
  /** With what makes its head the upper part of a page. */
  const pageOf = (company: Omit<Company, 'id'>, day?: string) =>
    `${textOf(company, day)}${'\n80.00  1,640.00'.repeat(12)}\n`;
  const companyText = async () => {
    const { body } = await app.admin.get<Company[]>('/api/clients');
    const company = body.find(({ id }) => id === firm.clients[0]);
    return textOf(company ?? { name: '', federalId: '' });
  };
  const addCompany = async (name: string, federalId: string) =>
    (await app.admin.post<Company>('/api/clients', { ...clientInput(name), federalId })).body;
  const inReview = (id: number) =>
    vi.waitFor(async () => expect(await batchOf(id)).toMatchObject({ state: 'review', fault: null }), WITHIN);

  it('G117: with a day in another language, one of 2062, two companies on a page or one that is no client has each of them to check, and why', async () => {
    const one = await addCompany('Tidewater Freight Lines LLC', '00-5550101');
    const other = await addCompany('Juniper Mill Pharmacy Inc.', '00-5550102');
    const id = await reading({
      '1 sound.txt': pageOf(one),
      '2 french.txt': pageOf(one, '18 septembre 2026'),
      '3 far.txt': pageOf(one, '09/18/2062'),
      '4 two.txt': `${pageOf(one)}${pageOf(other)}`,
      '5 stranger.txt': pageOf({ name: 'Zephyr Ridge Roofing Inc.', federalId: '00-5550199' }),
    });
    await app.context.jobs.start();
    await inReview(id);
    const path = `/api/batches/${id}/documents`;
    const { body } = await app.admin.get<DocumentRow[]>(path);
    expect(body.map(({ fileName, state, period, reasons }) => [fileName, state, period, reasons])).toEqual([
      ['1 sound.txt', 'ready', '2018-03-09', []],
      ['2 french.txt', 'toCheck', null, ['unreadPeriod']],
      ['3 far.txt', 'toCheck', null, ['unreadPeriod']],
      ['4 two.txt', 'toCheck', '2018-03-09', ['severalClients', 'contradiction']],
      ['5 stranger.txt', 'toCheck', '2018-03-09', ['anotherCompany']],
    ]);
    expect(body[4]).toMatchObject({ clientId: null, clients: [] });
    // Without a client nobody accepts it, and what nobody accepted is not released.
    const ids = [body[4]?.id];
    expect((await app.admin.post<{ code: string }>(`${path}/decide`, { ids, decision: 'accepted' })).body.code).toBe(
      'document_incomplete',
    );
    expect((await app.admin.post(`/api/batches/${id}/release`, {})).status).toBe(409);
  });

  it('G117: an ACH file is ready as its batch says, and to check where it is of two companies', async () => {
    const { body: type } = await app.admin.post<{ id: number }>('/api/report-types', { name: 'Direct Deposit / ACH' });
    const one = await addCompany('Saltmarsh Ferry Operators LLC', '00-5550105');
    await addCompany('Pinyon Ridge Hardware Inc.', '00-5550106');
    const own = { name: 'SALTMARSH FERRY', id: '1005550105' };
    const id = await reading({
      'one.txt': achRecords([own, own]).join('\r\n'),
      'two.txt': achRecords([own, { name: 'PINYON RIDGE HAR', id: '1005550106' }]).join(''),
    });
    await app.context.jobs.start();
    await inReview(id);
    const { body } = await app.admin.get<DocumentRow[]>(`/api/batches/${id}/documents`);
    const about = { reportTypeId: type.id, period: '2026-11-27' };
    expect(body).toMatchObject([
      { ...about, fileName: 'one.txt', state: 'ready', clientId: one.id, reasons: [] },
      { ...about, fileName: 'two.txt', state: 'toCheck', clientId: null, reasons: ['severalClients', 'contradiction'] },
    ]);
  });

  it('G117: whose reviewer loses a client before it is read has nothing of that client proposed', async () => {
    const kept = await addCompany('Copper Hollow Brewing Co.', '00-5550103');
    const lost = await addCompany('Sable Creek Catering LLC', '00-5550104');
    const lists = { clientIds: [kept.id, lost.id], reportTypeIds: [firm.reportTypes[0]] };
    const { id: personId, caller } = await addUser(app, 'loses one', firm.roles.cpa, lists);
    const id = await reading({ 'kept.txt': pageOf(kept), 'lost.txt': pageOf(lost) }, caller);
    await app.database.transaction((tx) =>
      tx.deleteFrom('user_clients').where('user_id', '=', personId).where('client_id', '=', lost.id).execute(),
    );
    await app.context.jobs.start();
    await inReview(id);
    const { body } = await caller.get<DocumentRow[]>(`/api/batches/${id}/documents`);
    expect(body.map(({ fileName, state, clientId }) => [fileName, state, clientId])).toEqual([
      ['kept.txt', 'ready', kept.id],
      ['lost.txt', 'toCheck', null],
    ]);
    expect(JSON.stringify(body[1]?.clients)).not.toContain(`"clientId":${lost.id}`);
    const ids = [body[1]?.id];
    const decide = { ids, clientId: lost.id, decision: 'accepted' };
    expect((await caller.post(`/api/batches/${id}/documents/decide`, decide)).status).toBeGreaterThanOrEqual(400);
  });

  itInFull(
    'G51: of more text than is read, the file that goes beyond is kept and says so, and the others are proposed',
    async () => {
      const company = await companyText();
      // Twenty of them are as much as is read, and the first one is there already.
      const many = Array.from({ length: 20 }, (_, nth) => [`many ${nth}.txt`, `${nth}  ${pieces(49_999)}`] as const);
      const id = await reading({ 'before.txt': company, ...Object.fromEntries(many), 'after.txt': `${company}again` });
      await app.context.jobs.start();
      await vi.waitFor(async () => expect(await batchOf(id)).toMatchObject({ state: 'review', fault: null }), {
        timeout: 80_000,
        interval: 50,
      });
      const { files } = (await app.admin.get<BatchDetails>(`/api/batches/${id}`)).body;
      expect(files.flatMap(({ name, unreadable }) => (unreadable === null ? [] : [[name, unreadable]]))).toEqual([
        ['many 19.txt', 'tooLong'],
      ]);
      const { body } = await app.admin.get<DocumentRow[]>(`/api/batches/${id}/documents`);
      expect(body.map(({ fileName }) => fileName)).toEqual(files.map(({ name }) => name));
      for (const name of ['before.txt', 'after.txt']) {
        expect(body.find(({ fileName }) => fileName === name)).toMatchObject({ clientId: firm.clients[0] });
      }
    },
  );

  it('G51: what takes too long to recognise fails its own batch with a reason at once, and the next one is read', async () => {
    const { ask } = Thread.prototype;
    let isFirst = true;
    vi.spyOn(Thread.prototype, 'ask').mockImplementation(function (
      this: Thread<unknown, unknown>,
      input,
      options = {},
    ) {
      const isLast = isFirst && typeof input === 'object' && input !== null && 'known' in input;
      if (isLast) isFirst = false;
      // Where it has a limit, the limit is passed: a thread that waits for work may answer before any timer ends.
      if (isLast && options.withinMs !== undefined) return Promise.reject(new ThreadLimit('No answer in time'));
      return ask.call(this, input, options);
    });
    const company = await companyText();
    const [endless, next] = [await reading({ 'endless.txt': company }), await reading({ 'next.txt': company })];
    await app.context.jobs.start();
    await vi.waitFor(
      async () =>
        expect([await batchOf(endless), await batchOf(next)]).toMatchObject([
          { state: 'reading', fault: RECOGNISING_TOO_LONG },
          { state: 'review', fault: null },
        ]),
      WITHIN,
    );
  });

  it('G51: what takes too much memory to recognise fails its own batch with a reason at once, and the next one is read', async () => {
    const inUse = bounds.memoryBytes;
    onTestFinished(() => {
      bounds.memoryBytes = inUse;
    });
    // Less than any thread has.
    bounds.memoryBytes = 1;
    const company = await companyText();
    const large = await reading({ 'large.txt': company });
    await app.context.jobs.start();
    await vi.waitFor(
      async () => expect(await batchOf(large)).toMatchObject({ state: 'reading', fault: RECOGNISING_TOO_LONG }),
      WITHIN,
    );
    bounds.memoryBytes = inUse;
    await inReview(await reading({ 'next.txt': company }));
  });

  it('with a page of five metres, a script and an attached file becomes files of its pages alone', async () => {
    const page = (content: number) =>
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 14173 14173] /Resources << /Font << /F1 3 0 R >> >> /Contents ${content} 0 R /AA << /O 8 0 R >> >>`;
    const bytes = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R /OpenAction 8 0 R /Names << /EmbeddedFiles << /Names [(secret.txt) 9 0 R] >> >> >>',
      '<< /Type /Pages /Kids [4 0 R 5 0 R] /Count 2 >>',
      HELVETICA,
      page(6),
      page(7),
      { body: '', stream: textAt('first sheet', 36, 14000) },
      { body: '', stream: textAt('second sheet', 36, 14000) },
      '<< /Type /Action /S /JavaScript /JS (app.alert\\(1\\)) >>',
      '<< /Type /Filespec /F (secret.txt) /EF << /F 10 0 R >> >>',
      { body: '/Type /EmbeddedFile /Filter []', stream: 'carried along' },
    ]);
    const { id } = await accepted(bytes);
    await release(id);
    await app.context.jobs.start();
    await released(id);
    const files = await filesOf(id);
    expect(await Promise.all(files.map(textOfPages))).toEqual([['first sheet'], ['second sheet']]);
    for (const file of files) {
      expect(Buffer.from(file).toString('latin1')).not.toMatch(
        /JavaScript|app\.alert|EmbeddedFile|secret|carried along/,
      );
    }
  });
});

// Searching inside documents over HTTP, on both engines: read in the background, found within reach, forgotten with the file.
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import type { InsideFound } from '#contract/inside.ts';
import { NO_EFFORT } from '../../batches/reading/ocr.ts';
import type { Database } from '../../platform/db/database.ts';
import { bitmapPage, gifOf } from '../../testing/bitmap-page.ts';
import { breadth } from '../../testing/breadth.ts';
import { addUser, type Firm } from '../../testing/firm.ts';
import { itOnAny } from '../../testing/narrowed.ts';
import { pictureBomb } from '../../testing/pdf-bombs.ts';
import { rawPages } from '../../testing/raw-pdf.ts';
import { type Caller, startTestApp, type TestApp, type UploadParts } from '../../testing/test-app.ts';
import { DATABASE_KINDS } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { testPdf } from '../../testing/test-pdf.ts';
import { forgetTexts, readAllAgain } from './all-texts.ts';
import { ATTEMPTS_MAX } from './files-to-read.ts';
import { bounds } from './search-inside.ts';
import { storeScans, storeTexts, textsHeld } from './text-rows.ts';

const WITHIN = { timeout: 30_000, interval: 30 };

describe.each(DATABASE_KINDS)('searching inside documents on %s', { timeout: 60_000 }, (kind) => {
  let app: TestApp;
  let firm: Firm;

  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());
  afterEach(() => app.context.jobs.stop());

  const client = (nth: 0 | 1 | 2) => firm.clients[nth] as number;
  const place = (nth: 0 | 1 | 2) => ({ clientId: client(nth), fileType: 'report', reportTypeId: firm.reportTypes[0] });

  async function upload(
    name: string,
    bytes: string | Uint8Array,
    fields: UploadParts['fields'] = place(0),
  ): Promise<FileRow> {
    return (await app.admin.upload<FileRow>({ name, bytes, fields })).body;
  }

  /** Lets jobs run until every file that can be read is read. */
  async function settled(): Promise<void> {
    await app.context.jobs.start();
    await vi.waitFor(async () => {
      const left = await app.database.reader.selectFrom('files_to_read').select('file_id').execute();
      expect(left).toEqual([]);
    }, WITHIN);
    await app.context.jobs.stop();
  }

  const found = async (q: string, by: Caller = app.admin) =>
    (await by.get<InsideFound>(`/api/files/inside?q=${encodeURIComponent(q)}`)).body;
  const names = async (q: string, by?: Caller) => (await found(q, by)).rows.map(({ originalName }) => originalName);

  it('finds a page by its words, whatever their case and accents, and shows the text around them', async () => {
    const pdf = await testPdf([['Cover sheet'], ['Payroll Journal', 'Employee Zélie Marchetti', 'EIN 07-5550199']]);
    const file = await upload('journal.pdf', pdf);
    await settled();
    const { rows, more } = await found('zelie MARCH');
    expect(rows).toEqual([
      expect.objectContaining({ fileId: file.id, originalName: 'journal.pdf', clientId: client(0), page: 2 }),
    ]);
    expect(more).toBe(false);
    const [hit] = rows;
    const marked = hit?.marks.map(({ from, to }) => hit.snippet.slice(from, to));
    expect(marked).toEqual(['Zélie', 'Marchetti']);
    // An id with and without its dashes; parts of words only where a word begins.
    expect(await names('075550199')).toEqual(['journal.pdf']);
    expect(await names('07-5550199')).toEqual(['journal.pdf']);
    expect(await names('elie')).toEqual([]);
    expect(await names('zelie absent')).toEqual([]);
    expect(await names('marchetti zelie payroll')).toEqual(['journal.pdf']);
  });

  it('G61: finds by plain letters and digits whatever a page writes, as names in lists are found', async () => {
    const decomposed = 'Mu\u0301n\u0303ez';
    const text = `${decomposed} Łukasz Sørensen Straße O’Fallon Œuvre 07\u20115550188 07\u22125550177 W‑2`;
    const file = await upload('plain.txt', text);
    await settled();
    const searches = [
      ...[
        'munez',
        'Múñez',
        decomposed,
        'lukasz',
        'Łukasz',
        'sorensen',
        'SØRENSEN',
        'strasse',
        'Straße',
        'ofallon',
        "O'Fallon",
      ],
      ...['oeuvre', '075550188', '07-5550188', '07\u20115550188', '075550177'],
    ];
    for (const q of searches) expect(await names(q), q).toEqual(['plain.txt']);
    expect(await names('munezz')).toEqual([]);
    const [hit] = (await found('munez')).rows;
    expect(hit?.marks.map(({ from, to }) => hit.snippet.slice(from, to))).toEqual([decomposed]);
    expect(file.id).toBe(hit?.fileId);
  });

  it('finds what older programs and spreadsheets write, and serves it as no more than text', async () => {
    const lines = 'Employee,Pay\r\nInés Cañedo,1200.50\r\n';
    const csv = await upload('older.csv', Buffer.from(lines, 'latin1'));
    const text = await upload('older.txt', Buffer.from(lines, 'latin1'));
    const wide = await upload('unicode.txt', Buffer.from(`\ufeff${lines.replaceAll(',', '\t')}`, 'utf16le'));
    expect([csv, text, wide].map(({ contentType }) => contentType)).toEqual(['text/csv', 'text/plain', 'text/plain']);
    await settled();
    expect((await names('Cañedo')).sort()).toEqual(['older.csv', 'older.txt', 'unicode.txt']);
    for (const [{ id }, sent] of [
      [csv, 'attachment application/octet-stream'],
      [text, 'inline text/plain; charset=windows-1252'],
      [wide, 'inline text/plain; charset=utf-16le'],
    ] as const) {
      const { headers } = await app.admin.fetch(`/api/files/${id}/view`);
      expect(`${headers.get('content-disposition')?.split(';')[0]} ${headers.get('content-type')}`).toBe(sent);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toMatch(/; sandbox$/);
    }
  });

  it('finds an amount with its commas and without, whichever way it is typed, and marks it as one', async () => {
    await upload('with commas.txt', 'Page 8 goldcrest gross 1,008,417.36 less $8,417.36');
    await upload('without.txt', 'goldcrest gross 1008417.36 less 8417.36');
    await upload('on a form.txt', 'goldcrest gross 8,417 . 36');
    await settled();
    const all = ['on a form.txt', 'with commas.txt', 'without.txt'];
    for (const q of ['goldcrest 8417.36', '$8,417.36 gold', 'goldcrest (8,417)', '8417.36']) {
      expect((await names(q)).sort(), q).toEqual(all);
    }
    expect((await names('1008417.36')).sort()).toEqual(['with commas.txt', 'without.txt']);
    expect(await names('goldcrest 8417.37')).toEqual([]);
    // Digits alone may number anything.
    expect(await names('goldcrest 8417')).toEqual(['without.txt']);
    const marked = (await found('8417.36')).rows.map(({ snippet, marks }) =>
      marks.map(({ from, to }) => snippet.slice(from, to)),
    );
    expect(marked).toEqual([['8,417 . 36'], ['8417.36'], ['8,417.36']]);
  });

  it('G35: finds within reach alone, and nothing of it is counted or hinted at beyond', async () => {
    await upload('near.txt', 'quillwort of the first', place(0));
    await upload('far.txt', 'quillwort of the third', place(2));
    await upload('other type.txt', 'quillwort of another type', { ...place(0), reportTypeId: firm.reportTypes[2] });
    await settled();
    expect((await names('quillwort')).sort()).toEqual(['far.txt', 'near.txt', 'other type.txt']);
    const lists = { clientIds: [client(0)], reportTypeIds: [firm.reportTypes[0] as number] };
    const { id, caller } = await addUser(app, 'inside reader', firm.roles.client, lists);
    expect(await found('quillwort', caller)).toMatchObject({ rows: [{ originalName: 'near.txt' }], more: false });
    expect(await found('third', caller)).toEqual({ rows: [], more: false, searched: true });
    // Reach that is lost is lost at once.
    await app.database.transaction((tx) => tx.deleteFrom('user_clients').where('user_id', '=', id).execute());
    expect(await found('quillwort', caller)).toEqual({ rows: [], more: false, searched: true });
    expect((await app.anonymous.get('/api/files/inside?q=quillwort')).status).toBe(401);
  });

  it('forgets a file in the trash, finds it again once it is restored, and follows it to another client', async () => {
    const file = await upload('wanders.txt', 'brambling statement');
    await settled();
    expect(await names('brambling')).toEqual(['wanders.txt']);
    await app.admin.delete(`/api/files/${file.id}`);
    expect(await names('brambling')).toEqual([]);
    await app.admin.post(`/api/files/${file.id}/restore`);
    await settled();
    expect(await names('brambling')).toEqual(['wanders.txt']);
    const { caller } = await addUser(app, 'second client', firm.roles.client, {
      clientIds: [client(1)],
      reportTypeIds: [firm.reportTypes[0] as number],
    });
    expect(await names('brambling', caller)).toEqual([]);
    await app.admin.put(`/api/files/${file.id}`, { ...place(1), originalName: 'wanders.txt' });
    await settled();
    expect(await names('brambling', caller)).toEqual(['wanders.txt']);
    // Under another report type it is out of this reach, at once and after its words were made anew.
    const elsewhere = { ...place(1), reportTypeId: firm.reportTypes[2], originalName: 'wanders.txt' };
    await app.admin.put(`/api/files/${file.id}`, elsewhere);
    expect(await names('brambling', caller)).toEqual([]);
    await settled();
    expect(await names('brambling', caller)).toEqual([]);
    const { caller: other } = await addUser(app, 'other type', firm.roles.client, {
      clientIds: [client(1)],
      reportTypeIds: [firm.reportTypes[2] as number],
    });
    expect(await names('brambling', other)).toEqual(['wanders.txt']);
  });

  it('finds documents, and reports without a type for who sent them alone', async () => {
    const { caller } = await addUser(app, 'sender', firm.roles.cpa, {
      clientIds: [client(0)],
      reportTypeIds: [firm.reportTypes[0] as number],
    });
    const mine = { name: 'mine.txt', bytes: 'gorse of mine', fields: { clientId: client(0), fileType: 'report' } };
    expect((await caller.upload(mine)).status).toBe(201);
    await upload('not mine.txt', 'gorse of somebody else', { clientId: client(0), fileType: 'report' });
    await upload('letter.txt', 'gorse in a letter', { clientId: client(0), fileType: 'company_document' });
    await settled();
    expect((await names('gorse', caller)).sort()).toEqual(['letter.txt', 'mine.txt']);
  });

  it('is narrowed as the list of files is', async () => {
    const [one, other] = [
      { ...place(0), period: '2026-Q1' },
      { ...place(1), period: '2025' },
    ];
    await upload('first.txt', 'bearberry', one);
    await upload('second.txt', 'bearberry', other);
    await upload('letter.txt', 'bearberry', { clientId: client(0), fileType: 'company_document' });
    await settled();
    const narrowed = async (filters: string) =>
      (await app.admin.get<InsideFound>(`/api/files/inside?q=bearberry&${filters}`)).body.rows
        .map(({ originalName }) => originalName)
        .sort();
    expect(await narrowed(`clientId=${client(0)}`)).toEqual(['first.txt', 'letter.txt']);
    expect(await narrowed(`clientId=${client(0)}&fileType=report`)).toEqual(['first.txt']);
    expect(await narrowed('fileType=company_document')).toEqual(['letter.txt']);
    expect(await narrowed('period=2026-Q1')).toEqual(['first.txt']);
    expect(await narrowed('period=none')).toEqual(['letter.txt']);
    expect(await narrowed(`reportTypeId=${firm.reportTypes[0]}&period=2025`)).toEqual(['second.txt']);
    expect(await narrowed(`reportTypeId=${firm.reportTypes[0]}&fileType=company_document`)).toEqual([]);
    expect(await narrowed('endDate=2020-01-01')).toEqual([]);
  });

  it('takes the last word as a beginning from its third letter on', async () => {
    await upload('begun.txt', 'tormentil xylograph');
    await settled();
    expect(await names('tormentil xyl')).toEqual(['begun.txt']);
    expect(await names('tormentil xy')).toEqual([]);
  });

  it('says that nothing is searched where the server reads no document', async () => {
    const off = await startTestApp(kind, { SEARCH_INSIDE: 'off' });
    try {
      const { body } = await off.admin.get<InsideFound>('/api/files/inside?q=payroll');
      expect(body).toEqual({ rows: [], more: false, searched: false });
    } finally {
      await off.close();
    }
  });

  it('looks for odd words as words, and refuses what is too long', async () => {
    await upload('odd.txt', 'snowberry "quoted" AND NEAR(x) OR col:val 100% c++');
    await settled();
    for (const q of ['"', "'", '*', 'AND', '(', ':*', '& | !', '%', '\\', 'near(', '-', '\u0000', '\u{1f4bc}']) {
      const answer = await app.admin.get<InsideFound>(`/api/files/inside?q=${encodeURIComponent(q)}`);
      expect([q, [200, 400].includes(answer.status)]).toEqual([q, true]);
    }
    expect(await names('snowberry AND "quoted" NEAR(x)')).toEqual(['odd.txt']);
    expect(await names('')).toEqual([]);
    expect(await names(`snowberry ${'x'.repeat(150)}`)).toEqual(['odd.txt']);
    const { body } = await app.admin.get<ErrorBody>(`/api/files/inside?q=${'x '.repeat(200)}`);
    expect(body.fields).toHaveProperty('q');
    expect((await app.admin.get<ErrorBody>('/api/files/inside?q=x&limit=1000')).body.code).toBe('invalid');
  });

  it('what cannot be read stops nothing else, and is not tried for ever', async () => {
    await upload('broken.pdf', `%PDF-1.7\n${'nothing '.repeat(20)}`);
    await upload('empty of words.pdf', await testPdf([[]]));
    await upload('after them.txt', 'wayfaring tree');
    await settled();
    expect(await names('wayfaring')).toEqual(['after them.txt']);
  });

  itOnAny(kind)('G64: a page that is a picture bomb hides no other page and no other file', async () => {
    const sheet = bitmapPage(['PARTLY HOTEL', 'TOTAL PAY']);
    const gray = `/Type /XObject /Subtype /Image /Width ${sheet.width} /Height ${sheet.height} /ColorSpace /DeviceGray /BitsPerComponent 8`;
    const scan = (at: number) => ({
      content: 'q 612 0 0 792 0 0 cm /Im Do Q',
      entries: `/Resources << /XObject << /Im ${at} 0 R >> >>`,
    });
    const further = [pictureBomb(), { body: gray, stream: sheet.gray }];
    await upload('bomb.pdf', rawPages([scan(4), scan(5)], { further }));
    await upload('picture.gif', gifOf(bitmapPage(['PARTLY HOTEL'])));
    await settled();
    expect((await names('partly hotel')).sort()).toEqual(['bomb.pdf', 'picture.gif']);
    expect((await found('partly hotel total')).rows.map(({ page }) => page)).toEqual([2]);
    const tries = await app.database.reader.selectFrom('jobs').select('error').execute();
    expect(tries.filter(({ error }) => error !== null)).toEqual([]);
  });

  it('many files with the same words are found newest first, with a word that there are more', async () => {
    for (let nth = 1; nth <= 4; nth += 1) await upload(`many ${nth}.txt`, `hornbeam ${nth}`);
    await settled();
    const { body } = await app.admin.get<InsideFound>('/api/files/inside?q=hornbeam&limit=2');
    expect([body.rows.map(({ originalName }) => originalName), body.more]).toEqual([
      ['many 4.txt', 'many 3.txt'],
      true,
    ]);
  });

  it('G54: pages that name places as the index might, and many pages of few files, hide no other file', async () => {
    const old = await upload('old.txt', 'sandpiper', place(1));
    const [mine, theirs] = [`clientis${client(1)} typeis${firm.reportTypes[0]}`, `client${client(1)} documentis`];
    const noisy = await Promise.all([0, 1, 2].map((nth) => upload(`noisy ${nth}.txt`, 'sandpiper')));
    await settled();
    for (const { id } of noisy) {
      const pages = Array.from(
        { length: breadth(500, 2_000) },
        () => `sandpiper ${mine} ${theirs} \u{e000}client${client(1)}`,
      );
      await storeTexts(app.database, id, pages);
    }
    const { caller } = await addUser(app, 'seeker', firm.roles.client, {
      clientIds: [client(1)],
      reportTypeIds: [firm.reportTypes[0] as number],
    });
    expect((await found('sandpiper', caller)).rows.map(({ fileId }) => fileId)).toEqual([old.id]);
    // Of more places than the index is asked for, and many times the pages that are looked at first.
    const inUse = { ...bounds };
    onTestFinished(() => void Object.assign(bounds, inUse));
    Object.assign(bounds, { pages: breadth(100, 500), places: 0 });
    const { rows: beyond, more } = await found('sandpiper', caller);
    expect([beyond.map(({ fileId }) => fileId), more]).toEqual([[old.id], false]);
    expect((await found('sandpiper')).rows.map(({ fileId, page }) => [fileId, page])).toEqual([
      ...noisy.map(({ id }) => [id, 1]).sort(([a = 0], [b = 0]) => b - a),
      [old.id, 1],
    ]);
  });

  describe('a file of many pages', () => {
    const PAGES = 60;
    const linesOf = (word: string) => Array.from({ length: PAGES }, (_, index) => `${word} page${index + 1}`);
    const everyPage = Array.from({ length: PAGES }, (_, index) => index + 1);

    async function uploadPages(name: string, lines: readonly string[]): Promise<FileRow> {
      return await upload(name, await testPdf(lines.map((line) => [line])));
    }

    /** Between the first pieces of its pages, `happens`. */
    function between(happens: () => Promise<unknown>): Database {
      let pieces = 0;
      return {
        ...app.database,
        async transactionFlushedBeside(work) {
          pieces += 1;
          if (pieces === 2) await happens();
          return await app.database.transactionFlushedBeside(work);
        },
      };
    }
    const end = () => Promise.reject(new Error('ended'));

    const pagesKept = async ({ id }: FileRow) => {
      const pages = app.database.reader.selectFrom('document_texts').select('page').where('file_id', '=', id);
      return (await pages.orderBy('page').execute()).map(({ page }) => page);
    };
    const pagesFound = async (q: string, clientId: number) => {
      const query = `q=${encodeURIComponent(q)}&clientId=${clientId}`;
      const { body } = await app.admin.get<InsideFound>(`/api/files/inside?${query}`);
      return body.rows.map(({ page }) => page);
    };

    it('is found by what is kept of it while others write, and kept to its end after whatever ends that', async () => {
      const lines = linesOf('dotterel');
      const file = await uploadPages('long.pdf', lines);
      const interrupted = between(async () => {
        await upload('between.txt', 'siskin');
        await end();
      });
      await expect(storeTexts(interrupted, file.id, lines)).rejects.toThrow('ended');
      const some = await pagesKept(file);
      expect(some).toEqual(everyPage.slice(0, some.length));
      expect(some.length).toBeGreaterThan(0);
      expect(some.length).toBeLessThan(PAGES);
      expect(await pagesFound('page1 dotterel', client(0))).toEqual([1]);
      expect(await pagesFound(`page${PAGES} dotterel`, client(0))).toEqual([]);
      await settled();
      expect(await pagesKept(file)).toEqual(everyPage);
      expect(await pagesFound('page1 dotterel', client(0))).toEqual([1]);
      expect(await pagesFound(`page${PAGES} dotterel`, client(0))).toEqual([PAGES]);
      expect(await names('siskin')).toEqual(['between.txt']);
    });

    it('that was tried in vain with some of its pages kept is read to its end by reindex', async () => {
      const lines = linesOf('whinchat');
      const file = await uploadPages('in vain.pdf', lines);
      await expect(storeTexts(between(end), file.id, lines)).rejects.toThrow('ended');
      await app.database.transaction((tx) =>
        tx.updateTable('files_to_read').set({ attempts: ATTEMPTS_MAX }).where('file_id', '=', file.id).execute(),
      );
      await readAllAgain(app.database);
      await settled();
      expect(await pagesKept(file)).toEqual(everyPage);
    });

    it('is of one place, and there once, wherever it goes between two of its pieces', async () => {
      const lines = linesOf('redstart');
      const file = await uploadPages('goes.pdf', lines);
      const toClient = (nth: 0 | 1) =>
        app.admin.put(`/api/files/${file.id}`, { ...place(nth), originalName: 'goes.pdf' });
      await storeTexts(
        between(() => toClient(1)),
        file.id,
        lines,
      );
      expect(await pagesKept(file)).toEqual(everyPage);
      const ends = async (nth: 0 | 1) => [
        await pagesFound('page1 redstart', client(nth)),
        await pagesFound(`page${PAGES} redstart`, client(nth)),
      ];
      expect([await ends(0), await ends(1)]).toEqual([
        [[], []],
        [[1], [PAGES]],
      ]);
      // Of pages that are there their words alone are made anew: what was recognised on them is not read again.
      await storeTexts(app.database, file.id, [...lines.slice(0, -1), 'recognised wheatear']);
      await toClient(0);
      const held = await textsHeld(app.database, file.id);
      await expect(storeTexts(between(end), file.id, held, { isHeld: true })).rejects.toThrow('ended');
      expect(await pagesKept(file)).toEqual(everyPage);
      await settled();
      expect(await pagesFound('recognised wheatear', client(0))).toEqual([PAGES]);
      expect(await pagesFound('page1 redstart', client(0))).toEqual([1]);
      expect(await pagesKept(file)).toEqual(everyPage);
    });

    it('that was in the trash between two of its pieces is read again', async () => {
      const lines = linesOf('bluethroat');
      const file = await uploadPages('was away.pdf', lines);
      const away = between(async () => {
        await app.admin.delete(`/api/files/${file.id}`);
        await app.admin.post(`/api/files/${file.id}/restore`);
      });
      await storeTexts(away, file.id, lines);
      expect(await pagesKept(file)).toEqual([]);
      await settled();
      expect(await pagesKept(file)).toEqual(everyPage);
    });

    it('is given back whole, with its empty pages', async () => {
      const lines = Array.from({ length: 250 }, (_, index) => (index % 3 === 1 ? '' : `godwit page${index + 1}`));
      const file = await uploadPages('with empty pages.pdf', ['godwit']);
      await storeTexts(app.database, file.id, lines);
      expect(await textsHeld(app.database, file.id)).toEqual(lines);
    });

    it('has what is recognised on a page in place of the marks that stood there', async () => {
      const file = await uploadPages('marks.pdf', ['first', 'second']);
      await storeTexts(app.database, file.id, ['- - -', 'second'], { left: { pages: [1], effort: NO_EFFORT } });
      const texts = [{ page: 1, text: 'sandgrouse' }];
      await storeScans(app.database, file.id, texts, { pages: [], effort: NO_EFFORT });
      await storeTexts(app.database, file.id, await textsHeld(app.database, file.id), { isHeld: true });
      expect(await pagesFound('sandgrouse', client(0))).toEqual([1]);
      expect(await pagesKept(file)).toEqual([1, 2]);
    });
  });

  it('is made anew by reindex for what was there before, and forgotten where it is switched off', async () => {
    await upload('before.txt', 'spindleberry');
    await app.database.transaction((tx) => tx.deleteFrom('files_to_read').execute());
    await settled();
    expect(await names('spindleberry')).toEqual([]);
    expect(await readAllAgain(app.database)).toBeGreaterThan(0);
    await settled();
    expect(await names('spindleberry')).toEqual(['before.txt']);
    expect(await forgetTexts(app.database)).toBeGreaterThan(0);
    expect(await names('spindleberry')).toEqual([]);
    expect(await app.database.reader.selectFrom('document_texts').select('id').execute()).toEqual([]);
  });
});

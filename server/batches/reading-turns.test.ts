// Who waits for whom where files are read in the background, over HTTP on both engines: whoever has much to read waits behind themselves.
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { BatchDetails, BatchRow, DocumentRow } from '#contract/batches.ts';
import { type ErrorBody, refuse, refuseCausedBy } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import type { InsideFound } from '#contract/inside.ts';
import { MissingKey } from '../platform/key-file.ts';
import { bitmapPage, gifOf } from '../testing/bitmap-page.ts';
import { addUser, type Firm } from '../testing/firm.ts';
import { itInFull, itOnAny } from '../testing/narrowed.ts';
import { pdfBombs } from '../testing/pdf-bombs.ts';
import { rawPages } from '../testing/raw-pdf.ts';
import type { Caller, TestApp } from '../testing/test-app.ts';
import { insertTestBatch } from '../testing/test-batch.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';
import { PAGES_OF_A_TURN } from './read-job.ts';
import { WordReader } from './reading/word-reader.ts';
import { DOCUMENTS_OF_A_TURN } from './release-job.ts';
import { patience } from './wrong-client/patience.ts';

const WITHIN = { timeout: 30_000, interval: 30 };

/** Below these many bytes a file is like any other here; above, it is read when it is let go. */
const SLOW_BYTES = 3_000;

const { width, height, gray } = bitmapPage(['TOTAL']);
/** Nothing but pictures, of which nothing is sure. */
const noisyScans = (pages: number) =>
  rawPages(
    Array.from({ length: pages }, () => ({
      content: 'q 612 0 0 792 0 0 cm /Im Do Q',
      entries: `/Resources << /XObject << /Im 4 0 R >> >>`,
    })),
    {
      further: [
        {
          body: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`,
          stream: gray,
        },
      ],
    },
  );

describe.each(DATABASE_KINDS)('turns of reading on %s', { timeout: 60_000 }, (kind) => {
  let app: TestApp;
  let firm: Firm;
  let hog: Caller;
  let other: Caller;
  /** In what order the bytes of files are taken to be read, by their first word; and what lets slow ones be. */
  let read: { readonly order: string[]; readonly go: PromiseWithResolvers<void> };
  let heldFrom = SLOW_BYTES;

  beforeEach(async () => {
    ({ app, firm } = await startTestFirm(kind));
    const lists = { clientIds: [firm.clients[0] as number], reportTypeIds: [firm.reportTypes[0] as number] };
    await app.database.transaction(async (tx) => {
      await tx.deleteFrom('files_to_read').execute();
      await tx.deleteFrom('files_to_judge').execute();
    });
    hog = (await addUser(app, 'hog', firm.roles.cpa, lists)).caller;
    other = (await addUser(app, 'other', firm.roles.cpa, lists)).caller;
    read = { order: [], go: Promise.withResolvers() };
    heldFrom = SLOW_BYTES;
  });
  afterEach(async () => {
    read.go.resolve();
    await app.context.jobs.stop();
    vi.restoreAllMocks();
    await app.close();
  });

  function watchReading(): void {
    const { blobs } = app.context.services;
    const readBlob = blobs.read.bind(blobs);
    vi.spyOn(blobs, 'read').mockImplementation(async (blob, ...more) => {
      if (blob.sizeBytes < 15 || blob.sizeBytes >= 1_000) read.order.push(`${blob.sizeBytes}`);
      if (blob.sizeBytes >= heldFrom) await read.go.promise;
      return readBlob(blob, ...more);
    });
  }

  async function drop(by: Caller, bytes: string | Uint8Array, name = 'a.txt'): Promise<number> {
    const { id } = (await by.post<BatchRow>('/api/batches', { name: 'Pay run' })).body;
    await by.upload({ path: `/api/batches/${id}/files`, name, bytes: bytes as string, fields: {} });
    expect((await by.post<BatchRow & ErrorBody>(`/api/batches/${id}/read`)).status).toBe(200);
    return id;
  }
  const stateOf = async (by: Caller, id: number) => (await by.get<BatchDetails>(`/api/batches/${id}`)).body.batch.state;
  const send = async (by: Caller, name: string, bytes: string | Uint8Array) =>
    (
      await by.upload<FileRow>({
        name,
        bytes: bytes as string,
        fields: { clientId: firm.clients[0] as number, fileType: 'company_document' },
      })
    ).body;
  const left = (table: 'files_to_read' | 'files_to_judge') =>
    app.database.reader.selectFrom(table).select('file_id').execute();
  /** The wrong-client guard looks at pictures too. */
  const judgeNothing = () => app.database.transaction((tx) => tx.deleteFrom('files_to_judge').execute());
  const namesFound = async (q: string) =>
    (await app.admin.get<InsideFound>(`/api/files/inside?q=${q}`)).body.rows.map(({ originalName }) => originalName);

  it('G53: a batch is read while another person’s batches are, of which one is read at a time', async () => {
    watchReading();
    const slow = [];
    for (let nth = 0; nth < 4; nth += 1) slow.push(await drop(hog, `${nth}`.repeat(SLOW_BYTES + nth)));
    await app.context.jobs.start();
    await vi.waitFor(() => expect(read.order).toHaveLength(1), WITHIN);
    const quick = await drop(other, 'one page');
    await vi.waitFor(async () => expect(await stateOf(other, quick)).toBe('review'), WITHIN);
    expect(read.order).toEqual([`${SLOW_BYTES}`, '8']);
    // The text of the others is read in turn once it can be.
    read.go.resolve();
    for (const id of slow) await vi.waitFor(async () => expect(await stateOf(hog, id)).toBe('review'), WITHIN);
    expect(new Set(read.order).size).toBe(5);
  });

  it('G53: a page is read while the scans of three others are, who have all places', async () => {
    const scans = noisyScans(PAGES_OF_A_TURN + 3);
    const slow: { readonly by: Caller; readonly id: number }[] = [];
    for (const by of [hog, app.admin, firm.viewers.cpa]) slow.push({ by, id: await drop(by, scans, 'scans.pdf') });
    const quick = await drop(other, 'one page');
    // Each comes as far as a turn goes, two pages of it looked at from all sides: neither on from there, nor back again.
    const looks = PAGES_OF_A_TURN + 6;
    const seen = new Map<WordReader, number>();
    const pictures = vi.spyOn(WordReader.prototype, 'in').mockImplementation(async function (this: WordReader) {
      const nth = (seen.get(this) ?? 0) + 1;
      seen.set(this, nth);
      if (nth > looks) await read.go.promise;
      return [];
    });
    const { blobs } = app.context.services;
    const readBlob = blobs.read.bind(blobs);
    const opened = new Map<string, number>();
    vi.spyOn(blobs, 'read').mockImplementation(async (blob, ...more) => {
      const nth = (opened.get(blob.storageKey) ?? 0) + 1;
      opened.set(blob.storageKey, nth);
      // A run opens it for its text and for its pictures.
      if (nth > 2) await read.go.promise;
      return readBlob(blob, ...more);
    });
    await app.context.jobs.start();
    await vi.waitFor(async () => expect(await stateOf(other, quick)).toBe('review'), WITHIN);
    for (const { by, id } of slow) expect(await stateOf(by, id)).toBe('reading');
    // They go on where they were: no page is recognised twice.
    read.go.resolve();
    for (const { by, id } of slow) await vi.waitFor(async () => expect(await stateOf(by, id)).toBe('review'), WITHIN);
    expect(pictures.mock.calls.length).toBe(3 * (looks + 3));
  });

  it('G53: recognising the pages of a batch ends once the batch is discarded', async () => {
    const pictures = vi
      .spyOn(WordReader.prototype, 'in')
      .mockImplementation(
        (_, signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      );
    const id = await drop(hog, noisyScans(3), 'scans.pdf');
    await app.context.jobs.start();
    await vi.waitFor(() => expect(pictures.mock.calls.length).toBe(1), WITHIN);
    expect((await hog.delete(`/api/batches/${id}`)).status).toBe(204);
    // The picture in hand is not waited for, and none after it is begun.
    await app.context.jobs.tick();
    const states = () =>
      app.database.reader.selectFrom('jobs').select('state').where('kind', '=', 'batches.read').execute();
    await vi.waitFor(async () => expect(await states()).toEqual([{ state: 'cancelled' }]), WITHIN);
    expect(pictures.mock.calls.length).toBe(1);
  });

  it('G53: a document is released while another person’s thousands are', async () => {
    const ready = (ownerId: number, count: number) =>
      insertTestBatch(app, {
        ownerId,
        state: 'review',
        documents: Array.from({ length: count }, () => ({
          from: 1,
          to: 4,
          state: 'accepted' as const,
          clientId: firm.clients[0],
          reportTypeId: firm.reportTypes[0],
        })),
      });
    const release = async (by: Caller, id: number) =>
      expect((await by.post<BatchRow>(`/api/batches/${id}/release`, {})).status).toBe(200);
    const batchOf = async (by: Caller, id: number) => (await by.get<BatchDetails>(`/api/batches/${id}`)).body.batch;
    const many = await ready(firm.users.cpa, DOCUMENTS_OF_A_TURN + 1);
    const one = await ready(firm.users.admin2, 1);
    const { storage_key: manyKey } = await app.database.reader
      .selectFrom('batch_files')
      .select('storage_key')
      .where('id', '=', many.fileId)
      .executeTakeFirstOrThrow();
    const { blobs } = app.context.services;
    const readBlob = blobs.read.bind(blobs);
    let taken = 0;
    vi.spyOn(blobs, 'read').mockImplementation(async (blob, ...more) => {
      if (blob.storageKey === manyKey && ++taken > DOCUMENTS_OF_A_TURN) await read.go.promise;
      return readBlob(blob, ...more);
    });
    await release(firm.viewers.cpa, many.id);
    await release(app.admin, one.id);
    await app.context.jobs.start();
    await vi.waitFor(
      async () => expect(await batchOf(app.admin, one.id)).toMatchObject({ state: 'released', released: 1 }),
      WITHIN,
    );
    expect(await batchOf(app.admin, many.id)).toMatchObject({
      released: DOCUMENTS_OF_A_TURN,
      releasing: 1,
      fault: null,
    });
    read.go.resolve();
    await vi.waitFor(
      async () =>
        expect(await batchOf(app.admin, many.id)).toMatchObject({
          state: 'released',
          released: DOCUMENTS_OF_A_TURN + 1,
        }),
      WITHIN,
    );
  });

  itOnAny(kind)(
    'G66: reading that is ended goes on where it was: no file and no scanned page is read twice',
    async () => {
      const { id } = (await hog.post<BatchRow>('/api/batches', { name: 'Scans' })).body;
      const add = async (name: string, bytes: string | Uint8Array) =>
        expect(
          (await hog.upload({ path: `/api/batches/${id}/files`, name, bytes: bytes as string, fields: {} })).status,
        ).toBe(201);
      await add('before.txt', 'nine of 9');
      await add('scans.pdf', noisyScans(5));
      await add('after.txt', 'eight 88');
      const { blobs } = app.context.services;
      const readBlob = blobs.read.bind(blobs);
      const opened: number[] = [];
      vi.spyOn(blobs, 'read').mockImplementation(async (blob, ...more) => {
        opened.push(blob.sizeBytes);
        return readBlob(blob, ...more);
      });
      // Two pages from all sides, then one from one, and then the process ends.
      const pictures = vi.spyOn(WordReader.prototype, 'in').mockImplementation(async (_, signal) => {
        if (pictures.mock.calls.length <= 9) return [];
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      });
      expect((await hog.post(`/api/batches/${id}/read`)).status).toBe(200);
      await app.context.jobs.start();
      await vi.waitFor(() => expect(pictures.mock.calls.length).toBe(10), WITHIN);
      await app.context.jobs.stop(0);
      const kept = () => app.database.reader.selectFrom('batch_readings').select(['stage', 'page']).execute();
      expect((await kept()).map(({ stage, page }) => [Number(stage), Number(page)]).sort()).toEqual([
        [0, 1],
        [0, 2],
        [0, 3],
        [1, 0],
        [1, 1],
      ]);
      expect(await stateOf(hog, id)).toBe('reading');

      pictures.mockReset();
      pictures.mockResolvedValue([]);
      await app.context.jobs.start();
      await vi.waitFor(async () => expect(await stateOf(hog, id)).toBe('review'), WITHIN);
      // The two pages that are left, from the side that the others were read from.
      expect(pictures.mock.calls.length).toBe(2);
      expect([opened.filter((size) => size === 9), opened.filter((size) => size === 8)]).toEqual([[9], [8]]);
      const { body } = await hog.get<DocumentRow[]>(`/api/batches/${id}/documents`);
      expect(body.map(({ fileName, fromPage, toPage }) => `${fileName} ${fromPage}-${toPage}`)).toEqual([
        'before.txt 1-1',
        'scans.pdf 1-5',
        'after.txt 1-1',
      ]);
      // Nobody asks for it any more.
      expect(await kept()).toEqual([]);
    },
  );

  it('G53: a new text is found while another person’s files are read', async () => {
    for (let nth = 0; nth < 4; nth += 1) await send(hog, `slow ${nth}.txt`, 'x '.repeat(SLOW_BYTES + nth));
    watchReading();
    await app.context.jobs.start();
    await vi.waitFor(() => expect(read.order).toHaveLength(1), WITHIN);
    expect(await left('files_to_read')).toHaveLength(4);
    read.go.resolve();
    await vi.waitFor(async () => expect(await left('files_to_read')).toEqual([]), WITHIN);
    await app.context.jobs.stop();
    // Whoever came second is second, however much the first one sent.
    read.order.length = 0;
    for (let nth = 0; nth < 4; nth += 1) await send(hog, `again ${nth}.txt`, 'y '.repeat(1_000 + nth));
    await send(other, 'quick.txt', 'sanderling');
    read = { order: [], go: Promise.withResolvers() };
    heldFrom = 2_000;
    await app.context.jobs.start();
    // Beside the newest of the first one's, whichever of the two begins.
    await vi.waitFor(() => expect(read.order.toSorted()).toEqual(['10', '2006']), WITHIN);
    read.go.resolve();
    await vi.waitFor(async () => expect(await left('files_to_read')).toEqual([]), WITHIN);
    expect(await namesFound('sanderling')).toEqual(['quick.txt']);
  });

  it('G114: a new text is found while pictures of others are recognised, however many send them', async () => {
    const recognised = Promise.withResolvers<never[]>();
    vi.spyOn(WordReader.prototype, 'in').mockImplementation(() => recognised.promise);
    await send(hog, 'scans.pdf', noisyScans(2));
    await send(app.admin, 'picture.gif', gifOf(bitmapPage(['TOTAL'])));
    await judgeNothing();
    await app.context.jobs.start();
    await send(other, 'quick.txt', 'sanderling');
    await vi.waitFor(async () => expect(await namesFound('sanderling')).toEqual(['quick.txt']), WITHIN);
    expect(await left('files_to_read')).toHaveLength(2);
    recognised.resolve([]);
    await vi.waitFor(async () => expect(await left('files_to_read')).toEqual([]), WITHIN);
  });

  itInFull('G114: and while files of others take long to be read', { timeout: 180_000 }, async () => {
    // Sent by people for whom the wrong-client guard waits no longer than in use.
    const waits = { ...patience };
    onTestFinished(() => void Object.assign(patience, waits));
    patience.readMs = 3_000;
    const [, slow] = pdfBombs().find(([what]) => what === 'drawings of drawings') as [string, Uint8Array];
    for (const by of [hog, app.admin]) await send(by, 'slow.pdf', slow);
    await judgeNothing();
    await app.context.jobs.start();
    await send(other, 'quick.txt', 'sanderling');
    await vi.waitFor(async () => expect(await namesFound('sanderling')).toEqual(['quick.txt']), WITHIN);
    const waiting = await app.database.reader.selectFrom('files_to_read').select('takes_long').execute();
    expect(waiting).toEqual([{ takes_long: 1 }, { takes_long: 1 }]);
  });

  it('G114: a file whose bytes are gone keeps no other from being found', async () => {
    const { blobs } = app.context.services;
    const readBlob = blobs.read.bind(blobs);
    const gone = 'cannot be found any more';
    vi.spyOn(blobs, 'read').mockImplementation(async (blob, ...more) => {
      if (blob.sizeBytes === gone.length) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      return readBlob(blob, ...more);
    });
    await send(hog, 'gone.txt', gone);
    for (let nth = 0; nth < 4; nth += 1) await send(other, `quick ${nth}.txt`, 'sanderling');
    await app.context.jobs.start();
    await vi.waitFor(async () => expect(await namesFound('sanderling')).toHaveLength(4), WITHIN);
    await vi.waitFor(async () => expect(await left('files_to_read')).toHaveLength(1), WITHIN);
    const row = await app.database.reader.selectFrom('files_to_read').select('attempts').executeTakeFirst();
    expect(row?.attempts).toBeGreaterThan(0);
  });

  it('a store that is away for long leaves no file unread or without a judgement', async () => {
    const { id, uploadedById } = await send(hog, 'waits.txt', 'sanderling');
    await judgeNothing();
    const row = { file_id: id, attempts: 0, person_id: uploadedById ?? 0 };
    await app.database.transaction((tx) => tx.insertInto('files_to_judge').values(row).execute());
    vi.spyOn(app.context.services.blobs, 'read').mockImplementation(async () => {
      throw refuse('unavailable');
    });
    await app.context.jobs.start();
    const failed = app.database.reader.selectFrom('jobs').select('kind').where('error', 'is not', null);
    await vi.waitFor(async () => {
      const kinds = (await failed.execute()).map(({ kind: failedKind }) => failedKind);
      expect(kinds).toEqual(expect.arrayContaining(['files.texts', 'files.marks']));
    }, WITHIN);
    for (const table of ['files_to_read', 'files_to_judge'] as const) {
      const waiting = await app.database.reader.selectFrom(table).select(['file_id', 'attempts']).execute();
      expect([table, waiting]).toEqual([table, [{ file_id: id, attempts: 0 }]]);
    }
  });

  it('a file whose key is gone keeps no other of its sender from being read, and is judged after them', async () => {
    const gone = 'sealed under a key';
    const sent: FileRow[] = [];
    for (const [name, bytes] of [
      ['oldest.txt', `${gone} 1`],
      ['quick.txt', 'sanderling'],
      ['newest.txt', `${gone} 2`],
    ] as const)
      sent.push(await send(hog, name, bytes));
    const [oldest] = sent;
    await judgeNothing();
    await app.database.transaction(async (tx) => {
      for (const { id, uploadedById } of sent) {
        const row = { file_id: id, attempts: 0, person_id: uploadedById ?? 0 };
        await tx.insertInto('files_to_judge').values(row).execute();
      }
    });
    const { blobs } = app.context.services;
    const readBlob = blobs.read.bind(blobs);
    vi.spyOn(blobs, 'read').mockImplementation(async (blob, ...more) => {
      if (blob.sizeBytes !== gone.length + 2) return readBlob(blob, ...more);
      throw refuseCausedBy(new MissingKey('Key 1 of the stored files is missing.'), 'unavailable');
    });
    await app.context.jobs.start();
    await vi.waitFor(async () => expect(await namesFound('sanderling')).toEqual(['quick.txt']), WITHIN);
    await vi.waitFor(async () => {
      const tried = app.database.reader.selectFrom('files_to_judge').select('file_id').where('attempts', '>', 0);
      expect(await tried.execute()).toEqual([{ file_id: oldest?.id }]);
      const failed = app.database.reader.selectFrom('jobs').select('kind').where('error', 'is not', null);
      expect(await failed.execute()).toContainEqual({ kind: 'files.marks' });
    }, WITHIN);
  });

  it('G53: uploads that are judged afterwards are judged in turn', async () => {
    const sent: FileRow[] = [];
    for (let nth = 0; nth < 3; nth += 1) sent.push(await send(hog, `hog ${nth}.txt`, 'y '.repeat(1_000 + nth)));
    sent.push(await send(other, 'quick.txt', 'sanderling'));
    await app.database.transaction(async (tx) => {
      await tx.deleteFrom('files_to_read').execute();
      for (const { id, uploadedById } of sent) {
        const row = { file_id: id, attempts: 0, person_id: uploadedById ?? 0 };
        await tx.insertInto('files_to_judge').values(row).execute();
      }
    });
    watchReading();
    heldFrom = 2_000;
    await app.context.jobs.start();
    // Which of two people who are served at once is first, nobody says.
    await vi.waitFor(() => expect(read.order.toSorted()).toEqual(['10', '2000']), WITHIN);
    read.go.resolve();
    await vi.waitFor(async () => expect(await left('files_to_judge')).toEqual([]), WITHIN);
    expect(read.order.slice(2)).toEqual(['2002', '2004']);
  });

  itOnAny(kind)('G53: recognising ends with its file, and goes on in turns where it stays', async () => {
    const pictures = vi.spyOn(WordReader.prototype, 'in').mockImplementation(async () => []);
    const scans = await send(hog, 'scans.pdf', noisyScans(10));
    await judgeNothing();
    await app.context.jobs.start();
    await vi.waitFor(async () => expect(await left('files_to_read')).toEqual([]), WITHIN);
    await app.context.jobs.stop();
    // Two pages from all sides, and each of the others from one, though they are read three at a time.
    expect(pictures.mock.calls.length).toBe(16);

    pictures.mockClear();
    pictures.mockImplementation(async () => {
      if (pictures.mock.calls.length === 1) await app.admin.delete(`/api/files/${again.id}`);
      return [];
    });
    const again = await send(hog, 'again.pdf', noisyScans(11));
    expect(again.id).not.toBe(scans.id);
    await judgeNothing();
    await app.context.jobs.start();
    await vi.waitFor(async () => expect(await left('files_to_read')).toEqual([]), WITHIN);
    await app.context.jobs.stop();
    expect(pictures.mock.calls.length).toBe(4);
  });
});

// ZIPs that are dropped into a batch, over HTTP: opened, and none of those that are there to do harm.
import { randomBytes } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { zipFaults } from '#contract/batch-words.ts';
import type { BatchDetails, BatchFileAdded, BatchRow, DocumentRow } from '#contract/batches.ts';
import type { ClientRow } from '#contract/clients.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { addUser, type Firm } from '../testing/firm.ts';
import type { Caller, TestApp } from '../testing/test-app.ts';
import { ANY_DATABASE_KIND } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';
import { zipOf } from '../testing/zip-of.ts';

const MEGABYTE = 1024 * 1024;
const MAX_BYTES = 20 * MEGABYTE;

/** The same ZIP with other words in it: names that no honest program writes, other sums and flags. */
function changed(zip: Buffer, from: string | Buffer, to: string | Buffer): Buffer {
  const [old, next] = [Buffer.from(from), Buffer.from(to)];
  expect(next).toHaveLength(old.length);
  const bytes = Buffer.from(zip);
  for (let at = bytes.indexOf(old); at >= 0; at = bytes.indexOf(old, at + 1)) next.copy(bytes, at);
  return bytes;
}

/** Bytes of which one in fifteen cannot be packed. */
const loose = (size: number) => Buffer.concat([randomBytes(size / 15), Buffer.alloc(size - size / 15)]);

/** One entry that unpacks to `times` as many zeros, each named in the table of contents as the same bytes. */
function overlapping(count: number, size: number): Buffer {
  const packed = deflateRawSync(Buffer.alloc(size));
  const head = Buffer.alloc(31);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(packed.length, 18);
  head.writeUInt32LE(size, 22);
  head.writeUInt16LE(1, 26);
  head.write('a', 30);
  const central = Buffer.alloc(47);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(20, 4);
  central.writeUInt16LE(20, 6);
  central.writeUInt16LE(8, 10);
  central.writeUInt32LE(packed.length, 20);
  central.writeUInt32LE(size, 24);
  central.writeUInt16LE(1, 28);
  central.write('a', 46);
  const contents = Buffer.concat(Array.from({ length: count }, () => central));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(contents.length, 12);
  end.writeUInt32LE(head.length + packed.length, 16);
  return Buffer.concat([head, packed, contents, end]);
}

describe.each(ANY_DATABASE_KIND)('ZIPs in batches on %s', { timeout: 60_000 }, (kind) => {
  let app: TestApp;
  let firm: Firm;
  let caller: Caller;
  let batchId: number;

  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, { MAX_UPLOAD_BYTES: String(MAX_BYTES) }));
    ({ caller } = await addUser(app, 'processor', firm.roles.cpa, {
      clientIds: [...firm.clients],
      reportTypeIds: [...firm.reportTypes],
    }));
  });
  afterAll(() => app.close());

  const begin = async () => {
    batchId = (await caller.post<BatchRow>('/api/batches', { name: 'Pay run' })).body.id;
  };
  const send = (bytes: Buffer, name = 'payrun.zip') =>
    caller.upload<BatchFileAdded & ErrorBody>({ path: `/api/batches/${batchId}/files`, name, bytes, fields: {} });
  const files = async () => (await caller.get<BatchDetails>(`/api/batches/${batchId}`)).body.files;
  async function storedKeys(): Promise<string[]> {
    const keys: string[] = [];
    for await (const { storageKey } of app.context.services.blobs.list()) keys.push(storageKey);
    return keys.sort();
  }

  it('become files of the batch; folders, the same bytes, empty ones and ZIPs inside are said', async () => {
    await begin();
    const before = await storedKeys();
    const inner = await zipOf([['x.txt', 'inside']]);
    const zip = await zipOf([
      ['March/', ''],
      ['March/alpha.txt', 'alpha'],
      ['March/beta.csv', 'a,b\n1,2'],
      ['copy of alpha.txt', 'alpha'],
      ['empty.txt', ''],
      ['last month.zip', inner],
      ['__MACOSX/._alpha.txt', 'finder'],
      ['March/.DS_Store', 'finder'],
    ]);
    const { status, body } = await send(zip);
    expect(status).toBe(201);
    expect(body).toMatchObject({ file: null, alreadyThere: false });
    expect(body.opened?.taken.map(({ name, contentType }) => [name, contentType])).toEqual([
      ['alpha.txt', 'text/plain'],
      ['beta.csv', 'text/csv'],
    ]);
    expect(body.opened?.alreadyThere).toEqual([{ path: 'copy of alpha.txt', name: 'alpha.txt' }]);
    expect(body.opened?.leftOut).toEqual([
      { path: 'empty.txt', reason: 'empty' },
      { path: 'last month.zip', reason: 'zipInZip' },
    ]);
    expect((await files()).map(({ name, state }) => [name, state])).toEqual([
      ['alpha.txt', 'waiting'],
      ['beta.csv', 'waiting'],
    ]);
    const content = await caller.fetch(`/api/files/batches/${(await files())[1]?.id}/content`);
    expect(await content.text()).toBe('a,b\n1,2');
    // The two files, and neither the ZIP nor the copy.
    expect((await storedKeys()).length - before.length).toBe(2);
    // The batch tells it too, to whoever opens it later.
    const details = async () => (await caller.get<BatchDetails>(`/api/batches/${batchId}`)).body;
    const leftOut = [
      { name: 'payrun.zip/empty.txt', reason: 'empty' },
      { name: 'payrun.zip/last month.zip', reason: 'zipInZip' },
    ];
    expect(await details()).toMatchObject({ batch: { files: 2, leftOut: 2 }, leftOut });
    await send(zip);
    expect((await details()).leftOut).toEqual(leftOut);
    // The same again brings nothing.
    const again = await send(await zipOf([['other/alpha.txt', 'alpha']]));
    expect(again.body.opened).toEqual({
      taken: [],
      alreadyThere: [{ path: 'other/alpha.txt', name: 'alpha.txt' }],
      leftOut: [],
    });
    expect((await storedKeys()).length - before.length).toBe(2);
  });

  it('names are read as whoever packed it wrote them, and what Macs keep beside files or is hidden is left out by name', async () => {
    await begin();
    const zip = await zipOf([
      ['Zoe1 Cafe1.txt', 'utf-8 without its flag'],
      ['Zoe4.txt', 'as older Windows wrote'],
      ['March/._hidden.txt', 'finder'],
      ['._Register.pdf', 'finder'],
      ['March/.old/run.txt', 'put aside'],
      ['.register.txt', 'hidden'],
    ]);
    // The flag of every entry is taken away, in both places.
    const plain = Buffer.from(zip);
    for (const [mark, at] of [
      ['PK\x03\x04', 6],
      ['PK\x01\x02', 8],
    ] as const) {
      for (let from = plain.indexOf(mark); from >= 0; from = plain.indexOf(mark, from + 1)) plain[from + at + 1] = 0;
    }
    const utf8 = changed(changed(plain, 'Zoe1', Buffer.from('Zoë')), 'Cafe1', Buffer.from('Café'));
    const { body } = await send(changed(utf8, 'Zoe4', Buffer.from([0x5a, 0x6f, 0x89, 0x34])));
    expect(body.opened?.taken.map(({ name }) => name)).toEqual(['Zoë Café.txt', 'Zoë4.txt']);
    expect(body.opened?.leftOut).toEqual([
      { path: 'March/_hidden.txt', reason: 'resourceFork' },
      { path: '_Register.pdf', reason: 'resourceFork' },
      { path: 'March/old/run.txt', reason: 'hidden' },
      { path: 'register.txt', reason: 'hidden' },
    ]);
  });

  it('G37: of a name that leads elsewhere the last part is kept', async () => {
    await begin();
    const zip = await zipOf([
      ['aa/aa/etc/passwd', 'one'],
      ['bbaWindowsbsystem.txt', 'two'],
    ]);
    const evil = changed(changed(zip, 'aa/aa/etc', '../../etc'), 'bbaWindowsbsystem', 'C:\\Windows\\system');
    const { body } = await send(evil);
    expect(body.opened?.taken.map(({ name }) => name)).toEqual(['passwd', 'system.txt']);
  });

  it('G37: a ZIP that unpacks to too much, or holds too much, is refused and leaves nothing behind', async () => {
    await begin();
    const before = await storedKeys();
    const refused: [string, Buffer, string][] = [
      ['a bomb', await zipOf([['zeros', Buffer.alloc(15 * MEGABYTE)]]), zipFaults.tooTight],
      ['entries that share their bytes', overlapping(30, MEGABYTE), zipFaults.tooTight],
      [
        'more than is unpacked at once',
        await zipOf([0, 1, 2].map((nth) => [`${nth}`, loose(15 * MEGABYTE)] as const)),
        zipFaults.tooLarge,
      ],
      [
        '10,000 entries',
        await zipOf(Array.from({ length: 10_000 }, (_, nth) => [`${nth}.txt`, `${nth}`] as const)),
        zipFaults.tooManyEntries,
      ],
      ['none at all', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(500)]), zipFaults.damaged],
    ];
    for (const [about, bytes, sentence] of refused) {
      const { status, body } = await send(bytes);
      expect([about, status, body.fields]).toEqual([about, 400, { file: sentence }]);
    }
    const many = await zipOf(Array.from({ length: 501 }, (_, nth) => [`${nth}.txt`, `${nth}`] as const));
    expect((await send(many)).body.code).toBe('batch_files_max');
    expect(await files()).toEqual([]);
    expect(await storedKeys()).toEqual(before);
  });

  it('G55: more files than a batch takes are counted in the table of contents, and nothing else of the ZIP is read', async () => {
    await begin();
    const read = vi.spyOn(app.context.services.blobs, 'read');
    for (const folder of ['', 'March/']) {
      const many = await zipOf(Array.from({ length: 1_900 }, (_, nth) => [`${folder}${nth}.txt`, `${nth}`] as const));
      read.mockClear();
      expect((await send(many)).body.code).toBe('batch_files_max');
      // The end, and the table in a few pieces, wherever they are: none for each file.
      expect(read.mock.calls.length).toBeLessThan(10);
    }
    read.mockRestore();
    expect(await files()).toEqual([]);
  });

  it('G37: what lies about its size or sum, or is encrypted, is left out by name, and the rest is taken', async () => {
    await begin();
    const before = await storedKeys();
    const honest = Buffer.from('honest');
    const zip = await zipOf([
      ['good.txt', 'good'],
      ['lying.txt', honest],
    ]);
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(crc32(honest));
    const { body } = await send(changed(zip, sum, Buffer.from([1, 2, 3, 4])));
    expect(body.opened?.leftOut).toEqual([{ path: 'lying.txt', reason: 'damaged' }]);
    expect(body.opened?.taken.map(({ name }) => name)).toEqual(['good.txt']);

    const locked = await zipOf([['locked.txt', 'secret'.repeat(100)]]);
    // The flag of both heads of the entry.
    for (const [head, flags] of [
      [0x04034b50, 6],
      [0x02014b50, 8],
    ] as const) {
      const mark = Buffer.alloc(4);
      mark.writeUInt32LE(head);
      const at = locked.indexOf(mark) + flags;
      locked.writeUInt16LE(locked.readUInt16LE(at) | 1, at);
    }
    expect((await send(locked)).body.opened?.leftOut).toEqual([{ path: 'locked.txt', reason: 'encrypted' }]);

    // Says 10 bytes, and unpacks to a megabyte.
    const small = Buffer.alloc(4);
    small.writeUInt32LE(10);
    const large = Buffer.alloc(4);
    large.writeUInt32LE(MEGABYTE);
    const liar = changed(overlapping(1, MEGABYTE), large, small);
    expect((await send(liar)).body.opened?.leftOut).toEqual([{ path: 'a', reason: 'damaged' }]);
    expect((await storedKeys()).length - before.length).toBe(1);
  });

  it('a workbook in one is read, and proposed for the client whose name stands in its cells', async () => {
    await begin();
    const { body: known } = await caller.get<ClientRow[]>('/api/clients');
    const [company] = known;
    const cell = (words: string) => `<c t="inlineStr"><is><t>${words}</t></is></c>`;
    const rows = [
      [company?.name],
      ['Federal ID', company?.federalId],
      ['Payroll Journal'],
      ['Check Date', '11/20/2026'],
    ];
    const sheet = rows.map((cells) => `<row>${cells.map((words) => cell(words ?? '')).join('')}</row>`).join('');
    const book = await zipOf([
      ['docProps/app.xml', '<Properties/>'],
      ['xl/worksheets/sheet1.xml', `<worksheet><sheetData>${sheet}</sheetData></worksheet>`],
    ]);
    await send(await zipOf([['March/run.xlsx', book]]));
    await caller.post(`/api/batches/${batchId}/read`);
    await app.context.jobs.start();
    await vi.waitFor(
      async () => {
        const { body: documents } = await caller.get<DocumentRow[]>(`/api/batches/${batchId}/documents`);
        expect(documents).toMatchObject([{ fileName: 'run.xlsx', clientId: company?.id, period: '2026-11-20' }]);
      },
      { timeout: 30_000, interval: 50 },
    );
    await app.context.jobs.stop();
  });

  it('only what is called a ZIP is opened, and only where the batch takes files', async () => {
    await begin();
    const zip = await zipOf([['a.txt', `a ${Math.random()}`]]);
    expect((await send(zip, 'workbook.xyz')).body.file?.name).toBe('workbook.xyz');
    expect((await send(zip, 'really.zip')).body).toMatchObject({ alreadyThere: true, opened: null });
    const stranger = await addUser(app, 'stranger', firm.roles.cpa, { clientIds: [], reportTypeIds: [] });
    const path = `/api/batches/${batchId}/files`;
    expect((await stranger.caller.upload({ path, name: 'a.zip', bytes: zip, fields: {} })).status).toBe(404);
    await caller.post(`/api/batches/${batchId}/read`);
    expect((await send(await zipOf([['b.txt', 'b']]))).body.code).toBe('batch_not_adding');
  });
});

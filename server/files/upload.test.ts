// Uploads, downloads and deletions through the real server, on both engines: the bytes, the row and the log entry are one.
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import { enterBlob } from '../platform/blobs/blob-rows.ts';
import { eventually } from '../testing/eventually.ts';
import { clientInput, type Firm } from '../testing/firm.ts';
import type { Answer, Caller, TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { startTestFirm } from '../testing/test-firm.ts';
import { fileNameColumns, periodColumns } from './file-columns.ts';
import { purgeTrash } from './trash/purge.ts';

const KIB = 1024;
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');

/** Every file under the blob store, by its path within it. */
function storedPaths(app: TestApp): string[] {
  return readdirSync(join(app.config.dataDir, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(app.config.dataDir, 'blobs/').length))
    .sort();
}

/** Runs one statement that is no query, such as one that makes a trigger. */
async function run(app: TestApp, sql: string): Promise<void> {
  await app.database.transaction(async (tx) => {
    await tx.executeQuery({ ...tx.selectFrom('users').selectAll().compile(), sql, parameters: [] });
  });
}

/** From now on the log takes no entry of this action, until the returned function is called. */
async function refuseEntries(app: TestApp, action: string): Promise<() => Promise<void>> {
  const when = `when (new.action = '${action}')`;
  if (app.database.kind === 'sqlite') {
    await run(
      app,
      `create trigger no_entry before insert on activity ${when} begin select raise(abort, 'no entry'); end`,
    );
    return () => run(app, 'drop trigger no_entry');
  }
  await run(
    app,
    `create function no_entry() returns trigger language plpgsql as $$ begin raise exception 'no entry'; end $$`,
  );
  await run(app, `create trigger no_entry before insert on activity for each row ${when} execute function no_entry()`);
  return () => run(app, 'drop function no_entry cascade');
}

describe.each(DATABASE_KINDS)('an upload on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let fields: { clientId: number; fileType: string; reportTypeId: number };
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, { MAX_UPLOAD_BYTES: String(256 * KIB) }));
    fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] };
  });
  afterAll(() => app.close());

  /** What is stored: rows, the expected paths of their bytes and of those in the trash, the counters, the entries of uploads. */
  async function stored() {
    const { reader } = app.database;
    const rows = await reader.selectFrom('files').select(['id', 'storage_key']).orderBy('id').execute();
    const trashed = await reader.selectFrom('trash').select('storage_key').where('kind', '=', 'file').execute();
    const keys = [...rows, ...trashed].map(({ storage_key }) => storage_key ?? '');
    const counters = await reader.selectFrom('file_counts').select('n').execute();
    const uploads = await reader.selectFrom('activity').select('id').where('action', '=', 'upload').execute();
    return {
      ids: rows.map((row) => row.id),
      wanted: keys.map((key) => `${key.slice(0, 2)}/${key.slice(2, 4)}/${key}`).sort(),
      counted: counters.reduce((sum, row) => sum + row.n, 0),
      uploads: uploads.length,
    };
  }

  /** No row without bytes, no bytes without a row, nothing staged, every counter right. */
  async function expectWhole() {
    const state = await stored();
    expect(storedPaths(app)).toEqual(state.wanted);
    expect(state.counted).toBe(state.ids.length);
    return state;
  }

  /** Asserts that what `work` sent has left nothing behind. */
  async function leavesNothing(work: () => Promise<void>) {
    const before = await expectWhole();
    await work();
    // What is refused before its end may still be in the staging folder for a moment.
    await eventually(() => expect(storedPaths(app)).toEqual(before.wanted));
    expect(await stored()).toEqual(before);
  }

  const upload = <Body = FileRow>(
    more: Parameters<Caller['upload']>[0] | Omit<Parameters<Caller['upload']>[0], 'fields'> = {},
    by = app.admin,
  ) => by.upload<Body>({ fields, ...more });
  const download = async (id: number, how = '/download', init: RequestInit = {}) => {
    const response = await app.admin.fetch(`/api/files/${id}${how}`, init);
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  describe('that is good', () => {
    it.each([
      ['before', false],
      ['after', true],
    ])('is stored whole with its fields standing %s the file', async (_where, fileFirst) => {
      const bytes = randomBytes(100 * KIB);
      const { status, body } = await upload({ name: 'Register.bin', bytes, fileFirst });
      expect(status).toBe(201);
      expect(body).toEqual({
        id: expect.any(Number),
        originalName: 'Register.bin',
        size: bytes.length,
        contentType: 'application/octet-stream',
        sha256: sha256(bytes),
        uploadedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        createdAt: body.uploadedAt,
        uploadedById: 1,
        uploaderName: 'Administrator',
        clientId: firm.clients[0],
        clientName: 'Harbor & Pine Bakery LLC',
        reportTypeId: firm.reportTypes[0],
        reportTypeName: 'Payroll Journal',
        fileType: 'report',
        documentType: null,
        period: null,
        isNew: false,
        onHold: false,
        openedByOthers: null,
        corrects: null,
        correctedBy: null,
      });
      const got = await download(body.id);
      expect([got.status, got.bytes.equals(bytes)]).toEqual([200, true]);
      expect((await app.admin.get<FileRow[]>('/api/files?limit=1')).body).toEqual([body]);
      const { body: log } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?fileId=${body.id}&action=upload`);
      expect(log).toMatchObject([
        { details: 'Uploaded file: Register.bin', fileName: 'Register.bin', userName: 'Administrator' },
      ]);
      await expectWhole();
    });

    it('may be a report without a type, or a document with one', async () => {
      const { clientId } = fields;
      const untyped = await upload({ fields: { clientId, fileType: 'report', reportTypeId: '', documentType: '' } });
      expect([untyped.status, untyped.body.reportTypeId, untyped.body.reportTypeName]).toEqual([201, null, null]);
      const document = await upload({ fields: { clientId, fileType: 'company_document', documentType: 'Tax Return' } });
      expect([document.status, document.body.documentType]).toEqual([201, 'Tax Return']);
    });

    it('may be as large as the limit, also when its length is not announced', async () => {
      const bytes = randomBytes(256 * KIB);
      const { status, body } = await upload({ bytes });
      expect([status, body.size]).toEqual([201, 256 * KIB]);
      const streamed = await sendStreamed(bytes);
      expect([streamed.status, streamed.body.sha256]).toEqual([201, sha256(bytes)]);
    });

    it('may be sent by ten people at once', async () => {
      const files = Array.from({ length: 10 }, () => randomBytes(20 * KIB));
      const answers = await Promise.all(files.map((bytes, index) => upload({ name: `${index}.bin`, bytes })));
      expect(answers.map((answer) => [answer.status, answer.body.sha256])).toEqual(
        files.map((bytes) => [201, sha256(bytes)]),
      );
      await expectWhole();
    });

    it.each([
      ['a"b.pdf', 'a"b.pdf'],
      ['日本.pdf', '日本.pdf'],
      ["O'Brien & Söhne – 50% (1).pdf", "O'Brien & Söhne – 50% (1).pdf"],
      ['semi;colon, comma=.pdf', 'semi;colon, comma=.pdf'],
      ['\u{1F950} croissant.pdf', '\u{1F950} croissant.pdf'],
      [`${'n'.repeat(196)}.pdf`, `${'n'.repeat(176)}.pdf`],
      [`${'日'.repeat(196)}.pdf`, `${'日'.repeat(58)}.pdf`],
      ['C:\\Users\\me\\W-2.pdf', 'W-2.pdf'],
      ['../../etc/passwd', 'passwd'],
      ['cafe\u0301.pdf', 'café.pdf'],
      ['gpj.\u202efdp.exe', 'gpj.fdp.exe'],
    ])('keeps the name %s and gives it back', async (name, kept) => {
      const { status, body } = await upload({ name, bytes: PDF });
      expect([status, body.originalName]).toEqual([201, kept]);
      for (const how of ['', '/download', '/view']) {
        const { headers, bytes } = await download(body.id, how);
        const disposition = headers.get('content-disposition') ?? '';
        expect(disposition).toMatch(how === '/view' ? /^inline; / : /^attachment; /);
        expect(nameIn(disposition)).toBe(kept);
        expect(bytes.equals(PDF)).toBe(true);
      }
      const text = encodeURIComponent(kept.slice(0, 20).toUpperCase());
      expect((await app.admin.get<FileRow[]>(`/api/files?q=${text}`)).body.map((file) => file.id)).toContain(body.id);
    });

    it('names a quote and another script as the RFCs say', async () => {
      const dispositionOf = async (name: string) => {
        const { body } = await upload({ name, bytes: PDF });
        return (await download(body.id)).headers.get('content-disposition');
      };
      expect(await dispositionOf('a"b.pdf')).toBe('attachment; filename="a\\"b.pdf"');
      expect(await dispositionOf('日本.pdf')).toBe(
        `attachment; filename="??.pdf"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.pdf`,
      );
    });

    it('is what its bytes say, and is never shown when they could do harm', async () => {
      for (const [name, bytes, contentType, sent, shown] of [
        ['real.PDF', PDF, 'application/pdf', 'application/pdf', true],
        ['page.pdf', '<!doctype html><script>alert(1)</script>', 'text/html', 'application/octet-stream', false],
        ['late.pdf', '\n\n  <html><body>hello</body></html>', 'text/html', 'application/octet-stream', false],
        ['image.png', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml', 'application/octet-stream', false],
        ['notes.html', 'nothing but words', 'text/plain', 'text/plain; charset=utf-8', true],
        [
          'program.pdf',
          Buffer.from('MZ\u0090\u0000\u0003\u0000\u0000\u0000', 'latin1'),
          null,
          'application/octet-stream',
          false,
        ],
      ] as const) {
        const { body } = await upload({ name, bytes });
        if (contentType !== null) expect([name, body.contentType]).toEqual([name, contentType]);
        for (const how of ['/view', '?view=true']) {
          const { headers } = await download(body.id, how);
          expect([name, headers.get('content-type')]).toEqual([name, sent]);
          expect([name, headers.get('content-disposition')?.split(';')[0]]).toEqual([
            name,
            shown ? 'inline' : 'attachment',
          ]);
          expect(headers.get('x-content-type-options')).toBe('nosniff');
          expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
          expect(headers.get('cache-control')).toBe('private, no-store');
        }
      }
    });

    it('is served to HEAD and in ranges', async () => {
      const bytes = randomBytes(5_000);
      const { body } = await upload({ bytes });
      const head = await download(body.id, '/download', { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length'), head.bytes.length]).toEqual([200, '5000', 0]);
      const range = (value: string) => download(body.id, '/download', { headers: { range: value } });
      for (const [value, start, end] of [
        ['bytes=0-0', 0, 1],
        ['bytes=100-199', 100, 200],
        ['bytes=4999-', 4_999, 5_000],
        ['bytes=-1', 4_999, 5_000],
        ['bytes=4000-9999', 4_000, 5_000],
      ] as const) {
        const { status, headers, bytes: part } = await range(value);
        expect([value, status, headers.get('content-range')]).toEqual([value, 206, `bytes ${start}-${end - 1}/5000`]);
        expect(part.equals(bytes.subarray(start, end))).toBe(true);
      }
      const outside = await range('bytes=5000-');
      expect([outside.status, outside.headers.get('content-range')]).toEqual([416, 'bytes */5000']);
    });
  });

  describe('with a checksum', () => {
    const bytes = 'summed up';
    it('is accepted when it matches', async () => {
      const headers = { 'x-content-sha256': sha256(bytes).toUpperCase() };
      expect((await upload({ bytes, headers })).status).toBe(201);
    });

    it.each([
      ['differs', sha256('other'), 'checksum_mismatch'],
      ['is too short', 'abc', 'invalid'],
      ['is no hexadecimal', 'z'.repeat(64), 'invalid'],
    ])('that %s is refused', async (_how, digest, code) => {
      await leavesNothing(async () => {
        const { status, body } = await upload<ErrorBody>({ bytes, headers: { 'x-content-sha256': digest } });
        expect([status, body.code]).toEqual([400, code]);
      });
    });
  });

  it('sent twice without a key is two files', async () => {
    const [first, second] = [await upload({ bytes: 'same' }), await upload({ bytes: 'same' })];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.id).toBeGreaterThan(first.body.id);
    await expectWhole();
  });

  describe('with an Idempotency-Key', () => {
    let key: Record<string, string>;
    beforeEach(() => {
      key = { 'idempotency-key': randomBytes(12).toString('hex') };
    });

    it('sent twice is one file and one entry', async () => {
      const before = await stored();
      const first = await upload({ name: 'once.txt', bytes: 'same', headers: key });
      const second = await upload({ name: 'once.txt', bytes: 'same', headers: key, fileFirst: true });
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.body).toEqual(first.body);
      const after = await expectWhole();
      expect([after.ids.length - before.ids.length, after.uploads - before.uploads]).toEqual([1, 1]);
    });

    it('sent five times at once is one file and one entry', async () => {
      const before = await stored();
      const answers = await Promise.all(Array.from({ length: 5 }, () => upload({ bytes: 'same', headers: key })));
      expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201, 201]);
      expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
      const after = await expectWhole();
      expect([after.ids.length - before.ids.length, after.uploads - before.uploads]).toEqual([1, 1]);
    });

    it('reused for something else is refused', async () => {
      const [, c3] = [firm.clients[0], firm.clients[2]];
      expect((await upload({ bytes: 'same', headers: key })).status).toBe(201);
      await leavesNothing(async () => {
        for (const other of [
          { bytes: 'other' },
          { bytes: 'same', fields: { ...fields, clientId: c3 } },
          { bytes: 'same', fields: { ...fields, reportTypeId: firm.reportTypes[1] } },
          { bytes: 'same', fields: { clientId: fields.clientId, fileType: 'company_document' } },
        ]) {
          const { status, body } = await upload<ErrorBody>({ ...other, headers: key });
          expect([status, body.code]).toEqual([422, 'idempotency_mismatch']);
        }
      });
    });

    it('is one key for each person', async () => {
      const own = await upload({ bytes: 'same', headers: key });
      const others = await upload({ bytes: 'same', headers: key }, firm.viewers.cpa);
      expect([own.status, others.status]).toEqual([201, 201]);
      expect(others.body.id).not.toBe(own.body.id);
    });

    it.each([
      ['of 201 characters', 'k'.repeat(201)],
      ['with a space', 'two words'],
      ['that is empty', ''],
    ])('%s is refused', async (_how, value) => {
      await leavesNothing(async () => {
        expect((await upload({ headers: { 'idempotency-key': value } })).status).toBe(400);
      });
    });
  });

  /** A multipart body part by part, as no form would write it. */
  const formOf = (parts: readonly string[], end = '--b--\r\n') =>
    parts.map((part) => `--b\r\n${part}\r\n`).join('') + end;
  const field = (name: string, value: string | number) =>
    `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
  const file = (name: string, content: string) =>
    `Content-Disposition: form-data; name="${name}"; filename="x.txt"\r\nContent-Type: text/plain\r\n\r\n${content}`;
  async function sendForm(body: string, type = 'multipart/form-data; boundary=b'): Promise<Answer<ErrorBody>> {
    const response = await app.admin.fetch('/api/files', { method: 'POST', body, headers: { 'content-type': type } });
    return { status: response.status, headers: response.headers, body: (await response.json()) as ErrorBody };
  }
  const goodFields = () => Object.entries(fields).map(([name, value]) => field(name, value));

  /** Sends the bytes in chunks, without a length. */
  async function sendStreamed(bytes: Uint8Array): Promise<Answer<FileRow & ErrorBody>> {
    const head = `${goodFields()
      .map((part) => `--b\r\n${part}\r\n`)
      .join('')}--b\r\nContent-Disposition: form-data; name="file"; filename="x.bin"\r\n\r\n`;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from(head));
        for (let at = 0; at < bytes.length; at += 64 * KIB) controller.enqueue(bytes.subarray(at, at + 64 * KIB));
        controller.enqueue(Buffer.from('\r\n--b--\r\n'));
        controller.close();
      },
    });
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const response = await app.admin.fetch('/api/files', {
      method: 'POST',
      body,
      headers,
      duplex: 'half',
    } as RequestInit);
    return { status: response.status, headers: response.headers, body: (await response.json()) as FileRow & ErrorBody };
  }

  describe('that is bad', () => {
    it('is good when written by hand as these tests write it', async () => {
      expect((await sendForm(formOf([...goodFields(), file('file', 'x')]))).status).toBe(201);
    });

    it.each<[string, () => string]>([
      ['has two files', () => formOf([...goodFields(), file('file', 'x'), file('file', 'y')])],
      ['has its file under another name', () => formOf([...goodFields(), file('document', 'x')])],
      ['has no file', () => formOf(goodFields())],
      ['has an empty file', () => formOf([...goodFields(), file('file', '')])],
      ['has a field twice', () => formOf([...goodFields(), field('clientId', 2), file('file', 'x')])],
      ['has a field twice, around the file', () => formOf([...goodFields(), file('file', 'x'), field('clientId', 2)])],
      [
        'has many fields',
        () =>
          formOf([...goodFields(), ...Array.from({ length: 1_000 }, (_, n) => field(`f${n}`, n)), file('file', 'x')]),
      ],
      [
        'has a long field',
        () => formOf([...goodFields(), field('documentType', 'x'.repeat(5_000)), file('file', 'x')]),
      ],
      ['has a field with a long name', () => formOf([...goodFields(), field('n'.repeat(200), 'x'), file('file', 'x')])],
      ['has a field __proto__', () => formOf([...goodFields(), field('__proto__', 'x'), file('file', 'x')])],
      [
        'has a nameless field',
        () => formOf([...goodFields(), 'Content-Disposition: form-data\r\n\r\nx', file('file', 'x')]),
      ],
      ['has no last boundary', () => formOf([...goodFields(), file('file', 'x')], '')],
      [
        'stops within the file',
        () => formOf([...goodFields(), file('file', 'x'.repeat(50_000))], '').slice(0, -30_000),
      ],
      ['is empty', () => ''],
      ['is no multipart', () => 'clientId=1&fileType=report'],
    ])('%s', async (_what, body) => {
      await leavesNothing(async () => {
        const answer = await sendForm(body());
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({ message: expect.stringMatching(/\S{3}/), code: 'invalid' });
      });
    });

    it('names what is missing', async () => {
      const messageOf = async (parts: string[]) => (await sendForm(formOf(parts))).body.message;
      expect(await messageOf(goodFields())).toBe('Please select at least one file to upload');
      expect(await messageOf([field('fileType', 'report'), file('file', 'x')])).toBe('Please select a client');
      expect(await messageOf([...goodFields(), file('file', '')])).toBe('The file is empty');
    });

    it('is too large by a byte', async () => {
      await leavesNothing(async () => {
        const answers = [
          await upload<ErrorBody>({ bytes: randomBytes(256 * KIB + 1) }),
          await upload<ErrorBody>({ bytes: randomBytes(256 * KIB + 1), fileFirst: true }),
          await sendStreamed(randomBytes(256 * KIB + 1)),
        ];
        for (const { status, body } of answers) {
          expect([status, body.code]).toEqual([413, 'file_too_large']);
          expect(body.message).toBe('The file is larger than 0.25 MB, the most this server accepts.');
        }
      });
    });

    it('names what is out of reach or is not there', async () => {
      await leavesNothing(async () => {
        const [c1, c2] = firm.clients;
        const [t1, , t3] = firm.reportTypes;
        for (const [by, sent, status] of [
          [app.admin, { clientId: 999_999, fileType: 'report' }, 404],
          [app.admin, { clientId: c1, fileType: 'report', reportTypeId: 999_999 }, 404],
          [firm.viewers.cpa, { clientId: c2, fileType: 'report', reportTypeId: t1 }, 403],
          [firm.viewers.cpa, { clientId: 999_999, fileType: 'report', reportTypeId: t1 }, 403],
          [firm.viewers.cpa, { clientId: c1, fileType: 'report', reportTypeId: t3 }, 403],
          [firm.viewers.clientA, { clientId: c1, fileType: 'report', reportTypeId: t1 }, 403],
          [firm.viewers.bookkeeper, { clientId: c1, fileType: 'company_document' }, 403],
          [app.anonymous, { clientId: c1, fileType: 'report' }, 401],
        ] as const) {
          for (const fileFirst of [false, true]) {
            expect([sent, (await upload({ fields: sent, fileFirst }, by)).status]).toEqual([sent, status]);
          }
        }
      });
    });

    it('is cut off by its sender', async () => {
      await leavesNothing(async () => {
        const before = storedPaths(app).length;
        const outgoing = httpRequest(`${app.origin}/api/files`, {
          method: 'POST',
          headers: { authorization: `Bearer ${app.admin.token}`, 'content-type': 'multipart/form-data; boundary=b' },
        });
        outgoing.on('error', () => {});
        outgoing.write(`${formOf(goodFields(), '')}--b\r\n${file('file', 'x'.repeat(100_000))}`);
        await eventually(() => expect(storedPaths(app).length).toBe(before + 1));
        outgoing.destroy();
      });
    });
  });

  describe('and its entry in the log', () => {
    it('F2: are nothing when the entry cannot be written', async () => {
      const restore = await refuseEntries(app, 'upload');
      try {
        await leavesNothing(async () => {
          for (const headers of [{}, { 'idempotency-key': 'with-a-key' }]) {
            const { status, body } = await upload<ErrorBody>({
              bytes: 'never recorded',
              headers: headers as Record<string, string>,
            });
            expect([status >= 500, body.message]).toEqual([true, 'Internal Server Error']);
            expect(JSON.stringify(body)).not.toContain('no entry');
          }
        });
      } finally {
        await restore();
      }
      const retried = await upload({ bytes: 'never recorded', headers: { 'idempotency-key': 'with-a-key' } });
      expect(retried.status).toBe(201);
    });

    it.each([
      ['download', '/download'],
      ['download', ''],
      ['view', '/view'],
      ['view', '?view=true'],
    ])('F2: a %s by %s serves no byte without an entry in the log', async (action, how) => {
      const bytes = `secret ${'s'.repeat(2_000)}`;
      const { body: row } = await upload({ bytes });
      const restore = await refuseEntries(app, action);
      try {
        for (const init of [{}, { headers: { range: 'bytes=0-99' } }]) {
          const { status, headers, bytes: got } = await download(row.id, how, init);
          expect(status).toBeGreaterThanOrEqual(500);
          expect(headers.get('content-type')).toMatch(/^application\/json/);
          expect(headers.get('content-disposition')).toBeNull();
          expect(got.toString()).not.toContain('secret');
          expect(got.toString()).not.toContain('sss');
        }
      } finally {
        await restore();
      }
      expect((await download(row.id, how)).bytes.toString()).toBe(bytes);
    });

    it('F2: stay when the deletion cannot be recorded', async () => {
      const { body: row } = await upload({ bytes: 'still here' });
      const restore = await refuseEntries(app, 'delete');
      try {
        expect((await app.admin.delete(`/api/files/${row.id}`)).status).toBeGreaterThanOrEqual(500);
        expect((await app.admin.delete(`/api/clients/${firm.clients[0]}`)).status).toBeGreaterThanOrEqual(500);
      } finally {
        await restore();
      }
      expect((await download(row.id)).bytes.toString()).toBe('still here');
      await expectWhole();
    });
  });

  describe('and its deletion', () => {
    it('F9: take the row, the bytes once the trash is purged, and the log keeps the name', async () => {
      const before = await expectWhole();
      const { body: row } = await upload({ name: 'gone.txt' });
      expect(storedPaths(app)).toHaveLength(before.wanted.length + 1);
      expect(await app.admin.delete(`/api/files/${row.id}`)).toMatchObject({ status: 204, body: undefined });
      expect(storedPaths(app)).toHaveLength(before.wanted.length + 1);
      await purgeTrash(app.database, app.context.services.blobs, app.now() + 31 * 24 * 60 * 60_000);
      expect((await expectWhole()).wanted).toEqual(before.wanted);
      for (const how of ['', '/download', '/view']) expect((await download(row.id, how)).status).toBe(404);
      expect((await app.admin.delete(`/api/files/${row.id}`)).status).toBe(404);
      const { body: log } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?fileId=${row.id}&sort=timestamp`);
      expect(log.map((entry) => entry.details)).toEqual([
        'Uploaded file: gone.txt',
        'Deleted file: gone.txt',
        `Purged file: gone.txt (SHA-256 ${row.sha256})`,
      ]);
      // The id is not given to another.
      const next = await upload();
      expect(next.body.id).toBeGreaterThan(row.id);
      await expectWhole();
    });

    it('happen once when asked for twice at once', async () => {
      const { body: row } = await upload();
      const answers = await Promise.all([0, 1, 2].map(() => app.admin.delete(`/api/files/${row.id}`)));
      expect(answers.map((answer) => answer.status).sort()).toEqual([204, 404, 404]);
      const { body: log } = await app.admin.get<ActivityRow[]>(`/api/activity-logs?fileId=${row.id}&action=delete`);
      expect(log).toHaveLength(1);
      await expectWhole();
    });

    it('of a client during uploads to it leave no dangling row or bytes', async () => {
      for (let round = 0; round < 6; round += 1) {
        const { body: client } = await app.admin.post<{ id: number }>(
          '/api/clients',
          clientInput(`Round ${round} LLC`),
        );
        const target = { clientId: client.id, fileType: 'report' };
        await upload({ fields: target });
        const [removal, ...uploads] = await Promise.all([
          app.admin.delete(`/api/clients/${client.id}`),
          upload({ fields: target, bytes: randomBytes(round * 10 * KIB + 1) }),
          upload({ fields: target, fileFirst: true }),
        ]);
        expect([204, 409, 503]).toContain(removal.status);
        for (const { status } of uploads) expect([201, 404, 409]).toContain(status);
        if (removal.status !== 204) expect((await app.admin.delete(`/api/clients/${client.id}`)).status).toBe(204);
        await expectWhole();
        const left = await app.database.reader
          .selectFrom('files')
          .select('id')
          .where('client_id', '=', client.id)
          .execute();
        expect(left).toEqual([]);
      }
    });
  });

  it('stores bytes only under a random key', () => {
    for (const path of storedPaths(app)) expect(path).toMatch(/^([0-9a-f]{2})\/([0-9a-f]{2})\/\1\2[0-9a-f]{28}$/);
  });
});

/** The file name a browser would save under. */
function nameIn(disposition: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  const quoted = /filename="((?:[^"\\]|\\.)*)"/.exec(disposition)?.[1];
  return quoted?.replace(/\\(.)/g, '$1') ?? /filename=([^;]+)/.exec(disposition)?.[1] ?? '';
}

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

// Uploads through the real server, on both engines: what is sent is stored whole and given back, once for each key.
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { type FileRow, UploadFields } from '#contract/files.ts';
import type { Firm } from '../testing/firm.ts';
import { sha256, storedPaths } from '../testing/stored.ts';
import type { TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { KIB, type UploadFirm, uploadFirm } from '../testing/upload-firm.ts';

const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');

describe.each(DATABASE_KINDS)('an upload on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let fields: UploadFirm['fields'];
  const { stored, expectWhole, leavesNothing, upload, download, sendStreamed } = uploadFirm(kind, (met) => {
    ({ app, firm, fields } = met);
  });

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
        version: `${firm.clients[0]}.${firm.reportTypes[0]}..`,
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

    it('may have every field that there is, those that say nothing as empty text', async () => {
      const silent = Object.fromEntries(Object.keys(UploadFields.shape).map((name) => [name, '']));
      const { status, body } = await upload({ fields: { ...silent, ...fields } });
      expect([status, body.documentType, body.period, body.corrects]).toEqual([201, null, null, null]);
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
        const { status, body } = await upload<ErrorBody>({ headers: { 'idempotency-key': value } });
        const says = 'Idempotency-Key must be 1 to 200 visible ASCII characters, without spaces';
        expect([status, body.code, body.message]).toEqual([400, 'invalid', says]);
      });
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

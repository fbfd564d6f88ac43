// Uploads that are refused or cut off, on both engines: each leaves nothing behind.
import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { eventually } from '../testing/eventually.ts';
import type { Firm } from '../testing/firm.ts';
import type { Answer, TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { field, KIB, storedPaths, uploadFirm } from '../testing/upload-firm.ts';

describe.each(DATABASE_KINDS)('an upload on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  const { leavesNothing, upload, goodFields, sendStreamed } = uploadFirm(kind, (met) => {
    ({ app, firm } = met);
  });

  /** A multipart body part by part, as no form would write it. */
  const formOf = (parts: readonly string[], end = '--b--\r\n') =>
    parts.map((part) => `--b\r\n${part}\r\n`).join('') + end;
  const file = (name: string, content: string) =>
    `Content-Disposition: form-data; name="${name}"; filename="x.txt"\r\nContent-Type: text/plain\r\n\r\n${content}`;
  async function sendForm(body: string, type = 'multipart/form-data; boundary=b'): Promise<Answer<ErrorBody>> {
    const response = await app.admin.fetch('/api/files', { method: 'POST', body, headers: { 'content-type': type } });
    return { status: response.status, headers: response.headers, body: (await response.json()) as ErrorBody };
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
});

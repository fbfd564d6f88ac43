// Uploads that are refused or cut off, on both engines: each leaves nothing behind.
import { randomBytes, randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { type ErrorBody, refuse } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import { eventually } from '../testing/eventually.ts';
import { type Firm, PASSWORD } from '../testing/firm.ts';
import { storedPaths } from '../testing/stored.ts';
import type { Answer, TestApp } from '../testing/test-app.ts';
import { DATABASE_KINDS } from '../testing/test-database.ts';
import { field, KIB, uploadFirm } from '../testing/upload-firm.ts';

describe.each(DATABASE_KINDS)('an upload on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  const { expectWhole, leavesNothing, upload, download, goodFields, sendStreamed } = uploadFirm(kind, (met) => {
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

  it('to a full disk is refused and leaves nothing, while lists, downloads, deletions and sign-ins go on', async () => {
    const { body: there } = await upload({ bytes: 'there' });
    const full = vi.spyOn(app.context.services.blobs, 'stage').mockImplementation(async (source) => {
      source.destroy();
      throw refuse('storage_full');
    });
    try {
      await leavesNothing(async () => {
        const { status, body } = await upload<ErrorBody>({ bytes: 'no room' });
        expect([status, body.code]).toEqual([507, 'storage_full']);
      });
      expect((await app.admin.get('/api/files')).status).toBe(200);
      expect((await download(there.id)).bytes.toString()).toBe('there');
      expect((await app.admin.delete(`/api/files/${there.id}`)).status).toBe(204);
      await app.login('cpa', PASSWORD);
    } finally {
      full.mockRestore();
    }
    expect((await upload({ bytes: 'room again' })).status).toBe(201);
  });

  it.runIf(kind === 'sqlite')(
    'to a database without room is refused and leaves nothing, and the next one works once there is room',
    async () => {
      const run = (statement: string) => app.database.transaction((tx) => sql.raw(statement).execute(tx));
      const fill = async (): Promise<never> => {
        for (;;) await run('insert into filler values (zeroblob(3000))');
      };
      await run('create table filler (bytes blob)');
      try {
        // It grows no more.
        await run('pragma max_page_count = 1');
        // As SQLite says it, which has ended the transaction by itself.
        await expect(fill()).rejects.toMatchObject({ errcode: 13 });
        let nth = 0;
        const send = () => {
          nth += 1;
          return upload<ErrorBody>({ name: `${nth}.txt`, bytes: `no room for ${nth}` });
        };
        // What pages have left takes some.
        let answer = await send();
        while (answer.status === 201) answer = await send();
        expect([answer.status, answer.body.code]).toEqual([507, 'storage_full']);
        await leavesNothing(async () => {
          expect((await send()).status).toBe(507);
        });
        expect((await app.admin.get('/api/files')).status).toBe(200);
      } finally {
        await run('pragma max_page_count = 1073741823');
        await run('drop table filler');
      }
      expect((await upload({ bytes: 'room for this one' })).status).toBe(201);
    },
  );

  it('whose connection to the database is lost once COMMIT was sent keeps its bytes, and is one file when it is sent again', async () => {
    const before = await expectWhole();
    const headers = { 'idempotency-key': randomUUID() };
    const send = () => upload<FileRow & ErrorBody>({ name: 'lost.txt', bytes: 'lost', headers });
    const transaction = app.database.transaction.bind(app.database);
    const committing = vi.spyOn(app.database, 'transaction').mockImplementation(async (work) => {
      const committed = { isUpload: false };
      const result = await transaction(async (tx) => {
        const done = await work(tx);
        const row = tx.selectFrom('files').select('id').where('original_name', '=', 'lost.txt');
        committed.isUpload = (await row.executeTakeFirst()) !== undefined;
        return done;
      });
      if (committed.isUpload) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      return result;
    });
    try {
      const { status, body } = await send();
      expect([status, body.code]).toEqual([503, 'unavailable']);
    } finally {
      committing.mockRestore();
    }
    const after = await expectWhole();
    expect([after.ids.length - before.ids.length, after.uploads - before.uploads]).toEqual([1, 1]);
    const again = await send();
    expect([again.status, again.body.id]).toEqual([201, after.ids.at(-1)]);
    expect(await expectWhole()).toEqual(after);
    expect((await download(again.body.id)).bytes.toString()).toBe('lost');
  });

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

    it.each([
      ['in the middle of its file', ''],
      ['once its file has ended', '\r\n--b'],
    ])('is cut off by its sender %s', async (_when, end) => {
      await leavesNothing(async () => {
        const before = storedPaths(app).length;
        const outgoing = httpRequest(`${app.origin}/api/files`, {
          method: 'POST',
          headers: { authorization: `Bearer ${app.admin.token}`, 'content-type': 'multipart/form-data; boundary=b' },
        });
        outgoing.on('error', () => {});
        outgoing.write(`${formOf(goodFields(), '')}--b\r\n${file('file', 'x'.repeat(100_000))}${end}`);
        await eventually(() => expect(storedPaths(app).length).toBe(before + 1));
        outgoing.destroy();
      });
    });
  });
});

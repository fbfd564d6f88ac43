// A firm that uploads are sent to: what the tests of uploads share.
import { afterAll, beforeAll, expect } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import type { DatabaseKind } from '../platform/db/database.ts';
import { eventually } from './eventually.ts';
import type { Firm } from './firm.ts';
import { storedPaths } from './stored.ts';
import type { Answer, Caller, TestApp } from './test-app.ts';
import { startTestFirm } from './test-firm.ts';

export const KIB = 1024;

/** A part of a multipart body, written by hand. */
export const field = (name: string, value: string | number) =>
  `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;

/** What the tests of one file and engine meet. */
export interface UploadFirm {
  readonly app: TestApp;
  readonly firm: Firm;
  /** Of a report of the first client. */
  readonly fields: { clientId: number; fileType: string; reportTypeId: number };
}

/** Within a `describe`: one application for all its tests, which `onReady` is told of. It takes files of up to 256 KiB. */
export function uploadFirm(kind: DatabaseKind, onReady: (met: UploadFirm) => void) {
  let app: TestApp;
  let firm: Firm;
  let fields: UploadFirm['fields'];
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, { MAX_UPLOAD_BYTES: String(256 * KIB) }));
    fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] };
    onReady({ app, firm, fields });
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

  return { stored, expectWhole, leavesNothing, upload, download, goodFields, sendStreamed };
}

// Threats to uploads (rows C of docs/trust.md), through the real server on both engines.
import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import type * as FileSystem from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileRow } from '#contract/files.ts';
import { eventually } from '../eventually.ts';
import type { Firm } from '../firm.ts';
import { blobRoot, leavesNothing, sha256, storedPaths } from '../stored.ts';
import { type Answer, Caller, type TestApp } from '../test-app.ts';
import { ANY_DATABASE_KIND } from '../test-database.ts';
import { startTestFirm } from '../test-firm.ts';
import { FORM_TYPE, type FormPart, fieldParts, formBody } from './form.ts';
import { serveWithWeb } from './web-root.ts';
import { answerOn, countArrivals, dial, requestHead } from './wire.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const CAP_BYTES = 256 * KIB;
/** The free space that the disk store insists on. */
const FLOOR_BYTES = 256 * MIB;
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');

/** How much of the disk is reported to be free; undefined for the truth. */
const disk = vi.hoisted(() => ({ freeBytes: undefined as number | undefined }));
vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof FileSystem>();
  const statfs = async (path: string) =>
    disk.freeBytes === undefined ? real.statfs(path) : { bavail: Math.floor(disk.freeBytes / 512), bsize: 512 };
  return { ...real, statfs };
});

async function sendForm<Body = FileRow & ErrorBody>(
  by: Caller,
  parts: readonly FormPart[],
  { closed = true, headers = {} }: { closed?: boolean; headers?: Record<string, string> } = {},
): Promise<Answer<Body>> {
  const body = new Uint8Array(formBody(parts, { closed }));
  const response = await by.fetch('/api/files', {
    method: 'POST',
    body,
    headers: { 'content-type': FORM_TYPE, ...headers },
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}

const file = (content: string | Uint8Array, more: Partial<FormPart> = {}): FormPart => ({
  name: 'file',
  fileName: 'x.bin',
  type: 'application/octet-stream',
  content,
  ...more,
});

describe.each(ANY_DATABASE_KIND)('uploads on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  let fields: FormPart[];
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind, { MAX_UPLOAD_BYTES: String(CAP_BYTES) }));
    fields = fieldParts({ clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] });
  });
  afterAll(() => app.close());

  const signed = (by: Caller = app.admin) => ({ authorization: `Bearer ${by.token}`, 'content-type': FORM_TYPE });

  /** Sends a body in chunks, without saying how long it will be. */
  async function sendChunked(body: Buffer) {
    const socket = dial(app.origin);
    const answer = answerOn(socket);
    socket.write(requestHead('POST', '/api/files', { ...signed(), 'transfer-encoding': 'chunked' }));
    for (let at = 0; at < body.length; at += 16 * KIB) {
      const chunk = body.subarray(at, at + 16 * KIB);
      socket.write(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]));
    }
    socket.write('0\r\n\r\n');
    const { status } = await answer;
    socket.destroy();
    return status;
  }

  it('C1: accepts a file of exactly the limit and refuses one byte more, with and without an announced length', async () => {
    const exact = randomBytes(CAP_BYTES);
    const over = randomBytes(CAP_BYTES + 1);
    expect((await sendForm(app.admin, [...fields, file(exact)])).status).toBe(201);
    expect(await sendChunked(formBody([...fields, file(exact)]))).toBe(201);
    await leavesNothing(app, async () => {
      const answer = await sendForm(app.admin, [...fields, file(over)]);
      expect([answer.status, answer.body.code]).toEqual([413, 'file_too_large']);
      expect((await sendForm(app.admin, [file(over), ...fields])).status).toBe(413);
      expect(await sendChunked(formBody([...fields, file(over)]))).toBe(413);
      expect(await sendChunked(formBody([file(over), ...fields]))).toBe(413);
    });
    expect(readdirSync(join(blobRoot(app), 'staging'))).toEqual([]);
  });

  it('C2: hangs up on an unauthenticated gigabyte after less than one MiB of it', async () => {
    const arrivals = countArrivals(app);
    const socket = dial(app.origin);
    const answer = answerOn(socket);
    const head = requestHead('POST', '/api/files', { 'content-type': FORM_TYPE, 'content-length': String(1024 * MIB) });
    socket.write(head);
    const filler = randomBytes(64 * KIB);
    let sentBytes = 0;
    const pump = () => {
      while (!socket.destroyed && sentBytes < 1024 * MIB) {
        sentBytes += filler.length;
        if (!socket.write(filler)) {
          socket.once('drain', pump);
          return;
        }
      }
    };
    pump();
    expect((await answer).status).toBe(401);
    await eventually(() => expect(arrivals.allClosed()).toBe(true));
    expect(arrivals.bytes()).toBeLessThan(MIB);
    socket.destroy();
  });

  it('C3: refuses what would leave less than the floor of free space, before the body is read', async () => {
    const bodyBytes = 200 * KIB;
    disk.freeBytes = FLOOR_BYTES + bodyBytes - KIB;
    try {
      await leavesNothing(app, async () => {
        const arrivals = countArrivals(app);
        const socket = dial(app.origin);
        const answer = answerOn(socket);
        const head = requestHead('POST', '/api/files', { ...signed(), 'content-length': String(bodyBytes) });
        socket.write(head);
        const { status, body } = await answer;
        expect([status, JSON.parse(body).code]).toEqual([507, 'storage_full']);
        expect(arrivals.bytes()).toBe(Buffer.byteLength(head));
        socket.destroy();

        disk.freeBytes = FLOOR_BYTES - KIB;
        expect(await sendChunked(formBody([...fields, file(randomBytes(KIB))]))).toBe(507);
      });
      // Stored files stay readable, and what needs no space still works.
      expect((await app.admin.fetch(`/api/files/${firm.files.f1.id}/download`)).status).toBe(200);
      disk.freeBytes = FLOOR_BYTES + bodyBytes;
      expect((await sendForm(app.admin, [...fields, file(randomBytes(100 * KIB))])).status).toBe(201);
    } finally {
      disk.freeBytes = undefined;
    }
  });

  /** An upload of which the head, the fields and the first bytes of its file are there; the rest comes when it is ended. */
  async function openUpload(by: Caller, { announce }: { announce?: number } = {}) {
    const before = stagedFiles().length;
    const bytes = formBody([...fields, file(randomBytes(announce ?? KIB))]);
    const length =
      announce === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': `${bytes.length}` };
    const onWire = (piece: Buffer) =>
      announce === undefined
        ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
        : piece;
    const socket = dial(app.origin);
    const answer = answerOn(socket);
    answer.catch(() => {});
    const cut = formBody(fields).length + 500;
    socket.write(requestHead('POST', '/api/files', { ...signed(by), ...length }));
    socket.write(onWire(bytes.subarray(0, cut)));
    return {
      answer,
      /** Until its file is being written. */
      begun: () => eventually(() => expect(stagedFiles().length).toBeGreaterThan(before)),
      end: async () => {
        socket.write(onWire(bytes.subarray(cut)));
        if (announce === undefined) socket.write('0\r\n\r\n');
        const { status } = await answer;
        socket.destroy();
        return status;
      },
      hangUp: () => socket.destroy(),
    };
  }

  const stagedFiles = () => readdirSync(join(blobRoot(app), 'staging'));
  const allLeft = () => eventually(() => expect(stagedFiles()).toEqual([]));

  it('H4: promises the same free space to one upload at a time', async () => {
    // Each announces some 60 % of what is free.
    disk.freeBytes = FLOOR_BYTES + 250 * KIB;
    const announce = 150 * KIB;
    try {
      const first = await openUpload(app.admin, { announce });
      await first.begun();
      expect((await sendForm(firm.viewers.cpa, [...fields, file(randomBytes(announce))])).status).toBe(507);
      // What fits beside it comes in.
      expect((await sendForm(firm.viewers.cpa, [...fields, file(randomBytes(50 * KIB))])).status).toBe(201);
      expect(await first.end()).toBe(201);

      const second = await openUpload(app.admin, { announce });
      await second.begun();
      second.hangUp();
      await allLeft();
      expect((await sendForm(firm.viewers.cpa, [...fields, file(randomBytes(announce))])).status).toBe(201);

      const atOnce = [app.admin, firm.viewers.cpa, firm.viewers.admin2].map((by) =>
        sendForm(by, [...fields, file(randomBytes(announce))]),
      );
      const statuses = (await Promise.all(atOnce)).map(({ status }) => status);
      expect(statuses).toContain(201);
      expect(statuses.every((status) => status === 201 || status === 507)).toBe(true);
    } finally {
      disk.freeBytes = undefined;
    }
  });

  it('H4: promises uploads of unknown length sixteen MiB each, while they are open', async () => {
    disk.freeBytes = FLOOR_BYTES + 2 * 16 * MIB;
    try {
      const open = [await openUpload(app.admin), await openUpload(firm.viewers.cpa)];
      await eventually(() => expect(stagedFiles()).toHaveLength(2));
      expect(await sendChunked(formBody([...fields, file('third')]))).toBe(507);
      expect(await open[0]?.end()).toBe(201);
      expect(await sendChunked(formBody([...fields, file('third')]))).toBe(201);
      expect(await open[1]?.end()).toBe(201);
    } finally {
      disk.freeBytes = undefined;
    }
  });

  it('H4: a person has ten uploads open, the eleventh waits for one of them, and nobody else does', async () => {
    const open = [];
    for (let nth = 0; nth < 10; nth += 1) open.push(await openUpload(app.admin));
    await eventually(() => expect(stagedFiles()).toHaveLength(10));
    let answered = false;
    const eleventh = sendForm(app.admin, [...fields, file('eleventh')]).then(({ status }) => {
      answered = true;
      return status;
    });
    await eventually(() => expect(app.context.admission.uploads.waiting).toBe(1));
    expect((await sendForm(firm.viewers.cpa, [...fields, file('somebody else')])).status).toBe(201);
    expect(answered).toBe(false);
    expect(await open.pop()?.end()).toBe(201);
    expect(await eleventh).toBe(201);
    for (const upload of open) upload.hangUp();
    await allLeft();
  });

  it('C4: detects a type by the content alone, and shows only what is on the inline list', async () => {
    const samples: readonly [name: string, said: string, bytes: string | Buffer, stored: string, shown: boolean][] = [
      ['W-2.pdf', 'application/pdf', '<!doctype html><script>alert(1)</script>', 'text/html', false],
      ['W-2.pdf', 'application/pdf', '\ufeff\n<HTML><body onload=alert(1)>', 'text/html', false],
      ['W-2.pdf', 'application/pdf', '<!-- %PDF-1.7 --><script>alert(1)</script>', 'text/html', false],
      ['scan.png', 'image/png', '<?xml version="1.0"?><svg onload="alert(1)"/>', 'image/svg+xml', false],
      ['notes.txt', 'text/plain', '<iframe src="javascript:alert(1)">', 'text/html', false],
      ['notes.txt', 'text/plain', Buffer.from('\ufeff <script>alert(1)</script>', 'utf16le'), 'text/html', false],
      ['notes.csv', 'text/csv', Buffer.from('\ufeff<p>hello', 'utf16le').swap16(), 'text/html', false],
      ['notes.txt', 'text/plain', Buffer.from('<p>José<script>alert(1)</script>', 'latin1'), 'text/html', false],
      ['REAL.PDF', 'text/html', PDF, 'application/pdf', true],
      ['page.html', 'text/html', 'words and nothing else', 'text/plain', true],
      ['page.html', 'text/html', Buffer.from('\ufeffwords, <script>alert(1)</script>', 'utf16le'), 'text/plain', true],
      ['page.html', 'text/html', Buffer.from('José, <script>alert(1)</script>', 'latin1'), 'text/plain', true],
      ['page.html', 'text/html', Buffer.from('GIF89a/*\u0001\u0000\u0001\u0000*/=1;alert(1)'), 'image/gif', true],
    ];
    for (const [fileName, type, content, storedType, shown] of samples) {
      const { status, body } = await sendForm(app.admin, [...fields, file(content as string, { fileName, type })]);
      expect([status, body.contentType]).toEqual([201, storedType]);
      const ticket = await app.admin.post<{ url: string }>(`/api/files/${body.id}/view-ticket`);
      for (const [by, address] of [
        [app.admin, `/api/files/${body.id}/view`],
        [app.admin, `/api/files/${body.id}?view=true`],
        [app.anonymous, ticket.body.url],
      ] as const) {
        const { headers } = await by.fetch(address);
        const sent = shown ? storedType : 'application/octet-stream';
        expect([fileName, headers.get('content-type')?.split(';')[0]]).toEqual([fileName, sent]);
        expect([fileName, headers.get('content-disposition')?.split(';')[0]]).toEqual([
          fileName,
          shown ? 'inline' : 'attachment',
        ]);
        expect(headers.get('x-content-type-options')).toBe('nosniff');
      }
    }
  });

  it('C5: stores a name as data, cleaned and short, and the bytes under a random key', async () => {
    const names: readonly [sent: string, kept: string | null][] = [
      ['../../x.pdf', 'x.pdf'],
      ['..\\\\x.pdf', 'x.pdf'],
      ['/etc/passwd', 'passwd'],
      ['C:\\\\Users\\\\me\\\\W-2.pdf', 'W-2.pdf'],
      ['a\u0000.pdf', null],
      ['a%0D%0AX-Y: 1.pdf', 'aX-Y: 1.pdf'],
      ['a\r\nX-Y: 1.pdf', null],
      ['gpj.\u202efdp.exe', 'gpj.fdp.exe'],
      [`${'n'.repeat(296)}.pdf`, `${'n'.repeat(176)}.pdf`],
      [`${'\u65e5'.repeat(296)}.pdf`, `${'\u65e5'.repeat(58)}.pdf`],
      ['cafe\u0301.pdf', 'caf\u00e9.pdf'],
      ['CON.pdf', '_CON.pdf'],
      ['..', 'file'],
      ['<img src=x onerror=alert(1)>.pdf', '<img src=x onerror=alert(1)>.pdf'],
    ];
    const keys = new Set<string>();
    for (const [sent, kept] of names) {
      const { status, body } = await sendForm(app.admin, [...fields, file(PDF, { fileName: sent })]);
      expect([sent, [201, 400].includes(status)]).toEqual([sent, true]);
      if (kept !== null) expect([sent, status, body.originalName]).toEqual([sent, 201, kept]);
      if (status !== 201) continue;
      expect(body.originalName).not.toMatch(/[\p{Cc}\p{Bidi_Control}/\\]/u);
      expect(body.originalName).toBe(body.originalName.normalize('NFC'));
      expect(Buffer.byteLength(body.originalName)).toBeLessThanOrEqual(180);
      const { headers } = await app.admin.fetch(`/api/files/${body.id}/download`);
      expect([...headers.keys()]).not.toContain('x-y');
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename/);
      const { storage_key: key } = await app.database.reader
        .selectFrom('files')
        .select('storage_key')
        .where('id', '=', body.id)
        .executeTakeFirstOrThrow();
      keys.add(key);
      expect(body).not.toMatchObject({ storageKey: expect.anything() });
    }
    expect(keys.size).toBeGreaterThanOrEqual(names.length - 2);
    for (const path of storedPaths(app)) expect(path).toMatch(/^[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{32}$/);
  });

  it('C6: refuses a form with anything more or less than one file and its few fields', async () => {
    const good = file('x');
    const many = Array.from({ length: 1_000 }, (_, nth) => ({ name: `f${nth}`, content: 'x' }));
    const bad: readonly [what: string, parts: FormPart[], closed?: boolean][] = [
      ['two files', [...fields, good, file('y')]],
      ['1,000 fields', [...fields, ...many, good]],
      ['a field __proto__', [...fields, { name: '__proto__', content: 'x' }, good]],
      ['a file __proto__', [...fields, { ...good, name: '__proto__' }]],
      ['a field constructor', [...fields, { name: 'constructor', content: 'x' }, good]],
      ['a field of more than 2 kB', [...fields, { name: 'documentType', content: 'x'.repeat(2_049) }, good]],
      ['no file', fields],
      ['an empty file', [...fields, file('')]],
      ['no last boundary', [...fields, file(randomBytes(50 * KIB))], false],
    ];
    await leavesNothing(app, async () => {
      for (const [what, parts, closed = true] of bad) {
        const { status, body } = await sendForm(app.admin, parts, { closed });
        expect([what, status, body.code]).toEqual([what, 400, 'invalid']);
        expect(({} as Record<string, unknown>)['x']).toBeUndefined();
      }
    });
    await leavesNothing(app, async () => {
      const before = storedPaths(app).length;
      const socket = dial(app.origin);
      socket.write(requestHead('POST', '/api/files', { ...signed(), 'content-length': String(200 * KIB) }));
      socket.write(formBody([...fields, file(randomBytes(100 * KIB))], { closed: false }));
      await eventually(() => expect(storedPaths(app)).toHaveLength(before + 1));
      socket.destroy();
    });
  });

  it('C7: judges an upload by all its fields before anything is stored, wherever they are', async () => {
    const of = (clientId: number, reportTypeId: number) => fieldParts({ clientId, fileType: 'report', reportTypeId });
    const [c1, c2] = firm.clients;
    const [t1, , t3] = firm.reportTypes;
    const bytes = file(randomBytes(100 * KIB));
    await leavesNothing(app, async () => {
      for (const parts of [
        [bytes, ...of(c2, t1)],
        [...of(c2, t1), bytes],
        [bytes, ...of(c1, t3)],
      ]) {
        const { status, body } = await sendForm(firm.viewers.cpa, parts);
        expect([status, body.code]).toEqual([403, 'forbidden']);
      }
      for (const parts of [
        [...of(c1, t1), { name: 'clientId', content: c2 }, bytes],
        [...of(c1, t1), bytes, { name: 'clientId', content: c2 }],
        [bytes, { name: 'clientId', content: c2 }, ...of(c1, t1)],
      ]) {
        expect((await sendForm(firm.viewers.cpa, parts)).status).toBe(400);
      }
    });
    expect((await sendForm(firm.viewers.cpa, [bytes, ...of(c1, t1)])).status).toBe(201);
  });

  it('C10: one Idempotency-Key is one file, also when sent twice at once; for another file it is refused', async () => {
    const key = () => ({ headers: { 'idempotency-key': randomBytes(12).toString('hex') } });
    const bytes = randomBytes(20 * KIB);
    const rowsOf = async (id: number) =>
      app.database.reader.selectFrom('files').select('id').where('id', '>=', id).execute();

    const first = key();
    const once = await sendForm(app.admin, [...fields, file(bytes)], first);
    const twice = await sendForm(app.admin, [...fields, file(bytes)], first);
    expect([once.status, twice.status]).toEqual([201, 201]);
    expect(twice.body).toEqual(once.body);
    expect(await rowsOf(once.body.id)).toHaveLength(1);

    const second = key();
    const both = await Promise.all([1, 2, 3].map(() => sendForm(app.admin, [...fields, file(bytes)], second)));
    expect(both.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(both[1]?.body).toEqual(both[0]?.body);
    expect(await rowsOf(once.body.id)).toHaveLength(2);

    await leavesNothing(app, async () => {
      const { status, body } = await sendForm(app.admin, [...fields, file(randomBytes(20 * KIB))], second);
      expect([status, body.code]).toEqual([422, 'idempotency_mismatch']);
    });
    // A key belongs to its sender: somebody else's has no effect.
    expect((await sendForm(firm.viewers.cpa, [...fields, file(bytes)], second)).body.id).not.toBe(both[0]?.body.id);
  });

  it('C11: answers the digest of what was stored, and stores nothing that differs from its announced digest', async () => {
    const bytes = randomBytes(60 * KIB);
    const right = { headers: { 'x-content-sha256': sha256(bytes) } };
    const { status, body } = await sendForm(app.admin, [...fields, file(bytes)], right);
    expect([status, body.sha256]).toEqual([201, sha256(bytes)]);
    const kept = await app.admin.fetch(`/api/files/${body.id}/download`);
    expect(kept.headers.get('etag')).toBe(`"${sha256(bytes)}"`);
    expect(sha256(new Uint8Array(await kept.arrayBuffer()))).toBe(sha256(bytes));
    await leavesNothing(app, async () => {
      const wrong = { headers: { 'x-content-sha256': sha256('another file') } };
      const answer = await sendForm(app.admin, [...fields, file(bytes)], wrong);
      expect([answer.status, answer.body.code]).toEqual([400, 'checksum_mismatch']);
    });
  });

  it('C12: keeps the store readable by its owner alone and outside every address', async () => {
    const root = blobRoot(app);
    expect(storedPaths(app).length).toBeGreaterThan(0);
    expect(statSync(root).mode & 0o777).toBe(0o700);
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
      expect([entry.name, mode.toString(8)]).toEqual([entry.name, entry.isDirectory() ? '700' : '600']);
    }
    if (kind === 'sqlite') {
      for (const name of ['coffer.db', 'coffer.db-wal', 'coffer.db-shm']) {
        const mode = statSync(join(app.config.dataDir, name)).mode & 0o777;
        expect([name, mode.toString(8)]).toEqual([name, '600']);
      }
    }
    const [path = ''] = storedPaths(app);
    const web = await serveWithWeb(app);
    for (const place of ['uploads', 'storage', 'blobs', 'api/blobs', 'api/uploads']) {
      for (const rest of ['', '/', `/${path}`, `/${path.split('/').at(-1)}`, '/coffer.db']) {
        const { status } = await new Caller(web.origin, app.admin.token).get(`/${place}${rest}`);
        expect([place + rest, status]).toEqual([place + rest, 404]);
      }
    }
    await web.close();
  });
});

// Several files as one ZIP, over HTTP, on both engines: whole, in order, at any pace, and never whole in looks alone.
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ActivityRow } from '#contract/activity.ts';
import { ARCHIVE_FILES_MAX } from '#contract/file-kinds.ts';
import type { FileRow } from '#contract/files.ts';
import { enterBlob } from '../../platform/blobs/blob-rows.ts';
import { eventually } from '../../testing/eventually.ts';
import type { Firm } from '../../testing/firm.ts';
import type { Caller, TestApp } from '../../testing/test-app.ts';
import { ANY_DATABASE_KIND } from '../../testing/test-database.ts';
import { startTestFirm } from '../../testing/test-firm.ts';
import { unzip } from '../../testing/unzip.ts';
import { fileNameColumns, periodColumns } from '../file-columns.ts';

const MIB = 1024 * 1024;
const REST_AFTER_BYTES = 64 * 1024;
const MANIFEST = 'manifest.csv';
/** At most this many files are in the log although an archive was cut before them. */
const RECORDED_AHEAD_MAX = 50;

interface Content {
  readonly name: string;
  readonly bytes: Buffer;
}

interface Received {
  readonly status: number | undefined;
  readonly bytes: Buffer;
  /** Whether the whole answer came, as far as HTTP says. */
  readonly complete: boolean;
}

describe.each(ANY_DATABASE_KIND)('archives on %s', (kind) => {
  let app: TestApp;
  let firm: Firm;
  beforeAll(async () => {
    ({ app, firm } = await startTestFirm(kind));
  });
  afterAll(() => app.close());

  const blobRoot = () => join(app.config.dataDir, 'blobs');
  const blobPath = (key: string) => join(blobRoot(), key.slice(0, 2), key.slice(2, 4), key);

  /** Puts files where uploads would put them, since a thousand uploads take long; returns their ids. */
  async function put(contents: readonly Content[]): Promise<number[]> {
    const rows = contents.map(({ name, bytes }) => {
      const storageKey = randomBytes(16).toString('hex');
      mkdirSync(dirname(blobPath(storageKey)), { recursive: true });
      writeFileSync(blobPath(storageKey), bytes);
      return {
        ...fileNameColumns(name),
        storage_key: storageKey,
        size_bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        content_type: 'application/pdf',
        file_type: 'report' as const,
        client_id: firm.clients[0],
        report_type_id: firm.reportTypes[0],
        uploader_name: 'Somebody before',
        uploaded_at: app.now(),
        ...periodColumns(null, app.now()),
      };
    });
    const made = await app.database.transaction(async (tx) => {
      for (const { storage_key, size_bytes, sha256, uploaded_at } of rows) {
        const blob = { storageKey: storage_key, sizeBytes: size_bytes, sha256 };
        await enterBlob(tx, blob, { purpose: 'file', at: uploaded_at });
      }
      return tx.insertInto('files').values(rows).returning(['id', 'storage_key']).execute();
    });
    const ids = new Map(made.map((row) => [row.storage_key, row.id]));
    return rows.map((row) => ids.get(row.storage_key) ?? 0);
  }

  /** Replaces a file's bytes by as many others: a fault that is found only when they are read. */
  async function spoil(id: number): Promise<void> {
    const { storage_key: key, size_bytes: size } = await app.database.reader
      .selectFrom('files')
      .select(['storage_key', 'size_bytes'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    writeFileSync(blobPath(key), randomBytes(size));
  }

  const headers = (by: Caller) => ({ authorization: `Bearer ${by.token}`, 'content-type': 'application/json' });
  const archive = (by: Caller, ids: readonly number[]) =>
    by.fetch('/api/files/archive', { method: 'POST', headers: headers(by), body: JSON.stringify({ ids }) });

  /** The next answer, as the server has it. */
  const nextAnswer = () =>
    new Promise<ServerResponse>((resolve) => app.app.server.once('request', (_request, answer) => resolve(answer)));

  /** Asks on a connection of its own; answers the answer with its headers. */
  function begin(ids: readonly number[]) {
    const { promise: begun, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const path = `${app.origin}/api/files/archive`;
    const asked = httpRequest(path, { method: 'POST', agent: false, headers: headers(app.admin) }, resolve);
    asked.on('error', reject);
    asked.end(JSON.stringify({ ids }));
    return begun;
  }

  /** The server waits for its reader, or has given everything away. */
  const isAhead = (sent: ServerResponse) =>
    eventually(() => expect(sent.writableNeedDrain || sent.writableFinished).toBe(true));

  /** Reads an answer to its end; where `sent` is given, rests after every 64 KiB until the server waits for it. */
  async function readWhole(answer: IncomingMessage, sent?: ServerResponse): Promise<Received> {
    const pieces: Buffer[] = [];
    let sinceRestBytes = 0;
    answer.on('data', (piece: Buffer) => {
      pieces.push(piece);
      sinceRestBytes += piece.length;
      if (sent === undefined || sinceRestBytes < REST_AFTER_BYTES) return;
      sinceRestBytes = 0;
      answer.pause();
      void isAhead(sent).then(() => answer.resume());
    });
    answer.on('error', () => {});
    await new Promise((resolve) => answer.once('close', resolve));
    return {
      status: answer.statusCode,
      bytes: Buffer.concat(pieces),
      complete: answer.complete,
    };
  }

  /** How an answer ends for a reader without chunks, as in HTTP/1.0: `whole`, or the fault of its connection. */
  function endWithoutChunks(ids: readonly number[]): Promise<string> {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(app.origin).port) });
    const body = JSON.stringify({ ids });
    const lines = Object.entries({ ...headers(app.admin), 'content-length': body.length });
    socket.write(
      `POST /api/files/archive HTTP/1.0\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
    );
    socket.resume();
    return new Promise((resolve) => {
      socket.once('end', () => resolve('whole'));
      socket.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    });
  }

  async function expectWhole({ complete, bytes }: Received, contents: readonly Content[]) {
    expect(complete).toBe(true);
    const entries = await unzip(bytes);
    expect(entries.size).toBe(contents.length + 1);
    const [manifest, ...files] = [...entries];
    expect(manifest?.[0]).toBe(MANIFEST);
    const wrong = contents.filter(({ name, bytes: sent }, index) => {
      const [path = '', came] = files[index] ?? [];
      return !path.endsWith(`/${name}`) || !came?.equals(sent);
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  }

  /** Blobs that are open in this process, which is the server's. */
  function openBlobs(): string[] {
    const targets = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return '';
      }
    });
    return targets.filter((target) => target.startsWith(blobRoot()));
  }

  const downloadsOf = async (fileId: number) =>
    (await app.admin.get<ActivityRow[]>(`/api/activity-logs?fileId=${fileId}&action=download`)).body;
  const recordedAmong = async (ids: readonly number[]) => {
    const { reader } = app.database;
    const rows = await reader.selectFrom('activity').select('file_id').where('action', '=', 'download').execute();
    const recorded = new Set(rows.map((row) => row.file_id));
    return ids.filter((id) => recorded.has(id));
  };

  const upload = async (name: string, bytes = 'x') => {
    const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] };
    return (await app.admin.upload<FileRow>({ name, bytes, fields })).body;
  };

  it('packs files in reach into one archive with a manifest, each a download in the log', async () => {
    const { f1, f3, f4 } = firm.files;
    const before = (await downloadsOf(f3.id)).length;
    const response = await archive(firm.viewers.cpa, [f1.id, f3.id, f4.id, f3.id]);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="Harbor & Pine Bakery LLC-\d{4}-\d\d-\d\d\.zip"$/,
    );
    const entries = await unzip(Buffer.from(await response.arrayBuffer()));
    const paths = [...entries.keys()];
    expect(paths.map((path) => path.split('/').at(-1))).toEqual([MANIFEST, 'f1.txt', 'f3.txt', 'f4.txt']);
    expect(String(entries.get(paths[2] ?? ''))).toBe('bytes of f3.txt');
    const manifest = Papa.parse<string[]>(String(entries.get(MANIFEST)).trimEnd()).data;
    expect(manifest.map(([path]) => path)).toEqual(['Path', ...paths.slice(1)]);
    expect(await downloadsOf(f3.id)).toHaveLength(before + 1);
    expect((await downloadsOf(f3.id))[0]).toMatchObject({ userName: 'Full cpa', details: 'Downloaded file: f3.txt' });
  });

  it('is called after the day where it is saved, whose moments its manifest tells', async () => {
    const savedIn = async (timeZone: string) => {
      const answer = await app.admin.fetch('/api/files/archive', {
        method: 'POST',
        headers: headers(app.admin),
        body: JSON.stringify({ ids: [firm.files.f1.id], timeZone }),
      });
      const name = answer.headers.get('content-disposition') ?? '';
      const manifest = (await unzip(Buffer.from(await answer.arrayBuffer()))).get(MANIFEST);
      return { day: /\d{4}-\d{2}-\d{2}(?=\.zip)/.exec(name)?.[0] ?? '', manifest: String(manifest) };
    };
    // More than a day apart, so that it is never the same one.
    const [behind, ahead] = [await savedIn('Pacific/Niue'), await savedIn('Pacific/Kiritimati')];
    expect(behind.day).toMatch(/^\d{4}/);
    expect(ahead.day > behind.day).toBe(true);
    expect(ahead.manifest).toContain('Upload Date (Pacific/Kiritimati)');
  });

  it('packs all that a list shows, in reach alone, under the name of its client and period', async () => {
    const matching = (by: Caller, what: object) =>
      by.fetch('/api/files/archive', {
        method: 'POST',
        headers: headers(by),
        body: JSON.stringify({ matching: what }),
      });
    const namesIn = async (response: Response) =>
      [...(await unzip(Buffer.from(await response.arrayBuffer()))).keys()]
        .slice(1)
        .map((path) => path.split('/').at(-1));
    const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] };
    for (const name of ['May 1.pdf', 'May 2.pdf']) {
      expect((await app.admin.upload({ name, fields: { ...fields, period: '2031-05-09' } })).status).toBe(201);
    }
    const whole = await matching(app.admin, { period: '2031-Q2' });
    expect(whole.headers.get('content-disposition')).toContain('Harbor & Pine Bakery LLC-2031-05-09.zip');
    expect((await namesIn(whole)).sort()).toEqual(['May 1.pdf', 'May 2.pdf']);
    expect(await namesIn(await matching(app.admin, { period: '2031', q: 'may 2' }))).toEqual(['May 2.pdf']);
    expect((await matching(app.admin, { period: '2032' })).status).toBe(404);
    // The list names files that the third client's people do not reach.
    expect((await matching(firm.viewers.clientB, { period: '2031' })).status).toBe(404);
    for (const wrong of [{}, { ids: [1], matching: {} }, { ids: [1], timeZone: 'Here' }, { matching: { limit: 1 } }]) {
      const refused = await app.admin.fetch('/api/files/archive', {
        method: 'POST',
        headers: headers(app.admin),
        body: JSON.stringify(wrong),
      });
      expect(refused.status).toBe(400);
    }
  });

  it('refuses the whole archive when one file is out of reach or gone, and records nothing', async () => {
    const { f1, f2 } = firm.files;
    const before = (await downloadsOf(f1.id)).length;
    for (const ids of [[f1.id, f2.id], [f1.id, 999_999], [f2.id]]) {
      expect((await archive(firm.viewers.clientA, ids)).status).toBe(404);
    }
    const body = JSON.stringify({ ids: [f1.id] });
    const anonymous = await app.anonymous.fetch('/api/files/archive', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(anonymous.status).toBe(401);
    expect((await archive(app.admin, [])).status).toBe(400);
    const tooMany = Array.from({ length: ARCHIVE_FILES_MAX + 1 }, (_, index) => index + 1);
    expect((await archive(app.admin, tooMany)).status).toBe(400);
    expect(await downloadsOf(f1.id)).toHaveLength(before);
    expect(await downloadsOf(f2.id)).toHaveLength(0);
  });

  it('refuses an archive with a file whose bytes are gone, before the first byte', async () => {
    const file = await upload('lost.txt', 'soon gone');
    const { storage_key: key } = await app.database.reader
      .selectFrom('files')
      .select('storage_key')
      .where('id', '=', file.id)
      .executeTakeFirstOrThrow();
    unlinkSync(blobPath(key));
    const response = await archive(app.admin, [firm.files.f1.id, file.id]);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ code: 'integrity' });
    await app.admin.delete(`/api/files/${file.id}`);
  });

  it('packs a large file whole', async () => {
    const large = 'a believable payroll line\n'.repeat(60_000);
    const file = await upload('large.txt', large);
    const entries = await unzip(Buffer.from(await (await archive(app.admin, [file.id])).arrayBuffer()));
    expect(String([...entries.values()][1]) === large).toBe(true);
    await app.admin.delete(`/api/files/${file.id}`);
  });

  describe('of as many files as one may hold', () => {
    let contents: readonly Content[];
    let ids: number[];
    beforeAll(async () => {
      contents = Array.from({ length: ARCHIVE_FILES_MAX }, (_, nth) => ({
        // Letters of two and three bytes, and a file that is read as a stream.
        name: `Register ${nth} für 日本.pdf`,
        bytes: randomBytes(nth === 700 ? MIB : (nth * 37) % 3_000),
      }));
      ids = await put(contents);
    });

    it('G4: come whole and in order, each with its bytes, and each in the log', async () => {
      const received = await readWhole(await begin(ids));
      await expectWhole(received, contents);
      expect(await recordedAmong(ids)).toEqual(ids);
    });

    it('G4: come whole to a reader that rests again and again', async () => {
      const sending = nextAnswer();
      const answer = await begin(ids);
      await expectWhole(await readWhole(answer, await sending), contents);
    });

    it('G4: come whole to a reader that does not read anything at first', async () => {
      const sending = nextAnswer();
      const answer = await begin(ids);
      await isAhead(await sending);
      await expectWhole(await readWhole(answer), contents);
    });
  });

  it('G4: a fault in the middle is an error to the reader, who holds no archive then', async () => {
    const contents = Array.from({ length: 200 }, (_, nth) => ({ name: `part ${nth}.pdf`, bytes: randomBytes(2_000) }));
    const large = Array.from({ length: 3 }, (_, nth) => ({ name: `large ${nth}.pdf`, bytes: randomBytes(2 * MIB) }));
    const [small, streamed] = [await put(contents), await put(large)];
    await spoil(small[100] ?? 0);
    await spoil(streamed[1] ?? 0);
    for (const ids of [small, streamed]) {
      const lines = app.log.length;
      const received = await readWhole(await begin(ids));
      expect([received.status, received.complete]).toEqual([200, false]);
      // The fault was not the reader's: the server's log has it.
      expect(app.log.slice(lines).filter(({ level }) => Number(level) >= 50)).toMatchObject([
        { msg: 'an answer broke off', err: { code: 'integrity' } },
      ]);
      await expect(unzip(received.bytes)).rejects.toThrow();
      const response = await archive(app.admin, ids);
      expect(response.status).toBe(200);
      await expect(response.arrayBuffer()).rejects.toThrow();
      expect(await endWithoutChunks(ids)).toBe('ECONNRESET');
    }
    expect(await recordedAmong(small)).toEqual(small.slice(0, 100 + RECORDED_AHEAD_MAX));
    await eventually(() => expect(openBlobs()).toEqual([]));
    expect((await app.admin.get('/healthz')).status).toBe(200);
  });

  it('G4: a reader that disconnects ends the reading: no file stays open, and files not reached are not in the log', async () => {
    const ids = await put(
      Array.from({ length: 120 }, (_, nth) => ({ name: `wide ${nth}.pdf`, bytes: randomBytes(MIB) })),
    );
    const read = vi.spyOn(app.context.services.blobs, 'read');
    const lines = app.log.length;
    for (const goesAfter of [0, 1, 20]) {
      const sending = nextAnswer();
      const answer = await begin(ids);
      const gone = new Promise((resolve) => answer.once('close', resolve));
      answer.on('error', () => {});
      let pieces = 0;
      if (goesAfter === 0) answer.destroy();
      answer.on('data', () => {
        pieces += 1;
        if (pieces === goesAfter) answer.destroy();
      });
      await gone;
      const sent = await sending;
      await eventually(() => expect(sent.closed).toBe(true));
      // Soon, since a file may just be on its way to be opened.
      await eventually(async () => {
        const begun = read.mock.calls.length;
        expect((await app.admin.get('/api/files?limit=1')).status).toBe(200);
        expect([read.mock.calls.length, openBlobs()]).toEqual([begun, []]);
      });
    }
    expect(app.log.slice(lines).filter(({ level }) => Number(level) >= 50)).toEqual([]);
    expect(read.mock.calls.length).toBeLessThan(ids.length);
    expect((await recordedAmong(ids)).length).toBeLessThanOrEqual(2 * RECORDED_AHEAD_MAX);
  });

  it('G4: a reader that disconnects before the first byte leaves no entry', async () => {
    const ids = await put(
      Array.from({ length: 40 }, (_, nth) => ({ name: `early ${nth}.pdf`, bytes: randomBytes(9) })),
    );
    const linesBefore = app.log.length;
    const { blobs } = app.context.services;
    const sending = nextAnswer();
    const verify = blobs.verify.bind(blobs);
    const asked = httpRequest(`${app.origin}/api/files/archive`, {
      method: 'POST',
      agent: false,
      headers: headers(app.admin),
    });
    asked.on('error', () => {});
    const spy = vi.spyOn(blobs, 'verify').mockImplementation(async (blob) => {
      asked.destroy();
      const sent = await sending;
      await eventually(() => expect(sent.closed).toBe(true));
      return verify(blob);
    });
    asked.end(JSON.stringify({ ids }));
    await eventually(() => {
      expect(spy).toHaveBeenCalled();
      expect(spy.mock.settledResults.map(({ type }) => type)).not.toContain('incomplete');
    });
    // Whatever went on is overtaken by no later archive.
    expect((await (await archive(app.admin, [firm.files.f1.id])).arrayBuffer()).byteLength).toBeGreaterThan(0);
    expect(spy.mock.calls.length).toBeLessThan(ids.length);
    expect(await recordedAmong(ids)).toEqual([]);
    expect(app.log.slice(linesBefore).filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});

// Stalled connections: headers that trickle, bodies that take their time, answers nobody reads (rows G1 and G10 of docs/trust.md).
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { FileRow } from '#contract/files.ts';
import { buildApp } from '../../app.ts';
import { sessionOf } from '../../people/access/credential.ts';
import { MINUTE_MS } from '../../platform/clock.ts';
import { WIRE_LIMITS } from '../../platform/http/wire-limits.ts';
import { eventually } from '../eventually.ts';
import { type Firm, makeFirm } from '../firm.ts';
import { NEVER_LATE_MS, startTestApp, type TestApp } from '../test-app.ts';
import { FORM_TYPE, fieldParts, formBody } from './form.ts';
import { answerOn, dial, requestHead, silenceIsCut } from './wire.ts';

const MIB = 1024 * 1024;
/** Far more than kernels buffer for one connection. */
const LARGE_BYTES = 64 * MIB;
/** What Node waits for by itself is short; for bodies, the clock is moved by hand. */
const LIMITS = { headersMs: 600, headersLookMs: 200, quietLookMs: 300 };
const { bodyMs } = WIRE_LIMITS;

describe('a stalled connection', () => {
  let app: TestApp;
  let firm: Firm;
  let large: FileRow;
  let web: FastifyInstance;
  let webRoot: string;
  let webOrigin: string;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    app = await startTestApp('sqlite', {}, { limits: LIMITS, clock: 'standing' });
    firm = await makeFirm(app);
    const fields = { clientId: firm.clients[0], fileType: 'report', reportTypeId: firm.reportTypes[0] };
    ({ body: large } = await app.admin.upload<FileRow>({ bytes: new Uint8Array(LARGE_BYTES), fields }));

    webRoot = mkdtempSync(join(tmpdir(), 'coffer-web-'));
    mkdirSync(join(webRoot, 'assets'));
    writeFileSync(join(webRoot, 'index.html'), '<!doctype html><title>x</title>');
    writeFileSync(join(webRoot, 'assets', 'large-0000.js'), '');
    truncateSync(join(webRoot, 'assets', 'large-0000.js'), LARGE_BYTES);
    web = await buildApp(app.context, { webRoot, limits: LIMITS, lateLoopMs: NEVER_LATE_MS });
    await web.listen({ port: 0, host: '127.0.0.1' });
    webOrigin = `http://127.0.0.1:${(web.server.address() as AddressInfo).port}`;
  }, 180_000);
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(async () => {
    await web.close();
    rmSync(webRoot, { recursive: true, force: true });
    await app.close();
  });

  const signed = () => ({ authorization: `Bearer ${app.admin.token}` });
  function open(origin: string): Socket {
    const socket = dial(origin);
    sockets.push(socket);
    return socket;
  }

  /** The server's side of the connections opened from now on. */
  function serverSide(of: FastifyInstance): readonly Socket[] {
    const served: Socket[] = [];
    of.server.on('connection', (socket) => served.push(socket));
    return served;
  }
  const allCut = (served: readonly Socket[], count: number) =>
    eventually(() => expect(served.filter(({ destroyed }) => destroyed)).toHaveLength(count));

  /** Sends `piece` again and again once a body is waited for, until its time is over but for a moment. */
  async function trickle(socket: Socket, piece: string, served: readonly Socket[]): Promise<void> {
    await eventually(() => expect(app.waiting()).toBe(1));
    for (let nth = 0; nth < 10; nth += 1) {
      socket.write(piece);
      await eventually(() => expect(served[0]?.bytesRead).toBe(socket.bytesWritten));
      app.advance(bodyMs / 10 - 1);
    }
    app.advance(9);
    expect(served[0]?.destroyed).toBe(false);
  }

  it('G10: an unread asset is cut, for visitors without an account too', async () => {
    const served = serverSide(web);
    for (let nth = 0; nth < 3; nth += 1) {
      open(webOrigin).pause().write(requestHead('GET', '/assets/large-0000.js'));
    }
    await allCut(served, 3);
  });

  it('G10: an unread download is cut, and does not look complete', async () => {
    const served = serverSide(app.app);
    const socket = open(app.origin).pause();
    socket.write(requestHead('GET', `/api/files/${large.id}/download`, signed()));
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    const closing = new Promise<boolean>((resolve) => socket.once('close', resolve));
    await allCut(served, 1);
    socket.resume();
    // With an error: a reset, and no end.
    expect(await closing).toBe(true);
    expect(bytes).toBeLessThan(LARGE_BYTES);
  });

  it('a download that is under way is use of the session', async () => {
    const usedAt = async () => {
      const viewer = await app.context.sessions.byToken(app.admin.token ?? '', { uses: false });
      return viewer && sessionOf(viewer).usedAt;
    };
    const served = serverSide(app.app);
    open(app.origin)
      .pause()
      .write(requestHead('GET', `/api/files/${large.id}/download`, signed()));
    await eventually(() => expect(served[0]?.bytesWritten).toBeGreaterThan(0));
    // More than from one note of a use to the next.
    app.advance(6 * MINUTE_MS);
    await eventually(async () => expect(await usedAt()).toBe(app.now()));
  });

  it('G10: headers that trickle are ended, and by default within twenty seconds', async () => {
    expect(WIRE_LIMITS.headersMs + WIRE_LIMITS.headersLookMs).toBeLessThan(20_000);
    const served = serverSide(app.app);
    const opened = Array.from({ length: 50 }, () => open(app.origin));
    const silent = Array.from({ length: 5 }, () => open(app.origin));
    const timer = setInterval(() => {
      for (const socket of opened) if (socket.writable) socket.write('x');
    }, 50);
    for (const socket of opened) socket.write('GET /healthz HTTP/1.1\r\nx-slow: ');
    try {
      await allCut(served, opened.length + silent.length);
    } finally {
      clearInterval(timer);
    }
  });

  it('G10: a slow upload outlives every check, and so does a connection between two requests', async () => {
    const socket = open(app.origin);
    const fields = fieldParts({ clientId: firm.clients[0], fileType: 'report' });
    const file = { name: 'file', fileName: 'slow.bin', type: 'application/pdf', content: new Uint8Array(400_000) };
    const body = formBody([...fields, file]);
    const type = { 'content-type': FORM_TYPE, 'content-length': String(body.length) };
    const answer = answerOn(socket);
    socket.write(requestHead('POST', '/api/files', { ...signed(), ...type }));
    const looksPass = async (times: number) => {
      for (let nth = 0; nth < times; nth += 1) await silenceIsCut(app.origin);
    };
    for (let at = 0; at < body.length; at += 100_000) {
      await looksPass(2);
      socket.write(body.subarray(at, at + 100_000));
    }
    expect((await answer).status).toBe(201);
    await looksPass(4);
    const next = answerOn(socket);
    socket.write(requestHead('GET', '/healthz'));
    expect((await next).status).toBe(200);
  });

  it('G1: a body that claims to be a form has a time limit too, where no form is accepted', async () => {
    const served = serverSide(app.app);
    const socket = open(app.origin);
    const answer = answerOn(socket);
    socket.write(requestHead('GET', '/healthz', { 'content-type': FORM_TYPE, 'content-length': '400000' }));
    expect((await answer).status).toBe(200);
    await trickle(socket, 'x', served);
    app.advance(1);
    expect(served[0]?.destroyed).toBe(true);
  });

  it('G1: a JSON body has a time limit, however quickly it arrives', async () => {
    const user = { username: 'late', password: 'late password', fullName: 'Late', roleId: firm.roles.client };
    const text = JSON.stringify(user);
    const served = serverSide(app.app);
    const socket = open(app.origin);
    const answer = answerOn(socket);
    const type = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    socket.write(requestHead('POST', '/api/users', { ...signed(), ...type }));
    socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
    // What is no payload at all, and then nothing but an end that would complete the body.
    await trickle(socket, `1;${'x'.repeat(4_000)}\r\n \r\n`, served);
    app.advance(1);
    const { status, body } = await answer;
    expect([status, JSON.parse(body).code]).toEqual([408, 'too_slow']);
    socket.write('0\r\n\r\n');
    await allCut(served, 1);
    expect((await app.admin.get<unknown[]>('/api/users?q=late')).body).toEqual([]);
  });
});

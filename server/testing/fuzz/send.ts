// Sends raw bytes over a socket and returns the raw answer, without a client in between that would change either.
import { connect } from 'node:net';
import type { Wire } from './wire.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

const SILENT_MS = 60_000;

function framed({ body, framing }: Wire): { headers: string[]; bytes: Buffer } {
  const size = body.length;
  const chunk = Buffer.concat([Buffer.from(`${size.toString(16)}\r\n`), body, Buffer.from('\r\n')]);
  const end = Buffer.from('0\r\n\r\n');
  switch (framing) {
    case 'length':
      return { headers: size === 0 ? [] : [`content-length: ${size}`], bytes: body };
    case 'chunked':
      return { headers: ['transfer-encoding: chunked'], bytes: Buffer.concat(size === 0 ? [end] : [chunk, end]) };
    case 'none':
      return { headers: [], bytes: body };
    case 'short':
      return { headers: [`content-length: ${Math.floor(size / 2)}`], bytes: body };
    case 'long':
      return { headers: [`content-length: ${size + 10}`], bytes: body };
    case 'both':
      return { headers: [`content-length: ${size}`, 'transfer-encoding: chunked'], bytes: Buffer.concat([chunk, end]) };
    case 'bad-chunk':
      return { headers: ['transfer-encoding: chunked'], bytes: Buffer.concat([Buffer.from('zz\r\n'), body]) };
    case 'not-a-number':
      return { headers: ['content-length: 1e1'], bytes: body };
  }
}

function unchunked(body: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16);
    if (lineEnd < 0 || !(size > 0)) return Buffer.concat(pieces);
    pieces.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}

/** The first answer in `bytes`, without those to what the server took for further requests. */
function parse(bytes: Buffer, method: string): Reply | null {
  let head = '';
  let rest = bytes;
  let status = 100;
  // An interim answer is before the one that counts.
  while (status === 100) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) return null;
    head = rest.toString('latin1', 0, headEnd);
    rest = rest.subarray(headEnd + 4);
    status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? Number.NaN);
  }
  const headers = new Headers();
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const length = headers.get('content-length');
  const body = headers.get('transfer-encoding') === 'chunked' ? unchunked(rest) : rest.subarray(0, Number(length ?? 0));
  return { status, headers, body: method === 'HEAD' ? Buffer.alloc(0) : body };
}

/**
 * Sends one request and resolves to the answer, or to null where the server ended the connection without one. Rejects when
 * it leaves the connection open in silence.
 */
export function send(origin: string, wire: Wire): Promise<Reply | null> {
  const { port, host } = new URL(origin);
  const { headers, bytes } = framed(wire);
  const given = Object.entries(wire.headers).map(([name, value]) => `${name}: ${value}`);
  const hosts = 'host' in wire.headers ? [] : [`host: ${host}`];
  const head = [`${wire.method} ${wire.path} HTTP/1.1`, ...hosts, 'connection: close', ...given, ...headers];
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const socket = connect({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true });
    socket.setTimeout(SILENT_MS, () => {
      socket.destroy();
      reject(new Error(`No answer within ${SILENT_MS} ms, and the connection stayed open`));
    });
    socket.on('data', (piece) => pieces.push(piece));
    // What the server sent before it cut the connection still counts.
    socket.on('error', () => {});
    socket.once('close', () => resolve(parse(Buffer.concat(pieces), wire.method)));
    socket.once('end', () => socket.destroy());
    socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]));
    // Node treats an end as a lost caller, so it comes only where the server would wait for more.
    if (wire.framing === 'long') socket.end();
  });
}

// Requests written byte by byte over a socket, as no well-behaved client would send them, and their raw answers.
import { connect, type Socket } from 'node:net';
import type { TestApp } from '../test-app.ts';

export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** Everything that came back, as text. */
  readonly text: string;
}

/** An open connection to the server of `origin`; its errors mean that the server hung up, which tests check elsewhere. */
export function dial(origin: string): Socket {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on('error', () => {});
  return socket;
}

/** Says nothing until the server hangs up: whatever has been as quiet for as long, by the same limit, is over by then. */
export async function silenceIsCut(origin: string): Promise<void> {
  const socket = dial(origin).resume();
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  socket.destroy();
}

/** The head of a request, ending with its blank line. */
export function requestHead(method: string, path: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`;
}

/** The answer as far as it came; null while it is incomplete, unless nothing more will come. */
function parse(text: string, ended: boolean): WireAnswer | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Headers();
  for (const line of lines) headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim());
  const body = text.slice(end + 4);
  if (!ended && Buffer.byteLength(body) < Number(headers.get('content-length') ?? 0)) return null;
  return { status: Number(statusLine.split(' ')[1]), headers, body, text };
}

/** The first answer on `socket`; rejects when the connection closes without one. */
export function answerOn(socket: Socket): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    let text = '';
    const settle = (ended: boolean) => {
      const answer = parse(text, ended);
      if (answer !== null) resolve(answer);
    };
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      settle(false);
    });
    socket.once('end', () => settle(true));
    socket.once('close', () => reject(new Error(`The connection closed after: ${text}`)));
  });
}

/** Sends `bytes` exactly as they are and returns what came back. */
export async function sendBytesTo(origin: string, bytes: string | Uint8Array): Promise<WireAnswer> {
  const socket = dial(origin);
  const answer = answerOn(socket);
  socket.write(bytes);
  try {
    return await answer;
  } finally {
    socket.destroy();
  }
}

/** Counts what arrives at the server on connections opened from now on. */
export function countArrivals(app: TestApp): { bytes(): number; allClosed(): boolean } {
  const served: Socket[] = [];
  app.app.server.on('connection', (socket) => served.push(socket));
  return {
    bytes: () => served.reduce((sum, socket) => sum + socket.bytesRead, 0),
    allClosed: () => served.every((socket) => socket.destroyed),
  };
}

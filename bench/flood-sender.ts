// Sends a flood of requests from a thread of its own, so that only the server makes others wait.
import { connect, type Socket } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** What one flood sends. */
export interface FloodTask {
  readonly origin: string;
  /** Sign-ins with invented names, the shortest request there is, or what a token asks for. */
  readonly sends: 'sign-ins' | 'shortest' | { readonly path: string; readonly token: string };
  /** Each connection comes from one of these addresses of this machine, in turns. */
  readonly addresses: readonly string[];
  readonly connections: number;
  /**
   * `in bursts`: each second all connections are opened, so many requests are sent ahead on each, on all of them at once after `sendAfterMs`,
   * and after `hangUpAfterMs` they are closed; null: each connection sends its next request when the one before is answered.
   */
  readonly inBursts: { readonly ahead: number; readonly sendAfterMs: number; readonly hangUpAfterMs: number } | null;
}

/** How often each status came. */
export type Statuses = Readonly<Record<string, number>>;

const BURST_EVERY_MS = 1_000;
/** A connection that the server closes is opened again after this. */
const REOPEN_AFTER_MS = 5;

/** Runs `work` while the flood goes on; returns what came of both. */
export async function whileFlooded<Result>(
  task: FloodTask,
  work: () => Promise<Result>,
): Promise<{ result: Result; answered: Statuses }> {
  const worker = new Worker(import.meta.filename, { workerData: task });
  const answered = new Promise<Statuses>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  answered.catch(() => {});
  try {
    const result = await work();
    worker.postMessage('end');
    return { result, answered: await answered };
  } finally {
    await worker.terminate();
  }
}

function openFlood({ origin, sends, addresses, connections, inBursts }: FloodTask) {
  const { hostname, port } = new URL(origin);
  const answered: Record<string, number> = {};
  let sent = 0;
  let isOver = false;

  function nextRequest(): string {
    sent += 1;
    if (sends === 'shortest') return 'GET / HTTP/1.1\r\nhost:a\r\n\r\n';
    const head = ['host: 127.0.0.1', 'connection: keep-alive'];
    if (sends !== 'sign-ins') {
      return `${[`GET ${sends.path} HTTP/1.1`, ...head, `authorization: Bearer ${sends.token}`].join('\r\n')}\r\n\r\n`;
    }
    const body = JSON.stringify({ username: `nobody-${sent}-${Date.now()}`, password: 'not it' });
    head.push('content-type: application/json', `content-length: ${body.length}`);
    return `${['POST /api/auth/login HTTP/1.1', ...head].join('\r\n')}\r\n\r\n${body}`;
  }

  function open(nth: number): Socket {
    const localAddress = addresses[nth % addresses.length] ?? '127.0.0.1';
    // The server's hanging up is part of what is measured.
    return connect({ host: hostname, port: Number(port), localAddress }).on('error', () => {});
  }

  function count(piece: Buffer): void {
    for (const [, status = ''] of piece.toString('latin1').matchAll(/HTTP\/1\.1 (\d+)/g)) {
      answered[status] = (answered[status] ?? 0) + 1;
    }
  }

  function burst(how: NonNullable<FloodTask['inBursts']>): void {
    if (isOver) return;
    const bursts = Array.from({ length: connections }, (_, nth) => {
      const socket = open(nth);
      // Nothing is read of what somebody signed in asks for.
      if (typeof sends === 'string') socket.on('data', count);
      setTimeout(() => socket.destroy(), how.hangUpAfterMs);
      return { socket, requests: Array.from({ length: how.ahead }, nextRequest).join('') };
    });
    setTimeout(() => {
      for (const { socket, requests } of bursts) socket.write(requests);
    }, how.sendAfterMs);
    setTimeout(() => burst(how), BURST_EVERY_MS);
  }

  function goOn(nth: number): void {
    if (isOver) return;
    const socket = open(nth);
    socket.on('data', (piece) => {
      count(piece);
      if (isOver) socket.destroy();
      else socket.write(nextRequest());
    });
    socket.on('close', () => setTimeout(() => goOn(nth), REOPEN_AFTER_MS));
    socket.write(nextRequest());
  }

  if (inBursts !== null) burst(inBursts);
  else for (let nth = 0; nth < connections; nth += 1) goOn(nth);
  return {
    end(): Statuses {
      isOver = true;
      return answered;
    },
  };
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const flood = openFlood(workerData as FloodTask);
  port.once('message', () => port.postMessage(flood.end()));
}

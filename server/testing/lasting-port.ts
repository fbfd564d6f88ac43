// A port that a test may leave and come back to.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below those that systems hand out by themselves, so that nobody gets it by chance meanwhile. */
const FIRST = 20_000;
const LAST = 30_000;

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((done) => {
    server.once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => done(true));
  });
  if (listens) await new Promise((done) => server.close(done));
  return listens;
}

export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
}

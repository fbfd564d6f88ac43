// What answers where a PostgreSQL is looked for, and lets nobody in.
import { type AddressInfo, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server that says this to whoever connects, until the test is over; its port. */
export async function serverSaying(bytes: Uint8Array): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {}).resume();
    socket.end(bytes);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => new Promise<void>((done) => server.close(() => done())));
  return (server.address() as AddressInfo).port;
}

/** As MySQL begins: what comes, and in which version. */
export const GREETING_OF_MYSQL: Uint8Array = Buffer.from('J\0\0\0\n8.0.36\0');

/** The refusal of a PostgreSQL, such as '28P01' of a wrong password. */
export function refusalOfPostgres(code: string): Uint8Array {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mrefused\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

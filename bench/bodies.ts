// Request bodies: a multipart form with one file, and long files that are generated while they are sent.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { Broken } from './load.ts';

const BOUNDARY = 'coffer-bench-1a2b3c4d5e6f';
const PIECE_BYTES = 1024 * 1024;
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

/** The bytes before and after the file in a form that uploads a report. */
export function formAround(fields: Readonly<Record<string, string | number>>): { head: Buffer; tail: Buffer } {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="Bench Report.pdf"\r\ncontent-type: application/pdf\r\n\r\n`;
  return { head: Buffer.from(parts.join('') + file), tail: Buffer.from(`\r\n--${BOUNDARY}--\r\n`) };
}

/** Random bytes that begin like a PDF. */
export function pdfBytes(sizeBytes: number): Buffer {
  return Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(sizeBytes - 9)]);
}

/** The pieces of a long file: a block of noise whose first bytes are a counter, so that no two pieces are equal. */
function* piecesOf(sizeBytes: number): Generator<Buffer> {
  const noise = randomBytes(PIECE_BYTES);
  for (let sent = 0, piece = 0; sent < sizeBytes; sent += PIECE_BYTES, piece += 1) {
    const bytes = Buffer.from(noise.subarray(0, Math.min(PIECE_BYTES, sizeBytes - sent)));
    if (bytes.length >= 8) bytes.writeBigUInt64LE(BigInt(piece));
    yield bytes;
  }
}

export interface LongUpload {
  readonly origin: string;
  readonly token: string;
  readonly sizeBytes: number;
  readonly form: { head: Buffer; tail: Buffer };
  readonly digest: boolean;
}

/** Sends a long file over a connection of its own; returns the server's row and, if asked for, the digest of what was sent. */
export async function sendLong(
  upload: LongUpload,
): Promise<{ tookMs: number; row: { id: number; sha256?: string }; sha256: string | null }> {
  const { form } = upload;
  const sha256 = upload.digest ? createHash('sha256') : null;
  const startedAt = performance.now();
  const sending = request(new URL('/api/files', upload.origin), {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${upload.token}`,
      'content-type': MULTIPART,
      'content-length': upload.sizeBytes + form.head.length + form.tail.length,
    },
  });
  const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
    sending.once('error', reject);
    sending.once('response', (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        body += piece;
      });
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
  });
  // A refusal may come at any time: then nothing more is sent, and it is reported below.
  let refused = false;
  answered.then(
    ({ status }) => {
      refused = status !== 201;
    },
    () => {
      refused = true;
    },
  );
  const write = async (bytes: Buffer) => {
    if (!sending.write(bytes)) await Promise.race([once(sending, 'drain'), answered]);
  };
  await write(form.head);
  for (const piece of piecesOf(upload.sizeBytes)) {
    if (refused) break;
    sha256?.update(piece);
    await write(piece);
  }
  if (refused) sending.destroy();
  else sending.end(form.tail);
  const { status, body } = await answered;
  if (status !== 201) throw new Broken(`An upload of ${upload.sizeBytes} bytes was answered ${status}: ${body}`);
  return { tookMs: performance.now() - startedAt, row: JSON.parse(body), sha256: sha256?.digest('hex') ?? null };
}

/** Fetches a file and throws it away piece by piece; answers its size and digest. */
export async function fetchLong(
  origin: string,
  token: string,
  id: number,
): Promise<{ tookMs: number; sizeBytes: number; sha256: string }> {
  const startedAt = performance.now();
  const sha256 = createHash('sha256');
  let sizeBytes = 0;
  await new Promise<void>((resolve, reject) => {
    const asking = request(new URL(`/api/files/${id}/download`, origin), {
      agent: false,
      headers: { authorization: `Bearer ${token}` },
    });
    asking.once('error', reject);
    asking.once('response', (response) => {
      if (response.statusCode !== 200) reject(new Broken(`A download was answered ${response.statusCode}`));
      response.on('data', (piece: Buffer) => {
        sha256.update(piece);
        sizeBytes += piece.length;
      });
      response.once('error', reject);
      response.once('end', resolve);
    });
    asking.end();
  });
  return { tookMs: performance.now() - startedAt, sizeBytes, sha256: sha256.digest('hex') };
}

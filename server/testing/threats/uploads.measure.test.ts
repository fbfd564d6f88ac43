// What an upload costs that would inflate to far more than it takes (row C8 of docs/trust.md).
import { randomBytes } from 'node:crypto';
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FileRow } from '#contract/files.ts';
import { type Firm, makeFirm } from '../firm.ts';
import { median, workMs } from '../measure.ts';
import { startTestApp, type TestApp } from '../test-app.ts';
import { zipEntry } from '../zip-entry.ts';

const MIB = 1024 * 1024;
/** 16 MiB of zeros, deflated so that several in a row are one stream. */
const PIECE = deflateRawSync(Buffer.alloc(16 * MIB), { finishFlush: constants.Z_FULL_FLUSH, level: 9 });
const inflatePiece = () => inflateRawSync(PIECE, { finishFlush: constants.Z_SYNC_FLUSH });
const deflatedZeros = (pieces: number) => Buffer.concat(Array.from({ length: pieces }, () => PIECE));

let app: TestApp;
let firm: Firm;
beforeAll(async () => {
  app = await startTestApp('sqlite');
  firm = await makeFirm(app);
});
afterAll(() => app.close());

/** Sends it, opens it and packs it with another file: everything the server ever does with bytes. Answers the peak of memory meanwhile. */
async function use(name: string, bytes: Buffer): Promise<number> {
  let peakBytes = process.memoryUsage().rss;
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
  }, 2);
  try {
    const fields = { clientId: firm.clients[0], fileType: 'report' };
    const { status, body } = await app.admin.upload<FileRow>({ name, bytes, fields });
    expect(status).toBe(201);
    for (const how of ['view', 'download']) {
      const answer = await app.admin.fetch(`/api/files/${body.id}/${how}`);
      expect((await answer.arrayBuffer()).byteLength).toBe(bytes.length);
    }
    const archive = await app.admin.fetch('/api/files/archive', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ids: [body.id, firm.files.f1.id] }),
    });
    expect((await archive.arrayBuffer()).byteLength).toBeLessThan(bytes.length + MIB / 16);
    return peakBytes;
  } finally {
    clearInterval(watch);
  }
}

it.each([
  { name: 'bomb.zip', entry: 'zeros', pieces: 640, claimedBytes: 281n * 10n ** 12n },
  { name: 'bomb.docx', entry: '[Content_Types].xml', pieces: 64, claimedBytes: 10n ** 9n },
])(
  'C8: $name costs no more time and memory than any other file of its size',
  async ({ name, entry, pieces, claimedBytes }) => {
    const bytes = zipEntry(entry, deflatedZeros(pieces), claimedBytes);
    const plain = randomBytes(bytes.length);
    const peaks = { plain: [] as number[], bomb: [] as number[] };
    const work = await workMs({
      plain: async () => peaks.plain.push(await use('plain.bin', plain)),
      bomb: async () => peaks.bomb.push(await use(name, bytes)),
      piece: inflatePiece,
    });
    // Far from what inflating it would take here.
    const isCheap = work.bomb - work.plain < (pieces * work.piece) / 4;
    expect([work, isCheap]).toEqual([work, true]);
    const growth = median(peaks.bomb.map((peak, nth) => peak - (peaks.plain[nth] ?? 0)));
    // Two pieces of it.
    expect(growth).toBeLessThan(32 * MIB);
  },
  300_000,
);

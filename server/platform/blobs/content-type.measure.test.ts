// What it costs to recognise a file that would inflate to far more than it takes.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { workMs } from '../../testing/measure.ts';
import { zipEntry } from '../../testing/zip-entry.ts';
import { HEAD_BYTES } from './blob-store.ts';
import { decideContentType } from './content-type.ts';

const INFLATED_BYTES = 64 * 1024 * 1024;

test('an archive that would unpack to hundreds of megabytes is recognised without unpacking it', async () => {
  const deflated = deflateRawSync(Buffer.alloc(INFLATED_BYTES));
  const bomb = zipEntry('[Content_Types].xml', deflated, 281_000_000n);
  const head = new Uint8Array(bomb.subarray(0, HEAD_BYTES));
  const recognise = async () =>
    expect(await decideContentType(head, bomb.length, 'bomb.docx')).toMatch(/^application\//);
  const residentBefore = process.memoryUsage().rss;
  for (let nth = 0; nth < 5; nth += 1) await recognise();
  expect(process.memoryUsage().rss - residentBefore).toBeLessThan(INFLATED_BYTES / 2);
  const { recognising, inflating } = await workMs({
    recognising: recognise,
    inflating: () => inflateRawSync(deflated),
  });
  expect(recognising).toBeLessThan(inflating / 4);
});

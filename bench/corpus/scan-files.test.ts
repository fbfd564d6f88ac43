// A sheet that went through a scanner, or was photographed as it lay: the signs of its name and its date are read too.
import { expect, test, vi } from 'vitest';
import { WordReader } from '#server/batches/reading/word-reader.ts';
import { recognise } from '#server/batches/recognition/recognise.ts';
import { pngOf, turnedBitmap } from '#server/testing/bitmap-page.ts';
import { breadth } from '#server/testing/breadth.ts';
import { file, known } from '#server/testing/recognition-firm.ts';
import { typedPage } from '#server/testing/typed-page.ts';
import { createRandom } from '../../demo/random.ts';
import { readScans, scanPdf } from './scan-files.ts';
import { scanned } from './scanner.ts';

const page = typedPage(`
  Harbor & Pine Bakery LLC      Payroll Register
  Federal ID: 07-1234567      Check Date: 03 / 14 / 2025
  Employee    Hours    Gross    Net
  Yara Coldwell    62.00    22,300.81    19,603.96
  Hugo Marchetti    61.00    5,683.63    4,839.99
  Magnus Ortega    49.00    12,245.43    9,229.75
`);
const right = { clientId: 1, period: '2025-03-14', state: 'ready', reasons: [] };

test('of a name with an ampersand and of a date in boxes nothing is lost', { timeout: 60_000 }, async () => {
  const bytes = Buffer.from(await scanPdf([page], createRandom('scans', 'signs')));
  const [document] = recognise([await readScans(file('scan0047.pdf'), bytes)], known);
  expect(document).toMatchObject(right);
});

test.each(breadth([180], [0, 90, 180, 270]))('an image turned right by %d degrees loses nothing', async (degrees) => {
  const looks = vi.spyOn(WordReader.prototype, 'in');
  const sheet = scanned(page, 0, createRandom('images', degrees));
  const bytes = Buffer.from(pngOf(turnedBitmap(sheet, degrees / 90)));
  const read = await readScans(file('IMG_0047.png'), bytes, 'image/png');
  expect(looks.mock.calls.length).toBeLessThanOrEqual(degrees === 0 ? 1 : degrees === 180 ? 2 : 4);
  const [found] = read.pages;
  expect([found?.width, found?.height, found?.turned ?? 0]).toEqual([612, 792, (360 - degrees) % 360]);
  // It was typed from 30 points on, in the first line.
  const name = found?.runs.find(({ text }) => text === 'Harbor');
  expect(Math.abs((name?.x ?? 0) - 30)).toBeLessThan(4);
  expect(Math.abs((name?.y ?? 0) - 36)).toBeLessThan(6);
  expect(recognise([read], known)).toMatchObject([right]);
});

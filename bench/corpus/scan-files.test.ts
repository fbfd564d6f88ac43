// A sheet that went through a scanner: the signs of its name and its date are read too.
import { expect, test } from 'vitest';
import { recognise } from '#server/batches/recognition/recognise.ts';
import { file, known } from '#server/testing/recognition-firm.ts';
import { typedPage } from '#server/testing/typed-page.ts';
import { createRandom } from '../../demo/random.ts';
import { readScans, scanPdf } from './scan-files.ts';

test('of a name with an ampersand and of a date in boxes nothing is lost', { timeout: 60_000 }, async () => {
  const page = typedPage(`
    Harbor & Pine Bakery LLC      Payroll Register
    Federal ID: 07-1234567      Check Date: 03 / 14 / 2025
    Employee    Hours    Gross    Net
    Yara Coldwell    62.00    22,300.81    19,603.96
    Hugo Marchetti    61.00    5,683.63    4,839.99
    Magnus Ortega    49.00    12,245.43    9,229.75
  `);
  const bytes = Buffer.from(await scanPdf([page], createRandom('scans', 'signs')));
  const [document] = recognise([await readScans(file('scan0047.pdf'), bytes)], known);
  expect(document).toMatchObject({ clientId: 1, period: '2025-03-14', state: 'ready', reasons: [] });
});

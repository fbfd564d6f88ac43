// What a document of a batch is called as a file.
import { expect, test } from 'vitest';
import { documentName, type NamedDocument } from './document-name.ts';

const part: NamedDocument = {
  fileName: 'print.pdf',
  filePages: 9,
  clientName: 'Harbor & Pine Bakery LLC',
  reportTypeName: 'Form 941',
  period: '2026-Q1',
  fromPage: 3,
  toPage: 4,
};

test.each<[Partial<NamedDocument>, string]>([
  [{}, 'Form 941 Q1 2026 - Harbor & Pine Bakery LLC.pdf'],
  [{ reportTypeName: 'W-2 / W-3', period: '2025' }, 'W-2, W-3 2025 - Harbor & Pine Bakery LLC.pdf'],
  [{ reportTypeName: 'Direct Deposit / ACH', period: null }, 'Direct Deposit, ACH - Harbor & Pine Bakery LLC.pdf'],
  [
    { clientName: 'Rosa Calloway d/b/a Brightwater Inc.' },
    'Form 941 Q1 2026 - Rosa Calloway d-b-a Brightwater Inc.pdf',
  ],
  [{ clientName: '../../Brightwater' }, 'Form 941 Q1 2026 - ..-..-Brightwater.pdf'],
  [{ clientName: null }, 'print, pages 3-4.pdf'],
  [{ clientName: null, toPage: 3 }, 'print, page 3.pdf'],
  [{ fromPage: 1, toPage: 9 }, 'print.pdf'],
])('%j is called %s', (facts, name) => {
  expect(documentName({ ...part, ...facts })).toBe(name);
});

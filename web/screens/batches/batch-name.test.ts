import { expect, test } from 'vitest';
import { BatchInput } from '#contract/batches.ts';
import { batchNameOf } from './batch-name.ts';

const file = (path: string, isLeftOut = false) => ({ path, name: path.split('/').at(-1) ?? '', isLeftOut });
const named = (...names: string[]) => batchNameOf(names.map((name) => file(name)));

test('a batch is called after its first file', () => {
  expect(named('payrun-2026-11.pdf')).toBe('payrun-2026-11.pdf');
  expect(named('a.pdf', 'b.pdf')).toBe('a.pdf and others');
});

test('files that do not come into it give it no name', () => {
  expect(batchNameOf([file('new doc.pdf', true), file('a.pdf')])).toBe('a.pdf');
});

test('a batch of one folder is called after it', () => {
  expect(named('March 2026/a.pdf', 'March 2026/late/b.pdf')).toBe('March 2026');
  expect(named('March 2026/a.pdf', 'b.pdf')).toBe('a.pdf and others');
});

test('whatever the file is called, the server takes the name', () => {
  const names = [named('x'.repeat(300), 'b'), named('\u202e\u0007fdp.a'), named('   '), named('')];
  for (const name of names) expect(BatchInput.parse({ name })).toEqual({ name });
  expect(names[0]).toHaveLength(120);
  expect(names[0]).toMatch(/x and others$/);
  expect(names[2]).toBe('Batch');
});

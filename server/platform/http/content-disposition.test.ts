// The header as browsers read it: the right name, and never a second header.
import { parse } from 'content-disposition';
import { expect, test } from 'vitest';
import { contentDisposition } from './content-disposition.ts';

test.each([
  'report.pdf',
  'a"b.pdf',
  'back\\slash.pdf',
  '日本.pdf',
  'Müller & Söhne – 2024.pdf',
  '100%25.pdf',
  '😀.png',
  "it's;a=b.txt",
])('%s comes back as it was', (name) => {
  for (const disposition of ['attachment', 'inline'] as const) {
    const header = contentDisposition(disposition, name);
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    expect(parse(header)).toMatchObject({ type: disposition, parameters: { filename: name } });
  }
});

test('a name beyond ASCII is encoded as RFC 8187 says', () => {
  expect(contentDisposition('attachment', '日本.pdf')).toContain("filename*=UTF-8''%E6%97%A5%E6%9C%AC.pdf");
});

test('a name cannot begin another header', () => {
  const header = contentDisposition('attachment', 'a"b\r\nX-Y: 1\0.pdf');
  expect(header).toMatch(/^[\x20-\x7e]+$/);
});

test('a long name and a broken one are still headers', () => {
  expect(parse(contentDisposition('inline', `${'ä'.repeat(200)}.pdf`)).parameters['filename']).toHaveLength(204);
  expect(contentDisposition('inline', 'half \ud83d.pdf')).toContain('filename*=');
});

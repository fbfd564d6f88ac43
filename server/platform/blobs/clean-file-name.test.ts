// Names as people and attackers send them, and what is kept of them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanFileName, cleanFilePath } from './clean-file-name.ts';

test.each([
  ['2024 W-2 Summary.pdf', '2024 W-2 Summary.pdf'],
  ['日本.pdf', '日本.pdf'],
  ['a"b.pdf', 'a"b.pdf'],
  ['../../x.pdf', 'x.pdf'],
  ['..\\x.pdf', 'x.pdf'],
  ['C:\\Users\\jo\\payroll.xlsx', 'payroll.xlsx'],
  ['a\0.pdf', 'a.pdf'],
  ['a\r\nX-Y: 1.pdf', 'aX-Y: 1.pdf'],
  ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
  ['\u200Ehidden\u2066.txt', 'hidden.txt'],
  ['cafe\u0301.pdf', 'café.pdf'],
  ['cafe\u200E\u0301.pdf', 'café.pdf'],
  ['👩‍👧.png', '👩‍👧.png'],
  ['می\u200cخواهم.pdf', 'می\u200cخواهم.pdf'],
  ['pay\u200broll\u00ad.pdf', 'payroll.pdf'],
  ['\u3164\u115f\u2800\ufeff', 'file'],
  ['\u200d\u200c\ufe0f', 'file'],
  ['\ufe0f\ufe0f.\u200d\ufe0fpdf', 'pdf'],
  ['tag\u{e0041}\u2060.pdf', 'tag.pdf'],
  ['half \ud83d.pdf', 'half \ufffd.pdf'],
  [' .hidden. ', 'hidden'],
  ['CON.pdf', '_CON.pdf'],
  ['nul', '_nul'],
  ['com1 .tar.gz', '_com1 .tar.gz'],
  ['console.pdf', 'console.pdf'],
  ['', 'file'],
  ['...', 'file'],
  ['folder/', 'file'],
  ['\u0007', 'file'],
])('%j is kept as %j', (sent, kept) => {
  expect(cleanFileName(sent)).toBe(kept);
});

test.each([
  ['March/a.txt', 'March/a.txt'],
  ['..\\..\\C:\\Windows\\x.txt', 'C:/Windows/x.txt'],
  ['/./a\u202e\0.txt', 'a.txt'],
  ['', 'file'],
  [`${'long/'.repeat(100)}end.txt`, `${'long/'.repeat(100)}end.txt`.slice(-300)],
])('the path %j is shown as %j', (sent, shown) => {
  expect(cleanFilePath(sent)).toBe(shown);
});

test('no sign of a long path is cut in half', () => {
  const shown = cleanFilePath(`${'\u{1f600}'.repeat(40)}/`.repeat(10));
  expect(shown).toBe(shown.toWellFormed());
  expect(shown.length).toBeLessThanOrEqual(300);
});

test('a long name keeps its extension and its whole characters', () => {
  expect(cleanFileName(`${'x'.repeat(300)}.pdf`)).toBe(`${'x'.repeat(176)}.pdf`);
  const cut = cleanFileName(`${'日'.repeat(300)}.pdf`);
  expect(cut).toBe(`${'日'.repeat(58)}.pdf`);
  expect(cleanFileName(`${'x'.repeat(100)}.${'y'.repeat(200)}`)).toHaveLength(180);
});

test('of a character that is longer than a name may be its beginning is kept', () => {
  const kept = cleanFileName(`q${'\u0301'.repeat(300)}.txt`);
  expect(kept).toBe(`q${'\u0301'.repeat(87)}.txt`);
});

test('whatever is sent, a name is short, visible, without a path, and clean already', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (sent) => {
      const kept = cleanFileName(sent);
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(180);
      expect(kept).toMatch(/^[^\p{Cc}\p{Bidi_Control}/\\]+$/u);
      expect(kept).toMatch(/[^\p{Default_Ignorable_Code_Point}\u2800]/u);
      expect(kept).toBe(kept.normalize('NFC'));
      expect(cleanFileName(kept)).toBe(kept);
    }),
    { numRuns: 2000 },
  );
});

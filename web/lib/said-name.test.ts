import { expect, it } from 'vitest';
import { AlreadyThereRequest } from '#contract/files.ts';
import { saidName } from './said-name.ts';

it.each([
  ['March 2026.pdf', 'March 2026.pdf'],
  ['\u202aMarch 2026.pdf\u202c', 'March 2026.pdf'],
  ['\u2068دفتر\u2069 2026.pdf', 'دفتر 2026.pdf'],
  ['Scan\u0007\u2028.pdf', 'Scan.pdf'],
  ['W-2 \ud83d.pdf', 'W-2 .pdf'],
  [' 📎 lease.pdf ', '📎 lease.pdf'],
])('says %j as %j, which the server takes', (name, said) => {
  expect(saidName(name)).toBe(said);
  const file = { clientId: 1, fileType: 'report', name: said, size: 4 };
  expect(AlreadyThereRequest.parse({ files: [file] }).files).toEqual([file]);
});

it('says nothing where nothing of a name is seen', () => {
  expect(saidName('\u202a \u202c')).toBe('');
});

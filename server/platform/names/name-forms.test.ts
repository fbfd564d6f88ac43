// Skeletons: the same for names that people would confuse, and different for all others.
import { expect, it } from 'vitest';
import { skeletonOf } from './name-forms.ts';

it.each([
  ['Admin', 'ADMIN', '\u0410dmin', 'adm\u0456n', '\u0391D\u039cIN', '\uff21dmin', 'Admin\u200b'],
  ['Tax Notice', '\u0422ax Notice', 'tax n\u043etice', 'Tax  Notice', 'Tax\u2003Notice'],
  ['Kelly', '\u041aelly', '\u212aelly', 'Ke1ly', 'KeIly'],
  ['modern', 'rnodern', 'm\u03bfdern'],
])('G16: %s looks like the others', (...names) => {
  expect(new Set(names.map(skeletonOf)).size).toBe(1);
});

it.each([
  ['Admin', 'Ädmin'],
  ['Jose', 'José'],
  ['Tax Notice', 'Tax Notices'],
  ['Unit 1', 'Unit 2'],
  ['Harbor LLC', 'Harbour LLC'],
  ['王小明', '王小朋'],
])('G16: %s does not look like %s', (one, other) => {
  expect(skeletonOf(one)).not.toBe(skeletonOf(other));
});

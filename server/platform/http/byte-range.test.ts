// Which bytes each form of a `Range` header means.
import { expect, test } from 'vitest';
import { chooseSpan } from './byte-range.ts';

test.each([
  [undefined, 'whole'],
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=10-19', { start: 10, end: 19 }],
  ['bytes=99-99', { start: 99, end: 99 }],
  ['bytes=90-1000', { start: 90, end: 99 }],
  ['bytes=-1', { start: 99, end: 99 }],
  ['bytes=-100', { start: 0, end: 99 }],
  ['bytes=-5000', { start: 0, end: 99 }],
  ['Bytes = 1 - 2', { start: 1, end: 2 }],
  ['bytes=0-99999999999999999999999', { start: 0, end: 99 }],
  ['bytes=100-', 'outside'],
  ['bytes=100-200', 'outside'],
  ['bytes=99999999999999999999999-', 'outside'],
  ['bytes=-0', 'outside'],
  ['bytes=9-8', 'whole'],
  ['bytes=0-1,2-3', 'whole'],
  [`bytes=${'0-1,'.repeat(100)}0-1`, 'whole'],
  ['bytes=', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=a-b', 'whole'],
  ['bytes=1.5-2', 'whole'],
  ['bytes=+1-2', 'whole'],
  ['items=0-1', 'whole'],
  ['', 'whole'],
])('%s of 100 bytes', (header, span) => {
  expect(chooseSpan(header, 100)).toEqual(span);
});

test.each(['bytes=0-', 'bytes=0-0', 'bytes=-1'])('%s of an empty file lies outside', (header) => {
  expect(chooseSpan(header, 0)).toBe('outside');
});

import { expect, it } from 'vitest';
import { encodingOf } from './encoding.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
/** Each letter as the one byte of its number. */
const western = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

it('tells UTF-8, also damaged or cut, from what older programs write', () => {
  expect(encodingOf(utf8('Muñoz, José'))).toBe('utf-8');
  expect(encodingOf(utf8('plain'))).toBe('utf-8');
  expect(encodingOf(new Uint8Array())).toBe('utf-8');
  expect(encodingOf(western('Muñoz, José'))).toBe('windows-1252');
  expect(encodingOf(utf8('Muñoz').subarray(0, 3), { cut: true })).toBe('utf-8');
  expect(encodingOf(Uint8Array.from([...utf8('Muñoz, José, '), 0xf1]))).toBe('utf-8');
});

import { describe, expect, it } from 'vitest';
import { decodeText, encodingOf } from './text-encoding.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
/** Each letter as the one byte of its number. */
const western = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
/** With the lower or the higher byte of each letter first, behind the mark that says so. */
const utf16 = (text: string, lowFirst: boolean) =>
  Uint8Array.from(
    [...`\ufeff${text}`].flatMap((letter) => {
      const code = letter.charCodeAt(0);
      return lowFirst ? [code & 255, code >> 8] : [code >> 8, code & 255];
    }),
  );

it('tells UTF-8, also damaged or cut, from what older programs write', () => {
  expect(encodingOf(utf8('Muñoz, José'))).toBe('utf-8');
  expect(encodingOf(utf8('plain'))).toBe('utf-8');
  expect(encodingOf(new Uint8Array())).toBe('utf-8');
  expect(encodingOf(western('Muñoz, José'))).toBe('windows-1252');
  expect(encodingOf(utf8('Muñoz').subarray(0, 3), { cut: true })).toBe('utf-8');
  expect(encodingOf(Uint8Array.from([...utf8('Muñoz, José, '), 0xf1]))).toBe('utf-8');
});

it('goes by a mark at the beginning, whatever follows', () => {
  expect(encodingOf(utf16('Muñoz', true))).toBe('utf-16le');
  expect(encodingOf(utf16('Muñoz', false))).toBe('utf-16be');
  expect(encodingOf(Uint8Array.of(0xef, 0xbb, 0xbf, 0xf1))).toBe('utf-8');
  expect(encodingOf(Uint8Array.of(0xff))).toBe('windows-1252');
});

describe('a text', () => {
  it.each([
    ['UTF-8', utf8('Muñoz')],
    ['UTF-8 with its mark', utf8('\ufeffMuñoz')],
    ['Windows-1252', western('Muñoz')],
    ['UTF-16 as Windows writes it', utf16('Muñoz', true)],
    ['UTF-16 the other way round', utf16('Muñoz', false)],
  ])('is read from %s', (_encoding, bytes) => {
    expect(decodeText(bytes)).toBe('Muñoz');
  });

  it('has its quotes and signs from Windows-1252, and loses a letter that was cut', () => {
    expect(decodeText(Uint8Array.of(0x93, 0x41, 0x94, 0x20, 0x96, 0x20, 0x80))).toBe('“A” – €');
    expect(decodeText(utf8('Muñ').subarray(0, 3), { cut: true })).toBe('Mu');
    expect(decodeText(utf16('Muñ', true).subarray(0, 7), { cut: true })).toBe('Mu');
  });
});

// Honest files, and files whose name says one thing and whose bytes say another.

import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { deflateRawSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import { describe, expect, test } from 'vitest';
import { zipEntry } from '../../testing/zip-entry.ts';
import { HEAD_BYTES } from './blob-store.ts';
import { decideContentType } from './content-type.ts';

const typeOf = (bytes: Buffer | string, name = 'upload.bin') => {
  const all = Buffer.from(bytes);
  return decideContentType(new Uint8Array(all.subarray(0, HEAD_BYTES)), all.length, name);
};

/** Each letter as the one byte of its number. */
const western = (text: string) => Buffer.from(text, 'latin1');
const wide = (text: string, order = 'utf16le') => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return order === 'utf16le' ? bytes : bytes.swap16();
};

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

describe('what browsers may show', () => {
  test('a PDF', async () => {
    const document = new PDFDocument();
    const bytes = buffer(document);
    document.text('Form W-2').end();
    expect(await typeOf(await bytes, 'W2.PDF')).toBe('application/pdf');
  });

  test.each([
    ['image/png', PNG],
    ['image/jpeg', Buffer.from('ffd8ffe000104a46494600010100000100010000ffdb0043', 'hex')],
    ['image/gif', Buffer.from('474946383961010001008000000000000000002c00000000010001000002024401003b', 'hex')],
    ['image/webp', Buffer.from('524946461a000000574542505650384c0d0000002f000000100711118888fe0700', 'hex')],
  ])('%s', async (type, bytes) => {
    expect(await typeOf(bytes)).toBe(type);
  });

  test('plain text, a CSV only by its name', async () => {
    expect(await typeOf('Payroll notes\r\n\tall paid\f')).toBe('text/plain');
    expect(await typeOf('name,pay\nJo,1\n', 'PAY.CSV')).toBe('text/csv');
    expect(await typeOf('\ufeffname,pay\n', 'pay.txt')).toBe('text/plain');
    expect(await typeOf('BM is how a bitmap begins')).toBe('text/plain');
  });

  test('long text whose head ends within a character', async () => {
    for (let offset = 0; offset < 4; offset++) {
      expect(await typeOf(`${'x'.repeat(offset)}${'😀'.repeat(2000)}`)).toBe('text/plain');
    }
    expect(await typeOf(Buffer.from('ends too early 😀').subarray(0, -1))).toBe('application/octet-stream');
  });

  test('what older programs write on Western machines', async () => {
    expect(await typeOf(western('M\xfcller,1\n'))).toBe('text/plain');
    expect(await typeOf(western('Employee,Pay\r\nMu\xf1oz,12\r\n'), 'Pay.csv')).toBe('text/csv');
    expect(await typeOf(western('\x93Paid\x94 \x96 in March: \x801,200.50 of Jos\xe9 \xc1lvarez'))).toBe('text/plain');
    expect(await typeOf(western(`${'Mu\xf1oz\t1.00\r\n'.repeat(1_000)}`))).toBe('text/plain');
    expect(await typeOf(western(`${'='.repeat(60)}\n${'_'.repeat(60)}\nTotal of Jos\xe9`))).toBe('text/plain');
  });

  test.each(['utf16le', 'utf16be'])('%s behind its mark', async (order) => {
    const written = (text: string) => wide(text, order);
    expect(await typeOf(written('Employee\tPay\r\nMuñoz\t12\r\n'))).toBe('text/plain');
    expect(await typeOf(written('Employee\tPay\r\nMuñoz\t12\r\n'), 'Pay.csv')).toBe('text/csv');
    for (const offset of [0, 1]) {
      expect(await typeOf(written(`${'x'.repeat(offset)}${'paid 😀'.repeat(1_000)}`))).toBe('text/plain');
    }
  });
});

describe('what browsers may not show', () => {
  test.each(['II*\0', 'MM\0*'])('a TIFF that begins with %j and says what it is at its end', async (mark) => {
    expect(await typeOf(Buffer.concat([Buffer.from(mark, 'latin1'), Buffer.alloc(2 * HEAD_BYTES, 0xff)]))).toBe(
      'image/tiff',
    );
    expect(await typeOf(Buffer.concat([Buffer.from(`x${mark}`, 'latin1'), Buffer.alloc(9, 0xff)]))).toBe(
      'application/octet-stream',
    );
  });

  test.each([
    ['<html><script>alert(1)</script>', 'text/html'],
    ['\ufeff \r\n<!doctype html><p>hello', 'text/html'],
    ['<script>alert(1)</script>', 'text/html'],
    ['<?xml version="1.0"?><note/>', 'application/xml'],
    ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/svg+xml'],
    ['<?xml version="1.0"?>\n<!-- made by hand -->\n<svg onload="alert(1)"/>', 'image/svg+xml'],
    ['{\\rtf1 hello}', 'application/rtf'],
    ['%!PS-Adobe-3.0', 'application/postscript'],
  ])('%j is markup or a program, whatever its name', async (text, type) => {
    for (const name of ['statement.pdf', 'statement.txt', 'statement.csv']) {
      expect(await typeOf(text, name)).toBe(type);
      expect(await typeOf(wide(text), name)).toBe(type);
      expect(await typeOf(wide(text, 'utf16be'), name)).toBe(type);
      expect(await typeOf(western(`${text.replace('\ufeff', '')} for Jos\xe9`), name)).toBe(type);
    }
  });

  test.each([
    ['compressed data', deflateRawSync(Buffer.from(Array.from({ length: 5_000 }, (_, nth) => `${nth * nth}`).join()))],
    ['high bytes alone', Buffer.alloc(HEAD_BYTES, 0xe9)],
    ['blanks of Windows-1252 alone', Buffer.alloc(HEAD_BYTES, 0xa0)],
    ['Shift-JIS', Buffer.from('96bc914f2c8e9e8b8b0d0a8e52936391be98592c313230300d0a', 'hex')],
    ['UTF-8 that begins within a character', Buffer.from('😀 begins too late').subarray(1)],
    ['UTF-8 that is damaged', Buffer.concat([Buffer.from('Muñoz, José, '), western('\xf1')])],
    ['Windows-1252 behind the mark of UTF-8', Buffer.concat([Buffer.from('\ufeff'), western('<p>Jos\xe9')])],
    ['a byte that Windows-1252 leaves undefined', western('Mu\xf1oz, Jos\xe9\x8d')],
    ['a NUL among Windows-1252', western('Mu\xf1oz, Jos\xe9\0')],
    ['lines drawn as DOS did', western('\xda\xc4\xc4\xc4\xbf\n\xb3Pay of everybody in March\xb3\n')],
    ['the beginning of a PDF, further down', western('x\n%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj << /Type /Catalog >>')],
    ['UTF-16 without its mark', wide('Mu\xf1oz').subarray(2)],
    ['UTF-16 with a NUL', wide('Mu\xf1oz\0')],
    ['UTF-16 with half a character', wide('Payroll of Mu\xf1oz\ud83d and others')],
    ['UTF-16 of an odd length', wide('Payroll of Mu\xf1oz').subarray(0, -1)],
    ['the mark of UTF-16 before other bytes', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.alloc(4_000, 0x80)])],
  ])('%s is no text', async (_what, bytes) => {
    for (const name of ['notes.txt', 'pay.csv']) expect(await typeOf(bytes, name)).toBe('application/octet-stream');
  });

  test('random bytes, behind a mark or not', async () => {
    for (let round = 0; round < 200; round += 1) {
      for (const mark of [[], [0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf]]) {
        expect(await typeOf(Buffer.from([...mark, ...randomBytes(256)]), 'notes.txt')).not.toMatch(/^text/);
      }
    }
  });

  test.each([
    ['nothing known', Buffer.from([1, 2, 3, 4, 0xff]), 'application/octet-stream'],
    ['text with a NUL', Buffer.from('hello\0world'), 'application/octet-stream'],
    ['text with an escape character', Buffer.from('hello \x1b[31m'), 'application/octet-stream'],
    ['a PDF after other bytes', Buffer.from('\0%PDF-1.7'), 'application/octet-stream'],
    ['a zip', zipEntry('hello.txt', deflateRawSync('hello'), 5n), 'application/zip'],
  ])('%s', async (_what, bytes, type) => {
    expect(await typeOf(bytes, 'photo.png')).toBe(type);
  });
});

// Honest files, and files whose name says one thing and whose bytes say another.

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
    expect(await typeOf(text, 'statement.pdf')).toBe(type);
    expect(await typeOf(text, 'statement.txt')).toBe(type);
  });

  test.each([
    ['nothing known', Buffer.from([1, 2, 3, 4, 0xff]), 'application/octet-stream'],
    ['text with a NUL', Buffer.from('hello\0world'), 'application/octet-stream'],
    ['text with an escape character', Buffer.from('hello \x1b[31m'), 'application/octet-stream'],
    ['text in another encoding', Buffer.from('M\xfcller,1\n', 'latin1'), 'application/octet-stream'],
    ['a PDF after other bytes', Buffer.from('\0%PDF-1.7'), 'application/octet-stream'],
    ['a zip', zipEntry('hello.txt', deflateRawSync('hello'), 5n), 'application/zip'],
  ])('%s', async (_what, bytes, type) => {
    expect(await typeOf(bytes, 'photo.png')).toBe(type);
  });
});

// PDF files that are made to fill the machine of whoever reads them to the end.
import { deflateSync } from 'node:zlib';
import { HELVETICA, type RawObject, rawPdf, textAt } from './raw-pdf.ts';

const MEGABYTE = 1024 * 1024;

const page = (resources: string) =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << ${resources} >> /Contents 5 0 R >>`;

const onePage = (content: RawObject, resources = '/Font << /F1 3 0 R >>', further: readonly RawObject[] = []) =>
  rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    HELVETICA,
    page(resources),
    content,
    ...further,
  ]);

const packed = (content: string, megabytes: number) => deflateSync(Buffer.alloc(megabytes * MEGABYTE, content));

const form = (content: string, next: number): RawObject => ({
  body: `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${next} 0 R >> >>`,
  stream: content,
});

/** What fills it, and the bytes. */
export const pdfBombs = (): readonly (readonly [string, Uint8Array])[] => {
  const spaces = packed(' ', 300);
  return [
    ['spaces', onePage({ body: '/Filter /FlateDecode', stream: spaces })],
    ['spaces packed twice', onePage({ body: '/Filter [/FlateDecode /FlateDecode]', stream: deflateSync(spaces) })],
    ['letters', onePage({ body: '/Filter /FlateDecode', stream: packed('BT /F1 9 Tf (a) Tj ET ', 100) })],
    [
      'drawings of drawings',
      onePage({ body: '', stream: '/X Do' }, '/XObject << /X 6 0 R >>', [
        ...Array.from({ length: 12 }, (_, level) => form('/X Do '.repeat(10), 7 + level)),
        form(textAt('deep', 1, 1), 0),
      ]),
    ],
  ];
};

/** Limits under which none of them is read. */
export const BOMB_LIMITS = { stepMs: 1_000, wholeMs: 60_000, memoryBytes: 150 * MEGABYTE };

const BOMB_SIDE = 24_000;
/** A scan of a few kilobytes that unpacks to half a gigabyte: more than one page may take. */
export const pictureBomb = (): RawObject => {
  const runs = Buffer.alloc((2 * BOMB_SIDE * BOMB_SIDE) / 128, Buffer.from([129, 0]));
  const size = `/Width ${BOMB_SIDE} /Height ${BOMB_SIDE} /ColorSpace /DeviceGray /BitsPerComponent 8`;
  return {
    body: `/Type /XObject /Subtype /Image ${size} /Filter [/FlateDecode /RunLengthDecode]`,
    stream: deflateSync(runs),
  };
};

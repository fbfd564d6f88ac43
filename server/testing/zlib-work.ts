// Every way through zlib, for a thread whose zlib makes its handles whole.
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import zlib, { createGunzip, deflateRawSync, gunzip, Inflate, inflateSync } from 'node:zlib';

const WORDS = 'Register of wages. '.repeat(2_000);

type OneShot = (given: Uint8Array | string, options?: zlib.ZlibOptions) => Buffer;

const refusal = (act: () => unknown): string => {
  try {
    act();
    return 'none';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

/** What came back by each way, and how each kind of bad bytes was refused. */
export async function work(): Promise<Readonly<Record<string, string | boolean>>> {
  const sync = zlib as unknown as Record<string, OneShot>;
  const pairs = [
    ['deflate', 'inflate'],
    ['gzip', 'gunzip'],
    ['gzip', 'unzip'],
    ['deflateRaw', 'inflateRaw'],
    ['brotliCompress', 'brotliDecompress'],
    ['zstdCompress', 'zstdDecompress'],
  ] as const;
  const back = pairs.map(([there, back]) => [
    back,
    `${sync[`${back}Sync`]?.(sync[`${there}Sync`]?.(WORDS) ?? '')}` === WORDS,
  ]);
  const deflated = zlib.deflateSync(WORDS);
  const gzipped = zlib.gzipSync(Buffer.from(WORDS));
  const platform = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate'));
  return {
    ...Object.fromEntries(back),
    callback: `${await promisify(gunzip)(gzipped)}` === WORDS,
    stream: `${await buffer(createGunzip().end(gzipped))}` === WORDS,
    made: `${await buffer(new Inflate().end(deflated))}` === WORDS,
    platform: `${await new Response(platform).text()}` === WORDS,
    isInflate: zlib.createInflate() instanceof Inflate,
    arrayBuffer: inflateSync(new Uint8Array(deflated).buffer).length === WORDS.length,
    torn: refusal(() => inflateSync(deflated.subarray(0, 40))),
    foreign: refusal(() => inflateSync(deflateRawSync(WORDS))),
    tooLong: refusal(() => inflateSync(deflated, { maxOutputLength: 100 })),
    badOption: refusal(() => zlib.createInflate({ windowBits: 99 })),
    // A refusal leaves the way open for the next.
    afterwards: inflateSync(deflated).length === WORDS.length,
  };
}

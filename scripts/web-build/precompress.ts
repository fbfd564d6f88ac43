// What the web is built into, compressed as far as it goes: the server sends these instead of compressing at each request.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** Text; fonts, images and character maps are compressed already, or come out no smaller. */
const TEXT = /\.(js|mjs|css|svg|json|txt)$/;
/** The server writes its own names into the page, and compresses it when it starts. */
const PAGE = 'index.html';
/** Below this a file fits one packet either way. */
const COMPRESSED_FROM_BYTES = 1_024;

const codings = {
  br: (text: Buffer) =>
    promisify<Buffer, object, Buffer>(brotliCompress)(text, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    }),
  gz: (text: Buffer) => promisify<Buffer, object, Buffer>(gzip)(text, { level: constants.Z_BEST_COMPRESSION }),
};

/** Writes `name.br` and `name.gz` beside every text in `folder`, each where it is smaller than the text. */
export async function precompressFolder(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const compressed = names
    // The licences of the packages are for a release, and not served.
    .filter((name) => TEXT.test(name) && name !== PAGE && !name.startsWith('.'))
    .map(async (name) => {
      const path = join(folder, name);
      const text = await readFile(path);
      if (text.length < COMPRESSED_FROM_BYTES) return;
      for (const [ending, compress] of Object.entries(codings)) {
        const form = await compress(text);
        if (form.length < text.length) await writeFile(`${path}.${ending}`, form);
      }
    });
  await Promise.all(compressed);
}

/** Compresses what was built; not while developing, where nothing is written. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle: { order: 'post', sequential: true, handler: ({ dir }) => precompressFolder(dir ?? '') },
  };
}

// The built web application: its files, and its one page for every address that is a page.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { shadesOf } from '#contract/accent.ts';
import { refuse } from '#contract/errors.ts';
import type { Config } from '../config.ts';
import { type Face, type FirmFace, faceOfServer } from '../people/access/firm-settings.ts';
import { compressedOnce, describeCoding } from '../platform/http/compress.ts';
import { isRead } from '../platform/http/reads.ts';
import { escapeHtml } from './escape-html.ts';

/** Vite names these by their content, so they never change under their name. */
const FINGERPRINTED = /\/assets\//;

/** Addresses of the API, of metrics, and of files that other software leaves in web folders: never a page. */
const NEVER_PAGES = /^\/(api|metrics|uploads|storage|blobs)(\/|$)/;

/** Writes what the firm shows of itself and its profile into the page, so that they are there before anyone has signed in. */
function personalize(page: string, face: Face, config: Config): string {
  const { publicOrigin = '', safeguards, trashDays, mail, searchInside } = config;
  const meta = (name: string, value: string) => (text: string) =>
    text.replace(new RegExp(`(<meta name="${name}" content=")[^"]*`), (_, start) => start + escapeHtml(value));
  return [
    meta('product-name', face.name),
    meta('support-email', face.support),
    meta('origin', publicOrigin),
    meta('shades', face.accent === '' ? '' : JSON.stringify(shadesOf(face.accent))),
    meta('firm-address', face.address),
    meta('firm-phone', face.phone),
    meta('welcome', face.welcome),
    meta('logo', face.logo === null ? '' : `${face.logo.id} ${face.logo.width} ${face.logo.height}`),
    meta('safeguards', safeguards ? 'on' : 'off'),
    meta('trash-days', String(trashDays)),
    meta('mail', mail === null ? 'off' : 'on'),
    meta('search-inside', searchInside ? 'on' : 'off'),
    (text: string) => text.replace(/<title>[^<]*/, () => `<title>${escapeHtml(face.name)}`),
  ].reduce((text, write) => write(text), page);
}

function readPage(root: string): string | null {
  try {
    return readFileSync(join(root, 'index.html'), 'utf8');
  } catch (error) {
    // Not built: the API serves without its web, as in development.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** What the build puts beside a file, in each coding (scripts/web-build/precompress.ts): a form of that file, and no file of its own. */
const COMPRESSED = '**/*.{br,gz}';

/** The page with what the firm shows of itself, made again where that is another than before; null stands for what was before. */
function pageOf(built: string, config: Config) {
  const made = (face: Face) => ({
    known: JSON.stringify(face),
    page: compressedOnce(personalize(built, face, config)),
  });
  let latest = made(faceOfServer(config));
  return (face: Face | null) => {
    if (face !== null && JSON.stringify(face) !== latest.known) latest = made(face);
    return latest.page;
  };
}

/** Serves the folder `root` where it exists; anything but a page, and any address that is never one, is `not_found`. */
export async function serveWeb(
  app: FastifyInstance,
  root: string,
  { config, face }: { readonly config: Config; readonly face: FirmFace },
): Promise<void> {
  const built = readPage(root);
  const page = built === null ? null : pageOf(built, config);
  if (page !== null) {
    await app.register(fastifyStatic, {
      root,
      wildcard: false,
      index: false,
      globIgnore: ['index.html', COMPRESSED],
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header('cache-control', FINGERPRINTED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  // Before its body is read: a body for no endpoint is not even parsed.
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 && !isRead(request) ? refuse('not_found') : undefined);
  });
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    // A page's address has no dot in its last part; with a dot it is a file, and this file does not exist.
    const isFile = path.slice(path.lastIndexOf('/') + 1).includes('.');
    if (page === null || !isRead(request) || isFile || NEVER_PAGES.test(path)) throw refuse('not_found');
    const shown = await face.get().catch((err: unknown) => {
      // The page itself needs no database; the firm is as it was known last.
      request.log.warn({ err }, 'what the firm shows of itself could not be read');
      return null;
    });
    const { body, coding } = page(shown)(request.headers['accept-encoding']);
    describeCoding(reply, coding);
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(body);
  });
}

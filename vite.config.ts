// How the web application is built and served while developing.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { frameFiles } from './scripts/web-build/frame-files.ts';
import { precompress } from './scripts/web-build/precompress.ts';
import { slimSchemas } from './scripts/web-build/slim-schemas.ts';
import { usedStyles } from './scripts/web-build/used-styles.ts';

/**
 * Fonts, character maps and image decoders that pdf.js fetches by their own names, and only for a PDF that needs them. The
 * decoders come as plain JavaScript: the server's Content-Security-Policy lets no WebAssembly be compiled.
 */
function pdfjsData(): Plugin {
  const home = fileURLToPath(new URL('./node_modules/pdfjs-dist', import.meta.url));
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  const base = `assets/pdfjs-${version}`;
  const wanted = ['cmaps', 'standard_fonts', 'wasm']
    .flatMap((folder) => readdirSync(join(home, folder)).map((name) => `${folder}/${name}`))
    .filter((name) => !name.startsWith('wasm/') || /_nowasm_fallback\.js$|\/LICENSE/.test(name));
  return {
    name: 'pdfjs-data',
    generateBundle() {
      for (const name of wanted) {
        this.emitFile({ type: 'asset', fileName: `${base}/${name}`, source: readFileSync(join(home, name)) });
      }
    },
    configureServer(server) {
      server.middlewares.use(`/${base}`, (request, response, next) => {
        const name = (request.url ?? '').slice(1);
        if (!wanted.includes(name)) return next();
        response.setHeader('content-type', name.endsWith('.js') ? 'text/javascript' : 'application/octet-stream');
        response.end(readFileSync(join(home, name)));
      });
    },
  };
}

const CALENDARS = /node_modules[\\/]@mantine[\\/]dates[\\/]|[\\/]date-field\.tsx$/;
const FORMS = /node_modules[\\/]@mantine[\\/]form[\\/]|[\\/]use-dialog-form\.ts$/;
/** The library of schemas, and what of the contract is made with it; that of batches is with the one dialog that uses it. */
const isSchema = (id: string) =>
  /node_modules[\\/]zod[\\/]/.test(id) ||
  (/[\\/]contract[\\/](?!batches\.|completeness\.|requests\.)[a-z-]+\.ts$/.test(id) &&
    readFileSync(id, 'utf8').includes("from 'zod'"));
/** Small modules that only what is opened later needs: sending files, an authenticator app, how the portal looks, a text of several lines, a viewer, batches, the board, whom to ask, an empty firm, requests, what the firm shows, a CSV to keep. */
const LATER_PACKAGES =
  '@mantine[\\\\/]dropzone|react-dropzone|file-selector|attr-accept|react-pdf|es-toolkit|make-cancellable-promise|merge-refs|tiny-invariant';
const OPENED_LATER = new RegExp(
  `node_modules[\\\\/](${LATER_PACKAGES})[\\\\/]|[\\\\/](Textarea|LoadingOverlay|SegmentedControl|FloatingIndicator|icon-choice|appearance|qr-code|upload-drop|upload-at|batch-|completeness-|expectation|another-client|recognition-words|missing-access|nothing-to-choose|usual-report-types|first-steps|suggestion|remember-|mark-words|look|request-|requests[.]ts|due-day|load-request|accent|firm-settings|hold-|retention-|version-messages|versions[.]ts|undo-replacing|replace-choice|csv-blob|keepsake)|[\\\\/](viewer|batches)[\\\\/]`,
);

export default defineConfig({
  root: fileURLToPath(new URL('./web', import.meta.url)),
  cacheDir: fileURLToPath(new URL('./node_modules/.cache/vite', import.meta.url)),
  plugins: [react(), usedStyles(), slimSchemas(), frameFiles(), pdfjsData(), precompress()],
  resolve: {
    // The build for browsers of the last years: the other asks for what came to Firefox with 144 and to Safari with 26, and draws no page without it.
    alias: [{ find: /^pdfjs-dist$/, replacement: 'pdfjs-dist/legacy/build/pdf.mjs' }],
  },
  build: {
    outDir: fileURLToPath(new URL('./dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // The server sends `script-src 'self'`, so nothing may be inlined as a data: script and no polyfill is needed.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The packages in the bundle, with their licences: a release lists them. The server serves no name that begins with a dot.
    license: { fileName: '.vite/license.json' },
    // What pages weigh is held by size-limit; the viewer's worker alone is beyond Vite's own line.
    chunkSizeWarningLimit: 3_000,
    rolldownOptions: {
      // Compressing takes most of the time, as it should.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          // Few files, because each is a request, and a browser makes six at a time over HTTP/1.1.
          groups: [
            // What every page loads and what changes least: a separate chunk, so that a new release leaves it cached.
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler|@tanstack[\\/](react-router|router-core|history))[\\/]/,
              priority: 3,
            },
            // The rest of the sign-in page.
            { name: 'start', tags: ['$initial'], priority: 2 },
            // What most pages behind it show, and what is too small to be a request of its own.
            { name: 'frame', test: (id) => !CALENDARS.test(id), minShareCount: 6, priority: 1 },
            // Only screens whose form is there at once: dialogs load with their forms.
            { name: 'forms', test: FORMS, priority: 2 },
            // What is sent is judged where it is typed: lists need no schemas.
            { name: 'schemas', test: isSchema, priority: 2, includeDependenciesRecursively: false },
            // Many screens have a calendar, and as many have none.
            { name: 'dates', test: CALENDARS },
            { name: 'small', test: (id) => !OPENED_LATER.test(id), minShareCount: 2, maxModuleSize: 1_500 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    // `npm run dev` starts both with one environment, so this is the port that the server listens on.
    proxy: Object.fromEntries(
      ['/api', '/firm-logo.png'].map((path) => [path, `http://127.0.0.1:${process.env.PORT || 3000}`]),
    ),
  },
});

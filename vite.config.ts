// How the web application is built and served while developing.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { frameFiles } from './scripts/web-build/frame-files.ts';
import { precompress } from './scripts/web-build/precompress.ts';
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

export default defineConfig({
  root: fileURLToPath(new URL('./web', import.meta.url)),
  cacheDir: fileURLToPath(new URL('./node_modules/.cache/vite', import.meta.url)),
  plugins: [react(), usedStyles(), frameFiles(), pdfjsData(), precompress()],
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
            { name: 'frame', minShareCount: 6, priority: 1 },
            { name: 'small', minShareCount: 2, maxModuleSize: 1_500 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    // `npm run dev` starts both with one environment, so this is the port that the server listens on.
    proxy: { '/api': `http://127.0.0.1:${process.env.PORT || 3000}` },
  },
});

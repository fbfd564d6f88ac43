// Detects whether a hostile file has done anything: requests, dialogs, the browser's storage, and an origin of its own.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { trapScript } from './samples.ts';

export interface Elsewhere {
  readonly origin: string;
  /** The requests it got, in order. */
  readonly hits: readonly string[];
  close(): Promise<void>;
}

/** An origin that no page of the portal has any business with; it serves `pages` by their paths. */
export async function openElsewhere(pages: Readonly<Record<string, string>> = {}): Promise<Elsewhere> {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    if (page !== undefined) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(page);
      return;
    }
    hits.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/plain' }).end('caught');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    hits,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Watches every page of `context`, and returns what it has caught so far. */
export function setTraps(context: BrowserContext, home: string, elsewhere: Elsewhere): () => string[] {
  const caught: string[] = [];
  const watch = (page: Page) => {
    page.on('dialog', (dialog) => {
      // The portal's own question about unsaved work.
      if (dialog.type() === 'beforeunload') return;
      caught.push(`dialog: ${dialog.message()}`);
      dialog.dismiss().catch(() => undefined);
    });
  };
  for (const page of context.pages()) watch(page);
  context.on('page', watch);
  context.on('request', (request) => {
    const address = request.url();
    // A browser shows its own PDF viewer from its own addresses; data and blobs leave nothing.
    if (/^(chrome-extension|chrome|about|data|blob):/.test(address)) return;
    const { origin, pathname } = new URL(address);
    if (origin !== home || /canary$/.test(pathname)) caught.push(`${request.method()} ${address}`);
  });
  return () => [...caught, ...elsewhere.hits];
}

/**
 * The same script on a page that nothing guards, in a browser of its own, where no trap of the test hears of it. Each call runs it anew
 * and returns when it has done its last, which is after a while: by then a file that was shown before has had the time for its own.
 */
export async function openControl(browser: Browser): Promise<{ run(): Promise<void>; close(): Promise<void> }> {
  const pages: Record<string, string> = {};
  const unguarded = await openElsewhere(pages);
  pages['/unguarded'] = `<script>${trapScript(unguarded.origin)}</script>`;
  const context = await browser.newContext();
  const page = await context.newPage();
  const timesLeft = () => unguarded.hits.filter((hit) => hit === 'GET /left').length;
  return {
    async run() {
      const before = timesLeft();
      await page.goto(`${unguarded.origin}/unguarded`);
      await expect.poll(timesLeft, { message: 'the control leaves', intervals: [10] }).toBeGreaterThan(before);
    },
    async close() {
      await context.close();
      await unguarded.close();
    },
  };
}

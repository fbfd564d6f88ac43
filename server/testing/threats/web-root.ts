// The same application on another port with a built web: files a visitor may have, and some that none may.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '../../app.ts';
import type { Config } from '../../config.ts';
import { NEVER_LATE_MS, type TestApp } from '../test-app.ts';

export const PAGE_MARK = 'the one page';
export const SECRET_MARK = 'SECRET-OF-THE-OPERATOR';

export interface WebApp {
  readonly origin: string;
  /** The lines it logged, as they were written. */
  readonly lines: readonly string[];
  close(): Promise<void>;
}

/** Serves the context of `test` under `more` settings, out of a fresh web folder that has secrets around it. */
export async function serveWithWeb(test: TestApp, more: Partial<Config> = {}): Promise<WebApp> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-web-'));
  const webRoot = join(folder, 'web');
  mkdirSync(join(webRoot, 'assets'), { recursive: true });
  mkdirSync(join(webRoot, '.git'));
  writeFileSync(join(webRoot, 'index.html'), `<!doctype html><title>x</title><p>${PAGE_MARK}</p>`);
  writeFileSync(join(webRoot, 'assets', 'app-0000.js'), 'export {};');
  for (const secret of [join(folder, 'secret.txt'), join(folder, 'coffer.db')]) writeFileSync(secret, SECRET_MARK);
  for (const hidden of ['.env', '.git/config']) writeFileSync(join(webRoot, hidden), SECRET_MARK);

  const lines: string[] = [];
  const { services } = test.context;
  const context = { ...test.context, services: { ...services, config: { ...services.config, ...more } } };
  const app = await buildApp(context, {
    webRoot,
    lateLoopMs: NEVER_LATE_MS,
    logger: { level: 'debug', stream: { write: (line: string) => void lines.push(line) } },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    origin: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    lines,
    async close() {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

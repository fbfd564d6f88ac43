// What every browser test starts with: a server of its own worker, people who sign in, and a console that stays silent.
import { type Browser, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test';
import { type RunningServer, startServer } from './server.ts';

interface Person {
  readonly username: string;
  readonly password: string;
}

interface WorkerFixtures {
  /** Tests that name the same firm may share a server; one that needs an empty firm names its own. */
  firmName: string;
  server: RunningServer;
}

interface SignInOptions extends Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'timezoneId'> {
  /** Statuses of failures that the test provokes; a failed call of any other status fails it. */
  failures?: readonly number[];
  /** True where the test takes the network away. */
  offline?: boolean;
}

interface Fixtures {
  /** Opens a browser of their own for a person and signs in through the login page. */
  signIn(person: Person, options?: SignInOptions): Promise<Page>;
}

/** Chromium reports every failed request on the console; tests that provoke one name its status. */
const FAILED_REQUEST = /Failed to load resource: the server responded with a status of (\d+)/;
const NO_NETWORK = /Failed to load resource: net::ERR_|The access could not be announced/;

function failOnNoise(page: Page, { failures = [], offline = false }: SignInOptions): () => void {
  const noise: string[] = [];
  page.on('pageerror', (error) => noise.push(String(error)));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const status = FAILED_REQUEST.exec(message.text())?.[1];
    if (status !== undefined && failures.includes(Number(status))) return;
    if (offline && NO_NETWORK.test(message.text())) return;
    noise.push(message.text());
  });
  return () => expect(noise, 'the browser console stays silent').toEqual([]);
}

async function signInThroughPage(page: Page, origin: string, { username, password }: Person): Promise<void> {
  await page.goto(`${origin}/login`);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page).toHaveURL(`${origin}/`);
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  firmName: ['shared', { scope: 'worker', option: true }],
  server: [
    async ({ firmName: _firmName }: { firmName: string }, use) => {
      const server = await startServer();
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  signIn: async ({ browser, server }: { browser: Browser; server: RunningServer }, use) => {
    const opened: { page: Page; assertSilent: () => void }[] = [];
    await use(async (person, options = {}) => {
      const { failures: _failures, offline: _offline, ...browserOptions } = options;
      const context = await browser.newContext({ baseURL: server.origin, acceptDownloads: true, ...browserOptions });
      const page = await context.newPage();
      opened.push({ page, assertSilent: failOnNoise(page, options) });
      await signInThroughPage(page, server.origin, person);
      return page;
    });
    for (const { page, assertSilent } of opened) {
      assertSilent();
      await page.context().close();
    }
  },
});

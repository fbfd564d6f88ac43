// What every browser test starts with: a server for its worker, people who are signed in, and a console without errors.
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from '@playwright/test';
import { runsFullTests } from '#server/testing/breadth.ts';
import { type RunningServer, startServer } from './server.ts';

interface Person {
  readonly username: string;
  readonly password: string;
}

interface WorkerFixtures {
  /** Tests that name the same firm may share a server; one that needs an empty firm names its own. */
  firmName: string;
  /** What the server is set up with, beside what all have; empty stands for not set. */
  environment: Readonly<Record<string, string>>;
  server: RunningServer;
  /** Browsers that earlier tests have left: empty except for their cache, so that pages load sooner. */
  leftBrowsers: BrowserContext[];
}

interface SignInOptions extends Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'timezoneId'> {
  /** Statuses of failures that the test provokes; a failed call of any other status fails it. */
  failures?: readonly number[];
  /** True where the test cuts the network. */
  offline?: boolean;
  /** A browser with empty caches, used by this test alone: for caches and for stopped clocks. */
  fresh?: boolean;
  /** Signs in on the login page, as people do. */
  byHand?: boolean;
  /** The address to open, `/` unless said otherwise; null leaves an empty page to a test that opens one itself. */
  at?: string | null;
}

interface Fixtures {
  /** Opens a browser of their own for a person who is signed in. */
  signIn(person: Person, options?: SignInOptions): Promise<Page>;
}

/** Playwright's default, for tests that set none. */
const VIEWPORT = { width: 1280, height: 720 };

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
    noise.push(`${message.text()} (${message.location().url})`);
  });
  return () => expect(noise, 'the browser console stays silent').toEqual([]);
}

/**
 * Leaves a context as the login page would leave it: the token and the user in its storage, the cookie set. The login
 * page itself is used where it is what a test is about; everywhere else that would take half of the time.
 */
async function signInThroughApi(context: BrowserContext, origin: string, { username, password }: Person) {
  await context.clearCookies();
  const answer = await context.request.post(`${origin}/api/auth/login`, { data: { username, password } });
  expect(answer.status(), `${username} signs in`).toBe(200);
  const { token, user } = (await answer.json()) as { token: string; user: unknown };
  const localStorage = [
    { name: 'token', value: token },
    { name: 'user', value: JSON.stringify(user) },
  ];
  await context.setStorageState({ cookies: await context.cookies(), origins: [{ origin, localStorage }] });
}

/** Fills the login page's form and sends it. */
export async function login(page: Page, { username, password }: Person): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
}

/** A step of the full run alone, and of whoever asks for the file or the test by its name. No later step needs it. */
export async function stepInFull(title: string, step: () => Promise<void>): Promise<void> {
  if (runsFullTests) await base.step(title, step);
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  firmName: ['shared', { scope: 'worker', option: true }],
  environment: [{}, { scope: 'worker', option: true }],
  server: [
    async ({ firmName: _firmName, environment }: Pick<WorkerFixtures, 'firmName' | 'environment'>, use) => {
      const server = await startServer(environment);
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  leftBrowsers: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to see what a fixture depends on
    async ({}, use) => {
      const left: BrowserContext[] = [];
      await use(left);
      for (const context of left) await context.close();
    },
    { scope: 'worker' },
  ],
  signIn: async (
    {
      browser,
      server,
      leftBrowsers,
    }: { browser: Browser; server: RunningServer; leftBrowsers: WorkerFixtures['leftBrowsers'] },
    use,
  ) => {
    const opened: { page: Page; assertSilent: () => void; reusable: boolean }[] = [];
    await use(async (person, options = {}) => {
      const {
        viewport = VIEWPORT,
        colorScheme = 'light',
        timezoneId,
        fresh = false,
        byHand = false,
        at = '/',
      } = options;
      const reusable = timezoneId === undefined && !fresh && !byHand;
      const context =
        (reusable ? leftBrowsers.pop() : undefined) ??
        (await browser.newContext({
          baseURL: server.origin,
          acceptDownloads: true,
          ...(timezoneId ? { timezoneId } : {}),
        }));
      if (!byHand) await signInThroughApi(context, server.origin, person);
      const page = await context.newPage();
      if (viewport) await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      opened.push({ page, assertSilent: failOnNoise(page, options), reusable });
      if (byHand) {
        await page.goto('/login');
        await login(page, person);
        await expect(page).toHaveURL(`${server.origin}/`);
      } else if (at !== null) {
        await page.goto(at);
      }
      return page;
    });
    for (const { page, assertSilent, reusable } of opened) {
      assertSilent();
      const context = page.context();
      if (reusable) {
        await Promise.all(context.pages().map((each) => each.close()));
        await context.setOffline(false);
        leftBrowsers.push(context);
      } else {
        await context.close();
      }
    }
  },
});
